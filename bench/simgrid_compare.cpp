// Compares the fluid simulator with SimGrid in one run: transfers per CPU second, each case and
// each simulator in a process of its own.
//
//   simgrid_compare            ring allreduce and shift all-to-all on tori, both simulators
//   simgrid_compare growth     only weft from 64 to 4,096 ranks, with the memory of the process
//
// Messages are 64 KiB, with rtt sharing in both simulators. SimGrid is timed with its default (lazy
// updates, receives posted in their step) and with full updates. The compared completion times are
// those with full updates and receives posted early, which is the meaning of the fluid model.
// Platforms and schedules are built before the clock starts.
#include <sys/resource.h>

#include <cstring>

#include "oracle/simgrid/simgrid_run.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft {
namespace {

struct Case {
  const char* topology;
  const char* algorithm;
  schedule::CollectiveKind kind = schedule::CollectiveKind::alltoall;
  const char* routing = "dimension-order";
};

/// SimGrid keeps receives that are posted early in memory and searches them: minutes above this.
constexpr std::int64_t kMostPosted = 300'000;

struct Outcome {
  double time_s = 0, cpu_s = 0;
  std::int64_t messages = 0;
  double memory_MB = 0;
};

Network make_network(const Case& c) {
  const Fabric fabric(build_topology(c.topology));
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(c.routing, fabric)};
}

Program make_program(const Case& c, const Network& network) {
  const Collective collective{.kind = c.kind, .ranks = network.ranks()};
  const std::int64_t blocks = collective.size_is_block() ? 1 : network.ranks();
  return lower(schedule::verify_own(build_schedule(c.algorithm, collective, &network)),
               {.size_B = 65536 * blocks});
}

double cpu_s() {
  return test::simgrid_detail::cpu_s();
}

/// Runs the simulation in a child process, so that its memory is its own.
Outcome ours(const Case& c, Sharing sharing) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  if (fork() == 0) {
    const Network network = make_network(c);
    const Program program = make_program(c, network);
    const double start = cpu_s();
    const SimulationResult result = simulate(program, network, {.sharing = sharing});
    Outcome outcome{result.time_s, cpu_s() - start, result.messages};
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    outcome.memory_MB = static_cast<double>(usage.ru_maxrss) / 1024;
    _exit(write(ends[1], &outcome, sizeof outcome) == sizeof outcome ? 0 : 1);
  }
  close(ends[1]);
  Outcome outcome;
  const bool complete = read(ends[0], &outcome, sizeof outcome) == sizeof outcome;
  close(ends[0]);
  wait(nullptr);
  if (!complete) throw std::runtime_error("the simulation did not finish");
  return outcome;
}

/// Transfers per CPU second of SimGrid, in thousands.
double their_rate(const Case& c, std::int64_t messages, test::Updates updates) {
  const Network network = make_network(c);
  const test::SimgridResult they =
      test::simulate_in_simgrid(make_program(c, network), network,
                                {.receives = test::Receives::posted_in_step, .updates = updates});
  return static_cast<double>(messages) / they.cpu_s / 1e3;
}

void compare(const Case& c) {
  const Network network = make_network(c);
  const Outcome we = ours(c, Sharing::rtt);
  const double rate = static_cast<double>(we.messages) / we.cpu_s / 1e3;
  const double lazy = their_rate(c, we.messages, test::Updates::lazy);
  const double full = their_rate(c, we.messages, test::Updates::full);
  const bool times = we.messages <= kMostPosted;
  const double time_s =
      times ? test::simulate_in_simgrid(make_program(c, network), network).time_s : 0;
  fmt::print("{:<12} {:<5} {:>8} {:>8.0f} {:>7.1f} {:>6.1f} {:>7.1f} {:>6.1f} {:>13.8f} {:>13}\n",
             c.topology, c.algorithm, we.messages, rate, lazy, rate / lazy, full, rate / full,
             we.time_s * 1e3, times ? fmt::format("{:.8f}", time_s * 1e3) : "-");
  std::fflush(stdout);
}

void grow(const Case& c) {
  const Outcome we = ours(c, Sharing::max_min);
  fmt::print("{:<16} {:<6} {:<16} {:>9} {:>8.2f} {:>10.1f} {:>7.0f}\n", c.topology, c.algorithm,
             c.routing, we.messages, we.cpu_s, static_cast<double>(we.messages) / we.cpu_s / 1e3,
             we.memory_MB);
  std::fflush(stdout);
}

void compare_all() {
  fmt::print("{:<12} {:<5} {:>8} {:>8} {:>7} {:>6} {:>7} {:>6} {:>13} {:>13}\n", "network", "",
             "messages", "weft k/s", "lazy", "ratio", "full", "ratio", "weft ms", "SimGrid ms");
  std::fflush(stdout);  // before processes fork
  for (const char* ring : {"ring:64", "ring:256", "ring:1024"})
    compare({ring, "ring", schedule::CollectiveKind::allreduce, "shortest"});
  for (const char* torus : {"torus:8x8", "torus:4x4x4", "torus:16x16", "torus:8x8x8"})
    compare({torus, "shift"});
}

void grow_all() {
  fmt::print("{:<16} {:<6} {:<16} {:>9} {:>8} {:>10} {:>7}\n", "network", "", "routing", "messages",
             "CPU s", "k/s", "MB");
  std::fflush(stdout);
  for (const char* ring : {"ring:64", "ring:256", "ring:1024", "ring:4096"})
    grow({ring, "ring", schedule::CollectiveKind::allreduce, "shortest"});
  for (const char* torus : {"torus:4x4x4", "torus:8x8x4", "torus:16x8x8", "torus:16x16x16"}) {
    grow({torus, "bruck"});
    grow({torus, "shift"});
  }
  for (const char* routing : {"dimension-order", "shortest"}) {
    grow({"torus:8x8", "spread", schedule::CollectiveKind::alltoall, routing});
    grow({"torus:16x16", "spread", schedule::CollectiveKind::alltoall, routing});
  }
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "growth") == 0)
    weft::grow_all();
  else
    weft::compare_all();
}
