#include "cli/calibrate/fit_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

#include "cli/output.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/measured_table.hpp"
#include "weft/calibrate/profile/library_points.hpp"
#include "weft/evaluate/library/library.hpp"

namespace weft::cli {

namespace {

using calibrate::Determined;
using calibrate::FittedValue;
using calibrate::ForcedPoint;
using calibrate::PredictedPoint;
using calibrate::ProfileFit;

std::string point_text(const ForcedPoint& point) {
  return fmt::format("{} {}, {} x {}", point.collective, point.algorithm, point.ranks,
                     format_size(point.size_B));
}

// "fitted", "not determined (the profile's)", ...
std::string state_text(const FittedValue& value) {
  switch (value.determined) {
    case Determined::fitted:
      return "fitted";
    case Determined::at_limit:
      return "fitted, at its physical limit";
    case Determined::no_effect:
      return "not determined";
    case Determined::inseparable:
      return "not separable from " + value.instead;
  }
  return "";
}

// The point that depends on it most; --json has the next ones, too.
std::string main_point(const FittedValue& value, const ProfileFit& fit) {
  return value.points.empty() ? "" : point_text(fit.points[value.points.front()].point);
}

// By collective and algorithm.
std::map<std::string, std::vector<const PredictedPoint*>> by_algorithm(const ProfileFit& fit) {
  std::map<std::string, std::vector<const PredictedPoint*>> groups;
  for (const PredictedPoint& each : fit.points)
    groups[each.point.collective + ' ' + each.point.algorithm].push_back(&each);
  return groups;
}

double distance(const PredictedPoint& point) {
  return std::abs(std::log(point.ratio()));
}

// "8 points: 50 % within 15 %, ..., median error 12 %".
std::string quality_text(const ProfileFit& fit, std::string_view which) {
  return fmt::format(
      "{}{}: {:.0f} % within 15 %, {:.0f} % within 30 %, median of predicted/measured {:.2f}, "
      "median error {:.0f} %\n",
      counted(std::ssize(fit.points), "point"), which, 100 * fit.within(0.15),
      100 * fit.within(0.30), fit.median_ratio(), 100 * fit.median_error());
}

void print_text(const ProfileFit& fit, Streams& streams) {
  const Screen screen = screen_of(streams);
  Table values({"value", "profile", "fitted", "state", "largest effect on"});
  for (const FittedValue& value : fit.values)
    values.add(
        {value.name, value.base_text, value.text, state_text(value), main_point(value, fit)});
  streams.out << values.text(screen) << '\n';
  streams.out << quality_text(fit, "");
  if (const ProfileFit held = fit.held_out(); !held.points.empty())
    streams.out << quality_text(held, " held out of the fit");
  streams.out << '\n';
  Table errors(
      {"algorithm", "points", "within 15 %", "within 30 %", "worst point", "predicted/measured"});
  for (const auto& [name, points] : by_algorithm(fit)) {
    ProfileFit own{.base = ""};
    for (const PredictedPoint* each : points) own.points.push_back(*each);
    const PredictedPoint& worst = *std::ranges::max_element(own.points, {}, distance);
    errors.add({name, fmt::format("{}", points.size()),
                fmt::format("{:.0f} %", 100 * own.within(0.15)),
                fmt::format("{:.0f} %", 100 * own.within(0.30)),
                fmt::format("{} x {} ({})", worst.point.ranks, format_size(worst.point.size_B),
                            worst.point.place()),
                fmt::format("{:.2f}", worst.ratio())});
  }
  streams.out << errors.text(screen);
}

void add_notes(const ProfileFit& fit, Notes& notes) {
  if (fit.too_large > 0)
    notes.add(NoteWeight::incomplete, fmt::format("{} points of more than {} ranks are left out",
                                                  fit.too_large, calibrate::kMostFittedRanks));
  if (fit.points.size() > calibrate::kMostFittedPoints)
    notes.add(NoteWeight::detail,
              fmt::format("{} of the points, spread over algorithms, ranks and sizes, were fitted; "
                          "the times of the other points are predictions",
                          calibrate::kMostFittedPoints));
}

void add_quality(Json& json, const ProfileFit& fit) {
  json["within_15"] = fit.within(0.15);
  json["within_30"] = fit.within(0.30);
  json["median_ratio"] = fit.median_ratio();
  json["median_error"] = fit.median_error();
}

Json json_of(const ProfileFit& fit, const OutputOptions& common) {
  Json json = answer("calibrate", common);
  json["base"] = fit.base;
  json["values"] = Json::array();
  for (const FittedValue& value : fit.values) {
    Json points = Json::array();
    for (const std::size_t point : value.points) points.push_back(fit.points[point].point.place());
    json["values"].push_back({{"name", value.name},
                              {"value", value.text},
                              {"base", value.base_text},
                              {"state", std::string(name_of(value.determined))},
                              {"instead", value.instead.empty() ? Json() : Json(value.instead)},
                              {"points", std::move(points)}});
  }
  json["points"] = Json::array();
  for (const PredictedPoint& each : fit.points)
    json["points"].push_back({{"place", each.point.place()},
                              {"collective", each.point.collective},
                              {"algorithm", each.point.algorithm},
                              {"ranks", each.point.ranks},
                              {"size", each.point.size_B},
                              {"measured_time", each.point.time_s},
                              {"predicted_time", each.time_s},
                              {"fitted", each.fitted},
                              {"held_out", each.held_out}});
  add_quality(json, fit);
  const ProfileFit held = fit.held_out();
  json["held_out"] = Json();
  if (!held.points.empty()) {
    json["held_out"]["points"] = held.points.size();
    add_quality(json["held_out"], held);
  }
  json["too_large"] = fit.too_large;
  json["simulations"] = fit.simulations;
  return json;
}

// FILE:ALGORITHM, a table of a benchmark whose algorithm the user forced.
struct NamedAlgorithm {
  std::string file, algorithm;
};
std::optional<NamedAlgorithm> named_algorithm(const std::string& argument) {
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos || is_there(argument) || !is_there(argument.substr(0, colon)))
    return std::nullopt;
  return NamedAlgorithm{argument.substr(0, colon), argument.substr(colon + 1)};
}

// 0: all hosts of the topology that was given.
std::int32_t ranks_of(const calibrate::MeasuredTable& table, const ProfileCommand& command) {
  const std::int32_t ranks = table.ranks > 0 ? table.ranks : command.ranks;
  require(ranks > 1 || !command.topology.empty(),
          "{}: the table does not state the number of ranks; give --ranks N", table.path);
  return ranks;
}

// weft-bench times each call behind a barrier, the others calls in a row.
calibrate::Sampling sampling_of(const calibrate::MeasuredTable& table) {
  return table.benchmark.starts_with("weft-bench") ? calibrate::Sampling::barrier
                                                   : calibrate::Sampling::loop;
}

calibrate::ForcedTable read_named(const NamedAlgorithm& named, const ProfileCommand& command) {
  const auto read = calibrate::read_measured_tables(read_file(named.file), named.file);
  calibrate::ForcedTable made{.points = {}, .remarks = read.remarks};
  for (const calibrate::MeasuredTable& table : read.tables) {
    require(table.collective.has_value(), "{}: {} is not a collective, so no algorithm was forced",
            named.file, table.benchmark);
    const std::int32_t ranks = ranks_of(table, command);
    for (const calibrate::MeasuredRow& row : table.rows)
      if (row.size_B > 0)
        made.points.push_back({.path = named.file,
                               .line = row.line,
                               .ranks = ranks,
                               .collective = std::string(schedule::name_of(*table.collective)),
                               .algorithm = named.algorithm,
                               .size_B = row.size_B,
                               .time_s = row.time_s,
                               .sampling = sampling_of(table),
                               .by_nccl = table.benchmark.starts_with("nccl")});
  }
  require(!made.points.empty(), "{}: the file has no time of a collective", named.file);
  return made;
}

// A table of a benchmark whose algorithms the library chose by itself.
calibrate::ForcedTable read_chosen(const std::string& file, const ProfileCommand& command) {
  const auto& rules = evaluate::find_library_rules(command.library);
  const auto read = calibrate::read_measured_tables(read_file(file), file);
  calibrate::ForcedTable made{.points = {}, .remarks = read.remarks};
  for (const calibrate::MeasuredTable& table : read.tables) {
    const std::int32_t ranks = ranks_of(table, command);
    calibrate::ForcedTable own = calibrate::library_points(
        table, {.rules = &rules, .ranks = ranks, .topology = command.topology},
        base_machine(command));
    for (ForcedPoint& point : own.points) point.sampling = sampling_of(table);
    std::ranges::move(own.points, std::back_inserter(made.points));
    std::ranges::move(own.remarks, std::back_inserter(made.remarks));
  }
  require(!made.points.empty(), "{}: {} uses no algorithm of weft at these sizes{}", file,
          rules.name, made.remarks.empty() ? "" : "; " + made.remarks.back());
  return made;
}

calibrate::ForcedTable read_unnamed(const std::string& file, const ProfileCommand& command) {
  const std::string text = read_file(file);
  return command.library.empty() || calibrate::is_forced_table(text)
             ? calibrate::read_forced_table(text, file)
             : read_chosen(file, command);
}

}  // namespace

