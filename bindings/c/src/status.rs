//! What every function answers, and which error of the library becomes which.

use core::ffi::{CStr, c_char};
use phalanx::{ed25519, xmss};

/// What a function answers. 0 is success; every other value names one kind of error. The numbers never change.
/// cbindgen:rename-all=None
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    non_camel_case_types,
    clippy::upper_case_acronyms,
    reason = "named as in C, where they have no scope"
)]
pub enum Status {
    /// Done.
    PHALANX_OK = 0,
    /// A signature does not verify. No reason is given: nobody honest needs it.
    PHALANX_ERROR_INVALID_SIGNATURE = 1,
    /// A proof does not verify.
    PHALANX_ERROR_INVALID_PROOF = 2,
    /// A pointer is null that must not be.
    PHALANX_ERROR_NULL_POINTER = 3,
    /// An argument has a value that it cannot have, such as a number that names no format.
    PHALANX_ERROR_INVALID_ARGUMENT = 4,
    /// No parameter set, profile or backend has this name.
    PHALANX_ERROR_UNKNOWN_NAME = 5,
    /// An input has another length than its kind has, or two inputs differ in length.
    PHALANX_ERROR_INVALID_LENGTH = 6,
    /// The output does not fit the buffer. The length that it needs was written; nothing else was.
    PHALANX_ERROR_BUFFER_TOO_SMALL = 7,
    /// Bytes from outside are not what they should be.
    PHALANX_ERROR_MALFORMED = 8,
    /// The operating system gave no randomness.
    PHALANX_ERROR_RANDOMNESS = 9,
    /// The progress callback asked to stop.
    PHALANX_ERROR_STOPPED = 10,
    /// A fault inside the library; its message is on standard error. The objects of the call can only be freed.
    PHALANX_ERROR_INTERNAL = 11,
    /// This build or this computer does not have it.
    PHALANX_ERROR_UNAVAILABLE = 12,

    /// The wanted activation interval is empty or does not fit the lifetime.
    PHALANX_ERROR_XMSS_INTERVAL = 20,
    /// The epoch lies before the activation interval.
    PHALANX_ERROR_XMSS_NOT_ACTIVE = 21,
    /// The epoch lies after the activation interval: the key is exhausted there.
    PHALANX_ERROR_XMSS_EXHAUSTED = 22,
    /// The key has moved on and no longer holds what this epoch needs.
    PHALANX_ERROR_XMSS_PASSED = 23,
    /// The epoch lies after the prepared interval, and the key was not to move on.
    PHALANX_ERROR_XMSS_NOT_PREPARED = 24,
    /// The epoch has signed another message already.
    PHALANX_ERROR_XMSS_EPOCH_USED = 25,
    /// No randomness tried gave a valid encoding of the message.
    PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS = 26,
    /// A prepared tree is not computed yet.
    PHALANX_ERROR_XMSS_UNFINISHED = 27,
    /// A prepared tree belongs to another key or to another place of this one.
    PHALANX_ERROR_XMSS_WRONG_TREE = 28,
    /// Another key with the same one-time keys has signed: of the same seed, in another set or for another interval.
    PHALANX_ERROR_XMSS_OTHER_INSTANCE = 29,
    /// The process is a fork of the one that loaded the key.
    PHALANX_ERROR_XMSS_FORKED = 30,
    /// A new signature of a guarded key did not verify: the key is damaged, and quarantined now. Nothing was released.
    PHALANX_ERROR_XMSS_SELF_CHECK = 31,
    /// The parameter set is for verification only: no key is made of it.
    PHALANX_ERROR_XMSS_VERIFICATION_ONLY = 32,
    /// Keys or signatures of the parameter set have no such format.
    PHALANX_ERROR_XMSS_NO_ENCODING = 33,

    /// The bytes of a public key encode no point of the curve.
    PHALANX_ERROR_ED25519_INVALID_KEY = 40,
    /// A public key does not belong to the secret one beside it.
    PHALANX_ERROR_ED25519_KEY_MISMATCH = 41,
    /// A key or signature file is not what its format says.
    PHALANX_ERROR_ED25519_KEY_FORMAT = 42,
    /// A key file is encrypted, and no password was given or that encryption is not supported.
    PHALANX_ERROR_ED25519_ENCRYPTED_KEY = 43,
    /// The password does not open the key file, or the file is damaged.
    PHALANX_ERROR_ED25519_WRONG_PASSWORD = 44,
    /// A context of more than 255 bytes.
    PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG = 45,
    /// Ed25519ctx with an empty context, which RFC 8032 rules out.
    PHALANX_ERROR_ED25519_CONTEXT_EMPTY = 46,
    /// A new signature did not verify: a fault in the machine. Nothing was released.
    PHALANX_ERROR_ED25519_SELF_CHECK = 47,

