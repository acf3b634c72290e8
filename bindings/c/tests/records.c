/* Families of errors, pools of threads, packed records, key files of any format. */
#include "check.h"

enum { SSZ = PHALANX_XMSS_FORMAT_SSZ, L8 = PHALANX_XMSS_POSEIDON2_L8_D64B8 };

static const uint8_t SEED[32] = {7, 7, 7};

static void families(void) {
    static const struct {
        phalanx_status status;
        phalanx_family family;
    } SOME[] = {
        {PHALANX_OK, PHALANX_FAMILY_OK},
        {PHALANX_ERROR_INVALID_SIGNATURE, PHALANX_FAMILY_DOES_NOT_VERIFY},
        {PHALANX_ERROR_LIGERITO_FINAL_SUM, PHALANX_FAMILY_DOES_NOT_VERIFY},
        {PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF, PHALANX_FAMILY_DOES_NOT_VERIFY},
        {PHALANX_ERROR_LIGERITO_TOGETHER, PHALANX_FAMILY_CALLER},
        {PHALANX_ERROR_LIGERITO_BASIS_LENGTH, PHALANX_FAMILY_CALLER},
        {PHALANX_ERROR_RESCUE_WRONG_ROOT, PHALANX_FAMILY_DOES_NOT_VERIFY},
        {PHALANX_ERROR_MALFORMED, PHALANX_FAMILY_MALFORMED},
        {PHALANX_ERROR_ED25519_KEY_FORMAT, PHALANX_FAMILY_MALFORMED},
        {PHALANX_ERROR_XMSS_EPOCH_USED, PHALANX_FAMILY_REFUSED},
        {PHALANX_ERROR_LEDGER_EPOCH_USED, PHALANX_FAMILY_REFUSED},
        {PHALANX_ERROR_NULL_POINTER, PHALANX_FAMILY_CALLER},
        {PHALANX_ERROR_RANDOMNESS, PHALANX_FAMILY_SYSTEM},
    };
    size_t i;
    for (i = 0; i < sizeof SOME / sizeof *SOME; i++) CHECK(phalanx_status_family(SOME[i].status) == (uint32_t)SOME[i].family);
    CHECK(phalanx_status_family(199) == PHALANX_FAMILY_SYSTEM);
}

