#include "cli/answers/order_answer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/answers/routing_text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

using question::OrderAlternative;
using question::OrderCandidate;
using question::OrderCost;

namespace {

/// The fastest that is known.
struct Fastest {
  std::string algorithm, order;
  double time_s = 0;
  enum class Is : std::uint8_t { found, baseline, alternative } is = Is::found;
};

Fastest fastest_of(const OrderAnswer& a) {
  Fastest best{a.algorithm(), "found", a.advice.found().cost.time_s};
  const auto consider = [&](const Fastest& other) {
    if (a.betters(other.time_s) && other.time_s < best.time_s) best = other;
  };
  for (const auto& [algorithm, cost] : a.baselines)
    consider({algorithm, a.asked.start, cost.time_s, Fastest::Is::baseline});
  for (const OrderAlternative& other : a.alternatives)
    consider({other.algorithm, other.order, other.time_s, Fastest::Is::alternative});
  return best;
}

Json json_of(const OrderCost& cost) {
  return {{"hops", cost.hops}, {"makespan", cost.makespan_s}, {"time", cost.time_s}};
}

}  // namespace

Json json_of(const OrderAnswer& a) {
  Json json = answer("order", a.options.common);
  json["collective"] = std::string(name_of(a.choice.question.collective));
  json["algorithm"] = a.algorithm();
  json["considered"] = Json::array();
  for (const auto& [algorithm, start_s, least_s] : a.choice.timed)
    json["considered"].push_back(
        {{"algorithm", algorithm}, {"time", least_s}, {"start_time", start_s}});
  json["alternatives"] = Json::array();
  for (const auto& [algorithm, order, time_s] : a.alternatives)
    json["alternatives"].push_back({{"algorithm", algorithm}, {"order", order}, {"time", time_s}});
  json["alternatives_timed"] = a.study.ranks() <= question::kMostFollowingRanks;
  const Fastest fastest = fastest_of(a);
  json["fastest"] = {{"algorithm", fastest.algorithm},
                     {"order", fastest.order},
                     {"time", fastest.time_s},
                     {"made_for_network", fastest.is == Fastest::Is::alternative}};
  json["topology"] = a.network.topology().name();
  json["routing"] = std::string(a.network.routing().name());
  json["routing_reason"] = routing_reason(a.network);
  json["relayed_pairs"] = relayed_pairs(a.placed());
  json["ranks"] = a.study.ranks();
  json["cores"] = a.asked.cores;
  if (const auto allocation = a.study.allocation(); !allocation.empty())
    json["allocation"] = allocation;
  json["size"] = a.choice.question.size_B;
  json["search"] = name_of(a.asked.options(0).method);
  json["objective"] = a.asked.objective ? name_of(*a.asked.objective) : "auto";
  json["judge"] = name_of(a.asked.judge);
  json["moves"] = name_of(a.asked.moves);
  json["root"] = name_of(a.asked.root);
  json["from"] = a.asked.start;
  json["attempts"] = a.advice.attempts;
  json["accepted"] = a.advice.accepted;
  json["restarts"] = a.asked.restarts;
  json["start"] = json_of(a.advice.start().cost);
  json["candidates"] = Json::array();
  for (const OrderCandidate& candidate : a.advice.candidates) {
    json["candidates"].push_back({{"by", candidate.name}});
    json["candidates"].back().update(json_of(candidate.cost));
  }
  json["found_by"] = a.advice.best == 0 ? "start" : a.advice.found().name;
  json.update(json_of(a.advice.found().cost));
  json["hops_bound"] = a.study.least_hops();
  json["baselines"] = Json::array();
  for (const auto& [algorithm, cost] : a.baselines) {
    json["baselines"].push_back({{"algorithm", algorithm}});
    json["baselines"].back().update(json_of(cost));
  }
  json["order"] = a.advice.found().order;
  if (const Topology& topology = a.network.topology(); topology.facets().names)
    for (const std::int32_t host : a.advice.found().order)
      json["order_names"].push_back(node_text(topology, topology.hosts()[host]));
  return json;
}

// " --variant latency" for each option given that the algorithm takes.
std::string options_of(const std::string& algorithm, const algorithm::AlgorithmOptions& given) {
  std::string text;
  for (const auto& [name, value] :
       algorithm::taken_by(algorithm::find_algorithm(algorithm), given).values)
    text += fmt::format(" --{} {}", name, algorithm::to_text(value));
  return text;
}

std::string headline(const OrderAnswer& a) {
  const Fastest fastest = fastest_of(a);
  const std::string name(name_of(a.choice.question.collective));
  if (fastest.is != Fastest::Is::found)
    return fmt::format(
        "{} at {}: {} is the fastest, {} in the order {}{}; the best order of {} takes {}, {:.3g} "
        "times as long\n",
        name, a.options.size, fastest.algorithm, format_seconds(fastest.time_s), fastest.order,
        fastest.is == Fastest::Is::alternative
            ? fmt::format(
                  " (made for this network, its ranks stay there: weft schedule {} -a {}{})", name,
                  fastest.algorithm, options_of(fastest.algorithm, a.choice.question.options))
            : "",
        a.algorithm(), format_seconds(a.advice.found().cost.time_s),
        a.advice.found().cost.time_s / fastest.time_s);
  if (!a.chosen()) return "";
  return fmt::format(
      "{} at {}: {} is the fastest, {} in the order found; timed were {} algorithms "
      "in the order {} and in simple ones{}\n",
      name, a.options.size, fastest.algorithm, format_seconds(fastest.time_s),
      a.choice.timed.size() + a.alternatives.size(), a.asked.start,
      a.study.ranks() <= question::kMostFollowingRanks
          ? ""
          : fmt::format(", none of those made for this network (for over {} ranks "
                        "weft compare {} has them)",
                        question::kMostFollowingRanks, name));
}

std::string verdict(const OrderAnswer& a) {
  const std::string where =
      fmt::format("{} by {} at {}, routing {}", name_of(a.choice.question.collective),
                  a.algorithm(), a.options.size, routing_text(a.placed()));
  if (a.advice.best == 0)
    return fmt::format("no better order found than {}: {}\n", a.asked.start, where);
  const double percent = 100 * a.gain();
  return fmt::format("{} is {:.1f} % {} than {}: {}\n", a.advice.found().name, std::abs(percent),
                     percent < 0 ? "slower" : "faster", a.asked.start, where);
}

void print_table(const OrderAnswer& a, Streams& streams) {
  Table table({"order", "hops", "makespan", "time"});
  const auto row = [&](const std::string& name, const OrderCost& cost) {
    table.add({name, std::to_string(cost.hops), format_seconds(cost.makespan_s),
               format_seconds(cost.time_s)});
  };
  for (std::size_t i = 0; i < a.advice.candidates.size(); ++i) {
    const OrderCandidate& candidate = a.advice.candidates[i];
    row(candidate.name + (i == a.advice.best ? "*" : ""), candidate.cost);
  }
  table.add({"bound", std::to_string(a.study.least_hops()), "", ""});
  for (const auto& [algorithm, cost] : a.baselines)
    row(fmt::format("{}, {}", algorithm, a.asked.start), cost);
  for (const auto& [algorithm, order, time_s] : a.alternatives)
    if (a.betters(time_s))
      table.add({fmt::format("{}, {}", algorithm, order), "", "", format_seconds(time_s)});
  streams.out << headline(a) << table.text(screen_of(streams)) << "* " << verdict(a);
}

}  // namespace weft::cli
