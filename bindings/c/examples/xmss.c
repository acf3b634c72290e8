/* Make a key for 256 epochs, sign at one of them, verify; a changed message and a second one at the epoch are refused.
 * cc xmss.c $(pkg-config --cflags --libs phalanx) && ./a.out */
#include <phalanx.h>
#include <stdio.h>

int main(void) {
    const uint32_t set = PHALANX_XMSS_POSEIDON2_L8_D64B8, format = PHALANX_XMSS_FORMAT_SSZ, epoch = 17;
    const uint8_t message[PHALANX_XMSS_MESSAGE_BYTES] = {1}, changed[PHALANX_XMSS_MESSAGE_BYTES] = {2};
    uint8_t public_key[PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX], signature[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
    size_t public_key_len, signature_len, unused;
    uint8_t refused[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
    phalanx_xmss_signing_key *key;
    /* From the system's randomness, on one thread; a callback could show the progress of a larger key. */
    phalanx_status second = PHALANX_OK, status = phalanx_xmss_signing_key_generate(&key, set, 0, 256, 1, NULL, NULL);
    if (!status)
        status = phalanx_xmss_signing_key_verifying_key(key, public_key, sizeof public_key, &public_key_len, format);
    if (!status)
        status = phalanx_xmss_sign(key, signature, sizeof signature, &signature_len, format, epoch, message);
    /* An epoch signs one message. For longer than the process lasts, a ledger sees to that: custody.c. */
    if (!status)
        second = phalanx_xmss_sign(key, refused, sizeof refused, &unused, format, epoch, changed);
    phalanx_xmss_signing_key_free(key);

    /* What travels is bytes; both sides name the parameter set and the format. */
    if (!status)
        status = phalanx_xmss_verify(set, format, public_key, public_key_len, epoch, message, signature, signature_len);
    printf("the message: %s\n", phalanx_status_string(status));
    if (status)
        return 1;
    printf("another message at this epoch: %s\n", phalanx_status_string(second));
    status = phalanx_xmss_verify(set, format, public_key, public_key_len, epoch, changed, signature, signature_len);
    printf("the signature, of another message: %s\n", phalanx_status_string(status));
    return !(second == PHALANX_ERROR_XMSS_EPOCH_USED && status == PHALANX_ERROR_INVALID_SIGNATURE);
}
