#include "weft/calibrate/profile/profile_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/profile/point_times.hpp"
#include "weft/calibrate/profile/profile_search.hpp"
#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {

namespace {

constexpr Names<Determined, 5> kDetermined{
    "way to determine a value", {"fitted", "at-limit", "no-effect", "inseparable", "not-fitted"}};

constexpr std::size_t kNamedPoints = 3;
constexpr double kNoise = 0.01;  // of a measured time

using Effect = std::vector<double>;

// By collective, algorithm, ranks and size; indices.
std::vector<std::size_t> sorted(std::span<const ForcedPoint> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const ForcedPoint& point = points[i];
    return std::tie(point.collective, point.algorithm, point.topology, point.ranks, point.size_B);
  });
  return order;
}

// The points of every Nth size of each algorithm at as many ranks.
std::vector<bool> points_held_out(std::span<const ForcedPoint> points, std::int32_t hold_out) {
  std::vector<bool> held(points.size());
  const auto series = [&](std::size_t i) {
    const ForcedPoint& point = points[i];
    return std::tie(point.collective, point.algorithm, point.topology, point.ranks);
  };
  std::size_t before = points.size();
  std::int32_t place = 0;
  for (const std::size_t i : sorted(points)) {
    const bool goes_on = before < points.size() && series(before) == series(i);
    const bool same_size = goes_on && points[before].size_B == points[i].size_B;
    place = !goes_on ? 1 : same_size ? place : place + 1;
    held[i] = hold_out > 0 && place % hold_out == 0;
    before = i;
  }
  require(hold_out == 0 || std::ranges::find(held, true) != held.end(),
          "--hold-out {} withholds nothing from the fit, because no algorithm has that many sizes; "
          "give a smaller number",
          hold_out);
  return held;
}

// Points of `order` spread evenly over collectives, algorithms, ranks and sizes.
std::vector<std::size_t> spread(std::vector<std::size_t> order, std::size_t most) {
  if (order.size() <= most) return order;
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(order[k * order.size() / most]);
  return chosen;
}

// Ranks that a table leaves out are all that its topology has.
std::vector<ForcedPoint> with_ranks(std::span<const ForcedPoint> points,
                                    const std::string& topology) {
  std::vector<ForcedPoint> made(points.begin(), points.end());
  std::map<std::string, std::int32_t> hosts;
  for (ForcedPoint& point : made) {
    if (point.ranks > 0) continue;
    const std::string& text = point.topology.empty() ? topology : point.topology;
    require(!text.empty(), "{}: ranks and topology are missing; give one of them", point.place());
    if (!hosts.contains(text)) try {
        hosts[text] = static_cast<std::int32_t>(build_topology(text).topology.hosts().size());
      } catch (const InvalidInput& error) {
        reject("{}: {}", point.place(), error.what());
      }
    point.ranks = hosts[text] * std::max(point.per_host, 1);
  }
  return made;
}

std::vector<std::size_t> most_affected(const Effect& effect) {
  std::vector<std::size_t> order(effect.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return std::abs(effect[i]); });
  order.resize(std::min(order.size(), kNamedPoints));
  return order;
}

FittedValue fitted_value(const SearchResult& found, const ProfileValue& value, std::size_t v,
                         const ProfileState& base) {
  WEFT_ASSERT(v < found.determined.size() && v < found.effects.size());
  FittedValue made{.name = std::string(value.name),
                   .text = profile_text(value, value.get(found.state)),
                   .base_text = profile_text(value, value.get(base)),
                   .determined = found.determined[v],
                   .instead = found.instead[v]};
  made.points = most_affected(found.effects[v]);
  if (value.name == kOnePayload && !base.links.by_class.empty())
    made.link_classes.assign(found.state.one_payload.begin(), found.state.one_payload.end());
  return made;
}

// Classes that share a payload in the base profile, and on which no point depends.
std::vector<FittedValue> released_classes(const ProfileState& found, const ProfileState& base) {
  std::vector<FittedValue> made;
  for (const std::string& name : base.one_payload) {
    if (found.one_payload.contains(name)) continue;
    const std::string text = fmt::format("{:.3g}", base.payload(name));
    made.push_back({.name = payload_name(name),
                    .text = text,
                    .base_text = text,
                    .determined = Determined::no_effect});
  }
  return made;
}

