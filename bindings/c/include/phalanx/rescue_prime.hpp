// The names of the C++ library itzmeanjan/rescue-prime, answered by phalanx: change the line
//     #include "rescue_prime.hpp"
// to
//     #include <phalanx/rescue_prime.hpp>
// link phalanx, and drop USE_AVX2: the CPU is asked at run time.
//
// The three namespaces are aliases of phalanx::rescue_prime_names::{ff, rescue, rescue_prime}. Where they would collide
// with others, define PHALANX_RESCUE_PRIME_NO_ALIASES and use the long names.
//
// What differs:
// - Arithmetic on ff_t is a call into the library, so it is not constexpr; construction and comparison are.
// - `v` may hold any 64 bits: everything reduces. There, a word of Q or more gives undefined sums.
// - rescue::permute needs no alignment, on no CPU.
// - The steps of a round (apply_sbox, apply_mds, ...), the tables MDS, RC0 and RC1, and the vector types (ff_avx_t,
//   ff_avx512_t, ff_neon_t) are not offered: they are the library's own business.
// - ff_t::random() asks std::random_device for every element; it is for tests, as there.
// - ff_t ^ n is for 64-bit n. The output operator prints the same text, and does not break the one definition rule.
#ifndef PHALANX_RESCUE_PRIME_HPP
#define PHALANX_RESCUE_PRIME_HPP

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <random>
#include <type_traits>

#include <phalanx.h>

namespace phalanx::rescue_prime_names {

namespace ff {

/// The modulus, 2^64 - 2^32 + 1.
inline constexpr std::uint64_t Q = 0xffffffff00000001U;

/// An element of the field.
struct ff_t {
  /// Its word, canonical unless written from outside.
  std::uint64_t v = 0;

  constexpr ff_t() = default;
  // Not explicit: the callers of the other library write 5 where an element is wanted.
  constexpr ff_t(std::uint64_t a) : v(a >= Q ? a - Q : a) {}

  static constexpr ff_t zero() { return ff_t{0}; }
  static constexpr ff_t one() { return ff_t{1}; }

  /// An element for tests, from the system's randomness.
  static ff_t random() {
    std::random_device device;
    std::uniform_int_distribution<std::uint64_t> below_q{0, Q - 1};
    return ff_t{below_q(device)};
  }

  ff_t operator+(const ff_t& b) const { return ff_t{phalanx_rescue_field_add(v, b.v)}; }
  ff_t operator-(const ff_t& b) const { return ff_t{phalanx_rescue_field_sub(v, b.v)}; }
  ff_t operator*(const ff_t& b) const { return ff_t{phalanx_rescue_field_mul(v, b.v)}; }
  ff_t operator-() const { return ff_t{phalanx_rescue_field_sub(0, v)}; }
  ff_t operator^(std::uint64_t n) const { return ff_t{phalanx_rescue_field_pow(v, n)}; }
  /// The inverse, and 0 of 0.
  ff_t inv() const { return ff_t{phalanx_rescue_field_inverse(v)}; }
  ff_t operator/(const ff_t& b) const { return *this * b.inv(); }

  constexpr bool operator==(const ff_t& b) const { return ff_t{v}.v == ff_t{b.v}.v; }
  constexpr bool operator!=(const ff_t& b) const { return !(*this == b); }

  friend std::ostream& operator<<(std::ostream& os, const ff_t& a) {
    return os << "Z_q(" << a.v << ", " << Q << ")";
  }
};

}  // namespace ff

namespace rescue {

inline constexpr std::size_t CAPACITY_BEGINS = 0;
inline constexpr std::size_t CAPACITY = 4;
inline constexpr std::size_t RATE_BEGINS = CAPACITY_BEGINS + CAPACITY;
inline constexpr std::size_t RATE = 8;
inline constexpr std::size_t STATE_WIDTH = CAPACITY + RATE;
inline constexpr std::size_t DIGEST_BEGINS = RATE_BEGINS;
inline constexpr std::size_t DIGEST_WIDTH = 4;
inline constexpr std::size_t ROUNDS = 7;
inline constexpr std::size_t ALPHA = 7;
inline constexpr std::size_t INV_ALPHA = 10540996611094048183U;

/// Permutes the twelve elements of `state`.
inline void permute(ff::ff_t* const state) {
  static_assert(std::is_standard_layout_v<ff::ff_t> && sizeof(ff::ff_t) == sizeof(std::uint64_t),
                "an element is its word");
  // The length is right and the function known: there is no other error.
  static_cast<void>(phalanx_rescue_permute(PHALANX_RESCUE_FUNCTION_RP64_256, &state->v, STATE_WIDTH, 1));
}

}  // namespace rescue

namespace rescue_prime {

/// The digest, four elements at `out`, of `ilen` elements at `in`.
inline void hash(const ff::ff_t* const in, const std::size_t ilen, ff::ff_t* const out) {
  static_cast<void>(phalanx_rescue_hash_elements(PHALANX_RESCUE_FUNCTION_RP64_256, &out->v, ilen == 0 ? nullptr : &in->v, ilen));
}

}  // namespace rescue_prime

}  // namespace phalanx::rescue_prime_names

#ifndef PHALANX_RESCUE_PRIME_NO_ALIASES
namespace ff = phalanx::rescue_prime_names::ff;
namespace rescue = phalanx::rescue_prime_names::rescue;
namespace rescue_prime = phalanx::rescue_prime_names::rescue_prime;
#endif

#endif
