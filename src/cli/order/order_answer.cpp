#include "cli/order/order_answer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

using order::OrderAlternative;
using order::OrderCandidate;
using order::OrderCost;

namespace {

// By more than a tie.
bool is_less(double time_s, double than_s) {
  return !evaluate::ties(than_s, time_s);
}

}  // namespace

FastestOrder fastest_of(const OrderAnswer& a, const OrderCall& call) {
  const double found_s = a.found_s(call);
  FastestOrder best{call.algorithm(), "found", found_s};
  const auto consider = [&](const FastestOrder& other) {
    if (is_less(other.time_s, found_s) && other.time_s < best.time_s) best = other;
  };
  for (const auto& [algorithm, cost] : a.baselines)
    consider({algorithm, a.asked.start, cost.time_s, FastestOrder::Is::other});
  for (const auto& timed : call.choice.timed)
    consider({timed.algorithm, timed.order, timed.least_s, FastestOrder::Is::other});
  for (const OrderAlternative& other : call.alternatives)
    consider({other.algorithm, other.order, other.time_s, FastestOrder::Is::alternative});
  return best;
}

double OrderAnswer::found_s(const OrderCall& call) const {
  return is_mix() ? call.study->time_s(advice.found().order) : advice.found().cost.time_s;
}

std::int64_t OrderAnswer::least_hops() const {
  std::int64_t hops = 0;
  for (const OrderCall& call : calls) hops += call.calls * call.study->least_hops();
  return hops;
}

std::vector<std::string> OrderAnswer::host_names() const {
  const Topology& topology = network.topology();
  std::vector<std::string> names;
  for (const std::int32_t host : advice.found().order)
    names.push_back(topology::name_of(topology, topology.hosts()[host]));
  return names;
}

// " --variant latency" for each option given that the algorithm takes.
std::string options_of(const std::string& algorithm, const algorithm::AlgorithmOptions& given) {
  std::string text;
  for (const auto& [name, value] :
       algorithm::taken_by(algorithm::find_algorithm(algorithm), given).values)
    text += fmt::format(" --{} {}", name, algorithm::to_text(value));
  return text;
}

std::string OrderCall::text_of(const std::string& algorithm) const {
  const algorithm::Algorithm& known = algorithm::find_algorithm(algorithm);
  return algorithm::name_with(known, algorithm::taken_by(known, choice.question.options));
}

namespace {

std::string headline(const OrderAnswer& a, const OrderCall& call) {
  const FastestOrder fastest = fastest_of(a, call);
  const std::string name(name_of(call.choice.question.collective));
  const double found_s = a.found_s(call);
  if (fastest.is != FastestOrder::Is::found)
    return fmt::format(
        "{} at {}: {} is the fastest, {} in the order {}{}; {} takes {} in {}, {:.3g} times as "
        "long\n",
        name, call.size, call.text_of(fastest.algorithm), format_seconds(fastest.time_s),
        fastest.order,
        fastest.is == FastestOrder::Is::alternative
            ? fmt::format(" (built for this network, so its ranks have a fixed order: weft "
                          "schedule {} -a {}{})",
                          name, fastest.algorithm,
                          options_of(fastest.algorithm, call.choice.question.options))
            : "",
        call.text_of(call.algorithm()), format_seconds(found_s),
        a.is_mix() ? "the common order" : "its best order", found_s / fastest.time_s);
  if (!call.chosen || a.is_mix()) return "";
  return fmt::format(
      "{} at {}: {} is the fastest, {} in the best order; timed: {} in the order {} and in simple "
      "orders{}\n",
      name, call.size, call.text_of(fastest.algorithm), format_seconds(fastest.time_s),
      counted(std::ssize(call.choice.timed) + std::ssize(call.alternatives), "algorithm"),
      a.asked.start,
      a.study().ranks() <= evaluate::kMostRanksOfAll
          ? ""
          : fmt::format(
                ", without algorithms built for the network (above {} ranks, weft compare {} "
                "times them)",
                evaluate::kMostRanksOfAll, name));
}

std::string calls_text(const OrderAnswer& a) {
  std::string text;
  for (const OrderCall& call : a.calls)
    text += fmt::format("{}{}{} by {} at {}", text.empty() ? "" : ", ",
                        a.is_mix() ? fmt::format("{} x ", call.calls) : "",
                        name_of(call.choice.question.collective), call.text_of(call.algorithm()),
                        call.size);
  return text;
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
  table.add({"lower bound", std::to_string(a.least_hops()), "", ""});
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
  streams.out << headline(a) << speeds_text(a.network, a.options.said) << '\n'
              << table.text(screen_of(streams))
              << (a.is_mix() ? table_of(mix_cells(a)).text(screen_of(streams)) : "") << "* "
              << verdict(a) << beside_launcher(a);
}

}  // namespace weft::cli
