// Hash the rows of a table, make a Merkle tree of them, open a row, verify; another row is refused.
// c++ -std=c++20 rescue.cpp $(pkg-config --cflags --libs phalanx) && ./a.out
#include <phalanx/rescue.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace rescue = phalanx::rescue;

int main() {
  constexpr auto function = rescue::Function::rp64_256;
  constexpr std::size_t opened = 5;
  std::vector<std::vector<std::uint64_t>> table(16);
  for (std::uint64_t row = 0; row < table.size(); ++row)
    for (std::uint64_t column = 0; column < 20; ++column) table[row].push_back(row * 1000 + column);

  // A row becomes a leaf, side by side in the lanes.
  const std::vector<rescue::Elements> rows(table.begin(), table.end());
  const auto leaves = rescue::hash_elements_many(function, rows);
  const auto tree = rescue::MerkleTree::create(function, leaves).value();
  const auto root = tree.root();
  const auto path = tree.open(opened).value().path;

  // What travels is the row and its path. The verifier has the root, and knows how large the table is.
  const auto verify = [&] {
    const auto leaf = rescue::hash_elements(function, table[opened]);
    return rescue::MerkleTree::verify(function, root, 4, opened, leaf, path);
  };
  verify().value();
  std::printf("row %zu opens with %zu digests\n", opened, path.size());

  ++table[opened][0];
  const auto refused = verify();
  std::printf("a changed row: %s\n", refused.message());
  return refused.status() == PHALANX_ERROR_RESCUE_WRONG_ROOT ? 0 : 1;
}
