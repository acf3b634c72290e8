/* Keystores: read from bytes and files, written, refused.
 * keystores FOLDER VECTORS [short]: works in a new folder below FOLDER; VECTORS is vectors/custody/keystore. `short` leaves
 * out what takes 256 MiB: for valgrind. */
#define _XOPEN_SOURCE 700
#include "custody.h"

enum { WEAK = PHALANX_KEYSTORE_FLAGS_ACCEPT_WEAK_KDF };

static const char PASSWORD[] = "correct horse battery staple";

static phalanx_status read_keystore(phalanx_xmss_signing_key **key, phalanx_keystore_info *info, const char *file,
                                    const char *password, uint32_t flags) {
    blob bytes = read_file(file);
    phalanx_status status =
        phalanx_keystore_read(key, info, bytes.data, bytes.len, (const uint8_t *)password, strlen(password), flags);
    free(bytes.data);
    return status;
}

/* Keys of Ed25519, which need no ledger. */
static void of_ed25519(const char *vectors) {
    static const char *const FILES[] = {"ok-ed25519", "ok-ed25519-sealed"};
    const uint8_t *password = (const uint8_t *)PASSWORD;
    const size_t password_len = strlen(PASSWORD);
    phalanx_ed25519_signing_key *key;
    phalanx_keystore_info info;
    uint8_t public_key[32];
    char file[1024];
    blob bytes;
    size_t i;
    for (i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/%s.json", vectors, FILES[i]);
        bytes = read_file(file);
        key = (phalanx_ed25519_signing_key *)&key;
        CHECK_STATUS(phalanx_keystore_read_ed25519(&key, &info, bytes.data, bytes.len, password, password_len, 0),
                     PHALANX_ERROR_KEYSTORE_WEAK_KDF);
        CHECK(key == NULL);
        CHECK_STATUS(phalanx_keystore_read_ed25519(&key, NULL, bytes.data, bytes.len, password, 3, WEAK),
                     PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD);
        CHECK_OK(phalanx_keystore_read_ed25519(&key, NULL, bytes.data, bytes.len, password, password_len, WEAK));
        CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, public_key));
        CHECK(memcmp(public_key, info.public_key, 32) == 0 && info.role == PHALANX_KEY_ROLE_CONSENSUS);
        phalanx_ed25519_signing_key_free(key);
        /* The reader of all key files knows them, and accepts nothing weak. */
        CHECK_STATUS(phalanx_ed25519_signing_key_open(&key, bytes.data, bytes.len, NULL, 0),
                     PHALANX_ERROR_ED25519_ENCRYPTED_KEY);
        CHECK_STATUS(phalanx_ed25519_signing_key_open(&key, bytes.data, bytes.len, password, password_len),
                     PHALANX_ERROR_KEYSTORE_WEAK_KDF);
        CHECK(key == NULL);
        free(bytes.data);
    }
    snprintf(file, sizeof file, "%s/ok-pbkdf2-p2-l8.json", vectors);
    bytes = read_file(file);
    CHECK_STATUS(phalanx_keystore_read_ed25519(&key, NULL, bytes.data, bytes.len, password, password_len, WEAK),
                 PHALANX_ERROR_KEYSTORE_SCHEME);
    CHECK_STATUS(phalanx_keystore_read_ed25519(&key, NULL, bytes.data, bytes.len, password, password_len,
                                               PHALANX_KEYSTORE_FLAGS_CACHE_TREES),
                 PHALANX_ERROR_INVALID_ARGUMENT);
    free(bytes.data);
}

