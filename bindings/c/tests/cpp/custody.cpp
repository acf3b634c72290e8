// Ledgers, guarded keys and keystores through phalanx/custody.hpp. The rules are tested in C (tests/custody.c).
#include <phalanx/custody.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "check.hpp"

namespace {

namespace xmss = phalanx::xmss;
using phalanx::GuardedKey;
using phalanx::Ledger;

constexpr auto set = xmss::ParameterSet::poseidon2_l8_d64b8;
constexpr auto attester = PHALANX_KEY_ROLE_ATTESTER;

std::array<std::uint8_t, 32> filled(std::uint8_t byte) {
  std::array<std::uint8_t, 32> bytes;
  bytes.fill(byte);
  return bytes;
}

xmss::SigningKey key(std::uint8_t seed, std::uint64_t epochs = 256, xmss::ParameterSet of = set) {
  return *xmss::SigningKey::from_seed(of, filled(seed), 0, epochs);
}

/// A key over BLAKE2s is guarded as the others are.
void over_blake2s(Ledger& ledger) {
  constexpr auto blake2s = xmss::ParameterSet::blake2s_l32_d42b8;
  const auto block = filled(1);
  CHECK(ledger.register_key(key(9, 16, blake2s), attester).ok());
  GuardedKey guarded = *GuardedKey::create(ledger, key(9, 16, blake2s));
  const auto signature = *guarded.sign(3, block);
  const auto public_key = *guarded.verifying_key(xmss::Format::ssz);
  CHECK(!signature.repeated && (*guarded.sign(3, block)).bytes == signature.bytes);
  CHECK(xmss::verify({blake2s, xmss::Format::ssz, public_key, 3, block, signature.bytes}).ok());
  CHECK_STATUS(guarded.sign(3, filled(2)), PHALANX_ERROR_LEDGER_EPOCH_USED);
  // Another interval of the seed has the same one-time keys.
  CHECK_STATUS(ledger.register_key(key(9, 8, blake2s), attester), PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  std::string folder = (std::filesystem::temp_directory_path() / "phalanx-cpp-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  const std::string path = folder + "/ledger";
  const std::string config = "witness = \"" + folder + "/witness\"\nallow_file_systems = [\"overlay\"]";
  const auto open = [&] { return Ledger::open(path.c_str(), config.c_str()); };
  const auto block = filled(1), other_block = filled(2);
  std::vector<std::uint8_t> first;

  std::string why;
  CHECK_STATUS(Ledger::open(path.c_str(), config.c_str(), &why), PHALANX_ERROR_LEDGER_STORE);
  CHECK(why.find("(no_ledger)") != std::string::npos);
  CHECK(Ledger::create(path.c_str(), config.c_str()).ok());
  CHECK_STATUS(Ledger::create(path.c_str(), "x = 1"), PHALANX_ERROR_INVALID_ARGUMENT);
  {
    Ledger ledger = *open();
    CHECK(ledger.health().ok());
    CHECK_STATUS(open(), PHALANX_ERROR_LEDGER_IN_USE);
    xmss::SigningKey fresh = key(1);
    const phalanx::KeyId id = *phalanx::key_id(fresh);
    CHECK_STATUS(GuardedKey::create(ledger, std::move(fresh)), PHALANX_ERROR_LEDGER_NO_STATE);
    // After an error it is still there.
    CHECK(ledger.register_key(fresh, attester).ok());
    GuardedKey guarded = *GuardedKey::create(ledger, std::move(fresh));
    CHECK(guarded.id() == id && fresh.handle() == nullptr);  // NOLINT: what is left is looked at
    const auto signature = *guarded.sign(3, block);
    CHECK(!signature.repeated && (*guarded.sign(3, block)).repeated);
    first = signature.bytes;
    CHECK_STATUS(guarded.sign(3, other_block), PHALANX_ERROR_LEDGER_EPOCH_USED);
    const auto public_key = *guarded.verifying_key(xmss::Format::ssz);
    CHECK(xmss::verify({set, xmss::Format::ssz, public_key, 3, block, first}).ok());
    CHECK(guarded.prepared_interval() == (xmss::Interval{0, 32}));

    CHECK(ledger.adopt(key(2), attester, 7, "of another tool").ok());
    GuardedKey second = *GuardedKey::create(ledger, key(2));
    const phalanx::Wanted wanted[] = {{&guarded, 8, block}, {&second, 8, block}, {&guarded, 8, other_block}, {&second, 6, block}};
    const auto answers = phalanx::sign_many(wanted, 2);
    CHECK(answers.size() == 4 && answers[0].ok() && answers[1].ok() && !answers[0].value().repeated);
    CHECK_STATUS(answers[2], PHALANX_ERROR_LEDGER_EPOCH_USED);
    CHECK_STATUS(answers[3], PHALANX_ERROR_LEDGER_PASSED);
    CHECK(phalanx::sign_many({}).empty());

    CHECK(ledger.raise_low(id, 20, "a test").ok());
    CHECK(ledger.quarantine(id, "a test").ok());
    CHECK_STATUS(guarded.sign(21, block), PHALANX_ERROR_LEDGER_QUARANTINED);
    const auto standing = *ledger.standing(id);
    CHECK(standing.state == PHALANX_KEY_STATE_QUARANTINED && standing.low == 20 && standing.highest == 8);
    CHECK(ledger.adopt(key(1), attester, 20, "looked at").ok());
    CHECK_STATUS(ledger.register_key(key(1, 64), attester), PHALANX_ERROR_LEDGER_SAME_ONE_TIME_KEYS);
    CHECK_STATUS(ledger.standing(phalanx::KeyId{}), PHALANX_ERROR_LEDGER_UNKNOWN_KEY);
    over_blake2s(ledger);
  }
  {
    Ledger ledger = *open();
    GuardedKey guarded = *GuardedKey::create(ledger, key(1));
    CHECK((*guarded.sign(3, block)).bytes == first);
    CHECK_STATUS(guarded.sign(3, other_block), PHALANX_ERROR_LEDGER_EPOCH_USED);
  }

  std::ifstream file(std::string(argv[1]) + "/custody/keystore/ok-pbkdf2-p2-l8.json", std::ios::binary);
  const std::string stored((std::istreambuf_iterator<char>(file)), {});
  const auto password = phalanx::bytes("correct horse battery staple");
  const auto info = *phalanx::keystore::inspect(phalanx::bytes(stored));
  CHECK(info.set == static_cast<std::uint32_t>(set) && info.active_epochs == 256);
  CHECK_STATUS(phalanx::keystore::read(phalanx::bytes(stored), password), PHALANX_ERROR_KEYSTORE_WEAK_KDF);
  const auto read = *phalanx::keystore::read(phalanx::bytes(stored), password, PHALANX_KEYSTORE_FLAGS_ACCEPT_WEAK_KDF);
  const phalanx::KeyId read_id = *phalanx::key_id(read);
  CHECK(std::memcmp(read_id.data(), info.key_id, read_id.size()) == 0);
  std::ifstream of_ed25519(std::string(argv[1]) + "/custody/keystore/ok-ed25519.json", std::ios::binary);
  const std::string other((std::istreambuf_iterator<char>(of_ed25519)), {});
  CHECK_STATUS(phalanx::ed25519::SigningKey::open(phalanx::bytes(other), password), PHALANX_ERROR_KEYSTORE_WEAK_KDF);
  const auto opened =
      *phalanx::keystore::read_ed25519(phalanx::bytes(other), password, PHALANX_KEYSTORE_FLAGS_ACCEPT_WEAK_KDF);
  const auto public_key = opened.verifying_key();
  const auto told = *phalanx::keystore::inspect(phalanx::bytes(other));
  CHECK(std::memcmp(public_key.data(), told.public_key, public_key.size()) == 0);
  const std::string written = folder + "/keys/key.json";
  CHECK_STATUS(phalanx::keystore::load(written.c_str(), password), PHALANX_ERROR_KEYSTORE_FILE);
  CHECK(phalanx::keystore::write(written.c_str(), key(1), filled(1), attester, password).ok());
  const auto loaded = *phalanx::keystore::load(written.c_str(), password, 0, 2);
  CHECK(*loaded.verifying_key(xmss::Format::ssz) == *key(1).verifying_key(xmss::Format::ssz));
  CHECK_STATUS(phalanx::keystore::write(written.c_str(), key(1), filled(2), attester, password), PHALANX_ERROR_KEYSTORE_FILE);

  std::filesystem::remove_all(folder);
  return check::finish(37);
}
