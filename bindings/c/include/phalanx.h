/* phalanx: Ed25519, hash-based signatures (XMSS), Rescue hashes, Ligerito commitments and aggregates.
 * Made from the source of bindings/c by `UPDATE_HEADER=1 cargo test -p phalanx-c`; do not edit. */

#ifndef PHALANX_H
#define PHALANX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How every function works.
 *
 * Answers. Most functions answer a phalanx_status; 0 is success. Compilers warn if it is dropped. On
 * any other answer the outputs hold nothing to rely on, except where the function says so; a handle
 * that was to be made is null.
 *
 * Families. phalanx_status_family says of what kind an error is, so that all of a kind can be treated
 * alike: it does not verify (PHALANX_FAMILY_DOES_NOT_VERIFY), bytes from outside are malformed, the key
 * must not sign, the caller's mistake, the system.
 *
 * Order of arguments: the object, outputs, inputs. A length stands right behind its pointer. Where a
 * function names no length, its comment or a macro says how many bytes there are.
 *
 * Pointers. Inputs are read and outputs written during the call only; nothing of the caller's memory
 * is kept, unless a function says so. Null is allowed with a length of 0, and where a function says
 * so; anywhere else it is PHALANX_ERROR_NULL_POINTER. Texts end with a zero byte and are UTF-8.
 * Outputs may not overlap inputs.
 *
 * Buffers. Outputs whose length varies take a buffer, its capacity, and where to write the length. If
 * the buffer is too small, only the length is written (PHALANX_ERROR_BUFFER_TOO_SMALL): a null buffer
 * of capacity 0 asks for it.
 *
 * Choices (parameter sets, formats, profiles) are numbers of 32 bits, named by enums; a number that
 * names nothing is PHALANX_ERROR_INVALID_ARGUMENT.
 *
 * Objects with a handle live on the heap until their _free function, which takes null too and wipes
 * secrets. Different objects may be used by different threads at the same time; one object may be
 * used by several if all of them pass it as const, or if the object's comment says so.
 *
 * Threads. An argument `threads` says how many work in the call, the calling one included: 1 starts
 * none, 0 is one for each core. They start and end with the call; a phalanx_pool keeps them for the
 * functions whose names end with _on, so that small batches gain from them too. Nothing else starts
 * any, but for an open ledger, which has one of its own that writes.
 *
 * Faults. No panic crosses into C: it comes back as PHALANX_ERROR_INTERNAL, with a line on standard
 * error. Only if memory runs out, the process ends.
 */

#define PHALANX_VERSION "0.1.0"
#define PHALANX_VERSION_MAJOR 0
#define PHALANX_VERSION_MINOR 1
#define PHALANX_VERSION_PATCH 0

/* Keystores and ledgers (custody). Define PHALANX_NO_CUSTODY for a library that was built without. */
#if !defined(_WIN32) && !defined(PHALANX_NO_CUSTODY)
#define PHALANX_HAS_CUSTODY 1
#endif

#if defined(__cplusplus) && __cplusplus >= 201703L
#define PHALANX_MUST_CHECK [[nodiscard]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define PHALANX_MUST_CHECK [[nodiscard]]
#elif defined(__GNUC__) || defined(__clang__)
#define PHALANX_MUST_CHECK __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define PHALANX_MUST_CHECK _Check_return_
#else
#define PHALANX_MUST_CHECK
#endif


/**
 * Length of a verifying key in a statement, in bytes.
 */
#define PHALANX_AGGREGATE_KEY_BYTES 32

/**
 * The most signatures of any statement.
 */
#define PHALANX_AGGREGATE_SIGNATURES_MAX 14768

/**
 * The most signatures that a verifier should accept unless it knows better.
 */
#define PHALANX_AGGREGATE_SIGNATURES_DEFAULT 1846

/**
 * The memory that a prover should allow unless it knows better, in bytes: 8 GiB.
 */
#define PHALANX_AGGREGATE_MEMORY_DEFAULT 8589934592

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Length of the name of a key in bytes: SHA-256 of what its one-time keys depend on, so that all keys of one seed have one.
 */
#define PHALANX_KEY_ID_BYTES 32
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Length of the name of a ledger in bytes.
 */
#define PHALANX_LEDGER_ID_BYTES 16
#endif

/**
 * Length of a seed (the private key of RFC 8032) in bytes.
 */
#define PHALANX_ED25519_SEED_BYTES 32

/**
 * Length of a seed with the public key behind it, in bytes.
 */
#define PHALANX_ED25519_KEYPAIR_BYTES 64

/**
 * Length of a verifying key in bytes.
 */
#define PHALANX_ED25519_VERIFYING_KEY_BYTES 32

/**
 * Length of a signature in bytes.
 */
#define PHALANX_ED25519_SIGNATURE_BYTES 64

/**
 * Length of the SHA-512 digest that Ed25519ph signs, in bytes.
 */
#define PHALANX_ED25519_DIGEST_BYTES 64

/**
 * The longest context of Ed25519ctx and Ed25519ph, in bytes.
 */
#define PHALANX_ED25519_CONTEXT_BYTES_MAX 255

/**
 * Length of a commitment in bytes.
 */
#define PHALANX_LIGERITO_COMMITMENT_BYTES 34

/**
 * Length of the root of a commitment in bytes.
 */
#define PHALANX_LIGERITO_ROOT_BYTES 32

/**
 * Fewest variables of a polynomial.
 */
#define PHALANX_LIGERITO_VARIABLES_MIN 10

/**
 * Most variables of a polynomial.
 */
#define PHALANX_LIGERITO_VARIABLES_MAX 30

/**
 * Most points that one proof opens.
 */
#define PHALANX_LIGERITO_CLAIMS_MAX 65536

/**
 * How many bits a word has: as many planes there are at a point.
 */
#define PHALANX_LIGERITO_PLANES 32

/**
 * Most commitments that one proof is about.
 */
#define PHALANX_LIGERITO_COMMITMENTS_MAX 256

/**
 * Words of a digest.
 */
#define PHALANX_RESCUE_DIGEST_WORDS 4

/**
 * Bytes of a digest.
 */
#define PHALANX_RESCUE_DIGEST_BYTES 32

/**
 * Length of an XMSS message in bytes; longer ones are hashed by the caller.
 */
#define PHALANX_XMSS_MESSAGE_BYTES 32

/**
 * Length of a seed in bytes.
 */
#define PHALANX_XMSS_SEED_BYTES 32

/**
 * The longest verifying key of any parameter set in SSZ and in bincode, in bytes.
 */
#define PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX 52

/**
 * The longest signature of any parameter set in SSZ, bincode and padded bincode, in bytes.
 */
#define PHALANX_XMSS_SIGNATURE_BYTES_MAX 3116

/**
 * What a function answers. 0 is success; every other value names one kind of error. The numbers never change.
 */
typedef enum phalanx_status {
    /**
     * Done.
     */
    PHALANX_OK = 0,
    /**
     * A signature does not verify. No reason is given: nobody honest needs it.
     */
    PHALANX_ERROR_INVALID_SIGNATURE = 1,
    /**
     * A proof does not verify.
     */
    PHALANX_ERROR_INVALID_PROOF = 2,
    /**
     * A pointer is null that must not be.
     */
    PHALANX_ERROR_NULL_POINTER = 3,
    /**
     * An argument has a value that it cannot have, such as a number that names no format.
     */
    PHALANX_ERROR_INVALID_ARGUMENT = 4,
    /**
     * No parameter set, profile or backend has this name.
     */
    PHALANX_ERROR_UNKNOWN_NAME = 5,
    /**
     * An input has another length than its kind has, or two inputs differ in length.
     */
    PHALANX_ERROR_INVALID_LENGTH = 6,
    /**
     * The output does not fit the buffer. The length that it needs was written; nothing else was.
     */
    PHALANX_ERROR_BUFFER_TOO_SMALL = 7,
    /**
     * Bytes from outside are not what they should be.
     */
    PHALANX_ERROR_MALFORMED = 8,
    /**
     * The operating system gave no randomness.
     */
    PHALANX_ERROR_RANDOMNESS = 9,
    /**
     * The progress callback asked to stop.
     */
    PHALANX_ERROR_STOPPED = 10,
    /**
     * A fault inside the library; its message is on standard error. The objects of the call can only be freed.
     */
    PHALANX_ERROR_INTERNAL = 11,
    /**
     * This build or this computer does not have it.
     */
    PHALANX_ERROR_UNAVAILABLE = 12,
    /**
     * The wanted activation interval is empty or does not fit the lifetime.
     */
    PHALANX_ERROR_XMSS_INTERVAL = 20,
    /**
     * The epoch lies before the activation interval.
     */
    PHALANX_ERROR_XMSS_NOT_ACTIVE = 21,
    /**
     * The epoch lies after the activation interval: the key is exhausted there.
     */
    PHALANX_ERROR_XMSS_EXHAUSTED = 22,
    /**
     * The key has moved on and no longer holds what this epoch needs.
     */
    PHALANX_ERROR_XMSS_PASSED = 23,
    /**
     * The epoch lies after the prepared interval, and the key was not to move on.
     */
    PHALANX_ERROR_XMSS_NOT_PREPARED = 24,
    /**
     * The epoch has signed another message already.
     */
    PHALANX_ERROR_XMSS_EPOCH_USED = 25,
    /**
     * No randomness tried gave a valid encoding of the message.
     */
    PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS = 26,
    /**
     * A prepared tree is not computed yet.
     */
    PHALANX_ERROR_XMSS_UNFINISHED = 27,
    /**
     * A prepared tree belongs to another key or to another place of this one.
     */
    PHALANX_ERROR_XMSS_WRONG_TREE = 28,
    /**
     * Another key with the same one-time keys has signed: of the same seed, in another set or for another interval.
     */
    PHALANX_ERROR_XMSS_OTHER_INSTANCE = 29,
    /**
     * The process is a fork of the one that loaded the key.
     */
    PHALANX_ERROR_XMSS_FORKED = 30,
    /**
     * A new signature of a guarded key did not verify: the key is damaged, and quarantined now. Nothing was released.
     */
    PHALANX_ERROR_XMSS_SELF_CHECK = 31,
    /**
     * The parameter set is for verification only: no key is made of it.
     */
    PHALANX_ERROR_XMSS_VERIFICATION_ONLY = 32,
    /**
     * Keys or signatures of the parameter set have no such format.
     */
    PHALANX_ERROR_XMSS_NO_ENCODING = 33,
    /**
     * The bytes of a public key encode no point of the curve.
     */
    PHALANX_ERROR_ED25519_INVALID_KEY = 40,
    /**
     * A public key does not belong to the secret one beside it.
     */
    PHALANX_ERROR_ED25519_KEY_MISMATCH = 41,
    /**
     * A key or signature file is not what its format says.
     */
    PHALANX_ERROR_ED25519_KEY_FORMAT = 42,
    /**
     * A key file is encrypted, and no password was given or that encryption is not supported.
     */
    PHALANX_ERROR_ED25519_ENCRYPTED_KEY = 43,
    /**
     * The password does not open the key file, or the file is damaged.
     */
    PHALANX_ERROR_ED25519_WRONG_PASSWORD = 44,
    /**
     * A context of more than 255 bytes.
     */
    PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG = 45,
    /**
     * Ed25519ctx with an empty context, which RFC 8032 rules out.
     */
    PHALANX_ERROR_ED25519_CONTEXT_EMPTY = 46,
    /**
     * A new signature did not verify: a fault in the machine. Nothing was released.
     */
    PHALANX_ERROR_ED25519_SELF_CHECK = 47,
    /**
     * Rp64_256 defines no hash of this many bytes: above 56, only of multiples of 7.
     */
    PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH = 60,
    /**
     * Words that are no whole number of states.
     */
    PHALANX_ERROR_RESCUE_PARTIAL_STATE = 61,
    /**
     * This function has no hash in a domain: only RPO and RPX do.
     */
    PHALANX_ERROR_RESCUE_NO_DOMAIN = 62,
    /**
     * A hasher was given more or fewer bytes than it was made for.
     */
    PHALANX_ERROR_RESCUE_LENGTH = 63,
    /**
     * A Merkle tree needs a power of two of leaves, at least one.
     */
    PHALANX_ERROR_RESCUE_LEAF_COUNT = 64,
    /**
     * A tree has no leaf of this index.
     */
    PHALANX_ERROR_RESCUE_LEAF_INDEX = 65,
    /**
     * A path has not one digest for each level of its tree.
     */
    PHALANX_ERROR_RESCUE_PATH_LENGTH = 66,
    /**
     * Leaf and path do not lead to the root.
     */
    PHALANX_ERROR_RESCUE_WRONG_ROOT = 67,
    /**
     * No polynomial of this many words can be committed to.
     */
    PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH = 80,
    /**
     * No point to open, or no claim to verify.
     */
    PHALANX_ERROR_LIGERITO_NO_CLAIMS = 81,
    /**
     * More points or claims than one proof opens.
     */
    PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS = 82,
    /**
     * A point has not as many coordinates as the polynomial has variables.
     */
    PHALANX_ERROR_LIGERITO_POINT_LENGTH = 83,
    /**
     * The encoded polynomial does not fit into the address space.
     */
    PHALANX_ERROR_LIGERITO_TOO_LARGE = 84,
    /**
     * A claim about a word that the polynomial does not have.
     */
    PHALANX_ERROR_LIGERITO_CLAIM_INDEX = 85,
    /**
     * A claim that is false, seen by who was to prove it.
     */
    PHALANX_ERROR_LIGERITO_CLAIM_VALUE = 86,
    /**
     * Commitments that no proof is about together: none, more than 256, of several profiles, or larger than their table.
     */
    PHALANX_ERROR_LIGERITO_TOGETHER = 87,
    /**
     * A point or a claim of a commitment that is not there.
     */
    PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX = 88,
    /**
     * A basis has not as many elements as a coefficient has bits.
     */
    PHALANX_ERROR_LIGERITO_BASIS_LENGTH = 89,
    /**
     * Profile and size of the commitment are not among those that the verifier accepts.
     */
    PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS = 90,
    /**
     * The proof is longer or shorter than what it should contain.
     */
    PHALANX_ERROR_LIGERITO_PROOF_LENGTH = 91,
    /**
     * A nonce in the proof does not do its work.
     */
    PHALANX_ERROR_LIGERITO_PROOF_OF_WORK = 92,
    /**
     * The opened rows are not those of the level's commitment.
     */
    PHALANX_ERROR_LIGERITO_MERKLE_ROOT = 93,
    /**
     * The final vector does not encode to an opened row.
     */
    PHALANX_ERROR_LIGERITO_FINAL_ROW = 94,
    /**
     * The final vector does not give the claimed values.
     */
    PHALANX_ERROR_LIGERITO_FINAL_CLAIM = 95,
    /**
     * The bytes are not those of a proof of the published crate's format.
     */
    PHALANX_ERROR_LIGERITO_ENCODING = 96,
    /**
     * The proof is about another root than the expected one.
     */
    PHALANX_ERROR_LIGERITO_INITIAL_ROOT = 97,
    /**
     * The values at 0 and 1 of a round do not add up to its sum.
     */
    PHALANX_ERROR_LIGERITO_ROUND = 98,
    /**
     * There are more or fewer siblings than the opened rows need.
     */
    PHALANX_ERROR_LIGERITO_SIBLINGS = 99,
    /**
     * The final vector does not give the sum of the rounds.
     */
    PHALANX_ERROR_LIGERITO_FINAL_SUM = 100,
    /**
     * The opened rows of level 0 are not those of one of several commitments.
     */
    PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF = 101,
    /**
     * The epoch has signed another message, or is closed.
     */
    PHALANX_ERROR_LEDGER_EPOCH_USED = 110,
    /**
     * The epoch is below the low watermark of the key.
     */
    PHALANX_ERROR_LEDGER_PASSED = 111,
    /**
     * The key signs only forward, and has signed a later epoch.
     */
    PHALANX_ERROR_LEDGER_OUT_OF_ORDER = 112,
    /**
     * The epoch lies before the activation interval.
     */
    PHALANX_ERROR_LEDGER_NOT_ACTIVE = 113,
    /**
     * The epoch lies after the activation interval.
     */
    PHALANX_ERROR_LEDGER_EXHAUSTED = 114,
    /**
     * The epoch is in no range that this ledger owns.
     */
    PHALANX_ERROR_LEDGER_NOT_IN_RANGE = 115,
    /**
     * The epoch is too far ahead, of the clock or of what the key has signed.
     */
    PHALANX_ERROR_LEDGER_AHEAD = 116,
    /**
     * The epoch is too far behind the clock.
     */
    PHALANX_ERROR_LEDGER_BEHIND = 117,
    /**
     * The ledger does not know the key.
     */
    PHALANX_ERROR_LEDGER_UNKNOWN_KEY = 118,
    /**
     * The key signs nothing until an operator has answered for it.
     */
    PHALANX_ERROR_LEDGER_QUARANTINED = 119,
    /**
     * The key has moved to another ledger, for ever.
     */
    PHALANX_ERROR_LEDGER_RETIRED = 120,
    /**
     * Another signer holds the lease.
     */
    PHALANX_ERROR_LEDGER_FENCED = 121,
    /**
     * The process is a fork of the one that opened the ledger.
     */
    PHALANX_ERROR_LEDGER_FORKED = 122,
    /**
     * The ledger did not answer in time, or has stopped after a fault and must be opened anew. The position may be
     * reserved: asking again with the same message settles it.
     */
    PHALANX_ERROR_LEDGER_UNAVAILABLE = 123,
    /**
     * Another process, or another handle of this one, has the ledger open.
     */
    PHALANX_ERROR_LEDGER_IN_USE = 124,
    /**
     * The ledger has no state of the key: it was not registered there.
     */
    PHALANX_ERROR_LEDGER_NO_STATE = 125,
    /**
     * The one-time keys belong to another key of the ledger: of the same seed, in another set or for another interval.
     */
    PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS = 126,
    /**
     * The store is older than its side log: it was restored or rolled back.
     */
    PHALANX_ERROR_LEDGER_STORE_OLDER = 127,
    /**
     * The side log is missing, damaged, older than the store, or another ledger's.
     */
    PHALANX_ERROR_LEDGER_WITNESS = 128,
    /**
     * The store is missing, insecure, damaged, moved, on a file system that is not fit, or there already.
     */
    PHALANX_ERROR_LEDGER_STORE = 129,
    /**
     * A keystore is too large, or not of the form that the format asks for.
     */
    PHALANX_ERROR_KEYSTORE_MALFORMED = 130,
    /**
     * A keystore of another version, or with a cipher or derivation that is not offered.
     */
    PHALANX_ERROR_KEYSTORE_UNSUPPORTED = 131,
    /**
     * A keystore of a scheme that is not known or has no such key, or whose members disagree about the key; or a file
     * for recovery only.
     */
    PHALANX_ERROR_KEYSTORE_SCHEME = 132,
    /**
     * The derivation of a keystore costs more than is ever spent on a file.
     */
    PHALANX_ERROR_KEYSTORE_KDF_BOUNDS = 133,
    /**
     * The derivation of a keystore costs so little that guessing passwords is cheap.
     */
    PHALANX_ERROR_KEYSTORE_WEAK_KDF = 134,
    /**
     * The password is wrong, or the keystore is damaged.
     */
    PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD = 135,
    /**
     * The password is right and the secret in the keystore is damaged.
     */
    PHALANX_ERROR_KEYSTORE_DAMAGED = 136,
    /**
     * The password is right and something else in the keystore was changed.
     */
    PHALANX_ERROR_KEYSTORE_HEADER_CHANGED = 137,
    /**
     * The secret is not that of the public key.
     */
    PHALANX_ERROR_KEYSTORE_KEY_MISMATCH = 138,
    /**
     * A keystore's file or folder is not there, not safe (mode, owner, hard links), or there already; or the system
     * failed.
     */
    PHALANX_ERROR_KEYSTORE_FILE = 139,
    /**
     * A statement without a group.
     */
    PHALANX_ERROR_AGGREGATE_NO_GROUPS = 150,
    /**
     * A group of a statement without a key.
     */
    PHALANX_ERROR_AGGREGATE_EMPTY_GROUP = 151,
    /**
     * The groups of a statement do not increase strictly by epoch and message.
     */
    PHALANX_ERROR_AGGREGATE_GROUP_ORDER = 152,
    /**
     * The keys of a group do not increase strictly, or one is there twice.
     */
    PHALANX_ERROR_AGGREGATE_KEY_ORDER = 153,
    /**
     * More signatures than any statement has.
     */
    PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES = 154,
    /**
     * A statement that is shorter or longer than its content.
     */
    PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH = 155,
    /**
     * Proving takes more memory than the caller allows, or than there are addresses.
     */
    PHALANX_ERROR_AGGREGATE_MEMORY = 156,
    /**
     * The statement has more signatures than the verifier's limit.
     */
    PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES = 160,
    /**
     * Not an aggregate, or of a profile that the verifier does not accept.
     */
    PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE = 161,
    /**
     * Shorter or longer than any aggregate of the statement.
     */
    PHALANX_ERROR_AGGREGATE_LENGTH = 162,
    /**
     * A randomizer of the aggregate gives no encoding of its message.
     */
    PHALANX_ERROR_AGGREGATE_NO_ENCODING = 163,
    /**
     * Some gate of the circuit is not what its inputs make it.
     */
    PHALANX_ERROR_AGGREGATE_ZEROCHECK = 164,
    /**
     * The factors of the gates are not those of the circuit.
     */
    PHALANX_ERROR_AGGREGATE_LINCHECK = 165,
    /**
     * Some wire does not lead where the statement says.
     */
    PHALANX_ERROR_AGGREGATE_WIRING = 166,
    /**
     * What was said about the committed bits is not so.
     */
    PHALANX_ERROR_AGGREGATE_OPENING = 167,
} phalanx_status;

