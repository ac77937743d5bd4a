// Comparison: every algorithm that serves a collective on a network, at every size, side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/question/evaluation.hpp"
#include "weft/question/routing_advice.hpp"
#include "weft/question/startup_check.hpp"
#include "weft/question/step_bound.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/message_sizes.hpp"
#include "weft/schedule/routing_note.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::question {

/// Times this near to each other, relatively, are a tie: they differ by rounding and by the order
/// in which equal flows end, not by what would be seen on a machine.
inline constexpr double kTie = 1e-3;

/// What is simulated.
enum class Effort : std::uint8_t {
  winners,  // what may win at a size, within a budget of work
  full,     // every algorithm at every size
};

/// By "auto" and "full". Throws InvalidInput for another name.
Effort parse_effort(std::string_view name);

/// 10 to 20 s of one core.
inline constexpr std::int64_t kUsualWork = 1'000'000'000;

struct CompareOptions {
  std::vector<std::string> algorithms = {};    // by name; empty, or kAll among them: all that apply
  std::vector<std::int64_t> sizes_B = {};      // --size of each column
  algorithm::AlgorithmOptions algorithm = {};  // an algorithm gets those that it takes
  simulation::SimulationOptions simulation = {};
  /// Where the network has no start-up: who wins with this one? 0: not asked.
  std::int64_t check_startup_ps = 0;
  Effort effort = Effort::winners;
  /// Of simulations together, where effort is `winners`; see simulation::SimulationOptions.
  std::int64_t most_work = kUsualWork;
  /// What has not come by then is dropped, and nothing is advised or checked beside it. What is
  /// quick to make comes first. Empty: all runs to its end, and OutOfTime of a caller's TimeLimit
  /// is thrown on.
  std::optional<double> time_limit_s = {};
};

/// What a comparison spent on an algorithm. Seconds of wall time, threads added up: they differ
/// from run to run.
struct Spent {
  std::int64_t simulations = 0;  // of its rows; the others lie on a straight line between them
  std::int64_t work = 0;         // of the simulations, the same in each run
  double build_s = 0;            // the schedule
  double verify_s = 0;           // its proof
  double cost_s = 0;             // exact cost, and the segments that suit each size
  double simulate_s = 0;
};

/// The price with the segments that suit the largest size.
struct Pipelined {
  std::int64_t segments = 1;
  Cost cost;
};

/// One schedule, built, verified and priced.
struct Contender {
  std::string algorithm;                     // with the options that were given
  std::string schedule;                      // with those that the algorithm says it chose, too
  Cost cost;                                 // with the segments that were asked for, or 1
  bool pipelined = false;                    // the number of segments is chosen for each size
  std::optional<Pipelined> at_largest = {};  // then
  StepBound step_bound = {};
  Combining combining = Combining::at_ranks;
  BlockLayout layout = BlockLayout::rank_order;            // that it runs with
  std::optional<schedule::RoutingNote> routing_note = {};  // by load alone
  bool routing_judged = true;  // false: steps were too large to judge for the note
  Spent spent = {};
};

struct ComparisonRow {
  std::size_t contender = 0;
  std::int64_t size_B = 0;
  std::int64_t segments = 1;
  std::int64_t steps = 0;
  schedule::MessageSizes messages = {};
  simulation::SimulationResult result = {};
  /// Not simulated to the end: result.time_s is a lower bound, and all there is.
  bool is_bound = false;
  /// Whether this row wins at its size. If several times tie with the fastest, the algorithm with
  /// the smallest estimate before simulation wins (expected_s in candidate.hpp).
  bool best = false;
};

/// Among the names of algorithms: all that apply.
inline constexpr std::string_view kAll = "all";

/// An algorithm that was not compared.
struct Dropped {
  std::string algorithm;
  std::string reason;
  std::string remedy;    // what to say to have it compared
  bool is_late = false;  // a time limit came first
};

/// Whether no time limit came before one of them.
bool all_in_time(const std::vector<Dropped>& dropped);

struct Comparison {
  std::vector<Contender> contenders;
  std::vector<Dropped> dropped;     // by exact fractions beyond 128 bits, or as they take long
  std::vector<ComparisonRow> rows;  // contender by contender, in the order of sizes
  LowerBounds bounds;               // of schedules whose ranks combine
  std::optional<LowerBounds> in_network;      // of those with helpers, where there are such
  std::optional<StartupCheck> startup_check;  // where it was asked for
  /// Whether every winner is known: neither the budget of work nor the time limit came first.
  bool complete = true;
  bool out_of_time = false;  // the time limit came first

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

  /// Who wins where, in the order of sizes. As few as there can be: where several tie, those that
  /// win at the neighbouring size too are named.
  std::vector<Reign> reigns() const;
  /// A row for each size that has a winner, in the order of sizes: that of the first contender of
  /// its reign.
  std::vector<const ComparisonRow*> winners() const;
  /// All contenders, the best first: those that win, in the order of sizes, then by the geometric
  /// mean over the sizes of what they take longer than the winner.
  std::vector<std::size_t> ranking() const;
};

/// Builds, proves, prices and simulates, on all threads; rows do not depend on their number. Throws
/// InvalidInput when no algorithm applies, or a named one does not; std::overflow_error where every
/// one is dropped for its fractions. Where time_limit_s is too short for a single one there are
/// bounds alone; where a caller's TimeLimit is, OutOfTime is thrown.
Comparison compare(const Collective& collective, const Network& network,
                   const CompareOptions& options);

}  // namespace weft::question

namespace weft {
using question::CompareOptions;
using question::Comparison;
using question::ComparisonRow;
}  // namespace weft
