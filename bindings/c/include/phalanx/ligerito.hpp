// Ligerito: commitments to multilinear polynomials over binary fields. A polynomial in mu variables is its 2^mu values on
// the Boolean cube, elements of GF(2^32) as 32-bit words. Not hiding. `threads` arguments: 0 is one for each core, 1 starts
// none.
#ifndef PHALANX_LIGERITO_HPP
#define PHALANX_LIGERITO_HPP

#include <phalanx/ligerito_suite.hpp>

#include <initializer_list>

namespace phalanx::ligerito {

/// What proofs are made small for.
enum class Profile : std::uint32_t {
  /// 100 provable bits without proof of work.
  balanced = PHALANX_LIGERITO_PROFILE_BALANCED,
  /// Shorter proofs; 16 of the 100 bits are a proof of work at every level.
  compact = PHALANX_LIGERITO_PROFILE_COMPACT,
};

/// The name, as on the command line.
inline std::string_view name(Profile profile) {
  return phalanx_ligerito_profile_name(static_cast<std::uint32_t>(profile));
}

/// The profile called `name`, a text that ends with a zero byte.
inline Result<Profile> profile_from_name(const char* name) {
  std::uint32_t number = 0;
  const Status status = phalanx_ligerito_profile_from_name(&number, name);
  if (status != PHALANX_OK) return status;
  return static_cast<Profile>(number);
}

/// An element of GF(2^128): the C struct, with a constructor and a comparison.
struct Element : phalanx_ligerito_element {
  constexpr Element(std::uint64_t low_bits = 0, std::uint64_t high_bits = 0)
      : phalanx_ligerito_element{low_bits, high_bits} {}
  friend constexpr bool operator==(const Element& a, const Element& b) { return a.low == b.low && a.high == b.high; }
};
static_assert(sizeof(Element) == sizeof(phalanx_ligerito_element), "elements lie side by side, as C sees them");

/// The types and functions in C.
struct Suite {
  using Profile = ligerito::Profile;
  using Element = ligerito::Element;
  using prover = phalanx_ligerito_prover;
  using point = phalanx_ligerito_point;
  using claim = phalanx_ligerito_claim;
  using accepted = phalanx_ligerito_accepted;
  using planes_claim = phalanx_ligerito_planes_claim;
  using point_of = phalanx_ligerito_point_of;
  using claim_of = phalanx_ligerito_claim_of;
  static constexpr auto prover_free = phalanx_ligerito_prover_free;
  static constexpr auto commitment_parts = phalanx_ligerito_commitment_parts;
  static constexpr auto commitment_from_parts = phalanx_ligerito_commitment_from_parts;
  static constexpr auto commit = phalanx_ligerito_commit;
  static constexpr auto proof_size = phalanx_ligerito_proof_size;
  static constexpr auto open = phalanx_ligerito_open;
  static constexpr auto verify = phalanx_ligerito_verify;
  static constexpr auto commit_bytes = phalanx_ligerito_commit_bytes;
  static constexpr auto open_planes = phalanx_ligerito_open_planes;
  static constexpr auto verify_planes = phalanx_ligerito_verify_planes;
  static constexpr auto value_of_planes = phalanx_ligerito_value_of_planes;
  static constexpr auto aes_basis = phalanx_ligerito_aes_basis;
  static constexpr auto open_together = phalanx_ligerito_open_together;
  static constexpr auto verify_together = phalanx_ligerito_verify_together;
};

/// As many coordinates as the polynomial has variables; coordinate j belongs to bit j of the words' index.
using Point = suite::Point<Suite>;
/// The claim that the polynomial has a value at a point.
using Claim = suite::Claim<Suite>;
/// What is published of a polynomial: 34 bytes.
using Commitment = suite::Commitment<Suite>;
/// Values at points, and the proof that they are right.
using Opening = suite::Opening<Suite>;
/// What openings are made from.
using Prover = suite::Prover<Suite>;
/// The 32 planes at a point, for polynomials that hold bits or bytes.
using Planes = suite::Planes<Suite>;
/// Planes at points, and the proof that they are right.
using PlanesOpening = suite::PlanesOpening<Suite>;
/// The claim that the polynomial's bits have planes at a point.
using PlanesClaim = suite::PlanesClaim<Suite>;
/// A point at which one of several polynomials is opened.
using PointOf = suite::PointOf<Suite>;
/// The claim that one of several polynomials has a value at a point.
using ClaimOf = suite::ClaimOf<Suite>;

/// Which commitments a verifier is ready to look at: often they come from the prover, so profile and size are the
/// verifier's to choose.
struct Accepted : phalanx_ligerito_accepted {
  /// This profile with this number of variables and nothing else.
  static constexpr Accepted exactly(Profile profile, std::uint8_t variables) {
    return {profile == Profile::balanced, profile == Profile::compact, variables, variables};
  }
  /// Any of `profiles` with at most `variables_max` variables.
  static constexpr Accepted up_to(std::initializer_list<Profile> profiles, std::uint8_t variables_max) {
    Accepted accepted{false, false, 0, variables_max};
    for (const Profile profile : profiles) {
      accepted.balanced |= profile == Profile::balanced;
      accepted.compact |= profile == Profile::compact;
    }
    return accepted;
  }

