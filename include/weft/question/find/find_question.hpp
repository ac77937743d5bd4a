// What weft find is asked, and what it answers: the Pareto-efficient networks of N nodes and d
// ports, each with what it is worth.
//
//   const FindAnswer found = find({.nodes = {64}, .degree = 4}, catalogue);
//   for (const FoundNetwork& each : found.sizes[0].front) ... each.line.expression ...
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/range.hpp"
#include "weft/base/rational.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/question/members.hpp"
#include "weft/question/step_curve.hpp"
#include "weft/search/catalogue.hpp"
#include "weft/search/finder.hpp"

namespace weft::question {

struct FindAsked {
  std::vector<std::int64_t> nodes = {};  // sizes, ascending, one at least
  std::int64_t degree = 4;
  bool one_way = false;                     // else every link has a reverse
  bool throughput = false;                  // of each network, all-to-all
  flow::ThroughputOptions limits = {};      // of that
  bool distances = false;                   // where several sizes are asked for, too
  std::optional<std::int64_t> size_B = {};  // of an allgather whose time is asked for
  NetworkSpec network = {};                 // links and what hosts pay, for that time
  std::optional<CountRange> steps = {};     // of a curve of each network
  std::string kept_throughputs = {};        // file of those found before; empty: none

  search::Direction direction() const {
    return one_way ? search::Direction::one_way : search::Direction::bidirectional;
  }
  bool single() const { return nodes.size() == 1; }
};

/// In the order of the command's help.
std::span<const Member<FindAsked>> find_members();

/// Curves are of networks of up to so many nodes; a few times as many would take minutes.
inline constexpr int kMostCurveNodes = 128;

/// A certified interval, in capacities of a link; its lower end is 0 where the time limit came
/// before any flow.
struct KnownThroughput {
  double throughput = 0, upper_bound = 0;

  bool has_flow() const { return throughput > 0; }
  double gap() const { return upper_bound / throughput - 1; }
};

struct FoundNetwork {
  search::FoundTopology line;
  bool two_way = false;  // every link is one direction of a cable
  int ports = 0;         // of the node with the most
  std::optional<int> diameter = {};
  std::optional<double> distance_bound = {};  // what distances leave of the throughput
  std::optional<KnownThroughput> throughput = {};
  bool throughput_was_stored = false;  // by an earlier run, so that no time limit applied
  std::optional<double> time_s = {};   // of an allgather
  std::vector<StepPoint> curve = {};  // from its own least number of steps on, if that is asked for
};

/// What no network of a size and degree is better than.
struct FindBounds {
  int steps = 0;
  Rational bandwidth_factor;
  double throughput = 0;  // of all-to-all, capacities of a link
};

struct FoundSize {
  int nodes = 0;
  std::vector<FoundNetwork> front = {};  // fewest steps first, the bandwidth factor falling
  /// The size nearest to it of which a network has a cable in every port.
  std::optional<int> nearest_without_idle = {};
  bool leaves_ports_idle = false;         // that is another size, or there is none
  std::optional<FindBounds> bounds = {};  // nothing where no network of this size can be wired
};

struct FindAnswer {
  std::vector<FoundSize> sizes = {};

  bool none() const;  // no network of any size
};

/// The time of an allgather: every step costs start-up and latency, all data T_B M / B.
struct AllgatherTime {
  std::int64_t step_ps = 0, size_B = 0, egress_Bps = 0;  // size_B: the result, M; egress: B

  double of_s(std::int64_t steps, double bandwidth_factor) const;
  double of_s(const search::FoundTopology& line) const;
};

/// Throws InvalidInput, before any work, for a gap that is none, for links of classes, and for
/// curves of several sizes or of many nodes.
void require_findable(const FindAsked& asked);

/// Throws InvalidInput as require_findable() and find_topologies() do. Distances take O(nodes *
/// links) a network, throughputs and curves seconds to a minute.
FindAnswer find(const FindAsked& asked, const search::Catalogue& catalogue);

}  // namespace weft::question
