/* Ledgers and guarded keys with right and wrong arguments, in threads, in a fork, after kill -9.
 * custody FOLDER [short]: works in a new folder below FOLDER; `short` is for valgrind and leaves out forks, and the clock,
 * which rustix reads by a page that valgrind takes away. */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "custody.h"

static void numbers(void) {
    CHECK(PHALANX_ERROR_LEDGER_EPOCH_USED == 110 && PHALANX_ERROR_LEDGER_UNAVAILABLE == 123);
    CHECK(PHALANX_ERROR_LEDGER_STORE == 129 && PHALANX_ERROR_KEYSTORE_MALFORMED == 130);
    CHECK(PHALANX_ERROR_KEYSTORE_KEY_MISMATCH == 138);
    CHECK(phalanx_ledger_refusal_is_final(PHALANX_ERROR_LEDGER_EPOCH_USED));
    CHECK(phalanx_ledger_refusal_is_final(PHALANX_ERROR_LEDGER_PASSED));
    CHECK(!phalanx_ledger_refusal_is_final(PHALANX_ERROR_LEDGER_AHEAD));
    CHECK(!phalanx_ledger_refusal_is_final(PHALANX_ERROR_LEDGER_UNAVAILABLE));
    CHECK(!phalanx_ledger_refusal_is_final(PHALANX_OK) && !phalanx_ledger_refusal_is_final(4711));
}