static void pools(void) {
    static const uint32_t COUNTS[] = {1, 2, 3};
    phalanx_pool *pool = NULL;
    size_t i;
    CHECK_STATUS(phalanx_pool_new(NULL, 2), PHALANX_ERROR_NULL_POINTER);
    CHECK(phalanx_pool_threads(NULL) == 1);
    phalanx_pool_free(NULL);
    CHECK_OK(phalanx_pool_new(&pool, 0));
    CHECK(phalanx_pool_threads(pool) >= 1);
    phalanx_pool_free(pool);
    for (i = 0; i < 3; i++) {
        uint64_t words[24], same[24], digests[8], again[8], root[4];
        phalanx_words inputs[2];
        phalanx_bytes bytes[2];
        phalanx_rescue_tree *tree = NULL;
        uint32_t function = PHALANX_RESCUE_FUNCTION_RP64_256;
        size_t j;
        CHECK_OK(phalanx_pool_new(&pool, COUNTS[i]));
        CHECK(phalanx_pool_threads(pool) == COUNTS[i]);
        for (j = 0; j < 24; j++) words[j] = same[j] = j;
        CHECK_OK(phalanx_rescue_permute(function, words, 24, 1));
        CHECK_OK(phalanx_rescue_permute_on(pool, function, same, 24));
        CHECK(memcmp(words, same, sizeof words) == 0);
        CHECK_STATUS(phalanx_rescue_permute_on(pool, function, same, 23), PHALANX_ERROR_RESCUE_PARTIAL_STATE);
        inputs[0].data = words, inputs[0].len = 5, inputs[1].data = words + 5, inputs[1].len = 9;
        CHECK_OK(phalanx_rescue_hash_elements_many(function, digests, inputs, 2, 0));
        CHECK_OK(phalanx_rescue_hash_elements_many_on(pool, function, again, inputs, 2));
        CHECK(memcmp(digests, again, sizeof digests) == 0);
        bytes[0].data = (const uint8_t *)"abc", bytes[0].len = 3, bytes[1].data = (const uint8_t *)"", bytes[1].len = 0;
        CHECK_OK(phalanx_rescue_hash_many(function, digests, bytes, 2, 2));
        CHECK_OK(phalanx_rescue_hash_many_on(NULL, function, again, bytes, 2));
        CHECK(memcmp(digests, again, sizeof digests) == 0);
        CHECK_OK(phalanx_rescue_hash_padded_many(function, digests, bytes, 2, 1));
        CHECK_OK(phalanx_rescue_hash_padded_many_on(pool, function, again, bytes, 2));
        CHECK(memcmp(digests, again, sizeof digests) == 0);
        CHECK_OK(phalanx_rescue_merge_pairs(function, digests, words, 2, 1));
        CHECK_OK(phalanx_rescue_merge_pairs_on(pool, function, again, words, 2));
        CHECK(memcmp(digests, again, sizeof digests) == 0);
        CHECK_OK(phalanx_rescue_merge_with_ints(function, digests, words, words + 4, 2, 1));
        CHECK_OK(phalanx_rescue_merge_with_ints_on(pool, function, again, words, words + 4, 2));
        CHECK(memcmp(digests, again, sizeof digests) == 0);
        CHECK_OK(phalanx_rescue_merkle_root(function, digests, words, 4, 1));
        CHECK_OK(phalanx_rescue_merkle_root_on(pool, function, again, words, 4));
        CHECK_OK(phalanx_rescue_tree_new_on(pool, &tree, function, words, 4));
        CHECK_OK(phalanx_rescue_tree_root(tree, root));
        CHECK(memcmp(digests, again, 32) == 0 && memcmp(digests, root, 32) == 0);
        phalanx_rescue_tree_free(tree);
        CHECK_STATUS(phalanx_rescue_tree_new_on(pool, &tree, function, words, 3), PHALANX_ERROR_RESCUE_LEAF_COUNT);
        CHECK(tree == NULL);
        phalanx_pool_free(pool);
    }
}

