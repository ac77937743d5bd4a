// Measures the overhead of a sweep, from the text of the file to the store. The results are rows
// per second if rows cost nothing, and those of two workers if rows cost time.
//
// The store lies in WEFT_BENCH_FOLDER, or in the folder for temporary files. A commit takes as long
// as its disk needs to make bytes durable. Each run checks that all rows are in the store.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "weft/study/experiment.hpp"
#include "weft/study/grid.hpp"
#include "weft/study/sweep.hpp"

namespace weft::study {
namespace {

std::vector<Row> rows_of(std::int64_t count) {
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < count; ++i)
    rows.push_back({.kind = &rows::kind_of("simulate"),
                    .parameters = {{"algorithm", std::string("bruck")},
                                   {"collective", std::string("alltoall")},
                                   {"topology", std::string("2dfc:16x16")},
                                   {"size", i}},
                    .variables = {},
                    .key = fmt::format("{:016x}{:016x}", i * 0x9e3779b97f4a7c15ULL, i)});
  return rows;
}

Values trivial(const Row& row) {
  return {{"time", 1e-6}, {"messages", row.parameters.at("size")}, {"bandwidth", 1.25e10}};
}

// About a tenth of a second of one core's work.
Values lengthy(const Row& row) {
  double sum = 0;
  for (int i = 0; i < 30'000'000; ++i) benchmark::DoNotOptimize(sum += 1.0 / (i + 1));
  return {{"time", sum}, {"messages", row.parameters.at("size")}};
}

class Scratch {
 public:
  Scratch() {
    const char* folder = std::getenv("WEFT_BENCH_FOLDER");
    path_ = (folder != nullptr ? std::filesystem::path(folder)
                               : std::filesystem::temp_directory_path()) /
            fmt::format("weft-bench-{}", ::getpid());
    std::filesystem::create_directories(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }
  std::string store() const { return path_ / "store.sqlite"; }

 private:
  std::filesystem::path path_;
};

void run(benchmark::State& state, Values (*measure)(const Row&), int workers) {
  const std::vector<Row> rows = rows_of(state.range(0));
  for (auto _ : state) {
    const Scratch scratch;
    const SweepReport report = sweep(
        rows, scratch.store(), {.workers = workers, .measure = measure, .estimate = [](const Row&) {
                                  return Estimate{};
                                }});
    state.PauseTiming();
    if (report.computed != state.range(0) ||
        ResultsStore(scratch.store(), ResultsStore::Mode::read).size() != state.range(0))
      state.SkipWithError("rows are missing");
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// All rows are in the store already.
void again(benchmark::State& state) {
  const std::vector<Row> rows = rows_of(state.range(0));
  const Scratch scratch;
  const SweepOptions options{
      .workers = 1, .measure = trivial, .estimate = [](const Row&) { return Estimate{}; }};
  sweep(rows, scratch.store(), options);
  for (auto _ : state)
    if (sweep(rows, scratch.store(), options).known != state.range(0))
      state.SkipWithError("rows were computed again");
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// 10^5 rows, as five axes of ten values.
Experiment hundred_thousand() {
  std::string text =
      "[experiment]\ntitle = \"t\"\n[grid]\ntopology = \"2dfc:4x4\"\n"
      "collective = \"alltoall\"\nalgorithm = \"bruck\"\nsize = \"1KiB:512KiB\"\n";
  for (const char* axis : {"alpha = [{}]\n", "ports = [{}]\n", "copy-bandwidth = [{}]\n",
                           "reduce-bandwidth = [{}]\n"}) {
    const std::string_view form = axis;
    const char* unit = form.starts_with("alpha")   ? "\"{}us\","
                       : form.starts_with("ports") ? "{},"
                                                   : "\"{}GBps\",";
    std::string values;
    for (int i = 1; i <= 10; ++i) values += fmt::format(fmt::runtime(unit), i);
    text += fmt::format(fmt::runtime(axis), values);
  }
  return parse_experiment(text, "bench.toml");
}

// A row's own price in whole: made from the grid, keyed, dealt, committed.
void from_file_to_store(benchmark::State& state) {
  const Experiment experiment = hundred_thousand();
  for (auto _ : state) {
    const Scratch scratch;
    const SweepReport report =
        sweep(expand(experiment), scratch.store(), {.workers = 1, .measure = trivial});
    if (report.computed != 100'000) state.SkipWithError("rows are missing");
  }
  state.SetItemsProcessed(state.iterations() * 100'000);
}

void expansion(benchmark::State& state) {
  const Experiment experiment = hundred_thousand();
  for (auto _ : state)
    if (expand(experiment).size() != 100'000) state.SkipWithError("rows are missing");
  state.SetItemsProcessed(state.iterations() * 100'000);
}

#define WEFT_CASE(name, ...) \
  BENCHMARK_CAPTURE(run, name, __VA_ARGS__)->Unit(benchmark::kMillisecond)->UseRealTime()
WEFT_CASE(trivial_rows_1_worker, trivial, 1)->Arg(1000)->Arg(100'000);
WEFT_CASE(trivial_rows_2_workers, trivial, 2)->Arg(1000)->Arg(100'000);
WEFT_CASE(long_rows_1_worker, lengthy, 1)->Arg(16)->Iterations(1);
WEFT_CASE(long_rows_2_workers, lengthy, 2)->Arg(16)->Iterations(1);
BENCHMARK(expansion)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(from_file_to_store)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(again)->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace weft::study
