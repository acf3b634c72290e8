// Ed25519 with named acceptance rules. `workers` arguments: a number of threads, 0 for all cores, or a Pool.
//
// Verifying keys and signatures are plain bytes: 32 and 64 of them. Other lengths do not verify.
#ifndef PHALANX_ED25519_HPP
#define PHALANX_ED25519_HPP

#include <phalanx/core.hpp>

namespace phalanx::ed25519 {

/// Which signatures are accepted at the edges where implementations differ.
enum class Profile : std::uint32_t {
  /// The default: no point of small order, no second encoding of R.
  strict = PHALANX_ED25519_PROFILE_STRICT,
  /// Single, many and batch verification agree by design.
  zip215 = PHALANX_ED25519_PROFILE_ZIP215,
  /// The cofactored equation and canonical encodings.
  rfc8032 = PHALANX_ED25519_PROFILE_RFC8032,
  /// The equation without cofactor, as most libraries check it.
  cofactorless = PHALANX_ED25519_PROFILE_COFACTORLESS,
  /// What the Zig standard library accepts.
  zig_std = PHALANX_ED25519_PROFILE_ZIG_STD,
};

/// Why a signature does not verify.
using Reason = phalanx_ed25519_reason;

/// The formats of key files.
enum class KeyFormat : std::uint32_t {
  raw = PHALANX_ED25519_KEY_FORMAT_RAW,
  keypair = PHALANX_ED25519_KEY_FORMAT_KEYPAIR,
  hex = PHALANX_ED25519_KEY_FORMAT_HEX,
  pkcs8_der = PHALANX_ED25519_KEY_FORMAT_PKCS8_DER,
  pkcs8_pem = PHALANX_ED25519_KEY_FORMAT_PKCS8_PEM,
  spki_der = PHALANX_ED25519_KEY_FORMAT_SPKI_DER,
  spki_pem = PHALANX_ED25519_KEY_FORMAT_SPKI_PEM,
  openssh = PHALANX_ED25519_KEY_FORMAT_OPENSSH,
  jwk = PHALANX_ED25519_KEY_FORMAT_JWK,
  /// For reading: whichever of these the bytes are.
  any = PHALANX_ED25519_KEY_FORMAT_ANY,
};

/// What ssh-keygen hashes messages with.
enum class SshHash : std::uint32_t {
  sha512 = PHALANX_ED25519_SSH_HASH_SHA512,
  sha256 = PHALANX_ED25519_SSH_HASH_SHA256,
};

/// A verifying key.
using VerifyingKey = std::array<std::uint8_t, PHALANX_ED25519_VERIFYING_KEY_BYTES>;
/// A signature.
using Signature = std::array<std::uint8_t, PHALANX_ED25519_SIGNATURE_BYTES>;
/// The SHA-512 digest of a message, for Ed25519ph.
using Digest = BytesOf<PHALANX_ED25519_DIGEST_BYTES>;

namespace detail {
using namespace phalanx::detail;

template <typename Choice>
std::uint32_t number(Choice choice) {
  return static_cast<std::uint32_t>(choice);
}

/// Bytes of a fixed number that `call(bytes)` writes.
template <typename Array, typename Call>
Result<Array> array(Call call) {
  Array bytes;
  const Status status = call(bytes.data());
  if (status != PHALANX_OK) return status;
  return bytes;
}

}  // namespace detail

inline std::string_view name(Profile profile) { return phalanx_ed25519_profile_name(detail::number(profile)); }

/// The profile called `name`, a text that ends with a zero byte.
inline Result<Profile> profile_from_name(const char* name) {
  std::uint32_t number = 0;
  const Status status = phalanx_ed25519_profile_from_name(&number, name);
  if (status != PHALANX_OK) return status;
  return static_cast<Profile>(number);
}

/// Whether single and batch equation agree on every input under this profile.
inline bool is_batch_consistent(Profile profile) {
  return phalanx_ed25519_profile_is_batch_consistent(detail::number(profile));
}

/// The sentence of a reason.
inline std::string_view message(Reason reason) {
  return phalanx_ed25519_reason_string(static_cast<std::uint32_t>(reason));
}

/// Which format bytes look like; reading them decides.
inline Result<KeyFormat> detect_key_format(Bytes bytes) {
  std::uint32_t format = 0;
  const Status status = phalanx_ed25519_key_format_detect(&format, bytes.data(), bytes.size());
  if (status != PHALANX_OK) return status;
  return static_cast<KeyFormat>(format);
}

// ---- signing ----

/// A signing key. Moved, never copied; wiped when it goes.
class SigningKey {
 public:
  /// Makes a key from the system's randomness.
  static Result<SigningKey> generate() {
    return create([](phalanx_ed25519_signing_key** key) { return phalanx_ed25519_signing_key_generate(key); });
  }
  /// The key of a seed, which is the private key of RFC 8032.
  static Result<SigningKey> from_seed(BytesOf<PHALANX_ED25519_SEED_BYTES> seed) {
    return create([&](phalanx_ed25519_signing_key** key) {
      return phalanx_ed25519_signing_key_from_seed(key, seed.data());
    });
  }
  /// The key of a seed with the public key behind it, as NaCl, Zig and Go keep it.
  static Result<SigningKey> from_keypair(BytesOf<PHALANX_ED25519_KEYPAIR_BYTES> keypair) {
    return create([&](phalanx_ed25519_signing_key** key) {
      return phalanx_ed25519_signing_key_from_keypair(key, keypair.data());
    });
  }
  /// Reads a key file. Encrypted ones are refused: see `open`.
  static Result<SigningKey> from_bytes(KeyFormat format, Bytes bytes) {
    return create([&](phalanx_ed25519_signing_key** key) {
      return phalanx_ed25519_signing_key_from_bytes(key, detail::number(format), bytes.data(), bytes.size());
    });
  }
  /// Reads a key file, whatever its form, minisign's and keystores too, and opens it if it is encrypted.
  static Result<SigningKey> open(Bytes bytes, Bytes password = {}) {
    return create([&](phalanx_ed25519_signing_key** key) {
      return phalanx_ed25519_signing_key_open(key, bytes.data(), bytes.size(), password.data(), password.size());
    });
  }

