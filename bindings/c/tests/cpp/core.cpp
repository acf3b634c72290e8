// Results, errors, secrets and handles; and what the C functions say to nonsense.
#include <phalanx.hpp>

#include <cstring>
#include <string>
#include <type_traits>

#include "check.hpp"

namespace {

// Handles and secrets are moved, never copied.
template <typename T>
constexpr bool is_move_only = std::is_move_constructible_v<T> && std::is_move_assignable_v<T> &&
                              !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
static_assert(is_move_only<phalanx::SecretBytes>);
static_assert(is_move_only<phalanx::xmss::SigningKey>);
static_assert(is_move_only<phalanx::xmss::NextTree>);
#ifdef PHALANX_HAS_CUSTODY
static_assert(is_move_only<phalanx::Ledger>);
static_assert(is_move_only<phalanx::GuardedKey>);
#endif
static_assert(is_move_only<phalanx::ed25519::SigningKey>);
static_assert(is_move_only<phalanx::ed25519::PreparedKey>);
static_assert(is_move_only<phalanx::ed25519::BatchVerifier>);
static_assert(is_move_only<phalanx::rescue::Hasher>);
static_assert(is_move_only<phalanx::rescue::MerkleTree>);
static_assert(is_move_only<phalanx::ligerito::Prover>);
static_assert(is_move_only<phalanx::ligerito::provable128::Prover>);

// A polynomial that is gone after the call is refused by the compiler.
template <typename Words>
concept can_be_committed = requires(Words&& words) {
  phalanx::ligerito::Prover::commit(phalanx::ligerito::Profile::balanced, std::forward<Words>(words));
};
static_assert(can_be_committed<std::vector<std::uint32_t>&>);
static_assert(!can_be_committed<std::vector<std::uint32_t>>);

template <typename Call>
phalanx::Status thrown(Call call) {
  try {
    call();
  } catch (const phalanx::Error& error) {
    CHECK(std::string(error.what()) == phalanx::message(error.status()));
    return error.status();
  }
  return PHALANX_OK;
}

void results() {
  phalanx::Result<int> good = 5;
  CHECK(good.ok() && good && *good == 5 && good.status() == PHALANX_OK && good.value() == 5);
  CHECK(std::string(good.message()) == "success");
  phalanx::Result<int> bad = PHALANX_ERROR_MALFORMED;
  CHECK(!bad.ok() && !bad && bad.status() == PHALANX_ERROR_MALFORMED && std::string(bad.message()) == "malformed input");
  CHECK(thrown([&] { (void)bad.value(); }) == PHALANX_ERROR_MALFORMED);
  CHECK(thrown([&] { (void)*bad; }) == PHALANX_ERROR_MALFORMED);
  CHECK(thrown([&] { (void)*std::move(bad); }) == PHALANX_ERROR_MALFORMED);
  phalanx::Result<std::string> text = std::string("text");
  CHECK(text->size() == 4);
  const phalanx::Result<void> refused = PHALANX_ERROR_INVALID_SIGNATURE;
  CHECK(!refused.ok() && thrown([&] { refused.value(); }) == PHALANX_ERROR_INVALID_SIGNATURE);
  const phalanx::Result<void> fine = PHALANX_OK;
  CHECK(fine.ok() && thrown([&] { fine.value(); }) == PHALANX_OK);
}

void sentences() {
  // Every number has a sentence, and unknown ones say so.
  std::size_t known = 0;
  for (std::uint32_t number = 0; number < 200; ++number) {
    const char* sentence = phalanx_status_string(number);
    CHECK(sentence != nullptr && std::strlen(sentence) > 5);
    known += std::strcmp(sentence, "unknown status") == 0 ? 0 : 1;
  }
  CHECK(known > 50);
  CHECK(std::strcmp(phalanx_status_string(0xffffffff), "unknown status") == 0);
}

void secrets() {
  phalanx::SecretBytes first(std::vector<std::uint8_t>{1, 2, 3});
  const std::uint8_t* place = first.data();
  phalanx::SecretBytes second(std::move(first));
  CHECK(second.data() == place && second.size() == 3 && first.size() == 0);  // NOLINT: what is left is looked at
  second = phalanx::SecretBytes(std::vector<std::uint8_t>{4});
  CHECK(second.size() == 1 && second.view()[0] == 4);
  std::array<std::uint8_t, 4> bytes{1, 2, 3, 4};
  phalanx_wipe(bytes.data(), 3);
  CHECK((bytes == std::array<std::uint8_t, 4>{0, 0, 0, 4}));
  phalanx_wipe(nullptr, 0);
}

void moved_handles() {
  auto key = *phalanx::ed25519::SigningKey::generate();
  const auto public_key = key.verifying_key();
  auto other = std::move(key);
  CHECK(other.verifying_key() == public_key);
  // Nothing is there any more: an error, and no crash.
  CHECK(thrown([&] { (void)key.sign({}); }) == PHALANX_ERROR_NULL_POINTER);  // NOLINT: on purpose
}

}  // namespace

int main() {
  results();
  sentences();
  secrets();
  moved_handles();
  CHECK(phalanx::version() == PHALANX_VERSION);
  CHECK(phalanx::family(PHALANX_ERROR_INVALID_SIGNATURE) == phalanx::Family::does_not_verify);
  CHECK(phalanx::family(PHALANX_ERROR_MALFORMED) == phalanx::Family::malformed);
  CHECK(phalanx::Pool::create(3)->threads() == 3);
  CHECK(phalanx::backend_available(phalanx::backend().data()).ok());
  CHECK_STATUS(phalanx::backend_available("abacus"), PHALANX_ERROR_UNKNOWN_NAME);
  return check::finish(200);
}