    /// Rp64_256 defines no hash of this many bytes: above 56, only of multiples of 7.
    PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH = 60,
    /// Words that are no whole number of states.
    PHALANX_ERROR_RESCUE_PARTIAL_STATE = 61,
    /// This function has no hash in a domain: only RPO and RPX do.
    PHALANX_ERROR_RESCUE_NO_DOMAIN = 62,
    /// A hasher was given more or fewer bytes than it was made for.
    PHALANX_ERROR_RESCUE_LENGTH = 63,
    /// A Merkle tree needs a power of two of leaves, at least one.
    PHALANX_ERROR_RESCUE_LEAF_COUNT = 64,
    /// A tree has no leaf of this index.
    PHALANX_ERROR_RESCUE_LEAF_INDEX = 65,
    /// A path has not one digest for each level of its tree.
    PHALANX_ERROR_RESCUE_PATH_LENGTH = 66,
    /// Leaf and path do not lead to the root.
    PHALANX_ERROR_RESCUE_WRONG_ROOT = 67,

    /// No polynomial of this many words can be committed to.
    PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH = 80,
    /// No point to open, or no claim to verify.
    PHALANX_ERROR_LIGERITO_NO_CLAIMS = 81,
    /// More points or claims than one proof opens.
    PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS = 82,
    /// A point has not as many coordinates as the polynomial has variables.
    PHALANX_ERROR_LIGERITO_POINT_LENGTH = 83,
    /// The encoded polynomial does not fit into the address space.
    PHALANX_ERROR_LIGERITO_TOO_LARGE = 84,
    /// A claim about a word that the polynomial does not have.
    PHALANX_ERROR_LIGERITO_CLAIM_INDEX = 85,
    /// A claim that is false, seen by who was to prove it.
    PHALANX_ERROR_LIGERITO_CLAIM_VALUE = 86,
    /// Commitments that no proof is about together: none, more than 256, of several profiles, or larger than their table.
    PHALANX_ERROR_LIGERITO_TOGETHER = 87,
    /// A point or a claim of a commitment that is not there.
    PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX = 88,
    /// A basis has not as many elements as a coefficient has bits.
    PHALANX_ERROR_LIGERITO_BASIS_LENGTH = 89,

    /// Profile and size of the commitment are not among those that the verifier accepts.
    PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS = 90,
    /// The proof is longer or shorter than what it should contain.
    PHALANX_ERROR_LIGERITO_PROOF_LENGTH = 91,
    /// A nonce in the proof does not do its work.
    PHALANX_ERROR_LIGERITO_PROOF_OF_WORK = 92,
    /// The opened rows are not those of the level's commitment.
    PHALANX_ERROR_LIGERITO_MERKLE_ROOT = 93,
    /// The final vector does not encode to an opened row.
    PHALANX_ERROR_LIGERITO_FINAL_ROW = 94,
    /// The final vector does not give the claimed values.
    PHALANX_ERROR_LIGERITO_FINAL_CLAIM = 95,
    /// The bytes are not those of a proof of the published crate's format.
    PHALANX_ERROR_LIGERITO_ENCODING = 96,
    /// The proof is about another root than the expected one.
    PHALANX_ERROR_LIGERITO_INITIAL_ROOT = 97,
    /// The values at 0 and 1 of a round do not add up to its sum.
    PHALANX_ERROR_LIGERITO_ROUND = 98,
    /// There are more or fewer siblings than the opened rows need.
    PHALANX_ERROR_LIGERITO_SIBLINGS = 99,
    /// The final vector does not give the sum of the rounds.
    PHALANX_ERROR_LIGERITO_FINAL_SUM = 100,
    /// The opened rows of level 0 are not those of one of several commitments.
    PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF = 101,