  /// The key in a format of key files, secret part included.
  Result<SecretBytes> to_bytes(KeyFormat format) const {
    return detail::filled_secret([&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return phalanx_ed25519_signing_key_to_bytes(get(), buffer, capacity, length, detail::number(format));
    });
  }
  /// The seed.
  SecretBytes seed() const {
    return secret<PHALANX_ED25519_SEED_BYTES>(phalanx_ed25519_signing_key_seed);
  }
  /// The seed with the public key behind it.
  SecretBytes keypair() const {
    return secret<PHALANX_ED25519_KEYPAIR_BYTES>(phalanx_ed25519_signing_key_keypair);
  }
  VerifyingKey verifying_key() const {
    return *detail::array<VerifyingKey>(
        [&](std::uint8_t* out) { return phalanx_ed25519_signing_key_verifying_key(get(), out); });
  }

  /// Signs a message, as RFC 8032 says.
  Signature sign(Bytes message) const {
    return *detail::array<Signature>([&](std::uint8_t* out) {
      return phalanx_ed25519_sign(get(), out, message.data(), message.size());
    });
  }
  /// Signs with 32 bytes of noise hashed in, which need not be secret.
  Signature sign_with_noise(Bytes message, BytesOf<32> noise) const {
    return *detail::array<Signature>([&](std::uint8_t* out) {
      return phalanx_ed25519_sign_with_noise(get(), out, message.data(), message.size(), noise.data());
    });
  }
  /// Signs, and verifies the signature before it is released.
  Result<Signature> sign_checked(Bytes message) const {
    return detail::array<Signature>([&](std::uint8_t* out) {
      return phalanx_ed25519_sign_checked(get(), out, message.data(), message.size());
    });
  }
  /// Ed25519ctx, with a context of 1 to 255 bytes.
  Result<Signature> sign_ctx(Bytes message, Bytes context) const {
    return detail::array<Signature>([&](std::uint8_t* out) {
      return phalanx_ed25519_sign_ctx(get(), out, message.data(), message.size(), context.data(), context.size());
    });
  }
  /// Ed25519ph, with a context of 0 to 255 bytes.
  Result<Signature> sign_ph(Bytes message, Bytes context = {}) const {
    return detail::array<Signature>([&](std::uint8_t* out) {
      return phalanx_ed25519_sign_ph(get(), out, message.data(), message.size(), context.data(), context.size());
    });
  }
  /// Ed25519ph of a message whose digest the caller has computed.
  Result<Signature> sign_prehashed(Digest digest, Bytes context = {}) const {
    return detail::array<Signature>([&](std::uint8_t* out) {
      return phalanx_ed25519_sign_prehashed(get(), out, digest.data(), context.data(), context.size());
    });
  }
  /// The armored file that `ssh-keygen -Y sign` writes. `ssh_namespace` says what the signature is for ("file", "git"): a
  /// text that ends with a zero byte.
  Result<std::vector<std::uint8_t>> sign_ssh(const char* ssh_namespace, Bytes message,
                                             SshHash hash = SshHash::sha512) const {
    return detail::filled(1024, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
      return phalanx_ed25519_sshsig_sign(get(), buffer, capacity, length, ssh_namespace, detail::number(hash),
                                         message.data(), message.size());
    });
  }

