/* phalanx under the names that lean clients call.
 * Made from the source of bindings/c by `UPDATE_HEADER=1 cargo test -p phalanx-c`; do not edit. */

#ifndef PHALANX_PQ_H
#define PHALANX_PQ_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * The names that lean clients call, with the structs, arguments and answers of the bindings that
 * Lantern links (c-hash-sig, later c-leanvm-xmss): compile against this header, or only link
 * libphalanx instead of theirs.
 *
 * Parameter set: xmss-poseidon1-l32-d46b8, that of leanSig of 2026-04 (devnet 4), unless
 * phalanx_pq_use_parameter_set chose another one.
 *
 * Other than there: pq_sign refuses until phalanx_pq_use_ledger has named a ledger of used epochs, or
 * phalanx_pq_forget_used_epochs_at_exit was called; an epoch signs one message; pq_key_gen starts no
 * threads; nothing aggregates (the names refuse). Handles are ended by their free function, once.
 * New programs use phalanx.h.
 */


/**
 * Length of a public key in SSZ, in bytes.
 */
#define PUBLIC_KEY_SIZE 52

/**
 * Length of a signature of `xmss-poseidon1-l32-d46b8` in SSZ, in bytes; of other sets: `pq_get_signature_size`.
 */
#define SIGNATURE_SIZE 2536

/**
 * Error codes.
 */
typedef enum PQSigningError {
    /**
     * Done.
     */
    Success = 0,
    /**
     * No encoding of the message was found.
     */
    EncodingAttemptsExceeded = 1,
    /**
     * A pointer is null that must not be.
     */
    InvalidPointer = 2,
    /**
     * The message is not 32 bytes.
     */
    InvalidMessageLength = 3,
    /**
     * The epoch does not fit the lifetime, is not active, is not prepared, or has signed another message.
     */
    InvalidEpoch = 4,
    /**
     * Anything else: malformed bytes, a buffer that is too small.
     */
    UnknownError = 99,
} PQSigningError;

/**
 * A signature.
 */
typedef struct PQSignature PQSignature;

/**
 * A public key.
 */
typedef struct PQSignatureSchemePublicKey PQSignatureSchemePublicKey;

/**
 * A secret key.
 */
typedef struct PQSignatureSchemeSecretKey PQSignatureSchemeSecretKey;

/**
 * Epochs: the first, and the first after them.
 */
typedef struct PQRange {
    /**
     * The first.
     */
    uint64_t start;
    /**
     * The first after them.
     */
    uint64_t end;
} PQRange;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Chooses the parameter set of all keys and signatures that are made or read from now on, in the whole process, by its
 * number in phalanx.h: `PHALANX_XMSS_POSEIDON1_L32_D46B8` (6) at first. Call it once, before anything else.
 * `UnknownError` if the number names no set.
 */
enum PQSigningError phalanx_pq_use_parameter_set(uint32_t set);

/**
 * Ends a secret key and wipes it. Null is fine.
 */
void pq_secret_key_free(struct PQSignatureSchemeSecretKey *key);

/**
 * Ends a public key. Null is fine.
 */
void pq_public_key_free(struct PQSignatureSchemePublicKey *key);

/**
 * Ends a signature. Null is fine.
 */
void pq_signature_free(struct PQSignature *signature);

/**
 * Ends a text that `pq_error_description` gave. Null is fine.
 */
void pq_string_free(char *s);

/**
 * The sentence of an error code, to be ended with `pq_string_free`.
 */
char *pq_error_description(uint32_t error);

/**
 * The epochs that the key can ever sign; `{0, 0}` for null.
 */
struct PQRange pq_get_activation_interval(const struct PQSignatureSchemeSecretKey *key);

/**
 * The epochs that the key can sign now; `{0, 0}` for null.
 */
struct PQRange pq_get_prepared_interval(const struct PQSignatureSchemeSecretKey *key);

