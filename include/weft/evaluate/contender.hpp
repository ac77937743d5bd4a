// Contender: an algorithm in a contest, what it takes at each size, and why another was left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/step_bound.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/program/copies.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/message_sizes.hpp"
#include "weft/schedule/routing_note.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::evaluate {

/// The usual budget of a contest: 10 to 20 s of one core.
inline constexpr std::int64_t kUsualWork = 1'000'000'000;

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
  std::string schedule;  // its name with the options that the algorithm chose
  std::int64_t segments = 1;
  Cost cost;
};

/// One schedule, built, verified and priced.
struct Contender {
  std::string algorithm;                     // with the options that were given
  std::string schedule;                      // with those that the algorithm says it chose, too
  Cost cost;                                 // with the segments that were asked for, or 1
  std::optional<Pipelined> at_largest = {};  // then
  StepBound step_bound = {};
  Combining combining = Combining::at_ranks;
  BlockLayout layout = BlockLayout::rank_order;            // that it runs with
  std::optional<schedule::RoutingNote> routing_note = {};  // by load alone
  bool routing_judged = true;                 // false: steps were too large to judge for the note
  std::vector<NodeId> forwarding_hosts = {};  // without ranks, see forwarding_hosts.hpp
  Spent spent = {};
  std::string file = {};  // where its schedule is from; empty: an algorithm made it
};

struct ComparisonRow {
  std::size_t contender = 0;
  std::int64_t size_B = 0;
  std::string schedule = {};  // its name with the options that the algorithm chose for this size
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
/// In the place of names: no algorithm, where schedules are given.
inline constexpr std::string_view kNone = "none";

/// A schedule to compare with algorithms, under a name that none of them has.
struct GivenSchedule {
  std::string name, file;
  schedule::Verified verified;
};

/// An algorithm that was not compared.
struct Dropped {
  std::string algorithm;
  std::string reason;
  std::string remedy;    // what to say to have it compared
  bool is_late = false;  // a time limit came first
};

/// Whether no time limit came before one of them.
bool all_in_time(const std::vector<Dropped>& dropped);

}  // namespace weft::evaluate

namespace weft {
using evaluate::all_in_time;
using evaluate::ComparisonRow;
using evaluate::Contender;
using evaluate::Dropped;
using evaluate::GivenSchedule;
using evaluate::kAll;
using evaluate::kNone;
using evaluate::kUsualWork;
}  // namespace weft