  /// Takes over a C handle.
  static SigningKey take(phalanx_ed25519_signing_key* key) { return SigningKey(key); }
  /// The C handle, which remains this object's.
  const phalanx_ed25519_signing_key* get() const { return handle_.get(); }

 private:
  explicit SigningKey(phalanx_ed25519_signing_key* key) : handle_(key) {}

  template <typename Call>
  static Result<SigningKey> create(Call call) {
    phalanx_ed25519_signing_key* key = nullptr;
    const Status status = call(&key);
    if (status != PHALANX_OK) return status;
    return SigningKey(key);
  }

  template <std::size_t Size, typename Call>
  SecretBytes secret(Call call) const {
    std::vector<std::uint8_t> bytes(Size);
    detail::must(call(get(), bytes.data()));
    return SecretBytes(std::move(bytes));
  }

  detail::Handle<phalanx_ed25519_signing_key, phalanx_ed25519_signing_key_free> handle_;
};

/// Signs each message with the key beside it, side by side: `keys` and `messages` are of one length, else
/// PHALANX_ERROR_INVALID_LENGTH.
inline Result<std::vector<Signature>> sign_many(std::span<const SigningKey* const> keys,
                                                std::span<const Bytes> messages, Workers workers = 1) {
  if (keys.size() != messages.size()) return PHALANX_ERROR_INVALID_LENGTH;
  const auto handles =
      detail::each<const phalanx_ed25519_signing_key*>(keys, [](const SigningKey* key) { return key->get(); });
  const auto list = detail::lists(messages);
  std::vector<Signature> signatures(keys.size());
  static_assert(sizeof(Signature) == PHALANX_ED25519_SIGNATURE_BYTES, "signatures lie side by side, as C sees them");
  std::uint8_t* const out = signatures.empty() ? nullptr : signatures[0].data();
  const Status status = workers.call<phalanx_ed25519_sign_many, phalanx_ed25519_sign_many_on>(
      out, handles.data(), list.data(), handles.size());
  if (status != PHALANX_OK) return status;
  return signatures;
}

// ---- verifying keys ----

/// What a verifying key is like.
struct KeyCheck {
  /// Whether its bytes are the canonical encoding of the point.
  bool is_canonical = false;
  /// Whether the point has small order, so that signatures under it mean nothing.
  bool is_weak = false;
};

/// Looks at a verifying key. PHALANX_ERROR_ED25519_INVALID_KEY if the bytes encode no point.
inline Result<KeyCheck> check_verifying_key(Bytes key) {
  KeyCheck check;
  const Status status =
      phalanx_ed25519_verifying_key_check(&check.is_canonical, &check.is_weak, key.data(), key.size());
  if (status != PHALANX_OK) return status;
  return check;
}

/// Whether a verifying key lies in the subgroup of prime order, as every generated key does. Takes as long as a
/// verification. PHALANX_ERROR_ED25519_INVALID_KEY if the bytes encode no point.
inline Result<bool> is_torsion_free(Bytes key) {
  bool answer = false;
  const Status status = phalanx_ed25519_verifying_key_is_torsion_free(&answer, key.data(), key.size());
  if (status != PHALANX_OK) return status;
  return answer;
}

/// Reads the verifying key of a key file.
inline Result<VerifyingKey> verifying_key_from_bytes(KeyFormat format, Bytes bytes) {
  return detail::array<VerifyingKey>([&](std::uint8_t* out) {
    return phalanx_ed25519_verifying_key_from_bytes(out, detail::number(format), bytes.data(), bytes.size());
  });
}
/// A verifying key as a key file.
inline Result<std::vector<std::uint8_t>> verifying_key_to_bytes(KeyFormat format, const VerifyingKey& key) {
  return detail::filled(256, [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
    return phalanx_ed25519_verifying_key_to_bytes(buffer, capacity, length, detail::number(format), key.data());
  });
}

// ---- verification ----

/// A signature with what it claims: that the key signed the message.
struct Claim {
  Bytes verifying_key;
  Bytes message;
  Bytes signature;
};

