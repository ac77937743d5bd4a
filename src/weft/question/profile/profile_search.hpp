// The search for a profile's values that fit measured points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/question/profile/point_times.hpp"
#include "weft/question/profile/profile_fit.hpp"
#include "weft/question/profile/profile_values.hpp"

namespace weft::question {

struct SearchResult {
  ProfileState state;  // the base profile's but for what is determined
  // By value of profile_values():
  std::vector<Determined> determined;
  std::vector<std::string> instead;               // the value that stands for an inseparable one
  std::vector<std::vector<double>> effects = {};  // by point: d log time / d log value
  std::vector<double> eager_effect = {};  // by point: change of half or twice the eager limit
  std::int64_t simulations = 0;
};

/// Minimises the sum of log(predicted / measured)^2 from the base profile on. The points are those
/// of `times`.
SearchResult search_profile(const PointTimes& times, std::span<const ForcedPoint> points,
                            const ProfileState& base);

}  // namespace weft::question
