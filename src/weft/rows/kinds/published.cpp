// Rows that compare published times of others' machines with predictions of the fluid model.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/calibrate/published.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

constexpr auto kPoints = fields::text<fields::any_text>("points", "");
constexpr auto kPoint = fields::count<1>("point", "", fields::Part::run, fields::Ranges::counts);

// The machines' profiles decide the predictions as the points do.
std::string contents(const Row& row, FactsOfNetworks&) {
  const std::string path = calibrate::published_path(kPoints.in(row.parameters));
  const std::string text = read_file(path);
  std::set<std::string> machines;
  for (const ForcedPoint& point : calibrate::read_published(text, path))
    machines.insert(point.machine);
  std::string contents = fmt::format("points={:08x}\n", checksum(text));
  for (const std::string& machine : machines)
    contents += fmt::format("machine {}={:08x}\n", machine,
                            checksum(read_file(fields::kMachines.find_or_path(machine).path)));
  return contents;
}

Values answer(const Row& row, Workspace&) {
  const std::string path = calibrate::published_path(kPoints.in(row.parameters));
  const auto points = calibrate::read_published(read_file(path), path);
  const auto number = static_cast<std::size_t>(kPoint.in(row.parameters));
  require(number <= points.size(), "{} has {} points, not {}", path, points.size(), number);
  WEFT_ASSERT(number >= 1);
  const ForcedPoint& point = points[number - 1];
  const double time_s = predicted_s(point);
  WEFT_ASSERT(point.time_s > 0);
  const double ratio = time_s / point.time_s;
  const auto within = [&](double share) { return std::abs(ratio - 1) <= share ? 1.0 : 0.0; };
  return {{"time", time_s},
          {"measured", point.time_s},
          {"ratio", ratio},
          {"within_15", within(0.15)},
          {"within_30", within(0.30)},
          {"machine", point.machine},
          {"collective", point.collective},
          {"algorithm", point.algorithm},
          {"size_B", point.size_B},
          {"id", point.id}};
}

}  // namespace

RowKind published_kind() {
  return {.name = "published",
          .subject = Subject::none,
          .fields = {&kPoints, &kPoint},
          .needed = {"points", "point"},
          .measures = {"time", "measured", "ratio", "within_15", "within_30", "machine",
                       "collective", "algorithm", "size_B", "id"},
          .chart = {.x = "point", .y = "ratio", .series = "points"},
          .contents = contents,
          .names_files = true,
          .estimate = estimate_little,
          .answer = answer};
}

}  // namespace weft::rows
