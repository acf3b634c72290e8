// Generalized XMSS, as leanSig has it, and the generation after it, over BLAKE2s: a signing key signs one message at each
// epoch.
//
// `threads` arguments: 0 is one for each core, 1 starts none; `workers` arguments also take a Pool. Messages are 32 bytes;
// longer ones are hashed by the caller.
#ifndef PHALANX_XMSS_HPP
#define PHALANX_XMSS_HPP

#include <phalanx/core.hpp>

#include <functional>

namespace phalanx::xmss {

/// The parameter sets; name() gives the names of files and of the command line.
enum class ParameterSet : std::uint32_t {
  poseidon2_l8_d64b8 = PHALANX_XMSS_POSEIDON2_L8_D64B8,
  poseidon2_l18_d64b8 = PHALANX_XMSS_POSEIDON2_L18_D64B8,
  poseidon2_l32_d64b8 = PHALANX_XMSS_POSEIDON2_L32_D64B8,
  poseidon2_l32_d48b10 = PHALANX_XMSS_POSEIDON2_L32_D48B10,
  poseidon2_l32_d32b26 = PHALANX_XMSS_POSEIDON2_L32_D32B26,
  poseidon1_l32_d46b8 = PHALANX_XMSS_POSEIDON1_L32_D46B8,
  /// Four chains, NO SECURITY: for tests.
  poseidon1_l8_d4b8_test = PHALANX_XMSS_POSEIDON1_L8_D4B8_TEST,
  /// Over BLAKE2s, what lean clients have run since the middle of 2026. Keys have exactly the epochs asked for.
  blake2s_l32_d42b8 = PHALANX_XMSS_BLAKE2S_L32_D42B8,
  /// Its definition of August 2026, for verification only.
  blake2s_a_l32_d42b8 = PHALANX_XMSS_BLAKE2S_A_L32_D42B8,
};

/// The encodings of keys and signatures. Nothing in the bytes says which one they are in.
enum class Format : std::uint32_t {
  ssz = PHALANX_XMSS_FORMAT_SSZ,
  bincode = PHALANX_XMSS_FORMAT_BINCODE,
  bincode2 = PHALANX_XMSS_FORMAT_BINCODE2,
  json = PHALANX_XMSS_FORMAT_JSON,
  /// bincode, with signatures of any set followed by zeros up to 3116 bytes.
  bincode_padded = PHALANX_XMSS_FORMAT_BINCODE_PADDED,
};

namespace detail {
using namespace phalanx::detail;
inline std::uint32_t number(ParameterSet set) { return static_cast<std::uint32_t>(set); }
inline std::uint32_t number(Format format) { return static_cast<std::uint32_t>(format); }
}  // namespace detail

inline std::string_view name(ParameterSet set) { return phalanx_xmss_parameter_set_name(detail::number(set)); }
inline std::string_view name(Format format) { return phalanx_xmss_format_name(detail::number(format)); }

/// The parameter set called `name`, a text that ends with a zero byte.
inline Result<ParameterSet> parameter_set_from_name(const char* name) {
  std::uint32_t number = 0;
  const Status status = phalanx_xmss_parameter_set_from_name(&number, name);
  if (status != PHALANX_OK) return status;
  return static_cast<ParameterSet>(number);
}
/// The parameter set that leanSig's vector files call `name`, such as "p2-top-l32-d64b8".
inline Result<ParameterSet> parameter_set_from_profile(const char* name) {
  std::uint32_t number = 0;
  const Status status = phalanx_xmss_parameter_set_from_profile(&number, name);
  if (status != PHALANX_OK) return status;
  return static_cast<ParameterSet>(number);
}
/// The format called `name`, a text that ends with a zero byte.
inline Result<Format> format_from_name(const char* name) {
  std::uint32_t number = 0;
  const Status status = phalanx_xmss_format_from_name(&number, name);
  if (status != PHALANX_OK) return status;
  return static_cast<Format>(number);
}

/// Number of epochs that a key of the set could have.
inline std::uint64_t lifetime(ParameterSet set) { return phalanx_xmss_lifetime(detail::number(set)); }
/// Epochs of a bottom tree, the unit in which keys are computed and move on; 0 for sets over BLAKE2s, where it depends on
/// the key.
inline std::uint64_t tree_epochs(ParameterSet set) { return phalanx_xmss_tree_epochs(detail::number(set)); }
/// Whether keys of the set are made and sign. Else the set is for verification only.
inline bool signs(ParameterSet set) { return phalanx_xmss_signs(detail::number(set)); }
/// Whether the set exists for tests only.
inline bool is_insecure(ParameterSet set) { return phalanx_xmss_is_insecure(detail::number(set)); }
/// Bytes that hold every verifying key of the set in this format; 0 if keys of the set do not have it.
inline std::size_t verifying_key_size(ParameterSet set, Format format) {
  return phalanx_xmss_verifying_key_size(detail::number(set), detail::number(format));
}
/// Bytes that hold every signature of the set in this format; 0 if signatures of the set do not have it.
inline std::size_t signature_size(ParameterSet set, Format format) {
  return phalanx_xmss_signature_size(detail::number(set), detail::number(format));
}

/// Epochs from `start` on, `end` not included.
struct Interval {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Is told how many leaves are done, of how many; answers false to stop. May be called on any of the threads that compute,
/// never twice at the same time. What it throws stops the work and comes out of the call.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// A message.
using Message = BytesOf<PHALANX_XMSS_MESSAGE_BYTES>;

namespace detail {

/// A Progress as C calls it: nothing is thrown through the library.
class Watcher {
 public:
  explicit Watcher(const Progress& progress) : progress_(progress) {}

