/* The files of vectors/xmss: vectors_xmss LINES_FOLDER VECTORS_FOLDER [short] */
#include "check.h"

static const char *const PROFILES[] = {"p2-top-l8-d64b8",   "p1-abort-l8-d4b8-test", "p2-top-l18-d64b8",
                                       "p2-top-l32-d64b8",  "p2-top-l32-d48b10",     "p2-top-l32-d32b26",
                                       "p1-abort-l32-d46b8"};
enum { SSZ = PHALANX_XMSS_FORMAT_SSZ, BINCODE = PHALANX_XMSS_FORMAT_BINCODE, BINCODE2 = PHALANX_XMSS_FORMAT_BINCODE2 };

static uint32_t set;

static phalanx_xmss_signing_key *load(uint32_t format, blob bytes) {
    phalanx_xmss_signing_key *key;
    CHECK_OK(phalanx_xmss_signing_key_from_bytes(&key, set, format, bytes.data, bytes.len));
    return key;
}

static blob save(const phalanx_xmss_signing_key *key, uint32_t format) {
    blob bytes = {NULL, 0};
    size_t len = 0;
    CHECK_STATUS(phalanx_xmss_signing_key_to_bytes(key, NULL, 0, &len, format), PHALANX_ERROR_BUFFER_TOO_SMALL);
    bytes.data = (uint8_t *)get_memory(len);
    CHECK_OK(phalanx_xmss_signing_key_to_bytes(key, bytes.data, len, &bytes.len, format));
    CHECK(bytes.len == len);
    return bytes;
}

/* The bytes at a path, compared with the form that the library makes of an SSZ signature. */
static void converted(lines *file, blob signature, uint32_t format, const char *path) {
    const char *hex = lines_get(file, "%s", path);
    uint8_t out[8192];
    size_t len = 0;
    blob wanted;
    if (!hex) {
        return;
    }
    wanted = unhex(hex);
    CHECK_OK(phalanx_xmss_signature_convert(out, sizeof out, &len, format, set, SSZ, signature.data, signature.len));
    CHECK(same(wanted, out, len) && len <= phalanx_xmss_signature_size(set, format));
    CHECK_OK(phalanx_xmss_signature_convert(out, sizeof out, &len, SSZ, set, format, wanted.data, wanted.len));
    CHECK(same(signature, out, len));
    free(wanted.data);
}

static void public_keys(lines *file, unsigned long k, const phalanx_xmss_signing_key *key) {
    static const char *const NAMES[] = {"pk_ssz", "pk_bincode1", "pk_bincode2_standard"};
    blob ssz = unhex(lines_get(file, "/%lu/pk_ssz", k));
    uint32_t format;
    for (format = 0; format < 3; format++) {
        blob wanted = unhex(lines_get(file, "/%lu/%s", k, NAMES[format]));
        uint8_t out[128];
        size_t len = 0;
        CHECK_OK(phalanx_xmss_verifying_key_convert(out, sizeof out, &len, format, set, SSZ, ssz.data, ssz.len));
        CHECK(same(wanted, out, len) && len <= phalanx_xmss_verifying_key_size(set, format));
        if (key) {
            CHECK_OK(phalanx_xmss_signing_key_verifying_key(key, out, sizeof out, &len, format));
            CHECK(same(wanted, out, len));
        }
        free(wanted.data);
    }
    free(ssz.data);
}

