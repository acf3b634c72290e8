/* The files of vectors/ed25519, as lines: vectors_ed25519 FOLDER [short] */
#include "check.h"

static const char *const PROFILES[] = {"strict", "zip215", "rfc8032", "cofactorless", "zig-std"};

static phalanx_ed25519_signing_key *key_of(blob seed) {
    phalanx_ed25519_signing_key *key;
    CHECK(seed.len == PHALANX_ED25519_SEED_BYTES);
    CHECK_OK(phalanx_ed25519_signing_key_from_seed(&key, seed.data));
    return key;
}

static void signing(lines *file, uint64_t count) {
    const phalanx_ed25519_signing_key **keys =
        (const phalanx_ed25519_signing_key **)get_memory(count * sizeof *keys);
    phalanx_bytes *messages = (phalanx_bytes *)get_memory(count * sizeof *messages);
    uint8_t *signatures = (uint8_t *)get_memory(64 * count);
    uint8_t *wanted = (uint8_t *)get_memory(64 * count);
    uint64_t i;
    uint32_t threads;
    for (i = 0; i < count; i++) {
        blob seed = unhex(lines_get(file, "/cases/%lu/seed", (unsigned long)i));
        blob pk = unhex(lines_get(file, "/cases/%lu/pk", (unsigned long)i));
        blob msg = unhex(lines_get(file, "/cases/%lu/msg", (unsigned long)i));
        blob sig = unhex(lines_get(file, "/cases/%lu/sig", (unsigned long)i));
        uint8_t out[64];
        phalanx_ed25519_signing_key *key = key_of(seed);
        CHECK_OK(phalanx_ed25519_signing_key_verifying_key(key, out));
        CHECK(same(pk, out, 32));
        CHECK_OK(phalanx_ed25519_sign(key, out, msg.data, msg.len));
        CHECK(same(sig, out, 64));
        CHECK_OK(phalanx_ed25519_sign_checked(key, out, msg.data, msg.len));
        CHECK(same(sig, out, 64));
        keys[i] = key;
        messages[i].data = msg.data;
        messages[i].len = msg.len;
        memcpy(wanted + 64 * i, sig.data, 64);
        free(seed.data);
        free(pk.data);
        free(sig.data);
    }
    for (threads = 0; threads < 4; threads++) {
        memset(signatures, 0, 64 * count);
        CHECK_OK(phalanx_ed25519_sign_many(signatures, keys, messages, count, threads));
        CHECK(memcmp(signatures, wanted, 64 * count) == 0);
    }
    for (i = 0; i < count; i++) {
        phalanx_ed25519_signing_key_free((phalanx_ed25519_signing_key *)keys[i]);
        free((void *)messages[i].data);
    }
    free(keys);
    free(messages);
    free(signatures);
    free(wanted);
}

static void noise(lines *file, uint64_t count) {
    uint64_t i;
    for (i = 0; i < count; i++) {
        blob seed = unhex(lines_get(file, "/cases/%lu/seed", (unsigned long)i));
        blob msg = unhex(lines_get(file, "/cases/%lu/msg", (unsigned long)i));
        blob random = unhex(lines_get(file, "/cases/%lu/noise", (unsigned long)i));
        blob sig = unhex(lines_get(file, "/cases/%lu/sig_noise", (unsigned long)i));
        uint8_t out[64];
        phalanx_ed25519_signing_key *key = key_of(seed);
        CHECK(random.len == 32);
        CHECK_OK(phalanx_ed25519_sign_with_noise(key, out, msg.data, msg.len, random.data));
        CHECK(same(sig, out, 64));
        phalanx_ed25519_signing_key_free(key);
        free(seed.data);
        free(msg.data);
        free(random.data);
        free(sig.data);
    }
}

/* Claims at `prefix`, whose bytes live on the heap. */
static phalanx_ed25519_claim *claims_at(lines *file, const char *prefix, uint64_t count) {
    phalanx_ed25519_claim *claims = (phalanx_ed25519_claim *)get_memory(count * sizeof *claims);
    uint64_t i;
    for (i = 0; i < count; i++) {
        blob pk = unhex(lines_get(file, "%s/%lu/pk", prefix, (unsigned long)i));
        blob sig, msg;
        /* The order of the lines is that of the names. */
        msg = unhex(lines_get(file, "%s/%lu/msg", prefix, (unsigned long)i));
        sig = unhex(lines_get(file, "%s/%lu/sig", prefix, (unsigned long)i));
        claims[i].verifying_key = pk.data;
        claims[i].verifying_key_len = pk.len;
        claims[i].message = msg.data;
        claims[i].message_len = msg.len;
        claims[i].signature = sig.data;
        claims[i].signature_len = sig.len;
    }
    return claims;
}

