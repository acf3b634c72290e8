"""Four keys sign one message; one proof says that they did. A statement about another message is refused.

`python aggregate.py`.
"""

from typing import Final

from phalanx import aggregate, xmss

PROFILE: Final = "aggregate-v1-provable128"


def main() -> None:
    keys = [xmss.SigningKey.generate("xmss-blake2s-l32-d42b8", 7, 1) for _ in range(4)]
    signers = {key.verifying_key.to_bytes(): key for key in keys}
    message = bytes(32)

    # The statement sorts its keys; signatures are given in its order.
    statement = aggregate.Statement([(7, message, list(signers))])
    signatures = [signers[key].sign(epoch, message) for epoch, message, key in statement.signers()]
    proof = aggregate.aggregate(PROFILE, statement, signatures)

    # The verifier says which profiles it takes, and about how many signatures.
    limits = aggregate.Limits(PROFILE, signatures=len(keys))
    aggregate.verify(limits, statement, proof)
    print(f"{len(keys)} signatures verify by one proof of {len(proof)} bytes")
    other = aggregate.Statement([(7, bytes([1] * 32), list(signers))])
    try:
        aggregate.verify(limits, other, proof)
    except aggregate.ProofError as refused:
        print(f"of another message: {refused}")
    else:
        raise SystemExit("a proof verifies for another message")


if __name__ == "__main__":
    main()
