#include "cli/study/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/study/reproduction.hpp"
#include "cli/testbed/fresh.hpp"
#include "weft/base/file.hpp"
#include "weft/rows/measurements.hpp"
#include "weft/study/grid.hpp"

namespace weft::cli {

namespace {

namespace fs = std::filesystem;
using study::Axis;
using study::Experiment;

constexpr std::string_view kAxis = "measurements", kOwn = ".measured";

bool is_measured(const Experiment& experiment) {
  return experiment.kind->has(kAxis);
}

// Its rows say what is measured, and do not only read it.
bool asks_for_calls(const Experiment& experiment) {
  return is_measured(experiment) && experiment.kind->has("rate");
}

std::string own_file(const Experiment& experiment, const std::string& name,
                     const std::string& folder) {
  const fs::path beside = fs::path(experiment.path).parent_path();
  const bool here = folder.empty() && !can_write_beside(experiment.path);
  const fs::path where = !folder.empty() ? fs::path(folder) : here ? fs::path() : beside;
  return (where / (name + std::string(kOwn))).string();
}

// By file, the rows that all experiments ask of it.
std::map<std::string, std::vector<rows::Row>> rows_by_file(
    const std::vector<Experiment>& experiments, study::Grid grid, const std::string& folder) {
  std::map<std::string, std::vector<rows::Row>> rows;
  for (const Experiment& experiment : experiments) {
    if (!asks_for_calls(experiment)) continue;
    for (rows::Row& row : study::expand(experiment, grid)) {
      const std::string name = fields::text_in(row.parameters, kAxis);
      rows[own_file(experiment, name, folder)].push_back(std::move(row));
    }
  }
  return rows;
}

void point_at_own(Experiment& experiment, const std::string& folder,
                  const std::map<std::string, std::vector<rows::Row>>& measured) {
  for (auto* axes : {&experiment.axes, &experiment.quick, &experiment.full})
    for (Axis& axis : *axes)
      if (axis.name == kAxis)
        for (std::string& value : axis.values)
          if (std::string own = own_file(experiment, value, folder);
              is_there(own) && measured.contains(own))
            value = std::move(own);
}

}  // namespace

std::string MeasuredSource::text() const {
  return fmt::format("{}: {}; {}; {} to {}, at loads of {:.1f} to {:.1f}",
                     stored ? "stored measurements" : "measured here", machine, mpi, since, until,
                     least_load, greatest_load);
}

std::optional<int> take_measurements(std::vector<Experiment>& experiments, study::Grid grid,
                                     const std::string& folder, MeasuredTimes times,
                                     Streams& streams) {
  if (times == MeasuredTimes::stored || std::ranges::none_of(experiments, is_measured))
    return std::nullopt;
  const auto rows = rows_by_file(experiments, grid, folder);
  if (const auto why = rows.empty() ? std::nullopt : why_no_testbed()) {
    streams.notes->add(
        NoteWeight::doubt,
        fmt::format("stored measurements are used, because no testbed can run here ({})", *why));
    return std::nullopt;
  }
  for (const auto& [file, asked] : rows)
    if (const auto failed = measure_anew(asked, file, streams)) return failed;
  // What only reads calls takes those of this run, or the stored ones: never a part of either.
  for (Experiment& experiment : experiments)
    if (is_measured(experiment)) point_at_own(experiment, folder, rows);
  return std::nullopt;
}

std::optional<MeasuredSource> source_of(const Experiment& experiment) {
  if (!is_measured(experiment)) return std::nullopt;
  const auto axis = std::ranges::find(experiment.axes, kAxis, &Axis::name);
  const std::string path = rows::kMeasurements.find_or_path(axis->values.front()).path;
  const auto found = rows::parse_measurements(read_file(path), path);
  MeasuredSource source{.stored = !path.ends_with(kOwn),
                        .file = path,
                        .machine = found.machine,
                        .mpi = found.mpi,
                        .since = {},
                        .until = {}};
  if (found.calls.empty()) return source;
  const auto by_load = std::ranges::minmax(found.calls, {}, &rows::MeasuredCall::load);
  const auto by_time = std::ranges::minmax(found.calls, {}, &rows::MeasuredCall::at);
  source.least_load = by_load.min.load;
  source.greatest_load = by_load.max.load;
  source.since = by_time.min.at;
  source.until = by_time.max.at;
  return source;
}

}  // namespace weft::cli
