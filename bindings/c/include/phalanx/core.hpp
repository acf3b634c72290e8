// What all headers of phalanx for C++ share: results, errors, bytes, handles.
//
// Errors are values: a function that can fail answers a Result, which the compiler warns about when it is dropped. A
// signature that does not verify, or an epoch that has signed already, is an ordinary answer to deal with at the place of
// the call, and a bool or an exception would be easier to overlook. Who prefers exceptions writes `.value()`, which throws
// phalanx::Error where there is no value. Without exceptions (-fno-exceptions), `.value()` ends the process there
// instead; `if (result)`, `.status()` and `*result` are the same in both worlds.
#ifndef PHALANX_CORE_HPP
#define PHALANX_CORE_HPP

#include <phalanx.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions) && !defined(PHALANX_NO_EXCEPTIONS)
#define PHALANX_HAS_EXCEPTIONS 1
#include <exception>
#else
#define PHALANX_HAS_EXCEPTIONS 0
#endif

namespace phalanx {

/// What the library answers: PHALANX_OK or one kind of error, by the names of phalanx.h.
using Status = phalanx_status;

/// The sentence of a status.
inline const char* message(Status status) noexcept {
  return phalanx_status_string(static_cast<std::uint32_t>(status));
}

/// What kind of error a status is.
enum class Family : std::uint32_t {
  ok = PHALANX_FAMILY_OK,
  does_not_verify = PHALANX_FAMILY_DOES_NOT_VERIFY,
  malformed = PHALANX_FAMILY_MALFORMED,
  refused = PHALANX_FAMILY_REFUSED,
  caller = PHALANX_FAMILY_CALLER,
  system = PHALANX_FAMILY_SYSTEM,
};

/// The family of a status.
inline Family family(Status status) noexcept {
  return static_cast<Family>(phalanx_status_family(static_cast<std::uint32_t>(status)));
}

#if PHALANX_HAS_EXCEPTIONS
/// Thrown by `value()` of a Result that has none.
class Error : public std::exception {
 public:
  explicit Error(Status status) noexcept : status_(status) {}
  const char* what() const noexcept override { return message(status_); }
  Status status() const noexcept { return status_; }

 private:
  Status status_;
};
#endif

namespace detail {

[[noreturn]] inline void fail([[maybe_unused]] Status status) {
#if PHALANX_HAS_EXCEPTIONS
  throw Error(status);
#else
  std::abort();
#endif
}

/// For calls that have no error with the arguments they are given.
inline void must(Status status) {
  if (status != PHALANX_OK) fail(status);
}

}  // namespace detail

/// A value, or the reason why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  /// Of an error; never of PHALANX_OK.
  Result(Status error) : status_(error) {
    if (error == PHALANX_OK) std::abort();
  }

  bool ok() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  Status status() const noexcept { return ok() ? PHALANX_OK : status_; }
  const char* message() const noexcept { return phalanx::message(status()); }

  /// The value. Throws Error if there is none; without exceptions, ends the process. Of a Result that is about to go it is
  /// handed over, not referred to.
  T& value() & { return check(), *value_; }
  const T& value() const& { return check(), *value_; }
  T value() && { return check(), std::move(*value_); }

  /// The same as value().
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void check() const {
    if (!ok()) detail::fail(status_);
  }

  std::optional<T> value_;
  Status status_ = PHALANX_OK;
};

/// Success, or the reason why not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result(Status status) noexcept : status_(status) {}

  bool ok() const noexcept { return status_ == PHALANX_OK; }
  explicit operator bool() const noexcept { return ok(); }
  Status status() const noexcept { return status_; }
  const char* message() const noexcept { return phalanx::message(status_); }
  /// Nothing. Throws Error unless it is success; without exceptions, ends the process.
  void value() const { detail::must(status_); }

 private:
  Status status_;
};

// ---- bytes ----

/// Bytes of the caller's.
using Bytes = std::span<const std::uint8_t>;
/// N of them.
template <std::size_t N>
using BytesOf = std::span<const std::uint8_t, N>;

