"""Verify files of signatures and make a key of XMSS on a Ray cluster; the report names what does not verify.

`python cluster.py` starts Ray on this machine; RAY_ADDRESS names a cluster. Needs `phalanx[ray]`.
"""

import json
import tempfile
from pathlib import Path

from phalanx import cluster, ed25519

SET = "xmss-poseidon2-l8-d64b8"


def row(key: ed25519.SigningKey, message: bytes, signature: bytes) -> str:
    values = {"public_key": bytes(key.verifying_key), "message": message, "signature": signature}
    return json.dumps({"scheme": "ed25519", **{name: value.hex() for name, value in values.items()}}) + "\n"


def main() -> None:
    # On a cluster all hosts see this folder, under this path.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = ed25519.SigningKey.generate()
        files = [folder / f"{number}.jsonl" for number in range(3)]
        for path in files:
            messages = [f"{path.name}, message {index}".encode() for index in range(1000)]
            path.write_text("".join(row(key, message, key.sign(message)) for message in messages))
        with files[1].open("a") as file:
            file.write(row(key, b"changed", key.sign(b"a message")))

        report = cluster.verify_files(files, folder / "verified", chunk_rows=500)
        print(report["totals"], report["verdicts_root"])
        if [(bad["input"], bad["position"]) for bad in report["bad"]] != [(1, 1001)]:
            raise SystemExit("the changed message is not the one that does not verify")

        # The seed lies on every host, in a file of its owner's or in an environment variable: its path is what is sent.
        seed = folder / "seed"
        seed.touch(mode=0o600)
        seed.write_bytes(bytes(range(32)))
        signer = cluster.generate_key(SET, 0, 256, checkpoint=folder / "roots", seed_file=seed)
        signer.verifying_key.verify(17, bytes(32), signer.sign(17, bytes(32)))


if __name__ == "__main__":
    main()
