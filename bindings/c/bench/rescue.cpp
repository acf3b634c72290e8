// The benchmark table of the C++ library itzmeanjan/rescue-prime, with phalanx under its names: the rows, their names and
// their columns are those of its README, so that two printouts can lie side by side. The rows after them are what it has
// no name for: many states at a time.
//
//   phalanx_bench_rescue [--benchmark_...]
#include <benchmark/benchmark.h>
#include <phalanx/rescue_prime.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

/// Runs `work` on fresh input from `prepare`; only `work` is timed. A round does `items` of what the columns are about.
template <typename Prepare, typename Work>
void measure(benchmark::State& state, std::size_t items, Prepare prepare, Work work) {
  std::vector<double> times_ns;
  for (auto _ : state) {
    prepare();
    benchmark::ClobberMemory();
    const auto begun = Clock::now();
    work();
    benchmark::ClobberMemory();
    const std::chrono::duration<double> seconds = Clock::now() - begun;
    state.SetIterationTime(seconds.count());
    times_ns.push_back(seconds.count() * 1e9 / static_cast<double>(items));
  }
  std::sort(times_ns.begin(), times_ns.end());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(items));
  state.counters["min_exec_time (ns)"] = times_ns.front();
  state.counters["median_exec_time (ns)"] = times_ns[times_ns.size() / 2];
  state.counters["max_exec_time (ns)"] = times_ns.back();
}

void fill(std::vector<ff::ff_t>& elements) {
  static std::mt19937_64 generator(2026);
  std::generate(elements.begin(), elements.end(), [] { return ff::ff_t{generator()}; });
}

void permutation(benchmark::State& state) {
  std::vector<ff::ff_t> words(rescue::STATE_WIDTH);
  measure(state, 1, [&] { fill(words); }, [&] { rescue::permute(words.data()); });
}

void hash(benchmark::State& state) {
  std::vector<ff::ff_t> input(static_cast<std::size_t>(state.range()));
  std::array<ff::ff_t, rescue::DIGEST_WIDTH> digest;
  measure(state, 1, [&] { fill(input); }, [&] { rescue_prime::hash(input.data(), input.size(), digest.data()); });
  benchmark::DoNotOptimize(digest);
}

void permute_many(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range());
  std::vector<ff::ff_t> words(count * rescue::STATE_WIDTH);
  fill(words);
  measure(state, count, [] {}, [&] {
    if (phalanx_rescue_permute(PHALANX_RESCUE_FUNCTION_RP64_256, &words[0].v, words.size(), 1) != PHALANX_OK)
      state.SkipWithError("permute");
  });
}

/// A benchmark of wrong answers is worth nothing: the first state of vectors/rescue/rp64_256.json.
bool is_right() {
  std::array<ff::ff_t, 12> words{};
  rescue::permute(words.data());
  return words[0] == 7962715374947276948U;
}

}  // namespace

BENCHMARK(permutation)->Name("bench_rphash::permutation")->UseManualTime();
BENCHMARK(hash)->Name("bench_rphash::hash")->Arg(4)->Arg(8)->Arg(16)->Arg(32)->Arg(64)->Arg(128)->UseManualTime();
BENCHMARK(permute_many)->Name("phalanx::permute_many, of each state")->Arg(8)->Arg(64)->Arg(1024)->UseManualTime();

int main(int argc, char** argv) {
  if (!is_right()) {
    std::fputs("the permutation of zeros is not what it should be\n", stderr);
    return EXIT_FAILURE;
  }
  // Counters as columns, as in that README; options that are given come later and win.
  std::string tabular = "--benchmark_counters_tabular=true";
  std::vector<char*> arguments{argv[0], tabular.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  argc = static_cast<int>(arguments.size());
  argv = arguments.data();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return EXIT_SUCCESS;
}