    /// The epoch has signed another message, or is closed.
    PHALANX_ERROR_LEDGER_EPOCH_USED = 110,
    /// The epoch is below the low watermark of the key.
    PHALANX_ERROR_LEDGER_PASSED = 111,
    /// The key signs only forward, and has signed a later epoch.
    PHALANX_ERROR_LEDGER_OUT_OF_ORDER = 112,
    /// The epoch lies before the activation interval.
    PHALANX_ERROR_LEDGER_NOT_ACTIVE = 113,
    /// The epoch lies after the activation interval.
    PHALANX_ERROR_LEDGER_EXHAUSTED = 114,
    /// The epoch is in no range that this ledger owns.
    PHALANX_ERROR_LEDGER_NOT_IN_RANGE = 115,
    /// The epoch is too far ahead, of the clock or of what the key has signed.
    PHALANX_ERROR_LEDGER_AHEAD = 116,
    /// The epoch is too far behind the clock.
    PHALANX_ERROR_LEDGER_BEHIND = 117,
    /// The ledger does not know the key.
    PHALANX_ERROR_LEDGER_UNKNOWN_KEY = 118,
    /// The key signs nothing until an operator has answered for it.
    PHALANX_ERROR_LEDGER_QUARANTINED = 119,
    /// The key has moved to another ledger, for ever.
    PHALANX_ERROR_LEDGER_RETIRED = 120,
    /// Another signer holds the lease.
    PHALANX_ERROR_LEDGER_FENCED = 121,
    /// The process is a fork of the one that opened the ledger.
    PHALANX_ERROR_LEDGER_FORKED = 122,
    /// The ledger did not answer in time, or has stopped after a fault and must be opened anew. The position may be
    /// reserved: asking again with the same message settles it.
    PHALANX_ERROR_LEDGER_UNAVAILABLE = 123,
    /// Another process, or another handle of this one, has the ledger open.
    PHALANX_ERROR_LEDGER_IN_USE = 124,
    /// The ledger has no state of the key: it was not registered there.
    PHALANX_ERROR_LEDGER_NO_STATE = 125,
    /// The one-time keys belong to another key of the ledger: of the same seed, in another set or for another interval.
    PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS = 126,
    /// The store is older than its side log: it was restored or rolled back.
    PHALANX_ERROR_LEDGER_STORE_OLDER = 127,
    /// The side log is missing, damaged, older than the store, or another ledger's.
    PHALANX_ERROR_LEDGER_WITNESS = 128,
    /// The store is missing, insecure, damaged, moved, on a file system that is not fit, or there already.
    PHALANX_ERROR_LEDGER_STORE = 129,

    /// A keystore is too large, or not of the form that the format asks for.
    PHALANX_ERROR_KEYSTORE_MALFORMED = 130,
    /// A keystore of another version, or with a cipher or derivation that is not offered.
    PHALANX_ERROR_KEYSTORE_UNSUPPORTED = 131,
    /// A keystore of a scheme that is not known or has no such key, or whose members disagree about the key; or a file
    /// for recovery only.
    PHALANX_ERROR_KEYSTORE_SCHEME = 132,
    /// The derivation of a keystore costs more than is ever spent on a file.
    PHALANX_ERROR_KEYSTORE_KDF_BOUNDS = 133,
    /// The derivation of a keystore costs so little that guessing passwords is cheap.
    PHALANX_ERROR_KEYSTORE_WEAK_KDF = 134,
    /// The password is wrong, or the keystore is damaged.
    PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD = 135,
    /// The password is right and the secret in the keystore is damaged.
    PHALANX_ERROR_KEYSTORE_DAMAGED = 136,
    /// The password is right and something else in the keystore was changed.
    PHALANX_ERROR_KEYSTORE_HEADER_CHANGED = 137,
    /// The secret is not that of the public key.
    PHALANX_ERROR_KEYSTORE_KEY_MISMATCH = 138,
    /// A keystore's file or folder is not there, not safe (mode, owner, hard links), or there already; or the system
    /// failed.
    PHALANX_ERROR_KEYSTORE_FILE = 139,