/// The bytes of a text.
inline Bytes bytes(std::string_view text) noexcept {
  // Bytes may be looked at as any kind of character.
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Bytes that are wiped when they go: an encoded secret key. Moved, never copied.
class SecretBytes {
 public:
  SecretBytes() = default;
  /// Takes the bytes over.
  explicit SecretBytes(std::vector<std::uint8_t> bytes) noexcept : bytes_(std::move(bytes)) {}
  SecretBytes(SecretBytes&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  SecretBytes& operator=(SecretBytes&& other) noexcept {
    if (this != &other) {
      wipe();
      bytes_ = std::exchange(other.bytes_, {});
    }
    return *this;
  }
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  ~SecretBytes() { wipe(); }

  Bytes view() const noexcept { return bytes_; }
  operator Bytes() const noexcept { return bytes_; }
  const std::uint8_t* data() const noexcept { return bytes_.data(); }
  std::size_t size() const noexcept { return bytes_.size(); }

 private:
  void wipe() noexcept { phalanx_wipe(bytes_.data(), bytes_.size()); }

  std::vector<std::uint8_t> bytes_;
};

namespace detail {

/// Ends what a handle names.
template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* handle) const noexcept {
    Free(handle);
  }
};

/// Owns a handle: moved, never copied.
template <typename T, auto Free>
using Handle = std::unique_ptr<T, Freer<Free>>;

/// What `call(buffer, capacity, &length)` writes; `expected` bytes are tried first.
template <typename Call>
Result<std::vector<std::uint8_t>> filled(std::size_t expected, Call call) {
  std::vector<std::uint8_t> buffer(expected);
  std::size_t length = 0;
  Status status = call(buffer.data(), buffer.size(), &length);
  if (status == PHALANX_ERROR_BUFFER_TOO_SMALL) {
    buffer.assign(length, 0);
    status = call(buffer.data(), buffer.size(), &length);
  }
  if (status != PHALANX_OK) return status;
  buffer.resize(length);
  return buffer;
}

/// The same for secrets.
template <typename Call>
Result<SecretBytes> filled_secret(Call call) {
  // Nothing is written before there is room for all of it, so that nothing has to be moved.
  auto bytes = filled(0, call);
  if (!bytes) return bytes.status();
  return SecretBytes(std::move(*bytes));
}

/// `get` of each item: lists as the C functions take them.
template <typename To, typename From, typename Get>
std::vector<To> each(std::span<From> items, Get get) {
  std::vector<To> list;
  list.reserve(items.size());
  for (const auto& item : items) list.push_back(get(item));
  return list;
}

/// Byte strings as the C functions take them.
inline std::vector<phalanx_bytes> lists(std::span<const Bytes> items) {
  return each<phalanx_bytes>(items, [](Bytes item) { return phalanx_bytes{item.data(), item.size()}; });
}

}  // namespace detail

// ---- threads ----

/// Threads that wait for work, so that calls need not start any. Moved, never copied. Several threads may use it at the same
/// time; a process that forks makes a pool of its own in the child.
class Pool {
 public:
  /// Of `threads` threads, the calling one included; 0 is one for each core.
  static Result<Pool> create(std::uint32_t threads = 0) {
    phalanx_pool* pool = nullptr;
    const Status status = phalanx_pool_new(&pool, threads);
    if (status != PHALANX_OK) return status;
    return Pool(pool);
  }

  /// How many threads work in a call, the calling one included.
  std::uint32_t threads() const noexcept { return phalanx_pool_threads(handle_.get()); }
  const phalanx_pool* get() const noexcept { return handle_.get(); }

 private:
  explicit Pool(phalanx_pool* pool) : handle_(pool) {}

  detail::Handle<phalanx_pool, phalanx_pool_free> handle_;
};

/// Who works in a call: so many threads, which start and end with it (0: one for each core; 1, the calling one alone, starts
/// none), or those of a pool.
class Workers {
 public:
  Workers(std::uint32_t threads) noexcept : threads_(threads) {}
  Workers(const Pool& pool) noexcept : pool_(&pool) {}

  /// Calls the function for a number of threads, or that for a pool.
  template <auto Counted, auto Pooled, typename... Args>
  Status call(Args... args) const {
    return pool_ == nullptr ? Counted(args..., threads_) : Pooled(pool_->get(), args...);
  }

 private:
  const Pool* pool_ = nullptr;
  std::uint32_t threads_ = 1;
};

// ---- the library ----

/// The version of the library that runs, such as "0.1.0"; PHALANX_VERSION is that of the header.
inline std::string_view version() noexcept { return phalanx_version(); }

/// The kernels that calls on this thread use: "portable", "avx2", "avx512", "neon".
inline std::string_view backend() noexcept { return phalanx_backend(); }

/// Whether this CPU runs the kernels called `name`, a text that ends with a zero byte: PHALANX_ERROR_UNAVAILABLE,
/// PHALANX_ERROR_UNKNOWN_NAME.
inline Result<void> backend_available(const char* name) { return phalanx_backend_available(name); }

}  // namespace phalanx

#endif
