// Options of a time series of a packet simulation, and how it is shown.
#pragma once

#include <string>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::cli {

struct SeriesChoice {
  std::string interval = {};  // empty: none
  std::string chart = {};     // a file
};
/// --sample-interval, --series-chart.
void add_series_options(Command command, SeriesChoice& choice);

/// Sets the interval. Throws InvalidInput where the model has no series, and where the chart cannot
/// be drawn.
void apply(const SeriesChoice& choice, simulation::SimulationOptions& options);

/// The key `series` (docs/reference/answer-keys.md).
answer::Parts<PacketStatistics> series_parts();
/// A row for each sample.
std::string series_table(const PacketStatistics& statistics);
/// Draws the utilisation of each class of links over time, beside its fullest buffer.
void draw_series(const PacketStatistics& statistics, const std::string& title,
                 const std::string& path);

}  // namespace weft::cli
