"""Make a key, sign, verify; a changed message is refused: one signature, then many at once. `python ed25519.py`."""

from phalanx import ed25519


def main() -> None:
    key = ed25519.SigningKey.generate()
    signature = key.sign(b"a message")

    # What travels is bytes. `verify` is under the default rule, `strict`; others are named.
    public_key = ed25519.VerifyingKey(key.verifying_key.to_bytes())
    public_key.verify(b"a message", signature)
    public_key.verify(b"a message", signature, profile="zip215")
    try:
        public_key.verify(b"another message", signature)
    except ed25519.InvalidSignature as refused:
        print(f"another message: {refused}")
    else:
        raise SystemExit("a changed message verifies")

    # Many at once, a result for each: lanes run across signatures.
    results = ed25519.verify_many([(public_key, b"a message", signature), (public_key, b"another message", signature)])
    print(f"of two: {results}")
    if results != [True, False]:
        raise SystemExit("these are the wrong results")


if __name__ == "__main__":
    main()
