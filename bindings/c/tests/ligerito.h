/* Ligerito of bits and of several commitments, with right and wrong arguments. */
#ifndef PHALANX_TESTS_LIGERITO_H
#define PHALANX_TESTS_LIGERITO_H

#include "check.h"

/* Bits, and two commitments in one proof; what a caller can do wrong. The C++ tests are about the rest. */
static inline void ligerito(void) {
    enum { WORDS = 1 << 10 };
    uint32_t *words = (uint32_t *)get_memory(4 * WORDS + 1);
    uint8_t commitments[2 * PHALANX_LIGERITO_COMMITMENT_BYTES];
    phalanx_ligerito_prover *provers[2] = {NULL, NULL};
    const phalanx_ligerito_prover *opened[2];
    phalanx_ligerito_element at[10], basis[8], value, planes[PHALANX_LIGERITO_PLANES], values[2];
    phalanx_ligerito_accepted accepted = {true, false, 10, 10};
    phalanx_ligerito_point point;
    phalanx_ligerito_planes_claim claim;
    phalanx_ligerito_point_of points[2];
    phalanx_ligerito_claim_of claims[2];
    size_t capacity = phalanx_ligerito_proof_size(1, 10), len = 0, len_alone = 0, i;
    uint8_t *proof = (uint8_t *)get_memory(2 * capacity), *alone = (uint8_t *)get_memory(capacity);
    for (i = 0; i < WORDS; i++) {
        words[i] = (uint32_t)i * 0x9e3779b9u;
    }
    for (i = 0; i < 10; i++) {
        at[i].low = i == 2;
        at[i].high = 0;
    }
    CHECK_STATUS(phalanx_ligerito_commit_bytes(&provers[0], commitments, 1, (uint8_t *)words + 1, 2048, 1), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ligerito_commit_bytes(&provers[0], commitments, 1, words, 4095, 1), PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
    CHECK_STATUS(phalanx_ligerito_commit_bytes(&provers[0], commitments, 1, NULL, 4096, 1), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ligerito_commit_bytes(&provers[0], commitments, 1, words, 4 * WORDS + 1, 1), PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
    CHECK(provers[0] == NULL);
    CHECK_OK(phalanx_ligerito_commit_bytes(&provers[0], commitments, 1, words, 4 * WORDS, 1));
    CHECK_OK(phalanx_ligerito_commit(&provers[1], commitments + PHALANX_LIGERITO_COMMITMENT_BYTES, 1, words, WORDS, 1));
    CHECK(memcmp(commitments, commitments + PHALANX_LIGERITO_COMMITMENT_BYTES, PHALANX_LIGERITO_COMMITMENT_BYTES) == 0);

    point.coordinates = at;
    point.coordinates_len = 10;
    CHECK_OK(phalanx_ligerito_open_planes(provers[0], planes, proof, capacity, &len, &point, 1, NULL, 0, 1));
    for (i = 0; i < PHALANX_LIGERITO_PLANES; i++) {
        CHECK(planes[i].low == (words[4] >> i & 1) && planes[i].high == 0);
    }
    claim.point = point;
    claim.planes = planes;
    CHECK_OK(phalanx_ligerito_verify_planes(&accepted, NULL, commitments, PHALANX_LIGERITO_COMMITMENT_BYTES, &claim, 1, proof, len, NULL, 0));
    planes[31].low ^= 1;
    CHECK_STATUS(phalanx_ligerito_verify_planes(&accepted, NULL, commitments, PHALANX_LIGERITO_COMMITMENT_BYTES, &claim, 1, proof, len, NULL, 0), PHALANX_ERROR_LIGERITO_MERKLE_ROOT);
    claim.planes = NULL;
    CHECK_STATUS(phalanx_ligerito_verify_planes(&accepted, NULL, commitments, PHALANX_LIGERITO_COMMITMENT_BYTES, &claim, 1, proof, len, NULL, 0), PHALANX_ERROR_NULL_POINTER);
    CHECK_OK(phalanx_ligerito_aes_basis(basis));
    CHECK(basis[0].low == 1 && basis[0].high == 0);
    CHECK_OK(phalanx_ligerito_value_of_planes(&value, at, 5, basis, 1, planes));
    CHECK(value.low == (words[4] >> 4 & 1) && value.high == 0);
    CHECK_STATUS(phalanx_ligerito_value_of_planes(&value, at, 5, basis, 8, planes), PHALANX_ERROR_LIGERITO_BASIS_LENGTH);
    CHECK_STATUS(phalanx_ligerito_value_of_planes(&value, at, 5, basis, 1, NULL), PHALANX_ERROR_NULL_POINTER);

    for (i = 0; i < 2; i++) {
        opened[i] = provers[i];
        points[i].commitment = 1 - i;
        points[i].point = point;
    }
    CHECK_OK(phalanx_ligerito_open_together(opened, 2, values, proof, 2 * capacity, &len, points, 2, NULL, 0, 1));
    CHECK_OK(phalanx_ligerito_open(provers[0], &value, alone, capacity, &len_alone, &point, 1, NULL, 0, 1));
    for (i = 0; i < 2; i++) {
        CHECK(values[i].low == value.low && values[i].high == value.high);
        claims[i].commitment = points[i].commitment;
        claims[i].claim.point = point;
        claims[i].claim.value = values[i];
    }
    CHECK_OK(phalanx_ligerito_verify_together(&accepted, NULL, commitments, 2, claims, 2, proof, len, NULL, 0));
    CHECK_STATUS(phalanx_ligerito_verify_together(&accepted, NULL, commitments, 1, claims, 2, proof, len, NULL, 0), PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX);
    opened[1] = NULL;
    CHECK_STATUS(phalanx_ligerito_open_together(opened, 2, values, proof, 2 * capacity, &len, points, 2, NULL, 0, 1), PHALANX_ERROR_NULL_POINTER);
    phalanx_ligerito_prover_free(provers[0]);
    phalanx_ligerito_prover_free(provers[1]);
    free(proof);
    free(alone);
    free(words);
}

#endif
