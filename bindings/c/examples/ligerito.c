/* Commit to a polynomial, open it at a point, verify; another value has no proof.
 * cc ligerito.c $(pkg-config --cflags --libs phalanx) && ./a.out */
#include <phalanx.h>
#include <stdio.h>
#include <stdlib.h>

enum { VARIABLES = 12, PROFILE = PHALANX_LIGERITO_PROFILE_BALANCED };

int main(void) {
    static const uint8_t context[] = "an example";
    static uint32_t polynomial[1 << VARIABLES];
    phalanx_ligerito_element coordinates[VARIABLES], value;
    uint8_t commitment[PHALANX_LIGERITO_COMMITMENT_BYTES];
    /* Word x is the value at the bits of x. In a protocol the point comes from a transcript that has the commitment in it. */
    for (uint32_t x = 0; x < 1 << VARIABLES; x++)
        polynomial[x] = x * 0x9e3779b9 ^ x >> 7;
    for (uint32_t j = 0; j < VARIABLES; j++)
        coordinates[j] = (phalanx_ligerito_element){3 + j * j, j};
    const phalanx_ligerito_point point = {coordinates, VARIABLES};

    size_t proof_len = phalanx_ligerito_proof_size(PROFILE, VARIABLES);
    uint8_t *proof = malloc(proof_len);
    if (!proof)
        return 1;
    phalanx_ligerito_prover *prover;
    phalanx_status status = phalanx_ligerito_commit(&prover, commitment, PROFILE, polynomial, 1 << VARIABLES, 1);
    if (!status)
        status = phalanx_ligerito_open(prover, &value, proof, proof_len, &proof_len, &point, 1, context, sizeof context, 1);
    phalanx_ligerito_prover_free(prover);

    /* The verifier has the bytes, its own statement, and its own idea of which commitments it takes. */
    const phalanx_ligerito_accepted accepted = {true, false, VARIABLES, VARIABLES};
    phalanx_ligerito_claim claim = {point, value};
    if (!status)
        status = phalanx_ligerito_verify(&accepted, NULL, commitment, sizeof commitment, &claim, 1, proof, proof_len,
                                         context, sizeof context);
    printf("the value: %s, with a proof of %zu bytes\n", phalanx_status_string(status), proof_len);
    phalanx_status other = PHALANX_OK;
    claim.value.low ^= 1;
    if (!status)
        other = phalanx_ligerito_verify(&accepted, NULL, commitment, sizeof commitment, &claim, 1, proof, proof_len,
                                        context, sizeof context);
    printf("another value: %s\n", phalanx_status_string(other));
    free(proof);
    return !(status == PHALANX_OK && phalanx_status_family(other) == PHALANX_FAMILY_DOES_NOT_VERIFY);
}
