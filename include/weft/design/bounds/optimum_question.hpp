// What weft optimum is asked of a collective on a network, and what it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/range.hpp"
#include "weft/design/step_curve.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/fields/members.hpp"

namespace weft::design {

struct OptimumQuestion {
  std::optional<std::int64_t> size_B = {};  // of a call whose least time is asked for
  /// A list (algorithms_in()), or kNoAlgorithms; empty: the usual ones, where that is quick.
  std::string algorithms = {};
  algorithm::AlgorithmOptions parameters = {};  // of the algorithm, if the list names one
  std::int64_t segments = 64;            // of schedules that are pipelined, beside one segment
  std::optional<CountRange> steps = {};  // of a curve, in place of single schedules
  /// Of the proof of allreduce and all-to-all, and of the curve and schedules in what is left of
  /// it; empty: a minute, and schedules to their end.
  std::optional<double> time_limit_s = {};

  bool wants_no_schedules() const;
};

/// In place of algorithms.
inline constexpr std::string_view kNoAlgorithms = "none";

std::span<const Member<OptimumQuestion>> optimum_members();

struct OptimumAnswer {
  Optimum best;                       // reached by the schedules, too
  std::optional<double> time_s = {};  // of the call, at least
  PricedSchedules schedules = {};
  StepCurve curve = {};
  /// Algorithms near the optimum on many networks and quick to price, where none was named and the
  /// ranks are too many (evaluate::kMostMadeUnasked) to make schedules unasked; else empty.
  std::vector<std::string> worth_naming = {};
};

/// Throws InvalidInput as optimum(), priced_schedules() and step_curve() do. As long as these take.
OptimumAnswer answer(const OptimumQuestion& asked, const Collective& collective,
                     const Network& network);

}  // namespace weft::design