  phalanx_xmss_progress callback() const { return progress_ ? &call : nullptr; }
  void* context() { return this; }
  /// Throws what the callback threw.
  void release() const {
#if PHALANX_HAS_EXCEPTIONS
    if (thrown_) std::rethrow_exception(thrown_);
#endif
  }

 private:
  static std::int32_t call(void* context, std::uint64_t done, std::uint64_t total) noexcept {
    auto& watcher = *static_cast<Watcher*>(context);
#if PHALANX_HAS_EXCEPTIONS
    try {
      return watcher.progress_(done, total) ? 0 : 1;
    } catch (...) {
      watcher.thrown_ = std::current_exception();
      return 1;
    }
#else
    return watcher.progress_(done, total) ? 0 : 1;
#endif
  }

  const Progress& progress_;
#if PHALANX_HAS_EXCEPTIONS
  std::exception_ptr thrown_;
#endif
};

/// An interval that `call(&start, &end)` writes.
template <typename Call>
Interval interval(Call call) {
  Interval interval;
  must(call(&interval.start, &interval.end));
  return interval;
}

}  // namespace detail

/// A bottom tree on its way to a key, to be computed beside the key that goes on signing. Moved, never copied; wiped when
/// it goes.
class NextTree {
 public:
  /// Computes the tree. PHALANX_ERROR_STOPPED if `progress` says so; it can be computed again then.
  Result<void> compute(std::uint32_t threads = 1, const Progress& progress = nullptr) {
    detail::Watcher watcher(progress);
    const Status status =
        phalanx_xmss_next_tree_compute(handle_.get(), threads, watcher.callback(), watcher.context());
    watcher.release();
    return status;
  }

 private:
  friend class SigningKey;
  explicit NextTree(phalanx_xmss_next_tree* tree) : handle_(tree) {}

  detail::Handle<phalanx_xmss_next_tree, phalanx_xmss_next_tree_free> handle_;
};

/// A signing key. Moved, never copied; wiped when it goes. Calls from several threads take turns.
class SigningKey {
 public:
  /// Makes a key from the system's randomness, for `active_epochs` epochs from `start_epoch` on, rounded outwards to
  /// bottom trees (at least two), or over BLAKE2s for exactly these. The time grows with their number.
  /// PHALANX_ERROR_XMSS_VERIFICATION_ONLY for a set of which no keys are made.
  static Result<SigningKey> generate(ParameterSet set, std::uint64_t start_epoch, std::uint64_t active_epochs,
                                     std::uint32_t threads = 1, const Progress& progress = nullptr) {
    return create([&](phalanx_xmss_signing_key** key, detail::Watcher& watcher) {
      return phalanx_xmss_signing_key_generate(key, detail::number(set), start_epoch, active_epochs, threads,
                                               watcher.callback(), watcher.context());
    }, progress);
  }

