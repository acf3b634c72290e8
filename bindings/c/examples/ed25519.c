/* Make a key, sign, verify; a changed message is refused: one signature, then many at once.
 * cc ed25519.c $(pkg-config --cflags --libs phalanx) && ./a.out */
#include <phalanx.h>
#include <stdio.h>

int main(void) {
    static const uint8_t message[] = "a message", changed[] = "another message";
    const size_t message_len = sizeof message - 1, changed_len = sizeof changed - 1;
    const uint32_t rule = PHALANX_ED25519_PROFILE_STRICT;
    uint8_t public_key[PHALANX_ED25519_VERIFYING_KEY_BYTES], signature[PHALANX_ED25519_SIGNATURE_BYTES];
    phalanx_ed25519_signing_key *key;
    phalanx_status status = phalanx_ed25519_signing_key_generate(&key);
    if (!status)
        status = phalanx_ed25519_signing_key_verifying_key(key, public_key);
    if (!status)
        status = phalanx_ed25519_sign(key, signature, message, message_len);
    phalanx_ed25519_signing_key_free(key); /* wiped; if there is none, it is null, which is fine */

    /* What travels is bytes: the verifier has no key object. */
    if (!status)
        status = phalanx_ed25519_verify(rule, public_key, sizeof public_key, message, message_len, signature, sizeof signature);
    printf("the message: %s\n", phalanx_status_string(status));
    if (status)
        return 1;
    status = phalanx_ed25519_verify(rule, public_key, sizeof public_key, changed, changed_len, signature, sizeof signature);
    printf("another message: %s\n", phalanx_status_string(status));
    if (status != PHALANX_ERROR_INVALID_SIGNATURE)
        return 1;

    /* Many at once, a result for each: lanes run across signatures. */
    const phalanx_ed25519_claim claims[2] = {
        {public_key, sizeof public_key, message, message_len, signature, sizeof signature},
        {public_key, sizeof public_key, changed, changed_len, signature, sizeof signature},
    };
    phalanx_status results[2];
    status = phalanx_ed25519_verify_many(results, rule, claims, 2, 1);
    printf("of two: %s\n", phalanx_status_string(status));
    return !(status == PHALANX_ERROR_INVALID_SIGNATURE && results[0] == PHALANX_OK && results[1] == status);
}
