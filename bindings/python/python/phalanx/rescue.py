"""Rescue hashes over the Goldilocks field, bit-exact with Winterfell and Miden. A digest is 32 bytes."""

from ._phalanx import rescue as _rescue
from .errors import (
    LeafCount,
    LeafIndex,
    Length,
    Malformed,
    NoDomain,
    PartialState,
    PathLength,
    UndefinedLength,
    WrongRoot,
)

MODULUS = _rescue.MODULUS
Function = _rescue.Function
Hasher = _rescue.Hasher
MerkleTree = _rescue.MerkleTree
digest_elements = _rescue.digest_elements
digest_from_bytes_lenient = _rescue.digest_from_bytes_lenient
digest_from_elements = _rescue.digest_from_elements

__all__ = [
    "MODULUS",
    "Function",
    "Hasher",
    "LeafCount",
    "LeafIndex",
    "Length",
    "Malformed",
    "MerkleTree",
    "NoDomain",
    "PartialState",
    "PathLength",
    "UndefinedLength",
    "WrongRoot",
    "digest_elements",
    "digest_from_bytes_lenient",
    "digest_from_elements",
]
