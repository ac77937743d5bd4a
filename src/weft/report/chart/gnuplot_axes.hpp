// The axes of a chart in gnuplot's commands.
#pragma once

#include <string>
#include <vector>

#include "weft/report/chart.hpp"

namespace weft::report {

/// Whether category labels would touch each other, so that they are turned.
bool turns_labels(const Chart& chart, std::size_t panels);

/// Scales, ranges and ticks: the same in every panel, so that they can be compared by eye.
std::string axis_commands(const Chart& chart, const std::vector<Panel>& panels);

}  // namespace weft::report
