// Checks that go on after a failure and are counted; a test's main() answers check::finish().
#ifndef PHALANX_TESTS_CHECK_HPP
#define PHALANX_TESTS_CHECK_HPP

#include <cstdio>
#include <cstdlib>
#include <string>

namespace check {

inline std::size_t passed = 0;
inline std::size_t failed = 0;
/// The case that is tried, for messages.
inline std::string here;

inline void that(bool is_true, const char* what, const char* file, int line) {
  if (is_true) {
    ++passed;
    return;
  }
  ++failed;
  if (failed <= 20) std::fprintf(stderr, "%s:%d: failed: %s (%s)\n", file, line, what, here.c_str());
}

/// Fewer checks than `least` are a failure: a test that finds nothing to check is none.
inline int finish(std::size_t least) {
  if (passed < least) {
    std::fprintf(stderr, "only %zu checks, wanted at least %zu\n", passed, least);
    ++failed;
  }
  std::printf("%zu passed, %zu failed\n", passed, failed);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace check

#define CHECK(...) check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_STATUS(result, wanted) check::that((result).status() == (wanted), #result " is " #wanted, __FILE__, __LINE__)

#endif
