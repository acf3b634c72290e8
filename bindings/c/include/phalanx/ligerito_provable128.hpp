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
  static constexpr auto prover_free = phalanx_ligerito128_prover_free;
  static constexpr auto commitment_parts = phalanx_ligerito128_commitment_parts;
  static constexpr auto commitment_from_parts = phalanx_ligerito128_commitment_from_parts;
  static constexpr auto commit = phalanx_ligerito128_commit;
  static constexpr auto proof_size = phalanx_ligerito128_proof_size;
  static constexpr auto open = phalanx_ligerito128_open;
  static constexpr auto verify = phalanx_ligerito128_verify;
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

}  // namespace phalanx::ligerito::provable128

#endif
