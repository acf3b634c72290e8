// Four keys sign one message; one proof says that they did. A statement about another message is refused.
// c++ -std=c++20 aggregate.cpp $(pkg-config --cflags --libs phalanx) && ./a.out
#include <phalanx/aggregate.hpp>
#include <phalanx/xmss.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

namespace aggregate = phalanx::aggregate;
namespace xmss = phalanx::xmss;

int main() {
  constexpr auto set = xmss::ParameterSet::blake2s_l32_d42b8;
  constexpr auto profile = aggregate::Profile::provable128;
  constexpr std::uint32_t epoch = 7;
  constexpr std::array<std::uint8_t, 32> message{1}, changed{2};
  std::vector<aggregate::Key> keys(4);
  // By their keys, in whose order an aggregate takes them.
  std::map<aggregate::Key, std::vector<std::uint8_t>> signatures;
  for (aggregate::Key& key : keys) {
    auto signer = xmss::SigningKey::generate(set, epoch, 1).value();
    std::ranges::copy(signer.verifying_key(xmss::Format::ssz).value(), key.begin());
    signatures[key] = signer.sign(xmss::Format::ssz, epoch, message).value();
  }
  const auto statement_about = [&](phalanx::BytesOf<32> about) {
    return aggregate::Statement::of(std::array<aggregate::Group, 1>{{{epoch, about, keys}}}).value();
  };
  const auto statement = statement_about(message);
  std::vector<phalanx::Bytes> in_order;
  for (const auto& [key, signature] : signatures) in_order.emplace_back(signature);
  const auto proof = aggregate::aggregate(profile, statement, in_order, {}).value();

  // The verifier says which profiles it takes, and about how many signatures.
  const aggregate::Limits limits({profile}, keys.size());
  aggregate::verify(limits, statement, {}, proof).value();
  std::printf("%zu signatures verify by one proof of %zu bytes\n", in_order.size(), proof.size());

  const auto other = aggregate::verify(limits, statement_about(changed), {}, proof);
  std::printf("of another message: %s\n", other.message());
  return phalanx::family(other.status()) == phalanx::Family::does_not_verify ? 0 : 1;
}
