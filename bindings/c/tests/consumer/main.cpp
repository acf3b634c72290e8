// Header and library are of one version, and the library works.
#include <phalanx.hpp>

#include <cstdio>

int main() {
  if (phalanx::version() != PHALANX_VERSION) return 1;
  const auto key = phalanx::ed25519::SigningKey::generate().value();
  const auto message = phalanx::bytes("message");
  if (!phalanx::ed25519::verify(key.verifying_key(), message, key.sign(message))) return 1;
  std::printf("phalanx %s\n", phalanx_version());
}
