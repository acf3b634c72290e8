/* Aggregates: aggregate LINES_FOLDER VECTORS_FOLDER [short], with the files of vectors/aggregate. Short: no proof is made
 * (valgrind does not know every instruction of the prover), and one refused case in eight is tried. */
#include "check.h"

enum { SSZ = PHALANX_XMSS_FORMAT_SSZ, SET = PHALANX_XMSS_BLAKE2S_L32_D42B8 };
enum { P100 = PHALANX_AGGREGATE_PROFILE_PROVABLE100, P128 = PHALANX_AGGREGATE_PROFILE_PROVABLE128 };
enum { DEFAULT = PHALANX_AGGREGATE_SIGNATURES_DEFAULT };

static const phalanx_aggregate_limits BOTH = {true, true, DEFAULT};
static const uint8_t CONTEXT[7] = {'c', 'o', 'n', 't', 'e', 'x', 't'};
static const uint32_t EPOCH = 0x89abcdef;

static blob vector(const char *folder, const char *name) {
    char path[1024];
    CHECK((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path);
    return read_file(path);
}

/* The bytes after the change that a case names for `file`, in memory that ends where they end. */
static blob changed(lines *cases, unsigned long i, const char *file, blob bytes) {
    static const char *const CHANGES[] = {"flip", "cut", "append"};
    blob made = blob_of(bytes.data, bytes.len);
    size_t change;
    for (change = 0; change < 3; change++) {
        const char *of = lines_get(cases, "/%lu/%s/file", i, CHANGES[change]);
        if (!of || strcmp(of, file) != 0) continue;
        if (change == 0) {
            uint64_t offset = lines_number(cases, "/%lu/flip/offset", i);
            CHECK(offset < made.len);
            made.data[offset] ^= (uint8_t)lines_number(cases, "/%lu/flip/xor", i);
        } else if (change == 1) {
            blob cut = blob_of(made.data, (size_t)lines_number(cases, "/%lu/cut/length", i));
            free(made.data);
            made = cut;
        } else {
            blob more = unhex(lines_get(cases, "/%lu/append/bytes_hex", i));
            blob longer;
            longer.len = made.len + more.len;
            longer.data = (uint8_t *)get_memory(longer.len);
            memcpy(longer.data, made.data, made.len);
            memcpy(longer.data + made.len, more.data, more.len);
            free(made.data);
            free(more.data);
            made = longer;
        }
    }
    return made;
}

/* Every verdict of the file. What is refused is refused by the statement or by a check of the verifier. */
static void verdicts(const char *lines_folder, const char *folder, bool is_short) {
    char path[1024];
    lines cases;
    uint64_t i, count;
    unsigned long accepted = 0, tried = 0;
    CHECK((size_t)snprintf(path, sizeof path, "%s/cases.lines", lines_folder) < sizeof path);
    cases = lines_load(path);
    count = lines_number(&cases, "#");
    for (i = 0; i < count; i++) {
        unsigned long at = (unsigned long)i;
        bool accept = strcmp(lines_get(&cases, "/%lu/verdict", at), "accept") == 0;
        blob file, statement, aggregate, context;
        phalanx_aggregate_statement *read = NULL;
        phalanx_status status;
        if (is_short && !accept && i % 8 != 0) continue;
        tried++;
        file = vector(folder, lines_get(&cases, "/%lu/statement", at));
        statement = changed(&cases, at, "statement", file);
        free(file.data);
        file = vector(folder, lines_get(&cases, "/%lu/aggregate", at));
        aggregate = changed(&cases, at, "aggregate", file);
        free(file.data);
        context = unhex(lines_get(&cases, "/%lu/context_hex", at));
        status = phalanx_aggregate_statement_from_bytes(&read, statement.data, statement.len);
        if (status == PHALANX_OK) {
            status = phalanx_aggregate_verify(&BOTH, NULL, read, context.data, context.len, aggregate.data, aggregate.len);
            CHECK(status == PHALANX_OK || phalanx_status_family((uint32_t)status) == PHALANX_FAMILY_DOES_NOT_VERIFY);
        } else {
            CHECK(read == NULL && phalanx_status_family((uint32_t)status) == PHALANX_FAMILY_MALFORMED);
        }
        if (accept != (status == PHALANX_OK)) fprintf(stderr, "case %s\n", lines_get(&cases, "/%lu/name", at));
        CHECK(accept == (status == PHALANX_OK));
        accepted += accept;
        phalanx_aggregate_statement_free(read);
        free(statement.data);
        free(aggregate.data);
        free(context.data);
    }
    CHECK(accepted >= 1 && tried > accepted);
    lines_free(&cases);
}

/* Where a bent aggregate is caught, and what is told about it. The offsets are those of section 5 of docs/aggregate.md. */
static void checks_by_name(const char *folder) {
    enum { SLICES = 512, ZEROCHECK = 22 * 32, LINCHECK = 14 * 32, WIRING = 12 * 32 };
    enum { PRODUCTS = 61 + SLICES + ZEROCHECK, SECOND = PRODUCTS + 32, THIRD = SECOND + LINCHECK + SLICES };
    static const struct {
        size_t offset;
        phalanx_status status;
    } BENT[] = {
        {3, PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE},
        {37, PHALANX_ERROR_AGGREGATE_NO_ENCODING},
        {5, PHALANX_ERROR_AGGREGATE_ZEROCHECK},
        {SECOND, PHALANX_ERROR_AGGREGATE_LINCHECK},
        {THIRD, PHALANX_ERROR_AGGREGATE_WIRING},
        {THIRD + WIRING + SLICES, PHALANX_ERROR_AGGREGATE_OPENING},
    };
    phalanx_aggregate_limits limits = BOTH;
    phalanx_aggregate_statement *statement = NULL;
    blob bytes = vector(folder, "statement1.bin"), aggregate = vector(folder, "aggregate1.bin");
    uint64_t place;
    size_t i;
    CHECK_OK(phalanx_aggregate_statement_from_bytes(&statement, bytes.data, bytes.len));
    for (i = 0; i < sizeof BENT / sizeof *BENT; i++) {
        aggregate.data[BENT[i].offset] ^= 1;
        place = 99;
        CHECK_STATUS(phalanx_aggregate_verify(&BOTH, &place, statement, CONTEXT, 7, aggregate.data, aggregate.len),
                     BENT[i].status);
        if (BENT[i].status == PHALANX_ERROR_AGGREGATE_NO_ENCODING) {
            CHECK(place == 0);
        } else if (BENT[i].status == PHALANX_ERROR_AGGREGATE_OPENING) {
            CHECK(place == PHALANX_ERROR_LIGERITO_MERKLE_ROOT || place == PHALANX_ERROR_LIGERITO_FINAL_CLAIM);
        } else {
            CHECK(place == 99);
        }
        aggregate.data[BENT[i].offset] ^= 1;
    }
    CHECK_STATUS(phalanx_aggregate_verify(&BOTH, NULL, statement, CONTEXT, 7, aggregate.data, THIRD),
                 PHALANX_ERROR_AGGREGATE_LENGTH);
    CHECK_STATUS(phalanx_aggregate_verify(&BOTH, NULL, statement, NULL, 0, NULL, 0), PHALANX_ERROR_AGGREGATE_LENGTH);
    /* The limits. */
    limits.provable128 = false;
    CHECK_OK(phalanx_aggregate_verify(&limits, NULL, statement, CONTEXT, 7, aggregate.data, aggregate.len));
    limits.provable100 = false, limits.provable128 = true;
    CHECK_STATUS(phalanx_aggregate_verify(&limits, NULL, statement, CONTEXT, 7, aggregate.data, aggregate.len),
                 PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE);
    limits = BOTH, limits.signatures_max = 0;
    CHECK_STATUS(phalanx_aggregate_verify(&limits, NULL, statement, CONTEXT, 7, aggregate.data, aggregate.len),
                 PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES);
    CHECK_STATUS(phalanx_aggregate_verify(NULL, NULL, statement, CONTEXT, 7, aggregate.data, aggregate.len),
                 PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_aggregate_verify(&BOTH, NULL, NULL, CONTEXT, 7, aggregate.data, aggregate.len),
                 PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_aggregate_verify(&BOTH, NULL, statement, CONTEXT, 7, NULL, 5), PHALANX_ERROR_NULL_POINTER);
    phalanx_aggregate_statement_free(statement);
    free(bytes.data);
    free(aggregate.data);
}

/* Names, sizes and memory. */
static void sizes(const char *folder) {
    uint32_t profile = 0;
    blob first = vector(folder, "aggregate1.bin"), third = vector(folder, "aggregate3.bin");
    CHECK(strcmp(phalanx_aggregate_profile_name(P100), "aggregate-v1-provable100") == 0);
    CHECK(strcmp(phalanx_aggregate_profile_name(P128), "aggregate-v1-provable128") == 0);
    CHECK(phalanx_aggregate_profile_name(2) == NULL);
    CHECK_OK(phalanx_aggregate_profile_from_name(&profile, "aggregate-v1-provable128"));
    CHECK(profile == P128 && third.data[4] == P128 && first.data[4] == P100);
    CHECK_STATUS(phalanx_aggregate_profile_from_name(&profile, "balanced"), PHALANX_ERROR_UNKNOWN_NAME);
    CHECK(phalanx_aggregate_size(P100, 1) >= first.len && phalanx_aggregate_size(P128, 1) >= third.len);
    CHECK(phalanx_aggregate_size(P100, 461) < 461 * 1208);
    CHECK(phalanx_aggregate_size(P100, PHALANX_AGGREGATE_SIGNATURES_MAX) > 0);
    CHECK(phalanx_aggregate_size(P100, 0) == 0 && phalanx_aggregate_size(2, 1) == 0);
    CHECK(phalanx_aggregate_size(P128, PHALANX_AGGREGATE_SIGNATURES_MAX + 1) == 0);
    /* The words, which both profiles commit to, weigh most: twice as many signatures, twice as many words. */
    CHECK(phalanx_aggregate_memory(P128, 461) >= phalanx_aggregate_memory(P100, 461));
    CHECK(phalanx_aggregate_memory(P100, 923) > phalanx_aggregate_memory(P100, 461));
    CHECK(phalanx_aggregate_memory(P100, 461) / 461 < 3500000);
    CHECK(phalanx_aggregate_memory(P100, 0) == 0 && phalanx_aggregate_memory(0, 1) == 0);
    free(first.data);
    free(third.data);
}

/* Groups in, groups out; what is no statement. */
static void statements(const char *folder) {
    uint8_t messages[2][32] = {{'a'}, {'b'}}, keys[3][32] = {{3}, {1}, {2}}, bytes[1024];
    phalanx_aggregate_group groups[3], found;
    phalanx_aggregate_pair pairs[4];
    phalanx_aggregate_statement *statement = NULL, *again = NULL;
    size_t len = 0, group_count = 0, count = 0, i;
    blob published = vector(folder, "statement1.bin");
    memset(groups, 0, sizeof groups);
    /* Not in order: epoch 7 before 6, message b before a, keys falling. One key is in both groups of epoch 6. */
    groups[0].epoch = 7, groups[0].message = messages[0], groups[0].keys = keys[0], groups[0].keys_count = 1;
    groups[1].epoch = 6, groups[1].message = messages[1], groups[1].keys = keys[0], groups[1].keys_count = 2;
    groups[2].epoch = 6, groups[2].message = messages[0], groups[2].keys = keys[1], groups[2].keys_count = 2;
    CHECK_OK(phalanx_aggregate_statement_new(&statement, groups, 3));
    CHECK_OK(phalanx_aggregate_statement_counts(statement, &group_count, &count));
    CHECK(group_count == 3 && count == 5);
    CHECK_OK(phalanx_aggregate_statement_counts(statement, NULL, NULL));
    CHECK_OK(phalanx_aggregate_statement_group(statement, &found, 0));
    CHECK(found.epoch == 6 && found.keys_count == 2 && memcmp(found.message, messages[0], 32) == 0);
    CHECK(found.keys[0] == 1 && found.keys[32] == 2);
    CHECK_OK(phalanx_aggregate_statement_group(statement, &found, 1));
    CHECK(found.epoch == 6 && found.keys[0] == 1 && found.keys[32] == 3 && memcmp(found.message, messages[1], 32) == 0);
    CHECK_OK(phalanx_aggregate_statement_group(statement, &found, 2));
    CHECK(found.epoch == 7 && found.keys_count == 1);
    CHECK_STATUS(phalanx_aggregate_statement_group(statement, &found, 3), PHALANX_ERROR_INVALID_ARGUMENT);
    /* Key 1 has signed two messages at epoch 6: signatures 0 and 2. */
    CHECK_OK(phalanx_aggregate_statement_equivocations(statement, pairs, 4, &count));
    CHECK(count == 1 && pairs[0].first == 0 && pairs[0].second == 2);
    CHECK_STATUS(phalanx_aggregate_statement_equivocations(statement, NULL, 0, &count), PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(count == 1);
    /* There and back. */
    CHECK_STATUS(phalanx_aggregate_statement_to_bytes(statement, NULL, 0, &len), PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(len == 4 + 3 * 40 + 5 * 32);
    CHECK_OK(phalanx_aggregate_statement_to_bytes(statement, bytes, sizeof bytes, &len));
    CHECK_OK(phalanx_aggregate_statement_from_bytes(&again, bytes, len));
    CHECK_OK(phalanx_aggregate_statement_counts(again, NULL, &count));
    CHECK(count == 5);
    phalanx_aggregate_statement_free(again);
    /* Of bytes. */
    for (i = 0; i < len; i += 37) {
        blob cut = blob_of(bytes, i);
        CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, cut.data, cut.len),
                     PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH);
        CHECK(again == NULL);
        free(cut.data);
    }
    CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, bytes, len + 1), PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH);
    CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, NULL, 0), PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH);
    bytes[44] = 9; /* the first key of the first group above the second */
    CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, bytes, len), PHALANX_ERROR_AGGREGATE_KEY_ORDER);
    bytes[44] = 1, bytes[4] = 8; /* its epoch above that of the others */
    CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, bytes, len), PHALANX_ERROR_AGGREGATE_GROUP_ORDER);
    bytes[4] = 6, bytes[40] = 0;
    CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, bytes, len), PHALANX_ERROR_AGGREGATE_EMPTY_GROUP);
    memset(bytes, 0, 4);
    CHECK_STATUS(phalanx_aggregate_statement_from_bytes(&again, bytes, len), PHALANX_ERROR_AGGREGATE_NO_GROUPS);
    phalanx_aggregate_statement_free(statement);
    /* Of groups. */
    CHECK_STATUS(phalanx_aggregate_statement_new(&again, NULL, 0), PHALANX_ERROR_AGGREGATE_NO_GROUPS);
    CHECK(again == NULL);
    groups[0] = groups[1];
    CHECK_STATUS(phalanx_aggregate_statement_new(&again, groups, 2), PHALANX_ERROR_AGGREGATE_KEY_ORDER);
    groups[0].keys_count = 0;
    CHECK_STATUS(phalanx_aggregate_statement_new(&again, groups, 2), PHALANX_ERROR_AGGREGATE_EMPTY_GROUP);
    groups[0].keys_count = 1, groups[0].message = NULL;
    CHECK_STATUS(phalanx_aggregate_statement_new(&again, groups, 2), PHALANX_ERROR_NULL_POINTER);
    groups[0].message = messages[0], groups[0].keys = NULL;
    CHECK_STATUS(phalanx_aggregate_statement_new(&again, groups, 2), PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_aggregate_statement_new(NULL, groups, 2), PHALANX_ERROR_NULL_POINTER);
    groups[0].keys_count = PHALANX_AGGREGATE_SIGNATURES_MAX + 1;
    groups[0].keys = (uint8_t *)get_memory(groups[0].keys_count * 32);
    memset((void *)groups[0].keys, 5, groups[0].keys_count * 32);
    CHECK_STATUS(phalanx_aggregate_statement_new(&again, groups, 1), PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES);
    free((void *)groups[0].keys);
    phalanx_aggregate_statement_free(NULL);
    /* The published one, of its key. */
    groups[0].epoch = EPOCH, groups[0].message = published.data + 8, groups[0].keys = published.data + 44;
    groups[0].keys_count = 1;
    CHECK_OK(phalanx_aggregate_statement_new(&statement, groups, 1));
    CHECK_OK(phalanx_aggregate_statement_to_bytes(statement, bytes, sizeof bytes, &len));
    CHECK(same(published, bytes, len));
    phalanx_aggregate_statement_free(statement);
    free(published.data);
}

