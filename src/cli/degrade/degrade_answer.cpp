#include "cli/degrade/degrade_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "weft/advise/degradation_parts.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

using advise::DegradedRow;
using advise::Endurance;
using advise::Failure;
using advise::FailureOutcome;

namespace {

std::string rank_text(const Network& network, schedule::Rank rank) {
  const std::string& name =
      topology::name_of(network.topology(), network.placement().nodes[rank.index()]);
  return name.empty() ? fmt::format("rank {}", rank.value()) : name;
}

std::string kind_text(const DegradeAnswer& a, std::int64_t count) {
  const Failure& first = a.found.failures.front();
  const char* nodes = a.network.topology().has_switches() ? "switches" : "nodes";
  const char* one = a.network.topology().has_switches() ? "switch" : "node";
  if (advise::fails_both(a.found)) return fmt::format("cables and {}", nodes);
  if (first.nodes.empty()) return count == 1 ? "cable" : "cables";
  return count == 1 ? one : nodes;
}

// "each of 192 cables fails, one at a time", "100 of 496 sets of 2 cables fail ..."
std::string trials_text(const DegradeAnswer& a) {
  const auto tried = std::ssize(a.found.failures);
  const std::int64_t at_once = a.asked.failures.at_once;
  const bool all = tried == a.found.possible;
  const std::string sets = at_once == 1
                               ? kind_text(a, tried)
                               : fmt::format("sets of {} {}", at_once, kind_text(a, at_once));
  if (all && tried == 1) return fmt::format("its only {} fails", kind_text(a, 1));
  if (all)
    return fmt::format("each of {} {} fails{}", tried, sets, at_once == 1 ? ", one at a time" : "");
  const char* option = a.found.failures.front().nodes.empty() ? "cables" : "nodes";
  return fmt::format("{} of {} {} fail, chosen by --seed {}{}", tried, a.found.possible, sets,
                     a.options.common.seed,
                     at_once == 1 ? fmt::format(" (--{} all tries each one)", option) : "");
}

std::string failures_text(std::size_t count) {
  return counted(static_cast<std::int64_t>(count), "failure");
}

// Failures without times: "4 of 12 failures disconnect ranks and are not in the table: ..."
std::string cut_text(const DegradeAnswer& a) {
  constexpr std::size_t kShown = 3, kShownRanks = 4;
  std::string names;
  std::size_t count = 0;
  for (const Failure& failure : a.found.failures) {
    if (failure.cut_off.empty()) continue;
    if (++count > kShown) continue;
    std::string ranks;
    for (std::size_t i = 0; i < std::min(kShownRanks, failure.cut_off.size()); ++i)
      ranks += (i == 0 ? "" : ", ") + rank_text(a.network, failure.cut_off[i]);
    if (failure.cut_off.size() > kShownRanks)
      ranks += fmt::format(", {} more", failure.cut_off.size() - kShownRanks);
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", failure.name, ranks);
  }
  if (count == 0) return "";
  return fmt::format("{} of {} {} ranks and {} not in the table: {}{}\n", count,
                     failures_text(a.found.failures.size()),
                     count == 1 ? "disconnects" : "disconnect", count == 1 ? "is" : "are", names,
                     count > kShown ? fmt::format(", ... {} more", count - kShown) : "");
}

std::string lost_text(const DegradeAnswer& a) {
  std::size_t with_lost = 0, without_root = 0;
  for (const Failure& failure : a.found.failures) {
    if (!failure.lost.empty() && failure.serves()) ++with_lost;
    if (failure.cut_off.empty() && !failure.serves()) ++without_root;
  }
  std::string text;
  if (with_lost > 0)
    text += fmt::format("After {} the collective runs among the ranks on working nodes only.\n",
                        failures_text(with_lost));
  if (without_root > 0)
    text += fmt::format(
        "After {} there is nothing to run: the root, an endpoint, or all but one rank failed.\n",
        failures_text(without_root));
  return text;
}

// Routings of damaged networks that differ from the routing of the intact network.
std::string routings_text(const DegradeAnswer& a) {
  std::map<std::string, std::size_t> others;
  for (const Failure& failure : a.found.failures)
    if (failure.serves() && failure.routing != a.network.routing().name())
      ++others[failure.routing];
  std::string text;
  for (const auto& [routing, count] : others)
    text += fmt::format("{}{} after {}", text.empty() ? "Routing changes to " : ", to ", routing,
                        failures_text(count));
  return text.empty() ? text : text + "; the slowdowns include this change.\n";
}

std::string ways_text(const DegradeAnswer& a) {
  const Failure* most = nullptr;
  for (const Failure& failure : a.found.failures)
    if (failure.serves() && failure.ways && failure.ways->pairs > 0 &&
        (most == nullptr || failure.ways->pairs > most->ways->pairs))
      most = &failure;
  if (most == nullptr) return "";
  return fmt::format(
      "Until the forwarding tables are updated, up to {} of ranks cannot communicate ({}; "
      "first pair: {} to {}). Times are for updated tables.\n",
      counted(most->ways->pairs, "pair"), most->name, rank_text(a.network, most->ways->from),
      rank_text(a.network, most->ways->to));
}

// Algorithms without a schedule: "swing after 16 failures (it needs a torus or ring)".
std::string impossible_text(const DegradeAnswer& a) {
  constexpr std::size_t kShown = 3;
  std::vector<std::pair<std::string, std::string>> why;  // a reason, and the algorithms
  for (std::size_t i = 0; i < a.found.algorithms.size(); ++i) {
    const Endurance& each = a.found.algorithms[i];
    if (each.impossible == 0) continue;
    const auto row = std::ranges::find_if(a.found.rows, [&](const DegradedRow& one) {
      return one.algorithm == i && one.fate == FailureOutcome::impossible;
    });
    const std::string reason = fmt::format(
        " after {} ({})", failures_text(static_cast<std::size_t>(each.impossible)), row->reason);
    const auto known = std::ranges::find(why, reason, &std::pair<std::string, std::string>::first);
    if (known == why.end())
      why.emplace_back(reason, each.algorithm);
    else
      known->second += ", " + each.algorithm;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, why.size()); ++i)
    text += (i == 0 ? "" : "; ") + why[i].second + why[i].first;
  if (why.empty()) return "";
  return fmt::format("No schedule fits the damaged network: {}{}{}\n", text,
                     why.size() > kShown ? "; ... more: --json" : "",
                     a.asked.failures.schedules == advise::ScheduleRepair::rebuilt
                         ? "; the old schedules may work: omit --schedules rebuilt"
                         : "");
}

