"""Hash the rows of a table, make a Merkle tree of them, open a row, verify; another row is refused. `python rescue.py`."""

from phalanx import rescue


def main() -> None:
    function = rescue.Function("rescue-rp64-256")
    table = [[row * 1000 + column for column in range(20)] for row in range(16)]

    # A row becomes a leaf, side by side in the lanes. An array of numpy's would do as well.
    tree = rescue.MerkleTree(function, function.hash_elements_many(table))
    _, path = tree.open(5)

    # What travels is the row and its path. The verifier has the root, and knows how large the table is.
    rescue.MerkleTree.verify(function, tree.root, 4, 5, function.hash_elements(table[5]), path)
    print(f"row 5 opens with {len(path)} digests under {tree.root.hex()}")
    table[5][0] += 1
    try:
        rescue.MerkleTree.verify(function, tree.root, 4, 5, function.hash_elements(table[5]), path)
    except rescue.WrongRoot as refused:
        print(f"a changed row: {refused}")
    else:
        raise SystemExit("a changed row verifies")


if __name__ == "__main__":
    main()
