"""The exceptions of phalanx, named like the errors of the Rust library, with the same sentences.

The values that an error speaks of are attributes: `EpochUsed` has `epoch`, `Malformed` has `what`, `got` and `wanted`. What
comes from outside raises one of two: `VerificationError` if it does not verify, `DecodingError` if it is not what it should be.
"""

from __future__ import annotations

from typing import Any


class PhalanxError(Exception):
    """Any error of phalanx."""

    def __init__(self, message: str = "", **fields: Any) -> None:
        super().__init__(message)
        self.__dict__.update(fields)


class InternalError(PhalanxError, RuntimeError):
    """A fault of the library itself: please report it."""


class VerificationError(PhalanxError):
    """What was given does not verify: a signature, a signature file, a proof, a leaf of a tree."""


class DecodingError(PhalanxError, ValueError):
    """Bytes that are not what they should be: a key, a signature, a file, a digest."""


class InvalidSignature(VerificationError):
    """A signature does not verify. Says nothing more: nobody honest needs the reason."""


class Malformed(DecodingError):
    """Bytes from outside that are not what they should be: `what` was looked at, `got` and `wanted`."""

    what: str
    got: int
    wanted: int


class MalformedSignature(InvalidSignature, Malformed):
    """Bytes that verify nothing, since they are no signature at all: of a wrong length, say."""


# ---- xmss ----


class Interval(PhalanxError, ValueError):
    """The wanted activation interval is empty or does not fit the lifetime."""

    start: int
    count: int
    lifetime: int


class NotActive(PhalanxError, ValueError):
    """The epoch lies before the activation interval."""

    epoch: int
    start: int
    end: int


class Exhausted(PhalanxError, ValueError):
    """The epoch lies after the activation interval: the key is exhausted there."""

    epoch: int
    end: int


class Passed(PhalanxError, ValueError):
    """The key has moved on and no longer holds what this epoch needs."""

    epoch: int
    prepared: int


class NotPrepared(PhalanxError, ValueError):
    """The epoch lies after the prepared interval."""

    epoch: int
    end: int


class EpochUsed(PhalanxError):
    """The epoch has signed another message already."""

    epoch: int


class OtherInstance(PhalanxError):
    """Another key with the same one-time keys has signed: of the same seed, in another set or for another interval."""

    scheme: str
    start: int
    end: int


class Forked(PhalanxError, RuntimeError):
    """The process is a fork of the one that loaded the key."""


class EncodingAttempts(PhalanxError, RuntimeError):
    """No randomness tried gave a valid encoding of the message."""

    attempts: int


class Unfinished(PhalanxError, RuntimeError):
    """Key generation is not finished."""


class WrongTree(PhalanxError, ValueError):
    """A prepared tree belongs to another key or to another place of this one."""

    got: int
    wanted: int


class VerificationOnly(PhalanxError, ValueError):
    """The parameter set is for verification only: no key is made of it."""

    scheme: str


class NoEncoding(PhalanxError, ValueError):
    """Keys or signatures of the parameter set (`what` of `scheme`) are not written in `format`."""

    scheme: str
    what: str
    format: str


# ---- custody ----


class CustodyError(PhalanxError):
    """A ledger, a guarded key or a keystore refuses: `code` is the reason's name in all languages."""

    code: str
    is_final: bool


class Refused(CustodyError):
    """The ledger did not give an epoch to a message. `is_final`: asking again at this epoch with other data is pointless."""


class LedgerError(CustodyError):
    """A ledger did not open, or did not do what it was asked for."""


class KeystoreError(CustodyError):
    """A keystore was not read or written."""


# ---- ed25519 ----


class InvalidLength(DecodingError):
    """Bytes of another length than their kind has."""

    what: str
    got: int
    wanted: int


class InvalidPublicKey(DecodingError):
    """32 bytes that encode no point of the curve."""


class KeyMismatch(DecodingError):
    """A public key that does not belong to the secret one beside it."""


class InvalidKeyFormat(DecodingError):
    """A key or signature file that is not what its format says."""

    problem: str


class EncryptedKey(PhalanxError, ValueError):
    """A key file under a passphrase, where that is not supported or none was given."""


class WrongPassword(PhalanxError, ValueError):
    """The password does not open the key file, or the file is damaged."""


class ContextTooLong(PhalanxError, ValueError):
    """A context of more than 255 bytes."""

    got: int


class ContextEmpty(PhalanxError, ValueError):
    """Ed25519ctx with an empty context, which RFC 8032 rules out."""


class RngFailed(PhalanxError, OSError):
    """The operating system gave no randomness."""


class LengthMismatch(PhalanxError, ValueError):
    """Columns that must be of one length are not."""

    wanted: int
    got: int


class SelfCheckFailed(PhalanxError, RuntimeError):
    """A signature just made did not verify: a fault in the machine. Nothing is released."""


class Refusal(VerificationError):
    """A signature file was refused; `name` is the reason."""

    name: str


# ---- rescue ----


class UndefinedLength(PhalanxError, ValueError):
    """Rp64_256 defines no hash of this many bytes."""

    got: int


class PartialState(PhalanxError, ValueError):
    """Words that are no whole number of states."""

    got: int
    width: int