// If nothing was timed after any failure.
std::string none_text(const DegradeAnswer& a) {
  const std::vector<Failure>& failures = a.found.failures;
  if (std::ranges::any_of(failures, &Failure::serves))
    return "None of these algorithms can run after any of the failures.\n";
  return std::cmp_equal(failures.size(), a.found.possible)
             ? "The collective cannot run after any of the failures.\n"
             : fmt::format("The collective cannot run after any of the {} that were tried.\n",
                           failures_text(failures.size()));
}

std::string best_text(const DegradeAnswer& a) {
  const Endurance& best = a.found.best;
  if (best.worst.empty()) return none_text(a);
  const std::string worst = advise::worst_text({a.found, best});
  constexpr double kMuch = 1.05;
  const bool may_gain =
      best.kept > 0 && best.worst_slowdown > kMuch && a.options.schedule_files.empty();
  return fmt::format(
      "With the fastest algorithm after each failure: {:.3f} times as long on average, {:.3f} at "
      "worst. {}\n{}",
      best.mean_slowdown, best.worst_slowdown,
      worst == "any" ? "All failures are equally bad." : fmt::format("Worst failure: {}.", worst),
      may_gain ? "Schedules built for the damaged network may be faster than the unchanged ones: "
                 "--schedules rebuilt\n"
               : "");
}

}  // namespace

report::Chart chart_of(const DegradeAnswer& a) {
  report::Chart chart{.title = fmt::format("{} of {} on {}: {}", name_of(a.collective.kind),
                                           format_size(a.asked.size_B), a.network.topology().name(),
                                           trials_text(a)),
                      .y_label = "slowdown",
                      .x_scale = report::Scale::linear,
                      .y_scale = report::Scale::linear,
                      .mark = report::Mark::bars};
  report::Series mean{"mean", {}, {}}, worst{"worst", {}, {}};
  const auto add = [&](const std::string& name, const Endurance& each) {
    if (each.worst.empty()) return;
    const auto x = static_cast<double>(chart.categories.size());
    chart.categories.push_back(name);
    mean.x.push_back(x);
    mean.y.push_back(each.mean_slowdown);
    worst.x.push_back(x);
    worst.y.push_back(each.worst_slowdown);
  };
  add("fastest", a.found.best);
  for (const Endurance* each : a.by_time()) add(each->algorithm, *each);
  chart.series = {std::move(mean), std::move(worst)};
  return chart;
}

void print_table(const DegradeAnswer& a, Streams& streams) {
  streams.out << fmt::format(
      "{} of {} on {}, {} ranks, routing {}; {}\n{}\n\n", name_of(a.collective.kind),
      format_size(a.asked.size_B), a.network.topology().name(), a.collective.ranks,
      routing_text(a.network), trials_text(a), speeds_text(a.network, a.options.said));
  streams.out << table_of(algorithm_cells(a)).text(screen_of(streams)) << '\n'
              << best_text(a) << impossible_text(a) << cut_text(a) << lost_text(a)
              << routings_text(a) << ways_text(a);
}

}  // namespace weft::cli
