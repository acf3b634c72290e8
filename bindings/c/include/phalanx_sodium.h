/* Ed25519 under the names of libsodium: a program that includes <sodium.h> for crypto_sign includes this instead, and
 * links libphalanx. Only these names are here. */

#ifndef PHALANX_SODIUM_H
#define PHALANX_SODIUM_H

#include <string.h>

#include <phalanx.h>

/*
 * Keys, signatures and signed messages have libsodium's bytes: a secret key is the seed and the public key, 64 bytes, and a
 * signed message the signature and the message. Functions answer 0, or -1.
 *
 * What verifies is what libsodium up to 1.0.18 lets verify, the version that distributions have: public keys have to be
 * canonical, neither key nor R may have small order, R is compared as bytes (profile `strict` of phalanx, and canonical
 * keys). Later versions check R as a point and multiply by the cofactor, and so accept some signatures more, which nobody
 * makes who signs honestly.
 *
 * Other than there: a secret key whose halves do not belong together signs nothing, since a signature with somebody else's
 * public key gives the secret away; and where the system has no randomness, crypto_sign_keypair answers -1 and does not
 * abort. To find out whether the halves belong together, signing computes the public key, which doubles what it costs:
 * phalanx_ed25519_sign, with a key that is loaded once, does not pay it.
 */

#define crypto_sign_ed25519_BYTES 64U
#define crypto_sign_ed25519_SEEDBYTES 32U
#define crypto_sign_ed25519_PUBLICKEYBYTES 32U
#define crypto_sign_ed25519_SECRETKEYBYTES 64U
#define crypto_sign_ed25519_MESSAGEBYTES_MAX (SIZE_MAX - crypto_sign_ed25519_BYTES)

#define crypto_sign_BYTES crypto_sign_ed25519_BYTES
#define crypto_sign_SEEDBYTES crypto_sign_ed25519_SEEDBYTES
#define crypto_sign_PUBLICKEYBYTES crypto_sign_ed25519_PUBLICKEYBYTES
#define crypto_sign_SECRETKEYBYTES crypto_sign_ed25519_SECRETKEYBYTES
#define crypto_sign_MESSAGEBYTES_MAX crypto_sign_ed25519_MESSAGEBYTES_MAX
#define crypto_sign_PRIMITIVE "ed25519"

/** Nothing has to be set up. */
static inline int sodium_init(void) {
    return 0;
}

static inline size_t crypto_sign_bytes(void) {
    return crypto_sign_BYTES;
}

static inline size_t crypto_sign_seedbytes(void) {
    return crypto_sign_SEEDBYTES;
}

static inline size_t crypto_sign_publickeybytes(void) {
    return crypto_sign_PUBLICKEYBYTES;
}

static inline size_t crypto_sign_secretkeybytes(void) {
    return crypto_sign_SECRETKEYBYTES;
}

static inline size_t crypto_sign_messagebytes_max(void) {
    return crypto_sign_MESSAGEBYTES_MAX;
}

static inline const char *crypto_sign_primitive(void) {
    return crypto_sign_PRIMITIVE;
}

/* Whether so many bytes can be in memory. */
static inline bool phalanx_sodium_fits(unsigned long long len) {
    return (size_t)len == len;
}

/* Writes both halves of a key, and ends it. */
static inline int phalanx_sodium_keypair(phalanx_ed25519_signing_key *key, unsigned char *pk, unsigned char *sk) {
    phalanx_status status = phalanx_ed25519_signing_key_keypair(key, sk);
    if (!status) {
        status = phalanx_ed25519_signing_key_verifying_key(key, pk);
    }
    phalanx_ed25519_signing_key_free(key);
    return status ? -1 : 0;
}

/** A new key: `pk` has 32 bytes, `sk` 64. */
static inline int crypto_sign_keypair(unsigned char *pk, unsigned char *sk) {
    phalanx_ed25519_signing_key *key;
    return phalanx_ed25519_signing_key_generate(&key) ? -1 : phalanx_sodium_keypair(key, pk, sk);
}

/** The key of a seed of 32 bytes. */
static inline int crypto_sign_seed_keypair(unsigned char *pk, unsigned char *sk, const unsigned char *seed) {
    phalanx_ed25519_signing_key *key;
    return phalanx_ed25519_signing_key_from_seed(&key, seed) ? -1 : phalanx_sodium_keypair(key, pk, sk);
}

/** The seed in a secret key. */
static inline int crypto_sign_ed25519_sk_to_seed(unsigned char *seed, const unsigned char *sk) {
    memmove(seed, sk, crypto_sign_SEEDBYTES);
    return 0;
}