namespace detail {
inline std::vector<phalanx_ed25519_claim> lists(std::span<const Claim> claims) {
  return each<phalanx_ed25519_claim>(claims, [](const Claim& claim) {
    return phalanx_ed25519_claim{claim.verifying_key.data(), claim.verifying_key.size(), claim.message.data(),
                                 claim.message.size(),       claim.signature.data(),     claim.signature.size()};
  });
}
}  // namespace detail

/// Whether the key signed the message: PHALANX_OK or PHALANX_ERROR_INVALID_SIGNATURE.
inline Result<void> verify(Bytes key, Bytes message, Bytes signature, Profile profile = Profile::strict) {
  return phalanx_ed25519_verify(detail::number(profile), key.data(), key.size(), message.data(), message.size(),
                                signature.data(), signature.size());
}
/// As verify; `reason` learns which check fails first.
inline Result<void> explain(Reason& reason, Bytes key, Bytes message, Bytes signature,
                            Profile profile = Profile::strict) {
  std::uint32_t number = PHALANX_ED25519_REASON_NONE;
  const Status status = phalanx_ed25519_explain(&number, detail::number(profile), key.data(), key.size(), message.data(),
                                                message.size(), signature.data(), signature.size());
  reason = static_cast<Reason>(number);
  return status;
}
/// Ed25519ctx.
inline Result<void> verify_ctx(Bytes key, Bytes message, Bytes context, Bytes signature,
                               Profile profile = Profile::strict) {
  return phalanx_ed25519_verify_ctx(detail::number(profile), key.data(), key.size(), message.data(), message.size(),
                                    context.data(), context.size(), signature.data(), signature.size());
}
/// Ed25519ph.
inline Result<void> verify_ph(Bytes key, Bytes message, Bytes context, Bytes signature,
                              Profile profile = Profile::strict) {
  return phalanx_ed25519_verify_ph(detail::number(profile), key.data(), key.size(), message.data(), message.size(),
                                   context.data(), context.size(), signature.data(), signature.size());
}
/// Ed25519ph, of a message whose digest the caller has computed.
inline Result<void> verify_prehashed(Bytes key, Digest digest, Bytes context, Bytes signature,
                                     Profile profile = Profile::strict) {
  return phalanx_ed25519_verify_prehashed(detail::number(profile), key.data(), key.size(), digest.data(),
                                          context.data(), context.size(), signature.data(), signature.size());
}
/// Whether the key signed the message for `ssh_namespace`, by the armored file.
inline Result<void> verify_ssh(const VerifyingKey& key, const char* ssh_namespace, Bytes message, Bytes file,
                               Profile profile = Profile::strict) {
  return phalanx_ed25519_sshsig_verify(detail::number(profile), key.data(), ssh_namespace, message.data(),
                                       message.size(), file.data(), file.size());
}

/// Verifies claims side by side: for each what verify says about it.
inline Result<std::vector<Status>> verify_many(std::span<const Claim> claims, Profile profile = Profile::strict,
                                               Workers workers = 1) {
  const auto list = detail::lists(claims);
  std::vector<Status> results(claims.size(), PHALANX_ERROR_INTERNAL);
  const Status status = workers.call<phalanx_ed25519_verify_many, phalanx_ed25519_verify_many_on>(
      results.data(), detail::number(profile), list.data(), list.size());
  if (status != PHALANX_OK && status != PHALANX_ERROR_INVALID_SIGNATURE) return status;
  return results;
}
/// Packed records, such as rows of a table: see phalanx_ed25519_records.
using Records = phalanx_ed25519_records;
/// verify_many of `count` packed records.
inline Result<std::vector<Status>> verify_records(const Records& records, std::size_t count,
                                                  Profile profile = Profile::strict, Workers workers = 1) {
  std::vector<Status> results(count, PHALANX_ERROR_INTERNAL);
  const Status status = workers.call<phalanx_ed25519_verify_records, phalanx_ed25519_verify_records_on>(
      results.data(), detail::number(profile), &records, count);
  if (status != PHALANX_OK && status != PHALANX_ERROR_INVALID_SIGNATURE) return status;
  return results;
}
/// Whether all claims hold: one answer.
inline Result<void> verify_batch(std::span<const Claim> claims, Profile profile, Workers workers = 1) {
  const auto list = detail::lists(claims);
  return workers.call<phalanx_ed25519_verify_batch, phalanx_ed25519_verify_batch_on>(detail::number(profile),
                                                                                     list.data(), list.size());
}
/// The same with coefficients from the hash of the batch alone: the same on every machine and in every run.
inline Result<void> verify_batch_deterministic(std::span<const Claim> claims, Profile profile) {
  const auto list = detail::lists(claims);
  return phalanx_ed25519_verify_batch_deterministic(detail::number(profile), list.data(), list.size());
}

