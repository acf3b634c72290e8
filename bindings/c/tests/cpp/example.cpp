// The example of bindings/c/CPP.md.
#include <phalanx.hpp>

#include <cstdio>

int main() {
  namespace ed25519 = phalanx::ed25519;
  namespace rescue = phalanx::rescue;

  // Errors are values: look at them, or let .value() throw.
  const auto key = ed25519::SigningKey::generate().value();
  const auto message = phalanx::bytes("hello");
  const auto signature = key.sign(message);
  if (auto verdict = ed25519::verify(key.verifying_key(), message, signature); !verdict) {
    std::puts(verdict.message());
    return 1;
  }

  const std::vector<std::uint64_t> elements{1, 2, 3};
  const auto left = rescue::hash_elements(rescue::Function::rp64_256, elements);
  const auto root = rescue::merge(rescue::Function::rp64_256, left, left);
  std::printf("signed, and hashed to %016llx...\n", static_cast<unsigned long long>(root.words[0]));
}
