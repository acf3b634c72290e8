// Custody: keys that never sign an epoch twice. A ledger on the disk, keys that sign only through it, encrypted key files.
//
// Only where phalanx.h defines PHALANX_HAS_CUSTODY. Roles, states, flags and standings are those of phalanx.h, and so are
// the rules; configurations are texts in TOML, described at phalanx_ledger_open.
#ifndef PHALANX_CUSTODY_HPP
#define PHALANX_CUSTODY_HPP

#include <phalanx/ed25519.hpp>
#include <phalanx/xmss.hpp>

#ifdef PHALANX_HAS_CUSTODY

#include <string>

namespace phalanx {

/// The name of a key, by which ledgers know it. All keys of one seed have the same.
using KeyId = std::array<std::uint8_t, PHALANX_KEY_ID_BYTES>;
using KeyRole = phalanx_key_role;
using Standing = phalanx_standing;

/// The name of a key.
inline Result<KeyId> key_id(const xmss::SigningKey& key) {
  KeyId id;
  const Status status = phalanx_xmss_signing_key_id(key.handle(), id.data());
  if (status != PHALANX_OK) return status;
  return id;
}

/// An open ledger of used epochs. Moved, never copied. Several threads may use it at the same time. It is closed when it
/// and the keys that it guards have gone.
class Ledger {
 public:
  /// Makes an empty ledger in the folder `path`: once in the life of a set of keys.
  static Result<void> create(const char* path, const char* config_toml = nullptr) {
    return phalanx_ledger_create(path, config_toml);
  }

  /// Opens a ledger, for this process alone, and checks it. `why`, if given, is told the reason of a refusal.
  static Result<Ledger> open(const char* path, const char* config_toml = nullptr, std::string* why = nullptr) {
    std::array<char, 512> text{};
    phalanx_ledger* ledger = nullptr;
    const Status status = phalanx_ledger_open_explained(&ledger, text.data(), text.size(), path, config_toml);
    if (why != nullptr) *why = text.data();
    if (status != PHALANX_OK) return status;
    return Ledger(ledger);
  }

  /// Registers a key that has just been made, before it is written anywhere. Nothing below `low` is ever signed.
  Result<void> register_key(const xmss::SigningKey& key, KeyRole role, std::uint64_t low = 0) {
    return phalanx_ledger_register(handle_.get(), key.handle(), static_cast<std::uint32_t>(role), low);
  }

  /// An operator answers for a key that has been elsewhere, or is quarantined: it has signed nothing from
  /// `i_accept_epoch` on.
  Result<void> adopt(const xmss::SigningKey& key, KeyRole role, std::uint64_t i_accept_epoch, const char* reason) {
    return phalanx_ledger_adopt(handle_.get(), key.handle(), static_cast<std::uint32_t>(role), i_accept_epoch, reason);
  }

  /// Nothing new below `low` is signed any more.
  Result<void> raise_low(const KeyId& key, std::uint64_t low, const char* reason) {
    return phalanx_ledger_raise_low(handle_.get(), key.data(), low, reason);
  }

  /// The key signs nothing until it was adopted.
  Result<void> quarantine(const KeyId& key, const char* reason) {
    return phalanx_ledger_quarantine(handle_.get(), key.data(), reason);
  }

  /// Where a key stands.
  Result<Standing> standing(const KeyId& key) const {
    Standing standing{};
    const Status status = phalanx_ledger_standing(handle_.get(), &standing, key.data());
    if (status != PHALANX_OK) return status;
    return standing;
  }

  /// Whether the ledger answers.
  Result<void> health() const { return phalanx_ledger_health(handle_.get()); }

  /// The C handle, for functions of phalanx.h.
  phalanx_ledger* handle() const noexcept { return handle_.get(); }

 private:
  explicit Ledger(phalanx_ledger* ledger) : handle_(ledger) {}

  detail::Handle<phalanx_ledger, phalanx_ledger_free> handle_;
};

/// A signature in SSZ, and whether it was given before.
struct GuardedSignature {
  std::vector<std::uint8_t> bytes;
  bool repeated = false;
};

/// A signing key and the ledger that every signature of it goes through. Moved, never copied; wiped when it goes. Several
/// threads may use it at the same time.
class GuardedKey {
 public:
  /// Guards `key` by a ledger that knows it. The key is taken over; after an error it is still there.
  static Result<GuardedKey> create(const Ledger& ledger, xmss::SigningKey&& key) {
    phalanx_guarded_key* guarded = nullptr;
    const Status status = phalanx_guarded_key_new(&guarded, ledger.handle(), key.handle());
    if (status != PHALANX_OK) return status;
    (void)key.release();
    return GuardedKey(guarded);
  }

  /// Signs, if the ledger gives the epoch to the message: then both are on the disk. The same message again gives the
  /// identical signature. PHALANX_ERROR_LEDGER_EPOCH_USED and its neighbours.
  Result<GuardedSignature> sign(std::uint32_t epoch, xmss::Message message) {
    GuardedSignature signature;
    auto bytes = detail::filled(PHALANX_XMSS_SIGNATURE_BYTES_MAX,
                                [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                                  return phalanx_guarded_key_sign(handle_.get(), buffer, capacity, length,
                                                                  &signature.repeated, epoch, message.data());
                                });
    if (!bytes) return bytes.status();
    signature.bytes = *std::move(bytes);
    return signature;
  }