    /// A statement without a group.
    PHALANX_ERROR_AGGREGATE_NO_GROUPS = 150,
    /// A group of a statement without a key.
    PHALANX_ERROR_AGGREGATE_EMPTY_GROUP = 151,
    /// The groups of a statement do not increase strictly by epoch and message.
    PHALANX_ERROR_AGGREGATE_GROUP_ORDER = 152,
    /// The keys of a group do not increase strictly, or one is there twice.
    PHALANX_ERROR_AGGREGATE_KEY_ORDER = 153,
    /// More signatures than any statement has.
    PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES = 154,
    /// A statement that is shorter or longer than its content.
    PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH = 155,
    /// Proving takes more memory than the caller allows, or than there are addresses.
    PHALANX_ERROR_AGGREGATE_MEMORY = 156,

    /// The statement has more signatures than the verifier's limit.
    PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES = 160,
    /// Not an aggregate, or of a profile that the verifier does not accept.
    PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE = 161,
    /// Shorter or longer than any aggregate of the statement.
    PHALANX_ERROR_AGGREGATE_LENGTH = 162,
    /// A randomizer of the aggregate gives no encoding of its message.
    PHALANX_ERROR_AGGREGATE_NO_ENCODING = 163,
    /// Some gate of the circuit is not what its inputs make it.
    PHALANX_ERROR_AGGREGATE_ZEROCHECK = 164,
    /// The factors of the gates are not those of the circuit.
    PHALANX_ERROR_AGGREGATE_LINCHECK = 165,
    /// Some wire does not lead where the statement says.
    PHALANX_ERROR_AGGREGATE_WIRING = 166,
    /// What was said about the committed bits is not so.
    PHALANX_ERROR_AGGREGATE_OPENING = 167,
}

pub use Status::*;