// Returns the costs of hosts that the fit does not change.
std::vector<FittedValue> kept_values(const ProfileFit& fit, const ProfileState& base) {
  std::vector<std::string> fitted;
  for (const FittedValue& value : fit.values) fitted.push_back(value.name);
  std::vector<FittedValue> made;
  for (const UnchangedValue& kept : kept_of_hosts(base, fitted))
    made.push_back({.name = kept.name,
                    .text = kept.text,
                    .base_text = kept.text,
                    .determined = Determined::not_fitted});
  return made;
}

FittedValue eager_limit(const SearchResult& found, const ProfileState& base) {
  const auto text = [](const ProfileState& state) {
    const HostParameters& host = state.host;
    return host.rendezvous.time_ps > 0 || host.eager_copies.bandwidth_Bps > 0
               ? format_size(state.eager_B)
               : std::string("none");
  };
  FittedValue made{.name = "eager limit", .text = text(found.state), .base_text = text(base)};
  if (found.eager_effect.empty()) made.determined = Determined::no_effect;
  made.points = most_affected(found.eager_effect);
  return made;
}

double median_of(std::vector<double> values) {
  WEFT_ASSERT(!values.empty());
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// What the file says of itself.
std::string file_of(const ProfileFit& fit, const ProfileState& state) {
  std::vector<std::string> sources, assumptions;
  for (const PredictedPoint& each : fit.points)
    if (const std::string source =
            "fitted by weft calibrate to forced algorithms in " + each.point.path;
        std::ranges::find(sources, source) == sources.end())
      sources.push_back(source);
  const auto is_left_out = [&](const FittedValue& value) {
    return !fit.after_barriers() && value.name == "host.skew";
  };
  for (const FittedValue& value : fit.values) {
    const std::string from = fmt::format("{} ({})", fit.base, value.base_text);
    if (value.link_classes.size() > 1)
      assumptions.push_back(fmt::format("{}: one value for links of the classes {}", value.name,
                                        fmt::join(value.link_classes, ", ")));
    if (value.determined == Determined::no_effect && !is_left_out(value))
      assumptions.push_back(fmt::format("{}: not determined, from {}", value.name, from));
    if (value.determined == Determined::not_fitted)
      assumptions.push_back(fmt::format("{}: not fitted, from {}", value.name, from));
    if (value.determined == Determined::inseparable)
      assumptions.push_back(
          fmt::format("{}: not separable from {}, from {}", value.name, value.instead, from));
  }
  if (!fit.after_barriers())
    assumptions.emplace_back(
        "host.skew: none, because each measured time is the mean of calls in a row");
  return profile_file(state, "Fitted to measured collectives, from profile " + fit.base, sources,
                      assumptions);
}

// As many values as points fit any measurement, so that their errors say nothing.
void require_more_points(const SearchResult& found, const ProfileState& start, std::size_t points,
                         const std::string& path) {
  const std::vector<ProfileValue> all = profile_values(start);
  std::vector<std::string_view> names;
  for (std::size_t v = 0; v < all.size(); ++v)
    if (found.determined[v] == Determined::fitted) names.emplace_back(all[v].name);
  if (found.state.eager_B != start.eager_B) names.emplace_back("eager limit");
  const std::size_t values = names.size();
  require(values < points,
          "{}: {} cannot determine {} ({}), because a fit needs more points than values; give {} "
          "or more, at different sizes",
          path, counted(static_cast<std::int64_t>(points), "point"),
          counted(static_cast<std::int64_t>(values), "value"), fmt::join(names, ", "), values + 1);
}

// A point that is faster than line rates would only push the payload to its limit.
void require_possible(const PointTimes& times, const ProfileState& start, const std::string& base) {
  for (std::size_t i = 0; i < times.points().size(); ++i) {
    const ForcedPoint& point = times.points()[i];
    const BusiestPort port = times.busiest_port(i, start);
    if (point.time_s >= (1 - kNoise) * port.least_s()) continue;
    reject(
        "{}: faster than the links allow: {} {} of {} ranks at {} in {} needs {} {} one host, "
        "whose links carry at most {} at the line rate of {}; check the size and the time, or give "
        "--machine with the line rate of your links",
        point.place(), point.collective, point.algorithm, point.ranks, format_size(point.size_B),
        format_seconds(point.time_s), format_rate(port.bytes / point.time_s),
        port.sends ? "from" : "to", format_rate(port.rate_Bps), base);
  }
}

// The base profile's skew has no part in calls in a row, nor in what the file predicts.
void leave_out_skew(std::span<const ForcedPoint> points, ProfileState& state) {
  const auto is_loop = [](const ForcedPoint& point) { return point.sampling == Sampling::loop; };
  if (std::ranges::all_of(points, is_loop)) state.host.skew_ps = 0;
}

constexpr double kSameTime = 1e-3;  // a larger difference is of another schedule

// Values fitted with the schedules that the algorithms have on the fitted machine: a second search
// follows where those of the base profile are others. In the end `times` has those of the result.
SearchResult searched(PointTimes& times, std::span<const std::size_t> fitted,
                      const ProfileState& start) {
  SearchResult found = search_profile(times, fitted, start);
  const auto all_s = [&] {
    std::vector<double> times_s;
    for (const std::size_t i : fitted) times_s.push_back(times.predicted_s(i, found.state));
    return times_s;
  };
  const std::vector<double> before_s = all_s();
  times.build_schedules(found.state);
  const bool same = std::ranges::equal(
      before_s, all_s(), [](double a, double b) { return std::abs(b - a) <= kSameTime * a; });
  std::int64_t simulations = found.simulations + 2 * std::ssize(fitted);
  if (!same) {
    found = search_profile(times, fitted, start);
    simulations += found.simulations;
    times.build_schedules(found.state);
  }
  found.simulations = simulations;
  return found;
}

}  // namespace

