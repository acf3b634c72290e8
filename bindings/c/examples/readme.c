#include <phalanx.h>
#include <stdio.h>

int main(void) {
    uint8_t seed[32] = {7}, message[32] = {1}; /* real seeds are random: phalanx_xmss_signing_key_generate */
    uint8_t public_key[PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX], signature[PHALANX_XMSS_SIGNATURE_BYTES_MAX];
    size_t public_key_len, signature_len;
    uint32_t set = PHALANX_XMSS_POSEIDON2_L8_D64B8, format = PHALANX_XMSS_FORMAT_SSZ;
    phalanx_xmss_signing_key *key;
    phalanx_status status = phalanx_xmss_signing_key_from_seed(&key, set, seed, 0, 256, 1, NULL, NULL);
    if (!status)
        status = phalanx_xmss_signing_key_verifying_key(key, public_key, sizeof public_key, &public_key_len, format);
    if (!status)
        status = phalanx_xmss_sign(key, signature, sizeof signature, &signature_len, format, 3, message);
    phalanx_xmss_signing_key_free(key);
    if (!status)
        status = phalanx_xmss_verify(set, format, public_key, public_key_len, 3, message, signature, signature_len);
    printf("%s: %zu bytes\n", phalanx_status_string(status), signature_len);
    return status != PHALANX_OK;
}
