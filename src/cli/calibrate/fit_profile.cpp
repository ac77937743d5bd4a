#include "cli/calibrate/fit_profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "cli/answers/parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

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
    case Determined::not_fitted:
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
  return {
      part(keys::kValueName, "value", of_value(&FittedValue::name))
          .shown_as([](const ReportedValue& reported) {
            const FittedValue& value = reported.value;
            return value_text(value.name, value.link_classes);
          }),
      part(keys::kLinkClasses, of_value(&FittedValue::link_classes)),
      part(keys::kItsValue, "fitted", of_value(&FittedValue::text)),
      part(keys::kBaseValue, "profile", of_value(&FittedValue::base_text)),
      part("state", "state", Unit::none, "fitted, at-limit, no-effect, inseparable or not-fitted",
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

int fit_profile(const ProfileCommand& command, const calibrate::ForcedTable& table,
                const OutputOptions& common, Streams& streams) {
  streams.notes->add(NoteWeight::assumption, table.remarks);
  const ProfileFit fit = calibrate::fit_profile(table.points, base_machine(command),
                                                command.topology, command.hold_out);
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