/**
 * Moves the prepared interval on by one bottom tree, which is computed now; changes nothing at the end of the activation
 * interval.
 */
void pq_advance_preparation(struct PQSignatureSchemeSecretKey *key);

/**
 * Number of epochs that a key could have.
 */
uint64_t pq_get_lifetime(void);

/**
 * Length of a signature in SSZ, in bytes.
 */
uintptr_t pq_get_signature_size(void);

/**
 * Length of a public key in SSZ, in bytes.
 */
uintptr_t pq_get_public_key_size(void);

/**
 * Makes a key pair from the system's randomness, on this thread. The activation interval is rounded outwards to bottom
 * trees, at least two. The key is registered with the ledger in use, if there is one.
 */
enum PQSigningError pq_key_gen(uintptr_t activation_epoch,
                               uintptr_t num_active_epochs,
                               struct PQSignatureSchemePublicKey **pk_out,
                               struct PQSignatureSchemeSecretKey **sk_out);

/**
 * Signs a message of 32 bytes through the ledger that `phalanx_pq_use_ledger` named; without one `UnknownError`. The epoch
 * must be prepared (`pq_advance_preparation`), and an epoch signs one message, for ever: else `InvalidEpoch`, as for keys
 * that the ledger does not know. The same message again gives the same signature.
 */
enum PQSigningError pq_sign(const struct PQSignatureSchemeSecretKey *sk,
                            uint64_t epoch,
                            const uint8_t *message,
                            uintptr_t message_len,
                            struct PQSignature **signature_out);

/**
 * Verifies a signature: 1 if it does, 0 if it does not, negative for a null pointer (-1), a message that is not 32 bytes
 * (-2) or an epoch of more than 32 bits (-3).
 */
int pq_verify(const struct PQSignatureSchemePublicKey *pk,
              uint64_t epoch,
              const uint8_t *message,
              uintptr_t message_len,
              const struct PQSignature *signature);

/**
 * As `pq_verify`, of a key and a signature in SSZ. A signature may be followed by zeros, up to 3116 bytes. Bytes that are
 * no key or no signature: -99.
 */
int pq_verify_ssz(const uint8_t *pubkey_bytes,
                  uintptr_t pubkey_len,
                  uint64_t epoch,
                  const uint8_t *message,
                  uintptr_t message_len,
                  const uint8_t *signature_bytes,
                  uintptr_t signature_len);

/**
 * Writes a secret key in SSZ; the caller wipes the buffer. If it is too small, `UnknownError`, and `written_len` says what it
 * needs.
 */
enum PQSigningError pq_secret_key_serialize(const struct PQSignatureSchemeSecretKey *sk,
                                            uint8_t *buffer,
                                            uintptr_t buffer_len,
                                            uintptr_t *written_len);

/**
 * Reads a secret key in SSZ. What it has signed is not in the bytes.
 */
enum PQSigningError pq_secret_key_deserialize(const uint8_t *buffer,
                                              uintptr_t buffer_len,
                                              struct PQSignatureSchemeSecretKey **sk_out);

/**
 * Reads a secret key in the JSON that serde writes of leanSig's type.
 */
enum PQSigningError pq_secret_key_from_json(const uint8_t *json,
                                            uintptr_t json_len,
                                            struct PQSignatureSchemeSecretKey **sk_out);

/**
 * Writes a public key in SSZ. If the buffer is too small, `UnknownError`, and `written_len` says what it needs.
 */
enum PQSigningError pq_public_key_serialize(const struct PQSignatureSchemePublicKey *pk,
                                            uint8_t *buffer,
                                            uintptr_t buffer_len,
                                            uintptr_t *written_len);

/**
 * Reads a public key in SSZ.
 */
enum PQSigningError pq_public_key_deserialize(const uint8_t *buffer,
                                              uintptr_t buffer_len,
                                              struct PQSignatureSchemePublicKey **pk_out);

