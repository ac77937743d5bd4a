// Advice on rank orders: what is fastest of all that is known, by simulated time.
//
//   const OrderChoice choice = choose_algorithm(network, question);
//   const OrderStudy study(network, choice.question);
//   const OrderAdvice advice = advise_order(study, {});
//
// Hops and makespan are cheap to search, but an order that is better by them can be slower where
// messages meet. So what they find is one candidate among others, and simulated time decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/members.hpp"
#include "weft/order/order_study.hpp"

namespace weft::order {

struct OrderCandidate {
  std::string name;     // the start's policy, another policy, or the objective that led to it, in a
                        // mix with its collective; launcher: hosts in the order of their names
  search::Order order;  // the ranks alone
  OrderCost cost;
};

struct OrderAdvice {
  std::vector<OrderCandidate> candidates;  // the start first
  std::size_t best = 0;                    // 0: no better order is known than the start
  std::int64_t attempts = 0, accepted = 0;
  bool out_of_time = false;  // the time limit came before what was found was timed

  const OrderCandidate& start() const { return candidates.front(); }
  const OrderCandidate& found() const { return candidates[best]; }
};

enum class OrderJudge : std::uint8_t { time, objective };
/// "time", "objective"; any case. Throws InvalidInput.
OrderJudge parse_order_judge(std::string_view name);
std::string_view name_of(OrderJudge judge);

/// What is said of a search for an order: by a command, or by a row, which knows no judge, root and
/// time.
struct OrderSearch {
  std::optional<search::OrderMethod> method = {};
  std::optional<OrderObjectiveKind> objective = {};
  OrderJudge judge = OrderJudge::time;
  std::optional<std::int64_t> attempts = {};
  std::int64_t time_limit_ps = 0;
  std::int64_t restarts = 1;
  search::OrderMoves moves = search::OrderMoves::reversal;
  search::RootHost root = search::RootHost::free;
  std::string start = "linear";
  std::int64_t cores = 1;
  std::int64_t switch_delay_ps = 0;

  search::OrderStart first_order(std::uint64_t seed) const {
    return {.policy = start, .cores = static_cast<std::int32_t>(cores), .seed = seed};
  }
  /// As many attempts as suit the objective, where none are asked for.
  search::OrderSearchOptions options(std::uint64_t seed) const;
};
/// As many as a limit of time lets a search make.
inline constexpr std::int64_t kUntilTimeIsUp = std::int64_t{1} << 60;
/// In the order of the command's help.
std::span<const Member<OrderSearch>> order_members();

struct OrderAdviceOptions {
  /// One objective's search alone; without: the orders linear, bfs, blocks, metis and by name, what
  /// hops and the makespan of trees lead to, and what simulated time makes of the fastest of these.
  std::optional<OrderObjectiveKind> objective = {};
  /// With one objective: what the candidates are judged on. Time keeps the start where what was
  /// found is slower.
  OrderJudge judge = OrderJudge::time;
  /// Of each search; without `objective` its number of attempts only where they are given.
  search::OrderSearchOptions search = {.method = search::OrderMethod::anneal};
  std::optional<std::int64_t> attempts = {};
};

/// Depends on the seed alone unless a time limit ends it, which the searches share evenly and which
/// holds for the simulations between them too. Throws InvalidInput as search_order() does, and
/// OutOfTime where a limit comes before the first order is timed.
OrderAdvice advise_order(const OrderStudy& study, const OrderAdviceOptions& options);

/// One collective of a mix, and how often it is called.
struct OrderPart {
  const OrderStudy* study = nullptr;  // of the network, ranks and first order of the others
  std::int64_t calls = 1;
};

/// One order for all parts: costs are those of all calls. Each part's searches lead to candidates,
/// the time of all calls decides and is searched last. Throws InvalidInput as search_order() does,
/// and for one objective of several parts.
OrderAdvice advise_order(std::span<const OrderPart> mix, const OrderAdviceOptions& options);

/// What an order costs for all calls of all parts.
OrderCost cost_of(std::span<const OrderPart> mix, std::span<const std::int32_t> order);

struct OrderChoice {
  struct Timed {
    std::string algorithm;
    double time_s = 0, least_s = 0;  // in the first order, in the best of the simple ones
    std::string order = {};          // that one
    bool in_all_orders = true;       // else a TimeLimit came first
  };
  OrderQuestion question;    // with the fastest algorithm, or the one that was asked for
  std::vector<Timed> timed;  // all that were tried, by least_s
  bool out_of_time = false;  // a TimeLimit came before all were
};

/// The algorithm that is fastest in the question's first order or in one of linear, bfs, blocks and
/// metis (those that leave a fixed root where it is), of those that need no network and have no
/// more than 2^21 messages; of many ranks, where none has, the first that the question
/// allows. Takes about a third of the time to the caller's TimeLimit. Throws InvalidInput where no
/// algorithm serves the collective, and OutOfTime where none was timed before the limit.
OrderChoice choose_algorithm(const Network& network, OrderQuestion question,
                             const std::shared_ptr<const search::OrderNetwork>& hosts,
                             search::RootHost root = search::RootHost::free);

/// An algorithm that follows the network, so that its ranks are not moved.
struct OrderAlternative {
  std::string algorithm;
  std::string order;  // where they stand: the start's policy or linear, the faster one
  double time_s = 0;  // simulated, at the question's size
};

/// What stands beside an order: the algorithms that weft compare has for this network and whose
/// ranks no search moves, fastest first; none above evaluate::kMostRanksOfAll. Leaves out what does
/// not fit, what outgrows exact fractions, and what the caller's TimeLimit comes before.
std::vector<OrderAlternative> following_algorithms(const OrderStudy& study);

}  // namespace weft::order