static void claims_free(phalanx_ed25519_claim *claims, uint64_t count) {
    uint64_t i;
    for (i = 0; i < count; i++) {
        free((void *)claims[i].verifying_key);
        free((void *)claims[i].message);
        free((void *)claims[i].signature);
    }
    free(claims);
}

/* All ways to verify claims agree with `wanted` (1: valid). */
static void all_ways(uint32_t profile, const phalanx_ed25519_claim *claims, const uint8_t *wanted, uint64_t count) {
    phalanx_status *verdicts = (phalanx_status *)get_memory(count * sizeof *verdicts);
    phalanx_ed25519_batch *batch;
    phalanx_status all = PHALANX_OK;
    uint64_t i;
    uint32_t threads;
    CHECK_OK(phalanx_ed25519_batch_new_deterministic(&batch, profile));
    for (i = 0; i < count; i++) {
        const phalanx_ed25519_claim *c = &claims[i];
        phalanx_status expected = wanted[i] ? PHALANX_OK : PHALANX_ERROR_INVALID_SIGNATURE;
        phalanx_ed25519_prepared_key *prepared;
        phalanx_status made;
        uint32_t reason = 99;
        if (!wanted[i]) {
            all = PHALANX_ERROR_INVALID_SIGNATURE;
        }
        CHECK_STATUS(phalanx_ed25519_verify(profile, c->verifying_key, c->verifying_key_len, c->message,
                                            c->message_len, c->signature, c->signature_len),
                     expected);
        CHECK_STATUS(phalanx_ed25519_explain(&reason, profile, c->verifying_key, c->verifying_key_len, c->message,
                                             c->message_len, c->signature, c->signature_len),
                     expected);
        CHECK((reason == PHALANX_ED25519_REASON_NONE) == (wanted[i] != 0) && reason <= 8);
        made = phalanx_ed25519_prepared_key_new(&prepared, c->verifying_key, c->verifying_key_len);
        if (made == PHALANX_OK) {
            CHECK_STATUS(phalanx_ed25519_prepared_key_verify(prepared, profile, c->message, c->message_len,
                                                             c->signature, c->signature_len),
                         expected);
        } else {
            CHECK(!wanted[i] && prepared == NULL);
            CHECK(made == PHALANX_ERROR_ED25519_INVALID_KEY || made == PHALANX_ERROR_INVALID_LENGTH);
        }
        phalanx_ed25519_prepared_key_free(prepared);
        CHECK_OK(phalanx_ed25519_batch_add(batch, c->verifying_key, c->verifying_key_len, c->message,
                                           c->message_len, c->signature, c->signature_len));
    }
    CHECK(phalanx_ed25519_batch_len(batch) == count);
    for (threads = 1; threads <= 3; threads += 2) {
        memset(verdicts, 0x55, count * sizeof *verdicts);
        CHECK_STATUS(phalanx_ed25519_verify_many(verdicts, profile, claims, count, threads), all);
        for (i = 0; i < count; i++) {
            CHECK((verdicts[i] == PHALANX_OK) == (wanted[i] != 0));
        }
        CHECK_STATUS(phalanx_ed25519_verify_batch(profile, claims, count, threads), all);
        memset(verdicts, 0x55, count * sizeof *verdicts);
        CHECK_STATUS(phalanx_ed25519_batch_verify(batch, verdicts, count, threads), all);
        for (i = 0; i < count; i++) {
            CHECK((verdicts[i] == PHALANX_OK) == (wanted[i] != 0));
        }
        CHECK_STATUS(phalanx_ed25519_batch_verify(batch, NULL, 0, threads), all);
    }
    CHECK_STATUS(phalanx_ed25519_verify_batch_deterministic(profile, claims, count), all);
    phalanx_ed25519_batch_free(batch);
    free(verdicts);
}

