// vectors/aggregate through phalanx/aggregate.hpp: every verdict, and both aggregates made again. If the second argument is
// "brief" none is made, and one refused case in eight is tried.
#include <phalanx/aggregate.hpp>
#include <phalanx/xmss.hpp>

#include <algorithm>
#include <cstring>

#include "check.hpp"
#include "json.hpp"

namespace {

namespace aggregate = phalanx::aggregate;
namespace xmss = phalanx::xmss;
using aggregate::Limits;
using aggregate::Profile;
using aggregate::Statement;
using Buffer = std::vector<std::uint8_t>;

const Limits both{Profile::provable100, Profile::provable128};

Buffer file(const std::string& path) {
  const std::string bytes = json::contents(path);
  return {bytes.begin(), bytes.end()};
}

/// The bytes of a case's statement or aggregate, with the change that it names.
Buffer changed(const json::Value& change_of, const std::string& which, Buffer bytes) {
  const auto is_for = [&](const json::Value* change) { return change != nullptr && (*change)["file"].text == which; };
  if (const auto* flip = change_of.find("flip"); is_for(flip)) {
    bytes.at((*flip)["offset"].number()) ^= static_cast<std::uint8_t>((*flip)["xor"].number());
  }
  if (const auto* cut = change_of.find("cut"); is_for(cut)) bytes.resize((*cut)["length"].number());
  if (const auto* append = change_of.find("append"); is_for(append)) {
    const Buffer more = (*append)["bytes_hex"].bytes();
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

void verdicts(const std::string& folder, bool is_long) {
  const json::Value cases = json::read(folder + "/cases.json");
  std::size_t accepted = 0, at = 0;
  for (const json::Value& item : cases.list()) {
    check::here = item["name"].text;
    const bool accept = item["verdict"].text == "accept";
    if (!is_long && !accept && at++ % 8 != 0) continue;
    const Buffer bytes = changed(item, "statement", file(folder + "/" + item["statement"].text));
    const Buffer proof = changed(item, "aggregate", file(folder + "/" + item["aggregate"].text));
    const auto statement = Statement::from_bytes(bytes);
    if (!statement) {
      CHECK(!accept && phalanx::family(statement.status()) == phalanx::Family::malformed);
      continue;
    }
    CHECK(statement->to_bytes() == bytes);
    const auto verdict = aggregate::verify(both, *statement, item["context_hex"].bytes(), proof);
    CHECK(verdict.ok() == accept);
    CHECK(accept || phalanx::family(verdict.status()) == phalanx::Family::does_not_verify);
    accepted += accept;
  }
  CHECK(accepted > 0 && accepted < cases.list().size());
}

void statements() {
  const std::array<std::uint8_t, 32> a{'a'}, b{'b'};
  const std::vector<aggregate::Key> one{{1}}, two{{2}}, falling{{2}, {1}}, twice{{1}, {1}};
  const std::vector<aggregate::Group> groups{{7, a, one}, {6, b, two}, {6, a, falling}};
  const auto statement = Statement::of(groups);
  CHECK(statement.ok() && statement->signatures() == 4);
  const auto sorted = statement->groups();
  CHECK(sorted.size() == 3 && sorted[0].epoch == 6 && sorted[2].epoch == 7);
  CHECK(sorted[0].keys.size() == 2 && sorted[0].keys[0] == one[0] && sorted[0].keys[1] == two[0]);
  CHECK(std::equal(a.begin(), a.end(), sorted[0].message.begin()));
  const auto pairs = statement->equivocations();
  CHECK(pairs.size() == 1 && pairs[0].first == 1 && pairs[0].second == 2);
  CHECK(Statement::from_bytes(statement->to_bytes())->to_bytes() == statement->to_bytes());
  CHECK_STATUS(Statement::of({}), PHALANX_ERROR_AGGREGATE_NO_GROUPS);
  CHECK_STATUS(Statement::of(std::vector<aggregate::Group>{{1, a, {}}}), PHALANX_ERROR_AGGREGATE_EMPTY_GROUP);
  CHECK_STATUS(Statement::of(std::vector<aggregate::Group>{{1, a, twice}}), PHALANX_ERROR_AGGREGATE_KEY_ORDER);
  CHECK_STATUS(Statement::from_bytes({}), PHALANX_ERROR_AGGREGATE_STATEMENT_LENGTH);
}

/// The signature of the published aggregates.
void proofs(const std::string& folder, bool is_long) {
  std::array<std::uint8_t, 32> seed{}, message{};
  for (std::uint8_t i = 0; i < 32; ++i) seed[i] = i, message[i] = static_cast<std::uint8_t>(100 + i);
  const std::uint32_t epoch = 0x89abcdef;
  auto key = xmss::SigningKey::from_seed(xmss::ParameterSet::blake2s_l32_d42b8, seed, epoch, 1).value();
  const Buffer public_key = key.verifying_key(xmss::Format::ssz).value();
  Buffer signature = key.sign(xmss::Format::ssz, epoch, message).value();
  std::vector<aggregate::Key> keys(1);
  std::copy(public_key.begin(), public_key.end(), keys[0].begin());
  const Statement statement = Statement::of(std::vector<aggregate::Group>{{epoch, message, keys}}).value();
  CHECK(statement.to_bytes() == file(folder + "/statement1.bin"));
  const auto context = phalanx::bytes("context");
  const auto make = [&](Profile profile, phalanx::Workers workers, std::uint64_t limit, std::uint64_t* place) {
    const std::vector<phalanx::Bytes> signatures{signature};
    return aggregate::aggregate(profile, statement, signatures, context, workers, limit, place);
  };
  const std::uint64_t takes = aggregate::memory(Profile::provable100, 1);
  std::uint64_t place = 99;
  CHECK_STATUS(aggregate::aggregate(Profile::provable100, statement, {}, context), PHALANX_ERROR_INVALID_LENGTH);
  CHECK_STATUS(make(Profile::provable100, 1, takes - 1, &place), PHALANX_ERROR_AGGREGATE_MEMORY);
  CHECK(place == 99);
  signature[700] ^= 1;
  CHECK_STATUS(make(Profile::provable100, 1, takes, &place), PHALANX_ERROR_INVALID_SIGNATURE);
  CHECK(place == 0);
  signature[700] ^= 1;
  if (!is_long) return;
  const auto pool = phalanx::Pool::create(2).value();
  CHECK(*make(Profile::provable100, pool, takes, nullptr) == file(folder + "/aggregate1.bin"));
  const auto made = make(Profile::provable128, 1, PHALANX_AGGREGATE_MEMORY_DEFAULT, nullptr);
  CHECK(*made == file(folder + "/aggregate3.bin") && made->size() <= aggregate::max_size(Profile::provable128, 1));
  CHECK_STATUS(aggregate::verify({Profile::provable100}, statement, context, *made),
               PHALANX_ERROR_AGGREGATE_UNACCEPTED_PROFILE);
  CHECK_STATUS(aggregate::verify(Limits({Profile::provable128}, 0), statement, context, *made),
               PHALANX_ERROR_AGGREGATE_TOO_MANY_SIGNATURES);
  CHECK(aggregate::name(Profile::provable128) == "aggregate-v1-provable128");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  const std::string folder = std::string(argv[1]) + "/aggregate";
  const bool is_long = argc < 3 || std::strcmp(argv[2], "brief") != 0;
  verdicts(folder, is_long);
  statements();
  proofs(folder, is_long);
  return check::finish(is_long ? 400 : 60);
}
