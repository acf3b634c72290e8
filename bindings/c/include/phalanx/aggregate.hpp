// Aggregates for C++: one proof that many signatures of XMSS over BLAKE2s verify.
#ifndef PHALANX_AGGREGATE_HPP
#define PHALANX_AGGREGATE_HPP

#include <phalanx/core.hpp>

#include <initializer_list>

namespace phalanx::aggregate {

/// How many bits of security are proved. There is no default: 100 bits are fewer than the signatures have themselves.
enum class Profile : std::uint32_t {
  /// 100 provable bits: weaker than what it aggregates.
  provable100 = PHALANX_AGGREGATE_PROFILE_PROVABLE100,
  /// 128 provable bits.
  provable128 = PHALANX_AGGREGATE_PROFILE_PROVABLE128,
};

/// The name, such as "aggregate-v1-provable100".
inline std::string_view name(Profile profile) {
  return phalanx_aggregate_profile_name(static_cast<std::uint32_t>(profile));
}
/// Length in bytes of the longest aggregate of so many signatures; 0 if no statement has so many.
inline std::size_t max_size(Profile profile, std::size_t signatures) {
  return phalanx_aggregate_size(static_cast<std::uint32_t>(profile), signatures);
}
/// The memory that proving takes, in bytes; 0 if no statement has so many signatures.
inline std::uint64_t memory(Profile profile, std::size_t signatures) {
  return phalanx_aggregate_memory(static_cast<std::uint32_t>(profile), signatures);
}

/// A verifying key of xmss-blake2s-l32-d42b8 in its bytes.
using Key = std::array<std::uint8_t, PHALANX_AGGREGATE_KEY_BYTES>;
static_assert(sizeof(Key) == PHALANX_AGGREGATE_KEY_BYTES);

/// Keys that signed one message at one epoch.
struct Group {
  std::uint32_t epoch;
  BytesOf<PHALANX_XMSS_MESSAGE_BYTES> message;
  std::span<const Key> keys;
};

/// Two signatures of a statement, by their numbers.
using Pair = phalanx_aggregate_pair;

/// Groups, strictly increasing by epoch and then message, and the keys of each, strictly increasing: for every group and every
/// key of it somebody knows a signature that verifies. Signatures are numbered in this order. Moved, never copied.
class Statement {
 public:
  /// The statement about these groups, in any order; groups of one epoch and message become one, and keys are sorted.
  static Result<Statement> of(std::span<const Group> groups) {
    const auto list = detail::each<phalanx_aggregate_group>(groups, [](const Group& group) {
      return phalanx_aggregate_group{group.epoch, group.message.data(),
                                     reinterpret_cast<const std::uint8_t*>(group.keys.data()), group.keys.size()};
    });
    phalanx_aggregate_statement* statement = nullptr;
    const Status status = phalanx_aggregate_statement_new(&statement, list.data(), list.size());
    if (status != PHALANX_OK) return status;
    return Statement(statement);
  }

  /// The statement of these bytes, strictly.
  static Result<Statement> from_bytes(Bytes bytes) {
    phalanx_aggregate_statement* statement = nullptr;
    const Status status = phalanx_aggregate_statement_from_bytes(&statement, bytes.data(), bytes.size());
    if (status != PHALANX_OK) return status;
    return Statement(statement);
  }

  /// The bytes that aggregates are bound to.
  std::vector<std::uint8_t> to_bytes() const {
    const auto [group_count, count] = counts();
    auto bytes = detail::filled(4 + 40 * group_count + 32 * count,
                                [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                                  return phalanx_aggregate_statement_to_bytes(get(), buffer, capacity, length);
                                });
    return std::move(*bytes);
  }

  /// The number of signatures.
  std::size_t signatures() const { return counts().second; }

  /// The groups in order. They refer to the statement.
  std::vector<Group> groups() const {
    std::vector<Group> list;
    const std::size_t count = counts().first;
    for (std::size_t index = 0; index < count; ++index) {
      phalanx_aggregate_group group{};
      detail::must(phalanx_aggregate_statement_group(get(), &group, index));
      const auto* keys = reinterpret_cast<const Key*>(group.keys);
      list.push_back({group.epoch, BytesOf<PHALANX_XMSS_MESSAGE_BYTES>(group.message, PHALANX_XMSS_MESSAGE_BYTES),
                      {keys, group.keys_count}});
    }
    return list;
  }

  /// Pairs of signatures of one key at one epoch for different messages: the signer has broken its key. The statement is true
  /// all the same.
  std::vector<Pair> equivocations() const {
    std::vector<Pair> pairs(signatures());
    std::size_t count = 0;
    detail::must(phalanx_aggregate_statement_equivocations(get(), pairs.data(), pairs.size(), &count));
    pairs.resize(count);
    return pairs;
  }

  const phalanx_aggregate_statement* get() const noexcept { return handle_.get(); }

 private:
  explicit Statement(phalanx_aggregate_statement* statement) : handle_(statement) {}

  std::pair<std::size_t, std::size_t> counts() const {
    std::pair<std::size_t, std::size_t> counts;
    detail::must(phalanx_aggregate_statement_counts(get(), &counts.first, &counts.second));
    return counts;
  }

  detail::Handle<phalanx_aggregate_statement, phalanx_aggregate_statement_free> handle_;
};

/// One aggregate for the signatures of a statement, in its order. `context` is bound to it: who verifies has to name the same.
/// The same input gives the same bytes. `place`, if given, learns which signature does not verify or is none. As
/// phalanx_aggregate.
inline Result<std::vector<std::uint8_t>> aggregate(Profile profile, const Statement& statement, std::span<const Bytes> signatures,
                                                   Bytes context, Workers workers = 1,
                                                   std::uint64_t memory_limit = PHALANX_AGGREGATE_MEMORY_DEFAULT,
                                                   std::uint64_t* place = nullptr) {
  const auto list = detail::lists(signatures);
  return detail::filled(max_size(profile, statement.signatures()),
                        [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                          return workers.call<phalanx_aggregate, phalanx_aggregate_on>(
                              statement.get(), buffer, capacity, length, place, static_cast<std::uint32_t>(profile),
                              list.data(), list.size(), context.data(), context.size(), memory_limit);
                        });
}

/// What a verifier accepts.
struct Limits : phalanx_aggregate_limits {
  /// Any of `profiles`, at most so many signatures.
  constexpr Limits(std::initializer_list<Profile> profiles, std::size_t most = PHALANX_AGGREGATE_SIGNATURES_DEFAULT)
      : phalanx_aggregate_limits{false, false, most} {
    for (const Profile profile : profiles) {
      provable100 |= profile == Profile::provable100;
      provable128 |= profile == Profile::provable128;
    }
  }
};

/// Verifies that for every group and every key of the statement somebody knows a signature. The error names the first check
/// that failed; `place` is as that of phalanx_aggregate_verify.
inline Result<void> verify(const Limits& limits, const Statement& statement, Bytes context, Bytes proof,
                           std::uint64_t* place = nullptr) {
  return phalanx_aggregate_verify(&limits, place, statement.get(), context.data(), context.size(), proof.data(),
                                  proof.size());
}

}  // namespace phalanx::aggregate

#endif
