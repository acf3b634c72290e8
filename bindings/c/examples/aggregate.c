/* Four keys sign one message; one proof says that they did. A statement about another message is refused.
 * cc aggregate.c $(pkg-config --cflags --libs phalanx) && ./a.out */
#include <phalanx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNERS = 4, SET = PHALANX_XMSS_BLAKE2S_L32_D42B8, SSZ = PHALANX_XMSS_FORMAT_SSZ, EPOCH = 7 };
enum { PROFILE = PHALANX_AGGREGATE_PROFILE_PROVABLE128, KEY_BYTES = PHALANX_AGGREGATE_KEY_BYTES };

/* Ends the program unless a call answered what it should. */
static void expect(phalanx_status status, phalanx_status wanted) {
    if (status != wanted) {
        fprintf(stderr, "unexpected: %s\n", phalanx_status_string(status));
        exit(1);
    }
}

int main(void) {
    static uint8_t signatures[SIGNERS][PHALANX_XMSS_SIGNATURE_BYTES_MAX];
    uint8_t keys[SIGNERS][KEY_BYTES], message[PHALANX_XMSS_MESSAGE_BYTES] = {1};
    phalanx_bytes in_order[SIGNERS];
    size_t len;
    for (int i = 0; i < SIGNERS; i++) {
        phalanx_xmss_signing_key *key;
        expect(phalanx_xmss_signing_key_generate(&key, SET, EPOCH, 1, 1, NULL, NULL), PHALANX_OK);
        expect(phalanx_xmss_signing_key_verifying_key(key, keys[i], KEY_BYTES, &len, SSZ), PHALANX_OK);
        expect(phalanx_xmss_sign(key, signatures[i], sizeof signatures[i], &len, SSZ, EPOCH, message), PHALANX_OK);
        phalanx_xmss_signing_key_free(key);
    }
    /* The statement sorts its keys; signatures are given in its order. */
    phalanx_aggregate_group group = {EPOCH, message, keys[0], SIGNERS}, sorted;
    phalanx_aggregate_statement *statement;
    expect(phalanx_aggregate_statement_new(&statement, &group, 1), PHALANX_OK);
    expect(phalanx_aggregate_statement_group(statement, &sorted, 0), PHALANX_OK);
    for (int place = 0; place < SIGNERS; place++)
        for (int i = 0; i < SIGNERS; i++)
            if (memcmp(sorted.keys + place * KEY_BYTES, keys[i], KEY_BYTES) == 0)
                in_order[place] = (phalanx_bytes){signatures[i], len};

    const size_t capacity = phalanx_aggregate_size(PROFILE, SIGNERS);
    uint8_t *proof = malloc(capacity);
    expect(phalanx_aggregate(statement, proof, capacity, &len, NULL, PROFILE, in_order, SIGNERS, NULL, 0,
                             PHALANX_AGGREGATE_MEMORY_DEFAULT, 1), PHALANX_OK);
    /* The verifier says which profiles it takes, and about how many signatures. */
    const phalanx_aggregate_limits limits = {false, true, SIGNERS};
    expect(phalanx_aggregate_verify(&limits, NULL, statement, NULL, 0, proof, len), PHALANX_OK);
    printf("%d signatures verify by one proof of %zu bytes\n", SIGNERS, len);
    phalanx_aggregate_statement_free(statement);

    message[0] = 2;
    expect(phalanx_aggregate_statement_new(&statement, &group, 1), PHALANX_OK);
    phalanx_status other = phalanx_aggregate_verify(&limits, NULL, statement, NULL, 0, proof, len);
    printf("of another message: %s\n", phalanx_status_string(other));
    phalanx_aggregate_statement_free(statement);
    free(proof);
    return phalanx_status_family(other) != PHALANX_FAMILY_DOES_NOT_VERIFY;
}
