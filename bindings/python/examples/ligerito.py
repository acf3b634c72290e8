"""Commit to a polynomial, open it at a point, verify; another value has no proof. `python ligerito.py`."""

from array import array

from phalanx import ligerito

VARIABLES = 12


def main() -> None:
    # Word x is the value at the bits of x. In a protocol the point comes from a transcript that has the commitment in it.
    polynomial = array("I", [x * 0x9E3779B9 & 0xFFFFFFFF for x in range(2**VARIABLES)])
    point = [3 + j * j for j in range(VARIABLES)]
    commitment, data = ligerito.commit(polynomial)
    [value], proof = data.open([point], context=b"an example")

    # The verifier has the bytes, its own statement, and its own idea of which commitments it takes.
    received = ligerito.Commitment.from_bytes(commitment.to_bytes())
    accepted = ligerito.Accepted.exactly("balanced", VARIABLES)
    ligerito.verify(accepted, received, [(point, value)], proof, context=b"an example")
    print(f"the value is right: a proof of {len(proof)} bytes")
    try:
        ligerito.verify(accepted, received, [(point, value ^ 1)], proof, context=b"an example")
    except ligerito.ProofError as refused:
        print(f"another value: {refused}")
    else:
        raise SystemExit("a wrong value verifies")


if __name__ == "__main__":
    main()