/* Everything that needs the signing key. */
static void with_key(lines *file, unsigned long k, const char *folder) {
    blob seed = unhex(lines_get(file, "/%lu/seed", k)), fresh;
    uint64_t start, end, i, files = lines_number(file, "/%lu/sk_files#", k);
    phalanx_xmss_signing_key *key;
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, set, seed.data,
                                                lines_number(file, "/%lu/requested_activation_epoch", k),
                                                lines_number(file, "/%lu/requested_active_epochs", k), 2, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_activation_interval(key, &start, &end));
    CHECK(start == lines_number(file, "/%lu/activation_interval/0", k));
    CHECK(end == lines_number(file, "/%lu/activation_interval/1", k));
    CHECK_OK(phalanx_xmss_signing_key_prepared_interval(key, &start, &end));
    CHECK(start == lines_number(file, "/%lu/prepared_interval/0", k));
    CHECK(end == lines_number(file, "/%lu/prepared_interval/1", k));
    public_keys(file, k, key);
    fresh = save(key, SSZ);
    CHECK(fresh.len == lines_number(file, "/%lu/sk_ssz_len", k));
    for (i = 0; i < files; i++) {
        /* SSZ, bincode, bincode 2, in this order. */
        char path[1024];
        blob wanted, bytes = save(key, (uint32_t)i);
        phalanx_xmss_signing_key *again;
        const char *name = lines_get(file, "/%lu/sk_files/%lu", k, (unsigned long)i);
        CHECK(name && (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path);
        wanted = read_file(path);
        CHECK(same(wanted, bytes.data, bytes.len));
        again = load((uint32_t)i, wanted);
        free(bytes.data);
        bytes = save(again, SSZ);
        CHECK(same(fresh, bytes.data, bytes.len));
        phalanx_xmss_signing_key_free(again);
        free(bytes.data);
        free(wanted.data);
    }
    phalanx_xmss_signing_key_free(key);
    for (i = 0; i < lines_number(file, "/%lu/signatures#", k); i++) {
        uint8_t out[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
        size_t len = 0;
        uint32_t epoch = (uint32_t)lines_number(file, "/%lu/signatures/%lu/epoch", k, (unsigned long)i);
        blob message = unhex(lines_get(file, "/%lu/signatures/%lu/message", k, (unsigned long)i));
        blob wanted = unhex(lines_get(file, "/%lu/signatures/%lu/sig_ssz", k, (unsigned long)i));
        uint64_t earlier = 0;
        while (earlier < i && lines_number(file, "/%lu/signatures/%lu/epoch", k, (unsigned long)earlier) != epoch) {
            earlier++;
        }
        key = load(SSZ, fresh);
        if (earlier < i) {
            /* The reference signed two messages here. */
            CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, epoch, message.data),
                         PHALANX_ERROR_XMSS_EPOCH_USED);
            phalanx_xmss_signing_key_free(key);
            free(message.data);
            free(wanted.data);
            continue;
        }
        CHECK_OK(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, epoch, message.data));
        CHECK(same(wanted, out, len));
        /* The same once more, and another message not at all. */
        CHECK_OK(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, epoch, message.data));
        CHECK(same(wanted, out, len));
        message.data[0] ^= 1;
        CHECK_STATUS(phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, epoch, message.data),
                     PHALANX_ERROR_XMSS_EPOCH_USED);
        phalanx_xmss_signing_key_free(key);
        free(message.data);
        free(wanted.data);
    }
    for (i = 0; i < lines_number(file, "/%lu/sign_out_of_range#", k); i++) {
        uint8_t out[PHALANX_XMSS_SIGNATURE_BYTES_MAX], message[32] = {9};
        size_t len = 0;
        uint64_t epoch = lines_number(file, "/%lu/sign_out_of_range/%lu/epoch", k, (unsigned long)i);
        const char *state = lines_get(file, "/%lu/sign_out_of_range/%lu/key_state", k, (unsigned long)i);
        bool good = strcmp(lines_get(file, "/%lu/sign_out_of_range/%lu/required", k, (unsigned long)i), "ok") == 0;
        phalanx_status status;
        key = load(SSZ, fresh);
        CHECK(strcmp(state, "fresh") == 0 || strncmp(state, "after one", 9) == 0);
        if (state[0] == 'a') {
            CHECK_OK(phalanx_xmss_signing_key_advance(key, 2));
        }
        status = phalanx_xmss_sign(key, out, sizeof out, &len, SSZ, (uint32_t)epoch, message);
        CHECK(good ? status == PHALANX_OK
                   : (status == PHALANX_ERROR_XMSS_NOT_ACTIVE || status == PHALANX_ERROR_XMSS_EXHAUSTED));
        phalanx_xmss_signing_key_free(key);
    }
    if (lines_get(file, "/%lu/after_advance_preparation/epoch", k)) {
        uint8_t out[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
        size_t len = 0;
        uint32_t epoch = (uint32_t)lines_number(file, "/%lu/after_advance_preparation/epoch", k);
        blob message = unhex(lines_get(file, "/%lu/after_advance_preparation/message", k));
        blob wanted = unhex(lines_get(file, "/%lu/after_advance_preparation/sig_ssz", k));
        phalanx_xmss_next_tree *tree;
        key = load(SSZ, fresh);
        CHECK_OK(phalanx_xmss_signing_key_next_tree(key, &tree));
        CHECK_OK(phalanx_xmss_next_tree_compute(tree, 1, NULL, NULL));
        CHECK_OK(phalanx_xmss_signing_key_advance_with(key, tree));
        CHECK_OK(phalanx_xmss_signing_key_prepared_interval(key, &start, &end));
        CHECK(start == lines_number(file, "/%lu/after_advance_preparation/prepared_interval/0", k));
        CHECK(end == lines_number(file, "/%lu/after_advance_preparation/prepared_interval/1", k));
        CHECK_OK(phalanx_xmss_sign_prepared(key, out, sizeof out, &len, SSZ, epoch, message.data));
        CHECK(same(wanted, out, len));
        phalanx_xmss_signing_key_free(key);
        free(message.data);
        free(wanted.data);
    }
    for (i = 0; i < lines_number(file, "/%lu/sk_cases_ssz#", k); i++) {
        blob bytes = unhex(lines_get(file, "/%lu/sk_cases_ssz/%lu/sk_ssz", k, (unsigned long)i));
        const char *name = lines_get(file, "/%lu/sk_cases_ssz/%lu/case", k, (unsigned long)i);
        CHECK_STATUS(phalanx_xmss_signing_key_from_bytes(&key, set, SSZ, bytes.data, bytes.len),
                     strcmp(name, "valid") == 0 ? PHALANX_OK : PHALANX_ERROR_MALFORMED);
        phalanx_xmss_signing_key_free(key);
        free(bytes.data);
    }
    free(fresh.data);
    free(seed.data);
}