/**
 * The families of statuses, by number.
 */
typedef enum phalanx_family {
    /**
     * Success.
     */
    PHALANX_FAMILY_OK = 0,
    /**
     * A signature, a proof or a path does not verify.
     */
    PHALANX_FAMILY_DOES_NOT_VERIFY = 1,
    /**
     * Bytes from outside are not what they should be, or a password does not open them.
     */
    PHALANX_FAMILY_MALFORMED = 2,
    /**
     * The key must not or cannot sign this epoch now.
     */
    PHALANX_FAMILY_REFUSED = 3,
    /**
     * The caller's mistake: a pointer, a number, a length, a name.
     */
    PHALANX_FAMILY_CALLER = 4,
    /**
     * The system or the library failed, or the callback stopped the work.
     */
    PHALANX_FAMILY_SYSTEM = 5,
} phalanx_family;

/**
 * The parameter sets by number. The names are those of files and of the command line: see
 * `phalanx_xmss_parameter_set_from_name`.
 */
typedef enum phalanx_xmss_parameter_set {
    /**
     * `xmss-poseidon2-l8-d64b8`: leanSig of 2025-11, lifetime 2^8, 64 chains of base 8.
     */
    PHALANX_XMSS_POSEIDON2_L8_D64B8 = 1,
    /**
     * `xmss-poseidon2-l18-d64b8`: leanSig of 2025-11, lifetime 2^18, 64 chains of base 8.
     */
    PHALANX_XMSS_POSEIDON2_L18_D64B8 = 2,
    /**
     * `xmss-poseidon2-l32-d64b8`: leanSig of 2025-11, lifetime 2^32, 64 chains of base 8.
     */
    PHALANX_XMSS_POSEIDON2_L32_D64B8 = 3,
    /**
     * `xmss-poseidon2-l32-d48b10`: leanSig of 2025-11, lifetime 2^32, 48 chains of base 10.
     */
    PHALANX_XMSS_POSEIDON2_L32_D48B10 = 4,
    /**
     * `xmss-poseidon2-l32-d32b26`: leanSig of 2025-11, lifetime 2^32, 32 chains of base 26.
     */
    PHALANX_XMSS_POSEIDON2_L32_D32B26 = 5,
    /**
     * `xmss-poseidon1-l32-d46b8`: leanSig of 2026-04 (devnet 4), lifetime 2^32, 46 chains of base 8.
     */
    PHALANX_XMSS_POSEIDON1_L32_D46B8 = 6,
    /**
     * `xmss-poseidon1-l8-d4b8-test`: four chains, NO SECURITY: signatures under it can be forged. For tests.
     */
    PHALANX_XMSS_POSEIDON1_L8_D4B8_TEST = 7,
    /**
     * `xmss-blake2s-l32-d42b8`: over BLAKE2s, what lean clients have run since the middle of 2026, lifetime 2^32, 42 chains
     * of base 8. Keys have 32 bytes and signatures 1208, the same in SSZ, bincode and bincode 2.
     */
    PHALANX_XMSS_BLAKE2S_L32_D42B8 = 8,
    /**
     * `xmss-blake2s-a-l32-d42b8`: its definition of August 2026, for verification only.
     */
    PHALANX_XMSS_BLAKE2S_A_L32_D42B8 = 9,
} phalanx_xmss_parameter_set;

/**
 * The encodings of keys and signatures by number. Nothing in the bytes says which one they are in.
 */
typedef enum phalanx_xmss_format {
    /**
     * `ssz`: as the consensus layer speaks it.
     */
    PHALANX_XMSS_FORMAT_SSZ = 0,
    /**
     * `bincode`: integers of fixed width, as bincode 1.3 writes them.
     */
    PHALANX_XMSS_FORMAT_BINCODE = 1,
    /**
     * `bincode2`: integers of variable width, as bincode 2 writes them by default.
     */
    PHALANX_XMSS_FORMAT_BINCODE2 = 2,
    /**
     * `json`: as serde writes leanSig's types.
     */
    PHALANX_XMSS_FORMAT_JSON = 3,
    /**
     * `bincode-padded`: `bincode`, with signatures of any set followed by zeros up to 3116 bytes.
     */
    PHALANX_XMSS_FORMAT_BINCODE_PADDED = 4,
} phalanx_xmss_format;

/**
 * Which signatures are accepted at the edges where implementations differ, by number.
 */
typedef enum phalanx_ed25519_profile {
    /**
     * `strict`, the default choice: no point of small order, no second encoding of R.
     */
    PHALANX_ED25519_PROFILE_STRICT = 0,
    /**
     * `zip215`: single, many and batch verification agree by design.
     */
    PHALANX_ED25519_PROFILE_ZIP215 = 1,
    /**
     * `rfc8032`: the cofactored equation and canonical encodings.
     */
    PHALANX_ED25519_PROFILE_RFC8032 = 2,
    /**
     * `cofactorless`: the equation without cofactor, as most libraries check it.
     */
    PHALANX_ED25519_PROFILE_COFACTORLESS = 3,
    /**
     * `zig-std`: what the Zig standard library accepts.
     */
    PHALANX_ED25519_PROFILE_ZIG_STD = 4,
} phalanx_ed25519_profile;

/**
 * Why a signature does not verify: the first check of the profile that fails, in the order of this list. All inputs of
 * verification are public, so saying it gives nothing away.
 */
typedef enum phalanx_ed25519_reason {
    /**
     * It verifies.
     */
    PHALANX_ED25519_REASON_NONE = 0,
    /**
     * The public key or the signature has a wrong length.
     */
    PHALANX_ED25519_REASON_INVALID_LENGTH = 1,
    /**
     * S is not below the group order.
     */
    PHALANX_ED25519_REASON_NON_CANONICAL_S = 2,
    /**
     * The public key encodes no point.
     */
    PHALANX_ED25519_REASON_INVALID_PUBLIC_KEY = 3,
    /**
     * R encodes no point.
     */
    PHALANX_ED25519_REASON_INVALID_R = 4,
    /**
     * The public key or R is not the canonical encoding of its point, and the profile wants it.
     */
    PHALANX_ED25519_REASON_NON_CANONICAL_POINT = 5,
    /**
     * The public key is a point of small order.
     */
    PHALANX_ED25519_REASON_WEAK_PUBLIC_KEY = 6,
    /**
     * R (or what it must equal) is a point of small order.
     */
    PHALANX_ED25519_REASON_WEAK_R = 7,
    /**
     * The verification equation does not hold: another message, another key or a damaged signature.
     */
    PHALANX_ED25519_REASON_EQUATION_FAILED = 8,
} phalanx_ed25519_reason;

/**
 * The formats of key files, by number.
 */
typedef enum phalanx_ed25519_key_format {
    /**
     * 32 bytes: a seed or a verifying key; they look alike.
     */
    PHALANX_ED25519_KEY_FORMAT_RAW = 0,
    /**
     * 64 bytes: seed and public key. Signing keys only.
     */
    PHALANX_ED25519_KEY_FORMAT_KEYPAIR = 1,
    /**
     * 64 hex digits.
     */
    PHALANX_ED25519_KEY_FORMAT_HEX = 2,
    /**
     * PKCS#8, DER. Signing keys only.
     */
    PHALANX_ED25519_KEY_FORMAT_PKCS8_DER = 3,
    /**
     * PKCS#8, PEM. Signing keys only.
     */
    PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM = 4,
    /**
     * SubjectPublicKeyInfo, DER. Verifying keys only.
     */
    PHALANX_ED25519_KEY_FORMAT_SPKI_DER = 5,
    /**
     * SubjectPublicKeyInfo, PEM. Verifying keys only.
     */
    PHALANX_ED25519_KEY_FORMAT_SPKI_PEM = 6,
    /**
     * OpenSSH's unencrypted private file, or its public line.
     */
    PHALANX_ED25519_KEY_FORMAT_OPENSSH = 7,
    /**
     * A JSON Web Key.
     */
    PHALANX_ED25519_KEY_FORMAT_JWK = 8,
    /**
     * For reading: whichever of these the bytes are, as `phalanx_ed25519_key_format_detect` finds it.
     */
    PHALANX_ED25519_KEY_FORMAT_ANY = 9,
} phalanx_ed25519_key_format;

/**
 * How the message of an SSH signature is hashed, by number.
 */
typedef enum phalanx_ed25519_ssh_hash {
    /**
     * SHA-512, ssh-keygen's default.
     */
    PHALANX_ED25519_SSH_HASH_SHA512 = 0,
    /**
     * SHA-256.
     */
    PHALANX_ED25519_SSH_HASH_SHA256 = 1,
} phalanx_ed25519_ssh_hash;

/**
 * The hash functions over the field of p = 2^64 - 2^32 + 1 elements: what `function` arguments take.
 *
 * Words that go in may be any 64 bits and are taken modulo p; words that come out are below p. A digest is four words.
 */
typedef enum phalanx_rescue_function {
    /**
     * Rescue-Prime as winter-crypto 0.13.1 has it; states of 12 words.
     */
    PHALANX_RESCUE_FUNCTION_RP64_256 = 0,
    /**
     * Its sibling with the Jive compression for merging; states of 8 words.
     */
    PHALANX_RESCUE_FUNCTION_JIVE256 = 1,
    /**
     * RPO-256 as miden-crypto has it up to 0.28, whose next version drops it; states of 12 words.
     */
    PHALANX_RESCUE_FUNCTION_RPO256 = 2,
    /**
     * RPX-256 as miden-crypto has it up to 0.28, whose next version drops it; states of 12 words.
     */
    PHALANX_RESCUE_FUNCTION_RPX256 = 3,
} phalanx_rescue_function;

/**
 * What proofs are made small for: what `profile` arguments take.
 */
typedef enum phalanx_ligerito_profile {
    /**
     * 100 provable bits without proof of work. The default.
     */
    PHALANX_LIGERITO_PROFILE_BALANCED = 1,
    /**
     * Shorter proofs; 16 of the 100 bits are a proof of work at every level, which the prover pays for.
     */
    PHALANX_LIGERITO_PROFILE_COMPACT = 2,
} phalanx_ligerito_profile;

/**
 * Which sizes of its levels a proof of the published crate has: what `sizes` arguments take.
 */
typedef enum phalanx_ligerito_ref_v08_sizes {
    /**
     * The crate's configurations: 12, 16, 20, 24, 26, 28 and 30 variables.
     */
    PHALANX_LIGERITO_REF_V08_SIZES_PUBLISHED = 0,
    /**
     * What its command line chooses: 20 to 30 variables.
     */
    PHALANX_LIGERITO_REF_V08_SIZES_AUTOSIZED = 1,
} phalanx_ligerito_ref_v08_sizes;

/**
 * Which of the crate's transcripts the challenges come from: what `transcript` arguments take.
 */
typedef enum phalanx_ligerito_ref_v08_transcript {
    /**
     * SHA-256 with seed 1234, as the crate's `prove_sha256`.
     */
    PHALANX_LIGERITO_REF_V08_TRANSCRIPT_SHA256 = 0,
    /**
     * Merlin, as the crate's `prove` with its default features.
     */
    PHALANX_LIGERITO_REF_V08_TRANSCRIPT_MERLIN = 1,
} phalanx_ligerito_ref_v08_transcript;

/**
 * What proofs of the suite with 128 provable bits are made small for: what `profile` arguments take.
 */
typedef enum phalanx_ligerito128_profile {
    /**
     * 128 provable bits without proof of work.
     */
    PHALANX_LIGERITO128_PROFILE_BALANCED = 3,
} phalanx_ligerito128_profile;

/**
 * How many bits of security an aggregate has: what `profile` arguments take. There is no default: 100 bits are fewer than
 * the signatures have themselves.
 */
typedef enum phalanx_aggregate_profile {
    /**
     * `aggregate-v1-provable100`: 100 provable bits, weaker than what it aggregates.
     */
    PHALANX_AGGREGATE_PROFILE_PROVABLE100 = 1,
    /**
     * `aggregate-v1-provable128`: 128 provable bits.
     */
    PHALANX_AGGREGATE_PROFILE_PROVABLE128 = 3,
} phalanx_aggregate_profile;

