#include "cli/calibrate/fit_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

#include "cli/answers/parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/measured_table.hpp"
#include "weft/calibrate/profile/library_points.hpp"
#include "weft/libraries/library.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
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
      return "not determined, unchanged";
    case Determined::inseparable:
      return "not separable from " + value.instead + ", unchanged";
    case Determined::kept:
      return "not fitted, unchanged";
  }
  return "";
}

/// A value of a fit.
struct ReportedValue {
  const FittedValue& value;
  const ProfileFit& fit;
};

std::vector<ReportedValue> values_of(const ProfileFit& fit) {
  std::vector<ReportedValue> values;
  for (const FittedValue& value : fit.values) values.push_back({value, fit});
  return values;
}

std::vector<std::string> places_of(const ReportedValue& reported) {
  std::vector<std::string> places;
  for (const std::size_t point : reported.value.points)
    places.push_back(reported.fit.points[point].point.place());
  return places;
}

// The point that depends on it most; --json has the next ones, too.
std::string main_point(const ReportedValue& reported) {
  const std::vector<std::size_t>& points = reported.value.points;
  return points.empty() ? "" : point_text(reported.fit.points[points.front()].point);
}

Parts<ReportedValue> value_parts() {
  constexpr PartOf<ReportedValue> part;
  const auto of_value = [](auto member) {
    return [member](const ReportedValue& reported) { return reported.value.*member; };
  };
  return {part(keys::kValueName, "value", of_value(&FittedValue::name))
              .shown_as([](const ReportedValue& reported) {
                const FittedValue& value = reported.value;
                return value_text(value.name, value.link_classes);
              }),
          part(keys::kLinkClasses, of_value(&FittedValue::link_classes)),
          part(keys::kItsValue, "fitted", of_value(&FittedValue::text)),
          part(keys::kBaseValue, "profile", of_value(&FittedValue::base_text)),
          part("state", "state", Unit::none,
               "fitted, at-limit, no-effect, inseparable or kept (not fitted)",
               [](const ReportedValue& reported) { return name_of(reported.value.determined); })
              .shown_as([](const ReportedValue& reported) { return state_text(reported.value); }),
          part("instead", "", Unit::none, "value with the same effect on all points, or null",
               [](const ReportedValue& reported) {
                 const std::string& name = reported.value.instead;
                 return name.empty() ? std::nullopt : std::optional(name);
               }),
          part("points", "", Unit::none, "points that depend on it most, largest effect first",
               places_of),
          part.line("largest effect on", main_point)};
}

Parts<PredictedPoint> point_parts() {
  constexpr PartOf<PredictedPoint> part;
  const auto of_point = [](auto get) {
    return [get](const PredictedPoint& predicted) { return std::invoke(get, predicted.point); };
  };
  return {
      part("place", "", Unit::none, "file and line of the point", of_point(&ForcedPoint::place)),
      part(keys::kCollective, of_point(&ForcedPoint::collective)),
      part(keys::kAlgorithm, of_point(&ForcedPoint::algorithm)),
      part(keys::kRanks, of_point(&ForcedPoint::ranks)),
      part(keys::kSize, of_point(&ForcedPoint::size_B)),
      part(keys::kMeasuredTime, of_point(&ForcedPoint::time_s)),
      part("predicted_time", "", Unit::seconds, "time by the fitted profile",
           &PredictedPoint::time_s),
      part("fitted", "", Unit::none, "whether the point was part of the fit",
           &PredictedPoint::fitted),
      part("held_out", "", Unit::none, "whether --hold-out left it out of the fit",
           &PredictedPoint::held_out)};
}