/* Rows of key, message and signature, with bytes between them that nobody may read as such. */
static void ed25519_records(void) {
    enum { COUNT = 9, MESSAGE_BYTES = 20, ROW = 32 + 3 + MESSAGE_BYTES + 64 + 5 };
    uint8_t *rows = (uint8_t *)get_memory(COUNT * ROW), seed[32] = {0};
    phalanx_status results[COUNT];
    phalanx_ed25519_signing_key *key = NULL;
    phalanx_ed25519_records records = {0};
    phalanx_pool *pool = NULL;
    size_t i;
    for (i = 0; i < COUNT; i++) {
        uint8_t *row = rows + i * ROW;
        memset(row, (int)i, ROW);
        seed[0] = (uint8_t)(i % 2);
        CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, seed));
        CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, row));
        CHECK_OK(phalanx_ed25519_sign(key, row + 35 + MESSAGE_BYTES, row + 35, MESSAGE_BYTES));
        phalanx_ed25519_signing_key_free(key);
    }
    records.verifying_keys = rows;
    records.messages = rows + 35;
    records.message_len = MESSAGE_BYTES;
    records.signatures = rows + 35 + MESSAGE_BYTES;
    records.verifying_key_stride = records.message_stride = records.signature_stride = ROW;
    CHECK_OK(phalanx_ed25519_verify_records(results, PHALANX_ED25519_PROFILE_STRICT, &records, COUNT, 1));
    CHECK_OK(phalanx_pool_new(&pool, 2));
    rows[4 * ROW + 35] ^= 1;
    CHECK_STATUS(phalanx_ed25519_verify_records_on(pool, results, PHALANX_ED25519_PROFILE_STRICT, &records, COUNT),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    for (i = 0; i < COUNT; i++) CHECK_STATUS(results[i], i == 4 ? PHALANX_ERROR_INVALID_SIGNATURE : PHALANX_OK);
    rows[4 * ROW + 35] ^= 1;
    /* One key for all: every second row is signed by it. */
    records.verifying_key_stride = 0;
    CHECK_STATUS(phalanx_ed25519_verify_records(results, PHALANX_ED25519_PROFILE_ZIP215, &records, COUNT, 2),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    for (i = 0; i < COUNT; i++) CHECK_STATUS(results[i], i % 2 ? PHALANX_ERROR_INVALID_SIGNATURE : PHALANX_OK);
    CHECK_OK(phalanx_ed25519_verify_records(results, PHALANX_ED25519_PROFILE_STRICT, &records, 0, 1));
    CHECK_STATUS(phalanx_ed25519_verify_records(results, 99, &records, COUNT, 1), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ed25519_verify_records(results, 0, NULL, COUNT, 1), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_verify_records(NULL, 0, &records, COUNT, 1), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_verify_records(results, 0, &records, SIZE_MAX, 1), PHALANX_ERROR_INVALID_ARGUMENT);
    records.messages = NULL;
    CHECK_STATUS(phalanx_ed25519_verify_records(results, 0, &records, COUNT, 1), PHALANX_ERROR_NULL_POINTER);
    records.message_len = 0;
    CHECK_STATUS(phalanx_ed25519_verify_records(results, 0, &records, COUNT, 1), PHALANX_ERROR_INVALID_SIGNATURE);
    phalanx_pool_free(pool);
    free(rows);
}

/* The same for XMSS: an epoch, at an odd address, before each message and signature. */
static void xmss_records(void) {
    enum { COUNT = 5 };
    uint8_t key_bytes[PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX];
    phalanx_xmss_signing_key *key = NULL;
    phalanx_status results[COUNT];
    phalanx_xmss_records records = {0};
    phalanx_pool *pool = NULL;
    size_t key_len, len, i, signature_len = phalanx_xmss_signature_size(L8, SSZ), row = 1 + 4 + 32 + signature_len;
    uint8_t *rows = (uint8_t *)get_memory(COUNT * row);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, L8, SEED, 0, 256, 0, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, key_bytes, sizeof key_bytes, &key_len, SSZ));
    for (i = 0; i < COUNT; i++) {
        uint8_t *at = rows + i * row;
        memset(at, (int)i, row);
        at[1] = (uint8_t)(7 * i), at[2] = at[3] = at[4] = 0;
        CHECK_OK(phalanx_xmss_sign(key, at + 37, signature_len, &len, SSZ, (uint32_t)(7 * i), at + 5));
        CHECK(len == signature_len);
    }
    phalanx_xmss_signing_key_free(key);
    records.set = L8;
    records.format = SSZ;
    records.verifying_keys = key_bytes;
    records.verifying_key_len = key_len;
    records.epochs = rows + 1;
    records.messages = rows + 5;
    records.signatures = rows + 37;
    records.signature_len = signature_len;
    records.epoch_stride = records.message_stride = records.signature_stride = row;
    CHECK_OK(phalanx_xmss_verify_records(results, &records, COUNT, 1));
    rows[2 * row + 1] ^= 1;
    CHECK_OK(phalanx_pool_new(&pool, 2));
    CHECK_STATUS(phalanx_xmss_verify_records_on(pool, results, &records, COUNT), PHALANX_ERROR_INVALID_SIGNATURE);
    for (i = 0; i < COUNT; i++) CHECK_STATUS(results[i], i == 2 ? PHALANX_ERROR_INVALID_SIGNATURE : PHALANX_OK);
    records.verifying_key_len--;
    CHECK_STATUS(phalanx_xmss_verify_records(results, &records, COUNT, 1), PHALANX_ERROR_INVALID_SIGNATURE);
    for (i = 0; i < COUNT; i++) CHECK_STATUS(results[i], PHALANX_ERROR_MALFORMED);
    CHECK_STATUS(phalanx_xmss_verify_records(results, NULL, COUNT, 1), PHALANX_ERROR_NULL_POINTER);
    records.set = 0;
    CHECK_STATUS(phalanx_xmss_verify_records(results, &records, COUNT, 1), PHALANX_ERROR_INVALID_ARGUMENT);
    phalanx_pool_free(pool);
    free(rows);
}

