// vectors/ligerito-own, vectors/ligerito-128 and vectors/ligerito through phalanx/ligerito.hpp: proofs made again byte for byte, verified, and
// damaged. The cases of shapes that are registered nowhere (the suite for tests) are not offered in C or C++, and are
// counted as such.
#include <phalanx/ligerito.hpp>
#include <phalanx/ligerito_provable128.hpp>

#include <algorithm>

#include "check.hpp"
#include "json.hpp"

/// The generator of the files: 2^variables words.
static std::vector<std::uint32_t> xorshift(std::uint64_t seed, std::uint64_t variables) {
  std::vector<std::uint32_t> words(std::size_t{1} << variables);
  for (std::uint32_t& word : words) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    word = static_cast<std::uint32_t>(seed);
  }
  return words;
}

#include "ligerito_several.hpp"

namespace {

namespace ligerito = phalanx::ligerito;
namespace ref_v08 = phalanx::ligerito::ref_v08;
using ligerito::Accepted;
using ligerito::Element;
using ligerito::Point;
using ligerito::Profile;

using Buffer = std::vector<std::uint8_t>;

/// 32 digits, the highest bit first.
Element element(const json::Value& digits) {
  CHECK(digits.text.size() == 32);
  return {std::stoull(digits.text.substr(16), nullptr, 16), std::stoull(digits.text.substr(0, 16), nullptr, 16)};
}

Buffer file(const std::string& path) {
  const std::string bytes = json::contents(path);
  return {bytes.begin(), bytes.end()};
}

/// Points and values of a case, and claims that refer to them.
struct Claims {
  explicit Claims(const json::Value& list) {
    for (const json::Value& claim : list.list()) {
      std::vector<Element> point;
      for (const json::Value& coordinate : claim["point"].list()) point.push_back(element(coordinate));
      coordinates.push_back(point);
      values.push_back(element(claim["value"]));
    }
    for (const auto& one : coordinates) points.push_back(one);
  }
  std::vector<ligerito::Claim> claims() const {
    std::vector<ligerito::Claim> list;
    for (std::size_t i = 0; i < points.size(); ++i) list.push_back({points[i], values[i]});
    return list;
  }

