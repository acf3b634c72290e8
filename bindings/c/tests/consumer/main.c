/* Header and library are of one version, and the library works. */
#include <phalanx.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    uint64_t digest[PHALANX_RESCUE_DIGEST_WORDS];
    const uint64_t element = 1;
    if (strcmp(phalanx_version(), PHALANX_VERSION) != 0) return 1;
    if (phalanx_rescue_hash_elements(PHALANX_RESCUE_FUNCTION_RP64_256, digest, &element, 1) != PHALANX_OK) return 1;
    printf("phalanx %s\n", phalanx_version());
    return 0;
}