/* A key file of any format is read without naming the format. */
static void ed25519_any_format(void) {
    static const uint32_t SECRET[] = {
        PHALANX_ED25519_KEY_FORMAT_RAW,       PHALANX_ED25519_KEY_FORMAT_KEYPAIR,   PHALANX_ED25519_KEY_FORMAT_HEX,
        PHALANX_ED25519_KEY_FORMAT_PKCS8_DER, PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM, PHALANX_ED25519_KEY_FORMAT_OPENSSH,
        PHALANX_ED25519_KEY_FORMAT_JWK,
    };
    static const uint32_t PUBLIC[] = {
        PHALANX_ED25519_KEY_FORMAT_RAW,      PHALANX_ED25519_KEY_FORMAT_HEX,     PHALANX_ED25519_KEY_FORMAT_SPKI_DER,
        PHALANX_ED25519_KEY_FORMAT_SPKI_PEM, PHALANX_ED25519_KEY_FORMAT_OPENSSH,
    };
    const uint32_t any = PHALANX_ED25519_KEY_FORMAT_ANY;
    phalanx_ed25519_signing_key *key = NULL, *other = NULL;
    uint8_t file[2048], public_key[32], read[32];
    size_t i, len;
    CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, SEED));
    CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, public_key));
    for (i = 0; i < sizeof SECRET / sizeof *SECRET; i++) {
        CHECK_OK(phalanx_ed25519_signing_key_to_bytes(key, file, sizeof file, &len, SECRET[i]));
        CHECK_OK(phalanx_ed25519_signing_key_from_bytes(&other, any, file, len));
        CHECK_OK(phalanx_ed25519_signing_key_verifying_key(other, read));
        CHECK(memcmp(read, public_key, 32) == 0);
        phalanx_ed25519_signing_key_free(other);
    }
    for (i = 0; i < sizeof PUBLIC / sizeof *PUBLIC; i++) {
        CHECK_OK(phalanx_ed25519_verifying_key_to_bytes(file, sizeof file, &len, PUBLIC[i], public_key));
        CHECK_OK(phalanx_ed25519_verifying_key_from_bytes(read, any, file, len));
        CHECK(memcmp(read, public_key, 32) == 0);
    }
    CHECK_OK(phalanx_ed25519_verifying_key_to_bytes(file, sizeof file, &len, PHALANX_ED25519_KEY_FORMAT_SPKI_PEM, public_key));
    CHECK_STATUS(phalanx_ed25519_signing_key_from_bytes(&other, any, file, len), PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_signing_key_from_bytes(&other, any, file, 5), PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_signing_key_to_bytes(key, file, sizeof file, &len, any), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ed25519_verifying_key_to_bytes(file, sizeof file, &len, any, public_key), PHALANX_ERROR_INVALID_ARGUMENT);
    phalanx_ed25519_signing_key_free(key);
}

/* Made by ssh-keygen and openssl with the cheapest derivations and the password "correct horse", and by minisign without one;
 * then their public keys. */
