"""Rescue: the vectors of vectors/rescue, arrays in and out, trees, and what has no answer."""

import random
from array import array

import pytest
from conftest import load, unhex

from phalanx import errors, rescue

FILES = {
    "rescue-rp64-256": "rp64_256",
    "rescue-jive-256": "rp64_256_jive",
    "rpo-256": "rpo256",
    "rpx-256": "rpx256",
}


def words(texts):
    return [int(text) for text in texts]


def digest(texts):
    return rescue.digest_from_elements(words(texts))


@pytest.fixture(params=FILES)
def function(request):
    return rescue.Function(request.param)


@pytest.fixture
def cases(function):
    return load(f"rescue/{FILES[function.name]}.json")


def test_names():
    assert [function.name for function in rescue.Function.all()] == list(FILES)
    assert rescue.Function("rpo-256") == rescue.Function("rpo-256") != rescue.Function("rpx-256")
    with pytest.raises(ValueError, match="known are rescue-rp64-256"):
        rescue.Function("sha256")


def test_permutation(function, cases):
    inputs = [words(case["in"]) for case in cases["permutation"]]
    outputs = [words(case["out"]) for case in cases["permutation"]]
    assert [function.permute(state) for state in inputs] == outputs
    assert [function.permute_secret(state) for state in inputs] == outputs
    flat, wanted = sum(inputs, []), sum(outputs, [])
    assert function.permute(flat, threads=2) == function.permute(array("Q", flat)) == wanted
    states = array("Q", flat)
    assert function.permute(states, out=states) is states and states.tolist() == wanted
    out = array("Q", bytes(8 * len(flat)))
    function.permute(flat, out=out)
    assert out.tolist() == wanted
    with pytest.raises(errors.PartialState) as raised:
        function.permute(flat[1:], out=out)
    assert raised.value.width == function.width == len(inputs[0])
    assert out.tolist() == wanted, "nothing is written on an error"
    for bad in (array("Q", [0]), bytes(8 * len(flat)), array("d", bytes(8 * len(flat)))):
        with pytest.raises((ValueError, BufferError, TypeError)):
            function.permute(flat, out=bad)


def test_elements(function, cases):
    inputs = [words(case["in"]) for case in cases["hash_elements"]]
    wanted = [digest(case["out"]) for case in cases["hash_elements"]]
    assert [unhex(case["digest_hex"]) for case in cases["hash_elements"]] == wanted
    for make in (list, tuple, lambda x: array("Q", x), lambda x: array("Q", x).tobytes()):
        assert [function.hash_elements(make(x)) for x in inputs] == wanted
    assert [function.hash_elements_secret(x) for x in inputs] == wanted
    assert function.hash_elements_many(inputs) == function.hash_elements_many(inputs, threads=2) == wanted
    assert function.hash_elements_many([array("Q", x) for x in inputs]) == wanted


def test_bytes(function, cases):
    defined = [case for case in cases["hash_bytes"] if case["out"] is not None]
    inputs, wanted = [unhex(case["in_hex"]) for case in defined], [digest(case["out"]) for case in defined]
    assert function.hash_many(inputs) == [function.hash(data) for data in inputs] == wanted
    assert [function.hash_secret(bytearray(data)) for data in inputs] == wanted
    assert function.hash_many([memoryview(data) for data in inputs], threads=2) == wanted
    for data, answer in zip(inputs, wanted):
        hasher = rescue.Hasher(function, len(data))
        hasher.update(data[:5])
        hasher.update(data[5:])
        assert hasher.finalize() == answer
    undefined = [unhex(case["in_hex"]) for case in cases["hash_bytes"] if case["out"] is None]
    assert bool(undefined) == (function.name == "rescue-rp64-256")
    for data in undefined:
        for call in (function.hash, function.hash_secret, lambda data: rescue.Hasher(function, len(data))):
            with pytest.raises(errors.UndefinedLength) as raised:
                call(data)
            assert raised.value.got == len(data)
        padded = function.hash_padded(data)
        assert [padded] == function.hash_padded_many([data]) and padded == function.hash_padded_secret(data)


def test_digests(function, cases):
    pairs = [(digest(case["left"]), digest(case["right"])) for case in cases["merge"]]
    wanted = [digest(case["out"]) for case in cases["merge"]]
    assert [function.merge(*pair) for pair in pairs] == function.merge_pairs(pairs) == wanted
    assert [function.merge_secret(*pair) for pair in pairs] == wanted
    assert function.merge_pairs(b"".join(sum(pairs, ()))) == wanted
    for case in cases.get("merge_many", []):
        nodes = [digest(node) for node in case["digests"]]
        assert function.merge_many(nodes) == function.merge_many(b"".join(nodes)) == digest(case["out"])
    for case in cases.get("merge_with_int", []):
        seed, value = digest(case["seed"]), int(case["value"])
        assert function.merge_with_int(seed, value) == digest(case["out"])
        assert function.merge_with_ints(seed, [value, value]) == [digest(case["out"])] * 2
    for case in cases.get("digest_decode", []):
        lenient = rescue.digest_from_bytes_lenient(unhex(case["in_hex"]))
        assert lenient == unhex(case["reencoded_hex"]) and list(rescue.digest_elements(lenient)) == words(case["elements"])
        if lenient != unhex(case["in_hex"]):
            with pytest.raises(errors.Malformed) as raised:
                function.merge(unhex(case["in_hex"]), lenient)
            assert raised.value.wanted == rescue.MODULUS <= raised.value.got