/// A verifying key with tables of its multiples: each verification takes about half the time. Moved, never copied.
class PreparedKey {
 public:
  /// Takes about as long as four verifications.
  static Result<PreparedKey> create(Bytes key) {
    phalanx_ed25519_prepared_key* prepared = nullptr;
    const Status status = phalanx_ed25519_prepared_key_new(&prepared, key.data(), key.size());
    if (status != PHALANX_OK) return status;
    return PreparedKey(prepared);
  }

  /// The size of the tables of one key, in bytes.
  static std::size_t table_size() { return phalanx_ed25519_prepared_key_size(); }

  VerifyingKey verifying_key() const {
    return *detail::array<VerifyingKey>(
        [&](std::uint8_t* out) { return phalanx_ed25519_prepared_key_verifying_key(handle_.get(), out); });
  }
  Result<void> verify(Bytes message, Bytes signature, Profile profile = Profile::strict) const {
    return phalanx_ed25519_prepared_key_verify(handle_.get(), detail::number(profile), message.data(), message.size(),
                                               signature.data(), signature.size());
  }
  Result<void> verify_ctx(Bytes message, Bytes context, Bytes signature, Profile profile = Profile::strict) const {
    return phalanx_ed25519_prepared_key_verify_ctx(handle_.get(), detail::number(profile), message.data(),
                                                   message.size(), context.data(), context.size(), signature.data(),
                                                   signature.size());
  }
  Result<void> verify_ph(Bytes message, Bytes context, Bytes signature, Profile profile = Profile::strict) const {
    return phalanx_ed25519_prepared_key_verify_ph(handle_.get(), detail::number(profile), message.data(), message.size(),
                                                  context.data(), context.size(), signature.data(), signature.size());
  }
  Result<void> verify_prehashed(Digest digest, Bytes context, Bytes signature,
                                Profile profile = Profile::strict) const {
    return phalanx_ed25519_prepared_key_verify_prehashed(handle_.get(), detail::number(profile), digest.data(),
                                                         context.data(), context.size(), signature.data(),
                                                         signature.size());
  }

 private:
  explicit PreparedKey(phalanx_ed25519_prepared_key* key) : handle_(key) {}

  detail::Handle<phalanx_ed25519_prepared_key, phalanx_ed25519_prepared_key_free> handle_;
};

/// Collects signatures and verifies them together. Moved, never copied.
class BatchVerifier {
 public:
  explicit BatchVerifier(Profile profile) : BatchVerifier(profile, phalanx_ed25519_batch_new) {}
  /// With coefficients from the hash of the batch alone.
  static BatchVerifier deterministic(Profile profile) {
    return BatchVerifier(profile, phalanx_ed25519_batch_new_deterministic);
  }

  /// Adds an entry; nothing of the caller's memory is kept.
  void add(Bytes key, Bytes message, Bytes signature) {
    detail::must(phalanx_ed25519_batch_add(handle_.get(), key.data(), key.size(), message.data(), message.size(),
                                           signature.data(), signature.size()));
  }
  std::size_t size() const { return phalanx_ed25519_batch_len(handle_.get()); }
  /// Forgets all entries.
  void clear() { detail::must(phalanx_ed25519_batch_clear(handle_.get())); }

  /// Whether every entry verifies. The entries stay.
  Result<void> verify(Workers workers = 1) {
    Status* const none = nullptr;
    return workers.call<phalanx_ed25519_batch_verify, phalanx_ed25519_batch_verify_on>(handle_.get(), none,
                                                                                       std::size_t{0});
  }
  /// A result for each entry, in the order of adding.
  Result<std::vector<Status>> verify_each(Workers workers = 1) {
    std::vector<Status> results(size(), PHALANX_ERROR_INTERNAL);
    const Status status = workers.call<phalanx_ed25519_batch_verify, phalanx_ed25519_batch_verify_on>(
        handle_.get(), results.data(), results.size());
    if (status != PHALANX_OK && status != PHALANX_ERROR_INVALID_SIGNATURE) return status;
    return results;
  }

 private:
  BatchVerifier(Profile profile, Status (*create)(phalanx_ed25519_batch**, std::uint32_t)) {
    phalanx_ed25519_batch* batch = nullptr;
    detail::must(create(&batch, detail::number(profile)));
    handle_.reset(batch);
  }

  detail::Handle<phalanx_ed25519_batch, phalanx_ed25519_batch_free> handle_;
};

}  // namespace phalanx::ed25519

#endif
