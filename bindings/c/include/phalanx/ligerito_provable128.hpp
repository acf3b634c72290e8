// Ligerito with 128 provable bits: the names of phalanx/ligerito.hpp, over GF(2^192). No commitment and no proof of one
// suite is one of the other, and their types differ: who wants 128 bits writes provable128 and cannot be given less.
#ifndef PHALANX_LIGERITO_PROVABLE128_HPP
#define PHALANX_LIGERITO_PROVABLE128_HPP

#include <phalanx/ligerito_suite.hpp>

#include <algorithm>
#include <initializer_list>

namespace phalanx::ligerito::provable128 {

/// What proofs are made small for.
enum class Profile : std::uint32_t {
  /// 128 provable bits without proof of work.
  balanced = PHALANX_LIGERITO128_PROFILE_BALANCED,
};

/// An element of GF(2^192): the C struct, with a constructor and a comparison. The lowest 64 bits first.
struct Element : phalanx_ligerito128_element {
  constexpr Element(std::uint64_t low = 0, std::uint64_t middle = 0, std::uint64_t high = 0)
      : phalanx_ligerito128_element{{low, middle, high}} {}
  friend constexpr bool operator==(const Element& a, const Element& b) {
    return std::equal(a.limbs, a.limbs + 3, b.limbs);
  }
};
static_assert(sizeof(Element) == sizeof(phalanx_ligerito128_element), "elements lie side by side, as C sees them");

/// The types and functions in C.
struct Suite {
  using Profile = ligerito::provable128::Profile;
  using Element = ligerito::provable128::Element;
  using prover = phalanx_ligerito128_prover;
  using point = phalanx_ligerito128_point;
  using claim = phalanx_ligerito128_claim;
  using accepted = phalanx_ligerito128_accepted;
  using planes_claim = phalanx_ligerito128_planes_claim;
  using point_of = phalanx_ligerito128_point_of;
  using claim_of = phalanx_ligerito128_claim_of;
  static constexpr auto prover_free = phalanx_ligerito128_prover_free;
  static constexpr auto commitment_parts = phalanx_ligerito128_commitment_parts;
  static constexpr auto commitment_from_parts = phalanx_ligerito128_commitment_from_parts;
  static constexpr auto commit = phalanx_ligerito128_commit;
  static constexpr auto proof_size = phalanx_ligerito128_proof_size;
  static constexpr auto open = phalanx_ligerito128_open;
  static constexpr auto verify = phalanx_ligerito128_verify;
  static constexpr auto commit_bytes = phalanx_ligerito128_commit_bytes;
  static constexpr auto open_planes = phalanx_ligerito128_open_planes;
  static constexpr auto verify_planes = phalanx_ligerito128_verify_planes;
  static constexpr auto value_of_planes = phalanx_ligerito128_value_of_planes;
  static constexpr auto aes_basis = phalanx_ligerito128_aes_basis;
  static constexpr auto open_together = phalanx_ligerito128_open_together;
  static constexpr auto verify_together = phalanx_ligerito128_verify_together;
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

/// Which commitments a verifier is ready to look at.
struct Accepted : phalanx_ligerito128_accepted {
  /// This profile with this number of variables and nothing else.
  static constexpr Accepted exactly(Profile profile, std::uint8_t variables) {
    return {profile == Profile::balanced, variables, variables};
  }
  /// Any of `profiles` with at most `variables_max` variables.
  static constexpr Accepted up_to(std::initializer_list<Profile> profiles, std::uint8_t variables_max) {
    Accepted accepted{false, 0, variables_max};
    for (const Profile profile : profiles) accepted.balanced |= profile == Profile::balanced;
    return accepted;
  }

 private:
  constexpr Accepted(bool is_balanced, std::uint8_t least, std::uint8_t most)
      : phalanx_ligerito128_accepted{is_balanced, least, most} {}
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

}  // namespace phalanx::ligerito::provable128

#endif
