/* What the tests of custody share: a working folder, ledgers and keys in it. */
#ifndef PHALANX_TESTS_CUSTODY_H
#define PHALANX_TESTS_CUSTODY_H

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { SSZ = PHALANX_XMSS_FORMAT_SSZ, L8 = PHALANX_XMSS_POSEIDON2_L8_D64B8, L32 = PHALANX_XMSS_POSEIDON2_L32_D64B8 };
enum { ATTESTER = PHALANX_KEY_ROLE_ATTESTER };

static char work[512], path_room[8][1024];
static size_t signature_size;

/* Paths below the working folder; the last eight are valid. */
static inline const char *at(const char *name) {
    static unsigned next;
    char *room = path_room[next++ % 8];
    CHECK(snprintf(room, sizeof path_room[0], "%s/%s", work, name) < (int)sizeof path_room[0]);
    return room;
}

/* The configuration of the ledger called `name`, with more lines. */
static inline const char *config(const char *name, const char *more) {
    static char room[2048];
    snprintf(room, sizeof room, "witness = \"%s/%s.witness\"\nallow_file_systems = [\"overlay\"]\n%s", work, name, more);
    return room;
}

static inline phalanx_ledger *open_ledger(const char *name, const char *more) {
    phalanx_ledger *ledger = NULL;
    char why[300] = "x";
    phalanx_status status = phalanx_ledger_open_explained(&ledger, why, sizeof why, at(name), config(name, more));
    if (status != PHALANX_OK) {
        fprintf(stderr, "%s: %s\n", name, why);
    }
    CHECK_OK(status);
    CHECK(why[0] == 0);
    return ledger;
}

static inline phalanx_ledger *new_ledger(const char *name, const char *more) {
    CHECK_OK(phalanx_ledger_create(at(name), config(name, more)));
    return open_ledger(name, more);
}

static inline phalanx_xmss_signing_key *new_key(uint8_t seed_byte, uint64_t epochs) {
    uint8_t seed[32];
    phalanx_xmss_signing_key *key = NULL;
    memset(seed, seed_byte, sizeof seed);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, L8, seed, 0, epochs, 1, NULL, NULL));
    return key;
}

static inline phalanx_guarded_key *guard(phalanx_ledger *ledger, phalanx_xmss_signing_key *key) {
    phalanx_guarded_key *guarded = NULL;
    CHECK_OK(phalanx_guarded_key_new(&guarded, ledger, key));
    return guarded;
}

/* A key that the ledger has just been told of. */
static inline phalanx_guarded_key *new_guarded(phalanx_ledger *ledger, uint8_t seed_byte) {
    phalanx_xmss_signing_key *key = new_key(seed_byte, 256);
    CHECK_OK(phalanx_ledger_register(ledger, key, ATTESTER, 0));
    return guard(ledger, key);
}

/* Signs; `repeated` is wanted to be so if the answer is good. */
static inline phalanx_status sign_into(phalanx_guarded_key *key, uint8_t *signature, uint32_t epoch, uint8_t byte, bool repeated) {
    uint8_t message[32];
    size_t len = 0;
    bool is_repeat = !repeated;
    phalanx_status status;
    memset(message, byte, sizeof message);
    status = phalanx_guarded_key_sign(key, signature, 3116, &len, &is_repeat, epoch, message);
    if (status == PHALANX_OK) {
        CHECK(len == signature_size && is_repeat == repeated);
    }
    return status;
}

static inline phalanx_status sign(phalanx_guarded_key *key, uint32_t epoch, uint8_t byte, bool repeated) {
    uint8_t signature[3116];
    return sign_into(key, signature, epoch, byte, repeated);
}

/* Makes the working folder, below `folder`. */
static inline void begin(const char *folder) {
    CHECK(snprintf(work, sizeof work, "%s/custody-XXXXXX", folder) < (int)sizeof work);
    CHECK(mkdtemp(work) != NULL);
    signature_size = phalanx_xmss_signature_size(L8, SSZ);
}

static inline int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

/* Removes the working folder, and says how much was checked. */
static inline int end(const char *name, unsigned long least) {
    CHECK(nftw(work, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0);
    return finish(name, least);
}

#endif