#if defined(PHALANX_HAS_CUSTODY)
/**
 * What a key is for: it stands in the ledger and in keystores, and decides what an exported history says.
 */
typedef enum phalanx_key_role {
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Signs attestations.
     */
    PHALANX_KEY_ROLE_ATTESTER = 0,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Signs blocks.
     */
    PHALANX_KEY_ROLE_PROPOSER = 1,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Signs aggregates.
     */
    PHALANX_KEY_ROLE_AGGREGATOR = 2,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Signs what a builder bids.
     */
    PHALANX_KEY_ROLE_BUILDER = 3,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Signs the votes of a consensus (Ed25519).
     */
    PHALANX_KEY_ROLE_CONSENSUS = 4,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Anything else.
     */
    PHALANX_KEY_ROLE_OTHER = 5,
#endif
} phalanx_key_role;
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Whether a key may sign, as far as its ledger says.
 */
typedef enum phalanx_key_state {
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * It may.
     */
    PHALANX_KEY_STATE_ACTIVE = 0,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * It signs nothing until an operator has answered for it: `phalanx_ledger_adopt`.
     */
    PHALANX_KEY_STATE_QUARANTINED = 1,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * It has moved to another ledger, and signs nothing here any more.
     */
    PHALANX_KEY_STATE_RETIRED = 2,
#endif
} phalanx_key_state;
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * What readers and writers of keystores are asked for beside the obvious. Combined by `|`.
 */
typedef enum phalanx_keystore_flags {
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Nothing.
     */
    PHALANX_KEYSTORE_FLAGS_NONE = 0,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Reading: also files whose derivation is so cheap that their passwords can be guessed. For conversion, and for tests.
     */
    PHALANX_KEYSTORE_FLAGS_ACCEPT_WEAK_KDF = 1,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Reading: also a key whose file is for recovery only. Whoever signs with it answers for that.
     */
    PHALANX_KEYSTORE_FLAGS_FOR_RECOVERY = 2,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Reading a file: keeps the trees that were computed in `<file>.trees`, and takes them from there the next time. It
     * holds no secret and may be deleted.
     */
    PHALANX_KEYSTORE_FLAGS_CACHE_TREES = 4,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Reading a file: also one of root that its group may read, as Kubernetes hands out secrets.
     */
    PHALANX_KEYSTORE_FLAGS_ACCEPT_GROUP_OF_ROOT = 8,
#endif
#if defined(PHALANX_HAS_CUSTODY)
    /**
     * Writing: scrypt instead of Argon2id.
     */
    PHALANX_KEYSTORE_FLAGS_SCRYPT = 16,
#endif
} phalanx_keystore_flags;
#endif

/**
 * What an aggregate says: groups, strictly increasing by epoch and then message as bytes, and the keys of each, strictly
 * increasing as bytes. *For every group and every key of it somebody knows a signature that verifies.* Signatures are numbered
 * in this order, from 0.
 *
 * A key counts once for an epoch and a message. The same message at another epoch is another group: who counts the signers
 * of a message takes care of keys that are in both.
 */
typedef struct phalanx_aggregate_statement phalanx_aggregate_statement;

/**
 * Collects signatures and verifies them together; every entry gets its result.
 */
typedef struct phalanx_ed25519_batch phalanx_ed25519_batch;

/**
 * A verifying key with tables of its multiples: each verification takes about half the time, with the same answers.
 */
typedef struct phalanx_ed25519_prepared_key phalanx_ed25519_prepared_key;

/**
 * A secret key with the public key that belongs to it.
 */
typedef struct phalanx_ed25519_signing_key phalanx_ed25519_signing_key;

#if defined(PHALANX_HAS_CUSTODY)
/**
 * A signing key and the ledger that every signature of it goes through. Several threads may use it at the same time.
 */
typedef struct phalanx_guarded_key phalanx_guarded_key;
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * An open ledger of used epochs. Several threads may use it at the same time.
 */
typedef struct phalanx_ledger phalanx_ledger;
#endif

/**
 * What openings are made from, as `phalanx_ligerito_prover` is.
 */
typedef struct phalanx_ligerito128_prover phalanx_ligerito128_prover;

/**
 * What openings are made from. It holds the encoded polynomial, two to eight times as long as the polynomial, and
 * borrows the polynomial itself.
 */
typedef struct phalanx_ligerito_prover phalanx_ligerito_prover;

/**
 * Threads that wait for work, so that calls need not start any: what the functions whose names end with `_on` take. Several
 * threads may use it at the same time.
 */
typedef struct phalanx_pool phalanx_pool;

/**
 * The hash of bytes that come in pieces, of a length known before: these functions absorb the length first.
 */
typedef struct phalanx_rescue_hasher phalanx_rescue_hasher;

/**
 * A full binary tree whose nodes are merged from their children. Holds all nodes: 64 bytes for each leaf.
 */
typedef struct phalanx_rescue_tree phalanx_rescue_tree;

/**
 * A bottom tree on its way to a key.
 */
typedef struct phalanx_xmss_next_tree phalanx_xmss_next_tree;

/**
 * A signing key, and a lock: calls from several threads take turns.
 */
typedef struct phalanx_xmss_signing_key phalanx_xmss_signing_key;

/**
 * Bytes that belong to the caller: where they begin, and how many. Null if there are none.
 */
typedef struct phalanx_bytes {
    /**
     * The first byte.
     */
    const uint8_t *data;
    /**
     * How many.
     */
    size_t len;
} phalanx_bytes;

/**
 * What a verifier accepts.
 */
typedef struct phalanx_aggregate_limits {
    /**
     * Whether aggregates with 100 provable bits are accepted.
     */
    bool provable100;
    /**
     * Whether aggregates with 128 provable bits are accepted.
     */
    bool provable128;
    /**
     * The most signatures, such as `PHALANX_AGGREGATE_SIGNATURES_DEFAULT`. Time and memory grow with their number.
     */
    size_t signatures_max;
} phalanx_aggregate_limits;

/**
 * Keys that signed one message at one epoch.
 */
typedef struct phalanx_aggregate_group {
    /**
     * The epoch.
     */
    uint32_t epoch;
    /**
     * The message, 32 bytes.
     */
    const uint8_t *message;
    /**
     * The verifying keys of `xmss-blake2s-l32-d42b8`, one behind the other, 32 bytes each.
     */
    const uint8_t *keys;
    /**
     * How many keys.
     */
    size_t keys_count;
} phalanx_aggregate_group;

/**
 * Two signatures of a statement, by their numbers.
 */
typedef struct phalanx_aggregate_pair {
    /**
     * The one that stands first.
     */
    size_t first;
    /**
     * The other.
     */
    size_t second;
} phalanx_aggregate_pair;

#if defined(PHALANX_HAS_CUSTODY)
/**
 * A signature that is wanted: what is asked for first, then room for it, then what became of it.
 */
typedef struct phalanx_sign_item {
    /**
     * The key.
     */
    struct phalanx_guarded_key *key;
    /**
     * The epoch.
     */
    uint32_t epoch;
    /**
     * The message, 32 bytes.
     */
    const uint8_t *message;
    /**
     * Where the signature goes, in SSZ.
     */
    uint8_t *signature;
    /**
     * How many bytes fit there.
     */
    size_t capacity;
    /**
     * Out: how many bytes the signature has.
     */
    size_t signature_len;
    /**
     * Out: whether it is one that was given before.
     */
    bool repeated;
    /**
     * Out: the answer, as that of `phalanx_guarded_key_sign`.
     */
    enum phalanx_status status;
} phalanx_sign_item;
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * What a keystore says of its key. Proved only where the password was given and `is_bound` holds.
 */
typedef struct phalanx_keystore_info {
    /**
     * The parameter set, by its number; 0 for a scheme that this library reads and does not sign with XMSS for.
     */
    uint32_t set;
    /**
     * What the key is for: a `phalanx_key_role`, `PHALANX_KEY_ROLE_OTHER` where the file does not say.
     */
    uint32_t role;
    /**
     * The first epoch of the key; 0 where the file does not say.
     */
    uint64_t start_epoch;
    /**
     * How many epochs it has; 0 where the file does not say.
     */
    uint64_t active_epochs;
    /**
     * The name of the key.
     */
    uint8_t key_id[32];
    /**
     * The public key, in SSZ.
     */
    uint8_t public_key[PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX];
    /**
     * Its length in bytes.
     */
    size_t public_key_len;
    /**
     * Whether the file brings back the key for recovery only: nobody signs from it.
     */
    bool is_recovery_only;
    /**
     * Whether what the file says is bound to its password. If not, the public key was computed from the secret anew.
     */
    bool is_bound;
    /**
     * Whether its password can be guessed cheaply.
     */
    bool has_weak_kdf;
} phalanx_keystore_info;
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Where a key stands in a ledger.
 */
typedef struct phalanx_standing {
    /**
     * Whether it may sign: a `phalanx_key_state`.
     */
    uint32_t state;
    /**
     * What it is for: a `phalanx_key_role`.
     */
    uint32_t role;
    /**
     * The first epoch of the key.
     */
    uint64_t start_epoch;
    /**
     * The first epoch after its last one.
     */
    uint64_t end_epoch;
    /**
     * The low watermark: nothing new below it is signed.
     */
    uint64_t low;
    /**
     * The high watermark: nothing new from here on is signed. Only if `has_high`.
     */
    uint64_t high;
    /**
     * The greatest epoch that was ever reserved. Only if `has_highest`.
     */
    uint64_t highest;
    /**
     * How many epochs are left.
     */
    uint64_t remaining;
    /**
     * Whether there is a high watermark.
     */
    bool has_high;
    /**
     * Whether an epoch was ever reserved.
     */
    bool has_highest;
    /**
     * Whether the key signs only forward.
     */
    bool is_strict;
} phalanx_standing;
#endif

/**
 * A signature with what it claims: that the key signed the message.
 */
typedef struct phalanx_ed25519_claim {
    /**
     * The signer's key. Lengths other than 32 do not verify.
     */
    const uint8_t *verifying_key;
    /**
     * Its length in bytes.
     */
    size_t verifying_key_len;
    /**
     * The message.
     */
    const uint8_t *message;
    /**
     * Its length in bytes.
     */
    size_t message_len;
    /**
     * The signature. Lengths other than 64 do not verify.
     */
    const uint8_t *signature;
    /**
     * Its length in bytes.
     */
    size_t signature_len;
} phalanx_ed25519_claim;

/**
 * Signatures in packed records, such as rows of a table or of a mapped file: a key, a message and a signature each, at the
 * same place of every record. Each field has where it begins in the first record, and how many bytes on it begins in the
 * next; 0 there is the same key, or the same message, for all.
 */
typedef struct phalanx_ed25519_records {
    /**
     * The signer's key in the first record, 32 bytes.
     */
    const uint8_t *verifying_keys;
    /**
     * From one key to the next, in bytes.
     */
    size_t verifying_key_stride;
    /**
     * The message in the first record.
     */
    const uint8_t *messages;
    /**
     * The length of every message in bytes.
     */
    size_t message_len;
    /**
     * From one message to the next, in bytes.
     */
    size_t message_stride;
    /**
     * The signature in the first record, 64 bytes.
     */
    const uint8_t *signatures;
    /**
     * From one signature to the next, in bytes.
     */
    size_t signature_stride;
} phalanx_ed25519_records;

/**
 * An element of GF(2^192) modulo x^192 + x^7 + x^2 + x + 1.
 */
typedef struct phalanx_ligerito128_element {
    /**
     * The lowest 64 bits first: bit i of limb k is the coefficient of x^(64 k + i).
     */
    uint64_t limbs[3];
} phalanx_ligerito128_element;

/**
 * A point: as many coordinates as the polynomial has variables. Coordinate j belongs to bit j of the words' index.
 */
typedef struct phalanx_ligerito128_point {
    /**
     * Coordinate 0.
     */
    const struct phalanx_ligerito128_element *coordinates;
    /**
     * How many.
     */
    size_t coordinates_len;
} phalanx_ligerito128_point;

/**
 * Which commitments a verifier is ready to look at.
 */
typedef struct phalanx_ligerito128_accepted {
    /**
     * Whether the profile `balanced` is accepted.
     */
    bool balanced;
    /**
     * Fewest variables that are accepted.
     */
    uint8_t variables_min;
    /**
     * Most variables that are accepted.
     */
    uint8_t variables_max;
} phalanx_ligerito128_accepted;

/**
 * The claim that the polynomial has this value at this point.
 */
typedef struct phalanx_ligerito128_claim {
    /**
     * The point.
     */
    struct phalanx_ligerito128_point point;
    /**
     * The value.
     */
    struct phalanx_ligerito128_element value;
} phalanx_ligerito128_claim;

/**
 * An element of GF(2^128) modulo x^128 + x^7 + x^2 + x + 1: bit i of its 128 is the coefficient of x^i.
 */
typedef struct phalanx_ligerito_element {
    /**
     * Bits 0 to 63.
     */
    uint64_t low;
    /**
     * Bits 64 to 127.
     */
    uint64_t high;
} phalanx_ligerito_element;

/**
 * A point: as many coordinates as the polynomial has variables. Coordinate j belongs to bit j of the words' index.
 */
typedef struct phalanx_ligerito_point {
    /**
     * Coordinate 0.
     */
    const struct phalanx_ligerito_element *coordinates;
    /**
     * How many.
     */
    size_t coordinates_len;
} phalanx_ligerito_point;

/**
 * The claim that a word of the polynomial has a value.
 */
typedef struct phalanx_ligerito_ref_v08_claim {
    /**
     * Which word.
     */
    uint64_t index;
    /**
     * Its value.
     */
    uint32_t value;
} phalanx_ligerito_ref_v08_claim;

/**
 * Which commitments a verifier is ready to look at. A commitment often comes from the prover, so profile and size are the
 * verifier's to choose.
 */
typedef struct phalanx_ligerito_accepted {
    /**
     * Whether the profile `balanced` is accepted.
     */
    bool balanced;
    /**
     * Whether the profile `compact` is accepted.
     */
    bool compact;
    /**
     * Fewest variables that are accepted.
     */
    uint8_t variables_min;
    /**
     * Most variables that are accepted.
     */
    uint8_t variables_max;
} phalanx_ligerito_accepted;

/**
 * The claim that the polynomial's bits have these planes at this point.
 */
typedef struct phalanx_ligerito_planes_claim {
    /**
     * The point.
     */
    struct phalanx_ligerito_point point;
    /**
     * `PHALANX_LIGERITO_PLANES` elements: the plane of bit 0, of bit 1, ...
     */
    const struct phalanx_ligerito_element *planes;
} phalanx_ligerito_planes_claim;

/**
 * A point at which one of several polynomials is opened.
 */
typedef struct phalanx_ligerito_point_of {
    /**
     * Which one: its place among the provers or commitments.
     */
    size_t commitment;
    /**
     * The point.
     */
    struct phalanx_ligerito_point point;
} phalanx_ligerito_point_of;

/**
 * The claim that the polynomial has this value at this point.
 */
typedef struct phalanx_ligerito_claim {
    /**
     * The point.
     */
    struct phalanx_ligerito_point point;
    /**
     * The value.
     */
    struct phalanx_ligerito_element value;
} phalanx_ligerito_claim;

/**
 * The claim that one of several polynomials has this value at this point.
 */
typedef struct phalanx_ligerito_claim_of {
    /**
     * Which one: its place among the commitments.
     */
    size_t commitment;
    /**
     * Point and value.
     */
    struct phalanx_ligerito_claim claim;
} phalanx_ligerito_claim_of;

/**
 * The claim that the polynomial's bits have these planes at this point.
 */
typedef struct phalanx_ligerito128_planes_claim {
    /**
     * The point.
     */
    struct phalanx_ligerito128_point point;
    /**
     * `PHALANX_LIGERITO_PLANES` elements: the plane of bit 0, of bit 1, ...
     */
    const struct phalanx_ligerito128_element *planes;
} phalanx_ligerito128_planes_claim;

/**
 * A point at which one of several polynomials is opened.
 */
typedef struct phalanx_ligerito128_point_of {
    /**
     * Which one: its place among the provers or commitments.
     */
    size_t commitment;
    /**
     * The point.
     */
    struct phalanx_ligerito128_point point;
} phalanx_ligerito128_point_of;

/**
 * The claim that one of several polynomials has this value at this point.
 */
typedef struct phalanx_ligerito128_claim_of {
    /**
     * Which one: its place among the commitments.
     */
    size_t commitment;
    /**
     * Point and value.
     */
    struct phalanx_ligerito128_claim claim;
} phalanx_ligerito128_claim_of;

/**
 * Elements somewhere in the caller's memory.
 */
typedef struct phalanx_words {
    /**
     * The first one. Null if there are none.
     */
    const uint64_t *data;
    /**
     * How many.
     */
    size_t len;
} phalanx_words;

/**
 * Is told how many leaves are done, of how many; answers 0 to go on and anything else to stop. Calls come from any of the
 * threads that compute, never two at the same time. It must return: no exception, no longjmp.
 */