fields::MachineModel base_machine(const ProfileCommand& command) {
  if (!command.machine.empty()) return fields::find_machine(command.machine);
  if (auto own = fields::default_machine(command.topology)) return *std::move(own);
  return fields::find_machine(std::string(fields::kGeneric));
}

bool are_forced_tables(const std::vector<std::string>& files) {
  const auto forced = [](const std::string& file) {
    return named_algorithm(file) || (is_there(file) && calibrate::is_forced_table(read_file(file)));
  };
  const auto first = std::ranges::find_if(files, forced);
  if (first == files.end()) return false;
  const auto other = std::ranges::find_if_not(files, forced);
  if (other != files.end())
    reject("{} is a table of forced algorithms, but {} is not; calibrate from one kind at a time",
           *first, *other);
  return true;
}

int fit_profile(const ProfileCommand& command, const OutputOptions& common, Streams& streams) {
  std::vector<ForcedPoint> points;
  for (const std::string& file : command.files) {
    const auto named = named_algorithm(file);
    calibrate::ForcedTable table =
        named ? read_named(*named, command) : read_unnamed(file, command);
    std::ranges::move(table.points, std::back_inserter(points));
    streams.notes->add(NoteWeight::assumption, table.remarks);
  }
  const ProfileFit fit =
      calibrate::fit_profile(points, base_machine(command), command.topology, command.hold_out);
  if (!command.output.empty()) write_file(command.output, fit.profile);
  if (command.output == "-") return kFine;
  add_notes(fit, *streams.notes);
  if (common.json)
    print(json_of(fit, common), streams);
  else
    print_text(fit, streams);
  return kFine;
}

}  // namespace weft::cli
