// weft-bench: times of collectives and links under an MPI, as comma-separated values.
//
// It stands alone, a program for each MPI, without anything of weft's rooms. It asks `weft` itself
// which pairs of ranks tell a network's links apart, and to translate files that it runs.
#include <cstdio>
#include <cstring>
#include <functional>

#include "collectives.hpp"
#include "links.hpp"
#include "run/run.hpp"

namespace weft::mpi_bench {

namespace {

void measure_collective(const World& world, const Options& options, TimesTable& table) {
  std::int64_t last_B = -1;
  for (const std::int64_t size_B : options.sizes_B) {
    auto call = CollectiveCall::find(options.test, world, size_B);
    if (call->size_B() == last_B) continue;  // rounded up to the one before
    last_B = call->size_B();
    const Times times = time_calls(world, options.repeat, std::ref(*call));
    table.add({.test = options.test, .size_B = last_B, .times = times});
  }
}

int run(const World& world, int argc, char** argv) {
  const Options options = read_options(world, argc, argv);
  TimesTable table(world, options.output);
  if (options.test == "links")
    measure_links(world, options, table);
  else if (options.test == "run")
    run_files(world, options, table);
  else
    measure_collective(world, options, table);
  table.finish();
  return 0;
}

}  // namespace

}  // namespace weft::mpi_bench

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
      std::fputs(weft::mpi_bench::kHelp, stdout);
      return 0;
    }
  MPI_Init(&argc, &argv);
  weft::mpi_bench::World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  const int code = weft::mpi_bench::run(world, argc, argv);
  MPI_Finalize();
  return code;
}