typedef int32_t (*phalanx_xmss_progress)(void *context, uint64_t leaves_done, uint64_t leaves_total);

/**
 * A signature with what it claims: that the key signed the message at the epoch.
 */
typedef struct phalanx_xmss_claim {
    /**
     * The parameter set of key and signature.
     */
    uint32_t set;
    /**
     * The format of key and signature.
     */
    uint32_t format;
    /**
     * The signer's key.
     */
    const uint8_t *verifying_key;
    /**
     * Its length in bytes.
     */
    size_t verifying_key_len;
    /**
     * The message, 32 bytes.
     */
    const uint8_t *message;
    /**
     * The signature.
     */
    const uint8_t *signature;
    /**
     * Its length in bytes.
     */
    size_t signature_len;
    /**
     * The epoch.
     */
    uint32_t epoch;
} phalanx_xmss_claim;

/**
 * Signatures in packed records, such as rows of a table or of a mapped file: a key, an epoch, a message and a signature
 * each, at the same place of every record, all of one parameter set and one format, whose lengths do not vary. Each field
 * has where it begins in the first record, and how many bytes on it begins in the next; 0 there is the same key, epoch or
 * message for all.
 */
typedef struct phalanx_xmss_records {
    /**
     * The parameter set of keys and signatures.
     */
    uint32_t set;
    /**
     * The format of keys and signatures.
     */
    uint32_t format;
    /**
     * The signer's key in the first record.
     */
    const uint8_t *verifying_keys;
    /**
     * The length of every key in bytes.
     */
    size_t verifying_key_len;
    /**
     * From one key to the next, in bytes.
     */
    size_t verifying_key_stride;
    /**
     * The epoch in the first record: four bytes, little-endian, at any address.
     */
    const uint8_t *epochs;
    /**
     * From one epoch to the next, in bytes.
     */
    size_t epoch_stride;
    /**
     * The message in the first record, 32 bytes.
     */
    const uint8_t *messages;
    /**
     * From one message to the next, in bytes.
     */
    size_t message_stride;
    /**
     * The signature in the first record.
     */
    const uint8_t *signatures;
    /**
     * The length of every signature in bytes.
     */
    size_t signature_len;
    /**
     * From one signature to the next, in bytes.
     */
    size_t signature_stride;
} phalanx_xmss_records;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The name of a profile, such as `"aggregate-v1-provable100"`; null if the number names none.
 */
const char *phalanx_aggregate_profile_name(uint32_t profile);

/**
 * Writes the number of the profile called `name`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_profile_from_name(uint32_t *profile,
                                                        const char *name);

/**
 * Length in bytes of the longest aggregate of so many signatures; 0 if the profile names none or no statement has so many.
 * Aggregates differ in length.
 */
size_t phalanx_aggregate_size(uint32_t profile,
                              size_t signatures);

/**
 * The memory that proving takes, in bytes, without what the caller holds; 0 if the profile names none or no statement has so
 * many signatures.
 */
uint64_t phalanx_aggregate_memory(uint32_t profile,
                                  size_t signatures);

/**
 * Proves that the signatures of a statement verify. They stand in its order, groups and their keys as
 * `phalanx_aggregate_statement_group` gives them, `signatures_len` of them, each of 1208 bytes. `context` is bound to the
 * aggregate, of any length: who verifies has to name the same. The same input gives the same aggregate. Works on `threads`
 * threads (0: one for each core; 1: the caller's).
 *
 * An aggregate saves bytes, not verifier time: on average it is shorter than the signatures from 199 on with 100 bits, from
 * 307 with 128. It is not zero-knowledge, and two of them cannot be merged.
 *
 * `aggregate_capacity` is at least `phalanx_aggregate_size`; else that is the length written, and nothing is computed.
 *
 * Fails before it computes anything with `PHALANX_ERROR_INVALID_LENGTH` (not a signature for every key),
 * `PHALANX_ERROR_AGGREGATE_MEMORY` (`phalanx_aggregate_memory` is above `memory_limit`), `PHALANX_ERROR_BUFFER_TOO_SMALL`.
 * `PHALANX_ERROR_MALFORMED`, of another length, and `PHALANX_ERROR_INVALID_SIGNATURE` are about the first signature that is
 * not good: `place`, which may be null, learns its number in the statement, and is written for these two only.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate(const struct phalanx_aggregate_statement *statement,
                                      uint8_t *aggregate,
                                      size_t aggregate_capacity,
                                      size_t *aggregate_len,
                                      uint64_t *place,
                                      uint32_t profile,
                                      const struct phalanx_bytes *signatures,
                                      size_t signatures_len,
                                      const uint8_t *context,
                                      size_t context_len,
                                      uint64_t memory_limit,
                                      uint32_t threads);

/**
 * As `phalanx_aggregate`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_on(const struct phalanx_pool *pool,
                                         const struct phalanx_aggregate_statement *statement,
                                         uint8_t *aggregate,
                                         size_t aggregate_capacity,
                                         size_t *aggregate_len,
                                         uint64_t *place,
                                         uint32_t profile,
                                         const struct phalanx_bytes *signatures,
                                         size_t signatures_len,
                                         const uint8_t *context,
                                         size_t context_len,
                                         uint64_t memory_limit);

/**
 * Verifies that for every group and every key of the statement somebody knows a signature. `context` is what the prover
 * bound the aggregate to. One thread.
 *
 * The answer names the first check that failed: `PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES` (more than `limits` has),
 * `PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE` (nor is it any, if the bytes are no aggregate),
 * `PHALANX_ERROR_AGGREGATE_LENGTH`, `PHALANX_ERROR_AGGREGATE_NO_ENCODING`, `PHALANX_ERROR_AGGREGATE_ZEROCHECK`,
 * `PHALANX_ERROR_AGGREGATE_LINCHECK`, `PHALANX_ERROR_AGGREGATE_WIRING` or `PHALANX_ERROR_AGGREGATE_OPENING`. `place`, which
 * may be null, learns which signature has no encoding, and which check of `phalanx_ligerito_verify` the opening failed, a
 * `phalanx_status`; it is written for these two only.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_verify(const struct phalanx_aggregate_limits *limits,
                                             uint64_t *place,
                                             const struct phalanx_aggregate_statement *statement,
                                             const uint8_t *context,
                                             size_t context_len,
                                             const uint8_t *aggregate,
                                             size_t aggregate_len);

/**
 * The statement about these groups, in any order; groups of one epoch and message become one, and keys are sorted. End it
 * with `phalanx_aggregate_statement_free`.
 *
 * Fails with `PHALANX_ERROR_AGGREGATE_NO_GROUPS`, `PHALANX_ERROR_AGGREGATE_EMPTY_GROUP`, `PHALANX_ERROR_AGGREGATE_KEY_ORDER` (a
 * key is there twice for one epoch and message), `PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_statement_new(struct phalanx_aggregate_statement **statement,
                                                    const struct phalanx_aggregate_group *groups,
                                                    size_t groups_count);

/**
 * The statement of these bytes, strictly: `PHALANX_ERROR_AGGREGATE_NO_GROUPS`, `PHALANX_ERROR_AGGREGATE_EMPTY_GROUP`,
 * `PHALANX_ERROR_AGGREGATE_GROUP_ORDER`, `PHALANX_ERROR_AGGREGATE_KEY_ORDER`,
 * `PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES`, `PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_statement_from_bytes(struct phalanx_aggregate_statement **statement,
                                                           const uint8_t *bytes,
                                                           size_t bytes_len);

/**
 * Ends a statement. Null is fine.
 */
void phalanx_aggregate_statement_free(struct phalanx_aggregate_statement *statement);

/**
 * Writes the statement's bytes, which aggregates are bound to: 4, then 40 for each group and 32 for each key.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_statement_to_bytes(const struct phalanx_aggregate_statement *statement,
                                                         uint8_t *bytes,
                                                         size_t bytes_capacity,
                                                         size_t *bytes_len);

/**
 * Writes how many groups the statement has and how many signatures, which is how many keys. Either may be null.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_statement_counts(const struct phalanx_aggregate_statement *statement,
                                                       size_t *groups,
                                                       size_t *signatures);

/**
 * Writes group `index`, in the statement's order. Its message and keys belong to the statement, and are there as long as it
 * is. `PHALANX_ERROR_INVALID_ARGUMENT` if there is no such group.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_statement_group(const struct phalanx_aggregate_statement *statement,
                                                      struct phalanx_aggregate_group *group,
                                                      size_t index);

/**
 * Writes the pairs of signatures of one key at one epoch for different messages: the signer has broken its key. The statement is
 * true all the same. There are fewer pairs than signatures; if there are more than `pairs_capacity`, only their number is
 * written (`PHALANX_ERROR_BUFFER_TOO_SMALL`).
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_aggregate_statement_equivocations(const struct phalanx_aggregate_statement *statement,
                                                              struct phalanx_aggregate_pair *pairs,
                                                              size_t pairs_capacity,
                                                              size_t *pairs_count);

/**
 * Starts a pool of `threads` threads, the calling one included: 0 is one for each core, and 1 starts none. End it with
 * `phalanx_pool_free`. A process that forks has no threads in the child: it makes a pool of its own there.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_pool_new(struct phalanx_pool **pool,
                                     uint32_t threads);

/**
 * Ends a pool and its threads. Null is fine.
 */
void phalanx_pool_free(struct phalanx_pool *pool);

/**
 * How many threads work in calls on the pool, the calling one included; 1 for null.
 */
uint32_t phalanx_pool_threads(const struct phalanx_pool *pool);

/**
 * The version of the library, such as `"0.1.0"`. Compare with `PHALANX_VERSION`, that of the header.
 */
const char *phalanx_version(void);

/**
 * The name of the kernels that calls on this thread use: `"portable"`, `"avx2"`, `"avx512-ifma"`, `"neon"`, … The best that
 * this CPU runs, or the one that the environment variable `PHALANX_BACKEND` names. Answers never depend on it.
 */
const char *phalanx_backend(void);

/**
 * Whether this CPU runs the kernels called `name`: `PHALANX_OK`, `PHALANX_ERROR_UNAVAILABLE` or
 * `PHALANX_ERROR_UNKNOWN_NAME`.
 */
PHALANX_MUST_CHECK enum phalanx_status phalanx_backend_available(const char *name);

/**
 * Overwrites `bytes_len` bytes with zeros, in a way that no optimiser removes: for seeds and keys in the caller's memory.
 */
void phalanx_wipe(uint8_t *bytes,
                  size_t bytes_len);

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Guards a key by a ledger that knows exactly it: from now on it signs through that ledger only. The key is taken over,
 * and its handle must not be used or freed any more; if this fails, the key is still the caller's.
 *
 * `PHALANX_ERROR_LEDGER_NO_STATE` if the ledger does not know it (`phalanx_ledger_register`, `phalanx_ledger_adopt`),
 * `PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS` if it knows another key of the same seed. The ledger stays open until the
 * guarded key is freed.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_guarded_key_new(struct phalanx_guarded_key **guarded,
                                            const struct phalanx_ledger *ledger,
                                            struct phalanx_xmss_signing_key *key);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Signs a message of 32 bytes at `epoch`, if the ledger gives the epoch to it, and writes the signature in SSZ. When this
 * answers `PHALANX_OK`, the epoch and the message are in both files of the ledger, on the disk; `repeated`, which may be
 * null, says whether they were before: then it is the identical signature.
 *
 * If the buffer is too small nothing is reserved; `phalanx_xmss_signature_size` says how large it must be. Refusals are
 * `PHALANX_ERROR_LEDGER_EPOCH_USED` and its neighbours; see `phalanx_ledger_refusal_is_final`. If the epoch lies beyond the
 * prepared interval the key moves on first, which computes one or two bottom trees on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_guarded_key_sign(struct phalanx_guarded_key *guarded,
                                             uint8_t *signature,
                                             size_t capacity,
                                             size_t *signature_len,
                                             bool *repeated,
                                             uint32_t epoch,
                                             const uint8_t *message);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Signs `count` messages on `threads` threads, and writes into each item what became of it. The epochs of keys of one
 * ledger are made durable together: 64 keys of one slot wait for the disk once.
 *
 * `PHALANX_OK` only if every status is it; else the first that is not.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_guarded_key_sign_many(struct phalanx_sign_item *items,
                                                  size_t count,
                                                  uint32_t threads);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Ends a guarded key and wipes its secret. Null is fine.
 */
void phalanx_guarded_key_free(struct phalanx_guarded_key *guarded);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes the key that verifies what this one signs, in `format`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_guarded_key_verifying_key(const struct phalanx_guarded_key *guarded,
                                                      uint8_t *verifying_key,
                                                      size_t verifying_key_capacity,
                                                      size_t *verifying_key_len,
                                                      uint32_t format);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes the name of the key, 32 bytes.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_guarded_key_id(const struct phalanx_guarded_key *guarded,
                                           uint8_t *key_id);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes the epochs that the key can sign now, without computing a bottom tree: the first, and the first after them.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_guarded_key_prepared_interval(const struct phalanx_guarded_key *guarded,
                                                          uint64_t *start_epoch,
                                                          uint64_t *end_epoch);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Reads a keystore: its bytes, not its name. Computes the key from the secret in it on this thread, which takes the time
 * of making it, and writes what the file says to `info`. Either may be null: without `key` the password is only tried,
 * and without a password (null, 0) the header alone is read.
 *
 * `flags`: of `phalanx_keystore_flags`. Refusals are `PHALANX_ERROR_KEYSTORE_MALFORMED` and its neighbours. The key says
 * nothing of what it has signed: guard it by its ledger. A key of Ed25519 is `PHALANX_ERROR_KEYSTORE_SCHEME`: see
 * `phalanx_keystore_read_ed25519`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_keystore_read(struct phalanx_xmss_signing_key **key,
                                          struct phalanx_keystore_info *info,
                                          const uint8_t *file,
                                          size_t file_len,
                                          const uint8_t *password,
                                          size_t password_len,
                                          uint32_t flags);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * As `phalanx_keystore_read`, of the keystore of a key of Ed25519, which needs no ledger: nothing is computed.
 * `PHALANX_ERROR_KEYSTORE_SCHEME` if it is of XMSS. A file's bytes of any form: `phalanx_ed25519_signing_key_open`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_keystore_read_ed25519(struct phalanx_ed25519_signing_key **key,
                                                  struct phalanx_keystore_info *info,
                                                  const uint8_t *file,
                                                  size_t file_len,
                                                  const uint8_t *password,
                                                  size_t password_len,
                                                  uint32_t flags);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * As `phalanx_keystore_read`, of the file at `path`, which its owner alone may read (0600, one name), on `threads`
 * threads. `PHALANX_ERROR_KEYSTORE_FILE` if it is not there, or others can read it.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_keystore_load(struct phalanx_xmss_signing_key **key,
                                          struct phalanx_keystore_info *info,
                                          const char *path,
                                          const uint8_t *password,
                                          size_t password_len,
                                          uint32_t flags,
                                          uint32_t threads);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes a key to a new keystore at `path`, where nothing may stand, in a folder for its owner alone (0700, made if it is
 * not there). Register the key with its ledger before: what is lost then is a key without a file, never a key without
 * state.
 *
 * `seed` is the 32 bytes that the key was made from; null writes the expanded key, which only this library reads (a key
 * over BLAKE2s has none: `PHALANX_ERROR_INVALID_ARGUMENT`). `role` is a `phalanx_key_role`, `description` a text for people or null; both are bound to the password. `flags`: 0 or
 * `PHALANX_KEYSTORE_FLAGS_SCRYPT`. Takes 256 MiB of memory, and some time on purpose.
 *
 * `PHALANX_ERROR_KEYSTORE_KEY_MISMATCH` if the seed is another key's, `PHALANX_ERROR_INVALID_ARGUMENT` for an empty
 * password or one that is not UTF-8, `PHALANX_ERROR_KEYSTORE_FILE`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_keystore_write(const char *path,
                                           const struct phalanx_xmss_signing_key *key,
                                           const uint8_t *seed,
                                           uint32_t role,
                                           const uint8_t *password,
                                           size_t password_len,
                                           const char *description,
                                           uint32_t flags);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Makes an empty ledger at `path`, a folder that is created for its owner alone. Once in the life of a set of keys, best
 * by the tool that makes them: a program that makes a ledger wherever it finds none would begin anew after a loss.
 * `PHALANX_ERROR_LEDGER_STORE` if there is one already. Configuration: `phalanx_ledger_open`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_create(const char *path_or_url,
                                          const char *config_toml);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Opens a ledger, for this process alone, and checks it: store and side log must agree, and be in the place and of the
 * state that the last process left. Whatever a crash does not explain is refused, for good reasons:
 * `PHALANX_ERROR_LEDGER_IN_USE`, `_STORE_OLDER`, `_WITNESS`, `_STORE`. What an operator can do about them are verbs of the
 * command line (`phalanx ledger`), each of which burns forward.
 *
 * `path_or_url` is a folder, wherever the store is: that of a ledger in PostgreSQL says where. Or it is the URL of the
 * store, `postgres://USER@HOST/DATABASE`, and the configuration names the folder, which has lock and side log. A library
 * that was built without databases (feature `postgres`) answers `PHALANX_ERROR_UNAVAILABLE`. A host joins such a ledger by
 * the command line (`phalanx ledger join`).
 *
 * `config_toml` is null or a text in TOML. Everything may be left out; a key that is not among these is
 * `PHALANX_ERROR_INVALID_ARGUMENT`:
 *
 * - `witness = "FOLDER"`: where the side log of this ledger is, best on another disk. Without it, where the command line
 *   has it: in `$XDG_STATE_HOME/phalanx` or `$HOME/.local/state/phalanx`, so that a ledger folder that was copied or
 *   restored by itself is found out.
 * - `folder = "FOLDER"`: that of the ledger, where the URL of its store is given.
 * - `store = "URL"`: the store is in PostgreSQL, at this address, whatever the folder says. A password in it is refused:
 *   its parameter `passfile`, or the environment variable PGPASSFILE, names a file.
 * - `host = "NAME"`: what this host is called in the database, read by `phalanx_ledger_create` alone.
 * - `lease_ms = 10000`: how long another host waits for this one, if it is not heard of any more.
 * - `allow_file_systems = ["overlay"]`, also `"9p"`, `"afs"`, `"ceph"`, `"fuse"`: file systems whose flushes and locks are
 *   not the disk's. NFS and SMB are always refused.
 * - `allow_unsynchronised_clock = true`: open a ledger with a clock although the system says that nobody keeps it right.
 * - `resume = "burn-forward"` or `"trust-store"`: with a clock, every start closes the epochs that can have been signed by
 *   now, some six; or none, which is refused unless the last process stopped cleanly in this boot.
 * - `ordering = "any"` or `"strict"`: whether keys that are registered through this handle sign only forward.
 * - `timeout_ms = 2000`: how long a call waits for the ledger.
 * - `[new]`, read by `phalanx_ledger_create` alone: `genesis_time` (Unix seconds of epoch 0) and `epoch_seconds`, the clock
 *   of the chain, after which epochs too far `ahead = 4` of it and too far `behind = 64` are refused; `max_gap = 262144`,
 *   how many epochs a key passes over at most; `genesis_validators_root`, 64 hexadecimal digits, for exchange files.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_open(struct phalanx_ledger **ledger,
                                        const char *path_or_url,
                                        const char *config_toml);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * As `phalanx_ledger_open`; and writes why it was refused, for people: a text that ends with a zero byte, cut to
 * `why_capacity` bytes, empty if there is nothing to say. It names files, and holds no secret.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_open_explained(struct phalanx_ledger **ledger,
                                                  char *why,
                                                  size_t why_capacity,
                                                  const char *path_or_url,
                                                  const char *config_toml);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Ends the handle of a ledger. Null is fine. Commits nothing; the ledger is closed, and its lock released, when the
 * guarded keys on it have been freed, too.
 */