/* The signature of the published aggregates, and what a prover is refused; whole: both are made again byte for byte. */
static void proofs(const char *folder, bool is_short) {
    static const struct {
        uint32_t profile;
        const char *file;
    } PUBLISHED[] = {{P100, "aggregate1.bin"}, {P128, "aggregate3.bin"}};
    uint8_t seed[32], message[32], key[32], signature[1208];
    phalanx_aggregate_group group;
    phalanx_aggregate_statement *statement = NULL;
    phalanx_xmss_signing_key *signer = NULL;
    phalanx_pool *pool = NULL;
    phalanx_bytes signatures[2];
    size_t len = 0, capacity = phalanx_aggregate_size(P128, 1), i;
    uint64_t place = 99, memory = phalanx_aggregate_memory(P100, 1);
    uint8_t *out = (uint8_t *)get_memory(capacity);
    for (i = 0; i < 32; i++) seed[i] = (uint8_t)i, message[i] = (uint8_t)(100 + i);
    CHECK_OK(phalanx_xmss_signing_key_from_seed(&signer, SET, seed, EPOCH, 1, 1, NULL, NULL));
    CHECK_OK(phalanx_xmss_signing_key_verifying_key(signer, key, sizeof key, &len, SSZ));
    CHECK_OK(phalanx_xmss_sign(signer, signature, sizeof signature, &len, SSZ, EPOCH, message));
    CHECK(len == sizeof signature);
    phalanx_xmss_signing_key_free(signer);
    group.epoch = EPOCH, group.message = message, group.keys = key, group.keys_count = 1;
    CHECK_OK(phalanx_aggregate_statement_new(&statement, &group, 1));
    signatures[0].data = signature, signatures[0].len = sizeof signature;
    signatures[1] = signatures[0];

#define AGGREGATE(profile, count, room, limit) \
    phalanx_aggregate(statement, out, room, &len, &place, profile, signatures, count, CONTEXT, 7, limit, 1)
    CHECK_STATUS(AGGREGATE(P100, 0, capacity, memory), PHALANX_ERROR_INVALID_LENGTH);
    CHECK_STATUS(AGGREGATE(P100, 2, capacity, memory), PHALANX_ERROR_INVALID_LENGTH);
    CHECK_STATUS(AGGREGATE(P100, 1, capacity, memory - 1), PHALANX_ERROR_AGGREGATE_MEMORY);
    CHECK(phalanx_status_family(PHALANX_ERROR_AGGREGATE_MEMORY) == PHALANX_FAMILY_CALLER);
    CHECK_STATUS(AGGREGATE(P100, 1, phalanx_aggregate_size(P100, 1) - 1, memory), PHALANX_ERROR_BUFFER_TOO_SMALL);
    CHECK(len == phalanx_aggregate_size(P100, 1));
    CHECK_STATUS(AGGREGATE(2, 1, capacity, memory), PHALANX_ERROR_INVALID_ARGUMENT);
    CHECK(place == 99);
    signature[700] ^= 1;
    CHECK_STATUS(AGGREGATE(P100, 1, capacity, memory), PHALANX_ERROR_INVALID_SIGNATURE);
    CHECK(place == 0);
    signature[700] ^= 1, signatures[0].len--, place = 99;
    CHECK_STATUS(AGGREGATE(P128, 1, capacity, memory), PHALANX_ERROR_MALFORMED);
    CHECK(place == 0);
    signatures[0].len++, signatures[0].data = NULL;
    CHECK_STATUS(AGGREGATE(P128, 1, capacity, memory), PHALANX_ERROR_NULL_POINTER);
    signatures[0].data = signature;
    CHECK_STATUS(phalanx_aggregate_on(NULL, NULL, out, capacity, &len, NULL, P100, signatures, 1, NULL, 0, memory),
                 PHALANX_ERROR_NULL_POINTER);
    CHECK_STATUS(phalanx_aggregate_on(NULL, statement, out, capacity, &len, NULL, P100, signatures, 1, NULL, 0, 0),
                 PHALANX_ERROR_AGGREGATE_MEMORY);

    for (i = 0; i < 2 && !is_short; i++) {
        blob wanted = vector(folder, PUBLISHED[i].file);
        uint32_t profile = PUBLISHED[i].profile;
        memory = phalanx_aggregate_memory(profile, 1);
        CHECK_OK(AGGREGATE(profile, 1, phalanx_aggregate_size(profile, 1), memory));
        CHECK(same(wanted, out, len));
        if (profile == P100) {
            memset(out, 0, len);
            CHECK_OK(phalanx_pool_new(&pool, 2));
            CHECK_OK(phalanx_aggregate_on(pool, statement, out, capacity, &len, NULL, profile, signatures, 1, CONTEXT, 7,
                                          PHALANX_AGGREGATE_MEMORY_DEFAULT));
            CHECK(same(wanted, out, len));
            phalanx_pool_free(pool);
        }
        free(wanted.data);
    }
#undef AGGREGATE
    phalanx_aggregate_statement_free(statement);
    free(out);
}

int main(int argc, char **argv) {
    bool is_short = argc > 3 && strcmp(argv[3], "short") == 0;
    if (argc < 3) {
        fprintf(stderr, "usage: aggregate LINES_FOLDER VECTORS_FOLDER [short]\n");
        return 2;
    }
    sizes(argv[2]);
    statements(argv[2]);
    checks_by_name(argv[2]);
    proofs(argv[2], is_short);
    verdicts(argv[1], argv[2], is_short);
    return finish("aggregate", is_short ? 300 : 1000);
}