  /// The key that verifies what this one signs.
  Result<std::vector<std::uint8_t>> verifying_key(xmss::Format format) const {
    return detail::filled(PHALANX_XMSS_VERIFYING_KEY_BYTES_MAX,
                          [&](std::uint8_t* buffer, std::size_t capacity, std::size_t* length) {
                            return phalanx_guarded_key_verifying_key(handle_.get(), buffer, capacity, length,
                                                                     xmss::detail::number(format));
                          });
  }

  /// The name of the key.
  KeyId id() const {
    KeyId id;
    detail::must(phalanx_guarded_key_id(handle_.get(), id.data()));
    return id;
  }

  /// The epochs that the key can sign now, without computing a bottom tree.
  xmss::Interval prepared_interval() const {
    return xmss::detail::interval([&](std::uint64_t* start, std::uint64_t* end) {
      return phalanx_guarded_key_prepared_interval(handle_.get(), start, end);
    });
  }

  /// The C handle, for functions of phalanx.h.
  phalanx_guarded_key* handle() const noexcept { return handle_.get(); }

 private:
  explicit GuardedKey(phalanx_guarded_key* key) : handle_(key) {}

  detail::Handle<phalanx_guarded_key, phalanx_guarded_key_free> handle_;
};

/// A signature that is wanted.
struct Wanted {
  GuardedKey* key;
  std::uint32_t epoch;
  xmss::Message message;
};

/// Signs many, whose epochs are made durable together where the keys are of one ledger: for each what GuardedKey::sign says.
inline std::vector<Result<GuardedSignature>> sign_many(std::span<const Wanted> wanted, std::uint32_t threads = 1) {
  std::vector<std::vector<std::uint8_t>> room(wanted.size());
  std::vector<phalanx_sign_item> items;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    room[i].resize(PHALANX_XMSS_SIGNATURE_BYTES_MAX);
    const Wanted& one = wanted[i];
    items.push_back({one.key == nullptr ? nullptr : one.key->handle(), one.epoch, one.message.data(), room[i].data(),
                     room[i].size(), 0, false, PHALANX_ERROR_INTERNAL});
  }
  // What it answers as a whole stands in the items, too.
  (void)!phalanx_guarded_key_sign_many(items.data(), items.size(), threads);
  std::vector<Result<GuardedSignature>> answers;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].status != PHALANX_OK) {
      answers.emplace_back(items[i].status);
      continue;
    }
    room[i].resize(items[i].signature_len);
    answers.emplace_back(GuardedSignature{std::move(room[i]), items[i].repeated});
  }
  return answers;
}

/// Encrypted key files: EIP-8310 version 5. `flags` are of phalanx_keystore_flags.
namespace keystore {

using Info = phalanx_keystore_info;

/// What a keystore says of its key, without its password: none of it is proved.
inline Result<Info> inspect(Bytes file) {
  Info info{};
  const Status status = phalanx_keystore_read(nullptr, &info, file.data(), file.size(), nullptr, 0, 0);
  if (status != PHALANX_OK) return status;
  return info;
}

/// The key in the bytes of a keystore, computed from its secret on this thread.
inline Result<xmss::SigningKey> read(Bytes file, Bytes password, std::uint32_t flags = 0) {
  phalanx_xmss_signing_key* key = nullptr;
  const Status status =
      phalanx_keystore_read(&key, nullptr, file.data(), file.size(), password.data(), password.size(), flags);
  if (status != PHALANX_OK) return status;
  return xmss::SigningKey::take(key);
}

/// The same of a key of Ed25519, which needs no ledger.
inline Result<ed25519::SigningKey> read_ed25519(Bytes file, Bytes password, std::uint32_t flags = 0) {
  phalanx_ed25519_signing_key* key = nullptr;
  const Status status = phalanx_keystore_read_ed25519(&key, nullptr, file.data(), file.size(), password.data(),
                                                      password.size(), flags);
  if (status != PHALANX_OK) return status;
  return ed25519::SigningKey::take(key);
}

/// The key in the file at `path`, which its owner alone may read.
inline Result<xmss::SigningKey> load(const char* path, Bytes password, std::uint32_t flags = 0,
                                     std::uint32_t threads = 1) {
  phalanx_xmss_signing_key* key = nullptr;
  const Status status =
      phalanx_keystore_load(&key, nullptr, path, password.data(), password.size(), flags, threads);
  if (status != PHALANX_OK) return status;
  return xmss::SigningKey::take(key);
}

/// Writes a key that was made from `seed`, and is registered with its ledger, to a new keystore at `path`.
inline Result<void> write(const char* path, const xmss::SigningKey& key, BytesOf<PHALANX_XMSS_SEED_BYTES> seed,
                          KeyRole role, Bytes password, const char* description = nullptr, std::uint32_t flags = 0) {
  return phalanx_keystore_write(path, key.handle(), seed.data(), static_cast<std::uint32_t>(role), password.data(),
                                password.size(), description, flags);
}

}  // namespace keystore

}  // namespace phalanx

#endif
#endif
