// Every algorithm has a cost for every collective that it serves, and for no other.
//
// tests/tools/costs_test.py compares the formulas themselves with schedules.
#include "weft/algorithm/costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/text.hpp"

namespace weft::algorithm {
namespace {

bool names_collective(const CostFormula& row, std::string_view collective) {
  const auto names = split(row.collectives, ' ');
  return std::ranges::find(names, collective) != names.end();
}

TEST(Costs, each_algorithm_has_one_for_each_of_its_collectives) {
  for (const Algorithm& algorithm : algorithms())
    for (const CollectiveKind kind : schedule::kCollectiveKinds) {
      const bool has = std::ranges::any_of(cost_formulas(), [&](const CostFormula& row) {
        return row.algorithm == algorithm.name && names_collective(row, name_of(kind));
      });
      EXPECT_EQ(has, algorithm.supports(kind)) << algorithm.name << ' ' << name_of(kind);
    }
}

TEST(Costs, rows_of_one_collective_differ_in_their_variant) {
  for (const CostFormula& row : cost_formulas())
    for (const std::string_view collective : split(row.collectives, ' '))
      EXPECT_EQ(std::ranges::count_if(cost_formulas(),
                                      [&](const CostFormula& other) {
                                        return other.algorithm == row.algorithm &&
                                               other.when == row.when &&
                                               names_collective(other, collective);
                                      }),
                1)
          << row.algorithm << ' ' << collective;
}

TEST(Costs, requirements_name_algorithms_that_run_only_by_name) {
  for (const Algorithm& algorithm : algorithms())
    EXPECT_EQ(requirement_of(algorithm.name).find("only where it is named") != std::string::npos,
              algorithm.named_only)
        << algorithm.name;
  EXPECT_EQ(requirement_of("ring"), "");
  EXPECT_EQ(requirement_of("neighbor"), "The number of ranks is even.");
}

}  // namespace
}  // namespace weft::algorithm
