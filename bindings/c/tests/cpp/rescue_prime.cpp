// The names of itzmeanjan/rescue-prime. The body below is what a program written for it says: only the include differs.
#include <phalanx/rescue_prime.hpp>

#include <sstream>

#include "check.hpp"
#include "json.hpp"

namespace {

std::vector<ff::ff_t> elements(const json::Value& list) {
  std::vector<ff::ff_t> all;
  for (const std::uint64_t number : list.numbers()) all.push_back(ff::ff_t{number});
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  const json::Value file = json::read(std::string(argv[1]) + "/rescue/rp64_256.json");
  for (const json::Value& item : file["permutation"].list()) {
    auto state = elements(item["in"]);
    rescue::permute(state.data());
    CHECK(state == elements(item["out"]));
  }
  for (const json::Value& item : file["hash_elements"].list()) {
    const auto input = elements(item["in"]);
    ff::ff_t digest[rescue::DIGEST_WIDTH];
    rescue_prime::hash(input.data(), input.size(), digest);
    CHECK(std::vector<ff::ff_t>(digest, digest + rescue::DIGEST_WIDTH) == elements(item["out"]));
  }

  const json::Value numbers = json::read(std::string(argv[1]) + "/rescue/field.json");
  for (const json::Value& row : numbers["binary"].list()) {
    const auto n = row.numbers();
    const ff::ff_t a{n[0]};
    const ff::ff_t b{n[1]};
    CHECK((a + b).v == n[2] && (a - b).v == n[3] && (a * b).v == n[4]);
    if (b != ff::ff_t::zero()) CHECK(a / b * b == a);
    CHECK(a + -a == ff::ff_t::zero());
  }

  static_assert(ff::ff_t{ff::Q} == ff::ff_t::zero() && ff::ff_t{ff::Q + 1} == ff::ff_t::one());
  CHECK(ff::ff_t::zero().inv() == ff::ff_t::zero());
  CHECK((ff::ff_t{7} ^ 2) == ff::ff_t{49} && (ff::ff_t{7} ^ 0) == ff::ff_t::one());
  CHECK(((ff::ff_t{5} ^ rescue::ALPHA) ^ rescue::INV_ALPHA) == ff::ff_t{5});
  CHECK(ff::ff_t::random() != ff::ff_t::random() && ff::ff_t::random().v < ff::Q);
  // A word written from outside is reduced, where the other library's AVX2 answers differ from its scalar ones.
  ff::ff_t large;
  large.v = UINT64_MAX;
  CHECK(large == ff::ff_t{UINT64_MAX - ff::Q});
  ff::ff_t a[rescue::STATE_WIDTH];
  ff::ff_t b[rescue::STATE_WIDTH];
  a[3].v = UINT64_MAX;
  b[3] = ff::ff_t{UINT64_MAX};
  rescue::permute(a);
  rescue::permute(b);
  CHECK(std::equal(a, a + rescue::STATE_WIDTH, b));
  std::ostringstream text;
  text << ff::ff_t{5};
  CHECK(text.str() == "Z_q(5, 18446744069414584321)");
  return check::finish(1000);
}
