#include "cli/answers/order_answer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/answers/routing_text.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

using advise::OrderAlternative;
using advise::OrderCandidate;
using advise::OrderCost;

namespace {

/// The fastest that is known.
struct Fastest {
  std::string algorithm, order;
  double time_s = 0;
  enum class Is : std::uint8_t { found, other, alternative } is = Is::found;
};

// By more than a tie.
bool is_less(double time_s, double than_s) {
  return time_s < than_s * (1 - advise::kLeastGain);
}

Fastest fastest_of(const OrderAnswer& a, const OrderCall& call) {
  const double found_s = a.found_s(call);
  Fastest best{call.algorithm(), "found", found_s};
  const auto consider = [&](const Fastest& other) {
    if (is_less(other.time_s, found_s) && other.time_s < best.time_s) best = other;
  };
  for (const auto& [algorithm, cost] : a.baselines)
    consider({algorithm, a.asked.start, cost.time_s, Fastest::Is::other});
  for (const auto& timed : call.choice.timed)
    consider({timed.algorithm, timed.order, timed.least_s, Fastest::Is::other});
  for (const OrderAlternative& other : call.alternatives)
    consider({other.algorithm, other.order, other.time_s, Fastest::Is::alternative});
  return best;
}

// Of all calls.
std::int64_t least_hops(const OrderAnswer& a) {
  std::int64_t hops = 0;
  for (const OrderCall& call : a.calls) hops += call.calls * call.study->least_hops();
  return hops;
}

Json json_of(const OrderCost& cost) {
  return {{"hops", cost.hops}, {"makespan", cost.makespan_s}, {"time", cost.time_s}};
}

// The keys of one collective, added to those that are there.
void add_call(Json& json, const OrderAnswer& a, const OrderCall& call) {
  json["collective"] = std::string(name_of(call.choice.question.collective));
  if (a.is_mix()) {
    json["size"] = call.choice.question.size_B;
    json["calls"] = call.calls;
  }
  json["algorithm"] = call.algorithm();
  json["considered"] = Json::array();
  for (const auto& timed : call.choice.timed)
    json["considered"].push_back({{"algorithm", timed.algorithm},
                                  {"time", timed.least_s},
                                  {"order", timed.order},
                                  {"start_time", timed.time_s}});
  json["alternatives"] = Json::array();
  for (const auto& [algorithm, order, time_s] : call.alternatives)
    json["alternatives"].push_back({{"algorithm", algorithm}, {"order", order}, {"time", time_s}});
  json["alternatives_timed"] = a.study().ranks() <= advise::kMostFollowingRanks;
  const Fastest fastest = fastest_of(a, call);
  json["fastest"] = {{"algorithm", fastest.algorithm},
                     {"order", fastest.order},
                     {"time", fastest.time_s},
                     {"made_for_network", fastest.is == Fastest::Is::alternative}};
  if (a.is_mix()) {
    json["start_time"] = call.study->time_s(a.advice.start().order);
    json["time"] = a.found_s(call);
  }
}

}  // namespace

double OrderAnswer::found_s(const OrderCall& call) const {
  return is_mix() ? call.study->time_s(advice.found().order) : advice.found().cost.time_s;
}

std::vector<std::string> OrderAnswer::host_names() const {
  const Topology& topology = network.topology();
  std::vector<std::string> names;
  for (const std::int32_t host : advice.found().order)
    names.push_back(topology::name_of(topology, topology.hosts()[host]));
  return names;
}