void phalanx_ledger_free(struct phalanx_ledger *ledger);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes the name of the ledger, 16 bytes.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_id(const struct phalanx_ledger *ledger,
                                      uint8_t *ledger_id);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Registers a key that has just been made, durably, with its `role` (a `phalanx_key_role`); do so before the key is
 * written anywhere. Nothing below `low` is ever signed; 0 leaves all of its epochs. A key that the ledger knows already
 * stays as it is.
 *
 * For a key that has been anywhere else, whose past this ledger does not have: `phalanx_ledger_adopt`.
 *
 * `PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS` if the ledger has another key of the same seed: nothing overrides that.
 * `PHALANX_ERROR_INVALID_ARGUMENT` for a `low` after the end of the key.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_register(struct phalanx_ledger *ledger,
                                            const struct phalanx_xmss_signing_key *key,
                                            uint32_t role,
                                            uint64_t low);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * An operator answers for a key that the ledger does not know, or has quarantined: it has signed nothing from
 * `i_accept_epoch` on, and signs nothing below. The reason is written down. An epoch that is too low makes forgeries
 * possible; take one above everything that the key can have signed anywhere. Nothing lowers a watermark: of a key that is
 * known and active nothing changes but that its low watermark is raised.
 *
 * `PHALANX_ERROR_LEDGER_RETIRED` for a key that has moved away.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_adopt(struct phalanx_ledger *ledger,
                                         const struct phalanx_xmss_signing_key *key,
                                         uint32_t role,
                                         uint64_t i_accept_epoch,
                                         const char *reason);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Raises the low watermark of a key: nothing new below it is signed any more. Nothing lowers it again. The reason is
 * written down. `PHALANX_ERROR_INVALID_ARGUMENT` if `low` is below the watermark, or after the end of the key.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_raise_low(struct phalanx_ledger *ledger,
                                             const uint8_t *key_id,
                                             uint64_t low,
                                             const char *reason);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * The key signs nothing, not even what it has signed before, until an operator has answered for it
 * (`phalanx_ledger_adopt`). The reason is written down.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_quarantine(struct phalanx_ledger *ledger,
                                              const uint8_t *key_id,
                                              const char *reason);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes where a key stands. `PHALANX_ERROR_LEDGER_UNKNOWN_KEY`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_standing(const struct phalanx_ledger *ledger,
                                            struct phalanx_standing *standing,
                                            const uint8_t *key_id);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Whether the ledger answers: `PHALANX_OK`, `PHALANX_ERROR_LEDGER_UNAVAILABLE` after a fault of its storage (nothing is
 * signed until it has been freed, with its keys, and opened anew), `PHALANX_ERROR_LEDGER_FORKED` in a fork of the process
 * that opened it, `PHALANX_ERROR_LEDGER_FENCED`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ledger_health(const struct phalanx_ledger *ledger);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Writes the name of a key, 32 bytes, by which ledgers know it. All keys of one seed have the same.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_id(const struct phalanx_xmss_signing_key *key,
                                                uint8_t *key_id);
#endif

#if defined(PHALANX_HAS_CUSTODY)
/**
 * Whether `status` is a ledger's refusal of an epoch that stays one: asking again at this epoch with another message is
 * pointless, and `PHALANX_ERROR_LEDGER_EPOCH_USED` means that two callers disagree. False for everything else, such as
 * `PHALANX_ERROR_LEDGER_UNAVAILABLE`, after which asking again with the same message settles it.
 */
bool phalanx_ledger_refusal_is_final(uint32_t status);
#endif

/**
 * Writes the number of the profile called `name`, such as `"strict"`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_profile_from_name(uint32_t *profile,
                                                      const char *name);

/**
 * The name of a profile; null if the number names none.
 */
const char *phalanx_ed25519_profile_name(uint32_t profile);

/**
 * Makes an empty batch under `profile`. End it with `phalanx_ed25519_batch_free`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_batch_new(struct phalanx_ed25519_batch **batch,
                                              uint32_t profile);

/**
 * As `phalanx_ed25519_batch_new`, with coefficients from the hash of the batch alone: see
 * `phalanx_ed25519_verify_batch_deterministic`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_batch_new_deterministic(struct phalanx_ed25519_batch **batch,
                                                            uint32_t profile);

/**
 * Ends a batch. Null is fine.
 */
void phalanx_ed25519_batch_free(struct phalanx_ed25519_batch *batch);

/**
 * Adds an entry. Key and signature of a wrong length make it invalid; nothing is refused. Nothing of the caller's memory
 * is kept: the entry takes 200 bytes, and up to 64 short messages wait as copies.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_batch_add(struct phalanx_ed25519_batch *batch,
                                              const uint8_t *verifying_key,
                                              size_t verifying_key_len,
                                              const uint8_t *message,
                                              size_t message_len,
                                              const uint8_t *signature,
                                              size_t signature_len);

/**
 * The number of entries; 0 for null.
 */
size_t phalanx_ed25519_batch_len(const struct phalanx_ed25519_batch *batch);

/**
 * Forgets all entries, for the next batch.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_batch_clear(struct phalanx_ed25519_batch *batch);

/**
 * Verifies all entries on `threads` threads and writes a result for each, in the order of adding; `results_len` is the
 * number of entries (else `PHALANX_ERROR_INVALID_LENGTH`). `results` may be null with a length of 0 for the answer alone.
 * The entries stay, so that more can be added.
 *
 * `PHALANX_OK` only if every entry verifies, else `PHALANX_ERROR_INVALID_SIGNATURE`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_batch_verify(struct phalanx_ed25519_batch *batch,
                                                 enum phalanx_status *results,
                                                 size_t results_len,
                                                 uint32_t threads);

/**
 * As `phalanx_ed25519_batch_verify`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_batch_verify_on(const struct phalanx_pool *pool,
                                                    struct phalanx_ed25519_batch *batch,
                                                    enum phalanx_status *results,
                                                    size_t results_len);

/**
 * Writes which format bytes look like, a `phalanx_ed25519_key_format`, by their first bytes and their length; reading them
 * decides. `PHALANX_ERROR_ED25519_KEY_FORMAT` if they look like none of them.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_key_format_detect(uint32_t *format,
                                                      const uint8_t *bytes,
                                                      size_t bytes_len);

/**
 * Reads a signing key from a file's bytes in `format`, or in any. A public key inside must belong to it
 * (`PHALANX_ERROR_ED25519_KEY_MISMATCH`); encrypted files are refused (`PHALANX_ERROR_ED25519_ENCRYPTED_KEY`); a comment
 * is passed over.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_from_bytes(struct phalanx_ed25519_signing_key **key,
                                                           uint32_t format,
                                                           const uint8_t *bytes,
                                                           size_t bytes_len);

/**
 * Reads a signing key from a file's bytes, whatever its form, and opens it if it is encrypted: the forms of
 * `phalanx_ed25519_key_format`, OpenSSH's file and PKCS#8 (PEM) under a password, minisign's file with or without one, and
 * keystores. The password is taken as it is; without one (null, 0) encrypted files are `PHALANX_ERROR_ED25519_ENCRYPTED_KEY`,
 * and a file that needs none does not look at it. Deriving a key from a password takes what time and memory the file says,
 * at most 1 GiB.
 *
 * `PHALANX_ERROR_ED25519_WRONG_PASSWORD`; of OpenSSH's and PKCS#8's files and keystores also
 * `PHALANX_ERROR_KEYSTORE_MALFORMED` and its neighbours: `_UNSUPPORTED` for another cipher or derivation, `_SCHEME` for a
 * key of another scheme or one that is for recovery only, `_KDF_BOUNDS`, `_WEAK_KDF` (`phalanx_keystore_read_ed25519` can
 * accept it). In a library without custody these files are `PHALANX_ERROR_ED25519_ENCRYPTED_KEY`, whatever the password.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_open(struct phalanx_ed25519_signing_key **key,
                                                     const uint8_t *bytes,
                                                     size_t bytes_len,
                                                     const uint8_t *password,
                                                     size_t password_len);

/**
 * Writes a signing key as a file's bytes in `format`, the secret included: the caller wipes the buffer (`phalanx_wipe`).
 * Texts end without a zero byte. In OpenSSH's file the comment is empty.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_to_bytes(const struct phalanx_ed25519_signing_key *key,
                                                         uint8_t *bytes,
                                                         size_t bytes_capacity,
                                                         size_t *bytes_len,
                                                         uint32_t format);

/**
 * Reads a verifying key from a file's bytes in `format`, or in any, and writes its 32 bytes. A comment is passed over.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verifying_key_from_bytes(uint8_t *verifying_key,
                                                             uint32_t format,
                                                             const uint8_t *bytes,
                                                             size_t bytes_len);

/**
 * Writes a verifying key of 32 bytes as a file's bytes in `format`. Texts end without a zero byte. In OpenSSH's line the
 * comment is empty.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verifying_key_to_bytes(uint8_t *bytes,
                                                           size_t bytes_capacity,
                                                           size_t *bytes_len,
                                                           uint32_t format,
                                                           const uint8_t *verifying_key);

/**
 * Makes a signing key from the system's randomness; `PHALANX_ERROR_RANDOMNESS` if it gives none. End it with
 * `phalanx_ed25519_signing_key_free`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_generate(struct phalanx_ed25519_signing_key **key);

/**
 * Makes the signing key of a seed of 32 bytes (the private key of RFC 8032). The time does not depend on the seed.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_from_seed(struct phalanx_ed25519_signing_key **key,
                                                          const uint8_t *seed);

/**
 * Makes a signing key from 64 bytes, the seed and then the public key, as NaCl, Zig and Go keep it.
 * `PHALANX_ERROR_ED25519_KEY_MISMATCH` if the public key is not the seed's.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_from_keypair(struct phalanx_ed25519_signing_key **key,
                                                             const uint8_t *keypair);

/**
 * Ends a signing key and wipes its secret. Null is fine.
 */
void phalanx_ed25519_signing_key_free(struct phalanx_ed25519_signing_key *key);

/**
 * Writes the seed, 32 bytes. The caller wipes them (`phalanx_wipe`).
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_seed(const struct phalanx_ed25519_signing_key *key,
                                                     uint8_t *seed);

/**
 * Writes the seed and then the public key, 64 bytes. The caller wipes them (`phalanx_wipe`).
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_keypair(const struct phalanx_ed25519_signing_key *key,
                                                        uint8_t *keypair);

/**
 * Writes the verifying key, 32 bytes.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_signing_key_verifying_key(const struct phalanx_ed25519_signing_key *key,
                                                              uint8_t *verifying_key);

/**
 * Looks at a verifying key: whether its bytes are the canonical encoding of the point, and whether the point has small
 * order, so that signatures under it mean nothing. Either answer may be null.
 * `PHALANX_ERROR_ED25519_INVALID_KEY` if the bytes encode no point; `PHALANX_ERROR_INVALID_LENGTH` if they are not 32.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verifying_key_check(bool *is_canonical,
                                                        bool *is_weak,
                                                        const uint8_t *verifying_key,
                                                        size_t verifying_key_len);

/**
 * Looks whether a verifying key lies in the subgroup of prime order: no part of order 2, 4 or 8, as every generated key.
 * No profile asks for it. Takes as long as a verification. `PHALANX_ERROR_ED25519_INVALID_KEY` if the bytes encode no
 * point; `PHALANX_ERROR_INVALID_LENGTH` if they are not 32.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verifying_key_is_torsion_free(bool *is_torsion_free,
                                                                  const uint8_t *verifying_key,
                                                                  size_t verifying_key_len);

/**
 * Prepares a verifying key; takes about as long as four verifications. End it with
 * `phalanx_ed25519_prepared_key_free`. `PHALANX_ERROR_ED25519_INVALID_KEY`, `PHALANX_ERROR_INVALID_LENGTH`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_prepared_key_new(struct phalanx_ed25519_prepared_key **key,
                                                     const uint8_t *verifying_key,
                                                     size_t verifying_key_len);

/**
 * Ends a prepared key. Null is fine.
 */
void phalanx_ed25519_prepared_key_free(struct phalanx_ed25519_prepared_key *key);

/**
 * The size of the tables of one prepared key, in bytes.
 */
size_t phalanx_ed25519_prepared_key_size(void);

