// What the two suites of Ligerito share in C++: classes over a list of a suite's types and functions in C. Users include
// phalanx/ligerito.hpp or phalanx/ligerito_provable128.hpp, which give them their names.
#ifndef PHALANX_LIGERITO_SUITE_HPP
#define PHALANX_LIGERITO_SUITE_HPP

#include <phalanx/core.hpp>

#include <algorithm>
#include <cstddef>

namespace phalanx::ligerito::suite {

/// As many coordinates as the polynomial has variables; coordinate j belongs to bit j of the words' index.
template <class S>
using Point = std::span<const typename S::Element>;

/// The claim that the polynomial has this value at this point.
template <class S>
struct Claim {
  Point<S> point;
  typename S::Element value;
};

/// What is published of a polynomial: 34 bytes.
template <class S>
class Commitment {
 public:
  using Profile = typename S::Profile;

  /// Of the wire form; PHALANX_ERROR_MALFORMED if the length or the profile is wrong. Whether profile and size are
  /// acceptable is for the verifier to say.
  static Result<Commitment> from_bytes(Bytes bytes) {
    Commitment commitment;
    std::uint32_t profile = 0;
    const Status status = S::commitment_parts(&profile, &commitment.variables_, commitment.root_.data(), bytes.data(), bytes.size());
    if (status != PHALANX_OK) return status;
    commitment.profile_ = static_cast<Profile>(profile);
    std::copy(bytes.begin(), bytes.end(), commitment.bytes_.begin());
    return commitment;
  }

  /// From its parts, which nobody has checked.
  static Commitment from_parts(Profile profile, std::uint8_t variables, BytesOf<PHALANX_LIGERITO_ROOT_BYTES> root) {
    std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES> bytes{};
    detail::must(S::commitment_from_parts(bytes.data(), static_cast<std::uint32_t>(profile), variables, root.data()));
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
  Profile profile_{};
  std::uint8_t variables_ = 0;
};

/// Values at points, and the proof that they are right.
template <class S>
struct Opening {
  std::vector<typename S::Element> values;
  std::vector<std::uint8_t> proof;
};

/// The 32 planes at a point: that of bit 0 first.
template <class S>
using Planes = std::array<typename S::Element, PHALANX_LIGERITO_PLANES>;

/// Planes at points, and the proof that they are right.
template <class S>
struct PlanesOpening {
  std::vector<Planes<S>> planes;
  std::vector<std::uint8_t> proof;
};

/// The claim that the polynomial's bits have these planes at this point.
template <class S>
struct PlanesClaim {
  Point<S> point;
  Planes<S> planes;
};

/// A point at which one of several polynomials is opened, by its place among them.
template <class S>
struct PointOf {
  std::size_t commitment;
  Point<S> point;
};

/// The claim that one of several polynomials has this value at this point.
template <class S>
struct ClaimOf {
  std::size_t commitment;
  Point<S> point;
  typename S::Element value;
};

template <class S>
class Prover;

template <class S>
Result<Opening<S>> open_together(std::span<const Prover<S>* const> provers, std::span<const PointOf<S>> points, Bytes context,
                                 std::uint32_t threads);

/// What openings are made from. It refers to the words of the polynomial, which have to stay where they are and as they
/// are as long as it lives. Moved, never copied.
template <class S>
class Prover {
 public:
  using Profile = typename S::Profile;

  /// Commits to `polynomial`, 2^10 to 2^30 words and a power of two.
  static Result<Prover> commit(Profile profile, std::span<const std::uint32_t> polynomial, std::uint32_t threads = 1) {
    typename S::prover* prover = nullptr;
    std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES> bytes{};
    const Status status = S::commit(&prover, bytes.data(), static_cast<std::uint32_t>(profile), polynomial.data(),
                                    polynomial.size(), threads);
    if (status != PHALANX_OK) return status;
    return Prover(prover, *Commitment<S>::from_bytes(bytes));
  }
  /// Words that are gone after the call cannot be opened.
  static Result<Prover> commit(Profile, std::vector<std::uint32_t>&&, std::uint32_t = 1) = delete;

  /// Commits to what lies in memory: bits, bytes, words of 16 or 64 bits, as `std::as_bytes` has them. It is the commitment of
  /// the words of 32 bits that the memory holds; it begins at a multiple of four.
  static Result<Prover> commit_bytes(Profile profile, std::span<const std::byte> memory, std::uint32_t threads = 1) {
    typename S::prover* prover = nullptr;
    std::array<std::uint8_t, PHALANX_LIGERITO_COMMITMENT_BYTES> bytes{};
    const Status status = S::commit_bytes(&prover, bytes.data(), static_cast<std::uint32_t>(profile), memory.data(),
                                          memory.size(), threads);
    if (status != PHALANX_OK) return status;
    return Prover(prover, *Commitment<S>::from_bytes(bytes));
  }

  const Commitment<S>& commitment() const { return commitment_; }

  /// All 32 planes at `points`, for polynomials that hold bits or bytes, and one proof for all of them.
  Result<PlanesOpening<S>> open_planes(std::span<const Point<S>> points, Bytes context, std::uint32_t threads = 1) const {
    const auto lists =
        detail::each<typename S::point>(points, [](Point<S> at) { return typename S::point{at.data(), at.size()}; });
    PlanesOpening<S> opening;
    opening.planes.resize(points.size());
    auto* planes = opening.planes.empty() ? nullptr : opening.planes.front().data();
    auto proof = detail::filled(proof_size(), [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return S::open_planes(handle_.get(), planes, buffer, capacity, length, lists.data(), lists.size(), context.data(),
                            context.size(), threads);
    });
    if (!proof) return proof.status();
    opening.proof = std::move(*proof);
    return opening;
  }

