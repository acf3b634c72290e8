"""Ligerito: the registered proofs of vectors/ligerito-own, the published ones of vectors/ligerito, and what must not pass."""

import hashlib
import pickle
import random
from array import array

import pytest
from conftest import VECTORS, load, unhex, xorshift_words

from phalanx import errors, ligerito
from phalanx.ligerito import provable128, ref_v08

NAMES = {1: "balanced", 2: "compact", 3: "balanced"}
SUITES = {"ligerito-own": ligerito, "ligerito-128": provable128}


def registered(folder, name):
    return [(folder, case) for case in load(f"{folder}/{name}.json") if case.get("profile")]


OWN = [case for name in ("proofs", "proof_16", "proof_20") for case in registered("ligerito-own", name)]
OWN += registered("ligerito-128", "proofs")


@pytest.mark.parametrize(("folder", "case"), OWN, ids=[case["name"] for _, case in OWN])
def test_own(folder, case):
    suite, profile, variables = SUITES[folder], NAMES[case["profile"]], case["mu"]
    context = unhex(case["ctx_hex"])
    polynomial = xorshift_words(case["poly_seed"], 1 << variables)
    assert hashlib.sha256(polynomial.tobytes()).hexdigest() == case["poly_sha256"]
    commitment, data = suite.commit(polynomial, profile=profile, threads=2)
    assert commitment.root == data.root == unhex(case["root0"]) and suite.SUITE == case["suite"]
    assert (commitment.profile, commitment.variables, data.variables) == (profile, variables, variables)
    assert suite.Commitment.from_bytes(bytes(commitment)) == commitment
    assert pickle.loads(pickle.dumps(commitment)) == commitment
    assert data.max_proof_len_bytes == case["max_len"]
    points = [[int(coordinate, 16) for coordinate in claim["point"]] for claim in case["claims"]]
    wanted = [int(claim["value"], 16) for claim in case["claims"]]
    values, proof = data.open(points, context=context, threads=2)
    assert values == wanted and proof == (VECTORS / folder / case["proof_file"]).read_bytes()
    accepted, claims = suite.Accepted.exactly(profile, variables), list(zip(points, values))
    suite.verify(accepted, commitment, claims, proof, context=context)
    any_of = suite.Accepted.up_to(list(suite.PROFILES), 30)
    suite.verify(any_of, commitment, claims, bytearray(proof), context=context)
    for i in range(0, len(proof), 9973):
        damaged = bytearray(proof)
        damaged[i] ^= 1 << i % 8
        with pytest.raises(errors.ProofError):
            suite.verify(accepted, commitment, claims, damaged, context=context)


def test_suites_are_kept_apart():
    """What one suite makes is nothing to the other, in types and in bytes."""
    polynomial, point = bytes(4096), [1] * 10
    commitment, data = provable128.commit(polynomial)
    values, proof = data.open([point])
    provable128.verify(provable128.Accepted.exactly("balanced", 10), commitment, [(point, values[0])], proof)
    with pytest.raises(errors.Malformed):
        ligerito.Commitment.from_bytes(bytes(commitment))
    with pytest.raises(TypeError):
        ligerito.verify(ligerito.Accepted.exactly("balanced", 10), commitment, [(point, values[0])], proof)
    with pytest.raises(TypeError):
        provable128.verify(ligerito.Accepted.exactly("balanced", 10), commitment, [(point, values[0])], proof)
    with pytest.raises(ValueError, match="known are balanced"):
        provable128.commit(polynomial, profile="compact")
    data.open([[(1 << 192) - 1] * 10])
    for bad in (-1, 1 << 192):
        with pytest.raises(OverflowError):
            data.open([[bad] * 10])
    for bad in (1.5, "1", None, b"1"):
        with pytest.raises(TypeError):
            data.open([[bad] * 10])


SHAPES = {ligerito: 128, provable128: 192}


def fnv(data):
    """What the tests of all languages write down of a proof."""
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 % (1 << 64)
    return digest


def point_at(number, count):
    return [(number + 1) * (j + 3) for j in range(count)]