Json json_of(const OrderAnswer& a) {
  Json json = answer("order", a.options.common);
  if (a.is_mix()) {
    for (const OrderCall& call : a.calls) add_call(json["mix"].emplace_back(), a, call);
  } else {
    add_call(json, a, a.calls.front());
  }
  json["topology"] = a.network.topology().name();
  json["routing"] = std::string(a.network.routing().name());
  json["routing_reason"] = routing_reason(a.network);
  json["relayed_pairs"] = relayed_pairs(a.placed());
  json["ranks"] = a.study().ranks();
  json["cores"] = a.asked.cores;
  if (const auto allocation = a.study().allocation(); !allocation.empty())
    json["allocation"] = allocation;
  if (!a.is_mix()) json["size"] = a.calls.front().choice.question.size_B;
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
  json["hops_bound"] = least_hops(a);
  if (a.launcher_s) json["launcher_time"] = *a.launcher_s;
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

namespace {

std::string headline(const OrderAnswer& a, const OrderCall& call) {
  const Fastest fastest = fastest_of(a, call);
  const std::string name(name_of(call.choice.question.collective));
  const double found_s = a.found_s(call);
  if (fastest.is != Fastest::Is::found)
    return fmt::format(
        "{} at {}: {} is the fastest, {} in the order {}{}; {} takes {} in {}, {:.3g} times as "
        "long\n",
        name, call.size, fastest.algorithm, format_seconds(fastest.time_s), fastest.order,
        fastest.is == Fastest::Is::alternative
            ? fmt::format(" (built for this network, so its ranks have a fixed order: weft "
                          "schedule {} -a {}{})",
                          name, fastest.algorithm,
                          options_of(fastest.algorithm, call.choice.question.options))
            : "",
        call.algorithm(), format_seconds(found_s),
        a.is_mix() ? "the common order" : "its best order", found_s / fastest.time_s);
  if (!call.chosen || a.is_mix()) return "";
  return fmt::format(
      "{} at {}: {} is the fastest, {} in the best order; timed: {} in the order {} and in simple "
      "orders{}\n",
      name, call.size, fastest.algorithm, format_seconds(fastest.time_s),
      counted(std::ssize(call.choice.timed) + std::ssize(call.alternatives), "algorithm"),
      a.asked.start,
      a.study().ranks() <= advise::kMostFollowingRanks
          ? ""
          : fmt::format(
                ", without algorithms built for the network (above {} ranks, weft compare {} "
                "times them)",
                advise::kMostFollowingRanks, name));
}

std::string calls_text(const OrderAnswer& a) {
  std::string text;
  for (const OrderCall& call : a.calls)
    text += fmt::format("{}{}{} by {} at {}", text.empty() ? "" : ", ",
                        a.is_mix() ? fmt::format("{} x ", call.calls) : "",
                        name_of(call.choice.question.collective), call.algorithm(), call.size);
  return text;
}

// What a call of each collective takes.
std::string calls_table(const OrderAnswer& a, Streams& streams) {
  Table table({"collective", "size", "calls", "algorithm", a.asked.start, "best order"});
  for (const OrderCall& call : a.calls)
    table.add({std::string(name_of(call.choice.question.collective)), call.size,
               std::to_string(call.calls), call.algorithm(),
               format_seconds(call.study->time_s(a.advice.start().order)),
               format_seconds(a.found_s(call))});
  return table.text(screen_of(streams));
}

}  // namespace

std::string headline(const OrderAnswer& a) {
  std::string text;
  for (const OrderCall& call : a.calls) text += headline(a, call);
  return text;
}

std::string verdict(const OrderAnswer& a) {
  const std::string where = fmt::format("{}, routing {}", calls_text(a), routing_text(a.placed()));
  if (a.advice.best == 0)
    return fmt::format("no better order found than {}: {}\n", a.asked.start, where);
  const double percent = 100 * a.gain();
  return fmt::format("{} is {:.1f} % {} than {}: {}\n", a.advice.found().name, std::abs(percent),
                     percent < 0 ? "slower" : "faster", a.asked.start, where);
}

std::string beside_launcher(const OrderAnswer& a) {
  if (!a.launcher_s || *a.launcher_s <= 0) return "";
  const double percent = 100 * (1 - a.advice.found().cost.time_s / *a.launcher_s);
  const std::string by_name = "hosts in order of names, the default of launchers\n";
  if (std::abs(percent) < 0.05) return "as fast as " + by_name;
  return fmt::format("{:.1f} % {} than {}", std::abs(percent), percent < 0 ? "slower" : "faster",
                     by_name);
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
  table.add({"lower bound", std::to_string(least_hops(a)), "", ""});
  for (const auto& [algorithm, cost] : a.baselines)
    row(fmt::format("{}, {}", algorithm, a.asked.start), cost);
  const auto faster = [&](const std::string& algorithm, const std::string& order, double time_s) {
    if (!a.is_mix() && is_less(time_s, a.advice.found().cost.time_s))
      table.add({fmt::format("{}, {}", algorithm, order), "", "", format_seconds(time_s)});
  };
  for (const auto& timed : a.calls.front().choice.timed)
    faster(timed.algorithm, timed.order, timed.least_s);
  for (const auto& [algorithm, order, time_s] : a.calls.front().alternatives)
    faster(algorithm, order, time_s);
  streams.out << headline(a) << table.text(screen_of(streams))
              << (a.is_mix() ? calls_table(a, streams) : "") << "* " << verdict(a)
              << beside_launcher(a);
}

}  // namespace weft::cli