  /// The key that leanSig, or over BLAKE2s any implementation, makes from a seed. Who has the seed has the key.
  static Result<SigningKey> from_seed(ParameterSet set, BytesOf<PHALANX_XMSS_SEED_BYTES> seed,
                                      std::uint64_t start_epoch, std::uint64_t active_epochs,
                                      std::uint32_t threads = 1, const Progress& progress = nullptr) {
    return create([&](phalanx_xmss_signing_key** key, detail::Watcher& watcher) {
      return phalanx_xmss_signing_key_from_seed(key, detail::number(set), seed.data(), start_epoch, active_epochs,
                                                threads, watcher.callback(), watcher.context());
    }, progress);
  }

  /// Reads a key. What it has signed is not in the bytes: across processes a GuardedKey (phalanx/custody.hpp) keeps an epoch
  /// from signing twice.
  static Result<SigningKey> from_bytes(ParameterSet set, Format format, Bytes bytes) {
    return create([&](phalanx_xmss_signing_key** key, detail::Watcher&) {
      return phalanx_xmss_signing_key_from_bytes(key, detail::number(set), detail::number(format), bytes.data(),
                                                 bytes.size());
    }, nullptr);
  }

  /// The key in a format, secret part included.
  Result<SecretBytes> to_bytes(Format format) const {
    return detail::filled_secret([&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return phalanx_xmss_signing_key_to_bytes(handle_.get(), buffer, capacity, length, detail::number(format));
    });
  }

  ParameterSet parameter_set() const {
    std::uint32_t set = 0;
    detail::must(phalanx_xmss_signing_key_parameter_set(handle_.get(), &set));
    return static_cast<ParameterSet>(set);
  }
  /// The epochs that the key can ever sign.
  Interval activation_interval() const {
    return detail::interval([&](std::uint64_t* start, std::uint64_t* end) {
      return phalanx_xmss_signing_key_activation_interval(handle_.get(), start, end);
    });
  }
  /// The epochs that the key can sign now, without computing a bottom tree.
  Interval prepared_interval() const {
    return detail::interval([&](std::uint64_t* start, std::uint64_t* end) {
      return phalanx_xmss_signing_key_prepared_interval(handle_.get(), start, end);
    });
  }

  /// Moves the prepared interval on by one bottom tree, which is computed now. PHALANX_ERROR_XMSS_EXHAUSTED at the end.
  Result<void> advance(std::uint32_t threads = 1) { return phalanx_xmss_signing_key_advance(handle_.get(), threads); }

  /// Begins the bottom tree by which the prepared interval moves on. PHALANX_ERROR_XMSS_EXHAUSTED at the end.
  Result<NextTree> next_tree() const {
    phalanx_xmss_next_tree* tree = nullptr;
    const Status status = phalanx_xmss_signing_key_next_tree(handle_.get(), &tree);
    if (status != PHALANX_OK) return status;
    return NextTree(tree);
  }

  /// Moves the prepared interval on by a tree that was computed before. The tree is gone afterwards, also after an error.
  Result<void> advance_with(NextTree tree) {
    return phalanx_xmss_signing_key_advance_with(handle_.get(), tree.handle_.release());
  }

  /// The key that verifies what this one signs.
  Result<std::vector<std::uint8_t>> verifying_key(Format format) const {
    return detail::filled(verifying_key_size(parameter_set(), format),
                          [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                            return phalanx_xmss_signing_key_verifying_key(handle_.get(), buffer, capacity, length,
                                                                          detail::number(format));
                          });
  }

  /// Signs a message at an epoch, and moves the key on if it has to. An epoch signs one message in the life of the process;
  /// for longer: GuardedKey.
  Result<std::vector<std::uint8_t>> sign(Format format, std::uint32_t epoch, Message message) {
    return signature(format, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return phalanx_xmss_sign(handle_.get(), buffer, capacity, length, detail::number(format), epoch, message.data());
    });
  }

  /// The same within the prepared interval only: PHALANX_ERROR_XMSS_NOT_PREPARED after it.
  Result<std::vector<std::uint8_t>> sign_prepared(Format format, std::uint32_t epoch, Message message) {
    return signature(format, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return phalanx_xmss_sign_prepared(handle_.get(), buffer, capacity, length, detail::number(format), epoch,
                                        message.data());
    });
  }