/** The public key in a secret key. */
static inline int crypto_sign_ed25519_sk_to_pk(unsigned char *pk, const unsigned char *sk) {
    memmove(pk, sk + crypto_sign_SEEDBYTES, crypto_sign_PUBLICKEYBYTES);
    return 0;
}

/** A signature of 64 bytes; `siglen_p` may be null. */
static inline int crypto_sign_detached(unsigned char *sig, unsigned long long *siglen_p, const unsigned char *m,
                                       unsigned long long mlen, const unsigned char *sk) {
    phalanx_ed25519_signing_key *key;
    phalanx_status status;
    if (siglen_p) {
        *siglen_p = 0;
    }
    if (!phalanx_sodium_fits(mlen) || phalanx_ed25519_signing_key_from_keypair(&key, sk)) {
        return -1;
    }
    status = phalanx_ed25519_sign(key, sig, m, (size_t)mlen);
    phalanx_ed25519_signing_key_free(key);
    if (status) {
        return -1;
    }
    if (siglen_p) {
        *siglen_p = crypto_sign_BYTES;
    }
    return 0;
}

/** 0 if the signature is good, else -1. */
static inline int crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *m,
                                              unsigned long long mlen, const unsigned char *pk) {
    bool is_canonical;
    if (!phalanx_sodium_fits(mlen) ||
        phalanx_ed25519_verifying_key_check(&is_canonical, NULL, pk, crypto_sign_PUBLICKEYBYTES) || !is_canonical) {
        return -1;
    }
    return phalanx_ed25519_verify(PHALANX_ED25519_PROFILE_STRICT, pk, crypto_sign_PUBLICKEYBYTES, m, (size_t)mlen, sig,
                                  crypto_sign_BYTES)
               ? -1
               : 0;
}

/** Writes the signature and the message, `mlen` + 64 bytes, to `sm`, which may overlap `m`; `smlen_p` may be null. */
static inline int crypto_sign(unsigned char *sm, unsigned long long *smlen_p, const unsigned char *m,
                              unsigned long long mlen, const unsigned char *sk) {
    unsigned char signature[64];
    if (smlen_p) {
        *smlen_p = 0;
    }
    if (crypto_sign_detached(signature, NULL, m, mlen, sk)) {
        return -1;
    }
    if (mlen) {
        memmove(sm + crypto_sign_BYTES, m, (size_t)mlen);
    }
    memcpy(sm, signature, sizeof signature);
    if (smlen_p) {
        *smlen_p = mlen + crypto_sign_BYTES;
    }
    return 0;
}

/** Writes the message in `sm`, `smlen` - 64 bytes, to `m` if its signature is good, and zeros if not; `m` may overlap `sm`,
 * and may be null, as `mlen_p` may. */
static inline int crypto_sign_open(unsigned char *m, unsigned long long *mlen_p, const unsigned char *sm,
                                   unsigned long long smlen, const unsigned char *pk) {
    unsigned long long mlen;
    if (mlen_p) {
        *mlen_p = 0;
    }
    if (smlen < crypto_sign_BYTES || !phalanx_sodium_fits(smlen)) {
        return -1;
    }
    mlen = smlen - crypto_sign_BYTES;
    if (crypto_sign_verify_detached(sm, sm + crypto_sign_BYTES, mlen, pk)) {
        if (m && mlen) {
            memset(m, 0, (size_t)mlen);
        }
        return -1;
    }
    if (m && mlen) {
        memmove(m, sm + crypto_sign_BYTES, (size_t)mlen);
    }
    if (mlen_p) {
        *mlen_p = mlen;
    }
    return 0;
}

/* The same under the name of the scheme. */
#define crypto_sign_ed25519_bytes crypto_sign_bytes
#define crypto_sign_ed25519_seedbytes crypto_sign_seedbytes
#define crypto_sign_ed25519_publickeybytes crypto_sign_publickeybytes
#define crypto_sign_ed25519_secretkeybytes crypto_sign_secretkeybytes
#define crypto_sign_ed25519_messagebytes_max crypto_sign_messagebytes_max
#define crypto_sign_ed25519_keypair crypto_sign_keypair
#define crypto_sign_ed25519_seed_keypair crypto_sign_seed_keypair
#define crypto_sign_ed25519_detached crypto_sign_detached
#define crypto_sign_ed25519_verify_detached crypto_sign_verify_detached
#define crypto_sign_ed25519 crypto_sign
#define crypto_sign_ed25519_open crypto_sign_open

#endif
