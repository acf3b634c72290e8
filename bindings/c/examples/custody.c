/* A key that never signs an epoch twice: made, registered, kept in a file, signing through its ledger, refused.
 * custody FOLDER: keeps its files in FOLDER/signer, which must not exist. */
#include <phalanx.h>
#include <stdio.h>
#include <string.h>

/* Ends the program with the sentence of a status that was not expected. */
#define EXPECT(call, wanted)                                                                       \
    do {                                                                                           \
        phalanx_status status = (call);                                                            \
        printf("%-40.*s %s\n", (int)strcspn(#call, "("), #call, phalanx_status_string(status));     \
        if (status != (wanted))                                                                    \
            return 1;                                                                              \
    } while (0)

/* Once in the life of the key, best by a tool of its own: what stands here twice would begin anew after a loss. */
static int make(const char *ledger_path, const char *key_path, const char *config, const char *password) {
    uint8_t seed[32] = {7}; /* real seeds are random, and wiped: phalanx_wipe */
    phalanx_ledger *ledger;
    phalanx_xmss_signing_key *key;
    EXPECT(phalanx_ledger_create(ledger_path, config), PHALANX_OK);
    EXPECT(phalanx_ledger_open(&ledger, ledger_path, config), PHALANX_OK);
    EXPECT(phalanx_xmss_signing_key_from_seed(&key, PHALANX_XMSS_POSEIDON2_L8_D64B8, seed, 0, 256, 1, NULL, NULL),
           PHALANX_OK);
    /* Registered first, written then: a crash between leaves a key without a file, never one without state. */
    EXPECT(phalanx_ledger_register(ledger, key, PHALANX_KEY_ROLE_ATTESTER, 0), PHALANX_OK);
    EXPECT(phalanx_keystore_write(key_path, key, seed, PHALANX_KEY_ROLE_ATTESTER, (const uint8_t *)password,
                                  strlen(password), "an example", 0),
           PHALANX_OK);
    phalanx_xmss_signing_key_free(key);
    phalanx_ledger_free(ledger);
    return 0;
}

/* At every start of the signer. */
static int run(const char *ledger_path, const char *key_path, const char *config, const char *password) {
    uint8_t block[32] = {1}, other_block[32] = {2};
    uint8_t signature[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
    size_t signature_len;
    bool repeated;
    char why[256];
    phalanx_ledger *ledger;
    phalanx_xmss_signing_key *key;
    phalanx_guarded_key *guarded;
    phalanx_status opened = phalanx_ledger_open_explained(&ledger, why, sizeof why, ledger_path, config);
    if (opened != PHALANX_OK) {
        fprintf(stderr, "the ledger does not open: %s\n", why);
        return 1;
    }
    EXPECT(phalanx_keystore_load(&key, NULL, key_path, (const uint8_t *)password, strlen(password), 0, 2), PHALANX_OK);
    EXPECT(phalanx_guarded_key_new(&guarded, ledger, key), PHALANX_OK);
    EXPECT(phalanx_guarded_key_sign(guarded, signature, sizeof signature, &signature_len, &repeated, 3, block), PHALANX_OK);
    printf("%zu bytes, repeated: %d\n", signature_len, repeated);
    EXPECT(phalanx_guarded_key_sign(guarded, signature, sizeof signature, &signature_len, &repeated, 3, block), PHALANX_OK);
    printf("%zu bytes, repeated: %d\n", signature_len, repeated);
    EXPECT(phalanx_guarded_key_sign(guarded, signature, sizeof signature, &signature_len, &repeated, 3, other_block),
           PHALANX_ERROR_LEDGER_EPOCH_USED);
    phalanx_guarded_key_free(guarded);
    phalanx_ledger_free(ledger);
    return 0;
}

int main(int argc, char **argv) {
    char ledger[512], key[512], config[640];
    if (argc != 2)
        return 2;
    snprintf(ledger, sizeof ledger, "%s/signer/ledger", argv[1]);
    snprintf(key, sizeof key, "%s/signer/keys/attester.json", argv[1]);
    /* The side log: best on another disk. Containers have their files on an overlay, which is allowed by name only. */
    snprintf(config, sizeof config, "witness = \"%s/signer/witness\"\nallow_file_systems = [\"overlay\"]", argv[1]);
    if (make(ledger, key, config, "a password from a file or a prompt"))
        return 1;
    return run(ledger, key, config, "a password from a file or a prompt");
}
