// vectors/ed25519 through phalanx/ed25519.hpp: signing, every verdict of every profile in every way to ask for it.
#include <phalanx/ed25519.hpp>

#include <algorithm>

#include "check.hpp"
#include "json.hpp"

namespace {

namespace ed25519 = phalanx::ed25519;
using ed25519::KeyFormat;
using ed25519::Profile;
using ed25519::SigningKey;
using phalanx::Bytes;

using Buffer = std::vector<std::uint8_t>;

template <std::size_t Size>
phalanx::BytesOf<Size> exactly(const Buffer& bytes) {
  CHECK(bytes.size() == Size);
  return phalanx::BytesOf<Size>(bytes.data(), Size);
}

SigningKey key_of(const json::Value& item) { return *SigningKey::from_seed(exactly<32>(item["seed"].bytes())); }

void signing(const json::Value& list) {
  std::vector<SigningKey> keys;
  std::vector<Buffer> messages;
  std::vector<Buffer> wanted;
  for (const json::Value& item : list.list()) {
    check::here = item["id"].text;
    // Of Ed25519ctx and Ed25519ph there are no vectors in these files.
    const auto message = item["msg"].bytes();
    const auto signature = item["sig"].bytes();
    SigningKey key = key_of(item);
    CHECK(std::ranges::equal(key.verifying_key(), item["pk"].bytes()));
    CHECK(std::ranges::equal(key.sign(message), signature));
    CHECK(std::ranges::equal(*key.sign_checked(message), signature));
    CHECK(ed25519::verify(key.verifying_key(), message, signature).ok());
    keys.push_back(std::move(key));
    messages.push_back(message);
    wanted.push_back(signature);
  }
  std::vector<const SigningKey*> pointers;
  for (const SigningKey& key : keys) pointers.push_back(&key);
  const std::vector<Bytes> spans(messages.begin(), messages.end());
  const auto together = *ed25519::sign_many(pointers, spans, 2);
  CHECK(*ed25519::sign_many(pointers, spans, phalanx::Pool::create(2).value()) == together);
  CHECK(std::ranges::equal(together, wanted, [](const auto& a, const auto& b) { return std::ranges::equal(a, b); }));
  pointers.pop_back();
  CHECK_STATUS(ed25519::sign_many(pointers, spans), PHALANX_ERROR_INVALID_LENGTH);
}

void noise(const json::Value& list) {
  for (const json::Value& item : list.list()) {
    check::here = item["id"].text;
    const auto noise = item["noise"].bytes();
    const auto signature = key_of(item).sign_with_noise(item["msg"].bytes(), exactly<32>(noise));
    CHECK(std::ranges::equal(signature, item["sig_noise"].bytes()));
  }
}

/// Bytes that claims point at.
struct Entry {
  Buffer key, message, signature;
  ed25519::Claim claim() const { return {key, message, signature}; }
};

Entry entry(const json::Value& item) { return {item["pk"].bytes(), item["msg"].bytes(), item["sig"].bytes()}; }

void verdicts(const json::Value& file) {
  for (const json::Value& name : file["profiles"].list()) {
    const Profile profile = *ed25519::profile_from_name(name.text.c_str());
    CHECK(ed25519::name(profile) == name.text);
    std::vector<Entry> entries;
    std::vector<phalanx::Status> wanted;
    for (const json::Value& item : file["cases"].list()) {
      check::here = item["id"].text + " " + name.text;
      const Entry one = entry(item);
      const bool is_valid = item["verdict"][name.text].is_true();
      const phalanx::Status status = is_valid ? PHALANX_OK : PHALANX_ERROR_INVALID_SIGNATURE;
      CHECK_STATUS(ed25519::verify(one.key, one.message, one.signature, profile), status);
      ed25519::Reason reason = PHALANX_ED25519_REASON_NONE;
      CHECK_STATUS(ed25519::explain(reason, one.key, one.message, one.signature, profile), status);
      CHECK((reason == PHALANX_ED25519_REASON_NONE) == is_valid && !ed25519::message(reason).empty());
      const auto prepared = ed25519::PreparedKey::create(one.key);
      if (prepared) {
        CHECK_STATUS(prepared->verify(one.message, one.signature, profile), status);
        CHECK(std::ranges::equal(prepared->verifying_key(), one.key));
      } else {
        CHECK(!is_valid);
      }
      entries.push_back(one);
      wanted.push_back(status);
    }
    std::vector<ed25519::Claim> claims;
    for (const Entry& one : entries) claims.push_back(one.claim());
    CHECK(*ed25519::verify_many(claims, profile) == wanted);
    CHECK(*ed25519::verify_many(claims, profile, 2) == wanted);
    CHECK(*ed25519::verify_many(claims, profile, phalanx::Pool::create(2).value()) == wanted);
    ed25519::BatchVerifier batch(profile);
    for (const Entry& one : entries) batch.add(one.key, one.message, one.signature);
    CHECK(batch.size() == entries.size() && *batch.verify_each() == wanted);
  }
}

void batches(const json::Value& file) {
  for (const json::Value& batch : file["batches"].list()) {
    std::vector<Entry> entries;
    for (const json::Value& item : batch["entries"].list()) entries.push_back(entry(item));
    std::vector<ed25519::Claim> claims;
    for (const Entry& one : entries) claims.push_back(one.claim());
    for (const json::Value& name : file["profiles"].list()) {
      check::here = batch["id"].text + " " + name.text;
      const Profile profile = *ed25519::profile_from_name(name.text.c_str());
      const bool all = batch["all_ok"][name.text].is_true();
      const phalanx::Status status = all ? PHALANX_OK : PHALANX_ERROR_INVALID_SIGNATURE;
      CHECK_STATUS(ed25519::verify_batch(claims, profile), status);
      CHECK_STATUS(ed25519::verify_batch_deterministic(claims, profile), status);
      const auto verdicts = *ed25519::verify_many(claims, profile);
      std::vector<std::uint64_t> bad;
      for (std::size_t i = 0; i < verdicts.size(); ++i)
        if (verdicts[i] != PHALANX_OK) bad.push_back(i);
      CHECK(bad == batch["bad"][name.text].numbers());
      auto verifier = ed25519::BatchVerifier::deterministic(profile);
      for (const ed25519::Claim& claim : claims) verifier.add(claim.verifying_key, claim.message, claim.signature);
      CHECK_STATUS(verifier.verify(), status);
      verifier.clear();
      CHECK(verifier.size() == 0 && verifier.verify().ok());
    }
  }
}

void files(const json::Value& file) {
  for (const json::Value& item : file["cases"].list()) {
    check::here = item["id"].text;
    const SigningKey key = key_of(item);
    for (const char* der : {"pkcs8_v1_der", "pkcs8_v2_der"}) {
      const auto bytes = item[der].bytes();
      CHECK((*SigningKey::from_bytes(KeyFormat::pkcs8_der, bytes)).verifying_key() == key.verifying_key());
      CHECK(*ed25519::detect_key_format(bytes) == KeyFormat::pkcs8_der);
    }
    CHECK(*ed25519::verifying_key_from_bytes(KeyFormat::spki_der, item["spki_der"].bytes()) == key.verifying_key());
    CHECK(*ed25519::verifying_key_to_bytes(KeyFormat::spki_der, key.verifying_key()) == item["spki_der"].bytes());
    for (const KeyFormat format : {KeyFormat::raw, KeyFormat::keypair, KeyFormat::hex, KeyFormat::pkcs8_pem,
                                   KeyFormat::openssh, KeyFormat::jwk}) {
      const phalanx::SecretBytes bytes = *key.to_bytes(format);
      CHECK((*SigningKey::from_bytes(format, bytes)).verifying_key() == key.verifying_key());
    }
    CHECK(std::ranges::equal(key.seed().view(), item["seed"].bytes()));
    CHECK((*SigningKey::from_keypair(phalanx::BytesOf<64>(key.keypair().data(), 64))).verifying_key() ==
          key.verifying_key());
  }
  for (const json::Value& item : file["reject"].list()) {
    check::here = item["id"].text;
    const phalanx::Status wanted = item["error"].text == "KeyMismatch" ? PHALANX_ERROR_ED25519_KEY_MISMATCH
                                                                       : PHALANX_ERROR_ED25519_KEY_FORMAT;
    if (const json::Value* keypair = item.find("keypair")) {
      CHECK_STATUS(SigningKey::from_keypair(exactly<64>(keypair->bytes())), wanted);
    } else if (item["id"].text.starts_with("spki")) {
      CHECK_STATUS(ed25519::verifying_key_from_bytes(KeyFormat::spki_der, item["der"].bytes()), wanted);
    } else {
      CHECK_STATUS(SigningKey::from_bytes(KeyFormat::pkcs8_der, item["der"].bytes()), wanted);
    }
  }
  check::here = "open";
  const SigningKey key = *SigningKey::generate();
  CHECK((*SigningKey::open((*key.to_bytes(KeyFormat::openssh)).view())).verifying_key() == key.verifying_key());
  // Nothing in it is read before there is a password.
  const Bytes encrypted = phalanx::bytes("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMA==\n-----END ENCRYPTED PRIVATE KEY-----\n");
  CHECK_STATUS(SigningKey::open(encrypted), PHALANX_ERROR_ED25519_ENCRYPTED_KEY);
  CHECK(SigningKey::open(encrypted, phalanx::bytes("password")).status() != PHALANX_OK);
}

void contexts() {
  check::here = "contexts";
  const SigningKey key = *SigningKey::generate();
  const auto public_key = key.verifying_key();
  const Bytes message = phalanx::bytes("message");
  const Bytes context = phalanx::bytes("context");
  const auto ctx = *key.sign_ctx(message, context);
  CHECK(ed25519::verify_ctx(public_key, message, context, ctx).ok());
  CHECK_STATUS(ed25519::verify_ctx(public_key, message, phalanx::bytes("other"), ctx), PHALANX_ERROR_INVALID_SIGNATURE);
  CHECK_STATUS(ed25519::verify(public_key, message, ctx), PHALANX_ERROR_INVALID_SIGNATURE);
  const auto ph = *key.sign_ph(message, context);
  CHECK(ed25519::verify_ph(public_key, message, context, ph).ok());
  CHECK_STATUS(ed25519::verify_ctx(public_key, message, context, ph), PHALANX_ERROR_INVALID_SIGNATURE);
  const std::array<std::uint8_t, 64> digest{};
  const auto prehashed = *key.sign_prehashed(digest);
  CHECK(ed25519::verify_prehashed(public_key, digest, {}, prehashed).ok());
  const auto prepared = *ed25519::PreparedKey::create(public_key);
  CHECK(prepared.verify_ctx(message, context, ctx).ok());
  CHECK(prepared.verify_ph(message, context, ph).ok());
  CHECK(prepared.verify_prehashed(digest, {}, prehashed).ok());
  CHECK(ed25519::PreparedKey::table_size() > 1000);
  const Buffer long_context(256);
  CHECK_STATUS(key.sign_ctx(message, {}), PHALANX_ERROR_ED25519_CONTEXT_EMPTY);
  CHECK_STATUS(key.sign_ph(message, long_context), PHALANX_ERROR_ED25519_CONTEXT_TOO_LONG);

  const auto armored = *key.sign_ssh("file", message);
  CHECK(ed25519::verify_ssh(public_key, "file", message, armored).ok());
  CHECK_STATUS(ed25519::verify_ssh(public_key, "git", message, armored), PHALANX_ERROR_INVALID_SIGNATURE);
  CHECK_STATUS(ed25519::verify_ssh(public_key, "file", message, message), PHALANX_ERROR_ED25519_KEY_FORMAT);

  CHECK(!(*ed25519::check_verifying_key(public_key)).is_weak);
  Buffer identity(32);
  identity[0] = 1;
  CHECK((*ed25519::check_verifying_key(identity)).is_weak);
  CHECK(*ed25519::is_torsion_free(public_key));
  Buffer of_order_4(32);
  CHECK(!*ed25519::is_torsion_free(of_order_4));
  CHECK_STATUS(ed25519::is_torsion_free(Bytes(identity).first(31)), PHALANX_ERROR_INVALID_LENGTH);
  CHECK_STATUS(ed25519::check_verifying_key(Bytes(identity).first(31)), PHALANX_ERROR_INVALID_LENGTH);
  CHECK_STATUS(ed25519::profile_from_name("lenient"), PHALANX_ERROR_UNKNOWN_NAME);
}

}  // namespace

int main(int argc, char** argv) {
  // Under valgrind the long lists take ten minutes: with `brief` they are left out.
  const bool is_brief = argc == 3 && std::string_view(argv[2]) == "brief";
  if (argc != 2 && !is_brief) return EXIT_FAILURE;
  const std::string folder = std::string(argv[1]) + "/ed25519/";
  signing(json::read(folder + "rfc8032.json")["cases"]);
  noise(json::read(folder + "sign_noise.json")["cases"]);
  verdicts(json::read(folder + "speccheck.json"));
  files(json::read(folder + "keys.json"));
  contexts();
  if (is_brief) return check::finish(400);
  signing(json::read(folder + "sign_input.json")["cases"]);
  for (const char* file : {"cctv", "wycheproof"}) verdicts(json::read(folder + file + ".json"));
  batches(json::read(folder + "batches.json"));
  return check::finish(20000);
}