/**
 * Writes the verifying key, 32 bytes.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_prepared_key_verifying_key(const struct phalanx_ed25519_prepared_key *key,
                                                               uint8_t *verifying_key);

/**
 * As `phalanx_ed25519_verify`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_prepared_key_verify(const struct phalanx_ed25519_prepared_key *key,
                                                        uint32_t profile,
                                                        const uint8_t *message,
                                                        size_t message_len,
                                                        const uint8_t *signature,
                                                        size_t signature_len);

/**
 * As `phalanx_ed25519_verify_ctx`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_prepared_key_verify_ctx(const struct phalanx_ed25519_prepared_key *key,
                                                            uint32_t profile,
                                                            const uint8_t *message,
                                                            size_t message_len,
                                                            const uint8_t *context,
                                                            size_t context_len,
                                                            const uint8_t *signature,
                                                            size_t signature_len);

/**
 * As `phalanx_ed25519_verify_ph`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_prepared_key_verify_ph(const struct phalanx_ed25519_prepared_key *key,
                                                           uint32_t profile,
                                                           const uint8_t *message,
                                                           size_t message_len,
                                                           const uint8_t *context,
                                                           size_t context_len,
                                                           const uint8_t *signature,
                                                           size_t signature_len);

/**
 * As `phalanx_ed25519_verify_prehashed`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_prepared_key_verify_prehashed(const struct phalanx_ed25519_prepared_key *key,
                                                                  uint32_t profile,
                                                                  const uint8_t *digest,
                                                                  const uint8_t *context,
                                                                  size_t context_len,
                                                                  const uint8_t *signature,
                                                                  size_t signature_len);

/**
 * Signs `message_len` bytes and writes the signature, 64 bytes. Deterministic: Ed25519 of RFC 8032.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign(const struct phalanx_ed25519_signing_key *key,
                                         uint8_t *signature,
                                         const uint8_t *message,
                                         size_t message_len);

/**
 * As `phalanx_ed25519_sign`, with 32 bytes of noise hashed in, as the Zig standard library does: against attacks that need
 * the same nonce twice. The noise need not be secret.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_with_noise(const struct phalanx_ed25519_signing_key *key,
                                                    uint8_t *signature,
                                                    const uint8_t *message,
                                                    size_t message_len,
                                                    const uint8_t *noise);

/**
 * As `phalanx_ed25519_sign`, and verifies the signature before it is released, against faults in the machine:
 * `PHALANX_ERROR_ED25519_SELF_CHECK`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_checked(const struct phalanx_ed25519_signing_key *key,
                                                 uint8_t *signature,
                                                 const uint8_t *message,
                                                 size_t message_len);

/**
 * Signs as Ed25519ctx of RFC 8032. The context is 1 to 255 bytes: `PHALANX_ERROR_ED25519_CONTEXT_EMPTY`,
 * `PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_ctx(const struct phalanx_ed25519_signing_key *key,
                                             uint8_t *signature,
                                             const uint8_t *message,
                                             size_t message_len,
                                             const uint8_t *context,
                                             size_t context_len);

/**
 * Signs as Ed25519ph of RFC 8032: the SHA-512 digest of the message. The context is 0 to 255 bytes:
 * `PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_ph(const struct phalanx_ed25519_signing_key *key,
                                            uint8_t *signature,
                                            const uint8_t *message,
                                            size_t message_len,
                                            const uint8_t *context,
                                            size_t context_len);

/**
 * As `phalanx_ed25519_sign_ph`, of a message whose SHA-512 digest, 64 bytes, the caller has computed.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_prehashed(const struct phalanx_ed25519_signing_key *key,
                                                   uint8_t *signature,
                                                   const uint8_t *digest,
                                                   const uint8_t *context,
                                                   size_t context_len);

/**
 * Signs `messages[i]` with `keys[i]` and writes `count` signatures of 64 bytes, one behind the other; side by side in
 * lanes, and on `threads` threads. Each signature is that of `phalanx_ed25519_sign`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_many(uint8_t *signatures,
                                              const struct phalanx_ed25519_signing_key *const *keys,
                                              const struct phalanx_bytes *messages,
                                              size_t count,
                                              uint32_t threads);

/**
 * As `phalanx_ed25519_sign_many`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sign_many_on(const struct phalanx_pool *pool,
                                                 uint8_t *signatures,
                                                 const struct phalanx_ed25519_signing_key *const *keys,
                                                 const struct phalanx_bytes *messages,
                                                 size_t count);

/**
 * Signs a message as `ssh-keygen -Y sign` does and writes the armored file, to the byte as ssh-keygen writes it; no zero
 * byte ends it. `ssh_namespace` says what the signature is for (`"file"`, `"git"`): a text that ends with a zero byte, not
 * empty. `hash` is a `phalanx_ed25519_ssh_hash`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sshsig_sign(const struct phalanx_ed25519_signing_key *key,
                                                uint8_t *file,
                                                size_t file_capacity,
                                                size_t *file_len,
                                                const char *ssh_namespace,
                                                uint32_t hash,
                                                const uint8_t *message,
                                                size_t message_len);

/**
 * Whether the key of 32 bytes signed the message for `ssh_namespace`, by the armored file:
 * `PHALANX_ERROR_INVALID_SIGNATURE` also if another key is inside; `PHALANX_ERROR_ED25519_KEY_FORMAT` if the file is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_sshsig_verify(uint32_t profile,
                                                  const uint8_t *verifying_key,
                                                  const char *ssh_namespace,
                                                  const uint8_t *message,
                                                  size_t message_len,
                                                  const uint8_t *file,
                                                  size_t file_len);

/**
 * Verifies a signature under `profile` (`PHALANX_ED25519_PROFILE_STRICT` unless you must agree with others). Key and
 * signature may be of any length: other than 32 and 64 bytes they do not verify. `PHALANX_OK` or
 * `PHALANX_ERROR_INVALID_SIGNATURE`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify(uint32_t profile,
                                           const uint8_t *verifying_key,
                                           size_t verifying_key_len,
                                           const uint8_t *message,
                                           size_t message_len,
                                           const uint8_t *signature,
                                           size_t signature_len);

/**
 * As `phalanx_ed25519_verify`, and writes which check fails first, a `phalanx_ed25519_reason`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_explain(uint32_t *reason,
                                            uint32_t profile,
                                            const uint8_t *verifying_key,
                                            size_t verifying_key_len,
                                            const uint8_t *message,
                                            size_t message_len,
                                            const uint8_t *signature,
                                            size_t signature_len);

/**
 * The sentence of a `phalanx_ed25519_reason`, in English, lower case, without a period. Never null.
 */
const char *phalanx_ed25519_reason_string(uint32_t reason);

/**
 * Verifies an Ed25519ctx signature. `PHALANX_ERROR_INVALID_SIGNATURE` also for a context that cannot be signed under.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_ctx(uint32_t profile,
                                               const uint8_t *verifying_key,
                                               size_t verifying_key_len,
                                               const uint8_t *message,
                                               size_t message_len,
                                               const uint8_t *context,
                                               size_t context_len,
                                               const uint8_t *signature,
                                               size_t signature_len);

/**
 * Verifies an Ed25519ph signature. `PHALANX_ERROR_INVALID_SIGNATURE` also for a context that is too long.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_ph(uint32_t profile,
                                              const uint8_t *verifying_key,
                                              size_t verifying_key_len,
                                              const uint8_t *message,
                                              size_t message_len,
                                              const uint8_t *context,
                                              size_t context_len,
                                              const uint8_t *signature,
                                              size_t signature_len);

/**
 * As `phalanx_ed25519_verify_ph`, of a message whose SHA-512 digest, 64 bytes, the caller has computed.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_prehashed(uint32_t profile,
                                                     const uint8_t *verifying_key,
                                                     size_t verifying_key_len,
                                                     const uint8_t *digest,
                                                     const uint8_t *context,
                                                     size_t context_len,
                                                     const uint8_t *signature,
                                                     size_t signature_len);

/**
 * Verifies `count` claims under `profile`, side by side in lanes and on `threads` threads, and writes a result for each:
 * what `phalanx_ed25519_verify` says about it.
 *
 * `PHALANX_OK` only if every result is it; `PHALANX_ERROR_INVALID_SIGNATURE` if the results are written and one is an error.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_many(enum phalanx_status *results,
                                                uint32_t profile,
                                                const struct phalanx_ed25519_claim *claims,
                                                size_t count,
                                                uint32_t threads);

/**
 * As `phalanx_ed25519_verify_many`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_many_on(const struct phalanx_pool *pool,
                                                   enum phalanx_status *results,
                                                   uint32_t profile,
                                                   const struct phalanx_ed25519_claim *claims,
                                                   size_t count);

/**
 * As `phalanx_ed25519_verify_many`, of `count` packed records.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_records(enum phalanx_status *results,
                                                   uint32_t profile,
                                                   const struct phalanx_ed25519_records *records,
                                                   size_t count,
                                                   uint32_t threads);

/**
 * As `phalanx_ed25519_verify_records`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_records_on(const struct phalanx_pool *pool,
                                                      enum phalanx_status *results,
                                                      uint32_t profile,
                                                      const struct phalanx_ed25519_records *records,
                                                      size_t count);

/**
 * Whether all `count` claims hold under `profile`: one answer, on `threads` threads. Under `zip215` and `rfc8032` one
 * equation with random coefficients stands for many signatures; under the other profiles each is verified by itself. The
 * answer is that of `phalanx_ed25519_verify` for every claim, up to a chance of 2^-128. No claims at all hold.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_batch(uint32_t profile,
                                                 const struct phalanx_ed25519_claim *claims,
                                                 size_t count,
                                                 uint32_t threads);

/**
 * As `phalanx_ed25519_verify_batch`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_batch_on(const struct phalanx_pool *pool,
                                                    uint32_t profile,
                                                    const struct phalanx_ed25519_claim *claims,
                                                    size_t count);

/**
 * As `phalanx_ed25519_verify_batch`, with coefficients from the hash of the batch alone: the same on every machine and in
 * every run. On this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ed25519_verify_batch_deterministic(uint32_t profile,
                                                               const struct phalanx_ed25519_claim *claims,
                                                               size_t count);

/**
 * Whether single and batch equation agree on every input under this profile, so that a batch is faster than many.
 */
bool phalanx_ed25519_profile_is_batch_consistent(uint32_t profile);

/**
 * The family of a status, a `phalanx_family`. A number that is no status is of `PHALANX_FAMILY_SYSTEM`.
 */
uint32_t phalanx_status_family(uint32_t status);

/**
 * The name of a profile, such as `"balanced"`; null if the number names none.
 */
const char *phalanx_ligerito_profile_name(uint32_t profile);

/**
 * Writes the number of the profile called `name`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_profile_from_name(uint32_t *profile,
                                                       const char *name);

/**
 * Length in bytes of the longest proof about a polynomial of 2^`variables` words; 0 if no such polynomial can be
 * committed to. Proofs differ in length.
 */
size_t phalanx_ligerito_proof_size(uint32_t profile,
                                   uint8_t variables);

/**
 * Takes a commitment apart: its profile, the number of variables and the root of 32 bytes that it claims to have. Whether
 * they are acceptable is for the verifier to say. `PHALANX_ERROR_MALFORMED` if the length or the profile is wrong.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_commitment_parts(uint32_t *profile,
                                                      uint8_t *variables,
                                                      uint8_t *root,
                                                      const uint8_t *commitment,
                                                      size_t commitment_len);

/**
 * Puts a commitment of 34 bytes together from what `phalanx_ligerito_commitment_parts` gives.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_commitment_from_parts(uint8_t *commitment,
                                                           uint32_t profile,
                                                           uint8_t variables,
                                                           const uint8_t *root);

/**
 * As `phalanx_ligerito_proof_size`.
 */
size_t phalanx_ligerito128_proof_size(uint32_t profile, uint8_t variables);

/**
 * As `phalanx_ligerito_commitment_parts`. No commitment of one suite is one of the other.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_commitment_parts(uint32_t *profile,
                                                         uint8_t *variables,
                                                         uint8_t *root,
                                                         const uint8_t *commitment,
                                                         size_t commitment_len);

/**
 * As `phalanx_ligerito_commitment_from_parts`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_commitment_from_parts(uint8_t *commitment,
                                                              uint32_t profile,
                                                              uint8_t variables,
                                                              const uint8_t *root);

/**
 * As `phalanx_ligerito_commit`: the words are not copied, and must stay where they are and as they are until
 * `phalanx_ligerito128_prover_free`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_commit(struct phalanx_ligerito128_prover **prover,
                                               uint8_t *commitment,
                                               uint32_t profile,
                                               const uint32_t *polynomial,
                                               size_t polynomial_len,
                                               uint32_t threads);

/**
 * Ends a prover. Null is fine.
 */
void phalanx_ligerito128_prover_free(struct phalanx_ligerito128_prover *prover);

/**
 * As `phalanx_ligerito_open`; `phalanx_ligerito128_proof_size` bytes are enough for the proof.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_open(const struct phalanx_ligerito128_prover *prover,
                                             struct phalanx_ligerito128_element *values,
                                             uint8_t *proof,
                                             size_t proof_capacity,
                                             size_t *proof_len,
                                             const struct phalanx_ligerito128_point *points,
                                             size_t count,
                                             const uint8_t *context,
                                             size_t context_len,
                                             uint32_t threads);

/**
 * As `phalanx_ligerito_verify`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_verify(const struct phalanx_ligerito128_accepted *accepted,
                                               uint64_t *place,
                                               const uint8_t *commitment,
                                               size_t commitment_len,
                                               const struct phalanx_ligerito128_claim *claims,
                                               size_t count,
                                               const uint8_t *proof,
                                               size_t proof_len,
                                               const uint8_t *context,
                                               size_t context_len);

/**
 * Commits to a polynomial: `polynomial_len` words, 2^10 to 2^30 and a power of two, its values on the Boolean cube as
 * elements of GF(2^32); bit j of a word's index is its coordinate j. Works on `threads` threads (0: one for each core; 1: the
 * caller's). Not hiding.
 *
 * Writes the commitment, 34 bytes, and the prover, which is ended with `phalanx_ligerito_prover_free`. The words are not
 * copied: until then they must stay where they are and as they are.
 *
 * `PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH` for another number of words.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_commit(struct phalanx_ligerito_prover **prover,
                                            uint8_t *commitment,
                                            uint32_t profile,
                                            const uint32_t *polynomial,
                                            size_t polynomial_len,
                                            uint32_t threads);

/**
 * Ends a prover. Null is fine.
 */
void phalanx_ligerito_prover_free(struct phalanx_ligerito_prover *prover);

/**
 * Opens the polynomial at `count` points on `threads` threads: writes its value at each, and one proof for all of them.
 * `context` is bound to the proof: who verifies has to name the same. The same input gives the same proof.
 *
 * `phalanx_ligerito_proof_size` bytes are enough for the proof; if they are fewer than it needs, the length is written
 * and nothing else, and the work is done for nothing.
 *
 * Fails with `PHALANX_ERROR_LIGERITO_NO_CLAIMS`, `PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS`,
 * `PHALANX_ERROR_LIGERITO_POINT_LENGTH`, `PHALANX_ERROR_BUFFER_TOO_SMALL`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_open(const struct phalanx_ligerito_prover *prover,
                                          struct phalanx_ligerito_element *values,
                                          uint8_t *proof,
                                          size_t proof_capacity,
                                          size_t *proof_len,
                                          const struct phalanx_ligerito_point *points,
                                          size_t count,
                                          const uint8_t *context,
                                          size_t context_len,
                                          uint32_t threads);

/**
 * Length in bytes of the longest proof of the published crate's format; 0 if there is none of these sizes.
 */
size_t phalanx_ligerito_ref_v08_proof_size(uint32_t sizes,
                                           uint8_t variables);

