// The tables of parts of what weft order answers.
#include <array>
#include <functional>

#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/order/order_answer.hpp"
#include "weft/answer/keys.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

using answer::Part;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using order::OrderAdvice;
using order::OrderAlternative;
using order::OrderCandidate;
using order::OrderChoice;
using order::OrderCost;
using order::OrderSearch;

namespace {

/// A call of the answer.
struct AnsweredCall {
  const OrderAnswer& of;
  const OrderCall& call;
};

std::vector<AnsweredCall> calls_of(const OrderAnswer& a) {
  std::vector<AnsweredCall> calls;
  for (const OrderCall& call : a.calls) calls.push_back({a, call});
  return calls;
}

Parts<OrderCost> cost_parts() {
  constexpr PartOf<OrderCost> part;
  return {part("hops", "", Unit::none, "links between switches, summed over the messages",
               &OrderCost::hops),
          part("makespan", "", Unit::seconds, "time by the formula, if messages never share links",
               &OrderCost::makespan_s),
          part("time", "", Unit::seconds, "simulated time", &OrderCost::time_s)};
}

Parts<OrderCandidate> candidate_parts() {
  constexpr PartOf<OrderCandidate> part;
  return join(
      {part("by", "", Unit::none, "policy or objective that led to it", &OrderCandidate::name)},
      part.within(&OrderCandidate::cost, cost_parts()));
}

Parts<OrderBaseline> baseline_parts() {
  constexpr PartOf<OrderBaseline> part;
  return join({part(keys::kAlgorithm, &OrderBaseline::algorithm)},
              part.within(&OrderBaseline::cost, cost_parts()));
}

Parts<OrderChoice::Timed> timed_parts() {
  using Timed = OrderChoice::Timed;
  constexpr PartOf<Timed> part;
  return {
      part(keys::kAlgorithm, &Timed::algorithm),
      part("time", "", Unit::seconds, "its time in the best of the simple orders", &Timed::least_s),
      part("order", "", Unit::none, "that order", &Timed::order),
      part("start_time", "", Unit::seconds, "its time in the first order", &Timed::time_s)};
}

Parts<OrderAlternative> alternative_parts() {
  constexpr PartOf<OrderAlternative> part;
  return {part(keys::kAlgorithm, &OrderAlternative::algorithm),
          part("order", "", Unit::none, "its order of ranks", &OrderAlternative::order),
          part("time", "", Unit::seconds, "its time", &OrderAlternative::time_s)};
}

Parts<FastestOrder> fastest_parts() {
  constexpr PartOf<FastestOrder> part;
  return {
      part(keys::kAlgorithm, &FastestOrder::algorithm),
      part("order", "", Unit::none, "its order of ranks; found: the answer", &FastestOrder::order),
      part("time", "", Unit::seconds, "its time", &FastestOrder::time_s),
      part(
          "made_for_network", "", Unit::none, "whether it is built for this network",
          [](const FastestOrder& fastest) { return fastest.is == FastestOrder::Is::alternative; })};
}

Part<AnsweredCall> collective_part() {
  constexpr PartOf<AnsweredCall> part;
  return part(keys::kCollective, "collective",
              [](const AnsweredCall& a) { return name_of(a.call.choice.question.collective); });
}

Parts<AnsweredCall> algorithm_parts() {
  constexpr PartOf<AnsweredCall> part;
  return {
      part("algorithm", "algorithm", Unit::none, "algorithm that ranks are ordered for",
           [](const AnsweredCall& a) { return a.call.text_of(a.call.algorithm()); }),
      part.list(
          "considered", "algorithms for any network that were timed",
          [](const AnsweredCall& a) -> const auto& { return a.call.choice.timed; }, timed_parts()),
      part.list(
          "alternatives", "algorithms built for this network that were timed",
          [](const AnsweredCall& a) -> const auto& { return a.call.alternatives; },
          alternative_parts()),
      part("alternatives_timed", "", Unit::none,
           "whether ranks are few enough to time algorithms built for this network",
           [](const AnsweredCall& a) { return a.of.study().ranks() <= evaluate::kMostRanksOfAll; }),
      part.object(
          "fastest", "the fastest algorithm and order that are known",
          [](const AnsweredCall& a) { return fastest_of(a.of, a.call); }, fastest_parts())};
}

// Of a mix.
Parts<AnsweredCall> mixed_call_parts() {
  constexpr PartOf<AnsweredCall> part;
  return join(
      join({collective_part(),
            part(keys::kSize, "size",
                 [](const AnsweredCall& a) { return a.call.choice.question.size_B; })
                .shown_as([](const AnsweredCall& a) { return a.call.size; }),
            part(keys::kCalls, "calls", [](const AnsweredCall& a) { return a.call.calls; })},
           algorithm_parts()),
      {part("start_time", "", Unit::seconds, "time of a call in the first order",
            [](const AnsweredCall& a) { return a.call.study->time_s(a.of.advice.start().order); }),
       part("time", "best order", Unit::seconds, "time of a call in the order that was found",
            [](const AnsweredCall& a) { return a.of.found_s(a.call); })});
}

// A value of the search, or of what it found.
template <class Get>
auto of_asked(Get get) {
  return [get](const OrderAnswer& a) { return std::invoke(get, a.asked); };
}
template <class Get>
auto of_advice(Get get) {
  return [get](const OrderAnswer& a) { return std::invoke(get, a.advice); };
}

std::optional<std::vector<std::string>> names_of_order(const OrderAnswer& a) {
  const Topology& topology = a.network.topology();
  if (!topology.facets().names) return std::nullopt;
  std::vector<std::string> names;
  for (const std::int32_t host : a.advice.found().order)
    names.push_back(node_text(topology, topology.hosts()[host]));
  return names;
}

Parts<OrderAnswer> setting_parts() {
  constexpr PartOf<OrderAnswer> part;
  return {
      part(keys::kTopology, [](const OrderAnswer& a) { return a.network.topology().name(); }),
      part(keys::kRouting, [](const OrderAnswer& a) { return a.network.routing().name(); }),
      part(keys::kRoutingReason, [](const OrderAnswer& a) { return routing_reason(a.network); }),
      part(keys::kRelayedPairs, [](const OrderAnswer& a) { return relayed_pairs(a.placed()); }),
      part(keys::kRanks, [](const OrderAnswer& a) { return a.study().ranks(); }),
      part("cores", "", Unit::none, "ranks that a host may have", of_asked(&OrderSearch::cores)),
      part("allocation", "", Unit::none, "hosts that ranks may use, if not all",
           [](const OrderAnswer& a) { return a.study().allocation(); })
          .when([](const OrderAnswer& a) { return !a.study().allocation().empty(); }),
      speeds_part<OrderAnswer>(
          [](const OrderAnswer& a) { return speeds_of(a.network, a.options.said); })};
}

Parts<OrderAnswer> search_parts() {
  constexpr PartOf<OrderAnswer> part;
  return {
      part("search", "", Unit::none, "method of the search",
           of_asked([](const OrderSearch& asked) { return name_of(asked.options(0).method); })),
      part("objective", "", Unit::none, "objective of the search, or auto",
           of_asked([](const OrderSearch& asked) {
             return asked.objective ? name_of(*asked.objective) : "auto";
           })),
      part("judge", "", Unit::none, "what orders are compared by: time or objective",
           of_asked([](const OrderSearch& asked) { return name_of(asked.judge); })),
      part("moves", "", Unit::none, "moves of the search",
           of_asked([](const OrderSearch& asked) { return name_of(asked.moves); })),
      part("root", "", Unit::none, "whether the root may move: free or fixed",
           of_asked([](const OrderSearch& asked) { return name_of(asked.root); })),
      part("from", "", Unit::none, "the first order", of_asked(&OrderSearch::start)),
      part("attempts", "", Unit::none, "moves that were tried", of_advice(&OrderAdvice::attempts)),
      part("accepted", "", Unit::none, "moves that were made", of_advice(&OrderAdvice::accepted)),
      part("restarts", "", Unit::none, "restarts of a search", of_asked(&OrderSearch::restarts)),
      part.object("start", "cost of the first order",
                  of_advice([](const OrderAdvice& advice) { return advice.start().cost; }),
                  cost_parts()),
      part.list(
          "candidates", "orders that were compared, the first order first",
          [](const OrderAnswer& a) -> const auto& { return a.advice.candidates; },
          candidate_parts())};
}

Parts<OrderAnswer> found_parts() {
  constexpr PartOf<OrderAnswer> part;
  return join(
      join({part("found_by", "", Unit::none, "policy or objective that led to the answer, or start",
                 of_advice([](const OrderAdvice& advice) {
                   return advice.best == 0 ? "start" : advice.found().name;
                 }))},
           part.within(of_advice([](const OrderAdvice& advice) { return advice.found().cost; }),
                       cost_parts())),
      {part("hops_bound", "", Unit::none, "lower bound on the hops of any order",
            &OrderAnswer::least_hops),
       part("launcher_time", "", Unit::seconds, "time with hosts in the order of their names",
            &OrderAnswer::launcher_s)
           .left_out(),
       part.list("baselines", "algorithms of --baseline in the first order",
                 &OrderAnswer::baselines, baseline_parts()),
       part("order", "", Unit::none, "host of each rank",
            of_advice([](const OrderAdvice& advice) { return advice.found().order; })),
       part("order_names", "", Unit::none, "name of the host of each rank", names_of_order)
           .left_out()});
}

}  // namespace

Parts<OrderAnswer> order_parts() {
  constexpr PartOf<OrderAnswer> part;
  const auto call = part.within(
      [](const OrderAnswer& a) {
        return AnsweredCall{a, a.calls.front()};
      },
      join({collective_part()}, algorithm_parts()));
  return join(
      join(join(call, setting_parts()),
           {part(keys::kSize,
                 [](const OrderAnswer& a) { return a.calls.front().choice.question.size_B; })}),
      join(search_parts(), found_parts()));
}

Parts<OrderAnswer> order_mix_parts() {
  constexpr PartOf<OrderAnswer> part;
  return join(join({part.list("mix", "the collectives of --mix", calls_of, mixed_call_parts())},
                   setting_parts()),
              join(search_parts(), found_parts()));
}

answer::Cells mix_cells(const OrderAnswer& a) {
  const auto columns = std::to_array<answer::Column>({{"collective"},
                                                      {"size"},
                                                      {"calls"},
                                                      {"algorithm"},
                                                      {"start_time", a.asked.start},
                                                      {"time"}});
  return answer::cells_of<AnsweredCall>(calls_of(a), mixed_call_parts(), columns,
                                        answer::Reader::person);
}

}  // namespace weft::cli