/// Every status with its sentence.
const SENTENCES: &[(Status, &CStr)] = &[
    (PHALANX_OK, c"success"),
    (PHALANX_ERROR_INVALID_SIGNATURE, c"signature does not verify"),
    (PHALANX_ERROR_INVALID_PROOF, c"proof does not verify"),
    (PHALANX_ERROR_NULL_POINTER, c"a pointer is null that must not be"),
    (PHALANX_ERROR_INVALID_ARGUMENT, c"an argument has a value that it cannot have"),
    (PHALANX_ERROR_UNKNOWN_NAME, c"nothing has this name"),
    (PHALANX_ERROR_INVALID_LENGTH, c"an input has the wrong length"),
    (PHALANX_ERROR_BUFFER_TOO_SMALL, c"the output does not fit the buffer"),
    (PHALANX_ERROR_MALFORMED, c"malformed input"),
    (PHALANX_ERROR_RANDOMNESS, c"the operating system gave no randomness"),
    (PHALANX_ERROR_STOPPED, c"stopped by the progress callback"),
    (PHALANX_ERROR_INTERNAL, c"internal fault of the library"),
    (PHALANX_ERROR_UNAVAILABLE, c"this build or this computer does not have it"),
    (PHALANX_ERROR_XMSS_INTERVAL, c"activation interval does not fit the lifetime"),
    (PHALANX_ERROR_XMSS_NOT_ACTIVE, c"epoch is before the activation interval"),
    (PHALANX_ERROR_XMSS_EXHAUSTED, c"epoch is after the last epoch of the key"),
    (PHALANX_ERROR_XMSS_PASSED, c"epoch has passed: the key has moved on"),
    (PHALANX_ERROR_XMSS_NOT_PREPARED, c"epoch is after the prepared interval"),
    (PHALANX_ERROR_XMSS_EPOCH_USED, c"epoch has already signed another message"),
    (PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS, c"no encoding of the message was found"),
    (PHALANX_ERROR_XMSS_UNFINISHED, c"the prepared tree is not computed"),
    (PHALANX_ERROR_XMSS_WRONG_TREE, c"prepared tree does not belong here"),
    (PHALANX_ERROR_XMSS_OTHER_INSTANCE, c"another key with the same one-time keys has signed"),
    (PHALANX_ERROR_XMSS_FORKED, c"this process is a fork of the one that loaded the key"),
    (PHALANX_ERROR_XMSS_SELF_CHECK, c"a new signature did not verify: the key is damaged, nothing released"),
    (
        PHALANX_ERROR_XMSS_VERIFICATION_ONLY,
        c"the parameter set is for verification only: no key is made of it",
    ),
    (PHALANX_ERROR_XMSS_NO_ENCODING, c"keys or signatures of the parameter set have no such format"),
    (PHALANX_ERROR_ED25519_INVALID_KEY, c"public key encodes no point of the curve"),
    (PHALANX_ERROR_ED25519_KEY_MISMATCH, c"public key does not belong to the secret key"),
    (PHALANX_ERROR_ED25519_KEY_FORMAT, c"invalid key file"),
    (PHALANX_ERROR_ED25519_ENCRYPTED_KEY, c"key file is encrypted"),
    (PHALANX_ERROR_ED25519_WRONG_PASSWORD, c"the password does not open the key file"),
    (PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG, c"context has more than 255 bytes"),
    (PHALANX_ERROR_ED25519_CONTEXT_EMPTY, c"Ed25519ctx needs a context that is not empty"),
    (PHALANX_ERROR_ED25519_SELF_CHECK, c"a new signature did not verify: nothing released"),
    (PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH, c"rescue-rp64-256 defines no hash of this many bytes"),
    (PHALANX_ERROR_RESCUE_PARTIAL_STATE, c"the words are no whole number of states"),
    (PHALANX_ERROR_RESCUE_NO_DOMAIN, c"only rpo-256 and rpx-256 hash in a domain"),
    (PHALANX_ERROR_RESCUE_LENGTH, c"more or fewer bytes than were announced"),
    (PHALANX_ERROR_RESCUE_LEAF_COUNT, c"a tree has a power of two of leaves"),
    (PHALANX_ERROR_RESCUE_LEAF_INDEX, c"there is no such leaf in the tree"),
    (PHALANX_ERROR_RESCUE_PATH_LENGTH, c"the path has not one digest for each level"),
    (PHALANX_ERROR_RESCUE_WRONG_ROOT, c"leaf and path do not lead to the root"),
    (PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH, c"no shape for a polynomial of this length"),
    (PHALANX_ERROR_LIGERITO_NO_CLAIMS, c"there is no point or claim"),
    (PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS, c"there are more than 65536 points or claims"),
    (PHALANX_ERROR_LIGERITO_POINT_LENGTH, c"a point has not as many coordinates as the polynomial variables"),
    (PHALANX_ERROR_LIGERITO_TOO_LARGE, c"the encoded polynomial does not fit into the address space"),
    (PHALANX_ERROR_LIGERITO_CLAIM_INDEX, c"a claim is about a coefficient that does not exist"),
    (PHALANX_ERROR_LIGERITO_CLAIM_VALUE, c"a claim is false"),
    (PHALANX_ERROR_LIGERITO_TOGETHER, c"no proof is about these commitments together"),
    (PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX, c"a point or claim of a commitment that is not there"),
    (PHALANX_ERROR_LIGERITO_BASIS_LENGTH, c"the basis has not as many elements as a coefficient has bits"),
    (
        PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS,
        c"the commitment's profile and size are not among the accepted ones",
    ),
    (PHALANX_ERROR_LIGERITO_PROOF_LENGTH, c"the proof is not as long as its content"),
    (PHALANX_ERROR_LIGERITO_PROOF_OF_WORK, c"the proof of work of a level is not done"),
    (PHALANX_ERROR_LIGERITO_MERKLE_ROOT, c"the opened rows of a level are not the committed ones"),
    (PHALANX_ERROR_LIGERITO_FINAL_ROW, c"the final vector does not encode to an opened row"),
    (PHALANX_ERROR_LIGERITO_FINAL_CLAIM, c"the final vector does not give the claimed values"),
    (PHALANX_ERROR_LIGERITO_ENCODING, c"the bytes are not those of a proof"),
    (PHALANX_ERROR_LIGERITO_INITIAL_ROOT, c"the proof is not about the expected root"),
    (PHALANX_ERROR_LIGERITO_ROUND, c"the values at 0 and 1 do not add up to the sum"),
    (PHALANX_ERROR_LIGERITO_SIBLINGS, c"the number of siblings is wrong"),
    (PHALANX_ERROR_LIGERITO_FINAL_SUM, c"the final vector does not give the sum of the rounds"),
    (PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF, c"the opened rows are not those of one of the commitments"),
    (PHALANX_ERROR_LEDGER_EPOCH_USED, c"the epoch has already signed another message, or is closed"),
    (PHALANX_ERROR_LEDGER_PASSED, c"the epoch is below the low watermark"),
    (PHALANX_ERROR_LEDGER_OUT_OF_ORDER, c"the key has already signed a later epoch"),
    (PHALANX_ERROR_LEDGER_NOT_ACTIVE, c"the epoch is before the activation interval"),
    (PHALANX_ERROR_LEDGER_EXHAUSTED, c"the epoch is after the last one of the key"),
    (PHALANX_ERROR_LEDGER_NOT_IN_RANGE, c"the epoch is in no range of this ledger"),
    (PHALANX_ERROR_LEDGER_AHEAD, c"the epoch is too far ahead"),
    (PHALANX_ERROR_LEDGER_BEHIND, c"the epoch is too far behind the clock"),
    (PHALANX_ERROR_LEDGER_UNKNOWN_KEY, c"the ledger does not know the key"),
    (PHALANX_ERROR_LEDGER_QUARANTINED, c"the key is quarantined until an operator has answered for it"),
    (PHALANX_ERROR_LEDGER_RETIRED, c"the key has moved to another ledger"),
    (PHALANX_ERROR_LEDGER_FENCED, c"another signer holds the lease"),
    (PHALANX_ERROR_LEDGER_FORKED, c"the ledger was opened by the parent of this process"),
    (PHALANX_ERROR_LEDGER_UNAVAILABLE, c"the ledger did not answer, or has stopped after a fault"),
    (PHALANX_ERROR_LEDGER_IN_USE, c"the ledger is open elsewhere"),
    (PHALANX_ERROR_LEDGER_NO_STATE, c"the ledger has no state of the key"),
    (PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS, c"another key of the ledger has the same one-time keys"),
    (PHALANX_ERROR_LEDGER_STORE_OLDER, c"the store of the ledger is older than its side log"),
    (PHALANX_ERROR_LEDGER_WITNESS, c"the side log of the ledger does not do"),
    (PHALANX_ERROR_LEDGER_STORE, c"the store of the ledger does not do"),
    (PHALANX_ERROR_KEYSTORE_MALFORMED, c"the keystore is malformed"),
    (PHALANX_ERROR_KEYSTORE_UNSUPPORTED, c"the keystore has a version or a function that is not offered"),
    (PHALANX_ERROR_KEYSTORE_SCHEME, c"the keystore holds no key that can sign here"),
    (PHALANX_ERROR_KEYSTORE_KDF_BOUNDS, c"the key derivation of the keystore costs too much"),
    (
        PHALANX_ERROR_KEYSTORE_WEAK_KDF,
        c"the key derivation of the keystore is too cheap to protect a password",
    ),
    (PHALANX_ERROR_KEYSTORE_WRONG_PASSWORD, c"wrong password, or the file is damaged"),
    (PHALANX_ERROR_KEYSTORE_DAMAGED, c"the password is right, and the secret is damaged"),
    (
        PHALANX_ERROR_KEYSTORE_HEADER_CHANGED,
        c"the password is right, and something else in the file was changed",
    ),
    (PHALANX_ERROR_KEYSTORE_KEY_MISMATCH, c"the secret is not that of the public key"),
    (PHALANX_ERROR_KEYSTORE_FILE, c"the file of the keystore is missing, unsafe, or there already"),
    (PHALANX_ERROR_AGGREGATE_NO_GROUPS, c"the statement has no group"),
    (PHALANX_ERROR_AGGREGATE_EMPTY_GROUP, c"a group of the statement has no key"),
    (
        PHALANX_ERROR_AGGREGATE_GROUP_ORDER,
        c"the statement's groups do not increase strictly by epoch and message",
    ),
    (PHALANX_ERROR_AGGREGATE_KEY_ORDER, c"the keys of a group do not increase strictly"),
    (PHALANX_ERROR_AGGREGATE_STATEMENT_SIGNATURES, c"the statement has too many signatures"),
    (PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH, c"the statement is not as long as its content"),
    (PHALANX_ERROR_AGGREGATE_MEMORY, c"proving takes more memory than is allowed"),
    (PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES, c"the statement has more signatures than the limit"),
    (PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE, c"not an aggregate of an accepted profile"),
    (PHALANX_ERROR_AGGREGATE_LENGTH, c"the aggregate is not as long as its content"),
    (PHALANX_ERROR_AGGREGATE_NO_ENCODING, c"a randomizer gives no encoding of its message"),
    (PHALANX_ERROR_AGGREGATE_ZEROCHECK, c"the zerocheck does not hold"),
    (PHALANX_ERROR_AGGREGATE_LINCHECK, c"the lincheck does not hold"),
    (PHALANX_ERROR_AGGREGATE_WIRING, c"the wiring does not hold"),
    (PHALANX_ERROR_AGGREGATE_OPENING, c"the opening does not hold"),
];