static void arguments(void) {
    static const char *const WRONG[] = {"x = 1", "resume = \"never\"", "ordering = 1", "timeout_ms = -1", "[new]\nahead = -1",
                                        "[new]\nepoch_seconds = 4", "[new]\ngenesis_validators_root = \"00\"", "witness",
                                        "[new]\ngenesis_time = 0\nepoch_seconds = 0", "[new]\nmax_gap = 0"};
    phalanx_ledger *ledger = (phalanx_ledger *)&ledger, *second;
    phalanx_guarded_key *guarded = NULL;
    phalanx_xmss_signing_key *key = new_key(1, 32);
    phalanx_standing standing;
    uint8_t id[32], small[1];
    char why[300], cut[8];
    size_t i, len;
    for (i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        CHECK_STATUS(phalanx_ledger_create(at("wrong"), WRONG[i]), PHALANX_ERROR_INVALID_ARGUMENT);
    }
    CHECK(access(at("wrong"), F_OK) != 0);
    CHECK_STATUS(phalanx_ledger_create(NULL, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ledger_open(NULL, at("none"), NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ledger_open(&ledger, "postgres://host/ledger", NULL), PHALANX_ERROR_UNAVAILABLE);
    CHECK(ledger == NULL);
    CHECK_STATUS(phalanx_ledger_open_explained(&ledger, why, sizeof why, at("none"), config("none", "")),
                 PHALANX_ERROR_LEDGER_STORE);
    CHECK(strstr(why, "(no_ledger)") != NULL);
    CHECK_STATUS(phalanx_ledger_open_explained(&ledger, cut, sizeof cut, at("none"), config("none", "")),
                 PHALANX_ERROR_LEDGER_STORE);
    CHECK(strlen(cut) == sizeof cut - 1 && strncmp(cut, why, sizeof cut - 1) == 0);
    CHECK_STATUS(phalanx_ledger_open_explained(&ledger, NULL, 0, "x", "x"), PHALANX_ERROR_INVALID_ARGUMENT);

    ledger = new_ledger("arguments", "");
    CHECK_STATUS(phalanx_ledger_create(at("arguments"), config("arguments", "")), PHALANX_ERROR_LEDGER_IN_USE);
    CHECK_STATUS(phalanx_ledger_open(&second, at("arguments"), config("arguments", "")), PHALANX_ERROR_LEDGER_IN_USE);
    CHECK_OK(phalanx_ledger_health(ledger));
    CHECK_OK(phalanx_ledger_id(ledger, id));
    CHECK_STATUS(phalanx_ledger_health(NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ledger_register(ledger, NULL, ATTESTER, 0), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ledger_register(NULL, key, ATTESTER, 0), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_ledger_register(ledger, key, 6, 0), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ledger_register(ledger, key, ATTESTER, 33), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ledger_adopt(ledger, key, ATTESTER, 33, "x"), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(phalanx_ledger_adopt(ledger, key, ATTESTER, 3, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_OK(phalanx_xmss_signing_key_id(key, id));
    CHECK_STATUS(phalanx_ledger_standing(ledger, &standing, id), PHALANX_ERROR_LEDGER_UNKNOWN_KEY);
    CHECK_STATUS(phalanx_ledger_raise_low(ledger, id, 3, "x"), PHALANX_ERROR_LEDGER_UNKNOWN_KEY);
    /* Without state nothing is guarded, and the key stays the caller's. */
    CHECK_STATUS(phalanx_guarded_key_new(&guarded, ledger, key), PHALANX_ERROR_LEDGER_NO_STATE);
    CHECK(guarded == NULL);
    CHECK_STATUS(phalanx_guarded_key_new(&guarded, NULL, key), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_guarded_key_new(&guarded, ledger, NULL), PHALANX_ERROR_NULL_POINTER);
    CHECK_OK(phalanx_ledger_register(ledger, key, ATTESTER, 4));
    guarded = guard(ledger, key);
    CHECK_STATUS(phalanx_guarded_key_sign(NULL, small, 1, &len, NULL, 5, id), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_guarded_key_sign(guarded, small, 1, NULL, NULL, 5, id), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_guarded_key_sign(guarded, NULL, 3116, &len, NULL, 5, id), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_guarded_key_sign(guarded, small, 1, &len, NULL, 5, NULL), PHALANX_ERROR_NULL_POINTER);
    /* The room is looked at first: nothing was reserved. */
    CHECK_STATUS(phalanx_guarded_key_sign(guarded, small, 1, &len, NULL, 5, id), PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(len == signature_size);
    CHECK_OK(sign(guarded, 5, 9, false));
    CHECK_STATUS(sign(guarded, 3, 9, false), PHALANX_ERROR_LEDGER_PASSED);
    phalanx_guarded_key_free(guarded);
    phalanx_ledger_free(ledger);
    phalanx_guarded_key_free(NULL);
    phalanx_ledger_free(NULL);
    CHECK_STATUS(phalanx_ledger_create(at("arguments"), config("arguments", "")), PHALANX_ERROR_LEDGER_STORE);
}

/* A key over BLAKE2s: guarded as the others are, and read back from a keystore with its seed. */
static void over_blake2s(void) {
    enum { set = PHALANX_XMSS_BLAKE2S_L32_D42B8 };
    phalanx_ledger *ledger = new_ledger("blake2s", "");
    phalanx_xmss_signing_key *key, *back = NULL;
    phalanx_guarded_key *guarded = NULL;
    uint8_t seed[32], message[32], signature[1208], again[1208], vk[32];
    size_t len;
    bool repeated = true;
    memset(seed, 0x2b, sizeof seed);
    memset(message, 1, sizeof message);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, set, seed, 0, 8, 1, NULL, NULL));
    CHECK_STATUS(phalanx_guarded_key_new(&guarded, ledger, key), PHALANX_ERROR_LEDGER_NO_STATE);
    CHECK_OK(phalanx_ledger_register(ledger, key, ATTESTER, 0));
    CHECK(mkdir(at("blake2s-keys"), 0700) == 0);
    CHECK_STATUS(phalanx_keystore_write(at("blake2s-keys/none.json"), key, NULL, ATTESTER, (const uint8_t *)"p", 1, NULL, 0),
                 PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_OK(phalanx_keystore_write(at("blake2s-keys/key.json"), key, seed, ATTESTER, (const uint8_t *)"p", 1, NULL, 0));
    phalanx_xmss_signing_key_free(key);
    CHECK_OK(phalanx_keystore_load(&back, NULL, at("blake2s-keys/key.json"), (const uint8_t *)"p", 1, 0, 1));
    guarded = guard(ledger, back);
    CHECK_OK(phalanx_guarded_key_verifying_key(guarded, vk, sizeof vk, &len, SSZ));
    CHECK(len == sizeof vk);
    CHECK_OK(phalanx_guarded_key_sign(guarded, signature, sizeof signature, &len, &repeated, 3, message));
    CHECK(len == sizeof signature && !repeated);
    CHECK_OK(phalanx_xmss_verify(set, SSZ, vk, sizeof vk, 3, message, signature, len));
    CHECK_OK(phalanx_guarded_key_sign(guarded, again, sizeof again, &len, &repeated, 3, message));
    CHECK(repeated && memcmp(signature, again, sizeof again) == 0);
    message[0] = 2;
    CHECK_STATUS(phalanx_guarded_key_sign(guarded, again, sizeof again, &len, NULL, 3, message), PHALANX_ERROR_LEDGER_EPOCH_USED);
    phalanx_guarded_key_free(guarded);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&key, set, seed, 0, 16, 1, NULL, NULL));
    CHECK_STATUS(phalanx_ledger_register(ledger, key, ATTESTER, 0), PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS);
    phalanx_xmss_signing_key_free(key);
    phalanx_ledger_free(ledger);
}

/* One key through several lives of its ledger, and what an operator does with it. */
static void lives(void) {
    phalanx_ledger *ledger = new_ledger("lives", "");
    phalanx_guarded_key *key = new_guarded(ledger, 2);
    phalanx_xmss_signing_key *other;
    phalanx_standing standing;
    uint8_t first[3116], again[3116], id[32], vk[52], message[32];
    uint64_t start, end;
    size_t len;
    CHECK_OK(phalanx_guarded_key_id(key, id));
    CHECK_OK(phalanx_guarded_key_verifying_key(key, vk, sizeof vk, &len, SSZ));
    CHECK_OK(sign_into(key, first, 3, 1, false));
    memset(message, 1, sizeof message);
    CHECK_OK(phalanx_xmss_verify(L8, SSZ, vk, len, 3, message, first, signature_size));
    CHECK_OK(sign_into(key, again, 3, 1, true));
    CHECK(memcmp(first, again, signature_size) == 0);
    CHECK_STATUS(sign(key, 3, 2, false), PHALANX_ERROR_LEDGER_EPOCH_USED);
    CHECK_STATUS(sign(key, 256, 2, false), PHALANX_ERROR_LEDGER_EXHAUSTED);
    /* The ledger stays open as long as its keys are. */
    phalanx_ledger_free(ledger);
    CHECK_OK(sign(key, 4, 2, false));
    phalanx_guarded_key_free(key);

    ledger = open_ledger("lives", "");
    other = new_key(2, 64);
    CHECK_STATUS(phalanx_ledger_register(ledger, other, ATTESTER, 0), PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS);
    CHECK_STATUS(phalanx_ledger_adopt(ledger, other, ATTESTER, 9, "x"), PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS);
    CHECK_STATUS(phalanx_guarded_key_new(&key, ledger, other), PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS);
    phalanx_xmss_signing_key_free(other);
    key = guard(ledger, new_key(2, 256));
    CHECK_OK(sign_into(key, again, 3, 1, true));
    CHECK(memcmp(first, again, signature_size) == 0);
    CHECK_STATUS(sign(key, 4, 1, false), PHALANX_ERROR_LEDGER_EPOCH_USED);

    CHECK_OK(phalanx_ledger_raise_low(ledger, id, 10, "a test"));
    CHECK_STATUS(phalanx_ledger_raise_low(ledger, id, 9, "a test"), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(sign(key, 9, 1, false), PHALANX_ERROR_LEDGER_PASSED);
    CHECK_OK(sign(key, 3, 1, true));
    CHECK_OK(phalanx_ledger_quarantine(ledger, id, "a test"));
    CHECK_STATUS(sign(key, 3, 1, true), PHALANX_ERROR_LEDGER_QUARANTINED);
    CHECK_OK(phalanx_ledger_standing(ledger, &standing, id));
    CHECK(standing.state == PHALANX_KEY_STATE_QUARANTINED && standing.role == ATTESTER && standing.low == 10);
    CHECK(standing.has_highest && standing.highest == 4 && !standing.has_high && !standing.is_strict);
    CHECK(standing.start_epoch == 0 && standing.end_epoch == 256);
    other = new_key(2, 256);
    CHECK_OK(phalanx_ledger_adopt(ledger, other, ATTESTER, 20, "looked at"));
    CHECK_OK(phalanx_ledger_adopt(ledger, other, ATTESTER, 15, "nothing is lowered"));
    phalanx_xmss_signing_key_free(other);
    CHECK_STATUS(sign(key, 19, 1, false), PHALANX_ERROR_LEDGER_PASSED);
    CHECK_OK(sign(key, 200, 1, false));
    CHECK_OK(phalanx_guarded_key_prepared_interval(key, &start, &end));
    CHECK(start <= 200 && end > 200);
    CHECK_STATUS(sign(key, 21, 1, false), PHALANX_ERROR_XMSS_PASSED);
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
}

/* A ledger with a clock, whose keys sign only forward. */
static void clocks(void) {
    char more[200];
    phalanx_ledger *ledger;
    phalanx_guarded_key *key;
    /* It is epoch 100 for the next eleven days. */
    snprintf(more, sizeof more,
             "ordering = \"strict\"\nallow_unsynchronised_clock = true\n"
             "[new]\nepoch_seconds = 1000000\ngenesis_time = %lld\n",
             (long long)time(NULL) - 100 * 1000000LL - 1000);
    ledger = new_ledger("clocks", more);
    key = new_guarded(ledger, 3);
    CHECK_STATUS(sign(key, 105, 1, false), PHALANX_ERROR_LEDGER_AHEAD);
    CHECK_STATUS(sign(key, 35, 1, false), PHALANX_ERROR_LEDGER_BEHIND);
    CHECK_OK(sign(key, 101, 1, false));
    CHECK_STATUS(sign(key, 99, 1, false), PHALANX_ERROR_LEDGER_OUT_OF_ORDER);
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
    /* A clean stop burns nothing where it is trusted; any other start burns up to 105. */
    ledger = open_ledger("clocks", "resume = \"trust-store\"\nallow_unsynchronised_clock = true");
    key = guard(ledger, new_key(3, 256));
    CHECK_OK(sign(key, 102, 1, false));
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
    ledger = open_ledger("clocks", "allow_unsynchronised_clock = true");
    key = guard(ledger, new_key(3, 256));
    CHECK_STATUS(sign(key, 103, 1, false), PHALANX_ERROR_LEDGER_PASSED);
    CHECK_OK(sign(key, 102, 1, true));
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
}

static void many(void) {
    enum { COUNT = 6 };
    phalanx_ledger *ledger = new_ledger("many", "");
    phalanx_guarded_key *keys[3];
    phalanx_sign_item items[COUNT];
    uint8_t signatures[COUNT][3116], a[32] = {1}, b[32] = {2};
    size_t i;
    for (i = 0; i < 3; i++) {
        keys[i] = new_guarded(ledger, (uint8_t)(10 + i));
    }
    memset(items, 0, sizeof items);
    for (i = 0; i < COUNT; i++) {
        items[i].key = keys[i % 3];
        items[i].epoch = 7;
        items[i].message = a;
        items[i].signature = signatures[i];
        items[i].capacity = sizeof signatures[i];
    }
    items[3].message = b;      /* the epoch is the first one's */
    items[4].capacity = 10;    /* too small */
    items[5].key = NULL;
    CHECK_STATUS(phalanx_guarded_key_sign_many(items, COUNT, 2), PHALANX_ERROR_LEDGER_EPOCH_USED);
    for (i = 0; i < 3; i++) {
        CHECK(items[i].status == PHALANX_OK && items[i].signature_len == signature_size && !items[i].repeated);
    }
    CHECK(items[3].status == PHALANX_ERROR_LEDGER_EPOCH_USED && items[4].status == PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(items[4].signature_len == signature_size && items[5].status == PHALANX_ERROR_NULL_POINTER);
    CHECK_OK(phalanx_guarded_key_sign_many(items, 3, 1));
    CHECK(items[0].repeated && items[2].repeated);
    CHECK_OK(phalanx_guarded_key_sign_many(NULL, 0, 1));
    CHECK_STATUS(phalanx_guarded_key_sign_many(NULL, 1, 1), PHALANX_ERROR_NULL_POINTER);
    for (i = 0; i < 3; i++) {
        phalanx_guarded_key_free(keys[i]);
    }
    phalanx_ledger_free(ledger);
}

struct racer {
    phalanx_guarded_key *key;
    uint8_t byte;
    unsigned won, lost;
};

static void *race(void *argument) {
    struct racer *racer = (struct racer *)argument;
    uint32_t epoch;
    uint8_t signature[3116], message[32];
    memset(message, racer->byte, sizeof message);
    for (epoch = 0; epoch < 8; epoch++) {
        size_t len;
        phalanx_status status = phalanx_guarded_key_sign(racer->key, signature, sizeof signature, &len, NULL, epoch, message);
        racer->won += status == PHALANX_OK;
        racer->lost += status == PHALANX_ERROR_LEDGER_EPOCH_USED;
    }
    return NULL;
}

static void threads(void) {
    enum { COUNT = 6 };
    phalanx_ledger *ledger = new_ledger("threads", "");
    phalanx_guarded_key *key = new_guarded(ledger, 20);
    struct racer racers[COUNT];
    pthread_t handles[COUNT];
    unsigned i, won = 0, lost = 0;
    for (i = 0; i < COUNT; i++) {
        memset(&racers[i], 0, sizeof racers[i]);
        racers[i].key = key;
        racers[i].byte = (uint8_t)i;
        CHECK(pthread_create(&handles[i], NULL, race, &racers[i]) == 0);
    }
    for (i = 0; i < COUNT; i++) {
        CHECK(pthread_join(handles[i], NULL) == 0);
        won += racers[i].won;
        lost += racers[i].lost;
    }
    CHECK(won == 8 && lost == 8 * (COUNT - 1));
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
}

/* A file that is exchanged while it is open stops everything, also repeats. */
static void poisoned(void) {
    phalanx_ledger *ledger = new_ledger("poisoned", "");
    phalanx_guarded_key *key = new_guarded(ledger, 30);
    CHECK_OK(sign(key, 1, 1, false));
    CHECK(rename(at("poisoned/ledger.sqlite3"), at("poisoned/away")) == 0);
    CHECK_STATUS(sign(key, 2, 1, false), PHALANX_ERROR_LEDGER_UNAVAILABLE);
    CHECK_STATUS(sign(key, 1, 1, true), PHALANX_ERROR_LEDGER_UNAVAILABLE);
    CHECK_STATUS(phalanx_ledger_health(ledger), PHALANX_ERROR_LEDGER_UNAVAILABLE);
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
    CHECK(rename(at("poisoned/away"), at("poisoned/ledger.sqlite3")) == 0);
    ledger = open_ledger("poisoned", "");
    key = guard(ledger, new_key(30, 256));
    CHECK_OK(sign(key, 1, 1, true));
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
}

static void in_a_fork(void) {
    phalanx_ledger *ledger = new_ledger("fork", ""), *anew = NULL;
    phalanx_guarded_key *key = new_guarded(ledger, 40);
    int status = 0;
    pid_t child;
    CHECK_OK(sign(key, 1, 1, false));
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        uint8_t id[32];
        phalanx_standing standing;
        CHECK_STATUS(phalanx_ledger_health(ledger), PHALANX_ERROR_LEDGER_FORKED);
        CHECK_STATUS(sign(key, 2, 1, false), PHALANX_ERROR_LEDGER_FORKED);
        CHECK_STATUS(sign(key, 1, 1, true), PHALANX_ERROR_LEDGER_FORKED);
        CHECK_OK(phalanx_guarded_key_id(key, id));
        CHECK_STATUS(phalanx_ledger_standing(ledger, &standing, id), PHALANX_ERROR_LEDGER_FORKED);
        CHECK_STATUS(phalanx_ledger_open(&anew, at("fork"), config("fork", "")), PHALANX_ERROR_LEDGER_IN_USE);
        phalanx_guarded_key_free(key);
        phalanx_ledger_free(ledger);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_OK(sign(key, 2, 2, false));
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
}

/* Children sign and are killed; what they have released is never signed with another message. */
static void killed(void) {
    enum { LIVES = 6 };
    phalanx_ledger *ledger = new_ledger("killed", "");
    phalanx_guarded_key *key;
    bool released[256] = {false};
    uint32_t life, epoch, count = 0;
    phalanx_guarded_key_free(new_guarded(ledger, 50));
    phalanx_ledger_free(ledger);
    for (life = 0; life < LIVES; life++) {
        int ends[2];
        uint8_t told;
        pid_t child;
        CHECK(pipe(ends) == 0);
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            ledger = open_ledger("killed", "");
            key = guard(ledger, new_key(50, 256));
            for (epoch = life * 40; epoch < 256; epoch++) {
                /* An epoch at which the last life was killed may be its own. */
                if (sign(key, epoch, (uint8_t)(60 + life), false) == PHALANX_OK) {
                    told = (uint8_t)epoch;
                    CHECK(write(ends[1], &told, 1) == 1);
                }
            }
            _exit(0);
        }
        close(ends[1]);
        for (epoch = 0; epoch < 3 + 2 * life && read(ends[0], &told, 1) == 1; epoch++) {
            released[told] = true;
        }
        CHECK(kill(child, SIGKILL) == 0);
        while (read(ends[0], &told, 1) == 1) {
            released[told] = true;
        }
        CHECK(waitpid(child, NULL, 0) == child);
        close(ends[0]);
    }
    ledger = open_ledger("killed", "");
    key = guard(ledger, new_key(50, 256));
    for (epoch = 0; epoch < 256; epoch++) {
        if (released[epoch]) {
            count++;
            CHECK_STATUS(sign(key, epoch, 1, false), PHALANX_ERROR_LEDGER_EPOCH_USED);
        }
    }
    CHECK(count >= 3 * LIVES);
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
}

/* Without a configuration the side log is in the user's state folder, and a folder that was restored is found out. */
static void restored(void) {
    phalanx_ledger *ledger = NULL;
    phalanx_guarded_key *key;
    uint8_t before[1 << 16];
    size_t len;
    FILE *file;
    CHECK(setenv("XDG_STATE_HOME", at("state"), 1) == 0);
    CHECK_OK(phalanx_ledger_create(at("restored"), "allow_file_systems = [\"overlay\"]"));
    CHECK_OK(phalanx_ledger_open(&ledger, at("restored"), "allow_file_systems = [\"overlay\"]"));
    key = new_guarded(ledger, 80);
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
    CHECK((file = fopen(at("restored/ledger.sqlite3"), "rb")) != NULL);
    len = fread(before, 1, sizeof before, file);
    CHECK(len > 4096 && len < sizeof before && fclose(file) == 0);
    CHECK_OK(phalanx_ledger_open(&ledger, at("restored"), "allow_file_systems = [\"overlay\"]"));
    key = guard(ledger, new_key(80, 256));
    CHECK_OK(sign(key, 1, 1, false));
    phalanx_guarded_key_free(key);
    phalanx_ledger_free(ledger);
    CHECK((file = fopen(at("restored/ledger.sqlite3"), "r+b")) != NULL);
    CHECK(fwrite(before, 1, len, file) == len && fclose(file) == 0);
    CHECK_STATUS(phalanx_ledger_open(&ledger, at("restored"), "allow_file_systems = [\"overlay\"]"),
                 PHALANX_ERROR_LEDGER_STORE_OLDER);
    CHECK(unsetenv("XDG_STATE_HOME") == 0);
}

int main(int argc, char **argv) {
    bool is_short = argc > 2 && strcmp(argv[2], "short") == 0;
    if (argc < 2) {
        fprintf(stderr, "custody FOLDER [short]\n");
        return 2;
    }
    begin(argv[1]);
    numbers();
    arguments();
    lives();
    over_blake2s();
    many();
    threads();
    poisoned();
    restored();
    if (!is_short) {
        clocks();
        in_a_fork();
        killed();
    }
    return end("custody", is_short ? 200 : 330);
}
