// Rescue hashes over the field of p = 2^64 - 2^32 + 1 elements. Words that go in may be any 64 bits; words that come out
// are below p. `workers` arguments: a number of threads, 0 for all cores, or a Pool.
//
// For programs written for itzmeanjan/rescue-prime there is phalanx/rescue_prime.hpp.
#ifndef PHALANX_RESCUE_HPP
#define PHALANX_RESCUE_HPP

#include <phalanx/core.hpp>

#include <compare>

namespace phalanx::rescue {

/// The hash functions.
enum class Function : std::uint32_t {
  /// Rescue-Prime as winter-crypto 0.13.1 has it.
  rp64_256 = PHALANX_RESCUE_FUNCTION_RP64_256,
  /// Its sibling with the Jive compression for merging.
  jive_256 = PHALANX_RESCUE_FUNCTION_JIVE256,
  /// RPO-256 as miden-crypto has it up to 0.28, whose next version drops it.
  rpo_256 = PHALANX_RESCUE_FUNCTION_RPO256,
  /// RPX-256 as miden-crypto has it up to 0.28, whose next version drops it.
  rpx_256 = PHALANX_RESCUE_FUNCTION_RPX256,
};

/// Elements of the caller's.
using Elements = std::span<const std::uint64_t>;

namespace detail {
using namespace phalanx::detail;
inline std::uint32_t number(Function function) { return static_cast<std::uint32_t>(function); }
}  // namespace detail

/// The name, as on the command line and in files.
inline std::string_view name(Function function) { return phalanx_rescue_function_name(detail::number(function)); }

/// The function called `name`, a text that ends with a zero byte.
inline Result<Function> function_from_name(const char* name) {
  std::uint32_t number = 0;
  const Status status = phalanx_rescue_function_from_name(&number, name);
  if (status != PHALANX_OK) return status;
  return static_cast<Function>(number);
}

/// Words of a state: 12, or 8 for Jive.
inline std::size_t width(Function function) { return phalanx_rescue_width(detail::number(function)); }

/// Four elements.
struct Digest {
  std::array<std::uint64_t, PHALANX_RESCUE_DIGEST_WORDS> words{};

  /// Of 32 bytes; PHALANX_ERROR_MALFORMED if a word is p or more.
  static Result<Digest> from_bytes(BytesOf<32> bytes) {
    Digest digest;
    const Status status = phalanx_rescue_digest_from_bytes(digest.words.data(), bytes.data());
    if (status != PHALANX_OK) return status;
    return digest;
  }
  /// Of any 32 bytes, each word reduced: two inputs may give one digest.
  static Digest from_bytes_lenient(BytesOf<32> bytes) {
    Digest digest;
    detail::must(phalanx_rescue_digest_from_bytes_lenient(digest.words.data(), bytes.data()));
    return digest;
  }
  /// Each word as eight bytes, little-endian.
  std::array<std::uint8_t, PHALANX_RESCUE_DIGEST_BYTES> to_bytes() const {
    std::array<std::uint8_t, PHALANX_RESCUE_DIGEST_BYTES> bytes;
    detail::must(phalanx_rescue_digest_to_bytes(bytes.data(), words.data()));
    return bytes;
  }

  auto operator<=>(const Digest&) const = default;
};
static_assert(sizeof(Digest) == PHALANX_RESCUE_DIGEST_BYTES, "digests lie side by side, as C sees them");

namespace detail {

inline std::uint64_t* words(std::span<Digest> digests) { return digests.empty() ? nullptr : digests[0].words.data(); }
inline const std::uint64_t* words(std::span<const Digest> digests) {
  return digests.empty() ? nullptr : digests[0].words.data();
}

/// A digest that `call(words)` writes.
template <typename Call>
Result<Digest> digest(Call call) {
  Digest digest;
  const Status status = call(digest.words.data());
  if (status != PHALANX_OK) return status;
  return digest;
}

/// `count` digests that `call(words)` writes.
template <typename Call>
Result<std::vector<Digest>> digests(std::size_t count, Call call) {
  std::vector<Digest> digests(count);
  const Status status = call(words(std::span<Digest>(digests)));
  if (status != PHALANX_OK) return status;
  return digests;
}

inline std::vector<phalanx_words> lists(std::span<const Elements> items) {
  return each<phalanx_words>(items, [](Elements item) { return phalanx_words{item.data(), item.size()}; });
}

}  // namespace detail

// ---- the permutation ----

/// Permutes the states that stand one after the other in `words`. PHALANX_ERROR_RESCUE_PARTIAL_STATE if they are no whole
/// number of states.
inline Result<void> permute(Function function, std::span<std::uint64_t> words, Workers workers = 1) {
  return workers.call<phalanx_rescue_permute, phalanx_rescue_permute_on>(detail::number(function), words.data(),
                                                                         words.size());
}

// ---- elements ----

/// Hashes elements. No element at all gives the digest of four zeros. By the references' rules a digest of elements can also
/// be one of bytes (Rp64_256 and Jive) or of a merge (all but Jive): use one form in one domain.
inline Digest hash_elements(Function function, Elements elements) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash_elements(detail::number(function), out, elements.data(), elements.size());
  });
}

