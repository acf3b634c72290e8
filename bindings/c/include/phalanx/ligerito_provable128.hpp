// Ligerito with 128 provable bits: the names of phalanx/ligerito.hpp, over GF(2^192). No commitment and no proof of one
// suite is one of the other, and their types differ: who wants 128 bits writes provable128 and cannot be given less.
#ifndef PHALANX_LIGERITO_PROVABLE128_HPP
#define PHALANX_LIGERITO_PROVABLE128_HPP

#include <phalanx/core.hpp>

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

/// As many coordinates as the polynomial has variables; coordinate j belongs to bit j of the words' index.
using Point = std::span<const Element>;

/// The claim that the polynomial has this value at this point.
struct Claim {
  Point point;
  Element value;
};

/// What is published of a polynomial: 34 bytes.
class Commitment {
 public:
  /// Of the wire form; PHALANX_ERROR_MALFORMED if the length or the profile is wrong. Whether profile and size are
  /// acceptable is for the verifier to say.
  static Result<Commitment> from_bytes(Bytes bytes) {
    Commitment commitment;
    std::uint32_t profile = 0;
    const Status status = phalanx_ligerito128_commitment_parts(&profile, &commitment.variables_, commitment.root_.data(),
                                                            bytes.data(), bytes.size());
    if (status != PHALANX_OK) return status;
    commitment.profile_ = static_cast<Profile>(profile);
    std::copy(bytes.begin(), bytes.end(), commitment.bytes_.begin());
    return commitment;
  }

  /// From its parts, which nobody has checked.
  static Commitment from_parts(Profile profile, std::uint8_t variables, BytesOf<PHALANX_LIGERITO_ROOT_BYTES> root) {
    std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES> bytes{};
    detail::must(phalanx_ligerito128_commitment_from_parts(bytes.data(), static_cast<std::uint32_t>(profile), variables,
                                         root.data()));
    return *from_bytes(bytes);
  }

  /// The wire form.
  const std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES>& bytes() const { return bytes_; }
  /// The profile that it claims.
  Profile profile() const { return profile_; }
  /// The number of variables that it claims.
  std::uint8_t variables() const { return variables_; }
  /// The root of the tree over the encoded rows.
  const std::array<std::uint8_t, PHALANX_LIGERITO_ROOT_BYTES>& root() const { return root_; }

  friend bool operator==(const Commitment& a, const Commitment& b) { return a.bytes_ == b.bytes_; }

 private:
  Commitment() = default;

  std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES> bytes_{};
  std::array<std::uint8_t, PHALANX_LIGERITO_ROOT_BYTES> root_{};
  Profile profile_ = Profile::balanced;
  std::uint8_t variables_ = 0;
};

/// Values at points, and the proof that they are right.
struct Opening {
  std::vector<Element> values;
  std::vector<std::uint8_t> proof;
};

/// What openings are made from. It refers to the words of the polynomial, which have to stay where they are and as they
/// are as long as it lives. Moved, never copied.
class Prover {
 public:
  /// Commits to `polynomial`, 2^10 to 2^30 words and a power of two.
  static Result<Prover> commit(Profile profile, std::span<const std::uint32_t> polynomial, std::uint32_t threads = 1) {
    phalanx_ligerito128_prover* prover = nullptr;
    std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES> bytes{};
    const Status status = phalanx_ligerito128_commit(&prover, bytes.data(), static_cast<std::uint32_t>(profile),
                                                  polynomial.data(), polynomial.size(), threads);
    if (status != PHALANX_OK) return status;
    return Prover(prover, *Commitment::from_bytes(bytes));
  }
  /// Words that are gone after the call cannot be opened.
  static Result<Prover> commit(Profile, std::vector<std::uint32_t>&&, std::uint32_t = 1) = delete;

  const Commitment& commitment() const { return commitment_; }

  /// The values at `points`, and one proof for all of them. `context` is bound to the proof: who verifies has to name the
  /// same.
  Result<Opening> open(std::span<const Point> points, Bytes context, std::uint32_t threads = 1) const {
    const auto lists =
        detail::each<phalanx_ligerito128_point>(points, [](Point at) { return phalanx_ligerito128_point{at.data(), at.size()}; });
    Opening opening;
    opening.values.resize(points.size());
    const std::size_t size = phalanx_ligerito128_proof_size(static_cast<std::uint32_t>(commitment_.profile()),
                                                         commitment_.variables());
    auto proof = detail::filled(size, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return phalanx_ligerito128_open(handle_.get(), opening.values.data(), buffer, capacity, length, lists.data(),
                                   lists.size(), context.data(), context.size(), threads);
    });
    if (!proof) return proof.status();
    opening.proof = std::move(*proof);
    return opening;
  }

 private:
  Prover(phalanx_ligerito128_prover* prover, const Commitment& commitment) : handle_(prover), commitment_(commitment) {}

  detail::Handle<phalanx_ligerito128_prover, phalanx_ligerito128_prover_free> handle_;
  Commitment commitment_;
};

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
  const auto list = detail::each<phalanx_ligerito128_claim>(claims, [](const Claim& claim) {
    return phalanx_ligerito128_claim{{claim.point.data(), claim.point.size()}, claim.value};
  });
  return phalanx_ligerito128_verify(&accepted, place, commitment.bytes().data(), commitment.bytes().size(), list.data(),
                                 list.size(), proof.data(), proof.size(), context.data(), context.size());
}

}  // namespace phalanx::ligerito::provable128

#endif
