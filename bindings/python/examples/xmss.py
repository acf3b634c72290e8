"""Make a key for 256 epochs, sign at one of them, verify; a changed message and a second one at the epoch are refused.

`python xmss.py`.
"""

from phalanx import xmss

SET = "xmss-poseidon2-l8-d64b8"


def main() -> None:
    key = xmss.SigningKey.generate(SET, 0, 256)
    message, changed = bytes(32), bytes([1] * 32)
    signature = key.sign(17, message)

    # An epoch signs one message. For longer than the process lasts, a ledger sees to that: custody.py.
    try:
        key.sign(17, changed)
    except xmss.EpochUsed as refused:
        print(f"another message at this epoch: {refused}")
    else:
        raise SystemExit("the epoch signs twice")

    # What travels is bytes; both sides name the parameter set.
    public_key = xmss.VerifyingKey.from_bytes(SET, key.verifying_key.to_bytes())
    public_key.verify(17, message, signature)
    try:
        public_key.verify(17, changed, signature)
    except xmss.InvalidSignature as refused:
        print(f"{len(signature)} bytes, of another message: {refused}")
    else:
        raise SystemExit("a changed message verifies")


if __name__ == "__main__":
    main()
