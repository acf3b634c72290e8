/* XMSS over BLAKE2s, by the functions of all sets: vectors_xmss_blake2s LINES_FOLDER, with the files of
 * vectors/xmss-blake2s. */
#include "check.h"

enum { SSZ = PHALANX_XMSS_FORMAT_SSZ, JSON = PHALANX_XMSS_FORMAT_JSON, PADDED = PHALANX_XMSS_FORMAT_BINCODE_PADDED };
enum { SET = PHALANX_XMSS_BLAKE2S_L32_D42B8, SET_A = PHALANX_XMSS_BLAKE2S_A_L32_D42B8 };

static lines load(const char *folder, const char *name) {
    char path[1024];
    CHECK((size_t)snprintf(path, sizeof path, "%s/%s.lines", folder, name) < sizeof path);
    return lines_load(path);
}

/* Names, numbers and sizes. */
static void sets(void) {
    uint32_t number = 0, format;
    CHECK_OK(phalanx_xmss_parameter_set_from_name(&number, "xmss-blake2s-l32-d42b8"));
    CHECK(number == SET && strcmp(phalanx_xmss_parameter_set_name(SET), "xmss-blake2s-l32-d42b8") == 0);
    CHECK_OK(phalanx_xmss_parameter_set_from_name(&number, "xmss-blake2s-a-l32-d42b8"));
    CHECK(number == SET_A && strcmp(phalanx_xmss_parameter_set_name(SET_A), "xmss-blake2s-a-l32-d42b8") == 0);
    CHECK(phalanx_xmss_signs(SET) && !phalanx_xmss_signs(SET_A) && !phalanx_xmss_signs(10));
    CHECK(phalanx_xmss_signs(PHALANX_XMSS_POSEIDON1_L32_D46B8));
    CHECK(!phalanx_xmss_is_insecure(SET) && !phalanx_xmss_is_insecure(SET_A));
    CHECK(phalanx_xmss_lifetime(SET) == UINT64_C(1) << 32 && phalanx_xmss_tree_epochs(SET) == 0);
    for (format = 0; format <= PADDED; format++) {
        bool has = format != JSON && format != PADDED;
        CHECK(phalanx_xmss_verifying_key_size(SET, format) == (has ? 32u : 0));
        CHECK(phalanx_xmss_signature_size(SET_A, format) == (has ? 1208u : 0));
    }
}

/* The cases of a file, one at a time, then all of them together. */
static void verification(const char *folder, const char *name, uint32_t set) {
    lines file = load(folder, name);
    uint64_t i, count = lines_number(&file, "/verify#");
    phalanx_xmss_claim *claims = (phalanx_xmss_claim *)get_memory(count * sizeof *claims);
    phalanx_status *single = (phalanx_status *)get_memory(count * sizeof *single);
    phalanx_status *many = (phalanx_status *)get_memory(count * sizeof *many);
    uint32_t threads;
    unsigned long valid = 0;
    for (i = 0; i < count; i++) {
        const char *result = lines_get(&file, "/verify/%lu/result", (unsigned long)i);
        blob key = unhex(lines_get(&file, "/verify/%lu/public_key", (unsigned long)i));
        blob message = unhex(lines_get(&file, "/verify/%lu/message", (unsigned long)i));
        blob signature = unhex(lines_get(&file, "/verify/%lu/signature", (unsigned long)i));
        phalanx_xmss_claim *claim = &claims[i];
        CHECK(result && message.len == 32);
        claim->set = set;
        claim->format = (uint32_t)(i % 3);
        claim->verifying_key = key.data;
        claim->verifying_key_len = key.len;
        claim->message = message.data;
        claim->signature = signature.data;
        claim->signature_len = signature.len;
        claim->epoch = (uint32_t)lines_number(&file, "/verify/%lu/epoch", (unsigned long)i);
        single[i] = phalanx_xmss_verify(set, claim->format, key.data, key.len, claim->epoch, message.data,
                                        signature.data, signature.len);
        if (strcmp(result, "valid") == 0) {
            CHECK_OK(single[i]);
            valid++;
            /* Neither cut, nor of the other profile. */
            CHECK_STATUS(phalanx_xmss_verify(set, SSZ, key.data, key.len, claim->epoch, message.data, signature.data,
                                             signature.len - 1),
                         PHALANX_ERROR_MALFORMED);
            CHECK_STATUS(phalanx_xmss_verify(set, SSZ, key.data, key.len - 1, claim->epoch, message.data,
                                             signature.data, signature.len),
                         PHALANX_ERROR_MALFORMED);
            CHECK_STATUS(phalanx_xmss_verify(set == SET ? SET_A : SET, SSZ, key.data, key.len, claim->epoch,
                                             message.data, signature.data, signature.len),
                         PHALANX_ERROR_INVALID_SIGNATURE);
        } else if (strcmp(result, "bad_length") == 0) {
            CHECK_STATUS(single[i], PHALANX_ERROR_MALFORMED);
        } else {
            CHECK_STATUS(single[i], PHALANX_ERROR_INVALID_SIGNATURE);
        }
    }
    CHECK(valid > 2 && valid < count);
    for (threads = 0; threads <= 3; threads += 3) {
        memset(many, 0x55, count * sizeof *many);
        CHECK_STATUS(phalanx_xmss_verify_many(many, claims, count, threads), PHALANX_ERROR_INVALID_SIGNATURE);
        CHECK(memcmp(many, single, count * sizeof *many) == 0);
    }
    for (i = 0; i < count; i++) {
        free((void *)claims[i].verifying_key);
        free((void *)claims[i].message);
        free((void *)claims[i].signature);
    }
    free(claims);
    free(single);
    free(many);
    lines_free(&file);
}

