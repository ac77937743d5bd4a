// Traces run on a network: how long what their nodes say takes, and where each rank's time goes.
//
// Nodes are tasks of a timeline (workload/timeline.hpp). A rank has a stream each for what its
// device computes, what its processor does, what its memory does and for collectives; what it
// sends, of one group's name, goes one after the other. A collective takes the streams
// of all its members, and starts once all are there. It is priced as one of a training step
// (training.hpp). Messages are on the network while tasks run, and share links with each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/format/execution_trace.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

struct TraceQuestion {
  /// Of a device, where a node counts operations and says no time.
  double operations_per_second = 0;
  /// Which schedules collectives may have and how they are simulated; the step is of no account.
  TrainingQuestion prices = {};
  bool spans = false;  // tell when each node runs
};

/// Seconds; they add up to the trace's time.
struct RankShares {
  double compute_s = 0;
  double communication_s = 0;  // that nothing is computed beside
  double idle_s = 0;
};

/// When a node runs; of a message that which sends it.
struct TraceSpan {
  std::int32_t rank = 0, node = 0;  // an index into the rank's nodes
  double start_s = 0, end_s = 0;
};

struct TraceRun {
  double time_s = 0;
  RankShares mean = {};
  std::vector<RankShares> ranks = {};
  double least_s = 0;  // computing and what no schedule can hide
  std::int64_t nodes = 0, computing = 0, messages = 0, collectives = 0;
  std::int64_t counted = 0;  // computing nodes whose time is that of their operations
  std::int64_t untimed = 0;  // computing nodes that say neither
  /// Whose collectives are taken to be of the ranks that name them, as no metadata says which ranks
  /// they have.
  std::vector<std::string> undefined_groups = {};
  /// Collectives, then messages by size: these with as many groups as there are pairs, and the
  /// means of their times and bounds.
  std::vector<TrainingCall> calls = {};
  std::vector<TraceSpan> spans = {};  // where asked for, of what takes time
  /// Bytes over links of each class; nothing where that of a call is not known.
  std::optional<ClassBytes> class_bytes = {};
};

/// Groups of as many ranks that make collectives of a kind and have no rank in common make them at
/// once. Throws InvalidInput where the network has fewer ranks, a message lacks its other end,
/// members of a group differ in what they do, nodes of several ranks wait for each other in a
/// circle, and where no algorithm serves a collective. O(nodes log nodes), the prices and the
/// simulation of the messages.
TraceRun run_trace(const format::Trace& trace, const Network& network, const TraceQuestion& asked);

}  // namespace weft::training