static void verdicts(lines *file, uint64_t count) {
    phalanx_ed25519_claim *claims = claims_at(file, "/cases", count);
    uint8_t *wanted = (uint8_t *)get_memory(count);
    size_t p;
    for (p = 0; p < 5; p++) {
        uint32_t profile;
        uint64_t i;
        CHECK_OK(phalanx_ed25519_profile_from_name(&profile, PROFILES[p]));
        CHECK(strcmp(phalanx_ed25519_profile_name(profile), PROFILES[p]) == 0);
        for (i = 0; i < count; i++) {
            const char *verdict = lines_get(file, "/cases/%lu/verdict/%s", (unsigned long)i, PROFILES[p]);
            CHECK(verdict && (strcmp(verdict, "true") == 0 || strcmp(verdict, "false") == 0));
            wanted[i] = verdict[0] == 't';
        }
        all_ways(profile, claims, wanted, count);
    }
    free(wanted);
    claims_free(claims, count);
}

static void batches(lines *file, uint64_t most) {
    uint64_t count = lines_number(file, "/batches#"), b;
    for (b = 0; b < count && b < most; b++) {
        char prefix[64];
        uint64_t n = lines_number(file, "/batches/%lu/n", (unsigned long)b);
        phalanx_ed25519_claim *claims;
        uint8_t *wanted = (uint8_t *)get_memory(n);
        size_t p;
        snprintf(prefix, sizeof prefix, "/batches/%lu/entries", (unsigned long)b);
        CHECK(n > 0 && lines_number(file, "%s#", prefix) == n);
        claims = claims_at(file, prefix, n);
        for (p = 0; p < 5; p++) {
            uint32_t profile;
            uint64_t bad = lines_number(file, "/batches/%lu/bad/%s#", (unsigned long)b, PROFILES[p]), i;
            const char *all = lines_get(file, "/batches/%lu/all_ok/%s", (unsigned long)b, PROFILES[p]);
            CHECK_OK(phalanx_ed25519_profile_from_name(&profile, PROFILES[p]));
            memset(wanted, 1, n);
            for (i = 0; i < bad; i++) {
                uint64_t at = lines_number(file, "/batches/%lu/bad/%s/%lu", (unsigned long)b, PROFILES[p],
                                           (unsigned long)i);
                CHECK(at < n);
                wanted[at] = 0;
            }
            CHECK(all && (all[0] == 't') == (bad == 0));
            all_ways(profile, claims, wanted, n);
        }
        free(wanted);
        claims_free(claims, n);
    }
}

/* A file of a signing key in `format`, and what the key writes again. */
static void key_file(uint32_t format, blob seed, blob file, bool exact) {
    phalanx_ed25519_signing_key *key;
    uint8_t out[1024], again[32];
    size_t len = 0;
    uint32_t detected = 99;
    CHECK_OK(phalanx_ed25519_key_format_detect(&detected, file.data, file.len));
    CHECK(detected == format);
    CHECK_OK(phalanx_ed25519_signing_key_from_bytes(&key, format, file.data, file.len));
    CHECK_OK(phalanx_ed25519_signing_key_seed(key, again));
    CHECK(same(seed, again, 32));
    CHECK_OK(phalanx_ed25519_signing_key_to_bytes(key, out, sizeof out, &len, format));
    CHECK(!exact || same(file, out, len));
    phalanx_ed25519_signing_key_free(key);
    CHECK_OK(phalanx_ed25519_signing_key_from_bytes(&key, format, out, len));
    phalanx_ed25519_signing_key_free(key);
}

static void public_file(uint32_t format, blob pk, blob file, bool exact) {
    uint8_t out[1024], again[32];
    size_t len = 0;
    CHECK_OK(phalanx_ed25519_verifying_key_from_bytes(again, format, file.data, file.len));
    CHECK(same(pk, again, 32));
    CHECK_OK(phalanx_ed25519_verifying_key_to_bytes(out, sizeof out, &len, format, again));
    CHECK(!exact || same(file, out, len));
}

static blob text_at(lines *file, uint64_t i, const char *name) {
    char *text = lines_text(file, "/cases/%lu/%s", (unsigned long)i, name);
    blob made;
    CHECK(text != NULL);
    made.data = (uint8_t *)text;
    made.len = strlen(text);
    return made;
}

