#include "cli/degrade/degrade_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

using advise::DegradedRow;
using advise::Endurance;
using advise::Failure;
using advise::Fate;

std::string rank_text(const Network& network, schedule::Rank rank) {
  const std::string& name =
      topology::name_of(network.topology(), network.placement().nodes[rank.index()]);
  return name.empty() ? fmt::format("rank {}", rank.value()) : name;
}

Json numbers(const std::vector<schedule::Rank>& ranks) {
  Json json = Json::array();
  for (const schedule::Rank rank : ranks) json.push_back(rank.value());
  return json;
}

Json json_of(const Failure& failure) {
  Json json{{"failed", failure.name},
            {"cables", failure.cables},
            {"nodes", failure.nodes},
            {"lost", numbers(failure.lost)},
            {"cut_off", numbers(failure.cut_off)},
            {"routing", failure.serves() ? Json(failure.routing) : Json()}};
  if (const auto& ways = failure.ways) {
    json["pairs_without_way"] = ways->pairs;
    json["first_pair"] = ways->pairs == 0 ? Json() : Json{ways->from.value(), ways->to.value()};
  }
  return json;
}

Json json_of(const Endurance& endurance, const std::vector<Failure>& failures) {
  const bool any = !endurance.worst.empty();
  Json worst = Json::array();
  for (const std::size_t failure : endurance.worst) worst.push_back(failures[failure].name);
  return {{"time", endurance.time_s},
          {"kept", endurance.kept},
          {"rebuilt", endurance.rebuilt},
          {"impossible", endurance.impossible},
          {"mean_slowdown", any ? Json(endurance.mean_slowdown) : Json()},
          {"worst_slowdown", any ? Json(endurance.worst_slowdown) : Json()},
          {"worst", std::move(worst)}};
}

// "cable=4~5 (of 3 equal)", "any"
std::string worst_text(const DegradeAnswer& a, const Endurance& endurance) {
  if (endurance.worst.empty()) return "";
  const std::size_t equal = endurance.worst.size();
  if (equal > 1 && std::cmp_equal(equal, endurance.kept + endurance.rebuilt)) return "any";
  const std::string& first = a.found.failures[endurance.worst.front()].name;
  return equal == 1 ? first : fmt::format("{} (of {} equal)", first, equal);
}

bool cables_and_nodes(const DegradeAnswer& a) {
  const std::vector<Failure>& failures = a.found.failures;
  return failures.front().nodes.empty() != failures.back().nodes.empty();
}

// The same without "cable=", where one of a kind fails.
std::string short_worst_text(const DegradeAnswer& a, const Endurance& endurance) {
  const std::string text = worst_text(a, endurance);
  const bool one_key = a.asked.failures.at_once == 1 && !cables_and_nodes(a);
  return one_key ? text.substr(text.find('=') + 1) : text;
}

std::string slowdown_text(const Endurance& endurance, double slowdown) {
  return endurance.worst.empty() ? "" : fmt::format("{:.3f}", slowdown);
}

std::string kind_text(const DegradeAnswer& a, std::int64_t count) {
  const Failure& first = a.found.failures.front();
  const char* nodes = a.network.topology().has_switches() ? "switches" : "nodes";
  const char* one = a.network.topology().has_switches() ? "switch" : "node";
  if (cables_and_nodes(a)) return fmt::format("cables and {}", nodes);
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
      return one.algorithm == i && one.fate == Fate::impossible;
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
                     a.asked.failures.schedules == advise::Upkeep::rebuilt
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
  const std::string worst = worst_text(a, best);
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

// By the time without failures.
std::vector<const Endurance*> ranked(const advise::Degradation& found) {
  std::vector<const Endurance*> order;
  for (const Endurance& each : found.algorithms) order.push_back(&each);
  std::ranges::stable_sort(order, {}, &Endurance::time_s);
  return order;
}

}  // namespace

Json json_of(const DegradeAnswer& a) {
  Json json = answer("degrade", a.options.common);
  json.update(json_of(UsedNetwork{a.network, a.options.said}, network_parts()));
  json["collective"] = std::string(name_of(a.collective.kind));
  json.update(json_of(a.collective, ends_parts()));
  json.update(json_of(UsedReadings{a.options.said}, readings_parts()));
  json["size"] = a.asked.size_B;
  json["at_once"] = a.asked.failures.at_once;
  json["schedules"] = std::string(name_of(a.asked.failures.schedules));
  json["possible"] = a.found.possible;
  json["algorithms"] = Json::array();
  for (const Endurance& each : a.found.algorithms) {
    Json line{{"algorithm", each.algorithm},
              {"file", each.file.empty() ? Json() : Json(each.file)}};
    line.update(json_of(each, a.found.failures));
    json["algorithms"].push_back(std::move(line));
  }
  json["best"] = json_of(a.found.best, a.found.failures);
  json["dropped"] = Json::array();
  for (const evaluate::Dropped& dropped : a.found.dropped)
    json["dropped"].push_back({{"algorithm", dropped.algorithm}, {"reason", dropped.reason}});
  json["failures"] = Json::array();
  for (const Failure& failure : a.found.failures) json["failures"].push_back(json_of(failure));
  json["rows"] = Json::array();
  for (const DegradedRow& row : a.found.rows) {
    const bool timed = row.fate != Fate::impossible;
    Json line{{"algorithm", a.found.algorithms[row.algorithm].algorithm},
              {"failed", a.found.failures[row.failure].name},
              {"time", timed ? Json(row.time_s) : Json()},
              {"slowdown", timed ? Json(row.slowdown) : Json()},
              {"schedule", std::string(name_of(row.fate))}};
    if (!timed) line["reason"] = row.reason;
    json["rows"].push_back(std::move(line));
  }
  return json;
}

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
  for (const Endurance* each : ranked(a.found)) add(each->algorithm, *each);
  chart.series = {std::move(mean), std::move(worst)};
  return chart;
}

void print_table(const DegradeAnswer& a, Streams& streams) {
  streams.out << fmt::format("{} of {} on {}, {} ranks, routing {}; {}\n\n",
                             name_of(a.collective.kind), format_size(a.asked.size_B),
                             a.network.topology().name(), a.collective.ranks,
                             routing_text(a.network), trials_text(a));
  Table table({"algorithm", "intact", "mean slowdown", "worst slowdown", "worst failure", "kept",
               "rebuilt", "impossible"});
  for (const Endurance* each : ranked(a.found))
    table.add({each->algorithm, format_seconds(each->time_s),
               slowdown_text(*each, each->mean_slowdown),
               slowdown_text(*each, each->worst_slowdown), short_worst_text(a, *each),
               fmt::format("{}", each->kept), fmt::format("{}", each->rebuilt),
               fmt::format("{}", each->impossible)});
  streams.out << table.text(screen_of(streams)) << '\n'
              << best_text(a) << impossible_text(a) << cut_text(a) << lost_text(a)
              << routings_text(a) << ways_text(a);
}

}  // namespace weft::cli
