// What weft degrade is asked, and what it answers: JSON, a chart, a table and sentences.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/advise/degradation.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/report/chart.hpp"

namespace weft::cli {

struct DegradeQuestion {
  GivenFields said;
  GivenFields failing;  // what fails
  std::string algorithms;
  std::vector<std::string> schedule_files;
  std::string size = "1MiB";
  std::string chart;
  OutputOptions common;
};

/// An answer and what it was asked of.
struct DegradeAnswer {
  const DegradeQuestion& options;
  const advise::DegradeOptions& asked;
  const Network& network;
  const Collective& collective;
  advise::Degradation found;

  /// The algorithms, the fastest without failures first.
  std::vector<const advise::Endurance*> by_time() const;
};

answer::Parts<DegradeAnswer> degrade_parts();
/// A row for each algorithm, the fastest without failures first.
answer::Cells algorithm_cells(const DegradeAnswer& answer);
/// Slowdowns, mean and worst, of each algorithm and of the fastest each time.
report::Chart chart_of(const DegradeAnswer& answer);
void print_table(const DegradeAnswer& answer, Streams& streams);

}  // namespace weft::cli
