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
#include <string_view>
#include <vector>

#include "weft/base/range.hpp"
#include "weft/base/rational.hpp"
#include "weft/design/step_curve.hpp"
#include "weft/fields/members.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/search/catalogue.hpp"
#include "weft/search/finder.hpp"

namespace weft::design {

/// What networks are ranked by: steps and bandwidth factor of an allgather (a Pareto front), or
/// all-to-all throughput.
enum class FindObjective : std::uint8_t { allgather, alltoall };
/// "allgather" or "alltoall", as collectives are called. Throws InvalidInput.
FindObjective parse_objective(std::string_view name);
std::string_view name_of(FindObjective objective);

/// For up to so many sizes networks are drawn and searched.
inline constexpr std::size_t kFewSizes = 8;

struct FindQuestion {
  std::vector<std::int64_t> nodes = {};  // sizes, ascending, one at least
  std::int64_t degree = 4;
  bool one_way = false;  // else every link has a reverse
  FindObjective objective = FindObjective::allgather;
  bool throughput = false;                   // of each network, all-to-all
  flow::ThroughputOptions limits = {};       // of that
  std::optional<double> throughputs_s = {};  // time for all of them; else that limit for each
  bool distances = false;                    // where several sizes are asked for, too
  std::optional<std::int64_t> size_B = {};   // of an allgather whose time is asked for
  NetworkSpec network = {};                  // links and what hosts pay, for that time
  std::optional<CountRange> steps = {};      // of a curve of each network
  std::string kept_throughputs = {};         // file of those found before; empty: none

  search::Direction direction() const {
    return one_way ? search::Direction::one_way : search::Direction::bidirectional;
  }
  bool wants_throughput() const { return throughput || objective == FindObjective::alltoall; }
  bool single() const { return nodes.size() == 1; }
};

/// In the order of the command's help.
std::span<const Member<FindQuestion>> find_members();

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
  /// Fewest steps first, the bandwidth factor falling; for alltoall the highest throughput first,
  /// up to 8 networks, where those of large networks may have no steps (0).
  std::vector<FoundNetwork> front = {};
  /// The size nearest to it of which a network has a cable in every port.
  std::optional<int> nearest_without_idle = {};
  bool leaves_ports_idle = false;         // that is another size, or there is none
  std::optional<FindBounds> bounds = {};  // nothing where no network of this size can be wired
};

/// A search of the one size that was asked for, before the answer.
struct FindSearch {
  std::int64_t rounds = 0;  // of a fixed number of candidates each
  std::uint64_t seed = 1;
  double time_limit_s = 0;  // after which a search ends before its last round
  bool complete = true;     // all rounds were done, so that every machine finds the same networks
};

struct FindAnswer {
  std::vector<FoundSize> sizes = {};
  std::optional<FindSearch> search = {};  // nothing if no search was done

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
void require_findable(const FindQuestion& asked);

/// Throws InvalidInput as require_findable() and find_topologies() do. Distances take O(nodes *
/// links) a network, throughputs and curves seconds to a minute.
FindAnswer find(const FindQuestion& asked, const search::Catalogue& catalogue);

/// The same after a search of some seconds, which adds its networks to the catalogue, if one size
/// is asked for and a known network of that size takes more than twice the fewest steps possible.
/// Searches of a fixed number of rounds are the same on every machine, and stored.
FindAnswer find_with_search(const FindQuestion& asked, search::Catalogue& catalogue);

}  // namespace weft::design