/**
 * Reads a public key in the JSON that serde writes of leanSig's type.
 */
enum PQSigningError pq_public_key_from_json(const uint8_t *json,
                                            uintptr_t json_len,
                                            struct PQSignatureSchemePublicKey **pk_out);

/**
 * Writes a signature in SSZ. If the buffer is too small, `UnknownError`, and `written_len` says what it needs.
 */
enum PQSigningError pq_signature_serialize(const struct PQSignature *signature,
                                           uint8_t *buffer,
                                           uintptr_t buffer_len,
                                           uintptr_t *written_len);

/**
 * Reads a signature in SSZ, which zeros may follow up to 3116 bytes.
 */
enum PQSigningError pq_signature_deserialize(const uint8_t *buffer,
                                             uintptr_t buffer_len,
                                             struct PQSignature **signature_out);

/**
 * Reads a signature in the JSON that serde writes of leanSig's type.
 */
enum PQSigningError pq_signature_from_json(const uint8_t *json,
                                           uintptr_t json_len,
                                           struct PQSignature **signature_out);

/**
 * Keeps used epochs in the ledger at `path`, a folder made by `phalanx ledger init` or `phalanx_ledger_create`: from now on
 * all keys of this process sign through it. Keys of `pq_key_gen` are registered there; others once, by `phalanx_pq_adopt`.
 * Call it before anything else. Null closes the ledger that was in use; afterwards nothing is signed until one is named.
 *
 * `UnknownError` if it does not open, or keys of this process sign without one; with the reason on standard error.
 */
enum PQSigningError phalanx_pq_use_ledger(const char *path);

/**
 * As `phalanx_pq_use_ledger`, with the configuration of `phalanx_ledger_open` in phalanx.h, or null.
 */
enum PQSigningError phalanx_pq_use_ledger_with(const char *path,
                                               const char *config_toml);

/**
 * Lets keys sign without a ledger: what an epoch has signed is forgotten when the process ends. Two messages signed at one
 * epoch let anybody forge at it, so this is for tests, and for programs that keep a record of their own. `UnknownError` if
 * a ledger has been in use, which knows more.
 */
enum PQSigningError phalanx_pq_forget_used_epochs_at_exit(void);

/**
 * An operator answers for a key that the ledger in use does not know, such as one that another tool made: it has signed
 * nothing from `i_accept_epoch` on, and signs nothing below. Once in the life of the key. `InvalidEpoch` if the epoch is
 * after its last, or the ledger has another key of the same seed; `UnknownError` without a ledger.
 */
enum PQSigningError phalanx_pq_adopt(const struct PQSignatureSchemeSecretKey *sk,
                                     uint64_t i_accept_epoch);

/**
 * Does nothing: there is no prover here.
 */
void pq_xmss_aggregation_setup_prover(void);

/**
 * Does nothing: there is no verifier of aggregates here.
 */
void pq_xmss_aggregation_setup_verifier(void);

/**
 * Always `UnknownError`: this library does not aggregate.
 */
enum PQSigningError pq_aggregate_signatures(const struct PQSignatureSchemePublicKey *const *_pubkeys,
                                            const struct PQSignature *const *_signatures,
                                            uintptr_t _count,
                                            const uint8_t *_message,
                                            uintptr_t _message_len,
                                            uint64_t _epoch,
                                            uint8_t *_buffer,
                                            uintptr_t _buffer_len,
                                            uintptr_t *_written_len);

/**
 * Always -99: this library verifies no aggregates.
 */
int pq_verify_aggregated_signatures(const struct PQSignatureSchemePublicKey *const *_pubkeys,
                                    uintptr_t _count,
                                    const uint8_t *_message,
                                    uintptr_t _message_len,
                                    const uint8_t *_agg_bytes,
                                    uintptr_t _agg_len,
                                    uint64_t _epoch);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PHALANX_PQ_H */