static void keys(lines *file, uint64_t count) {
    uint64_t i, rejects = lines_number(file, "/reject#");
    for (i = 0; i < count; i++) {
        blob seed = unhex(lines_get(file, "/cases/%lu/seed", (unsigned long)i));
        blob pk = unhex(lines_get(file, "/cases/%lu/pk", (unsigned long)i));
        const char *const hex[] = {"pkcs8_v1_der", "pkcs8_v2_der", "spki_der"};
        const char *const texts[] = {"pkcs8_v1_pem", "pkcs8_v2_pem", "openssh_private", "spki_pem", "openssh_public"};
        const uint32_t formats[] = {PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM, PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM,
                                    PHALANX_ED25519_KEY_FORMAT_OPENSSH, PHALANX_ED25519_KEY_FORMAT_SPKI_PEM,
                                    PHALANX_ED25519_KEY_FORMAT_OPENSSH};
        size_t f;
        for (f = 0; f < 3; f++) {
            blob der = unhex(lines_get(file, "/cases/%lu/%s", (unsigned long)i, hex[f]));
            if (f < 2) {
                key_file(PHALANX_ED25519_KEY_FORMAT_PKCS8_DER, seed, der, f == 0);
            } else {
                public_file(PHALANX_ED25519_KEY_FORMAT_SPKI_DER, pk, der, true);
            }
            free(der.data);
        }
        for (f = 0; f < 5; f++) {
            blob text = text_at(file, i, texts[f]);
            if (f < 3) {
                /* ssh-keygen's check word is random, and our file has no comment. */
                key_file(formats[f], seed, text, f == 0);
            } else {
                public_file(formats[f], pk, text, f == 3);
            }
            free(text.data);
        }
        key_file(PHALANX_ED25519_KEY_FORMAT_RAW, seed, seed, true);
        public_file(PHALANX_ED25519_KEY_FORMAT_RAW, pk, pk, true);
        free(seed.data);
        free(pk.data);
    }
    CHECK(rejects > 0);
    for (i = 0; i < rejects; i++) {
        const char *name = lines_get(file, "/reject/%lu/der", (unsigned long)i);
        phalanx_ed25519_signing_key *key = (phalanx_ed25519_signing_key *)&i;
        phalanx_status status;
        blob der;
        if (!name) {
            continue;
        }
        der = unhex(name);
        status = phalanx_ed25519_signing_key_from_bytes(&key, PHALANX_ED25519_KEY_FORMAT_PKCS8_DER, der.data, der.len);
        CHECK(status != PHALANX_OK && status != PHALANX_ERROR_INTERNAL && key == NULL);
        if (strcmp(lines_get(file, "/reject/%lu/error", (unsigned long)i), "KeyMismatch") == 0) {
            CHECK_STATUS(status, PHALANX_ERROR_ED25519_KEY_MISMATCH);
        }
        free(der.data);
    }
}

int main(int argc, char **argv) {
    static const char *const FILES[] = {"rfc8032", "sign_input", "sign_noise",  "cctv",
                                        "wycheproof", "speccheck", "batches", "keys"};
    uint64_t most;
    size_t f;
    if (argc < 2) {
        fprintf(stderr, "usage: vectors_ed25519 FOLDER [short]\n");
        return 2;
    }
    /* Under valgrind everything takes fifty times as long: a part of the longer files. */
    most = argc > 2 ? 24 : (uint64_t)-1;
    for (f = 0; f < sizeof FILES / sizeof *FILES; f++) {
        char path[1024];
        lines file;
        uint64_t count;
        CHECK((size_t)snprintf(path, sizeof path, "%s/%s.lines", argv[1], FILES[f]) < sizeof path);
        file = lines_load(path);
        count = lines_number(&file, "/cases#");
        CHECK(count > 0 || f == 6);
        count = count < most ? count : most;
        switch (f) {
        case 0:
        case 1:
            signing(&file, count);
            break;
        case 2:
            noise(&file, count);
            break;
        case 6:
            CHECK(lines_number(&file, "/batches#") > 0);
            batches(&file, most / 8);
            break;
        case 7:
            keys(&file, count);
            break;
        default:
            verdicts(&file, count);
        }
        lines_free(&file);
    }
    return finish("vectors_ed25519", 1000);
}
