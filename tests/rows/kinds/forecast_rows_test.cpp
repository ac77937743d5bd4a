// Rows of forecasts: prices known before a schedule is built.
#include <gtest/gtest.h>

#include <string>

#include "rows/rows_of.hpp"

namespace weft::rows {
namespace {

// The price known beforehand is that of the proved schedule, by whichever way it was known.
TEST(Measure, a_forecast_equals_the_cost_of_the_schedule) {
  const std::string grid =
      R"toml(topology = ["torus:3x4", "genkautz:4,30", "line(bipartite:2,2)", "power(2, diamond)"]
collective = ["allgather", "reduce-scatter", "allreduce"]
algorithm = ["bfb", "expand", "ring"]
)toml";
  const auto forecasts = rows_of(grid, "forecast"), costs = rows_of(grid, "cost");
  ASSERT_EQ(forecasts.size(), 4u * (3 * 2 + 3));
  ASSERT_EQ(costs.size(), forecasts.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const Values known = measure(forecasts[i]), built = measure(costs[i]);
    for (const char* name :
         {"steps", "bandwidth_factor", "bandwidth_factor_bound", "steps_bound", "moore_steps"})
      EXPECT_EQ(known.at(name), built.at(name))
          << name << ' ' << fields::to_json(costs[i].parameters);
    const bool ring = fields::to_text(costs[i].parameters.at("algorithm")) == "ring";
    EXPECT_EQ(known.at("verified"), Value(ring));  // it alone has to be built
  }
}

// 2 (T_L alpha + T_B M/B): table 4's first line, 2 (5 * 10 us + 341/256 * 83.886 us).
TEST(Measure, a_forecast_has_the_time_of_the_model) {
  const auto rows = rows_of(R"(topology = "genkautz:4,1024"
collective = "allreduce"
algorithm = "bfb"
link = "25Gbps,7us"
alpha = "3us"
)",
                            "forecast");
  const Values values = measure(rows.at(0));
  const double m_s = 1048576.0 / 12.5e9;
  EXPECT_NEAR(std::get<double>(values.at("time")), 2 * (50e-6 + 341.0 / 256 * m_s), 1e-12);
  EXPECT_NEAR(std::get<double>(values.at("least_time")), 2 * (50e-6 + 1023.0 / 1024 * m_s), 1e-12);
  EXPECT_EQ(values.at("steps_above_moore"), Value(std::int64_t{0}));
  EXPECT_NEAR(std::get<double>(values.at("bound_ratio")), 341.0 / 256 * 1024 / 1023, 1e-12);
}

}  // namespace
}  // namespace weft::rows
