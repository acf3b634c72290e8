/* A program for libsodium, compiled twice: as it is, and with -DWITH_PHALANX. Both have to print the same.
 * sodium FILE...: vector files as lines (see xtask's lines.rs). */
#ifdef WITH_PHALANX
#include <phalanx_sodium.h>
#else
#include <sodium.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a case has, by the last part of the path of a line. */
enum { SEED, PK, MSG, SIG, FIELDS };
static const char *const NAMES[FIELDS] = {"seed", "pk", "msg", "sig"};

typedef struct bytes {
    unsigned char *data;
    size_t len;
    int is_there;
} bytes;

static void *room(size_t size) {
    void *memory = malloc(size + 1);
    if (!memory) {
        exit(2);
    }
    return memory;
}

static void print(const char *name, const unsigned char *data, unsigned long long len) {
    printf("%s ", name);
    while (len--) {
        printf("%02x", *data++);
    }
    printf("\n");
}

static void unhex(bytes *out, const char *hex) {
    size_t i;
    out->len = strlen(hex) / 2;
    out->data = (unsigned char *)room(out->len);
    out->is_there = 1;
    for (i = 0; i < out->len; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1) {
            exit(2);
        }
        out->data[i] = (unsigned char)value;
    }
}

static void sign(bytes seed, bytes msg) {
    unsigned char pk[crypto_sign_PUBLICKEYBYTES], sk[crypto_sign_SECRETKEYBYTES], half[32];
    unsigned char sig[crypto_sign_BYTES], *sm = (unsigned char *)room(msg.len + crypto_sign_BYTES);
    unsigned long long len = 1;
    printf("keys %d\n", crypto_sign_seed_keypair(pk, sk, seed.data));
    print("pk", pk, sizeof pk);
    print("sk", sk, sizeof sk);
    printf("halves %d", crypto_sign_ed25519_sk_to_seed(half, sk));
    print("", half, sizeof half);
    printf("halves %d", crypto_sign_ed25519_sk_to_pk(half, sk));
    print("", half, sizeof half);
    printf("detached %d", crypto_sign_detached(sig, &len, msg.data, msg.len, sk));
    printf(" %llu\n", len);
    print("sig", sig, sizeof sig);
    /* In place. */
    memcpy(sm, msg.data, msg.len);
    printf("sign %d", crypto_sign(sm, &len, sm, msg.len, sk));
    printf(" %llu\n", len);
    print("sm", sm, len);
    printf("open %d", crypto_sign_open(sm, &len, sm, len, pk));
    printf(" %llu\n", len);
    print("m", sm, len);
    free(sm);
}

static void verify(bytes pk, bytes msg, bytes sig) {
    unsigned char *sm, *m;
    unsigned long long len = 1;
    if (pk.len != crypto_sign_PUBLICKEYBYTES || sig.len != crypto_sign_BYTES) {
        return;
    }
    printf("verify %d\n", crypto_sign_verify_detached(sig.data, msg.data, msg.len, pk.data));
    sm = (unsigned char *)room(msg.len + sig.len);
    m = (unsigned char *)room(msg.len);
    memcpy(sm, sig.data, sig.len);
    memcpy(sm + sig.len, msg.data, msg.len);
    memset(m, 1, msg.len);
    printf("open %d", crypto_sign_open(m, &len, sm, sig.len + msg.len, pk.data));
    printf(" %llu\n", len);
    print("m", m, msg.len);
    free(sm);
    free(m);
}

/* Whatever of a case can be done. */
static void end(bytes fields[FIELDS]) {
    int i;
    if (fields[SEED].is_there && fields[MSG].is_there) {
        sign(fields[SEED], fields[MSG]);
    }
    if (fields[PK].is_there && fields[MSG].is_there && fields[SIG].is_there) {
        verify(fields[PK], fields[MSG], fields[SIG]);
    }
    for (i = 0; i < FIELDS; i++) {
        free(fields[i].data);
        memset(&fields[i], 0, sizeof fields[i]);
    }
}

static void run(const char *path) {
    static char line[1 << 20], before[256];
    bytes fields[FIELDS];
    FILE *file = fopen(path, "rb");
    if (!file) {
        exit(2);
    }
    memset(fields, 0, sizeof fields);
    before[0] = 0;
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t'), *end_of_line = strchr(line, '\n'), *name;
        int i;
        if (!tab || !end_of_line) {
            exit(2);
        }
        *tab = *end_of_line = 0;
        name = strrchr(line, '/');
        if (!name || strlen(line) >= sizeof before) {
            exit(2);
        }
        *name++ = 0;
        for (i = 0; i < FIELDS && strcmp(name, NAMES[i]) != 0; i++) {
        }
        if (i == FIELDS) {
            continue;
        }
        if (strcmp(line, before) != 0) {
            end(fields);
            strcpy(before, line);
        }
        unhex(&fields[i], tab + 1);
    }
    end(fields);
    fclose(file);
}

int main(int argc, char **argv) {
    unsigned char pk[crypto_sign_PUBLICKEYBYTES], sk[crypto_sign_SECRETKEYBYTES], sig[crypto_sign_BYTES];
    int i;
    if (sodium_init() < 0) {
        return 2;
    }
    printf("%zu %zu %zu %zu %s\n", crypto_sign_bytes(), crypto_sign_seedbytes(), crypto_sign_publickeybytes(),
           crypto_sign_secretkeybytes(), crypto_sign_primitive());
    for (i = 1; i < argc; i++) {
        run(argv[i]);
    }
    /* Keys of the system's randomness: what is the same of them is that they work. */
    printf("new key %d", crypto_sign_ed25519_keypair(pk, sk));
    printf(" %d", crypto_sign_ed25519_detached(sig, NULL, NULL, 0, sk));
    printf(" %d", crypto_sign_ed25519_verify_detached(sig, NULL, 0, pk));
    sig[0] ^= 1;
    printf(" %d\n", crypto_sign_ed25519_verify_detached(sig, NULL, 0, pk));
    /* Too short to be a signed message. */
    printf("short %d\n", crypto_sign_open(sk, NULL, sig, 63, pk));
    return 0;
}