  /// The values at `points`, and one proof for all of them. `context` is bound to the proof: who verifies has to name the
  /// same.
  Result<Opening<S>> open(std::span<const Point<S>> points, Bytes context, std::uint32_t threads = 1) const {
    const auto lists =
        detail::each<typename S::point>(points, [](Point<S> at) { return typename S::point{at.data(), at.size()}; });
    Opening<S> opening;
    opening.values.resize(points.size());
    auto proof = detail::filled(proof_size(), [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return S::open(handle_.get(), opening.values.data(), buffer, capacity, length, lists.data(), lists.size(),
                     context.data(), context.size(), threads);
    });
    if (!proof) return proof.status();
    opening.proof = std::move(*proof);
    return opening;
  }

 private:
  friend Result<Opening<S>> open_together<S>(std::span<const Prover* const>, std::span<const PointOf<S>>, Bytes, std::uint32_t);

  /// Enough for any proof.
  std::size_t proof_size() const {
    return S::proof_size(static_cast<std::uint32_t>(commitment_.profile()), commitment_.variables());
  }

  Prover(typename S::prover* prover, const Commitment<S>& commitment) : handle_(prover), commitment_(commitment) {}

  detail::Handle<typename S::prover, S::prover_free> handle_;
  Commitment<S> commitment_;
};

/// Verifies that the polynomial under `commitment` has the claimed values. The error names the first check that failed;
/// `place`, if given, learns where: which claim, level or row.
template <class S>
Result<void> verify(const typename S::accepted& accepted, const Commitment<S>& commitment,
                    std::span<const Claim<S>> claims, Bytes proof, Bytes context, std::uint64_t* place) {
  const auto list = detail::each<typename S::claim>(claims, [](const Claim<S>& claim) {
    return typename S::claim{{claim.point.data(), claim.point.size()}, claim.value};
  });
  return S::verify(&accepted, place, commitment.bytes().data(), commitment.bytes().size(), list.data(), list.size(),
                   proof.data(), proof.size(), context.data(), context.size());
}

/// Verifies planes, with a proof of `open_planes`.
template <class S>
Result<void> verify_planes(const typename S::accepted& accepted, const Commitment<S>& commitment,
                           std::span<const PlanesClaim<S>> claims, Bytes proof, Bytes context, std::uint64_t* place) {
  const auto list = detail::each<typename S::planes_claim>(claims, [](const PlanesClaim<S>& claim) {
    return typename S::planes_claim{{claim.point.data(), claim.point.size()}, claim.planes.data()};
  });
  return S::verify_planes(&accepted, place, commitment.bytes().data(), commitment.bytes().size(), list.data(), list.size(),
                          proof.data(), proof.size(), context.data(), context.size());
}

/// The value of a polynomial of small coefficients, from the planes at a point: `low` are the coordinates inside a word (five for
/// bits, two for bytes), `basis` what each bit of a coefficient stands for (1 alone for bits, `aes_basis` for bytes).
template <class S>
Result<typename S::Element> value_of_planes(Point<S> low, std::span<const typename S::Element> basis, const Planes<S>& planes) {
  typename S::Element value;
  const Status status = S::value_of_planes(&value, low.data(), low.size(), basis.data(), basis.size(), planes.data());
  if (status != PHALANX_OK) return status;
  return value;
}

/// The images of 1, x, ..., x^7 of the field of AES.
template <class S>
std::array<typename S::Element, 8> aes_basis() {
  std::array<typename S::Element, 8> basis;
  detail::must(S::aes_basis(basis.data()));
  return basis;
}

/// The values of several polynomials, of one profile and of any sizes, and one proof for all of them.
template <class S>
Result<Opening<S>> open_together(std::span<const Prover<S>* const> provers, std::span<const PointOf<S>> points, Bytes context,
                                 std::uint32_t threads) {
  std::vector<const typename S::prover*> handles;
  std::size_t size = 0;
  for (const Prover<S>* prover : provers) {
    handles.push_back(prover->handle_.get());
    size += prover->proof_size();
  }
  const auto lists = detail::each<typename S::point_of>(points, [](const PointOf<S>& at) {
    return typename S::point_of{at.commitment, {at.point.data(), at.point.size()}};
  });
  Opening<S> opening;
  opening.values.resize(points.size());
  auto proof = detail::filled(size, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
    return S::open_together(handles.data(), handles.size(), opening.values.data(), buffer, capacity, length, lists.data(),
                            lists.size(), context.data(), context.size(), threads);
  });
  if (!proof) return proof.status();
  opening.proof = std::move(*proof);
  return opening;
}

/// Verifies values of several polynomials, with a proof of `open_together`.
template <class S>
Result<void> verify_together(const typename S::accepted& accepted, std::span<const Commitment<S>> commitments,
                             std::span<const ClaimOf<S>> claims, Bytes proof, Bytes context, std::uint64_t* place) {
  std::vector<std::uint8_t> bytes;
  for (const Commitment<S>& one : commitments) bytes.insert(bytes.end(), one.bytes().begin(), one.bytes().end());
  const auto list = detail::each<typename S::claim_of>(claims, [](const ClaimOf<S>& claim) {
    return typename S::claim_of{claim.commitment, {{claim.point.data(), claim.point.size()}, claim.value}};
  });
  return S::verify_together(&accepted, place, bytes.data(), commitments.size(), list.data(), list.size(), proof.data(),
                            proof.size(), context.data(), context.size());
}

}  // namespace phalanx::ligerito::suite

#endif
