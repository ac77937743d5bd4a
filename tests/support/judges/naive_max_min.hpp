// Max-min fair levels by the definition: progressive filling from scratch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::test {

struct NaiveFlow {
  std::vector<std::int32_t> links;
  std::vector<double> shares;  // by link of the path
  double weight = 1;
};

/// The level of each flow. O(links * sum of paths).
std::vector<double> naive_max_min(std::span<const double> capacities,
                                  std::span<const NaiveFlow> flows);

/// Empty when the levels are max-min fair within a relative tolerance, else what is wrong: a link
/// over its capacity, or a flow without a full link where its level is the highest.
std::string unfairness(std::span<const double> capacities, std::span<const NaiveFlow> flows,
                       std::span<const double> levels, double tolerance);

}  // namespace weft::test