/**
 * Writes the root, 32 bytes, that proofs about a polynomial of 2^`variables` words begin with, as the published crate
 * makes it. On `threads` threads.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_ref_v08_commit(uint8_t *root,
                                                    uint32_t sizes,
                                                    uint8_t variables,
                                                    const uint32_t *polynomial,
                                                    size_t polynomial_len,
                                                    uint32_t threads);

/**
 * Commits to a polynomial and proves `count` claims about its words, byte for byte as the published crate does; without
 * claims, that the committed matrix is near an encoded one. On `threads` threads.
 *
 * `phalanx_ligerito_ref_v08_proof_size` bytes are enough for the proof. Fails with
 * `PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH`, `PHALANX_ERROR_LIGERITO_CLAIM_INDEX`, `PHALANX_ERROR_LIGERITO_CLAIM_VALUE`,
 * `PHALANX_ERROR_BUFFER_TOO_SMALL`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_ref_v08_prove(uint8_t *proof,
                                                   size_t proof_capacity,
                                                   size_t *proof_len,
                                                   uint32_t sizes,
                                                   uint8_t variables,
                                                   uint32_t transcript,
                                                   const uint32_t *polynomial,
                                                   size_t polynomial_len,
                                                   const struct phalanx_ligerito_ref_v08_claim *claims,
                                                   size_t count,
                                                   uint32_t threads);

/**
 * Verifies that the polynomial committed under `root`, 32 bytes, has the claimed words; without claims, that the committed
 * matrix is near an encoded one. The root is the caller's, from whoever committed: the published crate takes it from the
 * proof, and so accepts a proof about anything.
 *
 * The answer names the first check that failed: `PHALANX_ERROR_LIGERITO_CLAIM_INDEX`, `PHALANX_ERROR_LIGERITO_ENCODING`,
 * `PHALANX_ERROR_LIGERITO_INITIAL_ROOT`, `PHALANX_ERROR_LIGERITO_ROUND`, `PHALANX_ERROR_LIGERITO_SIBLINGS`,
 * `PHALANX_ERROR_LIGERITO_MERKLE_ROOT`, `PHALANX_ERROR_LIGERITO_FINAL_ROW` or `PHALANX_ERROR_LIGERITO_FINAL_SUM`. `place`,
 * which may be null, learns where: which claim, level or row.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_ref_v08_verify(uint64_t *place,
                                                    uint32_t sizes,
                                                    uint8_t variables,
                                                    uint32_t transcript,
                                                    const uint8_t *root,
                                                    const struct phalanx_ligerito_ref_v08_claim *claims,
                                                    size_t count,
                                                    const uint8_t *proof,
                                                    size_t proof_len);

/**
 * Commits to what lies in memory, `polynomial_len` bytes: bits (bit i of byte i / 8, the lowest first), bytes, words of 16 or 64
 * bits. It is `phalanx_ligerito_commit` of the words of 32 bits that this memory holds, and the commitment is that of the
 * words: `phalanx_ligerito_open_planes` and `phalanx_ligerito_value_of_planes` are about the smaller coefficients.
 *
 * The memory has to begin at a multiple of four bytes (`PHALANX_ERROR_INVALID_ARGUMENT`), as every array of words and
 * everything of malloc does. `PHALANX_ERROR_UNAVAILABLE` on machines whose words begin with the highest byte.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_commit_bytes(struct phalanx_ligerito_prover **prover,
                                                  uint8_t *commitment,
                                                  uint32_t profile,
                                                  const void *polynomial,
                                                  size_t polynomial_len,
                                                  uint32_t threads);

/**
 * Opens all 32 planes at `count` points: plane i at a point is the value there of the polynomial of the words' bits i. Writes
 * `PHALANX_LIGERITO_PLANES` elements for each point, and one proof for all of them. The rest is as in
 * `phalanx_ligerito_open`; every point counts as 32.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_open_planes(const struct phalanx_ligerito_prover *prover,
                                                 struct phalanx_ligerito_element *planes,
                                                 uint8_t *proof,
                                                 size_t proof_capacity,
                                                 size_t *proof_len,
                                                 const struct phalanx_ligerito_point *points,
                                                 size_t count,
                                                 const uint8_t *context,
                                                 size_t context_len,
                                                 uint32_t threads);

/**
 * Verifies that the polynomial under `commitment` has the claimed planes, with a proof of `phalanx_ligerito_open_planes`. The
 * answers are those of `phalanx_ligerito_verify`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_verify_planes(const struct phalanx_ligerito_accepted *accepted,
                                                   uint64_t *place,
                                                   const uint8_t *commitment,
                                                   size_t commitment_len,
                                                   const struct phalanx_ligerito_planes_claim *claims,
                                                   size_t count,
                                                   const uint8_t *proof,
                                                   size_t proof_len,
                                                   const uint8_t *context,
                                                   size_t context_len);

/**
 * The value of a polynomial of small coefficients, from its 32 planes at a point: `low` are the coordinates inside a word (five
 * for bits, two for bytes, one for words of 16 bits, none for words of 32), which come before those of the point; `basis` is
 * what each bit of a coefficient stands for, 32 / 2^`low_len` elements: 1 alone for bits, `phalanx_ligerito_aes_basis` for
 * bytes. `PHALANX_ERROR_LIGERITO_BASIS_LENGTH` for another number of them.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_value_of_planes(struct phalanx_ligerito_element *value,
                                                     const struct phalanx_ligerito_element *low,
                                                     size_t low_len,
                                                     const struct phalanx_ligerito_element *basis,
                                                     size_t basis_len,
                                                     const struct phalanx_ligerito_element *planes);

/**
 * Writes 8 elements: the images of 1, x, ..., x^7 of the field of AES, GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_aes_basis(struct phalanx_ligerito_element *basis);

/**
 * Opens several polynomials, of one profile and of any sizes, with one proof: `provers` are as many handles, which may be the
 * same; every point says whose it is. Writes a value for each point.
 *
 * A null buffer of capacity 0 for the proof asks for its length, and does the whole work for it; the sum of
 * `phalanx_ligerito_proof_size` of all is a good first guess.
 *
 * Fails as `phalanx_ligerito_open`, with `PHALANX_ERROR_LIGERITO_TOGETHER` or `PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_open_together(const struct phalanx_ligerito_prover *const *provers,
                                                   size_t provers_len,
                                                   struct phalanx_ligerito_element *values,
                                                   uint8_t *proof,
                                                   size_t proof_capacity,
                                                   size_t *proof_len,
                                                   const struct phalanx_ligerito_point_of *points,
                                                   size_t count,
                                                   const uint8_t *context,
                                                   size_t context_len,
                                                   uint32_t threads);

/**
 * Verifies values of several polynomials with one proof of `phalanx_ligerito_open_together`: `commitments` are
 * `commitments_len` times 34 bytes, one behind the other, in the order of the provers.
 *
 * The answers are those of `phalanx_ligerito_verify`, `PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX` (`place` says of which claim) and
 * `PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF` (of which commitment). Commitments that no proof is about together (none, too many,
 * of several profiles, too large) are `PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_verify_together(const struct phalanx_ligerito_accepted *accepted,
                                                     uint64_t *place,
                                                     const uint8_t *commitments,
                                                     size_t commitments_len,
                                                     const struct phalanx_ligerito_claim_of *claims,
                                                     size_t count,
                                                     const uint8_t *proof,
                                                     size_t proof_len,
                                                     const uint8_t *context,
                                                     size_t context_len);

/**
 * As `phalanx_ligerito_commit_bytes`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_commit_bytes(struct phalanx_ligerito128_prover **prover,
                                                     uint8_t *commitment,
                                                     uint32_t profile,
                                                     const void *polynomial,
                                                     size_t polynomial_len,
                                                     uint32_t threads);

/**
 * As `phalanx_ligerito_open_planes`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_open_planes(const struct phalanx_ligerito128_prover *prover,
                                                    struct phalanx_ligerito128_element *planes,
                                                    uint8_t *proof,
                                                    size_t proof_capacity,
                                                    size_t *proof_len,
                                                    const struct phalanx_ligerito128_point *points,
                                                    size_t count,
                                                    const uint8_t *context,
                                                    size_t context_len,
                                                    uint32_t threads);

/**
 * As `phalanx_ligerito_verify_planes`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_verify_planes(const struct phalanx_ligerito128_accepted *accepted,
                                                      uint64_t *place,
                                                      const uint8_t *commitment,
                                                      size_t commitment_len,
                                                      const struct phalanx_ligerito128_planes_claim *claims,
                                                      size_t count,
                                                      const uint8_t *proof,
                                                      size_t proof_len,
                                                      const uint8_t *context,
                                                      size_t context_len);

/**
 * As `phalanx_ligerito_value_of_planes`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_value_of_planes(struct phalanx_ligerito128_element *value,
                                                        const struct phalanx_ligerito128_element *low,
                                                        size_t low_len,
                                                        const struct phalanx_ligerito128_element *basis,
                                                        size_t basis_len,
                                                        const struct phalanx_ligerito128_element *planes);

/**
 * As `phalanx_ligerito_aes_basis`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_aes_basis(struct phalanx_ligerito128_element *basis);

/**
 * As `phalanx_ligerito_open_together`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_open_together(const struct phalanx_ligerito128_prover *const *provers,
                                                      size_t provers_len,
                                                      struct phalanx_ligerito128_element *values,
                                                      uint8_t *proof,
                                                      size_t proof_capacity,
                                                      size_t *proof_len,
                                                      const struct phalanx_ligerito128_point_of *points,
                                                      size_t count,
                                                      const uint8_t *context,
                                                      size_t context_len,
                                                      uint32_t threads);

/**
 * As `phalanx_ligerito_verify_together`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito128_verify_together(const struct phalanx_ligerito128_accepted *accepted,
                                                        uint64_t *place,
                                                        const uint8_t *commitments,
                                                        size_t commitments_len,
                                                        const struct phalanx_ligerito128_claim_of *claims,
                                                        size_t count,
                                                        const uint8_t *proof,
                                                        size_t proof_len,
                                                        const uint8_t *context,
                                                        size_t context_len);

/**
 * Verifies that the polynomial under `commitment` has the claimed values. `context` is what the prover bound the proof to.
 * One thread.
 *
 * The answer names the first check that failed: `PHALANX_ERROR_MALFORMED` (the commitment),
 * `PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS`, `PHALANX_ERROR_LIGERITO_NO_CLAIMS`,
 * `PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS`, `PHALANX_ERROR_LIGERITO_POINT_LENGTH`, `PHALANX_ERROR_LIGERITO_PROOF_LENGTH`,
 * `PHALANX_ERROR_LIGERITO_PROOF_OF_WORK`, `PHALANX_ERROR_LIGERITO_MERKLE_ROOT`, `PHALANX_ERROR_LIGERITO_FINAL_ROW` or
 * `PHALANX_ERROR_LIGERITO_FINAL_CLAIM`. `place`, which may be null, learns where: which claim, level or row; it is
 * written for these answers only, 0 where there is no such number.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_ligerito_verify(const struct phalanx_ligerito_accepted *accepted,
                                            uint64_t *place,
                                            const uint8_t *commitment,
                                            size_t commitment_len,
                                            const struct phalanx_ligerito_claim *claims,
                                            size_t count,
                                            const uint8_t *proof,
                                            size_t proof_len,
                                            const uint8_t *context,
                                            size_t context_len);

/**
 * The name of a function, such as `"rescue-rp64-256"`; null if there is no such function.
 */
const char *phalanx_rescue_function_name(uint32_t function);

/**
 * Writes the number of the function called `name`. `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_function_from_name(uint32_t *function,
                                                      const char *name);

/**
 * Words of a state: 12, or 8 for Jive; 0 if there is no such function.
 */
size_t phalanx_rescue_width(uint32_t function);

/**
 * Permutes the states that stand one after the other in `words`, in place, on `threads` threads (0: one for each
 * core; 1: the calling one).
 *
 * `PHALANX_ERROR_RESCUE_PARTIAL_STATE` if `words_len` is no multiple of the width. The time may depend on the data:
 * for secret states there is `phalanx_rescue_permute_secret`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_permute(uint32_t function,
                                           uint64_t *words,
                                           size_t words_len,
                                           uint32_t threads);

/**
 * As `phalanx_rescue_permute`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_permute_on(const struct phalanx_pool *pool,
                                              uint32_t function,
                                              uint64_t *words,
                                              size_t words_len);

/**
 * Hashes `elements_len` elements; `digest` has room for four words. No element at all gives the digest of four zeros.
 *
 * By the references' rules a digest of elements can also be one of bytes (Rp64_256 and Jive) or of a merge (all but Jive):
 * use one form in one domain.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_elements(uint32_t function,
                                                 uint64_t *digest,
                                                 const uint64_t *elements,
                                                 size_t elements_len);

/**
 * Hashes `count` lists of elements side by side, on `threads` threads; `digests` has room for four words for each.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_elements_many(uint32_t function,
                                                      uint64_t *digests,
                                                      const struct phalanx_words *inputs,
                                                      size_t count,
                                                      uint32_t threads);

/**
 * As `phalanx_rescue_hash_elements_many`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_elements_many_on(const struct phalanx_pool *pool,
                                                         uint32_t function,
                                                         uint64_t *digests,
                                                         const struct phalanx_words *inputs,
                                                         size_t count);

/**
 * Hashes elements in a domain.
 *
 * `PHALANX_ERROR_RESCUE_NO_DOMAIN` unless the function is RPO or RPX.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_elements_in_domain(uint32_t function,
                                                           uint64_t *digest,
                                                           const uint64_t *elements,
                                                           size_t elements_len,
                                                           uint64_t domain);

/**
 * Hashes bytes as the reference does.
 *
 * `PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH` where the reference panics: Rp64_256, above 56 bytes, no multiple of 7.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash(uint32_t function,
                                        uint64_t *digest,
                                        const uint8_t *bytes,
                                        size_t bytes_len);

/**
 * `phalanx_rescue_hash` of `count` inputs side by side, on `threads` threads; `digests` has room for four words for each.
 * If any input has no hash, none is written.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_many(uint32_t function,
                                             uint64_t *digests,
                                             const struct phalanx_bytes *inputs,
                                             size_t count,
                                             uint32_t threads);

/**
 * As `phalanx_rescue_hash_many`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_many_on(const struct phalanx_pool *pool,
                                                uint32_t function,
                                                uint64_t *digests,
                                                const struct phalanx_bytes *inputs,
                                                size_t count);

/**
 * Hashes bytes of any length, with the end marked at every length. For Rp64_256 this is not what Winterfell computes above
 * 56 bytes; for the other three it equals `phalanx_rescue_hash`.
 *
 * By the reference's rules Rp64_256 shares digests between this form and others: of 62 bytes it is
 * `phalanx_rescue_hash` of these and a byte 1. Use one form in one domain.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_padded(uint32_t function,
                                               uint64_t *digest,
                                               const uint8_t *bytes,
                                               size_t bytes_len);

/**
 * `phalanx_rescue_hash_padded` of `count` inputs side by side, on `threads` threads; `digests` has room for four words for
 * each.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_padded_many(uint32_t function,
                                                    uint64_t *digests,
                                                    const struct phalanx_bytes *inputs,
                                                    size_t count,
                                                    uint32_t threads);

/**
 * As `phalanx_rescue_hash_padded_many`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_padded_many_on(const struct phalanx_pool *pool,
                                                       uint32_t function,
                                                       uint64_t *digests,
                                                       const struct phalanx_bytes *inputs,
                                                       size_t count);

/**
 * The digest of two digests: what a Merkle tree is made of.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge(uint32_t function,
                                         uint64_t *digest,
                                         const uint64_t *left,
                                         const uint64_t *right);

/**
 * `phalanx_rescue_merge` of `count` pairs side by side, on `threads` threads: a pair is eight words of `pairs` and gives
 * four words of `digests`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_pairs(uint32_t function,
                                               uint64_t *digests,
                                               const uint64_t *pairs,
                                               size_t count,
                                               uint32_t threads);

/**
 * As `phalanx_rescue_merge_pairs`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_pairs_on(const struct phalanx_pool *pool,
                                                  uint32_t function,
                                                  uint64_t *digests,
                                                  const uint64_t *pairs,
                                                  size_t count);

/**
 * `phalanx_rescue_merge` in a domain.
 *
 * `PHALANX_ERROR_RESCUE_NO_DOMAIN` unless the function is RPO or RPX.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_in_domain(uint32_t function,
                                                   uint64_t *digest,
                                                   const uint64_t *left,
                                                   const uint64_t *right,
                                                   uint64_t domain);

/**
 * The digest of any number of digests, one after the other. For two, Rp64_256, RPO and RPX give what `phalanx_rescue_merge`
 * gives, and Jive does not.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_many(uint32_t function,
                                              uint64_t *digest,
                                              const uint64_t *digests,
                                              size_t count);

/**
 * The digest of a digest and an integer.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_with_int(uint32_t function,
                                                  uint64_t *digest,
                                                  const uint64_t *seed,
                                                  uint64_t value);

/**
 * `phalanx_rescue_merge_with_int` for each of `count` values, side by side, on `threads` threads: for grinding. `digests`
 * has room for four words for each.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_with_ints(uint32_t function,
                                                   uint64_t *digests,
                                                   const uint64_t *seed,
                                                   const uint64_t *values,
                                                   size_t count,
                                                   uint32_t threads);

/**
 * As `phalanx_rescue_merge_with_ints`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_with_ints_on(const struct phalanx_pool *pool,
                                                      uint32_t function,
                                                      uint64_t *digests,
                                                      const uint64_t *seed,
                                                      const uint64_t *values,
                                                      size_t count);

/**
 * The 32 bytes of a digest: each word as eight, little-endian. A word of p or more is reduced first.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_digest_to_bytes(uint8_t *bytes,
                                                   const uint64_t *digest);

/**
 * The digest that 32 bytes are.
 *
 * `PHALANX_ERROR_MALFORMED` if a word is p or more: then other bytes encode the same digest.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_digest_from_bytes(uint64_t *digest,
                                                     const uint8_t *bytes);

/**
 * The digest that any 32 bytes are, each word reduced modulo p as the reference does: two inputs may give one digest.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_digest_from_bytes_lenient(uint64_t *digest,
                                                             const uint8_t *bytes);

/**
 * a + b modulo p = 2^64 - 2^32 + 1, like all below. Words may be any 64 bits; what comes out is below p. For public data.
 */
uint64_t phalanx_rescue_field_add(uint64_t a,
                                  uint64_t b);

/**
 * a - b.
 */
uint64_t phalanx_rescue_field_sub(uint64_t a, uint64_t b);

/**
 * a b.
 */
uint64_t phalanx_rescue_field_mul(uint64_t a, uint64_t b);

/**
 * a to the power of `exponent`. 0^0 is 1.
 */
uint64_t phalanx_rescue_field_pow(uint64_t a, uint64_t exponent);

/**
 * The inverse of a, and 0 for 0.
 */
uint64_t phalanx_rescue_field_inverse(uint64_t a);

/**
 * For `total_len` bytes: gives what `phalanx_rescue_hash` gives. End it with `phalanx_rescue_hasher_free`.
 *
 * `PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH` where that does.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hasher_new(struct phalanx_rescue_hasher **hasher,
                                              uint32_t function,
                                              uint64_t total_len);

/**
 * For `total_len` bytes: gives what `phalanx_rescue_hash_padded` gives. End it with `phalanx_rescue_hasher_free`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hasher_new_padded(struct phalanx_rescue_hasher **hasher,
                                                     uint32_t function,
                                                     uint64_t total_len);

/**
 * Ends a hasher. Null is fine.
 */
void phalanx_rescue_hasher_free(struct phalanx_rescue_hasher *hasher);