std::string_view name_of(Determined determined) {
  return kDetermined[determined];
}

double ProfileFit::within(double share) const {
  WEFT_ASSERT(!points.empty());
  const auto met = std::ranges::count_if(
      points, [&](const PredictedPoint& each) { return std::abs(each.ratio() - 1) <= share; });
  return static_cast<double>(met) / static_cast<double>(points.size());
}

double ProfileFit::median_ratio() const {
  std::vector<double> ratios;
  for (const PredictedPoint& each : points) ratios.push_back(each.ratio());
  return median_of(std::move(ratios));
}

double ProfileFit::median_error() const {
  std::vector<double> errors;
  for (const PredictedPoint& each : points) errors.push_back(std::abs(each.ratio() - 1));
  return median_of(std::move(errors));
}

bool ProfileFit::after_barriers() const {
  return std::ranges::any_of(
      points, [](const PredictedPoint& each) { return each.point.sampling == Sampling::barrier; });
}

ProfileFit ProfileFit::held_out() const {
  ProfileFit made{.base = base};
  std::ranges::copy_if(points, std::back_inserter(made.points), &PredictedPoint::held_out);
  return made;
}

ProfileFit fit_profile(std::span<const ForcedPoint> points, const MachineModel& base,
                       const std::string& topology, std::int32_t hold_out) {
  const ProfileState start = profile_state(base);
  std::vector<ForcedPoint> all = with_ranks(points, topology);
  ProfileFit fit{.base = base.path};
  fit.too_large =
      std::erase_if(all, [](const ForcedPoint& point) { return point.ranks > kMostFittedRanks; });
  require(!all.empty(), "{}: all points have more than {} ranks, which is too many to fit",
          points.front().path, kMostFittedRanks);
  PointTimes times(all, start, topology);
  require_possible(times, start, base.path);
  const std::vector<bool> held = points_held_out(all, hold_out);
  std::vector<std::size_t> open = sorted(all);
  std::erase_if(open, [&](std::size_t i) { return held[i]; });
  const std::vector<std::size_t> order = spread(std::move(open), kMostFittedPoints);
  SearchResult found = searched(times, order, start);
  require_more_points(found, start, order.size(), all.front().path);
  leave_out_skew(all, found.state);
  const std::vector<ProfileValue> values = profile_values(start);
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (values[v].is_there(start)) fit.values.push_back(fitted_value(found, values[v], v, start));
    if (values[v].name == kOnePayload)
      std::ranges::move(released_classes(found.state, start), std::back_inserter(fit.values));
  }
  fit.values.push_back(eager_limit(found, start));
  std::ranges::move(kept_values(fit, start), std::back_inserter(fit.values));
  for (FittedValue& value : fit.values)
    for (std::size_t& point : value.points) point = order[point];
  for (std::size_t i = 0; i < all.size(); ++i)
    fit.points.push_back({.point = all[i],
                          .time_s = times.predicted_s(i, found.state),
                          .fitted = std::ranges::find(order, i) != order.end(),
                          .held_out = held[i]});
  WEFT_ASSERT(fit.points.size() == all.size());
  fit.simulations = found.simulations + std::ssize(all);
  fit.profile = file_of(fit, found.state);
  return fit;
}

}  // namespace weft::calibrate
