// A key that never signs an epoch twice: made, registered, kept in a file, signing through its ledger, refused.
// c++ -std=c++20 custody.cpp $(pkg-config --cflags --libs phalanx) && ./a.out
#include <phalanx/custody.hpp>

#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

namespace keystore = phalanx::keystore;
namespace xmss = phalanx::xmss;

int main() {
  // Everything is in a folder here, which goes again; a real one stays, and its side log is best on another disk.
  const std::string name = "phalanx-custody-" + std::to_string(std::random_device{}());
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / name;
  const std::string ledger_path = folder / "ledger", key_path = folder / "keys/attester.json";
  const std::string config = "witness = \"" + (folder / "witness").string() + "\"\nallow_file_systems = [\"overlay\"]";
  const auto password = phalanx::bytes("from a file or a prompt");
  constexpr std::array<std::uint8_t, 32> block{1}, other_block{2};
  bool good = false;

  // Once in the life of the key: a program that made its ledger at every start would begin anew after a loss.
  {
    constexpr std::array<std::uint8_t, 32> seed{7};  // real seeds are random, and wiped
    phalanx::Ledger::create(ledger_path.c_str(), config.c_str()).value();
    auto ledger = phalanx::Ledger::open(ledger_path.c_str(), config.c_str()).value();
    const auto key = xmss::SigningKey::from_seed(xmss::ParameterSet::poseidon2_l8_d64b8, seed, 0, 256).value();
    // Registered first, written then: a crash between leaves a key without a file, never one without state.
    ledger.register_key(key, PHALANX_KEY_ROLE_ATTESTER).value();
    keystore::write(key_path.c_str(), key, seed, PHALANX_KEY_ROLE_ATTESTER, password).value();
  }
  // At every start of the signer.
  {
    const auto ledger = phalanx::Ledger::open(ledger_path.c_str(), config.c_str()).value();
    auto key = phalanx::GuardedKey::create(ledger, keystore::load(key_path.c_str(), password).value()).value();
    const auto first = key.sign(3, block).value(), again = key.sign(3, block).value();
    const auto refused = key.sign(3, other_block);
    std::printf("another block at this epoch: %s\n", refused.message());
    good = !first.repeated && again.repeated && again.bytes == first.bytes &&
           refused.status() == PHALANX_ERROR_LEDGER_EPOCH_USED;
  }
  std::filesystem::remove_all(folder);
  return good ? 0 : 1;
}
