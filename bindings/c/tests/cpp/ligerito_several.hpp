// Bits, bytes and several commitments, of both suites: against vectors/ligerito-v2/planes_algebra.json, and proofs that are the
// same in every language.
#ifndef PHALANX_TESTS_LIGERITO_SEVERAL_HPP
#define PHALANX_TESTS_LIGERITO_SEVERAL_HPP

#include <phalanx/ligerito.hpp>
#include <phalanx/ligerito_provable128.hpp>

#include <array>
#include <cstring>
#include <set>

#include "check.hpp"
#include "json.hpp"

namespace several {

namespace suite = phalanx::ligerito::suite;
using Buffer = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

inline std::uint64_t fnv(const Buffer& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

template <class S>
using Elements = std::vector<typename S::Element>;

/// The bits of `number`, as the coordinates of a corner of the cube.
template <class S>
Elements<S> corner(std::uint64_t number, unsigned count) {
  Elements<S> point;
  for (unsigned j = 0; j < count; ++j) point.emplace_back(number >> j & 1);
  return point;
}

template <class S>
Elements<S> point(std::uint64_t number, unsigned count) {
  Elements<S> point;
  for (unsigned j = 0; j < count; ++j) point.emplace_back((number + 1) * (j + 3));
  return point;
}

/// What a word's bits say, for each bit of `byte`.
template <class S>
typename S::Element sum_of(const std::array<typename S::Element, 8>& basis, unsigned byte) {
  std::array<std::uint64_t, sizeof(typename S::Element) / 8> sum{};
  for (unsigned i = 0; i < 8; ++i) {
    std::array<std::uint64_t, sizeof(typename S::Element) / 8> limbs;
    std::memcpy(limbs.data(), &basis[i], sizeof limbs);
    for (std::size_t k = 0; k < limbs.size(); ++k) sum[k] ^= (byte >> i & 1) != 0 ? limbs[k] : 0;
  }
  typename S::Element element;
  std::memcpy(static_cast<void*>(&element), sum.data(), sizeof sum);
  return element;
}

template <class S, class Accepted, class Digits>
void planes(const json::Value& known, Words words, Digits digits, std::uint64_t digest) {
  for (std::size_t i = 0; i < 8; ++i) words[i] = static_cast<std::uint32_t>(std::stoul(known["f"].list()[i].text, nullptr, 16));
  const auto profile = S::Profile::balanced;
  const auto prover = *suite::Prover<S>::commit_bytes(profile, std::as_bytes(std::span(words)));
  CHECK(prover.commitment() == suite::Prover<S>::commit(profile, words)->commitment());
  const auto bytes = std::as_bytes(std::span(words));
  CHECK_STATUS(suite::Prover<S>::commit_bytes(profile, bytes.first(4095)), PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
  CHECK_STATUS(suite::Prover<S>::commit_bytes(profile, bytes.first(2048)), PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
  // Bytes behind the last whole word are not left out.
  const Words longer(1025);
  CHECK_STATUS(suite::Prover<S>::commit_bytes(profile, std::as_bytes(std::span(longer)).first(4097)), PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
  CHECK_STATUS(suite::Prover<S>::commit_bytes(profile, bytes.subspan(1, 2048)), PHALANX_ERROR_INVALID_ARGUMENT);

  // The first eight words are those of the vectors: the planes are known there.
  Elements<S> z;
  for (const json::Value& coordinate : known["z"].list()) z.push_back(digits(coordinate));
  z.resize(10);
  const Elements<S> at = corner<S>(777, 10);
  const std::array<suite::Point<S>, 2> points{suite::Point<S>(z), suite::Point<S>(at)};
  const Buffer context{'b', 'i', 't', 's'};
  const auto opening = *prover.open_planes(points, context, 2);
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(opening.planes[0][i] == digits(known["s"].list()[i]));
    CHECK(opening.planes[1][i] == typename S::Element(words[777] >> i & 1));
  }
  CHECK(prover.open(points, context)->values[0] == digits(known["t"].list()[0]));

  const Elements<S> one{1};
  const auto basis = suite::aes_basis<S>();
  // The powers of the smallest root of x^8 + x^4 + x^3 + x + 1, computed without this library.
  const auto* memory = reinterpret_cast<const std::uint8_t*>(basis.data());
  CHECK(fnv(Buffer(memory, memory + sizeof basis)) == (sizeof(typename S::Element) == 16 ? 0xdf7f4a8e518c1717 : 0x6879cc75b8655267));
  for (const unsigned bit : {0U, 5U, 31U}) {
    const auto low = corner<S>(bit, 5);
    CHECK(*suite::value_of_planes<S>(low, one, opening.planes[1]) == typename S::Element(words[777] >> bit & 1));
  }
  for (unsigned byte = 0; byte < 4; ++byte) {
    const auto low = corner<S>(byte, 2);
    CHECK(*suite::value_of_planes<S>(low, basis, opening.planes[1]) == sum_of<S>(basis, words[777] >> 8 * byte & 255));
  }
  CHECK_STATUS(suite::value_of_planes<S>(corner<S>(0, 5), basis, opening.planes[1]), PHALANX_ERROR_LIGERITO_BASIS_LENGTH);

  const auto accepted = Accepted::exactly(profile, 10);
  std::vector<suite::PlanesClaim<S>> claims{{points[0], opening.planes[0]}, {points[1], opening.planes[1]}};
  const auto verify = [&](std::uint64_t* place) {
    return suite::verify_planes<S>(accepted, prover.commitment(), claims, opening.proof, context, place);
  };
  CHECK(verify(nullptr).ok());
  CHECK_STATUS(suite::verify_planes<S>(Accepted::exactly(profile, 11), prover.commitment(), claims, opening.proof, context, nullptr),
               PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS);
  for (std::size_t claim = 0; claim < 2; ++claim) {
    for (const std::size_t plane : {0U, 31U}) {
      const auto before = claims[claim].planes[plane];
      claims[claim].planes[plane] = before == typename S::Element(7) ? typename S::Element(6) : typename S::Element(7);
      CHECK(phalanx_status_family(verify(nullptr).status()) == PHALANX_FAMILY_DOES_NOT_VERIFY);
      claims[claim].planes[plane] = before;
    }
  }
  claims[1].point = points[1].first(9);
  std::uint64_t place = 99;
  CHECK_STATUS(verify(&place), PHALANX_ERROR_LIGERITO_POINT_LENGTH);
  CHECK(place == 1);
  CHECK_STATUS(prover.open_planes(std::span(&claims[1].point, 1), context), PHALANX_ERROR_LIGERITO_POINT_LENGTH);
  CHECK_STATUS(prover.open_planes({}, context), PHALANX_ERROR_LIGERITO_NO_CLAIMS);

  const Elements<S> first = point<S>(0, 10), second = point<S>(1, 10);
  const std::array<suite::Point<S>, 2> two{suite::Point<S>(first), suite::Point<S>(second)};
  const auto own = *suite::Prover<S>::commit(profile, words = xorshift(80, 10));
  CHECK(fnv(own.open_planes(two, context)->proof) == digest);
}

template <class S, class Accepted>
void together(std::uint64_t digest) {
  const std::array<std::uint8_t, 3> sizes{10, 11, 10};
  std::vector<Words> words;
  std::vector<suite::Prover<S>> made;
  for (std::size_t k = 0; k < 3; ++k) words.push_back(xorshift(80 + k, sizes[k]));
  for (const Words& each : words) made.push_back(*suite::Prover<S>::commit(S::Profile::balanced, each));
  std::vector<const suite::Prover<S>*> provers;
  std::vector<suite::Commitment<S>> commitments;
  for (const auto& one : made) {
    provers.push_back(&one);
    commitments.push_back(one.commitment());
  }
  const std::array<std::size_t, 4> order{2, 0, 1, 0};
  std::vector<Elements<S>> coordinates;
  std::vector<suite::PointOf<S>> points;
  for (std::size_t i = 0; i < 4; ++i) coordinates.push_back(point<S>(i, sizes[order[i]]));
  for (std::size_t i = 0; i < 4; ++i) points.push_back({order[i], coordinates[i]});
  const Buffer context{'s', 'e', 'v', 'e', 'r', 'a', 'l'};
  const auto opening = *suite::open_together<S>(provers, points, context, 2);
  CHECK(fnv(opening.proof) == digest);
  std::vector<suite::ClaimOf<S>> claims;
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(made[order[i]].open(std::span(&points[i].point, 1), context)->values[0] == opening.values[i]);
    claims.push_back({order[i], points[i].point, opening.values[i]});
  }
  const auto accepted = Accepted::up_to({S::Profile::balanced}, 11);
  Buffer proof = opening.proof;
  const auto verify = [&](std::uint64_t* place) {
    return suite::verify_together<S>(accepted, commitments, claims, proof, context, place);
  };
  CHECK(verify(nullptr).ok());
  for (auto& claim : claims) {
    const auto before = claim.value;
    claim.value = typename S::Element(1);
    CHECK(phalanx_status_family(verify(nullptr).status()) == PHALANX_FAMILY_DOES_NOT_VERIFY);
    claim.value = before;
  }
  std::uint64_t place = 99;
  claims[1].commitment = 3;
  CHECK_STATUS(verify(&place), PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX);
  CHECK(place == 1);
  claims[1].commitment = 0;
  // Damage in the rows of each commitment is told as its own.
  std::set<std::uint64_t> places;
  for (std::size_t at = 0; at < proof.size(); at += 997) {
    proof[at] ^= 0x10;
    const auto verdict = verify(&place);
    CHECK(phalanx_status_family(verdict.status()) == PHALANX_FAMILY_DOES_NOT_VERIFY);
    if (verdict.status() == PHALANX_ERROR_LIGERITO_MERKLE_ROOT_OF) places.insert(place);
    proof[at] ^= 0x10;
  }
  CHECK((places == std::set<std::uint64_t>{0, 1, 2}));
  // The bound below is C's own, and holds for each of them.
  auto at_least = accepted;
  at_least.variables_min = 11;
  CHECK_STATUS(suite::verify_together<S>(at_least, commitments, claims, proof, context, nullptr),
               PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS);
  CHECK_STATUS(suite::verify_together<S>(Accepted::up_to({S::Profile::balanced}, 10), commitments, claims, proof, context, nullptr),
               PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS);
  CHECK_STATUS(suite::verify_together<S>(accepted, {}, claims, proof, context, nullptr), PHALANX_ERROR_LIGERITO_UNACCEPTED_PARAMS);
  std::swap(commitments[0], commitments[2]);
  CHECK(phalanx_status_family(verify(nullptr).status()) == PHALANX_FAMILY_DOES_NOT_VERIFY);

  points[3].commitment = 3;
  CHECK_STATUS(suite::open_together<S>(provers, points, context, 1), PHALANX_ERROR_LIGERITO_COMMITMENT_INDEX);
  CHECK_STATUS(suite::open_together<S>({}, points, context, 1), PHALANX_ERROR_LIGERITO_TOGETHER);
}

}  // namespace several

#endif
