"""A key that never signs an epoch twice: made, registered, kept in a file, signing through its ledger, refused.

custody.py [FOLDER]: keeps its files in FOLDER, or in a temporary one.
"""

import secrets
import sys
import tempfile
from pathlib import Path

import phalanx
from phalanx import errors, keystore, xmss

PASSWORD = "from a file or a prompt"


def open_ledger(folder: Path) -> phalanx.Ledger:
    # The side log is best on another disk. Containers have their files on an overlay, which is allowed by name only.
    return phalanx.Ledger(folder / "ledger", witness=folder / "witness", allow_file_systems=["overlay"])


def make(folder: Path) -> None:
    """Once in the life of the key: a program that made its ledger at every start would begin anew after a loss."""
    phalanx.Ledger.create(folder / "ledger", witness=folder / "witness", allow_file_systems=["overlay"])
    seed = secrets.token_bytes(32)
    key = xmss.SigningKey.generate("xmss-poseidon2-l8-d64b8", 0, 256, seed=seed)
    with open_ledger(folder) as ledger:
        # Registered first, written then: a crash between leaves a key without a file, never one without state.
        ledger.register(key, "attester")
        keystore.write(folder / "keys" / "attester.json", key, PASSWORD, role="attester", seed=seed)


def run(folder: Path) -> None:
    """At every start of the signer."""
    key = keystore.read(folder / "keys" / "attester.json", PASSWORD)
    with open_ledger(folder) as ledger, phalanx.GuardedKey(ledger, key) as guarded:
        signature, repeated = guarded.answer(3, bytes(32))
        print(f"{len(signature)} bytes, repeated: {repeated}")
        print(f"again: repeated: {guarded.answer(3, bytes(32))[1]}")
        try:
            guarded.sign(3, bytes([1]) * 32)
        except errors.Refused as refused:
            print(f"another message: {refused.code}, final: {refused.is_final}")
        else:
            raise SystemExit("the epoch signs twice")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        make(place)
        run(place)
