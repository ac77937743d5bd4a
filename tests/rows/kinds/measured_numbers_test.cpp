// Every number of a simulation is in the answers that have results of simulations.
#include "weft/simulation/measured_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/advise/comparison_parts.hpp"
#include "weft/rows/kind.hpp"
#include "weft/rows/kind_facts.hpp"

namespace weft::rows {
namespace {

TEST(MeasuredNumbers, are_in_rows_and_comparisons) {
  const RowKind &simulate = kind_of("simulate"), &compare = kind_of("compare");
  const auto compared = advise::compared_row_parts();
  for (const auto& number : simulation::measured_numbers()) {
    const std::string key(number.text.key);
    EXPECT_NE(simulate.find_measure(key), nullptr) << key;
    EXPECT_NE(compare.find_measure(key), nullptr) << key;
    EXPECT_FALSE(meaning_of_column("simulate", key).empty()) << key;
    EXPECT_TRUE(std::ranges::any_of(compared, [&](const auto& part) {
      return part.text.key == number.text.key;
    })) << key;
    EXPECT_FALSE(number.text.label.empty()) << key;
  }
}

}  // namespace
}  // namespace weft::rows
