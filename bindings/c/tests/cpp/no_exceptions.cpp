// The headers without exceptions and without type information: errors are values all the same.
#include <phalanx.hpp>

#include "check.hpp"

static_assert(PHALANX_HAS_EXCEPTIONS == 0);

int main() {
  const auto key = phalanx::ed25519::SigningKey::generate();
  if (!key) return EXIT_FAILURE;
  const auto message = phalanx::bytes("message");
  const auto signature = key->sign(message);
  CHECK(phalanx::ed25519::verify(key->verifying_key(), message, signature).ok());
  CHECK_STATUS(phalanx::ed25519::verify(key->verifying_key(), {}, signature), PHALANX_ERROR_INVALID_SIGNATURE);
  const auto refused = phalanx::xmss::SigningKey::generate(phalanx::xmss::ParameterSet::poseidon2_l8_d64b8, 300, 1);
  CHECK_STATUS(refused, PHALANX_ERROR_XMSS_INTERVAL);
  const auto stopped = phalanx::xmss::SigningKey::generate(phalanx::xmss::ParameterSet::poseidon2_l8_d64b8, 0, 32, 1,
                                                           [](std::uint64_t, std::uint64_t) { return false; });
  CHECK_STATUS(stopped, PHALANX_ERROR_STOPPED);
  return check::finish(4);
}