 private:
  constexpr Accepted(bool is_balanced, bool is_compact, std::uint8_t least, std::uint8_t most)
      : phalanx_ligerito_accepted{is_balanced, is_compact, least, most} {}
};

/// Verifies that the polynomial under `commitment` has the claimed values. The error names the first check that failed;
/// `place`, if given, learns where: which claim, level or row.
inline Result<void> verify(const Accepted& accepted, const Commitment& commitment, std::span<const Claim> claims,
                           Bytes proof, Bytes context, std::uint64_t* place = nullptr) {
  return suite::verify<Suite>(accepted, commitment, claims, proof, context, place);
}

/// Verifies that the polynomial's bits have the claimed planes, with a proof of `Prover::open_planes`.
inline Result<void> verify_planes(const Accepted& accepted, const Commitment& commitment,
                                  std::span<const PlanesClaim> claims, Bytes proof, Bytes context,
                                  std::uint64_t* place = nullptr) {
  return suite::verify_planes<Suite>(accepted, commitment, claims, proof, context, place);
}

/// The value of a polynomial of small coefficients, from the planes at a point: `low` are the coordinates inside a word (five for
/// bits, two for bytes), `basis` what each bit of a coefficient stands for (1 alone for bits, `aes_basis` for bytes).
inline Result<Element> value_of_planes(Point low, std::span<const Element> basis, const Planes& planes) {
  return suite::value_of_planes<Suite>(low, basis, planes);
}

/// The images of 1, x, ..., x^7 of the field of AES.
inline std::array<Element, 8> aes_basis() { return suite::aes_basis<Suite>(); }

/// The values of several polynomials, of one profile and of any sizes, and one proof for all of them.
inline Result<Opening> open_together(std::span<const Prover* const> provers, std::span<const PointOf> points, Bytes context,
                                     std::uint32_t threads = 1) {
  return suite::open_together<Suite>(provers, points, context, threads);
}

/// Verifies values of several polynomials, with a proof of `open_together`.
inline Result<void> verify_together(const Accepted& accepted, std::span<const Commitment> commitments,
                                    std::span<const ClaimOf> claims, Bytes proof, Bytes context,
                                    std::uint64_t* place = nullptr) {
  return suite::verify_together<Suite>(accepted, commitments, claims, proof, context, place);
}

/// The proofs of the published crate `ligerito`, version 0.8.0: for those who have such proofs, or need them. Without the
/// level of security of the rest, which is stated and proved.
namespace ref_v08 {

/// Which sizes of its levels a proof has.
enum class Sizes : std::uint32_t {
  /// The crate's configurations: 12, 16, 20, 24, 26, 28 and 30 variables.
  published = PHALANX_LIGERITO_REF_V08_SIZES_PUBLISHED,
  /// What its command line chooses: 20 to 30 variables.
  autosized = PHALANX_LIGERITO_REF_V08_SIZES_AUTOSIZED,
};

/// Which of the crate's transcripts the challenges come from.
enum class Transcript : std::uint32_t {
  sha256 = PHALANX_LIGERITO_REF_V08_TRANSCRIPT_SHA256,
  merlin = PHALANX_LIGERITO_REF_V08_TRANSCRIPT_MERLIN,
};

/// The claim that a word of the polynomial has a value.
using Claim = phalanx_ligerito_ref_v08_claim;
/// The root that proofs about a polynomial begin with.
using Root = std::array<std::uint8_t, PHALANX_LIGERITO_ROOT_BYTES>;

/// The root of a polynomial of 2^variables words.
inline Result<Root> commit(Sizes sizes, std::uint8_t variables, std::span<const std::uint32_t> polynomial,
                           std::uint32_t threads = 1) {
  Root root;
  const Status status = phalanx_ligerito_ref_v08_commit(root.data(), static_cast<std::uint32_t>(sizes), variables,
                                                        polynomial.data(), polynomial.size(), threads);
  if (status != PHALANX_OK) return status;
  return root;
}

/// Commits and proves claims, byte for byte as the crate does.
inline Result<std::vector<std::uint8_t>> prove(Sizes sizes, std::uint8_t variables, Transcript transcript,
                                               std::span<const std::uint32_t> polynomial,
                                               std::span<const Claim> claims, std::uint32_t threads = 1) {
  const auto number = static_cast<std::uint32_t>(sizes);
  const std::size_t size = phalanx_ligerito_ref_v08_proof_size(number, variables);
  return detail::filled(size, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
    return phalanx_ligerito_ref_v08_prove(buffer, capacity, length, number, variables,
                                          static_cast<std::uint32_t>(transcript), polynomial.data(), polynomial.size(),
                                          claims.data(), claims.size(), threads);
  });
}

/// Verifies that the polynomial under `root`, which is the caller's, has the claimed words.
inline Result<void> verify(Sizes sizes, std::uint8_t variables, Transcript transcript, const Root& root,
                           std::span<const Claim> claims, Bytes proof, std::uint64_t* place = nullptr) {
  return phalanx_ligerito_ref_v08_verify(place, static_cast<std::uint32_t>(sizes), variables,
                                         static_cast<std::uint32_t>(transcript), root.data(), claims.data(),
                                         claims.size(), proof.data(), proof.size());
}

}  // namespace ref_v08

}  // namespace phalanx::ligerito

#endif
