// vectors/rescue through phalanx/rescue.hpp: every case alone, and all cases of a list together.
#include <phalanx/rescue.hpp>

#include <algorithm>

#include "check.hpp"
#include "json.hpp"

namespace {

namespace rescue = phalanx::rescue;
using phalanx::Bytes;
using rescue::Digest;
using rescue::Elements;
using rescue::Function;

Digest digest(const json::Value& words) {
  Digest digest;
  const auto numbers = words.numbers();
  CHECK(numbers.size() == 4);
  std::copy_n(numbers.begin(), 4, digest.words.begin());
  return digest;
}

void permutation(Function function, const json::Value& list) {
  std::vector<std::uint64_t> together;
  std::vector<std::uint64_t> wanted;
  for (const json::Value& item : list.list()) {
    auto state = item["in"].numbers();
    const auto out = item["out"].numbers();
    CHECK(state.size() == rescue::width(function));
    together.insert(together.end(), state.begin(), state.end());
    wanted.insert(wanted.end(), out.begin(), out.end());
    auto secret = state;
    CHECK(rescue::permute(function, state).ok() && state == out);
    CHECK(rescue::permute_secret(function, secret).ok() && secret == out);
    state.pop_back();
    CHECK_STATUS(rescue::permute(function, state), PHALANX_ERROR_RESCUE_PARTIAL_STATE);
    CHECK_STATUS(rescue::permute_secret(function, state), PHALANX_ERROR_RESCUE_PARTIAL_STATE);
  }
  auto with_threads = together;
  auto on_a_pool = together;
  CHECK(rescue::permute(function, together).ok() && together == wanted);
  CHECK(rescue::permute(function, with_threads, 3).ok() && with_threads == wanted);
  CHECK(rescue::permute(function, on_a_pool, phalanx::Pool::create().value()).ok() && on_a_pool == wanted);
}

void hash_elements(Function function, const json::Value& list) {
  std::vector<std::vector<std::uint64_t>> inputs;
  std::vector<Digest> wanted;
  for (const json::Value& item : list.list()) {
    const auto input = item["in"].numbers();
    const Digest out = digest(item["out"]);
    CHECK(rescue::hash_elements(function, input) == out);
    CHECK(rescue::hash_elements_secret(function, input) == out);
    if (const json::Value* hex = item.find("digest_hex")) {
      const auto bytes = out.to_bytes();
      CHECK(std::ranges::equal(bytes, hex->bytes()));
      CHECK(*Digest::from_bytes(bytes) == out);
    }
    inputs.push_back(input);
    wanted.push_back(out);
  }
  const std::vector<Elements> spans(inputs.begin(), inputs.end());
  CHECK(rescue::hash_elements_many(function, spans) == wanted);
  CHECK(rescue::hash_elements_many(function, spans, 2) == wanted);
  const auto pool = phalanx::Pool::create(2).value();
  CHECK(rescue::hash_elements_many(function, spans, pool) == wanted);
  CHECK(rescue::hash_elements_many(function, {}).empty());
}

void pieces(rescue::Hasher hasher, Bytes bytes, const Digest& wanted) {
  for (std::size_t at = 0; at < bytes.size(); at += 13) hasher.update(bytes.subspan(at, std::min<std::size_t>(13, bytes.size() - at)));
  CHECK(*hasher.finalize() == wanted);
  CHECK(*hasher.finalize() == wanted);
  hasher.update(std::array<std::uint8_t, 1>{});
  CHECK_STATUS(hasher.finalize(), PHALANX_ERROR_RESCUE_LENGTH);
}

void hash_bytes(Function function, const json::Value& list) {
  std::vector<std::vector<std::uint8_t>> inputs;
  std::vector<Digest> wanted;
  std::size_t undefined = 0;
  for (const json::Value& item : list.list()) {
    const auto input = item["in_hex"].bytes();
    const Digest padded = rescue::hash_padded(function, input);
    CHECK(rescue::hash_padded_secret(function, input) == padded);
    CHECK(rescue::hash_padded_many(function, std::vector<Bytes>{input, input}) == std::vector<Digest>(2, padded));
    pieces(rescue::Hasher::padded(function, input.size()), input, padded);
    if (item["out"].is_null()) {
      ++undefined;
      CHECK_STATUS(rescue::hash(function, input), PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH);
      CHECK_STATUS(rescue::hash_secret(function, input), PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH);
      CHECK_STATUS(rescue::hash_many(function, std::vector<Bytes>{input}), PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH);
      CHECK_STATUS(rescue::Hasher::create(function, input.size()), PHALANX_ERROR_RESCUE_UNDEFINED_LENGTH);
      continue;
    }
    const Digest out = digest(item["out"]);
    CHECK(*rescue::hash(function, input) == out);
    CHECK(*rescue::hash_secret(function, input) == out);
    pieces(*rescue::Hasher::create(function, input.size()), input, out);
    // Only the repaired rule of Rp64_256 gives anything else, and only above 56 bytes.
    CHECK((padded == out) == (function != Function::rp64_256 || input.size() <= 56));
    inputs.push_back(input);
    wanted.push_back(out);
  }
  CHECK((undefined > 0) == (function == Function::rp64_256));
  const std::vector<Bytes> spans(inputs.begin(), inputs.end());
  CHECK(*rescue::hash_many(function, spans) == wanted);
  CHECK(*rescue::hash_many(function, spans, 2) == wanted);
}

void merge(Function function, const json::Value& list) {
  std::vector<Digest> children;
  std::vector<Digest> wanted;
  for (const json::Value& item : list.list()) {
    const Digest left = digest(item["left"]);
    const Digest right = digest(item["right"]);
    const Digest out = digest(item["out"]);
    CHECK(rescue::merge(function, left, right) == out);
    CHECK(rescue::merge_secret(function, left, right) == out);
    if (const json::Value* domain = item.find("domain")) {
      CHECK(*rescue::merge_in_domain(function, left, right, domain->number()) == digest(item["out_in_domain"]));
    } else {
      CHECK_STATUS(rescue::merge_in_domain(function, left, right, 1), PHALANX_ERROR_RESCUE_NO_DOMAIN);
    }
    children.push_back(left);
    children.push_back(right);
    wanted.push_back(out);
  }
  CHECK(*rescue::merge_pairs(function, children) == wanted);
  CHECK(*rescue::merge_pairs(function, children, 2) == wanted);
  children.pop_back();
  CHECK_STATUS(rescue::merge_pairs(function, children), PHALANX_ERROR_INVALID_LENGTH);
}

void merge_many(Function function, const json::Value& list) {
  for (const json::Value& item : list.list()) {
    std::vector<Digest> digests;
    for (const json::Value& one : item["digests"].list()) digests.push_back(digest(one));
    CHECK(rescue::merge_many(function, digests) == digest(item["out"]));
  }
}

void merge_with_int(Function function, const json::Value& list) {
  for (const json::Value& item : list.list()) {
    const Digest seed = digest(item["seed"]);
    const Digest out = digest(item["out"]);
    const std::uint64_t value = item["value"].number();
    CHECK(rescue::merge_with_int(function, seed, value) == out);
    const std::vector<std::uint64_t> values{value, 0, value};
    const auto many = rescue::merge_with_ints(function, seed, values, 2);
    CHECK(many.size() == 3 && many[0] == out && many[2] == out);
  }
}

void in_domain(Function function, const json::Value& list) {
  for (const json::Value& item : list.list()) {
    const auto input = item["in"].numbers();
    CHECK(*rescue::hash_elements_in_domain(function, input, item["domain"].number()) == digest(item["out"]));
  }
}

void digest_decode(const json::Value& list) {
  std::size_t refused = 0;
  for (const json::Value& item : list.list()) {
    const auto bytes = item["in_hex"].bytes();
    CHECK(bytes.size() == 32);
    const phalanx::BytesOf<32> input(bytes.data(), 32);
    const Digest lenient = Digest::from_bytes_lenient(input);
    CHECK(lenient == digest(item["elements"]));
    CHECK(std::ranges::equal(lenient.to_bytes(), item["reencoded_hex"].bytes()));
    const bool is_canonical = item["in_hex"].text == item["reencoded_hex"].text;
    CHECK_STATUS(Digest::from_bytes(input), is_canonical ? PHALANX_OK : PHALANX_ERROR_MALFORMED);
    refused += is_canonical ? 0 : 1;
  }
  CHECK(refused > 0);
}

void tree(Function function) {
  std::vector<Digest> leaves;
  for (std::uint64_t i = 0; i < 8; ++i) leaves.push_back(rescue::hash_elements(function, std::vector{i, i + 1}));
  // Level by level, by single merges.
  std::vector<Digest> level = leaves;
  while (level.size() > 1) {
    std::vector<Digest> above;
    for (std::size_t i = 0; i < level.size(); i += 2) above.push_back(rescue::merge(function, level[i], level[i + 1]));
    level = above;
  }
  const auto tree = *rescue::MerkleTree::create(function, leaves);
  CHECK(tree.root() == level[0]);
  CHECK(tree.log2_leaves() == 3);
  CHECK(*rescue::merkle_root(function, leaves) == level[0]);
  CHECK(*rescue::merkle_root(function, leaves, 4) == level[0]);
  CHECK((*rescue::MerkleTree::create(function, leaves, 2)).root() == level[0]);
  CHECK(*rescue::merkle_root(function, std::span(leaves).first(1)) == leaves[0]);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto opening = *tree.open(i);
    CHECK(opening.leaf == leaves[i] && opening.path.size() == 3);
    const auto verify = [&](std::uint32_t log2, std::size_t index, const Digest& leaf, std::span<const Digest> path) {
      return rescue::MerkleTree::verify(function, tree.root(), log2, index, leaf, path);
    };
    CHECK(verify(3, i, opening.leaf, opening.path).ok());
    CHECK_STATUS(verify(3, i ^ 1, opening.leaf, opening.path), PHALANX_ERROR_RESCUE_WRONG_ROOT);
    CHECK_STATUS(verify(3, 8, opening.leaf, opening.path), PHALANX_ERROR_RESCUE_LEAF_INDEX);
    CHECK_STATUS(verify(4, i, opening.leaf, opening.path), PHALANX_ERROR_RESCUE_PATH_LENGTH);
    CHECK_STATUS(verify(3, i, leaves[(i + 1) % 8], opening.path), PHALANX_ERROR_RESCUE_WRONG_ROOT);
    // An inner node is no leaf.
    const Digest parent = rescue::merge(function, leaves[i & ~std::size_t{1}], leaves[i | 1]);
    CHECK_STATUS(verify(3, i / 2, parent, std::span(opening.path).last(2)), PHALANX_ERROR_RESCUE_PATH_LENGTH);
  }
  CHECK_STATUS(tree.open(8), PHALANX_ERROR_RESCUE_LEAF_INDEX);
  CHECK_STATUS(rescue::merkle_root(function, std::span(leaves).first(7)), PHALANX_ERROR_RESCUE_LEAF_COUNT);
  CHECK_STATUS(rescue::merkle_root(function, {}), PHALANX_ERROR_RESCUE_LEAF_COUNT);
  CHECK_STATUS(rescue::MerkleTree::create(function, std::span(leaves).first(3)), PHALANX_ERROR_RESCUE_LEAF_COUNT);
}

