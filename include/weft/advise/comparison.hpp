// Comparison: every algorithm that serves a collective on a network, at every size, side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/advise/routing_advice.hpp"
#include "weft/advise/startup_check.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/unequal_bound.hpp"
#include "weft/libraries/baseline.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::advise {

/// Bounds this close together, relative to the lower one, stand for what would take minutes to
/// simulate (simulation::SimulationOptions::accuracy).
inline constexpr double kAccuracy = 0.1;

/// What is simulated.
enum class Effort : std::uint8_t {
  winners,  // what may win at a size, within a budget of work
  full,     // every algorithm at every size
};

/// Whether other routings are tried for a winner that suffers from the network's.
enum class Advice : std::uint8_t { given, left_out };

/// By "auto" and "full". Throws InvalidInput for another name.
Effort parse_effort(std::string_view name);

/// An algorithm with parameters of its own: hierarchical(group=4).
struct NamedVariant {
  std::string algorithm;                   // by name
  algorithm::AlgorithmOptions parameters;  // they override those of CompareOptions

  friend bool operator==(const NamedVariant& a, const NamedVariant& b) {
    return a.algorithm == b.algorithm && a.parameters.values == b.parameters.values;
  }
};

struct CompareOptions {
  /// By name; empty, or kAll among them: all that apply. kNone: the variants and
  /// schedules below alone.
  std::vector<std::string> algorithms = {};
  std::vector<NamedVariant> variants = {};     // in addition
  std::vector<GivenSchedule> schedules = {};   // of the same collective, in addition
  std::vector<std::int64_t> sizes_B = {};      // --size of each column
  algorithm::AlgorithmOptions algorithm = {};  // an algorithm gets those that it takes
  /// Of unequal blocks: these at their natural --size, else in proportion (BlockSizes::at).
  std::shared_ptr<const program::BlockSizes> blocks = {};
  simulation::SimulationOptions simulation = {};
  /// Where the network has no start-up: who wins with this one? 0: not asked.
  std::int64_t check_startup_ps = 0;
  Effort effort = Effort::winners;
  /// Of simulations together, where effort is `winners`; see simulation::SimulationOptions.
  std::int64_t most_work = kUsualWork;
  /// Which bounds on T_B the comparison has.
  evaluate::Cuts cuts = evaluate::Cuts::and_optimum;
  Advice advice = Advice::given;
  /// What has not come by then is dropped, and nothing is advised or checked beside it. What is
  /// quick to make comes first. Empty: all runs to its end, and OutOfTime of a caller's TimeLimit
  /// is thrown on.
  std::optional<double> time_limit_s = {};
};

struct Comparison {
  std::vector<Contender> contenders;
  std::vector<Dropped> dropped;     // by exact fractions beyond 128 bits, or as they take long
  std::vector<ComparisonRow> rows;  // contender by contender, in the order of sizes
  LowerBounds bounds;               // of schedules whose ranks combine
  std::optional<LowerBounds> in_network;      // of those with helpers, where there are such
  std::optional<StartupCheck> startup_check;  // where it was asked for
  /// Of unequal blocks, by size: then `bounds` are of steps alone, and costs are those of equal
  /// blocks.
  std::map<std::int64_t, evaluate::UnequalBound> unequal = {};
  std::optional<libraries::LibraryBaseline> library =
      {};  // what a library would run, where that was asked for
  /// Whether every winner is known: neither the budget of work nor the time limit came first.
  bool complete = true;
  bool out_of_time = false;  // the time limit came first
  bool out_of_work = false;  // the budget of work did
  /// The sizes at which an algorithm that was not simulated may be faster than the winner; where
  /// one was not even built, it may be at others, too. In increasing order.
  std::vector<std::int64_t> open_sizes_B = {};
  bool is_open(std::int64_t size_B) const {
    return std::ranges::binary_search(open_sizes_B, size_B);
  }

  /// Which other routing helps whom: the contender with the worst routing note, or the next one
  /// where simulating the first does not confirm its note. Among those that win at some size where
  /// the routing is that of `auto`, else among all; at the largest size that it wins, or of all.
  struct Advised {
    std::size_t contender = 0;
    RoutingAdvice advice;
  };
  std::optional<Advised> advised = {};

  /// What no schedule beats that combines where this contender does.
  const LowerBounds& bounds_of(const Contender& contender) const {
    return contender.combining == Combining::in_network ? *in_network : bounds;
  }

  /// Seconds that no schedule beats by bandwidth at a size that was asked for, of those that
  /// combine where the contenders with these bounds do.
  double least_time_s(const LowerBounds& of_contender, const Collective& collective,
                      const Network& network, std::int64_t size_B) const {
    return unequal.empty() ? evaluate::least_time_s(of_contender, collective, network, size_B)
                           : unequal.at(size_B).time_s;
  }

  /// Who wins where, in the order of sizes. As few as there can be: where several tie, those that
  /// win at the neighbouring size too are named.
  std::vector<WinnerRange> winner_ranges() const;
  /// A row for each size that has a winner, in the order of sizes: that of the first contender of
  /// its range.
  std::vector<const ComparisonRow*> winners() const;
  /// All contenders, the best first: those that win, in the order of sizes, then by the geometric
  /// mean over the sizes of what they take longer than the winner.
  std::vector<std::size_t> ranking() const;
};

/// Builds, proves, prices and simulates, on all threads; rows do not depend on their number. Throws
/// InvalidInput when no algorithm applies, or a named one or a given schedule does not;
/// std::overflow_error where every one is dropped for its fractions. Where time_limit_s is too
/// short for a single one there are bounds alone; where a caller's TimeLimit is, OutOfTime is
/// thrown.
Comparison compare(const Collective& collective, const Network& network,
                   const CompareOptions& options);

}  // namespace weft::advise

namespace weft {
using advise::CompareOptions;
using advise::Comparison;
}  // namespace weft
