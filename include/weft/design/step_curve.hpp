// The ground between few steps and a low T_B: for each number of steps what no schedule beats, and
// the best one known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/range.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/network/network.hpp"

namespace weft::design {

struct StepPoint {
  int steps = 0;
  Rational bound;                      // no schedule of at most so many steps has a lower T_B
  std::optional<PricedSchedule> best;  // of at most so many steps; nothing where none is known
};

struct StepCurveQuestion {
  int first = 1, last = 1;              // steps
  std::vector<std::string> algorithms;  // known; without switches those that go a link a step
  double time_limit_s = 60;             // of the bounds together
};

struct StepCurve {
  std::vector<StepPoint> points = {};  // one for each number of steps
  std::vector<Dropped> left_out = {};  // algorithms that the caller's TimeLimit came before
};

/// Bounds are `optimum`, of any number of steps, or above it those of search::bound_in_steps, for
/// all but an allreduce where that takes the network; else they are the optimum alone, of the
/// schedules that it is of. A pipelined algorithm has as many segments as its steps allow;
/// packing beside these the trees of that depth, up to eight more than the least; where the
/// caller's TimeLimit comes first, what is known by then. Throws InvalidInput for fewer steps than
/// the diameter, and algorithms that do not fit.
StepCurve step_curve(const Collective& collective, const Network& network, const Rational& optimum,
                     const StepCurveQuestion& question);

/// The numbers of steps of a curve: "3", "3..8", or "3..", which has three more. Throws
/// InvalidInput for anything else.
CountRange parse_steps(std::string_view text);

/// Throws InvalidInput for a collective without a curve.
void require_step_curve(schedule::CollectiveKind kind);

/// The curve of the algorithms of a list (algorithms_in()), or of all that apply where it is empty,
/// packing's trees within any depth among them. Throws InvalidInput also where the optimum is not
/// known to the end.
StepCurve step_curve(const Collective& collective, const Network& network, const Optimum& best,
                     const CountRange& steps, const std::string& algorithms, double time_limit_s);

}  // namespace weft::design
