// Commit to a polynomial, open it at a point, verify; another value has no proof.
// c++ -std=c++20 ligerito.cpp $(pkg-config --cflags --libs phalanx) && ./a.out
#include <phalanx/ligerito.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace ligerito = phalanx::ligerito;

int main() {
  // Word x is the value at the bits of x. In a protocol the point comes from a transcript that has the commitment in it.
  constexpr std::uint8_t variables = 12;
  std::vector<std::uint32_t> polynomial;
  for (std::uint32_t x = 0; x < 1u << variables; ++x) polynomial.push_back((x * 0x9e3779b9) ^ (x >> 7));
  std::vector<ligerito::Element> point;
  for (std::uint64_t j = 0; j < variables; ++j) point.emplace_back(3 + j * j, j);

  // The prover refers to the words of the polynomial.
  const auto prover = ligerito::Prover::commit(ligerito::Profile::balanced, polynomial).value();
  const auto context = phalanx::bytes("an example");
  const auto opening = prover.open(std::array{ligerito::Point(point)}, context).value();

  // The verifier has the bytes, its own statement, and its own idea of which commitments it takes.
  const auto commitment = ligerito::Commitment::from_bytes(prover.commitment().bytes()).value();
  const auto accepted = ligerito::Accepted::exactly(ligerito::Profile::balanced, variables);
  std::array<ligerito::Claim, 1> claims{{{point, opening.values[0]}}};
  ligerito::verify(accepted, commitment, claims, opening.proof, context).value();
  std::printf("the value is right: a proof of %zu bytes\n", opening.proof.size());

  claims[0].value.low ^= 1;
  const auto other = ligerito::verify(accepted, commitment, claims, opening.proof, context);
  std::printf("another value: %s\n", other.message());
  return phalanx::family(other.status()) == phalanx::Family::does_not_verify ? 0 : 1;
}