/* The keys of the file, and what each signs. */
static void keys(const char *folder) {
    lines file = load(folder, "profile-b");
    uint64_t i, start, end;
    phalanx_xmss_signing_key *key;
    for (i = 0; i < lines_number(&file, "/key_gen#"); i++) {
        blob seed = unhex(lines_get(&file, "/key_gen/%lu/seed", (unsigned long)i)), wanted;
        uint64_t first = lines_number(&file, "/key_gen/%lu/epoch_start", (unsigned long)i);
        uint64_t last = lines_number(&file, "/key_gen/%lu/epoch_end", (unsigned long)i);
        uint8_t out[PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX];
        uint32_t set = 0;
        size_t len = 0;
        phalanx_status status =
            phalanx_xmss_signing_key_from_seed(&key, SET, seed.data, first, last + 1 - first, 1, NULL, NULL);
        if (strcmp(lines_get(&file, "/key_gen/%lu/public_key", (unsigned long)i), "null") == 0) {
            CHECK_STATUS(status, PHALANX_ERROR_XMSS_INTERVAL);
            free(seed.data);
            continue;
        }
        CHECK_OK(status);
        wanted = unhex(lines_get(&file, "/key_gen/%lu/public_key", (unsigned long)i));
        CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, out, sizeof out, &len, SSZ));
        CHECK(same(wanted, out, len));
        CHECK_OK(phalanx_xmss_signing_key_parameter_set(key, &set));
        CHECK_OK(phalanx_xmss_signing_key_activation_interval(key, &start, &end));
        CHECK(set == SET && start == first && end == last + 1);
        phalanx_xmss_signing_key_free(key);
        free(wanted.data);
        free(seed.data);
    }
    for (i = 0; i < lines_number(&file, "/sign#"); i++) {
        blob seed = unhex(lines_get(&file, "/sign/%lu/seed", (unsigned long)i));
        blob message = unhex(lines_get(&file, "/sign/%lu/message", (unsigned long)i));
        blob wanted = unhex(lines_get(&file, "/sign/%lu/signature", (unsigned long)i));
        uint64_t first = lines_number(&file, "/sign/%lu/epoch_start", (unsigned long)i);
        uint64_t last = lines_number(&file, "/sign/%lu/epoch_end", (unsigned long)i);
        uint32_t epoch = (uint32_t)lines_number(&file, "/sign/%lu/epoch", (unsigned long)i);
        uint8_t out[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
        size_t len = 0;
        CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, SET, seed.data, first, last + 1 - first, 2, NULL, NULL));
        CHECK_OK(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, epoch, message.data));
        CHECK(same(wanted, out, len));
        /* The same once more, and another message not at all. */
        CHECK_OK(phalanx_xmss_sign_prepared(key, out, sizeof out, &len, SSZ, epoch, message.data));
        CHECK(same(wanted, out, len));
        message.data[0] ^= 1;
        CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, epoch, message.data),
                     PHALANX_ERROR_XMSS_EPOCH_USED);
        phalanx_xmss_signing_key_free(key);
        free(seed.data);
        free(message.data);
        free(wanted.data);
    }
    lines_free(&file);
}

