// Several collectives on one network at once: which ranks make each call, when it begins, and how
// long the calls take while they share links.
//
//   const auto calls = read_together(content, "calls.toml", network);
//   const auto prepared = prepare(calls, network, simulation);
//   const Together together = run_together(calls, prepared, simulation);
//   together.calls[0].slowdown();  // 2: twice as long as alone
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/network/network.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::advise {

/// One collective of a group of ranks.
struct TogetherCall {
  std::string name = {};
  std::vector<std::int32_t> ranks = {};  // ranks of the network, in the order of the group
  Collective collective = {};            // of the group; its root is a place in the group
  std::string algorithm = {};            // empty: the winner of compare() for this call
  algorithm::AlgorithmOptions options = {};
  std::int64_t size_B = 0;
  /// Seconds from the beginning, or from the end of the last call in `after`.
  double start_s = 0;
  std::vector<std::size_t> after = {};  // indices of calls
  std::string path = {};                // of the file and line, for messages
  int line = 0;
};

/// Reads the calls of a TOML file, a table [[call]] for each:
///
///   [[call]]
///   name = "gradients"         # optional: call1, call2, ...
///   ranks = "0-7,16-56:8"      # numbers, ranges, ranges with a stride, or names of hosts
///   copies = 4                 # optional: that many such groups, gradients.0, gradients.1, ...
///   stride = 1                 # with copies: how far each group's ranks are above the last
///   collective = "allreduce"
///   algorithm = "ring"         # optional, with its options: segments = 4
///   root = 8                   # optional: a rank of the network; by default the group's first
///   size = "64MiB"
///   start = "5us"              # optional: 0; from the end of the calls in `after`, if it has some
///   after = ["forward"]        # optional: names of calls; that of copies means all of them
///
/// A host's name means all ranks on it. Throws InvalidInput, "PATH:LINE: ...", for a file that
/// is none, ranks that do not exist or are in a group twice, a name that two calls have, times
/// without a unit, and calls that wait for each other in a circle.
std::vector<TogetherCall> read_together(const std::string& content, const std::string& path,
                                        const Network& network);

/// A call, ready to run.
struct PreparedCall {
  Network network;  // the group's ranks alone
  schedule::Verified verified;
  Program program;
};

/// Chooses the algorithms that the calls leave open, builds and proves all schedules. Throws
/// InvalidInput, with the call's place, where an algorithm does not serve its group.
std::vector<PreparedCall> prepare(std::span<const TogetherCall> calls, const Network& network,
                                  const simulation::SimulationOptions& simulation);

struct CallTimes {
  double start_s = 0, end_s = 0;
  double alone_s = 0;  // what it takes where no other call runs

  double time_s() const { return end_s - start_s; }
  /// Of a call that takes no time: 1.
  double slowdown() const { return alone_s > 0 ? time_s() / alone_s : 1; }
};

struct Together {
  std::vector<CallTimes> calls = {};
  double makespan_s = 0;                  // until the last call ends
  simulation::SimulationResult all = {};  // of the first call, with the bytes of all calls on links
  std::int64_t messages = 0;
};

/// Runs all calls in one simulation by the fluid model, which `simulation` has to name. A call
/// begins at all its ranks at once; a rank may be in several calls at the same time. Calls that
/// start after others cost a simulation for each distinct time at which they start.
Together run_together(std::span<const TogetherCall> calls, std::span<const PreparedCall> prepared,
                      const simulation::SimulationOptions& simulation);
/// The makespan of run_together() without its simulation of each call alone.
double makespan_s(std::span<const TogetherCall> calls, std::span<const PreparedCall> prepared,
                  const simulation::SimulationOptions& simulation);

}  // namespace weft::advise