static void verification(lines *file, unsigned long k) {
    static const char *const NAMES[] = {"ssz", "bincode1"};
    blob pk = unhex(lines_get(file, "/%lu/pk_ssz", k));
    uint64_t i;
    uint32_t format;
    for (i = 0; i < lines_number(file, "/%lu/signatures#", k); i++) {
        char path[128];
        uint32_t epoch = (uint32_t)lines_number(file, "/%lu/signatures/%lu/epoch", k, (unsigned long)i);
        blob message = unhex(lines_get(file, "/%lu/signatures/%lu/message", k, (unsigned long)i));
        blob signature = unhex(lines_get(file, "/%lu/signatures/%lu/sig_ssz", k, (unsigned long)i));
        CHECK(message.len == 32 && signature.len == phalanx_xmss_signature_size(set, SSZ));
        CHECK_OK(phalanx_xmss_verify(set, SSZ, pk.data, pk.len, epoch, message.data, signature.data, signature.len));
        CHECK_STATUS(phalanx_xmss_verify(set, SSZ, pk.data, pk.len, epoch ^ 1, message.data, signature.data,
                                         signature.len),
                     PHALANX_ERROR_INVALID_SIGNATURE);
        snprintf(path, sizeof path, "/%lu/signatures/%lu/sig_bincode1", k, (unsigned long)i);
        converted(file, signature, BINCODE, path);
        snprintf(path, sizeof path, "/%lu/signatures/%lu/sig_bincode2_standard", k, (unsigned long)i);
        converted(file, signature, BINCODE2, path);
        free(message.data);
        free(signature.data);
    }
    for (format = SSZ; format <= BINCODE; format++) {
        uint64_t count = lines_number(file, "/%lu/verify_cases_%s#", k, NAMES[format]);
        phalanx_xmss_claim *claims = (phalanx_xmss_claim *)get_memory(count * sizeof *claims);
        phalanx_status *single = (phalanx_status *)get_memory(count * sizeof *single);
        phalanx_status *many = (phalanx_status *)get_memory(count * sizeof *many);
        uint32_t threads;
        for (i = 0; i < count; i++) {
            char prefix[128];
            const char *required, *own;
            blob key, message, signature;
            snprintf(prefix, sizeof prefix, "/%lu/verify_cases_%s/%lu", k, NAMES[format], (unsigned long)i);
            own = lines_get(file, "%s/pk_%s", prefix, NAMES[format]);
            key = unhex(own ? own : lines_get(file, "/%lu/pk_%s", k, NAMES[format]));
            message = unhex(lines_get(file, "%s/message", prefix));
            signature = unhex(lines_get(file, "%s/sig_%s", prefix, NAMES[format]));
            required = lines_get(file, "%s/required", prefix);
            claims[i].set = set;
            claims[i].format = format;
            claims[i].verifying_key = key.data;
            claims[i].verifying_key_len = key.len;
            claims[i].message = message.data;
            claims[i].signature = signature.data;
            claims[i].signature_len = signature.len;
            claims[i].epoch = (uint32_t)lines_number(file, "%s/epoch", prefix);
            single[i] = phalanx_xmss_verify(set, format, key.data, key.len, claims[i].epoch, message.data,
                                            signature.data, signature.len);
            CHECK(message.len == 32 && required);
            if (strcmp(required, "accept") == 0) {
                CHECK_OK(single[i]);
            } else {
                CHECK(single[i] == PHALANX_ERROR_INVALID_SIGNATURE || single[i] == PHALANX_ERROR_MALFORMED);
            }
        }
        for (threads = 0; threads <= 3; threads += 3) {
            memset(many, 0x55, count * sizeof *many);
            CHECK_STATUS(phalanx_xmss_verify_many(many, claims, count, threads),
                         count ? PHALANX_ERROR_INVALID_SIGNATURE : PHALANX_OK);
            CHECK(count == 0 || memcmp(many, single, count * sizeof *many) == 0);
        }
        for (i = 0; i < count; i++) {
            free((void *)claims[i].verifying_key);
            free((void *)claims[i].message);
            free((void *)claims[i].signature);
        }
        free(claims);
        free(single);
        free(many);
    }
    free(pk.data);
}