/* Refusals, and how a key moves on. */
static void rules(void) {
    uint8_t seed[32] = {0xe1}, message[32] = {1}, pk[32], out[1208], again[1208];
    size_t len = 0, again_len = 0, pk_len = 0;
    uint64_t start, end, old_end;
    phalanx_xmss_signing_key *key, *other;
    phalanx_xmss_next_tree *tree;
    CHECK_STATUS(phalanx_xmss_signing_key_from_seed(&key, SET_A, seed, 0, 8, 1, NULL, NULL),
                 PHALANX_ERROR_XMSS_VERIFICATION_ONLY);
    CHECK(key == NULL);
    CHECK_STATUS(phalanx_xmss_signing_key_generate(&key, SET_A, 0, 8, 1, NULL, NULL),
                 PHALANX_ERROR_XMSS_VERIFICATION_ONLY);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, SET, seed, 100, 300, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, pk, sizeof pk, &pk_len, SSZ));
    CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, 99, message), PHALANX_ERROR_XMSS_NOT_ACTIVE);
    CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, 400, message), PHALANX_ERROR_XMSS_EXHAUSTED);
    /* What cannot be written uses no epoch. */
    CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, JSON, 100, message), PHALANX_ERROR_XMSS_NO_ENCODING);
    message[0] = 2;
    CHECK_OK(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, 100, message));
    CHECK(len == sizeof out && pk_len == sizeof pk);
    CHECK_OK(phalanx_xmss_verify(SET, SSZ, pk, sizeof pk, 100, message, out, len));
    out[700] ^= 1;
    CHECK_STATUS(phalanx_xmss_verify(SET, SSZ, pk, sizeof pk, 100, message, out, len),
                 PHALANX_ERROR_INVALID_SIGNATURE);
    out[700] ^= 1;
    CHECK_STATUS(phalanx_xmss_verify(SET, JSON, pk, sizeof pk, 100, message, out, len),
                 PHALANX_ERROR_XMSS_NO_ENCODING);
    CHECK_STATUS(phalanx_xmss_verify(PHALANX_XMSS_POSEIDON1_L32_D46B8, SSZ, pk, sizeof pk, 100, message, out, len),
                 PHALANX_ERROR_MALFORMED);
    CHECK_OK(phalanx_xmss_signature_convert(again, sizeof again, &again_len, PHALANX_XMSS_FORMAT_BINCODE, SET, SSZ,
                                            out, len));
    CHECK(again_len == len && memcmp(out, again, len) == 0);
    CHECK_STATUS(phalanx_xmss_signature_convert(again, sizeof again, &again_len, PADDED, SET, SSZ, out, len),
                 PHALANX_ERROR_XMSS_NO_ENCODING);
    CHECK_STATUS(phalanx_xmss_verifying_key_convert(again, sizeof again, &again_len, JSON, SET, SSZ, pk, sizeof pk),
                 PHALANX_ERROR_XMSS_NO_ENCODING);
    CHECK_STATUS(phalanx_xmss_signing_key_to_bytes(key, again, sizeof again, &again_len, JSON),
                 PHALANX_ERROR_XMSS_NO_ENCODING);
    /* Of two keys from one seed, for two intervals, one signs. */
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&other, SET, seed, 100, 8, 1, NULL, NULL));
    CHECK_STATUS(phalanx_xmss_sign(other, again, sizeof again, &again_len, SSZ, 101, message),
                 PHALANX_ERROR_XMSS_OTHER_INSTANCE);
    phalanx_xmss_signing_key_free(other);
    /* On by one tree, which belongs to this key only. */
    CHECK_OK(phalanx_xmss_signing_key_prepared_interval(key, &start, &old_end));
    CHECK(start == 100 && old_end < 399);
    CHECK_STATUS(phalanx_xmss_sign_prepared(key, out, sizeof out, &len, SSZ, 399, message),
                 PHALANX_ERROR_XMSS_NOT_PREPARED);
    CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &tree));
    CHECK_STATUS(phalanx_xmss_signing_key_advance_with(key, tree), PHALANX_ERROR_XMSS_UNFINISHED);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&other, PHALANX_XMSS_POSEIDON2_L8_D64B8, seed, 0, 64, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &tree));
    CHECK_OK(phalanx_xmss_next_tree_compute(tree, 1, NULL, NULL));
    CHECK_STATUS(phalanx_xmss_signing_key_advance_with(other, tree), PHALANX_ERROR_XMSS_WRONG_TREE);
    phalanx_xmss_signing_key_free(other);
    CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &tree));
    CHECK_OK(phalanx_xmss_next_tree_compute(tree, 2, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_advance_with(key, tree));
    CHECK_OK(phalanx_xmss_signing_key_prepared_interval(key, &start, &end));
    CHECK(start > 100 && end > old_end);
    CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, 100, message), PHALANX_ERROR_XMSS_PASSED);
    CHECK_OK(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, 399, message));
    CHECK_OK(phalanx_xmss_verify(SET, SSZ, pk, sizeof pk, 399, message, out, len));
    CHECK_STATUS(phalanx_xmss_signing_key_advance(key, 1), PHALANX_ERROR_XMSS_EXHAUSTED);
    phalanx_xmss_signing_key_free(key);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: vectors_xmss_blake2s LINES_FOLDER\n");
        return 2;
    }
    sets();
    verification(argv[1], "profile-b", SET);
    verification(argv[1], "profile-a", SET_A);
    keys(argv[1]);
    rules();
    return finish("vectors_xmss_blake2s", 1000);
}
