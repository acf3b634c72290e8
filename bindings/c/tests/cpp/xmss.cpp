// vectors/xmss through phalanx/xmss.hpp: keys from seeds, signatures byte for byte, every case to verify. Keys of lifetime
// 2^8 are made here; of the longer ones the signatures are verified.
#include <phalanx/xmss.hpp>

#include <set>

#include "check.hpp"
#include "json.hpp"

namespace {

namespace xmss = phalanx::xmss;
using phalanx::Bytes;
using xmss::Format;
using xmss::ParameterSet;
using xmss::SigningKey;

using Buffer = std::vector<std::uint8_t>;

xmss::Message message(const Buffer& bytes) {
  CHECK(bytes.size() == 32);
  return xmss::Message(bytes.data(), 32);
}

std::uint32_t epoch(const json::Value& item) { return static_cast<std::uint32_t>(item["epoch"].number()); }

/// Bytes that a claim points at.
struct Owned {
  Buffer key, message, signature;
  std::uint32_t epoch;
  Format format;
  xmss::Claim claim(ParameterSet set) const { return {set, format, key, epoch, ::message(message), signature}; }
};

SigningKey made(ParameterSet set, const json::Value& item) {
  const auto seed = item["seed"].bytes();
  CHECK(seed.size() == 32);
  std::uint64_t calls = 0;
  const auto progress = [&](std::uint64_t done, std::uint64_t total) {
    ++calls;
    return done <= total;
  };
  auto key = *SigningKey::from_seed(set, phalanx::BytesOf<32>(seed.data(), 32),
                                    item["requested_activation_epoch"].number(),
                                    item["requested_active_epochs"].number(), 2, progress);
  CHECK(calls > 0);
  return key;
}

void signs(ParameterSet set, const json::Value& item) {
  SigningKey key = made(set, item);
  CHECK(key.parameter_set() == set);
  const auto active = item["activation_interval"].numbers();
  const auto prepared = item["prepared_interval"].numbers();
  CHECK(key.activation_interval() == (xmss::Interval{active[0], active[1]}));
  CHECK(key.prepared_interval() == (xmss::Interval{prepared[0], prepared[1]}));
  CHECK(*key.verifying_key(Format::ssz) == item["pk_ssz"].bytes());
  CHECK(*key.verifying_key(Format::bincode) == item["pk_bincode1"].bytes());
  CHECK(*key.verifying_key(Format::bincode2) == item["pk_bincode2_standard"].bytes());

  const auto& signatures = item["signatures"].list();
  std::set<std::uint32_t> signed_epochs;
  for (const json::Value& signature : signatures) {
    const auto answer = key.sign(Format::ssz, epoch(signature), message(signature["message"].bytes()));
    // The reference signs two messages at one epoch where it is asked to; here that is refused.
    if (signed_epochs.insert(epoch(signature)).second) {
      CHECK(*answer == signature["sig_ssz"].bytes());
    } else {
      CHECK_STATUS(answer, PHALANX_ERROR_XMSS_EPOCH_USED);
    }
  }
  // The same epoch again: the same message gives the same signature, another one is refused.
  Buffer other = signatures[0]["message"].bytes();
  CHECK(key.sign_prepared(Format::ssz, epoch(signatures[0]), message(other)).ok());
  other[0] ^= 1;
  CHECK_STATUS(key.sign(Format::ssz, epoch(signatures[0]), message(other)), PHALANX_ERROR_XMSS_EPOCH_USED);
  CHECK_STATUS(key.sign(Format::ssz, static_cast<std::uint32_t>(active[1]), message(other)), PHALANX_ERROR_XMSS_EXHAUSTED);
  if (active[0] > 0) CHECK_STATUS(key.sign(Format::ssz, 0, message(other)), PHALANX_ERROR_XMSS_NOT_ACTIVE);

  const phalanx::SecretBytes stored = *key.to_bytes(Format::ssz);
  CHECK(stored.size() == item["sk_ssz_len"].number());
  CHECK(*(*SigningKey::from_bytes(set, Format::ssz, stored)).verifying_key(Format::ssz) == item["pk_ssz"].bytes());
  CHECK_STATUS(SigningKey::from_bytes(set, Format::ssz, stored.view().first(stored.size() - 1)), PHALANX_ERROR_MALFORMED);

  if (const json::Value* after = item.find("after_advance_preparation")) {
    CHECK_STATUS(key.sign_prepared(Format::ssz, static_cast<std::uint32_t>(prepared[1]), message(other)),
                 PHALANX_ERROR_XMSS_NOT_PREPARED);
    auto unfinished = *key.next_tree();
    CHECK_STATUS(key.advance_with(std::move(unfinished)), PHALANX_ERROR_XMSS_UNFINISHED);
    auto next = *key.next_tree();
    CHECK_STATUS(next.compute(1, [](std::uint64_t, std::uint64_t) { return false; }), PHALANX_ERROR_STOPPED);
    CHECK(next.compute(2).ok());
    CHECK(key.advance_with(std::move(next)).ok());
    const auto moved = (*after)["prepared_interval"].numbers();
    CHECK(key.prepared_interval() == (xmss::Interval{moved[0], moved[1]}));
    CHECK(*key.sign(Format::ssz, epoch(*after), message((*after)["message"].bytes())) == (*after)["sig_ssz"].bytes());
    CHECK_STATUS(key.sign(Format::ssz, 0, message(signatures[0]["message"].bytes())),
                 active[0] > 0 ? PHALANX_ERROR_XMSS_NOT_ACTIVE : PHALANX_ERROR_XMSS_PASSED);
    while (key.prepared_interval().end < active[1]) CHECK(key.advance().ok());
    CHECK_STATUS(key.advance(), PHALANX_ERROR_XMSS_EXHAUSTED);
    CHECK_STATUS(key.next_tree(), PHALANX_ERROR_XMSS_EXHAUSTED);
  }
}

void verifies(ParameterSet set, const json::Value& item) {
  std::vector<Owned> claims;
  std::vector<bool> valid;
  for (const json::Value& signature : item["signatures"].list()) {
    const Owned claim{item["pk_ssz"].bytes(), signature["message"].bytes(), signature["sig_ssz"].bytes(),
                      epoch(signature), Format::ssz};
    // A longest form of each format, and back.
    for (const Format format : {Format::bincode, Format::bincode2, Format::json, Format::bincode_padded}) {
      const auto converted = *xmss::convert_signature(set, Format::ssz, format, claim.signature);
      CHECK(converted.size() <= xmss::signature_size(set, format));
      CHECK(*xmss::convert_signature(set, format, Format::ssz, converted) == claim.signature);
      const auto key_format = format == Format::bincode_padded ? Format::bincode : format;
      const auto key = *xmss::convert_verifying_key(set, Format::ssz, key_format, claim.key);
      CHECK(*xmss::convert_verifying_key(set, key_format, Format::ssz, key) == claim.key);
      if (key_format == format) CHECK(xmss::verify({set, format, key, claim.epoch, message(claim.message), converted}).ok());
    }
    claims.push_back(claim);
    valid.push_back(true);
  }
  for (const auto& [name, format] : {std::pair{"verify_cases_ssz", Format::ssz}, {"verify_cases_bincode1", Format::bincode}}) {
    const json::Value* cases = item.find(name);
    if (cases == nullptr) continue;
    for (const json::Value& one : cases->list()) {
      const json::Value* key = one.find("pk");
      const json::Value* signature = one.find("sig");
      if (key == nullptr) key = &item["pk_bincode1"];
      if (signature == nullptr || one["message"].bytes().size() != 32) continue;
      claims.push_back({key->bytes(), one["message"].bytes(), signature->bytes(), epoch(one), format});
      valid.push_back(one["required"].text == "accept");
    }
  }
  std::vector<xmss::Claim> list;
  for (const Owned& claim : claims) list.push_back(claim.claim(set));
  const auto verdicts = *xmss::verify_many(list, 2);
  CHECK(verdicts.size() == list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    check::here = "claim " + std::to_string(i);
    CHECK((verdicts[i] == PHALANX_OK) == valid[i]);
    CHECK_STATUS(xmss::verify(list[i]), verdicts[i]);
    list[i].epoch ^= 1;
    CHECK(!xmss::verify(list[i]).ok());
  }
}

/// The files of vectors/xmss-blake2s, and what is refused.
void over_blake2s(const std::string& folder) {
  const auto set = ParameterSet::blake2s_l32_d42b8, profile_a = ParameterSet::blake2s_a_l32_d42b8;
  CHECK(xmss::signs(set) && !xmss::signs(profile_a) && xmss::tree_epochs(set) == 0);
  CHECK(*xmss::parameter_set_from_name("xmss-blake2s-l32-d42b8") == set);
  CHECK(xmss::verifying_key_size(set, Format::ssz) == 32 && xmss::signature_size(set, Format::ssz) == 1208);
  CHECK(xmss::signature_size(set, Format::json) == 0);
  std::vector<Owned> claims;
  std::vector<xmss::Claim> list;
  std::vector<ParameterSet> sets;
  std::vector<phalanx::Status> wanted;
  for (const auto& [file, of] : {std::pair{"profile-a", profile_a}, {"profile-b", set}}) {
    const json::Value cases = json::read(folder + file + ".json");
    for (const json::Value& one : cases["verify"].list()) {
      claims.push_back(
          {one["public_key"].bytes(), one["message"].bytes(), one["signature"].bytes(), epoch(one), Format::ssz});
      const std::string& result = one["result"].text;
      wanted.push_back(result == "valid"        ? PHALANX_OK
                       : result == "bad_length" ? PHALANX_ERROR_MALFORMED
                                                : PHALANX_ERROR_INVALID_SIGNATURE);
      sets.push_back(of);
    }
  }
  for (std::size_t i = 0; i < claims.size(); ++i) list.push_back(claims[i].claim(sets[i]));
  const auto statuses = *xmss::verify_many(list, 2);
  CHECK(statuses.size() == wanted.size() && list.size() > 100);
  for (std::size_t i = 0; i < list.size(); ++i) {
    check::here = "claim " + std::to_string(i) + " over BLAKE2s";
    CHECK(statuses[i] == wanted[i]);
    CHECK_STATUS(xmss::verify(list[i]), wanted[i]);
  }
  const json::Value signatures = json::read(folder + "profile-b.json");
  for (const json::Value& one : signatures["sign"].list()) {
    check::here = "signing over BLAKE2s";
    const auto seed = one["seed"].bytes(), signed_one = one["message"].bytes();
    const std::uint64_t start = one["epoch_start"].number(), end = one["epoch_end"].number() + 1;
    auto key = *SigningKey::from_seed(set, message(seed), start, end - start);
    CHECK(key.activation_interval() == xmss::Interval{start, end} && key.parameter_set() == set);
    CHECK(*key.sign(Format::ssz, epoch(one), message(signed_one)) == one["signature"].bytes());
    CHECK_STATUS(key.sign(Format::ssz, epoch(one), message(seed)), PHALANX_ERROR_XMSS_EPOCH_USED);
  }
  check::here = "refusals over BLAKE2s";
  const std::array<std::uint8_t, 32> any{1};
  CHECK_STATUS(SigningKey::generate(profile_a, 0, 8), PHALANX_ERROR_XMSS_VERIFICATION_ONLY);
  auto key = *SigningKey::generate(set, 5, 3);
  CHECK_STATUS(key.sign(Format::json, 5, any), PHALANX_ERROR_XMSS_NO_ENCODING);
  const auto signature = *key.sign(Format::ssz, 5, any);
  const auto verifying_key = *key.verifying_key(Format::bincode);
  CHECK(xmss::verify({set, Format::ssz, verifying_key, 5, any, signature}).ok());
  CHECK_STATUS(xmss::verify({profile_a, Format::ssz, verifying_key, 5, any, signature}),
               PHALANX_ERROR_INVALID_SIGNATURE);
  CHECK_STATUS(xmss::verify({set, Format::ssz, verifying_key, 6, any, signature}), PHALANX_ERROR_INVALID_SIGNATURE);
  CHECK_STATUS(xmss::verify({set, Format::ssz, verifying_key, 5, any, std::span(signature).first(1207)}),
               PHALANX_ERROR_MALFORMED);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  const std::string folder = std::string(argv[1]) + "/xmss/";
  const std::pair<ParameterSet, const char*> files[] = {
      {ParameterSet::poseidon2_l8_d64b8, "p2-top-l8-d64b8"},
      {ParameterSet::poseidon1_l8_d4b8_test, "p1-abort-l8-d4b8-test"},
      {ParameterSet::poseidon2_l18_d64b8, "p2-top-l18-d64b8"},
      {ParameterSet::poseidon2_l32_d64b8, "p2-top-l32-d64b8"},
      {ParameterSet::poseidon2_l32_d48b10, "p2-top-l32-d48b10"},
      {ParameterSet::poseidon2_l32_d32b26, "p2-top-l32-d32b26"},
      {ParameterSet::poseidon1_l32_d46b8, "p1-abort-l32-d46b8"},
  };
  for (const auto& [set, file] : files) {
    CHECK(*xmss::parameter_set_from_name(xmss::name(set).data()) == set);
    CHECK(*xmss::parameter_set_from_profile(file) == set);
    const json::Value keys = json::read(folder + file + ".e2e.json");
    for (const json::Value& item : keys.list()) {
      check::here = file;
      if (xmss::lifetime(set) == 256) signs(set, item);
      verifies(set, item);
    }
  }
  over_blake2s(std::string(argv[1]) + "/xmss-blake2s/");
  check::here = "refusals";
  CHECK(xmss::is_insecure(ParameterSet::poseidon1_l8_d4b8_test) && !xmss::is_insecure(ParameterSet::poseidon2_l8_d64b8));
  CHECK_STATUS(xmss::parameter_set_from_name("xmss"), PHALANX_ERROR_UNKNOWN_NAME);
  CHECK_STATUS(xmss::format_from_name("yaml"), PHALANX_ERROR_UNKNOWN_NAME);
  CHECK_STATUS(SigningKey::generate(ParameterSet::poseidon2_l8_d64b8, 200, 100), PHALANX_ERROR_XMSS_INTERVAL);
  CHECK_STATUS(SigningKey::generate(ParameterSet::poseidon2_l8_d64b8, 0, 32, 1, [](auto, auto) { return false; }),
               PHALANX_ERROR_STOPPED);
  // What a callback throws comes out where it was called from.
  bool is_caught = false;
  try {
    (void)SigningKey::generate(ParameterSet::poseidon1_l8_d4b8_test, 0, 32, 2,
                               [](auto, auto) -> bool { throw std::runtime_error("enough"); });
  } catch (const std::runtime_error& error) {
    is_caught = error.what() == std::string("enough");
  }
  CHECK(is_caught);
  return check::finish(700);
}