void field(const json::Value& file) {
  for (const json::Value& row : file["binary"].list()) {
    const auto n = row.numbers();
    CHECK(phalanx_rescue_field_add(n[0], n[1]) == n[2]);
    CHECK(phalanx_rescue_field_sub(n[0], n[1]) == n[3]);
    CHECK(phalanx_rescue_field_mul(n[0], n[1]) == n[4]);
  }
  for (const json::Value& row : file["unary"].list()) {
    const std::uint64_t a = row["a"].number();
    CHECK(phalanx_rescue_field_inverse(a) == row["inv"].number());
    CHECK(phalanx_rescue_field_pow(a, 7) == row["pow7"].number());
    CHECK(phalanx_rescue_field_pow(a, 10540996611094048183U) == row["root7"].number());
    CHECK(phalanx_rescue_field_sub(0, a) == row["neg"].number());
  }
}

/// What C++ callers cannot say.
void refusals_of_c() {
  std::array<std::uint64_t, 12> words{};
  CHECK(phalanx_rescue_permute(4, words.data(), 12, 1) == PHALANX_ERROR_INVALID_ARGUMENT);
  CHECK(phalanx_rescue_permute(0, nullptr, 12, 1) == PHALANX_ERROR_NULL_POINTER);
  CHECK(phalanx_rescue_permute(0, nullptr, 0, 1) == PHALANX_OK);
  CHECK(phalanx_rescue_hash_elements(0, nullptr, words.data(), 1) == PHALANX_ERROR_NULL_POINTER);
  CHECK(phalanx_rescue_hash_elements(0, words.data(), nullptr, 1) == PHALANX_ERROR_NULL_POINTER);
  CHECK(phalanx_rescue_hash_elements(0, words.data(), words.data(), SIZE_MAX) == PHALANX_ERROR_INVALID_ARGUMENT);
  CHECK(phalanx_rescue_merge_pairs(0, words.data(), words.data(), SIZE_MAX / 4, 1) == PHALANX_ERROR_INVALID_ARGUMENT);
  CHECK(phalanx_rescue_width(99) == 0 && phalanx_rescue_function_name(99) == nullptr);
  phalanx_rescue_tree* tree = nullptr;
  CHECK(phalanx_rescue_tree_new(&tree, 0, words.data(), 3, 1) == PHALANX_ERROR_RESCUE_LEAF_COUNT && tree == nullptr);
  CHECK(phalanx_rescue_tree_root(nullptr, words.data()) == PHALANX_ERROR_NULL_POINTER);
  CHECK(phalanx_rescue_tree_log2_leaves(nullptr) == 0);
  phalanx_rescue_tree_free(nullptr);
  phalanx_rescue_hasher_free(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  const std::string folder = std::string(argv[1]) + "/rescue/";
  const std::pair<Function, const char*> files[] = {{Function::rp64_256, "rp64_256"},
                                                    {Function::jive_256, "rp64_256_jive"},
                                                    {Function::rpo_256, "rpo256"},
                                                    {Function::rpx_256, "rpx256"}};
  for (const auto& [function, file] : files) {
    check::here = file;
    CHECK(*rescue::function_from_name(rescue::name(function).data()) == function);
    const json::Value all = json::read(folder + file + ".json");
    permutation(function, all["permutation"]);
    hash_elements(function, all["hash_elements"]);
    hash_bytes(function, all["hash_bytes"]);
    merge(function, all["merge"]);
    if (function == Function::rp64_256 || function == Function::jive_256) {
      merge_many(function, all["merge_many"]);
      merge_with_int(function, all["merge_with_int"]);
      digest_decode(all["digest_decode"]);
      CHECK_STATUS(rescue::hash_elements_in_domain(function, {}, 1), PHALANX_ERROR_RESCUE_NO_DOMAIN);
    } else {
      in_domain(function, all["hash_elements_in_domain"]);
    }
    tree(function);
  }
  check::here = "field";
  field(json::read(folder + "field.json"));
  check::here = "refusals";
  refusals_of_c();
  CHECK_STATUS(rescue::function_from_name("rescue"), PHALANX_ERROR_UNKNOWN_NAME);
  return check::finish(8000);
}
