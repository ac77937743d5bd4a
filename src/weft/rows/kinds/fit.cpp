// Rows of alpha, epsilon and 1/B, fitted to the times of a file of measurements.
#include "weft/calibrate/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/testbed_call.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

std::vector<std::string> read_names(std::string_view, std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view name : split(text, ','))
    names.push_back(algorithm::find_algorithm(name).name);
  return names;
}

// Canonical texts of a call are values again.
Values values_of(const Texts& asked) {
  Values values;
  for (const auto& [name, text] : asked) {
    const Field* field = find_field(name);
    require(field != nullptr,
            "a measured call has {} = \"{}\", which is not a parameter of the row", name, text);
    values[name] = field->canonical(name, text);
  }
  return values;
}

// What one alpha and one B are of.
std::string conditions_of(const Values& asked) {
  return fmt::format("rate {}, alpha {}", fields::text_in(asked, "rate"),
                     fields::text_in(asked, "alpha"));
}

std::vector<calibrate::Measurement> rows_of(const Row& row) {
  const std::string collective = fields::text_in(row.parameters, "collective");
  const auto names = read_names("algorithms", fields::text_in(row.parameters, "algorithms"));
  std::vector<calibrate::Measurement> rows;
  std::string conditions;
  const Measurements measurements = measurements_of(row);
  for (const MeasuredCall& call : measurements.calls) {
    const Values asked = values_of(call.asked);
    if (fields::text_in(asked, "collective") != collective ||
        std::ranges::find(names, fields::text_in(asked, "algorithm")) == names.end() ||
        measurements.find(call.asked) != &call)  // measured again later
      continue;
    if (rows.empty()) conditions = conditions_of(asked);
    require(conditions == conditions_of(asked),
            "{} has calls of {} and of {}, which need different alpha and B; put them in "
            "separate files",
            fields::text_in(row.parameters, "measurements"), conditions, conditions_of(asked));
    const TestbedForecast forecast = forecast_call(asked);
    rows.push_back({.steps = static_cast<double>(forecast.steps),
                    .bandwidth_factor = forecast.bandwidth_factor.to_double(),
                    .size_B = forecast.buffer_B,
                    .time_s = call.least_s});
  }
  require(!rows.empty(), "{} has no {} with {}", fields::text_in(row.parameters, "measurements"),
          collective, fields::text_in(row.parameters, "algorithms"));
  return rows;
}

Values answer(const Row& row, Workspace&) {
  contents_of_files(row);
  const std::vector<calibrate::Measurement> rows = rows_of(row);
  const calibrate::Fit found =
      calibrate::fit(rows, calibrate::parse_fit_method(fields::text_in(row.parameters, "fit")));
  Values values{{"fitted_alpha", found.alpha_s},
                {"epsilon", found.epsilon_s},
                {"bandwidth_Bps", Value()},
                {"small_error", found.small.mean},
                {"small_greatest_error", found.small.max},
                {"large_error", found.large.mean},
                {"large_greatest_error", found.large.max},
                {"error", found.all.mean},
                {"greatest_error", found.all.max},
                {"fitted_rows", std::ssize(rows)}};
  if (found.inverse_B_s > 0) values["bandwidth_Bps"] = 1 / found.inverse_B_s;
  return values;
}

constexpr auto kMethod = fields::choice<calibrate::parse_fit_method>("fit", "joint");

const Field* field_called(std::string_view name, const RowKind& kind) {
  const auto found = std::ranges::find(kind.fields, name, &Field::name);
  WEFT_ASSERT(found != kind.fields.end());
  return *found;
}

}  // namespace

RowKind fit_kind() {
  return {.name = "fit",
          .subject = Subject::none,
          .fields = {field_called("collective", testbed_kind()),
                     field_called("algorithms", train_kind()), &kMethod, &kMeasurementsFile},
          .needed = {"measurements", "collective", "algorithms"},
          .measures = {"fitted_alpha", "epsilon", "bandwidth_Bps", "small_error",
                       "small_greatest_error", "large_error", "large_greatest_error", "error",
                       "greatest_error", "fitted_rows"},
          .chart = {.x = "collective", .y = "error", .series = "fit"},
          .contents = contents_of_measurements,
          .names_files = true,
          .estimate = estimate_little,
          .answer = answer};
}

}  // namespace weft::rows