static const char *const KEY_FILES[][2] = {
    {
        "-----BEGIN OPENSSH PRIVATE KEY-----\n"
        "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABAcV0f8mJ\n"
        "AHEW6GThNX6liUAAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIFV9lZaH7Yp3wXJi\n"
        "vn4uuV/AmGYvPKkiNVbnglRTYtP0AAAAkGp+F0buO/xGFmtUXQI05sADPSj66+4z8dLCe3\n"
        "6pIpV7S1RaKidaxE+NmV3rpfg+NgWwzeOsLxD2CyLKH1ftGDd8O8WMUo4x3IROeIIFrAUl\n"
        "85Oilk3M/TC0gLoEPF13NUggy61Mcy7uSnp0mDMjgynjTkjwrC0WQV6juWfblRKnv0rvSX\n"
        "Ip8C8BRKeCmQdkQA==\n"
        "-----END OPENSSH PRIVATE KEY-----\n",
        "557d959687ed8a77c17262be7e2eb95fc098662f3ca9223556e782545362d3f4",
    },
    {
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
        "MIGaMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAj2ez2b51MBUwIBATAM\n"
        "BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQa85pe+/e6Q/7L02VxLVPpgRAcpkG\n"
        "dHKUoxHd4BZwiYzCvaupCIDRUSCxH8MjY+VbEn9Em40BWO/0SjTkUB4WMnnEtxxt\n"
        "Zw06Kq8RgYWeLgE6lA==\n"
        "-----END ENCRYPTED PRIVATE KEY-----\n",
        "ab80458ee2e650f74a021e817e4ae074a1723078b46f48de43d99f4500d64680",
    },
    {
        "untrusted comment: minisign encrypted secret key\n"
        "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlq5fUPNIG4wW0rqofYKSmTk+kiR5gweSI0KIFBr+Un7aAhhVDWxMJhZZcPIWJ0FFoQwY4hpFP2+i/j/VRK1mztG8mxrb2WAPAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "165970f216274145a10c18e21a453f6fa2fe3fd544ad66ced1bc9b1adbd9600f",
    },
};

/* One reader for key files, encrypted or not. */
static void ed25519_open(void) {
    static const uint8_t PASSWORD[] = "correct horse", WRONG[] = "correct horsf";
    phalanx_ed25519_signing_key *key = NULL;
    uint8_t public_key[32], file[128];
    char digits[65];
    size_t i, j, len;
    for (i = 0; i < 3; i++) {
        const uint8_t *bytes = (const uint8_t *)KEY_FILES[i][0];
        const bool is_open = i == 2;
        len = strlen(KEY_FILES[i][0]);
        CHECK_STATUS(phalanx_ed25519_signing_key_open(&key, bytes, len, NULL, 0),
                     is_open ? PHALANX_OK : PHALANX_ERROR_ED25519_ENCRYPTED_KEY);
        if (is_open) phalanx_ed25519_signing_key_free(key);
#ifndef PHALANX_HAS_CUSTODY
        if (!is_open) continue;
#endif
        if (!is_open)
            CHECK_STATUS(phalanx_ed25519_signing_key_open(&key, bytes, len, WRONG, 13), PHALANX_ERROR_ED25519_WRONG_PASSWORD);
        CHECK_OK(phalanx_ed25519_signing_key_open(&key, bytes, len, PASSWORD, 13));
        CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, public_key));
        phalanx_ed25519_signing_key_free(key);
        for (j = 0; j < 32; j++) snprintf(digits + 2 * j, 3, "%02x", public_key[j]);
        CHECK(strcmp(digits, KEY_FILES[i][1]) == 0);
        CHECK(phalanx_ed25519_signing_key_open(&key, bytes, len / 2, PASSWORD, 13) != PHALANX_OK && key == NULL);
    }
    /* What has no password does not look at one. */
    CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, SEED));
    CHECK_OK(phalanx_ed25519_signing_key_to_bytes(key, file, sizeof file, &len, PHALANX_ED25519_KEY_FORMAT_HEX));
    phalanx_ed25519_signing_key_free(key);
    CHECK_OK(phalanx_ed25519_signing_key_open(&key, file, len, PASSWORD, 13));
    phalanx_ed25519_signing_key_free(key);
    CHECK_STATUS(phalanx_ed25519_signing_key_open(&key, PASSWORD, 13, NULL, 0), PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_signing_key_open(&key, NULL, 1, NULL, 0), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_signing_key_open(NULL, PASSWORD, 13, NULL, 0), PHALANX_ERROR_NULL_POINTER);
}

int main(void) {
    families();
    pools();
    ed25519_records();
    xmss_records();
    ed25519_any_format();
    ed25519_open();
    return finish("pools and records", 150);
}