class NoDomain(PhalanxError, ValueError):
    """Only RPO and RPX hash in a domain."""


class Length(PhalanxError, ValueError):
    """A hasher was given more or fewer bytes than it was made for."""

    got: int
    wanted: int


class LeafCount(PhalanxError, ValueError):
    """A Merkle tree needs a power of two of leaves, at least one."""

    got: int


class LeafIndex(PhalanxError, IndexError):
    """A tree has no leaf of this index."""

    got: int
    leaves: int


class PathLength(VerificationError, ValueError):
    """A path has one digest for each level of its tree."""

    got: int
    wanted: int


class WrongRoot(VerificationError):
    """Leaf and path do not lead to the root."""


# ---- ligerito ----


class PolynomialLength(PhalanxError, ValueError):
    """No shape is registered for a polynomial of this many coefficients."""

    got: int


class NoClaims(PhalanxError, ValueError):
    """Nothing to open."""


class TooManyClaims(PhalanxError, ValueError):
    """More points than one proof opens."""

    got: int


class PointLength(PhalanxError, ValueError):
    """A point with too many or too few coordinates."""

    claim: int
    got: int
    wanted: int


class TooLarge(PhalanxError, ValueError):
    """The encoded polynomial does not fit into the address space."""


class OtherPolynomial(PhalanxError, ValueError):
    """The planes of another commitment."""

    orbit: int


class BasisLength(PhalanxError, ValueError):
    """Images of bits that do not make 32 with the coordinates inside a word."""

    got: int
    wanted: int


class Together(PhalanxError, ValueError):
    """Commitments that no proof is about together: none, more than 256, of several profiles, of one that has no table for several,
    or larger than its table."""


class CommitmentIndex(PhalanxError, IndexError):
    """A claim about a commitment that is not there."""

    claim: int


class NoTensors(PhalanxError, ValueError):
    """A claim that is a sum of no tensors."""

    claim: int


class ClaimIndex(PhalanxError, IndexError):
    """A claim about a coefficient that the polynomial does not have."""

    claim: int
    got: int
    len: int


class ClaimValue(PhalanxError, ValueError):
    """A claim that is false."""

    claim: int
    got: int
    wanted: int


# ---- aggregate ----


class NoGroups(DecodingError):
    """A statement without a group."""


class EmptyGroup(DecodingError):
    """A group of a statement without a key."""


class GroupOrder(DecodingError):
    """Groups of a statement that do not increase by epoch, then message."""


class KeyOrder(DecodingError):
    """Keys of a group that do not increase, or one that is there twice."""


class TooManySignatures(DecodingError):
    """More signatures than any statement has."""


class StatementLength(DecodingError):
    """A statement that is shorter or longer than its content."""


class ParameterSet(PhalanxError, ValueError):
    """A key or a signature of another parameter set than aggregates are of."""


class SignatureCount(PhalanxError, ValueError):
    """Not a signature for every key of the statement."""

    got: int
    wanted: int


class Memory(PhalanxError, ValueError):
    """Proving takes more bytes of memory than the caller allows: `wanted`, and `limit`."""

    wanted: int
    limit: int


# ---- bulk ----


class Usage(PhalanxError, ValueError):
    """A job of bulk verification that is none, or files that do not belong together: an input that has changed, say."""


class System(PhalanxError, OSError):
    """The system could not read or write what bulk verification reads and writes."""


class Stopped(PhalanxError):
    """Bulk verification was stopped before its end, and can be resumed."""


# ---- proofs ----


class ProofError(VerificationError):
    """A proof is not accepted; `name` is the check that failed, and `level`, `position`, `claim`, ... say where."""

    name: str


__all__ = [
    "BasisLength",
    "ClaimIndex",
    "ClaimValue",
    "CommitmentIndex",
    "ContextEmpty",
    "ContextTooLong",
    "CustodyError",
    "DecodingError",
    "EmptyGroup",
    "EncodingAttempts",
    "EncryptedKey",
    "EpochUsed",
    "Exhausted",
    "Forked",
    "GroupOrder",
    "InternalError",
    "Interval",
    "InvalidKeyFormat",
    "InvalidLength",
    "InvalidPublicKey",
    "InvalidSignature",
    "KeyMismatch",
    "KeyOrder",
    "KeystoreError",
    "LeafCount",
    "LeafIndex",
    "LedgerError",
    "Length",
    "LengthMismatch",
    "Malformed",
    "MalformedSignature",
    "Memory",
    "NoClaims",
    "NoDomain",
    "NoEncoding",
    "NoGroups",
    "NoTensors",
    "NotActive",
    "NotPrepared",
    "OtherInstance",
    "OtherPolynomial",
    "ParameterSet",
    "PartialState",
    "Passed",
    "PathLength",
    "PhalanxError",
    "PointLength",
    "PolynomialLength",
    "ProofError",
    "Refusal",
    "Refused",
    "RngFailed",
    "SelfCheckFailed",
    "SignatureCount",
    "StatementLength",
    "Stopped",
    "System",
    "Together",
    "TooLarge",
    "TooManyClaims",
    "TooManySignatures",
    "UndefinedLength",
    "Unfinished",
    "Usage",
    "VerificationError",
    "VerificationOnly",
    "WrongPassword",
    "WrongRoot",
    "WrongTree",
]
