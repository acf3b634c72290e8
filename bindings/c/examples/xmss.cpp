// Make a key for 256 epochs, sign at one of them, verify; a changed message and a second one at the epoch are refused.
// c++ -std=c++20 xmss.cpp $(pkg-config --cflags --libs phalanx) && ./a.out
#include <phalanx/xmss.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace xmss = phalanx::xmss;

int main() {
  constexpr auto set = xmss::ParameterSet::poseidon2_l8_d64b8;
  constexpr auto format = xmss::Format::ssz;
  constexpr std::uint32_t epoch = 17;
  constexpr std::array<std::uint8_t, 32> message{1}, changed{2};
  auto key = xmss::SigningKey::generate(set, 0, 256).value();
  const auto public_key = key.verifying_key(format).value();
  const auto signature = key.sign(format, epoch, message).value();

  // An epoch signs one message. For longer than the process lasts, a ledger sees to that: custody.cpp.
  const auto second = key.sign(format, epoch, changed);
  std::printf("another message at this epoch: %s\n", second.message());

  // What travels is bytes; both sides name the parameter set and the format.
  xmss::verify({set, format, public_key, epoch, message, signature}).value();
  const auto refused = xmss::verify({set, format, public_key, epoch, changed, signature});
  std::printf("%zu bytes, of another message: %s\n", signature.size(), refused.message());
  const bool good =
      second.status() == PHALANX_ERROR_XMSS_EPOCH_USED && refused.status() == PHALANX_ERROR_INVALID_SIGNATURE;
  return good ? 0 : 1;
}
