/* A client of the lean names, written as those clients are: it includes their header's name, and of ours makes a ledger.
 * `lean_client FOLDER long` runs the set they mean (lifetime 2^32); without `long`, a short one. The ledger is made in a new
 * folder below FOLDER. */
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <phalanx.h>

#include "pq-bindings-c-rust.h"

#define REQUIRE(condition)                                                       \
    do {                                                                         \
        if (!(condition)) {                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
            return 1;                                                            \
        }                                                                        \
    } while (0)

/* Moves the key on until a slot is prepared. */
static int prepare(struct PQSignatureSchemeSecretKey *secret, uint64_t slot) {
    struct PQRange prepared = pq_get_prepared_interval(secret);
    while (slot >= prepared.end) {
        uint64_t before = prepared.start;
        pq_advance_preparation(secret);
        prepared = pq_get_prepared_interval(secret);
        if (prepared.start == before) {
            return -1;
        }
    }
    return slot < prepared.start ? -1 : 0;
}

/* Chooses the ledger in `folder`. */
static enum PQSigningError use_ledger(const char *folder, bool is_new) {
    char path[600], config[700];
    snprintf(path, sizeof path, "%s/ledger", folder);
    snprintf(config, sizeof config, "witness = \"%s/witness\"\nallow_file_systems = [\"overlay\"]", folder);
    if (is_new && phalanx_ledger_create(path, config) != PHALANX_OK) {
        return UnknownError;
    }
    return phalanx_pq_use_ledger_with(path, config);
}