int main(int argc, char **argv) {
    size_t p;
    bool brief;
    if (argc < 3) {
        fprintf(stderr, "usage: vectors_xmss LINES_FOLDER VECTORS_FOLDER [short]\n");
        return 2;
    }
    brief = argc > 3;
    for (p = 0; p < sizeof PROFILES / sizeof *PROFILES; p++) {
        char path[1024];
        lines file;
        unsigned long k, count;
        CHECK_OK(phalanx_xmss_parameter_set_from_profile(&set, PROFILES[p]));
        CHECK((size_t)snprintf(path, sizeof path, "%s/%s.e2e.lines", argv[1], PROFILES[p]) < sizeof path);
        file = lines_load(path);
        count = (unsigned long)lines_number(&file, "#");
        CHECK(count > 0);
        for (k = 0; k < count; k++) {
            CHECK(strcmp(lines_get(&file, "/%lu/profile", k), PROFILES[p]) == 0);
            /* Bottom trees of 65,536 leaves take minutes: those keys are made by the Rust tests alone. */
            if (phalanx_xmss_tree_epochs(set) <= (brief ? 16 : 512)) {
                with_key(&file, k, argv[2]);
            } else {
                public_keys(&file, k, NULL);
            }
            /* Under valgrind everything takes fifty times as long: one key of each set. */
            if (!brief || k == 0) {
                verification(&file, k);
            }
        }
        lines_free(&file);
    }
    return finish("vectors_xmss", 1000);
}
