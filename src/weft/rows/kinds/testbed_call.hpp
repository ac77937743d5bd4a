// A call of a testbed as kinds of rows read it: the fields that say it, what the models estimate
// for it, and the file that has its times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/fields/fields.hpp"
#include "weft/fields/topology_facts.hpp"
#include "weft/rows/measurements.hpp"
#include "weft/rows/row.hpp"

namespace weft::rows {

/// Times of a file that comes with weft, by its name, or of one's own, by its path.
inline constexpr auto kMeasurementsFile = fields::text<fields::any_text>("measurements", "");

/// Of each direction of a link, frames and all, as --rate of weft testbed.
Value show_link_rate(const std::int64_t& rate_Bps);
std::int64_t read_link_rate(std::string_view name, std::string_view text);
inline constexpr auto kLinkRate =
    fields::field<read_link_rate, show_link_rate>("rate", "50Mbit", fields::Part::network);

/// What a schedule of weft's costs and should take on the testbed's links.
struct TestbedForecast {
  std::int64_t steps = 0;
  Rational bandwidth_factor;
  double buffer_B = 0;  // M
  double fluid_s = 0, alpha_beta_s = 0;
};
/// Of the canonical parameters of a row of kind testbed that runs a schedule. Throws InvalidInput.
TestbedForecast forecast_call(const Values& parameters);

/// The times that the row names.
Measurements measurements_of(const Row& row);
/// Why they have no time of the row; nothing where they have one.
std::optional<std::string> unmeasured(const Row& row, const Measurements& measurements);
/// What the key has of them: their checksum, and the graph of the topology where there is one.
std::string contents_of_measurements(const Row& row, FactsOfNetworks& facts);

}  // namespace weft::rows