# Of the powers 1, x, ..., x^7 of the smallest root of x^8 + x^4 + x^3 + x + 1, computed without this library.
AES = {ligerito: 0xDF7F4A8E518C1717, provable128: 0x6879CC75B8655267}
DIGESTS = {ligerito: (0xC3AA151DE6D1003D, 0x39F5EFC3DBAC3573), provable128: (0x25FA1AEC75580A05, 0x75A995A5B7A8C920)}


@pytest.mark.parametrize("suite", SHAPES, ids=["100", "128"])
def test_integers_of_any_size_are_the_words_of_their_memory(suite):
    words = xorshift_words(77, 1024)
    wanted = suite.commit(words)[0]
    data = words.tobytes()
    arrays = [array(letter, data) for letter in "BHILQ"] + [data, memoryview(data), bytearray(data)]
    for polynomial in arrays:
        assert suite.commit(polynomial)[0] == wanted, polynomial
    numpy = pytest.importorskip("numpy")
    for kind in ("uint8", "uint16", "uint32", "uint64"):
        polynomial = numpy.frombuffer(data, dtype=kind)
        assert suite.commit(polynomial)[0] == suite.commit(polynomial.reshape(2, -1))[0] == wanted
    bits = numpy.unpackbits(numpy.frombuffer(data, dtype="uint8"), bitorder="little")
    assert suite.commit(numpy.packbits(bits, bitorder="little"))[0] == wanted