/// hash_elements of each input, side by side.
inline std::vector<Digest> hash_elements_many(Function function, std::span<const Elements> inputs,
                                              Workers workers = 1) {
  const auto lists = detail::lists(inputs);
  return *detail::digests(inputs.size(), [&](std::uint64_t* out) {
    return workers.call<phalanx_rescue_hash_elements_many, phalanx_rescue_hash_elements_many_on>(
        detail::number(function), out, lists.data(), lists.size());
  });
}

/// Hashes elements in a domain. PHALANX_ERROR_RESCUE_NO_DOMAIN unless the function is RPO or RPX.
inline Result<Digest> hash_elements_in_domain(Function function, Elements elements, std::uint64_t domain) {
  return detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash_elements_in_domain(detail::number(function), out, elements.data(), elements.size(),
                                                  domain);
  });
}

// ---- bytes ----

/// Hashes bytes as the reference does. PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH where the reference panics: Rp64_256, above 56
/// bytes, no multiple of 7.
inline Result<Digest> hash(Function function, Bytes bytes) {
  return detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash(detail::number(function), out, bytes.data(), bytes.size());
  });
}

/// hash of each input, side by side: all or none.
inline Result<std::vector<Digest>> hash_many(Function function, std::span<const Bytes> inputs, Workers workers = 1) {
  const auto lists = phalanx::detail::lists(inputs);
  return detail::digests(inputs.size(), [&](std::uint64_t* out) {
    return workers.call<phalanx_rescue_hash_many, phalanx_rescue_hash_many_on>(detail::number(function), out,
                                                                               lists.data(), lists.size());
  });
}

/// Hashes bytes of any length, with the end marked at every length. For Rp64_256 this is not what Winterfell computes above
/// 56 bytes; for the other three it equals hash.
/// Rp64_256 shares digests between this form and others: of 62 bytes it is hash of these and a byte 1. Use one form in one
/// domain.
inline Digest hash_padded(Function function, Bytes bytes) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash_padded(detail::number(function), out, bytes.data(), bytes.size());
  });
}

/// hash_padded of each input, side by side.
inline std::vector<Digest> hash_padded_many(Function function, std::span<const Bytes> inputs, Workers workers = 1) {
  const auto lists = phalanx::detail::lists(inputs);
  return *detail::digests(inputs.size(), [&](std::uint64_t* out) {
    return workers.call<phalanx_rescue_hash_padded_many, phalanx_rescue_hash_padded_many_on>(
        detail::number(function), out, lists.data(), lists.size());
  });
}

/// The hash of bytes that come in pieces, of a length known before. Moved, never copied.
class Hasher {
 public:
  /// For `total_size` bytes: gives what hash gives.
  static Result<Hasher> create(Function function, std::uint64_t total_size) {
    phalanx_rescue_hasher* hasher = nullptr;
    const Status status = phalanx_rescue_hasher_new(&hasher, detail::number(function), total_size);
    if (status != PHALANX_OK) return status;
    return Hasher(hasher);
  }
  /// For `total_size` bytes: gives what hash_padded gives.
  static Hasher padded(Function function, std::uint64_t total_size) {
    phalanx_rescue_hasher* hasher = nullptr;
    detail::must(phalanx_rescue_hasher_new_padded(&hasher, detail::number(function), total_size));
    return Hasher(hasher);
  }

  /// Takes the next bytes.
  void update(Bytes bytes) { detail::must(phalanx_rescue_hasher_update(handle_.get(), bytes.data(), bytes.size())); }

  /// The digest; PHALANX_ERROR_RESCUE_LENGTH if fewer or more bytes came than were announced.
  Result<Digest> finalize() const {
    return detail::digest([&](std::uint64_t* out) { return phalanx_rescue_hasher_finalize(handle_.get(), out); });
  }

 private:
  explicit Hasher(phalanx_rescue_hasher* hasher) : handle_(hasher) {}

  detail::Handle<phalanx_rescue_hasher, phalanx_rescue_hasher_free> handle_;
};

// ---- digests ----

/// The digest of two digests: what a Merkle tree is made of.
inline Digest merge(Function function, const Digest& left, const Digest& right) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_merge(detail::number(function), out, left.words.data(), right.words.data());
  });
}

/// merge of each two neighbours, side by side: half as many digests. PHALANX_ERROR_INVALID_LENGTH if their number is odd.
inline Result<std::vector<Digest>> merge_pairs(Function function, std::span<const Digest> children,
                                               Workers workers = 1) {
  if (children.size() % 2 != 0) return PHALANX_ERROR_INVALID_LENGTH;
  const std::size_t count = children.size() / 2;
  return detail::digests(count, [&](std::uint64_t* out) {
    return workers.call<phalanx_rescue_merge_pairs, phalanx_rescue_merge_pairs_on>(detail::number(function), out,
                                                                                   detail::words(children), count);
  });
}