  std::vector<std::vector<Element>> coordinates;
  std::vector<Point> points;
  std::vector<Element> values;
};

/// Everything but the case's own proof is refused, and says why.
void refuses(const ligerito::Commitment& commitment, const Claims& known, const Buffer& proof, const Buffer& context) {
  const auto claims = known.claims();
  const Profile profile = commitment.profile();
  const std::uint8_t variables = commitment.variables();
  const Profile other = profile == Profile::balanced ? Profile::compact : Profile::balanced;
  const auto exactly = Accepted::exactly(profile, variables);
  for (const Accepted& accepted :
       {Accepted::exactly(other, variables), Accepted::exactly(profile, static_cast<std::uint8_t>(variables + 1)),
        Accepted::exactly(profile, static_cast<std::uint8_t>(variables - 1)), Accepted::up_to({other}, 30),
        Accepted::up_to({}, 30)}) {
    CHECK_STATUS(ligerito::verify(accepted, commitment, claims, proof, context), PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS);
  }
  CHECK(ligerito::verify(Accepted::up_to({profile, other}, variables), commitment, claims, proof, context).ok());
  CHECK_STATUS(ligerito::verify(exactly, commitment, {}, proof, context), PHALANX_ERROR_LIGERITO_NO_CLAIMS);
  const std::vector<ligerito::Claim> too_many(PHALANX_LIGERITO_CLAIMS_MAX + 1, claims[0]);
  CHECK_STATUS(ligerito::verify(exactly, commitment, too_many, proof, context), PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS);
  auto wrong = claims;
  wrong.push_back({known.points[0].first(known.points[0].size() - 1), known.values[0]});
  std::uint64_t place = 99;
  CHECK_STATUS(ligerito::verify(exactly, commitment, wrong, proof, context, &place), PHALANX_ERROR_LIGERITO_POINT_LENGTH);
  CHECK(place == claims.size());
  wrong = claims;
  wrong[0].value.low ^= 1;
  CHECK(!ligerito::verify(exactly, commitment, wrong, proof, context).ok());
  Buffer other_context = context;
  other_context.push_back(0);
  CHECK(!ligerito::verify(exactly, commitment, claims, proof, other_context).ok());
  CHECK_STATUS(ligerito::verify(exactly, commitment, claims, phalanx::Bytes(proof).first(proof.size() - 1), context),
               PHALANX_ERROR_LIGERITO_PROOF_LENGTH);
  Buffer longer = proof;
  longer.push_back(0);
  CHECK_STATUS(ligerito::verify(exactly, commitment, claims, longer, context), PHALANX_ERROR_LIGERITO_PROOF_LENGTH);
  CHECK_STATUS(ligerito::verify(exactly, commitment, claims, {}, context), PHALANX_ERROR_LIGERITO_PROOF_LENGTH);
  longer.resize(10'000'000);
  CHECK_STATUS(ligerito::verify(exactly, commitment, claims, longer, context), PHALANX_ERROR_LIGERITO_PROOF_LENGTH);

  Buffer bytes(commitment.bytes().begin(), commitment.bytes().end());
  bytes[20] ^= 1;
  CHECK(!ligerito::verify(exactly, *ligerito::Commitment::from_bytes(bytes), claims, proof, context).ok());
  bytes[0] = 77;
  CHECK_STATUS(ligerito::Commitment::from_bytes(bytes), PHALANX_ERROR_MALFORMED);
  bytes.pop_back();
  CHECK_STATUS(ligerito::Commitment::from_bytes(bytes), PHALANX_ERROR_MALFORMED);

  Buffer damaged = proof;
  for (std::size_t at = 0; at < proof.size(); at += 61) {
    damaged[at] ^= 0x10;
    const auto verdict = ligerito::verify(exactly, commitment, claims, damaged, context);
    CHECK(verdict.status() >= PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS && verdict.status() <= PHALANX_ERROR_LIGERITO_FINAL_CLAIM);
    damaged[at] = proof[at];
  }
}

std::size_t not_offered = 0;

namespace provable128 {

namespace suite = phalanx::ligerito::provable128;

/// 48 digits, the highest bit first.
suite::Element element(const json::Value& digits) {
  CHECK(digits.text.size() == 48);
  const auto limb = [&](std::size_t at) { return std::stoull(digits.text.substr(at, 16), nullptr, 16); };
  return {limb(32), limb(16), limb(0)};
}

void own(const std::string& folder, const json::Value& item) {
  check::here = item["name"].text;
  if (item["suite"].text != "ligerito-v1-provable128") {
    ++not_offered;
    return;
  }
  const auto profile = static_cast<suite::Profile>(item["profile"].number());
  const auto variables = static_cast<std::uint8_t>(item["mu"].number());
  const auto polynomial = xorshift(item["poly_seed"].number(), variables);
  const Buffer context = item["ctx_hex"].bytes();
  const Buffer proof = file(folder + item["proof_file"].text);
  CHECK(phalanx_ligerito128_proof_size(static_cast<std::uint32_t>(profile), variables) == item["max_len"].number());
  std::vector<std::vector<suite::Element>> coordinates;
  std::vector<suite::Element> values;
  for (const json::Value& claim : item["claims"].list()) {
    coordinates.emplace_back();
    for (const json::Value& coordinate : claim["point"].list()) coordinates.back().push_back(element(coordinate));
    values.push_back(element(claim["value"]));
  }
  const std::vector<suite::Point> points(coordinates.begin(), coordinates.end());
  std::vector<suite::Claim> claims;
  for (std::size_t i = 0; i < points.size(); ++i) claims.push_back({points[i], values[i]});

  const auto prover = *suite::Prover::commit(profile, polynomial, 2);
  const auto& commitment = prover.commitment();
  CHECK(std::ranges::equal(commitment.root(), item["root0"].bytes()));
  CHECK(suite::Commitment::from_parts(profile, variables, commitment.root()) == commitment);
  const auto opening = *prover.open(points, context, 2);
  CHECK(opening.values == values && opening.proof == proof);
  const auto exactly = suite::Accepted::exactly(profile, variables);
  CHECK(suite::verify(exactly, commitment, claims, proof, context).ok());
  CHECK(suite::verify(suite::Accepted::up_to({profile}, 30), commitment, claims, proof, context).ok());
  for (const auto& accepted : {suite::Accepted::up_to({}, 30), suite::Accepted::up_to({profile}, 9),
                               suite::Accepted::exactly(profile, static_cast<std::uint8_t>(variables + 1))}) {
    CHECK_STATUS(suite::verify(accepted, commitment, claims, proof, context), PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS);
  }
  CHECK_STATUS(suite::verify(exactly, commitment, {}, proof, context), PHALANX_ERROR_LIGERITO_NO_CLAIMS);
  Buffer damaged = proof;
  for (std::size_t at = 0; at < proof.size(); at += 97) {
    damaged[at] ^= 0x10;
    CHECK(!suite::verify(exactly, commitment, claims, damaged, context).ok());
    damaged[at] = proof[at];
  }
  auto wrong = claims;
  wrong[0].value.limbs[2] ^= 1;
  CHECK(!suite::verify(exactly, commitment, wrong, proof, context).ok());
  // The two suites do not take each other's commitments.
  CHECK_STATUS(ligerito::Commitment::from_bytes(commitment.bytes()), PHALANX_ERROR_MALFORMED);
  const auto other = *ligerito::Prover::commit(Profile::balanced, polynomial);
  CHECK_STATUS(suite::Commitment::from_bytes(other.commitment().bytes()), PHALANX_ERROR_MALFORMED);
}

}  // namespace provable128

void own(const std::string& folder, const json::Value& item) {
  check::here = item["name"].text;
  if (item["suite"].text != "ligerito-v1-provable100") {
    ++not_offered;
    return;
  }
  const auto profile = static_cast<Profile>(item["profile"].number());
  const auto variables = static_cast<std::uint8_t>(item["mu"].number());
  CHECK(ligerito::name(profile) == (profile == Profile::balanced ? "balanced" : "compact"));
  const auto polynomial = xorshift(item["poly_seed"].number(), variables);
  const Claims known(item["claims"]);
  const Buffer context = item["ctx_hex"].bytes();
  const Buffer proof = file(folder + item["proof_file"].text);
  CHECK(proof.size() == item["proof_len"].number());
  CHECK(phalanx_ligerito_proof_size(static_cast<std::uint32_t>(profile), variables) == item["max_len"].number());
  for (const std::uint32_t threads : {1U, 3U}) {
    const auto prover = *ligerito::Prover::commit(profile, polynomial, threads);
    CHECK(std::ranges::equal(prover.commitment().root(), item["root0"].bytes()));
    CHECK(prover.commitment().profile() == profile && prover.commitment().variables() == variables);
    const auto opening = *prover.open(known.points, context, threads);
    CHECK(opening.values == known.values);
    CHECK(opening.proof == proof);
    if (threads == 1) continue;
    const auto& commitment = prover.commitment();
    CHECK(*ligerito::Commitment::from_bytes(commitment.bytes()) == commitment);
    CHECK(ligerito::Commitment::from_parts(profile, variables, commitment.root()) == commitment);
    CHECK(ligerito::verify(Accepted::exactly(profile, variables), commitment, known.claims(), proof, context).ok());
    if (variables <= 12) refuses(commitment, known, proof, context);
    CHECK_STATUS(prover.open({}, context), PHALANX_ERROR_LIGERITO_NO_CLAIMS);
    const Point shorter = known.points[0].first(3);
    CHECK_STATUS(prover.open(std::span(&shorter, 1), context), PHALANX_ERROR_LIGERITO_POINT_LENGTH);
    CHECK_STATUS(prover.open(std::vector<Point>(PHALANX_LIGERITO_CLAIMS_MAX + 1, known.points[0]), context),
                 PHALANX_ERROR_LIGERITO_TOO_MANY_CLAIMS);
  }
}

// ---- the published crate's format ----

std::vector<std::uint32_t> described(const std::string& text, std::uint64_t variables) {
  if (text.starts_with("xorshift:")) return xorshift(std::stoull(text.substr(9), nullptr, 16), variables);
  std::vector<std::uint32_t> words(std::size_t{1} << variables);
  if (text == "all-zero") return words;
  if (!text.starts_with("sparse:")) json::fail("no polynomial: " + text);
  for (std::size_t at = 7; at < text.size();) {
    const std::size_t equals = text.find('=', at);
    const std::size_t end = std::min(text.find(',', equals), text.size());
    words.at(std::stoul(text.substr(at, equals - at))) =
        static_cast<std::uint32_t>(std::stoul(text.substr(equals + 1, end - equals - 1), nullptr, 16));
    at = end + 1;
  }
  return words;
}

ref_v08::Root root_of(const Buffer& bytes) {
  CHECK(bytes.size() == 32);
  ref_v08::Root root{};
  std::copy_n(bytes.begin(), 32, root.begin());
  return root;
}

using ref_v08::Sizes;
using ref_v08::Transcript;

void published(const std::string& folder, const json::Value& item) {
  const auto variables = static_cast<std::uint8_t>(item["log_n"].number());
  if (variables > 20) return;
  check::here = item["poly"].text;
  const auto polynomial = described(item["poly"].text, variables);
  for (const auto& [name, transcript] : {std::pair{"sha256_transcript", Transcript::sha256}, {"merlin_transcript", Transcript::merlin}}) {
    const json::Value* summary = item.find(name);
    if (summary == nullptr) continue;
    const auto root = root_of((*summary)["initial_root"].bytes());
    CHECK(*ref_v08::commit(Sizes::published, variables, polynomial, 2) == root);
    const auto proof = *ref_v08::prove(Sizes::published, variables, transcript, polynomial, {}, 2);
    CHECK(proof.size() == (*summary)["bincode_bytes"].number());
    if (item.find("file") != nullptr && transcript == Transcript::sha256) CHECK(proof == file(folder + item["file"].text));
    CHECK(ref_v08::verify(Sizes::published, variables, transcript, root, {}, proof).ok());
    const auto other = transcript == Transcript::sha256 ? Transcript::merlin : Transcript::sha256;
    CHECK(!ref_v08::verify(Sizes::published, variables, other, root, {}, proof).ok());
    auto other_root = root;
    other_root[0] ^= 1;
    CHECK_STATUS(ref_v08::verify(Sizes::published, variables, transcript, other_root, {}, proof), PHALANX_ERROR_LIGERITO_INITIAL_ROOT);
  }
}

void with_claims(const std::string& folder, const json::Value& item) {
  check::here = item["file"].text;
  const auto polynomial = described(item["poly"].text, 12);
  std::vector<ref_v08::Claim> claims;
  for (const json::Value& claim : item["claims"].list()) {
    const auto value = static_cast<std::uint32_t>(std::stoul(claim["value"].text, nullptr, 16));
    claims.push_back({claim["index"].number(), value});
  }
  const auto root = root_of(item["summary"]["initial_root"].bytes());
  const auto proof = *ref_v08::prove(Sizes::published, 12, Transcript::sha256, polynomial, claims);
  CHECK(proof == file(folder + item["file"].text));
  CHECK(ref_v08::verify(Sizes::published, 12, Transcript::sha256, root, claims, proof).ok() == item["verdict"].is_true());
  auto wrong = claims;
  wrong[0].value += 1;
  CHECK(!ref_v08::verify(Sizes::published, 12, Transcript::sha256, root, wrong, proof).ok());
  CHECK_STATUS(ref_v08::prove(Sizes::published, 12, Transcript::sha256, polynomial, wrong), PHALANX_ERROR_LIGERITO_CLAIM_VALUE);
  wrong[0].index = 4096;
  CHECK_STATUS(ref_v08::prove(Sizes::published, 12, Transcript::sha256, polynomial, wrong), PHALANX_ERROR_LIGERITO_CLAIM_INDEX);
  CHECK_STATUS(ref_v08::verify(Sizes::published, 12, Transcript::sha256, root, wrong, proof), PHALANX_ERROR_LIGERITO_CLAIM_INDEX);
}

void tampered(const std::string& folder, const json::Value& all, const ref_v08::Root& root) {
  const Buffer base = file(folder + all["base_file"].text);
  const auto verify = [&](const Buffer& proof) {
    return ref_v08::verify(Sizes::published, 12, Transcript::sha256, root, {}, proof);
  };
  CHECK(verify(base).ok());
  for (const json::Value& item : all["files"].list()) {
    check::here = item["file"].text;
    CHECK(verify(file(folder + item["file"].text)).ok() == item["reference_verdict"].is_true());
  }
  for (const json::Value& flip : all["xor_flips_offset_mask_verdict"].list()) {
    check::here = "flip at " + flip.list()[0].text;
    Buffer damaged = base;
    damaged.at(flip.list()[0].number()) ^= static_cast<std::uint8_t>(flip.list()[1].number());
    const auto verdict = verify(damaged);
    CHECK(!verdict.ok());
    if (flip.list()[2].text == "decode-error") CHECK(verdict.status() == PHALANX_ERROR_LIGERITO_ENCODING || verdict.status() == PHALANX_ERROR_LIGERITO_INITIAL_ROOT);
  }
}

/// What C++ callers cannot say, and buffers that are too small.
void refusals_of_c() {
  check::here = "refusals";
  const std::vector<std::uint32_t> words(1 << 10, 7);
  std::array<std::uint8_t, 34> commitment{};
  phalanx_ligerito_prover* prover = nullptr;
  const auto commit = [&](std::uint32_t profile, const std::uint32_t* polynomial, std::size_t size) {
    return phalanx_ligerito_commit(&prover, commitment.data(), profile, polynomial, size, 1);
  };
  CHECK(commit(0, words.data(), 1024) == PHALANX_ERROR_INVALID_ARGUMENT && prover == nullptr);
  CHECK(commit(1, nullptr, 1024) == PHALANX_ERROR_NULL_POINTER && prover == nullptr);
  for (const std::size_t size : {0U, 1U, 512U, 1023U}) {
    CHECK(commit(1, words.data(), size) == PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH && prover == nullptr);
  }
  CHECK(commit(1, words.data(), 1024) == PHALANX_OK && prover != nullptr);
  const std::vector<Element> point(10, Element{3});
  const phalanx_ligerito_point at{point.data(), point.size()};
  Element value;
  std::size_t length = 0;
  const auto open = [&](std::uint8_t* proof, std::size_t capacity) {
    return phalanx_ligerito_open(prover, &value, proof, capacity, &length, &at, 1, nullptr, 0, 1);
  };
  CHECK(open(nullptr, 0) == PHALANX_ERROR_BUFFER_TOO_SMALL && length > 0);
  CHECK(length <= phalanx_ligerito_proof_size(1, 10));
  Buffer proof(length, 0xaa);
  CHECK(open(proof.data(), length - 1) == PHALANX_ERROR_BUFFER_TOO_SMALL);
  CHECK(proof == Buffer(length, 0xaa));
  CHECK(open(proof.data(), length) == PHALANX_OK);
  const phalanx_ligerito_accepted accepted{true, true, 0, 30};
  const phalanx_ligerito_claim claim{at, value};
  const auto verify = [&](const phalanx_ligerito_accepted* who, const phalanx_ligerito_claim* claims) {
    return phalanx_ligerito_verify(who, nullptr, commitment.data(), 34, claims, 1, proof.data(), proof.size(), nullptr, 0);
  };
  CHECK(verify(&accepted, &claim) == PHALANX_OK);
  CHECK(verify(nullptr, &claim) == PHALANX_ERROR_NULL_POINTER);
  CHECK(verify(&accepted, nullptr) == PHALANX_ERROR_NULL_POINTER);
  phalanx_ligerito_prover_free(prover);
  phalanx_ligerito_prover_free(nullptr);
  CHECK(phalanx_ligerito_proof_size(1, 9) == 0 && phalanx_ligerito_proof_size(9, 12) == 0);
  CHECK(phalanx_ligerito_ref_v08_proof_size(0, 13) == 0 && phalanx_ligerito_ref_v08_proof_size(2, 20) == 0);
  CHECK_STATUS(ref_v08::commit(Sizes::published, 13, words), PHALANX_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(ref_v08::commit(Sizes::published, 12, words), PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
  CHECK_STATUS(ligerito::profile_from_name("fast"), PHALANX_ERROR_UNKNOWN_NAME);
  CHECK(*ligerito::profile_from_name("compact") == Profile::compact);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  std::string folder = std::string(argv[1]) + "/ligerito-own/";
  for (const char* name : {"proofs", "proof_16", "proof_20"}) {
    const json::Value list = json::read(folder + name + ".json");
    for (const json::Value& item : list.list()) own(folder, item);
  }
  folder = std::string(argv[1]) + "/ligerito-128/";
  const json::Value own128 = json::read(folder + "proofs.json");
  for (const json::Value& item : own128.list()) provable128::own(folder, item);
  folder = std::string(argv[1]) + "/ligerito/";
  const json::Value proofs = json::read(folder + "proofs.json");
  for (const json::Value& item : proofs.list()) published(folder, item);
  const json::Value with = json::read(folder + "eval_proofs.json");
  for (const json::Value& item : with.list()) with_claims(folder, item);
  const auto root = root_of(proofs.list()[0]["sha256_transcript"]["initial_root"].bytes());
  tampered(folder, json::read(folder + "tampered.json"), root);
  refusals_of_c();
  const json::Value algebra = json::read(std::string(argv[1]) + "/ligerito-v2/planes_algebra.json");
  for (const json::Value& item : algebra.list()) {
    check::here = "planes over " + item["field_bits"].text + " bits";
    if (item["field_bits"].number() == 128) {
      several::planes<ligerito::Suite, Accepted>(item, xorshift(78, 10), element, 0xc3aa151de6d1003d);
    } else {
      namespace suite = ligerito::provable128;
      several::planes<suite::Suite, suite::Accepted>(item, xorshift(78, 10), provable128::element, 0x25fa1aec75580a05);
    }
  }
  check::here = "several commitments";
  several::together<ligerito::Suite, Accepted>(0x39f5efc3dbac3573);
  several::together<ligerito::provable128::Suite, ligerito::provable128::Accepted>(0x75a995a5b7a8c920);
  std::printf("%zu proofs under shapes that C and C++ do not offer\n", not_offered);
  return check::finish(1000);
}
