// weft-gpu: runs MSCCL XML files on GPUs, checks every rank's result and times calls.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "executor.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"

namespace weft::gpu {

namespace {

struct Options {
  std::string file, sizes = "1KiB:64MiB";
  bool one_gpu = false;
  int calls = 20;
  ExecutorOptions executor = {};
};

std::vector<std::int64_t> chunks_of(const Options& options, const Problem& problem) {
  std::vector<std::int64_t> chunks;
  const std::int64_t call_B = problem.chunks_of_size() * std::int64_t{sizeof(Word)};
  for (const std::int64_t size_B : parse_sizes(options.sizes)) {
    const std::int64_t chunk = std::max<std::int64_t>(1, (size_B + call_B - 1) / call_B);
    if (chunks.empty() || chunks.back() != chunk) chunks.push_back(chunk);
  }
  return chunks;
}

std::vector<bool> modes_of(const format::msccl::Algorithm& algorithm) {
  std::vector<bool> modes;
  if (algorithm.works_out_of_place()) modes.push_back(false);
  if (algorithm.in_place) modes.push_back(true);
  return modes;
}

int run_on(Team& team, const Options& options, const format::msccl::Algorithm& algorithm) {
  const Problem problem(algorithm);
  const auto chunks = chunks_of(options, problem);
  Executor executor(team, algorithm, problem, *std::ranges::max_element(chunks), options.executor);
  if (team.rank() == 0) fmt::print("schedule,collective,place,size_B,calls,minimum_s,median_s\n");
  for (const std::int64_t chunk : chunks)
    for (const bool in_place : modes_of(algorithm)) {
      for (const Type type : {Type::integers, Type::floats})
        if (const std::string fault = executor.check(chunk, in_place, type); !fault.empty()) {
          fmt::print(stderr, "weft-gpu: {}: {}\n", algorithm.file, fault);
          return 1;
        }
      std::vector<double> times_s;
      for (int i = 0; i < options.calls; ++i) times_s.push_back(executor.time(chunk, in_place));
      std::ranges::sort(times_s);
      if (team.rank() == 0)
        fmt::print("{},{},{},{},{},{:.9g},{:.9g}\n", algorithm.name, algorithm.collective,
                   in_place ? "in" : "out",
                   chunk * problem.chunks_of_size() * std::int64_t{sizeof(Word)}, times_s.size(),
                   times_s.front(), times_s[times_s.size() / 2]);
    }
  return 0;
}

int run(const Options& options) {
  const auto algorithm = format::msccl::read(read_file(options.file), options.file);
  return Team::run(options.one_gpu ? 1 : algorithm.ranks(),
                   [&](Team& team) { return run_on(team, options, algorithm); });
}

}  // namespace

}  // namespace weft::gpu

int main(int argc, char** argv) {
  weft::gpu::Options options;
  CLI::App app(
      "Runs MSCCL XML files on GPUs: one process and one rank for each GPU of the machine");
  app.require_subcommand(1);
  CLI::App* const run = app.add_subcommand(
      "run",
      "Run a file, check every rank's result against the collective's definition with random "
      "data, and time it. Exit code 1 if a result is wrong or the file hangs");
  run->add_option("file", options.file, "MSCCL XML file")->required();
  run->add_option(
      "--sizes,--size", options.sizes,
      "Sizes of one call, such as 1KiB,1MiB or 1KiB:64MiB, which doubles; rounded up to "
      "whole chunks of floats [1KiB:64MiB]");
  run->add_flag("--ranks-on-one-gpu", options.one_gpu,
                "Run all ranks on the first GPU, with buffers of their own: shows that a file is "
                "right, and nothing about its speed");
  run->add_option("--calls", options.calls, "Timed calls of each size [20]")
      ->check(CLI::Range(1, 100000));
  run->add_option("--slots", options.executor.layout.slots,
                  "Messages that a connection holds, 1 to 8; the Simple protocol has 2 [2]")
      ->check(CLI::Range(1, 8));
  run->add_option("--threads", options.executor.threads, "Threads of a thread block [512]")
      ->check(CLI::Range(32, 1024));
  run->add_option("--time-limit", options.executor.time_limit_s,
                  "Seconds after which a call is said to hang [20]")
      ->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), 2);
  }
  try {
    return weft::gpu::run(options);
  } catch (const weft::InvalidInput& error) {
    std::fprintf(stderr, "weft-gpu: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft-gpu: %s\n", error.what());
    return 3;
  }
}
