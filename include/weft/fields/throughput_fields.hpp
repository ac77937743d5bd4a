// What commands and rows ask of all-to-all throughput, as fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/flow/throughput.hpp"

namespace weft::fields {

inline Value show_method(const flow::ThroughputMethod& method) {
  return std::string(flow::to_string(method));
}

inline double gap_in(std::string_view, std::string_view text) {
  const std::optional<double> gap = read_number(text);
  require(gap && *gap >= 1e-6 && *gap <= 1,
          "invalid gap '{}' (expected 1e-6 to 1, relative); write 0.01 for 1 %", text);
  return *gap;
}

inline double seconds_in(std::string_view, std::string_view text) {
  return parse_seconds(text);
}

inline constexpr auto kMethod =
    field<unnamed<flow::parse_throughput_method>, show_method>("method", "auto")
        .helped(
            "Method that computes the throughput: auto, exact (linear program), cayley or orbits "
            "(both by symmetry), or approximate");
inline constexpr auto kGap =
    field<gap_in, as_is<double>>("gap", "0.01")
        .helped("Relative gap between flow and upper bound at which approximate stops")
        .numbered();
inline constexpr auto kTimeLimit =
    field<seconds_in, as_is<double>>("time-limit", "60s")
        .helped(
            "Time limit for improving the flow, for all methods except "
            "exact; cayley and orbits prove their result after it");

}  // namespace weft::fields