def test_domains(function, cases):
    if function.name.startswith("rescue"):
        with pytest.raises(errors.NoDomain):
            function.hash_elements_in_domain([1], 2)
        with pytest.raises(errors.NoDomain):
            function.merge_in_domain(bytes(32), bytes(32), 2)
        return
    for case in cases["hash_elements_in_domain"]:
        assert function.hash_elements_in_domain(words(case["in"]), int(case["domain"])) == digest(case["out"])
    for case in cases["merge"]:
        args = digest(case["left"]), digest(case["right"]), int(case["domain"])
        assert function.merge_in_domain(*args) == digest(case["out_in_domain"])


def test_numpy(function, cases):
    numpy = pytest.importorskip("numpy")
    inputs = [words(case["in"]) for case in cases["permutation"]]
    outputs = [words(case["out"]) for case in cases["permutation"]]
    states = numpy.array(inputs, dtype=numpy.uint64)
    permuted = function.permute(states)
    assert permuted.dtype == numpy.uint64 and permuted.shape == states.shape and permuted.tolist() == outputs
    assert states.tolist() == inputs, "the input is untouched"
    assert (function.permute_secret(states) == permuted).all()
    assert function.permute(states, out=states) is states and (states == permuted).all()
    hashed = function.hash_elements_many(permuted)
    lists = function.hash_elements_many(outputs)
    assert hashed.shape == (len(inputs), 4) and hashed.tobytes() == b"".join(lists)
    assert (function.merge_pairs(hashed[:2]) == function.merge_pairs(hashed[:2].reshape(1, 8))).all()
    assert function.merge_pairs(hashed[:2]).tobytes() == function.merge(lists[0], lists[1])
    values = numpy.arange(5, dtype=numpy.uint64)
    assert function.merge_with_ints(lists[0], values).tobytes() == b"".join(
        function.merge_with_int(lists[0], value) for value in range(5)
    )
    rows = numpy.arange(21, dtype=numpy.uint8).reshape(3, 7)
    assert function.hash_many(rows).tobytes() == b"".join(function.hash_many([row.tobytes() for row in rows]))
    assert rescue.MerkleTree(function, hashed[:32]).root == rescue.MerkleTree(function, lists[:32]).root
    # Rows without elements, and no rows.
    assert function.hash_elements_many(numpy.empty((3, 0), numpy.uint64)).tolist() == [[0] * 4] * 3
    assert function.hash_elements_many(numpy.empty((0, 3), numpy.uint64)).shape == (0, 4)
    for bad in (states[::2], states.T, states.astype(numpy.int64), states.astype(numpy.float64), states.astype(">u8")):
        with pytest.raises((BufferError, TypeError)):
            function.permute(bad)


def test_merkle(function):
    leaves = function.hash_elements_many([[i] for i in range(16)])
    tree = rescue.MerkleTree(function, leaves, threads=2)
    assert (len(tree), tree.log2_leaves, tree.leaves, tree.function) == (16, 4, leaves, function)
    level = leaves
    while len(level) > 1:
        level = [function.merge(*level[i : i + 2]) for i in range(0, len(level), 2)]
    assert tree.root == level[0]
    leaf, path = tree.open(5)
    args = [function, tree.root, 4, 5, leaf, path]
    rescue.MerkleTree.verify(*args)
    rescue.MerkleTree.verify(*args[:5], b"".join(path))
    for place, value, error in [
        (0, "rpx-256" if function.name != "rpx-256" else "rpo-256", errors.WrongRoot),
        (1, leaves[0], errors.WrongRoot),
        (2, 5, errors.PathLength),
        (3, 4, errors.WrongRoot),
        (3, 16, errors.LeafIndex),
        (4, leaves[0], errors.WrongRoot),
        (5, path[::-1], errors.WrongRoot),
        (5, path[1:], errors.PathLength),
    ]:
        wrong = list(args)
        wrong[place] = value
        with pytest.raises(error):
            rescue.MerkleTree.verify(*wrong)
    with pytest.raises(IndexError):
        tree.open(16)
    for count in (0, 3):
        with pytest.raises(errors.LeafCount):
            rescue.MerkleTree(function, leaves[:count])


def test_hasher_counts():
    hasher = rescue.Hasher("rpo-256", 3)
    hasher.update(b"ab")
    with pytest.raises(errors.Length) as raised:
        hasher.finalize()
    assert (raised.value.got, raised.value.wanted) == (2, 3)
    assert rescue.Hasher("rescue-rp64-256", 57, padded=True) is not None


def test_garbage():
    rng = random.Random(7)
    function = rescue.Function("rpo-256")
    calls = [function.permute, function.hash_elements, function.hash, function.merge_many, function.merge_pairs]
    calls += [function.hash_elements_many, function.hash_many, rescue.digest_elements, rescue.digest_from_elements]
    calls += [lambda x: function.merge(x, x), lambda x: rescue.MerkleTree(function, x)]
    values = [None, 1, -1, 2**64, 1.5, "text", b"", [None], [-1], [2**64], ["a"], [[[]]], {}, {1: 2}, object(), memoryview(b"ab")[::2]]
    for value in values + [rng.randbytes(rng.randrange(100)) for _ in range(300)]:
        for call in calls:
            try:
                call(value)
            except (errors.PhalanxError, TypeError, ValueError, OverflowError, BufferError):
                pass