  /// Takes over a C handle.
  static SigningKey take(phalanx_xmss_signing_key* key) { return SigningKey(key); }
  /// The C handle, for functions of phalanx.h.
  phalanx_xmss_signing_key* handle() const noexcept { return handle_.get(); }
  /// The same, given away.
  [[nodiscard]] phalanx_xmss_signing_key* release() noexcept { return handle_.release(); }

 private:
  explicit SigningKey(phalanx_xmss_signing_key* key) : handle_(key) {}

  template <typename Call>
  static Result<SigningKey> create(Call call, const Progress& progress) {
    detail::Watcher watcher(progress);
    phalanx_xmss_signing_key* key = nullptr;
    const Status status = call(&key, watcher);
    watcher.release();
    if (status != PHALANX_OK) return status;
    return SigningKey(key);
  }

  template <typename Call>
  Result<std::vector<std::uint8_t>> signature(Format format, Call call) {
    return detail::filled(signature_size(parameter_set(), format), call);
  }

  detail::Handle<phalanx_xmss_signing_key, phalanx_xmss_signing_key_free> handle_;
};

// ---- verification ----

/// A signature with what it claims: that the key signed the message at the epoch.
struct Claim {
  ParameterSet set;
  Format format;
  Bytes verifying_key;
  std::uint32_t epoch;
  Message message;
  Bytes signature;
};

/// Verifies a claim. PHALANX_ERROR_INVALID_SIGNATURE, or PHALANX_ERROR_MALFORMED if key or signature are not even that.
inline Result<void> verify(const Claim& claim) {
  return phalanx_xmss_verify(detail::number(claim.set), detail::number(claim.format), claim.verifying_key.data(),
                             claim.verifying_key.size(), claim.epoch, claim.message.data(), claim.signature.data(),
                             claim.signature.size());
}

/// Verifies claims, of any keys and parameter sets, side by side: for each what verify says about it. Much faster for each
/// than one at a time.
inline Result<std::vector<Status>> verify_many(std::span<const Claim> claims, Workers workers = 1) {
  const auto list = detail::each<phalanx_xmss_claim>(claims, [](const Claim& claim) {
    return phalanx_xmss_claim{detail::number(claim.set),  detail::number(claim.format), claim.verifying_key.data(),
                              claim.verifying_key.size(), claim.message.data(),         claim.signature.data(),
                              claim.signature.size(),     claim.epoch};
  });
  std::vector<Status> results(claims.size(), PHALANX_ERROR_INTERNAL);
  const Status status =
      workers.call<phalanx_xmss_verify_many, phalanx_xmss_verify_many_on>(results.data(), list.data(), list.size());
  if (status != PHALANX_OK && status != PHALANX_ERROR_INVALID_SIGNATURE) return status;
  return results;
}

/// Packed records, such as rows of a table: see phalanx_xmss_records.
using Records = phalanx_xmss_records;
/// verify_many of `count` packed records.
inline Result<std::vector<Status>> verify_records(const Records& records, std::size_t count, Workers workers = 1) {
  std::vector<Status> results(count, PHALANX_ERROR_INTERNAL);
  const Status status =
      workers.call<phalanx_xmss_verify_records, phalanx_xmss_verify_records_on>(results.data(), &records, count);
  if (status != PHALANX_OK && status != PHALANX_ERROR_INVALID_SIGNATURE) return status;
  return results;
}

// ---- from one format to another ----

/// A verifying key in another format.
inline Result<std::vector<std::uint8_t>> convert_verifying_key(ParameterSet set, Format from, Format to, Bytes key) {
  return detail::filled(verifying_key_size(set, to),
                        [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                          return phalanx_xmss_verifying_key_convert(buffer, capacity, length, detail::number(to),
                                                                    detail::number(set), detail::number(from),
                                                                    key.data(), key.size());
                        });
}
/// A signature in another format.
inline Result<std::vector<std::uint8_t>> convert_signature(ParameterSet set, Format from, Format to, Bytes signature) {
  return detail::filled(signature_size(set, to),
                        [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                          return phalanx_xmss_signature_convert(buffer, capacity, length, detail::number(to),
                                                                detail::number(set), detail::number(from),
                                                                signature.data(), signature.size());
                        });
}

}  // namespace phalanx::xmss

#endif