/// merge in a domain. PHALANX_ERROR_RESCUE_NO_DOMAIN unless the function is RPO or RPX.
inline Result<Digest> merge_in_domain(Function function, const Digest& left, const Digest& right,
                                      std::uint64_t domain) {
  return detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_merge_in_domain(detail::number(function), out, left.words.data(), right.words.data(), domain);
  });
}

/// The digest of any number of digests, one after the other.
inline Digest merge_many(Function function, std::span<const Digest> digests) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_merge_many(detail::number(function), out, detail::words(digests), digests.size());
  });
}

/// The digest of a digest and an integer.
inline Digest merge_with_int(Function function, const Digest& seed, std::uint64_t value) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_merge_with_int(detail::number(function), out, seed.words.data(), value);
  });
}

/// merge_with_int for each value, side by side: for grinding.
inline std::vector<Digest> merge_with_ints(Function function, const Digest& seed, std::span<const std::uint64_t> values,
                                           Workers workers = 1) {
  return *detail::digests(values.size(), [&](std::uint64_t* out) {
    return workers.call<phalanx_rescue_merge_with_ints, phalanx_rescue_merge_with_ints_on>(
        detail::number(function), out, seed.words.data(), values.data(), values.size());
  });
}

// ---- trees ----

/// The root of the tree over `leaves`, made and not kept. PHALANX_ERROR_RESCUE_LEAF_COUNT if their number is no power of
/// two.
inline Result<Digest> merkle_root(Function function, std::span<const Digest> leaves, Workers workers = 1) {
  return detail::digest([&](std::uint64_t* out) {
    return workers.call<phalanx_rescue_merkle_root, phalanx_rescue_merkle_root_on>(
        detail::number(function), out, detail::words(leaves), leaves.size());
  });
}

/// A full binary tree whose nodes are merged from their children. Holds all nodes. Moved, never copied.
class MerkleTree {
 public:
  /// A leaf, and its siblings on the way to the root, lowest first.
  struct Opening {
    Digest leaf;
    std::vector<Digest> path;
  };

  /// The tree over `leaves`. PHALANX_ERROR_RESCUE_LEAF_COUNT if their number is no power of two.
  static Result<MerkleTree> create(Function function, std::span<const Digest> leaves, Workers workers = 1) {
    phalanx_rescue_tree* tree = nullptr;
    const Status status = workers.call<phalanx_rescue_tree_new, phalanx_rescue_tree_new_on>(
        &tree, detail::number(function), detail::words(leaves), leaves.size());
    if (status != PHALANX_OK) return status;
    return MerkleTree(tree);
  }

  Digest root() const {
    return *detail::digest([&](std::uint64_t* out) { return phalanx_rescue_tree_root(handle_.get(), out); });
  }
  /// The base-2 logarithm of the number of leaves, which is the number of digests in a path.
  std::uint32_t log2_leaves() const { return phalanx_rescue_tree_log2_leaves(handle_.get()); }

  /// Leaf `index` and its path. PHALANX_ERROR_RESCUE_LEAF_INDEX if there is no such leaf.
  Result<Opening> open(std::size_t index) const {
    Opening opening{{}, std::vector<Digest>(log2_leaves())};
    const Status status = phalanx_rescue_tree_open(handle_.get(), opening.leaf.words.data(),
                                                   detail::words(std::span<Digest>(opening.path)), index);
    if (status != PHALANX_OK) return status;
    return opening;
  }

  /// Checks that `leaf` is the one with this index in the tree of 2^log2_leaves leaves that has this root.
  static Result<void> verify(Function function, const Digest& root, std::uint32_t log2_leaves, std::size_t index,
                             const Digest& leaf, std::span<const Digest> path) {
    return phalanx_rescue_tree_verify(detail::number(function), root.words.data(), log2_leaves, index,
                                      leaf.words.data(), detail::words(path), path.size());
  }

 private:
  explicit MerkleTree(phalanx_rescue_tree* tree) : handle_(tree) {}

  detail::Handle<phalanx_rescue_tree, phalanx_rescue_tree_free> handle_;
};

// ---- secret inputs: no branch and no address depends on a word; scalar, and slower ----

/// permute for secret states.
inline Result<void> permute_secret(Function function, std::span<std::uint64_t> words) {
  return phalanx_rescue_permute_secret(detail::number(function), words.data(), words.size());
}
/// hash_elements for secret elements.
inline Digest hash_elements_secret(Function function, Elements elements) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash_elements_secret(detail::number(function), out, elements.data(), elements.size());
  });
}
/// hash for secret bytes.
inline Result<Digest> hash_secret(Function function, Bytes bytes) {
  return detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash_secret(detail::number(function), out, bytes.data(), bytes.size());
  });
}
/// hash_padded for secret bytes.
inline Digest hash_padded_secret(Function function, Bytes bytes) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_hash_padded_secret(detail::number(function), out, bytes.data(), bytes.size());
  });
}
/// merge for secret digests.
inline Digest merge_secret(Function function, const Digest& left, const Digest& right) {
  return *detail::digest([&](std::uint64_t* out) {
    return phalanx_rescue_merge_secret(detail::number(function), out, left.words.data(), right.words.data());
  });
}

}  // namespace phalanx::rescue

#endif