@pytest.mark.parametrize("suite", SHAPES, ids=["100", "128"])
def test_bits_and_bytes(suite):
    words = xorshift_words(78, 1024)
    commitment, data = suite.commit(words)
    accepted = suite.Accepted.exactly("balanced", 10)
    corner = lambda number, count: [number >> j & 1 for j in range(count)]  # noqa: E731
    rng = random.Random(9)
    anywhere = [rng.getrandbits(SHAPES[suite]) for _ in range(10)]
    number = 777
    planes, proof = data.open_planes([corner(number, 10), anywhere], context=b"bits", threads=2)
    claims = [(corner(number, 10), planes[0]), (anywhere, planes[1])]
    suite.verify_planes(accepted, commitment, claims, proof, context=b"bits")
    assert planes[0] == corner(words[number], suite.PLANES)
    for bit in (0, 5, 31):
        assert suite.value_of_planes(corner(bit, 5), [1], planes[0]) == words[number] >> bit & 1
    basis = suite.aes_basis()
    assert fnv(b"".join(each.to_bytes(SHAPES[suite] // 8, "little") for each in basis)) == AES[suite]
    for byte in range(4):
        wanted = 0
        for i in range(8):
            wanted ^= basis[i] if words[number] >> 8 * byte + i & 1 else 0
        assert suite.value_of_planes(corner(byte, 2), basis, planes[0]) == wanted
    for wrong in (0, 31):
        false = [*planes[1]]
        false[wrong] ^= 1
        with pytest.raises(errors.ProofError):
            suite.verify_planes(accepted, commitment, [claims[0], (anywhere, false)], proof, context=b"bits")
    for other in (None, b"", b"bit", b"bitz"):
        with pytest.raises(errors.ProofError):
            suite.verify_planes(accepted, commitment, claims, proof, context=other)
    for other in (claims[:1], claims[::-1], [*claims, claims[1]]):
        with pytest.raises(errors.ProofError):
            suite.verify_planes(accepted, commitment, other, proof, context=b"bits")
    with pytest.raises(errors.ProofError) as raised:
        suite.verify_planes(suite.Accepted.exactly("balanced", 11), commitment, claims, proof, context=b"bits")
    assert raised.value.name == "UnacceptedParams"
    _, own = suite.commit(xorshift_words(80, 1024))
    assert fnv(own.open_planes([point_at(0, 10), point_at(1, 10)], context=b"bits")[1]) == DIGESTS[suite][0]
    with pytest.raises(ValueError, match="31 planes, wanted 32"):
        suite.verify_planes(accepted, commitment, [(anywhere, planes[1][1:])], proof)
    with pytest.raises(errors.BasisLength) as raised:
        suite.value_of_planes([1] * 5, [1, 2], planes[0])
    assert (raised.value.got, raised.value.wanted) == (2, 1)
    with pytest.raises(errors.PointLength):
        data.open_planes([[1] * 9])
    with pytest.raises(errors.NoClaims):
        data.open_planes([])


@pytest.mark.parametrize("suite", SHAPES, ids=["100", "128"])
def test_several_commitments(suite):
    sizes, rng = (10, 11, 10), random.Random(10)
    made = [suite.commit(xorshift_words(seed, 1 << size)) for seed, size in enumerate(sizes, 80)]
    commitments, data = [one for one, _ in made], [one for _, one in made]
    points = [(a, [rng.getrandbits(SHAPES[suite]) for _ in range(sizes[a])]) for a in (2, 0, 1, 0)]
    values, proof = suite.open_together(data, points, context=b"many", threads=2)
    for (a, point), value in zip(points, values):
        assert data[a].open([point])[0] == [value]
    claims = [(a, point, value) for (a, point), value in zip(points, values)]
    accepted = suite.Accepted.up_to("balanced", 11)
    suite.verify_together(accepted, commitments, claims, proof, context=b"many")
    for i, (a, point, value) in enumerate(claims):
        false = [*claims]
        false[i] = (a, point, value ^ 1)
        with pytest.raises(errors.ProofError):
            suite.verify_together(accepted, commitments, false, proof, context=b"many")
    with pytest.raises(errors.ProofError):
        suite.verify_together(accepted, commitments[::-1], claims, proof, context=b"many")
    for other in (None, b"", b"man", b"manz"):
        with pytest.raises(errors.ProofError):
            suite.verify_together(accepted, commitments, claims, proof, context=other)
    for other in (claims[:-1], claims[::-1], [*claims, claims[3]]):
        with pytest.raises(errors.ProofError):
            suite.verify_together(accepted, commitments, other, proof, context=b"many")
    with pytest.raises(errors.ProofError) as raised:
        suite.verify_together(suite.Accepted.up_to("balanced", 10), commitments, claims, proof, context=b"many")
    assert raised.value.name == "UnacceptedParams"
    places = [(a, point_at(i, sizes[a])) for i, a in enumerate((2, 0, 1, 0))]
    assert fnv(suite.open_together(data, places, context=b"several")[1]) == DIGESTS[suite][1]
    with pytest.raises(errors.ProofError) as raised:
        suite.verify_together(accepted, commitments, [(3, *claims[0][1:])], proof)
    assert (raised.value.name, raised.value.claim) == ("CommitmentIndex", 0)
    with pytest.raises(errors.CommitmentIndex) as raised:
        suite.open_together(data, [points[0], (3, points[0][1])])
    assert raised.value.claim == 1
    with pytest.raises(errors.Together):
        suite.open_together([], points)
    for bad in ([points[0][1]], [(0,)], [("0", points[0][1])]):
        with pytest.raises((TypeError, ValueError)):
            suite.open_together(data, bad)


def test_params():
    for folder, suite in SUITES.items():
        entries = load(f"{folder}/params.json")["entries"]
        assert {entry["name"] for entry in entries} == set(suite.PROFILES)
        assert min(entry["mu"] for entry in entries) == suite.MIN_VARIABLES
        assert max(entry["mu"] for entry in entries) == suite.MAX_VARIABLES


@pytest.fixture(scope="module")
def opened():
    polynomial = array("I", range(1024))
    commitment, data = ligerito.commit(polynomial)
    point = list(range(1, 11))
    values, proof = data.open([point], context=b"context")
    return commitment, [(point, values[0])], proof


def test_rejects(opened):
    commitment, claims, proof = opened
    accepted = ligerito.Accepted.exactly("balanced", 10)
    point, value = claims[0]

    def refused(name, accepted=accepted, commitment=commitment, claims=claims, proof=proof, context=b"context"):
        with pytest.raises(errors.ProofError) as raised:
            ligerito.verify(accepted, commitment, claims, proof, context=context)
        if name:
            assert raised.value.name == name
        return raised.value

    ligerito.verify(accepted, commitment, claims, proof, context=b"context")
    for other in (
        ligerito.Accepted.exactly("compact", 10),
        ligerito.Accepted.exactly("balanced", 11),
        ligerito.Accepted.up_to("balanced", 9),
        ligerito.Accepted.up_to([], 30),
    ):
        refused("UnacceptedParams", accepted=other)
    refused("NoClaims", claims=[])
    refused("TooManyClaims", claims=claims * 65537)
    assert refused("PointLength", claims=[*claims, (point[1:], value)]).claim == 1
    refused("ProofLength", proof=proof + b"\0")
    refused("ProofLength", proof=b"")
    refused(None, claims=[(point, value ^ 1)])
    refused(None, claims=[([2, *point[1:]], value)])
    refused(None, context=b"another")
    refused(None, commitment=ligerito.Commitment("balanced", 10, bytes(32)))
    for i in range(0, len(proof), 977):
        damaged = bytearray(proof)
        damaged[i] ^= 1 << i % 8
        refused(None, proof=damaged)
    for length in range(0, len(proof), 4999):
        refused("ProofLength" if length < 64 else None, proof=proof[:length])


def test_progress():
    calls = []
    commitment, _ = ligerito.commit(bytes(1 << 20), progress=lambda *call: calls.append(call))
    assert calls == sorted(calls) and calls[-1][0] == calls[-1][1] > 0
    assert commitment == ligerito.commit(bytes(1 << 20), threads=3)[0]
    with pytest.raises(ZeroDivisionError):
        ligerito.commit(bytes(1 << 20), progress=lambda done, total: 1 // 0)


def test_mistakes_of_the_caller(opened):
    for count in (0, 1, 1023, 512):
        with pytest.raises(errors.PolynomialLength) as raised:
            ligerito.commit(array("I", bytes(4 * count)))
        assert raised.value.got == count
    _, data = ligerito.commit(list(range(1024)), profile="compact")
    with pytest.raises(errors.NoClaims):
        data.open([])
    with pytest.raises(errors.TooManyClaims):
        data.open([[0] * 10] * 65537)
    with pytest.raises(errors.PointLength) as raised:
        data.open([[0] * 10, [0] * 9])
    assert (raised.value.claim, raised.value.got, raised.value.wanted) == (1, 9, 10)
    for bad in (-1, 1 << 128):
        with pytest.raises(OverflowError):
            data.open([[bad] * 10])
    data.open([[(1 << 128) - 1] * 10])
    for bad in (None, 3, "text", array("d", [0.0] * 1024), array("h", bytes(2048)), b"abc", [1.5] * 1024, [1 << 32] * 1024):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            ligerito.commit(bad)
    with pytest.raises(errors.Malformed):
        ligerito.Commitment.from_bytes(bytes(34))
    with pytest.raises(ValueError, match="known are balanced, compact"):
        ligerito.Accepted.exactly("fast", 10)


def polynomial_of(case, variables):
    kind, _, rest = case["poly"].partition(":")
    if kind == "xorshift":
        return xorshift_words(int(rest, 16), 1 << variables)
    words = array("I", bytes(4 << variables))
    assert (kind, bool(rest)) in (("all-zero", False), ("sparse", True))
    for entry in rest.split(",") if rest else []:
        index, value = entry.split("=")
        words[int(index)] = int(value, 16)
    return words


def test_published_proofs():
    cases = [case for case in load("ligerito/proofs.json") if case["log_n"] <= 20]
    assert len(cases) >= 5
    for case in cases:
        config = ref_v08.Config.published(case["log_n"])
        polynomial = polynomial_of(case, case["log_n"])
        root = ref_v08.commit(config, polynomial, threads=2)
        for transcript in ("sha256", "merlin"):
            wanted = case.get(f"{transcript}_transcript")
            if wanted is None:
                continue
            proof = ref_v08.prove(config, polynomial, transcript=transcript)
            assert root == unhex(wanted["initial_root"])
            assert hashlib.sha256(proof).hexdigest() == wanted["bincode_sha256"]
            assert len(proof) <= config.max_proof_len_bytes and config.variables == case["log_n"]
            ref_v08.verify(config, root, proof, transcript=transcript)
            if transcript == "sha256":
                # The default of every language.
                assert ref_v08.prove(config, polynomial) == proof
                ref_v08.verify(config, root, proof)
            if transcript == "sha256" and "file" in case:
                assert proof == (VECTORS / "ligerito" / case["file"]).read_bytes()


def test_published_claims():
    config = ref_v08.Config.published(12)
    for case in load("ligerito/eval_proofs.json"):
        polynomial = polynomial_of(case, 12)
        root = ref_v08.commit(config, polynomial)
        claims = [(claim["index"], int(claim["value"], 16)) for claim in case["claims"]]
        proof = ref_v08.prove(config, polynomial, transcript="sha256", claims=claims)
        assert proof == (VECTORS / "ligerito" / case["file"]).read_bytes()
        ref_v08.verify(config, root, proof, transcript="sha256", claims=claims)
        wrong = [(claims[0][0], claims[0][1] ^ 1), *claims[1:]]
        for bad in (wrong, claims[1:], [(1 << 12, 0)]):
            with pytest.raises(errors.ProofError):
                ref_v08.verify(config, root, proof, transcript="sha256", claims=bad)
        with pytest.raises(errors.ClaimValue) as raised:
            ref_v08.prove(config, polynomial, claims=wrong)
        assert raised.value.wanted == claims[0][1]
        with pytest.raises(errors.ClaimIndex):
            ref_v08.prove(config, polynomial, claims=[(1 << 12, 0)])


def test_published_tampered():
    vectors = load("ligerito/tampered.json")
    base = (VECTORS / "ligerito" / vectors["base_file"]).read_bytes()
    case = next(case for case in load("ligerito/proofs.json") if case.get("file") == vectors["base_file"])
    config, root = ref_v08.Config.published(12), unhex(case["sha256_transcript"]["initial_root"])
    ref_v08.verify(config, root, base, transcript="sha256")
    damaged = [(VECTORS / "ligerito" / entry["file"]).read_bytes() for entry in vectors["files"]]
    for offset, mask, _ in vectors["xor_flips_offset_mask_verdict"]:
        flipped = bytearray(base)
        flipped[offset] ^= mask
        damaged.append(bytes(flipped))
    assert len(damaged) > 200
    for proof in damaged:
        with pytest.raises(errors.ProofError) as raised:
            ref_v08.verify(config, root, proof, transcript="sha256")
        assert raised.value.name != "ProofError"
    with pytest.raises(errors.ProofError):
        ref_v08.verify(config, root, base, transcript="merlin")


def test_configurations():
    for variables in (12, 16, 20, 24, 26, 28, 30):
        assert ref_v08.Config.published(variables).variables == variables
    assert ref_v08.Config.autosized(21).variables == 21
    assert ref_v08.Config.published(26) != ref_v08.Config.autosized(26)
    with pytest.raises(ValueError):
        ref_v08.Config.published(13)
    with pytest.raises(errors.PolynomialLength):
        ref_v08.commit(ref_v08.Config.published(12), array("I", [1]))


def test_garbage(opened):
    commitment, claims, proof = opened
    rng, accepted = random.Random(8), ligerito.Accepted.up_to(["balanced", "compact"], 30)
    config = ref_v08.Config.published(12)
    for _ in range(1000):
        data = rng.randbytes(rng.randrange(3000))
        for call in (
            lambda: ligerito.verify(accepted, commitment, claims, data),  # noqa: B023
            lambda: ref_v08.verify(config, bytes(32), data),  # noqa: B023
            lambda: ligerito.Commitment.from_bytes(data),  # noqa: B023
        ):
            with pytest.raises(errors.PhalanxError):
                call()
