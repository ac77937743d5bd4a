// The search for a profile's values that fit measured points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/calibrate/profile/point_times.hpp"
#include "weft/calibrate/profile/profile_fit.hpp"
#include "weft/calibrate/profile/profile_values.hpp"

namespace weft::calibrate {

struct SearchResult {
  ProfileState state;  // the base profile's but for what is determined
  // By value of profile_values() of the base profile:
  std::vector<Determined> determined;
  std::vector<std::string> instead;  // of an inseparable one: the value with the same effect
  // d log time / d log value, by fitted point; empty where the value is not fitted
  std::vector<std::vector<double>> effects = {};
  // By fitted point: change of half or twice the eager limit; empty where it moves no point.
  std::vector<double> eager_effect = {};
  std::int64_t simulations = 0;
};

/// Minimises the sum of log(predicted / measured)^2 over the points of `fitted`, indices of those
/// of `times`, from the base profile on.
SearchResult search_profile(const PointTimes& times, std::span<const std::size_t> fitted,
                            const ProfileState& base);

}  // namespace weft::calibrate