/**
 * Takes the next bytes.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hasher_update(struct phalanx_rescue_hasher *hasher,
                                                 const uint8_t *bytes,
                                                 size_t bytes_len);

/**
 * Writes the digest, four words. The hasher remains as it is.
 *
 * `PHALANX_ERROR_RESCUE_LENGTH` if fewer or more bytes came than were announced.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hasher_finalize(const struct phalanx_rescue_hasher *hasher,
                                                   uint64_t *digest);

/**
 * `phalanx_rescue_permute` for secret states: no branch and no address depends on a word. Scalar, and slower. What comes
 * out is the caller's to wipe.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_permute_secret(uint32_t function,
                                                  uint64_t *words,
                                                  size_t words_len);

/**
 * `phalanx_rescue_hash_elements` for secret elements; their number is no secret.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_elements_secret(uint32_t function,
                                                        uint64_t *digest,
                                                        const uint64_t *elements,
                                                        size_t elements_len);

/**
 * `phalanx_rescue_hash` for secret bytes; their number is no secret.
 *
 * `PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH` where that does.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_secret(uint32_t function,
                                               uint64_t *digest,
                                               const uint8_t *bytes,
                                               size_t bytes_len);

/**
 * `phalanx_rescue_hash_padded` for secret bytes; their number is no secret.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_hash_padded_secret(uint32_t function,
                                                      uint64_t *digest,
                                                      const uint8_t *bytes,
                                                      size_t bytes_len);

/**
 * `phalanx_rescue_merge` for secret digests.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merge_secret(uint32_t function,
                                                uint64_t *digest,
                                                const uint64_t *left,
                                                const uint64_t *right);

/**
 * Makes the tree over `count` leaves, four words each, on `threads` threads. One leaf is its own root. End it with
 * `phalanx_rescue_tree_free`.
 *
 * `PHALANX_ERROR_RESCUE_LEAF_COUNT` if their number is no power of two.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_tree_new(struct phalanx_rescue_tree **tree,
                                            uint32_t function,
                                            const uint64_t *leaves,
                                            size_t count,
                                            uint32_t threads);

/**
 * As `phalanx_rescue_tree_new`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_tree_new_on(const struct phalanx_pool *pool,
                                               struct phalanx_rescue_tree **tree,
                                               uint32_t function,
                                               const uint64_t *leaves,
                                               size_t count);

/**
 * Ends a tree. Null is fine.
 */
void phalanx_rescue_tree_free(struct phalanx_rescue_tree *tree);

/**
 * Writes the root, four words.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_tree_root(const struct phalanx_rescue_tree *tree,
                                             uint64_t *root);

/**
 * The base-2 logarithm of the number of leaves, which is the number of digests in a path; 0 for a null tree.
 */
uint32_t phalanx_rescue_tree_log2_leaves(const struct phalanx_rescue_tree *tree);

/**
 * Writes leaf `index`, counted from 0, and its path: the siblings on the way to the root, lowest first, four words each,
 * `phalanx_rescue_tree_log2_leaves` of them.
 *
 * `PHALANX_ERROR_RESCUE_LEAF_INDEX` if there is no such leaf.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_tree_open(const struct phalanx_rescue_tree *tree,
                                             uint64_t *leaf,
                                             uint64_t *path,
                                             size_t index);

/**
 * Checks that `leaf` is the one with this index in the tree of 2^`log2_leaves` leaves that has this root. `path` holds
 * `path_digests` digests. The size of the tree is the verifier's knowledge: with it, no inner node passes for a leaf.
 *
 * `PHALANX_ERROR_RESCUE_PATH_LENGTH` if the path is not one of such a tree, `PHALANX_ERROR_RESCUE_LEAF_INDEX` if such a
 * tree has no such leaf, `PHALANX_ERROR_RESCUE_WRONG_ROOT` if leaf and path lead elsewhere.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_tree_verify(uint32_t function,
                                               const uint64_t *root,
                                               uint32_t log2_leaves,
                                               size_t index,
                                               const uint64_t *leaf,
                                               const uint64_t *path,
                                               size_t path_digests);

/**
 * Writes the root of the tree over `count` leaves, four words each, made on `threads` threads and not kept.
 *
 * `PHALANX_ERROR_RESCUE_LEAF_COUNT` if their number is no power of two.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merkle_root(uint32_t function,
                                               uint64_t *root,
                                               const uint64_t *leaves,
                                               size_t count,
                                               uint32_t threads);

/**
 * As `phalanx_rescue_merkle_root`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_rescue_merkle_root_on(const struct phalanx_pool *pool,
                                                  uint32_t function,
                                                  uint64_t *root,
                                                  const uint64_t *leaves,
                                                  size_t count);

/**
 * The sentence of a status, in English, lower case, without a period. Never null; lives as long as the program.
 */
const char *phalanx_status_string(uint32_t status);

/**
 * Writes the number of the parameter set called `name`, such as `"xmss-poseidon2-l32-d64b8"`.
 * `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_parameter_set_from_name(uint32_t *set,
                                                         const char *name);

/**
 * As `phalanx_xmss_parameter_set_from_name`, by the name in leanSig's vector files, such as `"p2-top-l32-d64b8"`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_parameter_set_from_profile(uint32_t *set,
                                                            const char *profile);

/**
 * The name of a parameter set; null if the number names none.
 */
const char *phalanx_xmss_parameter_set_name(uint32_t set);

/**
 * Number of epochs that a key of the set could have: 2^8, 2^18 or 2^32. 0 if the number names no set.
 */
uint64_t phalanx_xmss_lifetime(uint32_t set);

/**
 * Epochs of a bottom tree, the unit in which keys are computed and move on: activation intervals are rounded outwards to
 * it, and the prepared interval is two of them. 0 if the number names no set, and for the sets over BLAKE2s: their keys have
 * exactly the epochs asked for, and bottom trees whose size depends on how many those are.
 */
uint64_t phalanx_xmss_tree_epochs(uint32_t set);

/**
 * Whether the set exists for tests only: signatures under it can be forged. False if the number names no set.
 */
bool phalanx_xmss_is_insecure(uint32_t set);

/**
 * Whether keys of the set are made and sign. Else the set is for verification only; false also if the number names none.
 */
bool phalanx_xmss_signs(uint32_t set);

/**
 * Writes the number of the format called `name`: `"ssz"`, `"bincode"`, `"bincode2"`, `"json"`, `"bincode-padded"`.
 * `PHALANX_ERROR_UNKNOWN_NAME` if there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_format_from_name(uint32_t *format,
                                                  const char *name);

/**
 * The name of a format; null if the number names none.
 */
const char *phalanx_xmss_format_name(uint32_t format);

/**
 * A buffer of this many bytes holds every verifying key of `set` in `format`: exactly so many in the binary formats with
 * integers of fixed width, at most so many in the others. 0 if a number names nothing, or keys of the set have no such
 * format.
 */
size_t phalanx_xmss_verifying_key_size(uint32_t set,
                                       uint32_t format);

/**
 * A buffer of this many bytes holds every signature of `set` in `format`: exactly so many in the binary formats with
 * integers of fixed width, at most so many in the others. 0 if a number names nothing, or signatures of the set have no
 * such format.
 */
size_t phalanx_xmss_signature_size(uint32_t set,
                                   uint32_t format);

/**
 * Makes a signing key of `set` from the system's randomness, for `active_epochs` epochs from `start_epoch` on, rounded
 * outwards to bottom trees (at least two): see `phalanx_xmss_signing_key_activation_interval`. Keys over BLAKE2s have
 * exactly these epochs.
 *
 * `threads`: how many threads may work, the calling one included; 0 is one for each core, 1 starts none. `progress` may be null. The time
 * grows with the number of epochs.
 *
 * Fails with `PHALANX_ERROR_XMSS_INTERVAL`, `PHALANX_ERROR_STOPPED`, `PHALANX_ERROR_RANDOMNESS`,
 * `PHALANX_ERROR_XMSS_VERIFICATION_ONLY`. End the key with `phalanx_xmss_signing_key_free`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_generate(struct phalanx_xmss_signing_key **key,
                                                      uint32_t set,
                                                      uint64_t start_epoch,
                                                      uint64_t active_epochs,
                                                      uint32_t threads,
                                                      phalanx_xmss_progress progress,
                                                      void *progress_context);

/**
 * As `phalanx_xmss_signing_key_generate`, from a seed of 32 bytes: the key that leanSig makes from it, or over BLAKE2s the
 * one that other implementations make. Who has the seed has the key.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_from_seed(struct phalanx_xmss_signing_key **key,
                                                       uint32_t set,
                                                       const uint8_t *seed,
                                                       uint64_t start_epoch,
                                                       uint64_t active_epochs,
                                                       uint32_t threads,
                                                       phalanx_xmss_progress progress,
                                                       void *progress_context);

/**
 * Reads a signing key of `set` from bytes in `format`. Everything is checked that can be checked without computing the
 * leaves again. `PHALANX_ERROR_MALFORMED` if anything does not fit, `PHALANX_ERROR_XMSS_NO_ENCODING` if keys of the
 * set have no such format.
 *
 * What the key has signed is not in the bytes. Within this process the library remembers it for every key; across
 * processes a ledger does (`phalanx_ledger_open`, `phalanx_guarded_key_new`).
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_from_bytes(struct phalanx_xmss_signing_key **key,
                                                        uint32_t set,
                                                        uint32_t format,
                                                        const uint8_t *bytes,
                                                        size_t bytes_len);

/**
 * Writes the key in `format`, secret part included: the caller wipes the buffer (`phalanx_wipe`). Up to 8.4 MB for the
 * sets of lifetime 2^32, in JSON some 23 MB; ask for the length with a null buffer of capacity 0.
 * `PHALANX_ERROR_XMSS_NO_ENCODING` if keys of its set have no such format: other software keeps keys over BLAKE2s as their
 * seed and their interval.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_to_bytes(const struct phalanx_xmss_signing_key *key,
                                                      uint8_t *bytes,
                                                      size_t bytes_capacity,
                                                      size_t *bytes_len,
                                                      uint32_t format);

/**
 * Ends a signing key and wipes its secret. Null is fine.
 */
void phalanx_xmss_signing_key_free(struct phalanx_xmss_signing_key *key);

/**
 * Writes the number of the key's parameter set.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_parameter_set(const struct phalanx_xmss_signing_key *key,
                                                           uint32_t *set);

/**
 * Writes the epochs that the key can ever sign: the first, and the first after them.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_activation_interval(const struct phalanx_xmss_signing_key *key,
                                                                 uint64_t *start_epoch,
                                                                 uint64_t *end_epoch);

/**
 * Writes the epochs that the key can sign now, without computing a bottom tree: the first, and the first after them.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_prepared_interval(const struct phalanx_xmss_signing_key *key,
                                                               uint64_t *start_epoch,
                                                               uint64_t *end_epoch);

/**
 * Moves the prepared interval on by one bottom tree, which is computed now on `threads` threads.
 * `PHALANX_ERROR_XMSS_EXHAUSTED` at the end of the activation interval, where there is none.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_advance(struct phalanx_xmss_signing_key *key,
                                                     uint32_t threads);

/**
 * Begins the bottom tree by which the prepared interval moves on, to be computed beside the key that goes on signing: on
 * another thread, say. It holds a copy of the key's secret. `PHALANX_ERROR_XMSS_EXHAUSTED` at the end of the activation
 * interval. Then `phalanx_xmss_next_tree_compute`, and `phalanx_xmss_signing_key_advance_with`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_next_tree(const struct phalanx_xmss_signing_key *key,
                                                       struct phalanx_xmss_next_tree **tree);

/**
 * Computes the tree on `threads` threads. `PHALANX_ERROR_STOPPED` if `progress`, which may be null, says so; it can be
 * computed again then.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_next_tree_compute(struct phalanx_xmss_next_tree *tree,
                                                   uint32_t threads,
                                                   phalanx_xmss_progress progress,
                                                   void *progress_context);

/**
 * Ends a tree that was not given to a key. Null is fine.
 */
void phalanx_xmss_next_tree_free(struct phalanx_xmss_next_tree *tree);

/**
 * Moves the prepared interval on by a tree that was computed before. The tree is ended, also if this fails:
 * `PHALANX_ERROR_XMSS_UNFINISHED` if it was not computed, `PHALANX_ERROR_XMSS_WRONG_TREE` if it belongs to another key or
 * the key has moved on since.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_advance_with(struct phalanx_xmss_signing_key *key,
                                                          struct phalanx_xmss_next_tree *tree);

/**
 * Writes the key that verifies what this one signs, in `format`.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signing_key_verifying_key(const struct phalanx_xmss_signing_key *key,
                                                           uint8_t *verifying_key,
                                                           size_t verifying_key_capacity,
                                                           size_t *verifying_key_len,
                                                           uint32_t format);

/**
 * For keys that must not sign an epoch twice across restarts: `phalanx_guarded_key_sign`. This function forgets: its
 * record of used epochs ends with the process. It signs a message of 32 bytes at `epoch` and writes the signature in
 * `format`.
 *
 * An epoch signs one message in the life
 * of the process (`PHALANX_ERROR_XMSS_EPOCH_USED`); the same message again gives the same signature. Of several keys from
 * one seed one signs (`PHALANX_ERROR_XMSS_OTHER_INSTANCE`); in a fork of the process that loaded the key, none
 * (`PHALANX_ERROR_XMSS_FORKED`). If the epoch lies beyond the prepared interval the key moves on first, which computes one or two
 * bottom trees on this thread. Epochs outside what the key can still sign: `PHALANX_ERROR_XMSS_NOT_ACTIVE`,
 * `PHALANX_ERROR_XMSS_EXHAUSTED`, `PHALANX_ERROR_XMSS_PASSED`.
 *
 * With `PHALANX_ERROR_BUFFER_TOO_SMALL` the epoch counts as used; call again with more room for the same signature.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_sign(struct phalanx_xmss_signing_key *key,
                                      uint8_t *signature,
                                      size_t signature_capacity,
                                      size_t *signature_len,
                                      uint32_t format,
                                      uint32_t epoch,
                                      const uint8_t *message);

/**
 * As `phalanx_xmss_sign`, with a key that does not move on: `PHALANX_ERROR_XMSS_NOT_PREPARED` if the epoch lies after the
 * prepared interval, in a time that does not depend on how far.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_sign_prepared(struct phalanx_xmss_signing_key *key,
                                               uint8_t *signature,
                                               size_t signature_capacity,
                                               size_t *signature_len,
                                               uint32_t format,
                                               uint32_t epoch,
                                               const uint8_t *message);

/**
 * Verifies that the key signed the message of 32 bytes at `epoch`; key and signature are of `set`, in `format`.
 *
 * `PHALANX_OK`, `PHALANX_ERROR_INVALID_SIGNATURE`, or `PHALANX_ERROR_MALFORMED` if key or signature are not even that;
 * `PHALANX_ERROR_XMSS_NO_ENCODING` if those of the set have no such format.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_verify(uint32_t set,
                                        uint32_t format,
                                        const uint8_t *verifying_key,
                                        size_t verifying_key_len,
                                        uint32_t epoch,
                                        const uint8_t *message,
                                        const uint8_t *signature,
                                        size_t signature_len);

/**
 * Verifies `count` claims, of any keys and parameter sets, side by side and on `threads` threads, and writes a result for
 * each: what `phalanx_xmss_verify` says about it. Much faster per signature than one at a time.
 *
 * `PHALANX_OK` only if every result is it; `PHALANX_ERROR_INVALID_SIGNATURE` if the results are written and one is an error.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_verify_many(enum phalanx_status *results,
                                             const struct phalanx_xmss_claim *claims,
                                             size_t count,
                                             uint32_t threads);

/**
 * As `phalanx_xmss_verify_many`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_verify_many_on(const struct phalanx_pool *pool,
                                                enum phalanx_status *results,
                                                const struct phalanx_xmss_claim *claims,
                                                size_t count);

/**
 * As `phalanx_xmss_verify_many`, of `count` packed records. One key for all is read once.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_verify_records(enum phalanx_status *results,
                                                const struct phalanx_xmss_records *records,
                                                size_t count,
                                                uint32_t threads);

/**
 * As `phalanx_xmss_verify_records`, on a pool; null: on this thread.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_verify_records_on(const struct phalanx_pool *pool,
                                                   enum phalanx_status *results,
                                                   const struct phalanx_xmss_records *records,
                                                   size_t count);

/**
 * Writes a verifying key of `set` in another format.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_verifying_key_convert(uint8_t *converted,
                                                       size_t converted_capacity,
                                                       size_t *converted_len,
                                                       uint32_t converted_format,
                                                       uint32_t set,
                                                       uint32_t format,
                                                       const uint8_t *verifying_key,
                                                       size_t verifying_key_len);

/**
 * Writes a signature of `set` in another format.
 */
PHALANX_MUST_CHECK
enum phalanx_status phalanx_xmss_signature_convert(uint8_t *converted,
                                                   size_t converted_capacity,
                                                   size_t *converted_len,
                                                   uint32_t converted_format,
                                                   uint32_t set,
                                                   uint32_t format,
                                                   const uint8_t *signature,
                                                   size_t signature_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PHALANX_H */