int main(int argc, char **argv) {
    struct PQSignatureSchemePublicKey *pubkey = NULL, *pubkey_again = NULL;
    struct PQSignatureSchemeSecretKey *secret = NULL, *secret_again = NULL;
    struct PQSignature *signature = NULL, *signature_again = NULL;
    uint8_t message[32] = {0x42}, other[32] = {0x43}, pubkey_bytes[PUBLIC_KEY_SIZE], signature_bytes[3116] = {0};
    uint8_t *secret_bytes = NULL, tiny[1];
    uintptr_t written = 0, pubkey_len = 0, signature_len = 0;
    uint64_t slot = argc > 2 ? 70000 : 40;
    struct PQRange active;
    char *text;
    enum PQSigningError err;
    char folder[500];

    REQUIRE(argc > 1);
    snprintf(folder, sizeof folder, "%s/lean-XXXXXX", argv[1]);
    REQUIRE(mkdtemp(folder) != NULL);

    if (argc <= 2) {
        /* The one line that their clients do not have: the set of lifetime 2^8, whose keys take no time. */
        REQUIRE(phalanx_pq_use_parameter_set(1) == Success);
        REQUIRE(phalanx_pq_use_parameter_set(0) == UnknownError);
        REQUIRE(pq_get_lifetime() == 256);
    } else {
        REQUIRE(pq_get_lifetime() == UINT64_C(1) << 32);
        REQUIRE(pq_get_signature_size() == SIGNATURE_SIZE);
    }
    REQUIRE(pq_get_public_key_size() == PUBLIC_KEY_SIZE);

    err = pq_key_gen(0, argc > 2 ? 131072 + 1 : 100, &pubkey, &secret);
    if (err != Success) {
        text = pq_error_description(err);
        fprintf(stderr, "pq_key_gen failed: %s\n", text ? text : "unknown");
        pq_string_free(text);
        return 1;
    }
    active = pq_get_activation_interval(secret);
    REQUIRE(active.start == 0 && active.end > slot);

    /* Not prepared yet, then prepared. */
    if (slot >= pq_get_prepared_interval(secret).end) {
        REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature) == InvalidEpoch);
    }
    REQUIRE(prepare(secret, slot) == 0);
    /* Other than with their bindings: a ledger is wanted, and it knows the key. This one was made before it was named. */
    REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature) == UnknownError);
    REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature) == UnknownError && signature == NULL);
    REQUIRE(phalanx_pq_adopt(secret, slot) == UnknownError);
    REQUIRE(phalanx_pq_use_ledger(folder) == UnknownError);
    REQUIRE(use_ledger(folder, true) == Success);
    REQUIRE(phalanx_pq_forget_used_epochs_at_exit() == UnknownError);
    REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature) == InvalidEpoch);
    REQUIRE(phalanx_pq_adopt(NULL, slot) == InvalidPointer);
    REQUIRE(phalanx_pq_adopt(secret, active.end + 1) == InvalidEpoch);
    REQUIRE(phalanx_pq_adopt(secret, slot) == Success);
    REQUIRE(slot == 0 || pq_sign(secret, slot - 1, message, sizeof(message), &signature) == InvalidEpoch);
    REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature) == Success);
    REQUIRE(pq_verify(pubkey, slot, message, sizeof(message), signature) == 1);
    REQUIRE(pq_verify(pubkey, slot + 1, message, sizeof(message), signature) == 0);
    REQUIRE(pq_verify(pubkey, slot, other, sizeof(other), signature) == 0);

    /* Other than with their bindings: one message for an epoch. */
    REQUIRE(pq_sign(secret, slot, other, sizeof(other), &signature_again) == InvalidEpoch);
    REQUIRE(signature_again == NULL);
    /* Neither without the ledger nor with it opened anew. */
    REQUIRE(phalanx_pq_use_ledger(NULL) == Success);
    REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature_again) == UnknownError);
    REQUIRE(use_ledger(folder, false) == Success);
    REQUIRE(pq_sign(secret, slot, other, sizeof(other), &signature_again) == InvalidEpoch);
    REQUIRE(pq_sign(secret, slot, message, sizeof(message), &signature_again) == Success);
    REQUIRE(pq_verify(pubkey, slot, message, sizeof(message), signature_again) == 1);
    pq_signature_free(signature_again);
    if (argc <= 2) {
        /* A key that is made now is known. */
        struct PQSignatureSchemePublicKey *second_public = NULL;
        struct PQSignatureSchemeSecretKey *second = NULL;
        REQUIRE(pq_key_gen(0, 32, &second_public, &second) == Success);
        REQUIRE(pq_sign(second, 1, message, sizeof(message), &signature_again) == Success);
        REQUIRE(pq_verify(second_public, 1, message, sizeof(message), signature_again) == 1);
        pq_signature_free(signature_again);
        pq_public_key_free(second_public);
        pq_secret_key_free(second);
    }

    /* Bytes. */
    REQUIRE(pq_public_key_serialize(pubkey, pubkey_bytes, sizeof(pubkey_bytes), &pubkey_len) == Success);
    REQUIRE(pubkey_len == PUBLIC_KEY_SIZE);
    REQUIRE(pq_public_key_deserialize(pubkey_bytes, pubkey_len, &pubkey_again) == Success);
    REQUIRE(pq_signature_serialize(signature, tiny, sizeof(tiny), &signature_len) == UnknownError);
    REQUIRE(signature_len == pq_get_signature_size());
    REQUIRE(pq_signature_serialize(signature, signature_bytes, sizeof(signature_bytes), &signature_len) == Success);
    REQUIRE(pq_signature_deserialize(signature_bytes, signature_len, &signature_again) == Success);
    REQUIRE(pq_verify(pubkey_again, slot, message, sizeof(message), signature_again) == 1);
    pq_signature_free(signature_again);
    /* A buffer of a fixed size, zeros behind the signature. */
    REQUIRE(pq_signature_deserialize(signature_bytes, sizeof(signature_bytes), &signature_again) == Success);
    REQUIRE(pq_verify_ssz(pubkey_bytes, pubkey_len, slot, message, 32, signature_bytes, sizeof(signature_bytes)) == 1);
    REQUIRE(pq_verify_ssz(pubkey_bytes, pubkey_len, slot, other, 32, signature_bytes, signature_len) == 0);
    REQUIRE(pq_verify_ssz(pubkey_bytes, pubkey_len, slot, message, 32, signature_bytes, signature_len - 1) < 0);
    signature_bytes[sizeof(signature_bytes) - 1] = 1;
    REQUIRE(pq_verify_ssz(pubkey_bytes, pubkey_len, slot, message, 32, signature_bytes, sizeof(signature_bytes)) < 0);
    REQUIRE(pq_secret_key_serialize(secret, tiny, sizeof(tiny), &written) == UnknownError);
    secret_bytes = (uint8_t *)malloc(written);
    REQUIRE(secret_bytes != NULL);
    REQUIRE(pq_secret_key_serialize(secret, secret_bytes, written, &written) == Success);
    REQUIRE(pq_secret_key_deserialize(secret_bytes, written, &secret_again) == Success);
    REQUIRE(pq_get_prepared_interval(secret_again).start == pq_get_prepared_interval(secret).start);
    pq_secret_key_free(secret_again);
    REQUIRE(pq_secret_key_deserialize(secret_bytes, written - 1, &secret_again) == UnknownError);
    REQUIRE(pq_secret_key_from_json(secret_bytes, written, &secret_again) == UnknownError);
    pq_public_key_free(pubkey_again);
    REQUIRE(pq_public_key_from_json(pubkey_bytes, pubkey_len, &pubkey_again) == UnknownError);
    pq_signature_free(signature_again);
    REQUIRE(pq_signature_from_json(signature_bytes, signature_len, &signature_again) == UnknownError);

    /* Wrong arguments. */
    REQUIRE(pq_key_gen(0, 16, NULL, NULL) == InvalidPointer);
    REQUIRE(pq_key_gen((uintptr_t)-1, 16, &pubkey_again, &secret_again) == InvalidEpoch);
    REQUIRE(pq_sign(NULL, slot, message, 32, &signature_again) == InvalidPointer);
    REQUIRE(pq_sign(secret, slot, message, 31, &signature_again) == InvalidMessageLength);
    REQUIRE(pq_sign(secret, UINT64_C(1) << 32, message, 32, &signature_again) == InvalidEpoch);
    REQUIRE(pq_verify(NULL, slot, message, 32, signature) == -1);
    REQUIRE(pq_verify(pubkey, slot, message, 31, signature) < 0);
    REQUIRE(pq_verify(pubkey, UINT64_C(1) << 32, message, 32, signature) < 0);
    REQUIRE(pq_get_prepared_interval(NULL).end == 0 && pq_get_activation_interval(NULL).end == 0);
    pq_advance_preparation(NULL);
    pq_secret_key_free(NULL);
    pq_public_key_free(NULL);
    pq_signature_free(NULL);
    pq_string_free(NULL);
    text = pq_error_description(InvalidEpoch);
    REQUIRE(text && strstr(text, "epoch"));
    pq_string_free(text);

    /* What is not here says so. */
    pq_xmss_aggregation_setup_prover();
    pq_xmss_aggregation_setup_verifier();
    REQUIRE(pq_aggregate_signatures(NULL, NULL, 0, message, 32, slot, tiny, 1, &written) == UnknownError);
    REQUIRE(pq_verify_aggregated_signatures(NULL, 0, message, 32, tiny, 1, slot) < 0);

    memset(secret_bytes, 0, written);
    free(secret_bytes);
    pq_signature_free(signature);
    pq_public_key_free(pubkey);
    pq_secret_key_free(secret);
    REQUIRE(phalanx_pq_use_ledger(NULL) == Success);

    /* The generation after that, over BLAKE2s: no signature without a ledger either. */
    REQUIRE(phalanx_pq_use_parameter_set(8) == Success);
    REQUIRE(pq_get_public_key_size() == 32 && pq_get_signature_size() == 1208);
    REQUIRE(pq_key_gen(8, 8, &pubkey, &secret) == Success);
    REQUIRE(pq_get_activation_interval(secret).start == 8 && pq_get_activation_interval(secret).end == 16);
    REQUIRE(pq_public_key_serialize(pubkey, pubkey_bytes, sizeof(pubkey_bytes), &pubkey_len) == Success);
    REQUIRE(pubkey_len == 32);
    signature = NULL;
    REQUIRE(pq_sign(secret, 9, message, sizeof(message), &signature) == UnknownError && signature == NULL);
    pq_public_key_free(pubkey);
    pq_secret_key_free(secret);
    REQUIRE(phalanx_pq_use_parameter_set(9) == Success);
    REQUIRE(pq_key_gen(8, 8, &pubkey, &secret) == UnknownError);
    printf("lean_client: signed and verified at slot %" PRIu64 "\n", slot);
    return 0;
}