std::string percent_text(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

Parts<ProfileFit> quality_parts() {
  constexpr PartOf<ProfileFit> part;
  return {part("within_15", "within 15 %", Unit::none,
               "share of the points with an error of at most 15 %",
               [](const ProfileFit& fit) { return fit.within(0.15); })
              .shown_as([](const ProfileFit& fit) { return percent_text(fit.within(0.15)); }),
          part("within_30", "within 30 %", Unit::none,
               "share of the points with an error of at most 30 %",
               [](const ProfileFit& fit) { return fit.within(0.30); })
              .shown_as([](const ProfileFit& fit) { return percent_text(fit.within(0.30)); }),
          part("median_ratio", "", Unit::none, "median of predicted / measured",
               &ProfileFit::median_ratio),
          part("median_error", "", Unit::none, "median of the absolute relative error",
               &ProfileFit::median_error)};
}

Parts<ProfileFit> held_out_parts() {
  constexpr PartOf<ProfileFit> part;
  return join({part("points", "points", Unit::none, "number of these points",
                    [](const ProfileFit& held) { return held.points.size(); })},
              quality_parts());
}

double distance(const PredictedPoint& point) {
  return std::abs(std::log(point.ratio()));
}

/// The points of one algorithm, and how well they are predicted.
struct AlgorithmFit {
  std::string name;
  ProfileFit own{.base = ""};

  const PredictedPoint& worst() const {
    return *std::ranges::max_element(own.points, {}, distance);
  }
};

// By collective and algorithm.
std::vector<AlgorithmFit> by_algorithm(const ProfileFit& fit) {
  std::map<std::string, AlgorithmFit> groups;
  for (const PredictedPoint& each : fit.points) {
    const std::string name = each.point.collective + ' ' + each.point.algorithm;
    groups.try_emplace(name, AlgorithmFit{name}).first->second.own.points.push_back(each);
  }
  std::vector<AlgorithmFit> fits;
  for (auto& [name, group] : groups) fits.push_back(std::move(group));
  return fits;
}

Parts<AlgorithmFit> algorithm_parts() {
  constexpr PartOf<AlgorithmFit> part;
  return join(join({part.line("algorithm", [](const AlgorithmFit& fit) { return fit.name; })},
                   part.within(&AlgorithmFit::own, held_out_parts())),
              {part.line("worst point",
                         [](const AlgorithmFit& fit) {
                           const ForcedPoint& worst = fit.worst().point;
                           return fmt::format("{} x {} ({})", worst.ranks,
                                              format_size(worst.size_B), worst.place());
                         }),
               part.line("predicted/measured", [](const AlgorithmFit& fit) {
                 return fmt::format("{:.2f}", fit.worst().ratio());
               })});
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
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"name"}, {"base"}, {"value"}, {"state"}, {"largest effect on"}});
  const answer::Cells values = answer::cells_of<ReportedValue>(values_of(fit), value_parts(),
                                                               kColumns, answer::Reader::person);
  streams.out << table_of(values).text(screen) << '\n';
  streams.out << quality_text(fit, "");
  if (const ProfileFit held = fit.held_out(); !held.points.empty())
    streams.out << quality_text(held, " held out of the fit");
  streams.out << '\n';
  constexpr auto kOfAlgorithm = std::to_array<answer::Column>({{"algorithm"},
                                                               {"points"},
                                                               {"within_15"},
                                                               {"within_30"},
                                                               {"worst point"},
                                                               {"predicted/measured"}});
  const Table errors = table_of(answer::cells_of<AlgorithmFit>(
      by_algorithm(fit), algorithm_parts(), kOfAlgorithm, answer::Reader::person));
  streams.out << errors.text(screen);
}

void add_notes(const ProfileFit& fit, Notes& notes) {
  if (fit.too_large > 0)
    notes.add(NoteWeight::incomplete, fmt::format("{} points of more than {} ranks are left out",
                                                  fit.too_large, calibrate::kMostFittedRanks));
  const auto in_a_row = std::ranges::count_if(fit.points, [](const PredictedPoint& each) {
    return each.point.sampling == calibrate::Sampling::loop;
  });
  if (in_a_row > 0 && fit.after_barriers())
    notes.add(NoteWeight::assumption,
              fmt::format("{} of {} points are means of calls in a row (sample loop) and have no "
                          "skew; weft simulate predicts them with --barrier-skew 0s",
                          in_a_row, fit.points.size()));
  if (fit.points.size() > calibrate::kMostFittedPoints)
    notes.add(NoteWeight::detail,
              fmt::format("{} of the points, spread over algorithms, ranks and sizes, were fitted; "
                          "the times of the other points are predictions",
                          calibrate::kMostFittedPoints));
  note_kept_links(fit.base, notes);
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

// nccl-tests and weft-probe time calls in a row; OSU, IMB and weft-bench have a barrier before
// each.
calibrate::Sampling sampling_of(const calibrate::MeasuredTable& table) {
  const bool in_a_row =
      table.benchmark.starts_with("nccl") || table.benchmark.starts_with("weft-probe");
  return in_a_row ? calibrate::Sampling::loop : calibrate::Sampling::barrier;
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
  const auto& rules = libraries::find_library_rules(command.library);
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

std::string value_text(const std::string& name, const std::vector<std::string>& link_classes) {
  return link_classes.empty() ? name : fmt::format("{} ({})", name, fmt::join(link_classes, ", "));
}

void note_kept_links(const std::string& base, Notes& notes) {
  notes.add(NoteWeight::detail,
            fmt::format("line rates and latencies of links and switches are those of {}", base));
}

Parts<ProfileFit> profile_fit_parts() {
  constexpr PartOf<ProfileFit> part;
  return join(
      join({part(keys::kBaseProfile, &ProfileFit::base),
            part.list(keys::kProfileValues, values_of, value_parts()),
            part.list("points", "measured points", &ProfileFit::points, point_parts())},
           quality_parts()),
      {part.object(
           "held_out", "the same for points of --hold-out, or null",
           [](const ProfileFit& fit) {
             ProfileFit held = fit.held_out();
             return held.points.empty() ? std::nullopt : std::optional(std::move(held));
           },
           held_out_parts()),
       part("too_large", "", Unit::none, "points left out because they have too many ranks",
            &ProfileFit::too_large),
       part("simulations", "", Unit::none, "simulations of the fit", &ProfileFit::simulations)});
}

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
    print_json("calibrate", fit, profile_fit_parts(), common, streams);
  else
    print_text(fit, streams);
  return kFine;
}

}  // namespace weft::cli
