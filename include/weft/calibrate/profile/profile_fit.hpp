// A machine's profile fitted to measured times of collectives whose algorithm was forced.
//
// Each point is predicted by the simulator, as weft simulate does it (the skew of the barrier is
// left out where the point is of calls in a row). The fit minimises
//
//     sum over points of log(predicted / measured)^2
//
// over the profile's values within physical limits: payload at most 1, times at least 0, sums at
// most the rate of a core's memory. Only simulations are compared (no derivative of the model is
// known): each round changes every value by a few per cent, and a damped step of least squares
// follows from what that changed. The limit between eager and rendezvous messages is a jump, so
// sizes are tried one by one. A value is not determined if a change by 20 % moves no prediction by
// more than 1 %, or if other values do the same to all points; it keeps the base profile's value.
// Classes of links that have one payload in the base profile move together; those on which no
// prediction depends keep it. Costs of hosts that the fit does not change are listed as not fitted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/calibrate/profile/forced_points.hpp"
#include "weft/fields/machine_model.hpp"

namespace weft::calibrate {

/// What is known of a value of a profile after a fit.
enum class Determined : std::uint8_t {
  fitted,
  at_limit,     // fitted, and a physical limit holds it
  no_effect,    // no point depends on it
  inseparable,  // another value has the same effect on all points
  not_fitted    // a cost of hosts that stays as the base has it, such as host.exchange
};
std::string_view name_of(Determined determined);

struct FittedValue {
  std::string name;             // as in a profile: "host.startup"
  std::string text, base_text;  // "250ns"; "none" where the profile has none
  Determined determined = Determined::fitted;
  std::string instead = {};                    // if inseparable: the value with the same effect
  std::vector<std::size_t> points = {};        // that depend on it most, the largest effect first
  std::vector<std::string> link_classes = {};  // that share it, if it is a payload
};

struct PredictedPoint {
  ForcedPoint point;
  double time_s = 0;      // predicted
  bool fitted = false;    // was part of the fit; others are predictions
  bool held_out = false;  // by --hold-out, to test the fit

  double ratio() const { return time_s / point.time_s; }
};

struct ProfileFit {
  std::string base;  // name of the base profile
  std::vector<FittedValue> values = {};
  std::vector<PredictedPoint> points = {};
  std::int64_t too_large = 0;    // points of more ranks than are simulated
  std::int64_t simulations = 0;  // that the fit took
  std::string profile = {};      // the machine file

  /// Whether any point is of calls after a barrier; if none is, the file has no skew.
  bool after_barriers() const;
  double within(double share) const;
  double median_ratio() const;
  /// Of |predicted / measured - 1|.
  double median_error() const;
  /// The same fit with the points that were held out alone.
  ProfileFit held_out() const;
};

inline constexpr std::int32_t kMostFittedRanks = 128;  // points of more are left out
inline constexpr std::size_t kMostFittedPoints = 60;   // the others are predicted alone

/// Fits `base` to the points. Points without a topology are on `topology`, else on one switch.
/// With `hold_out` N every Nth size of each algorithm is predicted and not fitted; 0
/// holds none out. Throws InvalidInput with file and line for a point that cannot be simulated or
/// that takes less than 99 % of what its bytes take at the line rates of the base profile, and
/// where that has no line rates. Cost: about 15 simulations a point and value; twice as many where
/// the fitted profile suits other schedules of the algorithms.
ProfileFit fit_profile(std::span<const ForcedPoint> points, const MachineModel& base,
                       const std::string& topology, std::int32_t hold_out = 0);

}  // namespace weft::calibrate
