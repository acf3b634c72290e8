// Make a key, sign, verify; a changed message is refused: one signature, then many at once.
// c++ -std=c++20 ed25519.cpp $(pkg-config --cflags --libs phalanx) && ./a.out
#include <phalanx/ed25519.hpp>

#include <array>
#include <cstdio>

namespace ed25519 = phalanx::ed25519;

int main() {
  // What can fail answers a Result; value() throws where there is no value. The key is wiped when it goes.
  const auto key = ed25519::SigningKey::generate().value();
  const auto message = phalanx::bytes("a message"), changed = phalanx::bytes("another message");
  const auto signature = key.sign(message);

  // What travels is bytes. Under the rule `strict`; others have names.
  const auto public_key = key.verifying_key();
  ed25519::verify(public_key, message, signature).value();
  ed25519::verify(public_key, message, signature, ed25519::Profile::zip215).value();
  const auto refused = ed25519::verify(public_key, changed, signature);
  std::printf("another message: %s\n", refused.message());

  // Many at once, a result for each: lanes run across signatures.
  const std::array<ed25519::Claim, 2> claims{{{public_key, message, signature}, {public_key, changed, signature}}};
  const auto results = ed25519::verify_many(claims).value();
  std::printf("of two: %s, %s\n", phalanx::message(results[0]), phalanx::message(results[1]));
  const bool good = refused.status() == PHALANX_ERROR_INVALID_SIGNATURE && results[0] == PHALANX_OK &&
                    results[1] == PHALANX_ERROR_INVALID_SIGNATURE;
  return good ? 0 : 1;
}
