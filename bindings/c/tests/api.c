/* Every function with right and wrong arguments; every status that a caller can cause. */
#include "check.h"
#include "ligerito.h"

enum { SSZ = PHALANX_XMSS_FORMAT_SSZ, L8 = PHALANX_XMSS_POSEIDON2_L8_D64B8 };

static const uint8_t SEED[32] = {7, 7, 7};
static const uint8_t SECOND_SEED[32] = {2}, THIRD_SEED[32] = {3};
static const uint8_t MESSAGE[32] = {1, 2, 3};

static void common(void) {
    uint8_t secret[5] = {1, 2, 3, 4, 5};
    unsigned status;
    CHECK(strcmp(phalanx_version(), PHALANX_VERSION) == 0);
    CHECK(strlen(phalanx_backend()) > 3);
    CHECK_OK(phalanx_backend_available("portable"));
    CHECK_OK(phalanx_backend_available(phalanx_backend()));
    CHECK_STATUS(phalanx_backend_available("mmx"), PHALANX_ERROR_UNKNOWN_NAME);
    CHECK_STATUS(phalanx_backend_available(NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_backend_available("\xff\xfe"), PHALANX_ERROR_INVALID_ARGUMENT);
    phalanx_wipe(secret, 4);
    CHECK(memcmp(secret, "\0\0\0\0\5", 5) == 0);
    phalanx_wipe(NULL, 0);
    phalanx_wipe(NULL, 5);
    for (status = 0; status < 200; status++) {
        CHECK(phalanx_status_string(status) != NULL && strlen(phalanx_status_string(status)) > 6);
    }
    CHECK(strcmp(phalanx_status_string(0), "success") == 0);
    CHECK(strcmp(phalanx_status_string(PHALANX_ERROR_XMSS_EPOCH_USED), "epoch has already signed another message") == 0);
    CHECK(strcmp(phalanx_status_string(199), "unknown status") == 0);
    CHECK(strcmp(phalanx_status_string((uint32_t)-1), "unknown status") == 0);
}

static void xmss_names(void) {
    static const char *const FORMATS[] = {"ssz", "bincode", "bincode2", "json", "bincode-padded"};
    uint32_t number, set;
    for (set = 1; set <= 9; set++) {
        bool over_blake2s = set >= PHALANX_XMSS_BLAKE2S_L32_D42B8;
        CHECK_OK(phalanx_xmss_parameter_set_from_name(&number, phalanx_xmss_parameter_set_name(set)));
        CHECK(number == set);
        CHECK(phalanx_xmss_lifetime(set) >= 256 && over_blake2s == (phalanx_xmss_tree_epochs(set) < 16));
        CHECK(phalanx_xmss_is_insecure(set) == (set == PHALANX_XMSS_POSEIDON1_L8_D4B8_TEST));
        CHECK(phalanx_xmss_verifying_key_size(set, SSZ) <= PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX);
        CHECK(phalanx_xmss_signature_size(set, PHALANX_XMSS_FORMAT_BINCODE) <= PHALANX_XMSS_SIGNATURE_BYTES_MAX);
        CHECK(phalanx_xmss_signature_size(set, PHALANX_XMSS_FORMAT_BINCODE_PADDED) == (over_blake2s ? 0u : 3116u));
    }
    CHECK(phalanx_xmss_signature_size(PHALANX_XMSS_POSEIDON2_L32_D64B8, SSZ) == 3112);
    CHECK(phalanx_xmss_signature_size(PHALANX_XMSS_POSEIDON1_L32_D46B8, SSZ) == 2536);
    for (number = 0; number < 5; number++) {
        uint32_t format = 99;
        CHECK(strcmp(phalanx_xmss_format_name(number), FORMATS[number]) == 0);
        CHECK_OK(phalanx_xmss_format_from_name(&format, FORMATS[number]));
        CHECK(format == number);
    }
    for (set = 0; set <= 10; set += 10) {
        CHECK(phalanx_xmss_parameter_set_name(set) == NULL && phalanx_xmss_lifetime(set) == 0);
        CHECK(phalanx_xmss_tree_epochs(set) == 0 && !phalanx_xmss_is_insecure(set));
        CHECK(phalanx_xmss_verifying_key_size(set, SSZ) == 0 && phalanx_xmss_signature_size(set, SSZ) == 0);
        CHECK(phalanx_xmss_signature_size(set, PHALANX_XMSS_FORMAT_BINCODE_PADDED) == 0);
    }
    CHECK(phalanx_xmss_signature_size(1, 5) == 0 && phalanx_xmss_verifying_key_size(1, 5) == 0);
    CHECK(phalanx_xmss_format_name(5) == NULL);
    CHECK_STATUS(phalanx_xmss_parameter_set_from_name(&number, "xmss"), PHALANX_ERROR_UNKNOWN_NAME);
    CHECK_STATUS(phalanx_xmss_parameter_set_from_name(NULL, "xmss-poseidon2-l8-d64b8"), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_parameter_set_from_name(&number, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_parameter_set_from_profile(&number, "p9"), PHALANX_ERROR_UNKNOWN_NAME);
    CHECK_STATUS(phalanx_xmss_format_from_name(&number, "xml"), PHALANX_ERROR_UNKNOWN_NAME);
}

/* Stops after some calls, and notes whether the numbers make sense. */
struct watch {
    int calls_left;
    uint64_t last;
    bool sound;
};

static int32_t watch_progress(void *context, uint64_t done, uint64_t total) {
    struct watch *watch = (struct watch *)context;
    watch->sound = watch->sound && done <= total && done > watch->last && total == 256;
    watch->last = done;
    return watch->calls_left-- <= 0;
}

static void xmss_keygen(void) {
    struct watch watch = {1000, 0, true};
    phalanx_xmss_signing_key *key = NULL, *other = NULL;
    uint8_t a[52], b[52];
    uint64_t start, end;
    uint32_t set = 0;
    size_t len = 0;
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, L8, SEED, 0, 256, 1, watch_progress, &watch));
    CHECK(watch.sound && watch.last == 256);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&other, L8, SEED, 0, 256, 4, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, a, sizeof a, &len, SSZ));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(other, b, sizeof b, &len, SSZ));
    CHECK(len == 52 && memcmp(a, b, 52) == 0);
    CHECK_OK(phalanx_xmss_signing_key_parameter_set(key, &set));
    CHECK(set == L8);
    CHECK_OK(phalanx_xmss_signing_key_activation_interval(key, &start, &end));
    CHECK(start == 0 && end == 256);
    phalanx_xmss_signing_key_free(other);
    CHECK_OK(phalanx_xmss_signing_key_generate(&other, L8, 100, 40, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_activation_interval(other, &start, &end));
    CHECK(start == 96 && end == 144);
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(other, b, sizeof b, &len, SSZ));
    CHECK(memcmp(a, b, 52) != 0);
    phalanx_xmss_signing_key_free(other);
    phalanx_xmss_signing_key_free(key);
    phalanx_xmss_signing_key_free(NULL);

    watch.calls_left = 1;
    watch.last = 0;
    other = (phalanx_xmss_signing_key *)&watch;
    CHECK_STATUS(phalanx_xmss_signing_key_from_seed(&other, L8, SEED, 0, 256, 3, watch_progress, &watch),
                 PHALANX_ERROR_STOPPED);
    CHECK(other == NULL);
    CHECK_STATUS(phalanx_xmss_signing_key_generate(&other, L8, 0, 256, 1, watch_progress, &watch), PHALANX_ERROR_STOPPED);
    CHECK_STATUS(phalanx_xmss_signing_key_generate(&other, L8, 250, 7, 1, NULL, NULL), PHALANX_ERROR_XMSS_INTERVAL);
    CHECK_STATUS(phalanx_xmss_signing_key_generate(&other, L8, UINT64_MAX, 7, 1, NULL, NULL),
                 PHALANX_ERROR_XMSS_INTERVAL);
    CHECK_STATUS(phalanx_xmss_signing_key_generate(&other, 0, 0, 16, 1, NULL, NULL), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_xmss_signing_key_generate(NULL, L8, 0, 16, 1, NULL, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_signing_key_from_seed(&other, L8, NULL, 0, 16, 1, NULL, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK(other == NULL);
}

static void xmss_signing(void) {
    phalanx_xmss_signing_key *key, *second;
    phalanx_xmss_next_tree *tree, *late;
    uint8_t vk[64], signature[3116], again[3116], other_message[32] = {9};
    uint64_t start, end;
    size_t vk_len = 0, len = 0, padded_len = 0;
    uint8_t *padded = (uint8_t *)get_memory(3116);
    struct watch watch = {0, 0, true};
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, L8, SEED, 16, 128, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&second, L8, SEED, 16, 112, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, vk, sizeof vk, &vk_len, SSZ));

    /* Buffers: the length is asked for, and the same signature comes when there is room. */
    CHECK_STATUS(phalanx_xmss_sign(key, NULL, 0, &len, SSZ, 20, MESSAGE), PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(len == phalanx_xmss_signature_size(L8, SSZ));
    signature[len - 1] = 0x77;
    CHECK_STATUS(phalanx_xmss_sign(key, signature, len - 1, &len, SSZ, 20, MESSAGE), PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(signature[len - 1] == 0x77);
    CHECK_OK(phalanx_xmss_sign(key, signature, len, &len, SSZ, 20, MESSAGE));
    CHECK_OK(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, MESSAGE, signature, len));
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 21, MESSAGE, signature, len), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, other_message, signature, len),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, MESSAGE, signature, len - 1), PHALANX_ERROR_MALFORMED);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len - 1, 20, MESSAGE, signature, len), PHALANX_ERROR_MALFORMED);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, MESSAGE, NULL, 0), PHALANX_ERROR_MALFORMED);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, MESSAGE, NULL, len), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, NULL, vk_len, 20, MESSAGE, signature, len), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, NULL, signature, len), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_verify(L8, 5, vk, vk_len, 20, MESSAGE, signature, len), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_xmss_verify(99, SSZ, vk, vk_len, 20, MESSAGE, signature, len), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_xmss_verify(L8, SSZ, vk, SIZE_MAX, 20, MESSAGE, signature, len), PHALANX_ERROR_INVALID_ARGUMENT);

    /* Formats. */
    CHECK_OK(phalanx_xmss_signature_convert(padded, 3116, &padded_len, PHALANX_XMSS_FORMAT_BINCODE_PADDED, L8, SSZ,
                                            signature, len));
    CHECK(padded_len == 3116);
    CHECK_STATUS(phalanx_xmss_signature_convert(padded, 3115, &padded_len, PHALANX_XMSS_FORMAT_BINCODE_PADDED, L8, SSZ,
                                                signature, len),
                 PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK_STATUS(phalanx_xmss_signature_convert(padded, 3116, &padded_len, 5, L8, SSZ, signature, len),
                 PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_xmss_signature_convert(padded, 3116, NULL, SSZ, L8, SSZ, signature, len),
                 PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_verifying_key_convert(padded, 3116, &padded_len, SSZ, L8, SSZ, signature, len),
                 PHALANX_ERROR_MALFORMED);
    {
        size_t room = phalanx_xmss_signature_size(L8, PHALANX_XMSS_FORMAT_JSON), json_len = 0, back = 0;
        uint8_t *json = (uint8_t *)get_memory(room);
        CHECK_OK(phalanx_xmss_signature_convert(json, room, &json_len, PHALANX_XMSS_FORMAT_JSON, L8, SSZ, signature, len));
        CHECK_OK(phalanx_xmss_signature_convert(again, sizeof again, &back, SSZ, L8, PHALANX_XMSS_FORMAT_JSON, json,
                                                json_len));
        CHECK(back == len && memcmp(signature, again, len) == 0);
        CHECK_OK(phalanx_xmss_verifying_key_convert(json, room, &json_len, PHALANX_XMSS_FORMAT_JSON, L8, SSZ, vk, vk_len));
        CHECK(json_len <= phalanx_xmss_verifying_key_size(L8, PHALANX_XMSS_FORMAT_JSON));
        CHECK_OK(phalanx_xmss_verify(L8, SSZ, vk, vk_len, 20, MESSAGE, again, back));
        free(json);
    }

    /* Refusals. */
    CHECK_OK(phalanx_xmss_sign(key, again, sizeof again, &len, SSZ, 20, MESSAGE));
    CHECK(memcmp(signature, again, len) == 0);
    CHECK_STATUS(phalanx_xmss_sign(key, again, sizeof again, &len, SSZ, 20, other_message), PHALANX_ERROR_XMSS_EPOCH_USED);
    CHECK_STATUS(phalanx_xmss_sign(second, again, sizeof again, &len, SSZ, 21, MESSAGE),
                 PHALANX_ERROR_XMSS_OTHER_INSTANCE);
    CHECK_STATUS(phalanx_xmss_sign(key, again, sizeof again, &len, SSZ, 15, MESSAGE), PHALANX_ERROR_XMSS_NOT_ACTIVE);
    CHECK_STATUS(phalanx_xmss_sign(key, again, sizeof again, &len, SSZ, 144, MESSAGE), PHALANX_ERROR_XMSS_EXHAUSTED);
    CHECK_STATUS(phalanx_xmss_sign(NULL, again, sizeof again, &len, SSZ, 20, MESSAGE), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_sign(key, again, sizeof again, NULL, SSZ, 20, MESSAGE), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_sign(key, NULL, sizeof again, &len, SSZ, 20, MESSAGE), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_sign(key, again, sizeof again, &len, SSZ, 20, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_sign(key, again, sizeof again, &len, 5, 20, MESSAGE), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_xmss_sign_prepared(key, again, sizeof again, &len, SSZ, 48, MESSAGE),
                 PHALANX_ERROR_XMSS_NOT_PREPARED);
    CHECK_STATUS(phalanx_xmss_sign_prepared(key, again, sizeof again, &len, SSZ, 144, MESSAGE),
                 PHALANX_ERROR_XMSS_EXHAUSTED);
    CHECK_OK(phalanx_xmss_sign_prepared(key, again, sizeof again, &len, SSZ, 47, MESSAGE));

    /* Moving on: by itself, by one tree, and by a tree computed beside. */
    CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &late));
    CHECK_OK(phalanx_xmss_next_tree_compute(late, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_sign(key, signature, sizeof signature, &len, SSZ, 50, MESSAGE));
    CHECK_OK(phalanx_xmss_signing_key_prepared_interval(key, &start, &end));
    CHECK(start == 32 && end == 64);
    CHECK_STATUS(phalanx_xmss_sign(key, signature, sizeof signature, &len, SSZ, 20, MESSAGE), PHALANX_ERROR_XMSS_PASSED);
    CHECK_STATUS(phalanx_xmss_signing_key_advance_with(key, late), PHALANX_ERROR_XMSS_WRONG_TREE);
    CHECK_OK(phalanx_xmss_signing_key_advance(key, 3));
    CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &tree));
    CHECK_STATUS(phalanx_xmss_next_tree_compute(tree, 1, watch_progress, &watch), PHALANX_ERROR_STOPPED);
    CHECK_STATUS(phalanx_xmss_signing_key_advance_with(key, tree), PHALANX_ERROR_XMSS_UNFINISHED);
    CHECK_OK(phalanx_xmss_signing_key_next_tree(second, &tree));
    CHECK_STATUS(phalanx_xmss_signing_key_advance_with(key, tree), PHALANX_ERROR_XMSS_WRONG_TREE);
    CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &tree));
    phalanx_xmss_next_tree_free(tree);
    phalanx_xmss_next_tree_free(NULL);
    CHECK_STATUS(phalanx_xmss_signing_key_advance_with(key, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_xmss_next_tree_compute(NULL, 1, NULL, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_OK(phalanx_xmss_sign(key, signature, sizeof signature, &len, SSZ, 143, MESSAGE));
    CHECK_STATUS(phalanx_xmss_signing_key_advance(key, 1), PHALANX_ERROR_XMSS_EXHAUSTED);
    tree = (phalanx_xmss_next_tree *)&watch;
    CHECK_STATUS(phalanx_xmss_signing_key_next_tree(key, &tree), PHALANX_ERROR_XMSS_EXHAUSTED);
    CHECK(tree == NULL);
    CHECK_STATUS(phalanx_xmss_signing_key_advance(NULL, 1), PHALANX_ERROR_NULL_POINTER);

    /* A key that is read again: everything but what it has signed, which the process remembers. */
    CHECK_STATUS(phalanx_xmss_signing_key_to_bytes(second, NULL, 0, &len, SSZ), PHALANX_ERROR_BUFFER_TOO_SMALL);
    {
        uint8_t *bytes = (uint8_t *)get_memory(len);
        phalanx_xmss_signing_key *loaded = NULL;
        phalanx_xmss_signing_key_free(second);
        /* Of another seed: the first key has signed, so no other of its seed does. */
        CHECK_OK(phalanx_xmss_signing_key_from_seed(&second, L8, SECOND_SEED, 16, 112, 1, NULL, NULL));
        CHECK_OK(phalanx_xmss_sign(second, signature, sizeof signature, &vk_len, SSZ, 30, MESSAGE));
        CHECK_OK(phalanx_xmss_signing_key_to_bytes(second, bytes, len, &len, SSZ));
        CHECK_OK(phalanx_xmss_signing_key_from_bytes(&loaded, L8, SSZ, bytes, len));
        CHECK_STATUS(phalanx_xmss_sign(loaded, signature, sizeof signature, &vk_len, SSZ, 30, other_message),
                     PHALANX_ERROR_XMSS_EPOCH_USED);
        phalanx_xmss_signing_key_free(loaded);
        CHECK_STATUS(phalanx_xmss_signing_key_from_bytes(&loaded, L8, SSZ, bytes, len - 1), PHALANX_ERROR_MALFORMED);
        CHECK_STATUS(phalanx_xmss_signing_key_from_bytes(&loaded, L8, SSZ, NULL, 0), PHALANX_ERROR_MALFORMED);
        CHECK_STATUS(phalanx_xmss_signing_key_from_bytes(&loaded, L8, PHALANX_XMSS_FORMAT_JSON, bytes, len),
                     PHALANX_ERROR_MALFORMED);
        CHECK_STATUS(phalanx_xmss_signing_key_from_bytes(&loaded, 2, SSZ, bytes, len), PHALANX_ERROR_MALFORMED);
        CHECK_STATUS(phalanx_xmss_signing_key_from_bytes(&loaded, 0, SSZ, bytes, len), PHALANX_ERROR_INVALID_ARGUMENT);
        CHECK(loaded == NULL);
        phalanx_wipe(bytes, len);
        free(bytes);
    }
    CHECK_STATUS(phalanx_xmss_verify_many(NULL, NULL, 0, 1), PHALANX_OK);
    CHECK_STATUS(phalanx_xmss_verify_many(NULL, NULL, 1, 1), PHALANX_ERROR_NULL_POINTER);
    free(padded);
    phalanx_xmss_signing_key_free(key);
    phalanx_xmss_signing_key_free(second);
}

/* Claims of which one is good, one is not, and others are no claims: each has its own verdict. */
static void xmss_many(void) {
    phalanx_xmss_claim claims[5];
    phalanx_status verdicts[5];
    phalanx_xmss_signing_key *key;
    uint8_t vk[52], signature[3116];
    size_t vk_len, len, i;
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, L8, THIRD_SEED, 192, 32, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, vk, sizeof vk, &vk_len, SSZ));
    CHECK_OK(phalanx_xmss_sign(key, signature, sizeof signature, &len, SSZ, 200, MESSAGE));
    phalanx_xmss_signing_key_free(key);
    for (i = 0; i < 5; i++) {
        claims[i].set = L8;
        claims[i].format = SSZ;
        claims[i].verifying_key = vk;
        claims[i].verifying_key_len = vk_len;
        claims[i].message = MESSAGE;
        claims[i].signature = signature;
        claims[i].signature_len = len;
        claims[i].epoch = 200;
    }
    CHECK_OK(phalanx_xmss_verify_many(verdicts, claims, 5, 2));
    claims[1].epoch = 201;
    claims[2].signature_len--;
    claims[3].message = NULL;
    claims[4].set = 99;
    CHECK_STATUS(phalanx_xmss_verify_many(verdicts, claims, 5, 2), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(verdicts[0], PHALANX_OK);
    CHECK_STATUS(verdicts[1], PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(verdicts[2], PHALANX_ERROR_MALFORMED);
    CHECK_STATUS(verdicts[3], PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(verdicts[4], PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_xmss_verify_many(NULL, claims, 5, 2), PHALANX_ERROR_NULL_POINTER);
}

static void ed25519_keys(void) {
    phalanx_ed25519_signing_key *key, *other = NULL;
    uint8_t seed[32], keypair[64], vk[32], bytes[512], weak[32] = {1}, none[32] = {2};
    bool canonical = false, small = true;
    size_t len = 0;
    uint32_t format;
    CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, SEED));
    CHECK_OK(phalanx_ed25519_signing_key_seed(key, seed));
    CHECK(memcmp(seed, SEED, 32) == 0);
    CHECK_OK(phalanx_ed25519_signing_key_keypair(key, keypair));
    CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, vk));
    CHECK(memcmp(keypair, SEED, 32) == 0 && memcmp(keypair + 32, vk, 32) == 0);
    CHECK_OK(phalanx_ed25519_signing_key_from_keypair(&other, keypair));
    phalanx_ed25519_signing_key_free(other);
    keypair[40] ^= 1;
    CHECK_STATUS(phalanx_ed25519_signing_key_from_keypair(&other, keypair), PHALANX_ERROR_ED25519_KEY_MISMATCH);
    CHECK(other == NULL);
    CHECK_OK(phalanx_ed25519_signing_key_generate(&other));
    CHECK_OK(phalanx_ed25519_signing_key_seed(other, seed));
    CHECK(memcmp(seed, SEED, 32) != 0);
    phalanx_ed25519_signing_key_free(other);
    phalanx_ed25519_signing_key_free(NULL);
    CHECK_STATUS(phalanx_ed25519_signing_key_generate(NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_signing_key_from_seed(&other, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_signing_key_seed(NULL, seed), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_signing_key_seed(key, NULL), PHALANX_ERROR_NULL_POINTER);

    CHECK_OK(phalanx_ed25519_verifying_key_check(&canonical, &small, vk, 32));
    CHECK(canonical && !small);
    CHECK_OK(phalanx_ed25519_verifying_key_check(NULL, &small, weak, 32));
    CHECK(small);
    CHECK_OK(phalanx_ed25519_verifying_key_check(&canonical, NULL, weak, 32));
    CHECK_STATUS(phalanx_ed25519_verifying_key_check(NULL, NULL, none, 32), PHALANX_ERROR_ED25519_INVALID_KEY);
    CHECK_OK(phalanx_ed25519_verifying_key_is_torsion_free(&small, vk, 32));
    CHECK(small);
    CHECK_STATUS(phalanx_ed25519_verifying_key_is_torsion_free(NULL, vk, 32), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_verifying_key_is_torsion_free(&small, none, 32), PHALANX_ERROR_ED25519_INVALID_KEY);
    CHECK_STATUS(phalanx_ed25519_verifying_key_check(NULL, NULL, vk, 31), PHALANX_ERROR_INVALID_LENGTH);

    for (format = 0; format <= 8; format++) {
        bool is_public = format == PHALANX_ED25519_KEY_FORMAT_SPKI_DER || format == PHALANX_ED25519_KEY_FORMAT_SPKI_PEM;
        bool is_secret = format == PHALANX_ED25519_KEY_FORMAT_KEYPAIR ||
                         format == PHALANX_ED25519_KEY_FORMAT_PKCS8_DER ||
                         format == PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM;
        uint32_t detected = 99;
        if (is_public) {
            CHECK_STATUS(phalanx_ed25519_signing_key_to_bytes(key, bytes, sizeof bytes, &len, format),
                         PHALANX_ERROR_INVALID_ARGUMENT);
            CHECK_STATUS(phalanx_ed25519_signing_key_from_bytes(&other, format, bytes, len),
                         PHALANX_ERROR_INVALID_ARGUMENT);
        } else {
            CHECK_OK(phalanx_ed25519_signing_key_to_bytes(key, bytes, sizeof bytes, &len, format));
            CHECK_OK(phalanx_ed25519_key_format_detect(&detected, bytes, len));
            CHECK(detected == format);
            CHECK_OK(phalanx_ed25519_signing_key_from_bytes(&other, format, bytes, len));
            CHECK_OK(phalanx_ed25519_signing_key_seed(other, seed));
            CHECK(memcmp(seed, SEED, 32) == 0);
            phalanx_ed25519_signing_key_free(other);
            CHECK_STATUS(phalanx_ed25519_signing_key_to_bytes(key, bytes, len - 1, &len, format),
                         PHALANX_ERROR_BUFFER_TOO_SMALL);
            CHECK(phalanx_ed25519_signing_key_from_bytes(&other, format, bytes, len / 2) != PHALANX_OK);
        }
        if (is_secret) {
            CHECK_STATUS(phalanx_ed25519_verifying_key_to_bytes(bytes, sizeof bytes, &len, format, vk),
                         PHALANX_ERROR_INVALID_ARGUMENT);
            CHECK_STATUS(phalanx_ed25519_verifying_key_from_bytes(seed, format, bytes, len),
                         PHALANX_ERROR_INVALID_ARGUMENT);
        } else {
            CHECK_OK(phalanx_ed25519_verifying_key_to_bytes(bytes, sizeof bytes, &len, format, vk));
            CHECK_OK(phalanx_ed25519_key_format_detect(&detected, bytes, len));
            CHECK(detected == format);
            CHECK_OK(phalanx_ed25519_verifying_key_from_bytes(seed, format, bytes, len));
            CHECK(memcmp(seed, vk, 32) == 0);
        }
    }
    CHECK_STATUS(phalanx_ed25519_key_format_detect(&format, SEED, 7), PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_signing_key_from_bytes(&other, 10, SEED, 32), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ed25519_signing_key_from_bytes(&other, PHALANX_ED25519_KEY_FORMAT_RAW, SEED, 31),
                 PHALANX_ERROR_INVALID_LENGTH);
    CHECK_STATUS(phalanx_ed25519_signing_key_from_bytes(&other, PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM, SEED, 32),
                 PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_verifying_key_to_bytes(bytes, sizeof bytes, &len, 0, none),
                 PHALANX_ERROR_ED25519_INVALID_KEY);
    phalanx_ed25519_signing_key_free(key);
}

static void ed25519_signing(void) {
    static const uint8_t TEXT[] = "a message", CONTEXT[] = "a context";
    phalanx_ed25519_signing_key *key;
    phalanx_ed25519_prepared_key *prepared;
    uint8_t vk[32], signature[64], digest[64] = {5}, noise[32] = {3}, file[1024], long_context[256] = {1}, none[32] = {2};
    size_t file_len = 0, t = sizeof TEXT - 1, c = sizeof CONTEXT - 1;
    uint32_t reason = 99, strict = PHALANX_ED25519_PROFILE_STRICT;
    CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, SEED));
    CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, vk));
    CHECK_OK(phalanx_ed25519_prepared_key_new(&prepared, vk, 32));
    CHECK_OK(phalanx_ed25519_prepared_key_verifying_key(prepared, file));
    CHECK(memcmp(vk, file, 32) == 0 && phalanx_ed25519_prepared_key_size() > 1000);

    CHECK_OK(phalanx_ed25519_sign(key, signature, NULL, 0));
    CHECK_OK(phalanx_ed25519_verify(strict, vk, 32, NULL, 0, signature, 64));
    CHECK_OK(phalanx_ed25519_sign_with_noise(key, signature, TEXT, t, noise));
    CHECK_OK(phalanx_ed25519_verify(strict, vk, 32, TEXT, t, signature, 64));
    CHECK_OK(phalanx_ed25519_sign(key, signature, TEXT, t));
    CHECK_OK(phalanx_ed25519_explain(&reason, strict, vk, 32, TEXT, t, signature, 64));
    CHECK(reason == 0);
    CHECK_STATUS(phalanx_ed25519_explain(&reason, strict, vk, 31, TEXT, t, signature, 64), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK(reason == PHALANX_ED25519_REASON_INVALID_LENGTH);
    CHECK_STATUS(phalanx_ed25519_explain(&reason, strict, vk, 32, TEXT, t - 1, signature, 64),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK(reason == PHALANX_ED25519_REASON_EQUATION_FAILED);
    CHECK(strcmp(phalanx_ed25519_reason_string(reason), "the verification equation does not hold") == 0);
    CHECK(strcmp(phalanx_ed25519_reason_string(9), "unknown reason") == 0);
    CHECK_STATUS(phalanx_ed25519_verify(strict, vk, 32, TEXT, t, NULL, 0), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_verify(5, vk, 32, TEXT, t, signature, 64), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ed25519_verify(strict, NULL, 32, TEXT, t, signature, 64), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_sign(NULL, signature, TEXT, t), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_sign(key, NULL, TEXT, t), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_sign(key, signature, NULL, t), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_sign_with_noise(key, signature, TEXT, t, NULL), PHALANX_ERROR_NULL_POINTER);

    CHECK_OK(phalanx_ed25519_sign_ctx(key, signature, TEXT, t, CONTEXT, c));
    CHECK_OK(phalanx_ed25519_verify_ctx(strict, vk, 32, TEXT, t, CONTEXT, c, signature, 64));
    CHECK_OK(phalanx_ed25519_prepared_key_verify_ctx(prepared, strict, TEXT, t, CONTEXT, c, signature, 64));
    CHECK_STATUS(phalanx_ed25519_verify_ctx(strict, vk, 32, TEXT, t, CONTEXT, c - 1, signature, 64),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_verify_ctx(strict, vk, 32, TEXT, t, NULL, 0, signature, 64),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_verify(strict, vk, 32, TEXT, t, signature, 64), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_sign_ctx(key, signature, TEXT, t, NULL, 0), PHALANX_ERROR_ED25519_CONTEXT_EMPTY);
    CHECK_STATUS(phalanx_ed25519_sign_ctx(key, signature, TEXT, t, long_context, 256),
                 PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG);

    CHECK_OK(phalanx_ed25519_sign_ph(key, signature, TEXT, t, NULL, 0));
    CHECK_OK(phalanx_ed25519_verify_ph(strict, vk, 32, TEXT, t, NULL, 0, signature, 64));
    CHECK_OK(phalanx_ed25519_prepared_key_verify_ph(prepared, strict, TEXT, t, NULL, 0, signature, 64));
    CHECK_STATUS(phalanx_ed25519_verify_ph(strict, vk, 32, TEXT, t, CONTEXT, c, signature, 64),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_sign_ph(key, signature, TEXT, t, long_context, 256),
                 PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG);
    CHECK_OK(phalanx_ed25519_sign_prehashed(key, signature, digest, CONTEXT, c));
    CHECK_OK(phalanx_ed25519_verify_prehashed(strict, vk, 32, digest, CONTEXT, c, signature, 64));
    CHECK_OK(phalanx_ed25519_prepared_key_verify_prehashed(prepared, strict, digest, CONTEXT, c, signature, 64));
    digest[63] ^= 1;
    CHECK_STATUS(phalanx_ed25519_verify_prehashed(strict, vk, 32, digest, CONTEXT, c, signature, 64),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_sign_prehashed(key, signature, NULL, CONTEXT, c), PHALANX_ERROR_NULL_POINTER);

    CHECK_OK(phalanx_ed25519_sshsig_sign(key, file, sizeof file, &file_len, "file", PHALANX_ED25519_SSH_HASH_SHA512, TEXT,
                                         t));
    CHECK(strncmp((const char *)file, "-----BEGIN SSH SIGNATURE-----\n", 30) == 0);
    CHECK_OK(phalanx_ed25519_sshsig_verify(strict, vk, "file", TEXT, t, file, file_len));
    CHECK_STATUS(phalanx_ed25519_sshsig_verify(strict, vk, "git", TEXT, t, file, file_len),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_sshsig_verify(strict, vk, "file", TEXT, t - 1, file, file_len),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_sshsig_verify(strict, vk, "file", TEXT, t, file, file_len / 2),
                 PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_sshsig_sign(key, file, sizeof file, &file_len, "", 0, TEXT, t),
                 PHALANX_ERROR_ED25519_KEY_FORMAT);
    CHECK_STATUS(phalanx_ed25519_sshsig_sign(key, file, sizeof file, &file_len, "file", 2, TEXT, t),
                 PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_OK(phalanx_ed25519_sshsig_sign(key, file, sizeof file, &file_len, "file", PHALANX_ED25519_SSH_HASH_SHA256, TEXT,
                                         t));
    CHECK_OK(phalanx_ed25519_sshsig_verify(strict, vk, "file", TEXT, t, file, file_len));

    phalanx_ed25519_prepared_key_free(prepared);
    CHECK_STATUS(phalanx_ed25519_prepared_key_new(&prepared, none, 32), PHALANX_ERROR_ED25519_INVALID_KEY);
    CHECK_STATUS(phalanx_ed25519_prepared_key_new(&prepared, vk, 33), PHALANX_ERROR_INVALID_LENGTH);
    CHECK(prepared == NULL);
    phalanx_ed25519_prepared_key_free(NULL);
    CHECK_STATUS(phalanx_ed25519_prepared_key_verify(NULL, strict, TEXT, t, signature, 64), PHALANX_ERROR_NULL_POINTER);
    phalanx_ed25519_signing_key_free(key);
}

static void ed25519_many(void) {
    const phalanx_ed25519_signing_key *keys[2];
    phalanx_ed25519_signing_key *key;
    phalanx_bytes messages[2];
    phalanx_ed25519_batch *batch = NULL;
    phalanx_status verdicts[2];
    uint8_t signatures[128], vk[32];
    uint32_t profile;
    CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, SEED));
    CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, vk));
    keys[0] = keys[1] = key;
    messages[0].data = MESSAGE;
    messages[0].len = 3;
    messages[1].data = NULL;
    messages[1].len = 0;
    CHECK_OK(phalanx_ed25519_sign_many(signatures, keys, messages, 2, 0));
    CHECK_OK(phalanx_ed25519_sign_many(NULL, NULL, NULL, 0, 0));
    CHECK_STATUS(phalanx_ed25519_sign_many(signatures, NULL, messages, 2, 0), PHALANX_ERROR_NULL_POINTER);
    messages[1].len = 1;
    CHECK_STATUS(phalanx_ed25519_sign_many(signatures, keys, messages, 2, 0), PHALANX_ERROR_NULL_POINTER);
    keys[1] = NULL;
    messages[1].len = 0;
    CHECK_STATUS(phalanx_ed25519_sign_many(signatures, keys, messages, 2, 0), PHALANX_ERROR_NULL_POINTER);

    CHECK_OK(phalanx_ed25519_batch_new(&batch, PHALANX_ED25519_PROFILE_ZIP215));
    CHECK_OK(phalanx_ed25519_batch_verify(batch, NULL, 0, 1));
    CHECK_OK(phalanx_ed25519_batch_add(batch, vk, 32, MESSAGE, 3, signatures, 64));
    CHECK_OK(phalanx_ed25519_batch_verify(batch, verdicts, 1, 1));
    CHECK_OK(phalanx_ed25519_batch_add(batch, vk, 32, MESSAGE, 3, signatures + 64, 63));
    CHECK(phalanx_ed25519_batch_len(batch) == 2 && phalanx_ed25519_batch_len(NULL) == 0);
    CHECK_STATUS(phalanx_ed25519_batch_verify(batch, verdicts, 2, 1), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK(verdicts[0] == PHALANX_OK && verdicts[1] == PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK_STATUS(phalanx_ed25519_batch_verify(batch, verdicts, 1, 1), PHALANX_ERROR_INVALID_LENGTH);
    CHECK_STATUS(phalanx_ed25519_batch_verify(batch, NULL, 2, 1), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_batch_add(batch, NULL, 32, MESSAGE, 3, signatures, 64), PHALANX_ERROR_NULL_POINTER);
    CHECK(phalanx_ed25519_batch_len(batch) == 2);
    CHECK_OK(phalanx_ed25519_batch_clear(batch));
    CHECK(phalanx_ed25519_batch_len(batch) == 0);
    phalanx_ed25519_batch_free(batch);
    phalanx_ed25519_batch_free(NULL);
    CHECK_STATUS(phalanx_ed25519_batch_new(&batch, 5), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK(batch == NULL);
    CHECK_STATUS(phalanx_ed25519_batch_clear(NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ed25519_verify_many(NULL, 0, NULL, 1, 0), PHALANX_ERROR_NULL_POINTER);
    CHECK_OK(phalanx_ed25519_verify_many(NULL, 0, NULL, 0, 0));
    CHECK_OK(phalanx_ed25519_verify_batch(0, NULL, 0, 0));
    CHECK_STATUS(phalanx_ed25519_verify_batch(7, NULL, 0, 0), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ed25519_profile_from_name(&profile, "lax"), PHALANX_ERROR_UNKNOWN_NAME);
    CHECK(phalanx_ed25519_profile_name(5) == NULL);
    CHECK(phalanx_ed25519_profile_is_batch_consistent(PHALANX_ED25519_PROFILE_ZIP215));
    CHECK(!phalanx_ed25519_profile_is_batch_consistent(PHALANX_ED25519_PROFILE_STRICT));
    phalanx_ed25519_signing_key_free(key);
}

int main(void) {
    common();
    xmss_names();
    xmss_keygen();
    xmss_signing();
    xmss_many();
    ed25519_keys();
    ed25519_signing();
    ed25519_many();
    ligerito();
    return finish("api", 600);
}