/// The sentence of a status, in English, lower case, without a period. Never null; lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_status_string(status: u32) -> *const c_char {
    sentence(status).as_ptr()
}

/// The sentence of a status.
pub(crate) fn sentence(status: u32) -> &'static CStr {
    let known = SENTENCES.iter().find(|(known, _)| *known as u32 == status);
    known.map_or(c"unknown status", |(_, sentence)| sentence)
}

/// The status of a number.
pub(crate) fn known(status: u32) -> Option<Status> {
    SENTENCES.iter().map(|(known, _)| *known).find(|known| *known as u32 == status)
}

impl From<phalanx::InvalidSignature> for Status {
    fn from(_: phalanx::InvalidSignature) -> Self {
        PHALANX_ERROR_INVALID_SIGNATURE
    }
}

impl From<phalanx::Malformed> for Status {
    fn from(_: phalanx::Malformed) -> Self {
        PHALANX_ERROR_MALFORMED
    }
}

impl From<xmss::Error> for Status {
    fn from(error: xmss::Error) -> Self {
        use xmss::Error;
        match error {
            Error::Interval { .. } => PHALANX_ERROR_XMSS_INTERVAL,
            Error::NotActive { .. } => PHALANX_ERROR_XMSS_NOT_ACTIVE,
            Error::Exhausted { .. } => PHALANX_ERROR_XMSS_EXHAUSTED,
            Error::Passed { .. } => PHALANX_ERROR_XMSS_PASSED,
            Error::NotPrepared { .. } => PHALANX_ERROR_XMSS_NOT_PREPARED,
            Error::EpochUsed { .. } => PHALANX_ERROR_XMSS_EPOCH_USED,
            Error::EncodingAttempts { .. } => PHALANX_ERROR_XMSS_ENCODING_ATTEMPTS,
            Error::Unfinished => PHALANX_ERROR_XMSS_UNFINISHED,
            Error::WrongTree { .. } => PHALANX_ERROR_XMSS_WRONG_TREE,
            Error::OtherInstance { .. } => PHALANX_ERROR_XMSS_OTHER_INSTANCE,
            Error::Forked => PHALANX_ERROR_XMSS_FORKED,
            Error::VerificationOnly { .. } => PHALANX_ERROR_XMSS_VERIFICATION_ONLY,
            Error::NoEncoding { .. } => PHALANX_ERROR_XMSS_NO_ENCODING,
            Error::Malformed(_) => PHALANX_ERROR_MALFORMED,
            // The library's list may grow: a variant that this binding does not know is a fault of this binding.
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}

impl From<ed25519::Error> for Status {
    fn from(error: ed25519::Error) -> Self {
        use ed25519::Error;
        match error {
            Error::InvalidLength { .. } | Error::LengthMismatch { .. } => PHALANX_ERROR_INVALID_LENGTH,
            Error::InvalidPublicKey => PHALANX_ERROR_ED25519_INVALID_KEY,
            Error::KeyMismatch => PHALANX_ERROR_ED25519_KEY_MISMATCH,
            Error::InvalidKeyFormat(_) => PHALANX_ERROR_ED25519_KEY_FORMAT,
            Error::EncryptedKey => PHALANX_ERROR_ED25519_ENCRYPTED_KEY,
            Error::WrongPassword => PHALANX_ERROR_ED25519_WRONG_PASSWORD,
            Error::ContextTooLong { .. } => PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG,
            Error::ContextEmpty => PHALANX_ERROR_ED25519_CONTEXT_EMPTY,
            Error::RngFailed => PHALANX_ERROR_RANDOMNESS,
            Error::SelfCheckFailed => PHALANX_ERROR_ED25519_SELF_CHECK,
            _ => PHALANX_ERROR_INTERNAL,
        }
    }
}