static void keystores(const char *vectors) {
    static const struct {
        const char *file;
        phalanx_status status;
    } CASES[] = {{"json-cut", PHALANX_ERROR_KEYSTORE_MALFORMED},       {"json-too-large", PHALANX_ERROR_KEYSTORE_MALFORMED},
                 {"version-6", PHALANX_ERROR_KEYSTORE_UNSUPPORTED},    {"kdf-bcrypt", PHALANX_ERROR_KEYSTORE_UNSUPPORTED},
                 {"hash-unknown", PHALANX_ERROR_KEYSTORE_SCHEME},      {"lifetime-differs", PHALANX_ERROR_KEYSTORE_SCHEME},
                 {"secret-16-bytes", PHALANX_ERROR_KEYSTORE_SCHEME},   {"kdf-scrypt-4GiB", PHALANX_ERROR_KEYSTORE_KDF_BOUNDS},
                 {"password-wrong", PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD}, {"tamper-tag", PHALANX_ERROR_KEYSTORE_DAMAGED},
                 {"tamper-role", PHALANX_ERROR_KEYSTORE_HEADER_CHANGED},
                 {"seed-of-other-key-bound", PHALANX_ERROR_KEYSTORE_KEY_MISMATCH}};
    phalanx_keystore_info info;
    phalanx_xmss_signing_key *key = (phalanx_xmss_signing_key *)&key;
    char file[1024];
    uint8_t id[32];
    size_t i;
    for (i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const char *password = CASES[i].status == PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD ? "not it" : PASSWORD;
        snprintf(file, sizeof file, "%s/%s.json", vectors, CASES[i].file);
        CHECK_STATUS(read_keystore(NULL, &info, file, password, WEAK), CASES[i].status);
    }
    snprintf(file, sizeof file, "%s/recovery-only.json", vectors);
    CHECK_OK(read_keystore(NULL, &info, file, PASSWORD, WEAK));
    CHECK(info.is_recovery_only && info.set == L32 && info.active_epochs == 131072);
    CHECK_STATUS(read_keystore(&key, NULL, file, PASSWORD, WEAK), PHALANX_ERROR_KEYSTORE_SCHEME);
    CHECK(key == NULL);
    snprintf(file, sizeof file, "%s/ok-ed25519.json", vectors);
    CHECK_STATUS(read_keystore(&key, &info, file, PASSWORD, WEAK), PHALANX_ERROR_KEYSTORE_SCHEME);
    CHECK(info.set == 0 && info.public_key_len == 32);
    of_ed25519(vectors);

    snprintf(file, sizeof file, "%s/ok-pbkdf2-p2-l8.json", vectors);
    CHECK_STATUS(read_keystore(&key, &info, file, PASSWORD, 0), PHALANX_ERROR_KEYSTORE_WEAK_KDF);
    CHECK(key == NULL && info.has_weak_kdf);
    CHECK_STATUS(read_keystore(&key, NULL, file, PASSWORD, WEAK | PHALANX_KEYSTORE_FLAGS_CACHE_TREES),
                 PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(read_keystore(&key, NULL, file, "\xff", WEAK), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(read_keystore(&key, NULL, file, "wrong", WEAK), PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD);
    CHECK_OK(read_keystore(&key, &info, file, PASSWORD, WEAK));
    CHECK(info.set == L8 && info.start_epoch == 0 && info.active_epochs == 256 && info.is_bound);
    CHECK_OK(phalanx_xmss_signing_key_id(key, id));
    CHECK(memcmp(id, info.key_id, 32) == 0);
    phalanx_xmss_signing_key_free(key);
    CHECK_STATUS(phalanx_keystore_read(&key, NULL, NULL, 5, NULL, 0, 0), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_keystore_load(&key, NULL, at("keys/none.json"), NULL, 0, 0, 1), PHALANX_ERROR_KEYSTORE_FILE);
}

static phalanx_status write_keystore(const char *name, phalanx_xmss_signing_key *key, const uint8_t *seed,
                                     const char *password) {
    return phalanx_keystore_write(at(name), key, seed, ATTESTER, (const uint8_t *)password, strlen(password), "a test", 0);
}

/* At full strength: with what a program does in its first and in its second life. */
static void keystores_written(void) {
    phalanx_ledger *ledger = new_ledger("written", "");
    phalanx_xmss_signing_key *key = new_key(70, 256), *back = NULL;
    phalanx_guarded_key *guarded;
    phalanx_keystore_info info;
    const uint8_t *password = (const uint8_t *)"a password\n";
    uint8_t seed[32], other[32] = {0};
    memset(seed, 70, sizeof seed);
    CHECK_OK(phalanx_ledger_register(ledger, key, ATTESTER, 0));
    CHECK_STATUS(write_keystore("keys/key.json", key, other, "a password"), PHALANX_ERROR_KEYSTORE_KEY_MISMATCH);
    CHECK_STATUS(write_keystore("keys/key.json", key, seed, "\n"), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_OK(write_keystore("keys/key.json", key, seed, "a password"));
    CHECK_STATUS(write_keystore("keys/key.json", key, seed, "a password"), PHALANX_ERROR_KEYSTORE_FILE);
    CHECK_OK(write_keystore("keys/expanded.json", key, NULL, "a password"));
    phalanx_xmss_signing_key_free(key);

    CHECK_STATUS(phalanx_keystore_load(&back, NULL, at("keys/key.json"), (const uint8_t *)"x", 1, 0, 1),
                 PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD);
    CHECK_OK(phalanx_keystore_load(&back, &info, at("keys/expanded.json"), password, 11, 0, 2));
    phalanx_xmss_signing_key_free(back);
    CHECK_OK(phalanx_keystore_load(&back, &info, at("keys/key.json"), password, 11, PHALANX_KEYSTORE_FLAGS_CACHE_TREES, 2));
    CHECK(info.is_bound && !info.has_weak_kdf && info.role == ATTESTER && access(at("keys/key.json.trees"), F_OK) == 0);
    guarded = guard(ledger, back);
    CHECK_OK(sign(guarded, 3, 1, false));
    phalanx_guarded_key_free(guarded);
    phalanx_ledger_free(ledger);
    CHECK(chmod(at("keys/key.json"), 0640) == 0);
    CHECK_STATUS(phalanx_keystore_load(&back, NULL, at("keys/key.json"), password, 11, 0, 1), PHALANX_ERROR_KEYSTORE_FILE);
    CHECK(back == NULL);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "keystores FOLDER VECTORS [short]\n");
        return 2;
    }
    begin(argv[1]);
    keystores(argv[2]);
    if (argc == 3) {
        keystores_written();
    }
    return end("keystores", argc == 3 ? 50 : 30);
}
