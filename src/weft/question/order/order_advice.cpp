#include "weft/question/order_advice.hpp"

#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"

namespace weft::question {

namespace {

using search::Order;
using search::OrderMethod;

constexpr Names<OrderJudge, 2> kJudges{"unknown judge '{}'; {}", {"time", "objective"}};
constexpr std::array<const char*, 4> kPolicies = {"linear", "bfs", "blocks", "metis"};
constexpr std::int64_t kAttempts = 1000;
constexpr std::array<std::int64_t, 3> kAnnealedAttempts = {10'000'000, 100'000, 10'000};
constexpr std::int64_t kChosenMessages = std::int64_t{1} << 21;
// What the searches of an advice may cost together: a second or a few of each.
constexpr std::int64_t kPeersLookedAt = 200'000'000, kMostHopMoves = 1'000'000;
constexpr std::int64_t kMakespanMoves = 100'000, kMessagesMeasured = 1 << 24;
constexpr std::int64_t kMessagesSimulated = 1 << 20, kMostSimulations = 400, kFewestSimulations = 4;

class Adviser {
 public:
  Adviser(const OrderStudy& study, const OrderAdviceOptions& options)
      : study_(study), options_(options) {
    add(study.question().start.policy, study.start());
  }

  OrderAdvice by_one_objective() && {
    const auto kind = *options_.objective;
    search_by(kind, study_.start(), options_.search, options_.search.attempts);
    advice_.best = advice_.candidates.size() - 1;
    if (options_.judge == OrderJudge::time) judge();
    return std::move(advice_);
  }

  OrderAdvice by_all() && {
    if (options_.search.method != OrderMethod::none) {
      add_policies();
      search_by(OrderObjectiveKind::hops, orders_[fewest_hops()], share(), hop_moves());
      if (search::find_tree(study_.pattern()))
        search_by(OrderObjectiveKind::makespan, orders_[fastest()], share(), makespan_moves());
      auto refine = share();
      refine.method = OrderMethod::two_opt;
      refine.moves = search::OrderMoves::both;
      search_by(OrderObjectiveKind::time, orders_[fastest()], refine, simulations());
    }
    judge();
    return std::move(advice_);
  }

 private:
  // A candidate, unless its ranks stand as those of another.
  void add(const std::string& name, const Order& order) {
    Order ranks(order.begin(), order.begin() + study_.ranks());
    for (const OrderCandidate& known : advice_.candidates)
      if (known.order == ranks) return;
    const OrderCost cost = study_.cost(ranks);
    advice_.candidates.push_back({name, std::move(ranks), cost});
    orders_.push_back(order);
  }

  void add_policies() {
    for (const char* policy : kPolicies) {
      const Order order = study_.start_by(policy);
      const bool root_stays = order.front() == study_.start().front();
      if (options_.search.root == search::RootHost::free || root_stays) add(policy, order);
    }
  }

  void search_by(OrderObjectiveKind kind, const Order& from, search::OrderSearchOptions wanted,
                 std::int64_t attempts) {
    wanted.attempts = attempts;
    Progress progress(fmt::format("orders by {}", name_of(kind)), attempts * wanted.restarts,
                      "moves");
    wanted.progress = [&](std::int64_t spent) { progress.advance(spent); };
    const search::OrderResult result = study_.search_from(from, kind, wanted);
    advice_.attempts += result.attempts;
    advice_.accepted += result.accepted;
    if (options_.objective)
      add_found(kind, result.order);
    else
      add(std::string(name_of(kind)), result.order);
  }

  // What one objective leads to is a candidate even where it is the start.
  void add_found(OrderObjectiveKind kind, const Order& order) {
    Order ranks(order.begin(), order.begin() + study_.ranks());
    const OrderCost cost =
        ranks == advice_.start().order ? advice_.start().cost : study_.cost(ranks);
    advice_.candidates.push_back({std::string(name_of(kind)), std::move(ranks), cost});
    orders_.push_back(order);
  }

  std::size_t fastest() const {
    const auto& all = advice_.candidates;
    const auto best = std::ranges::min_element(
        all, {}, [](const OrderCandidate& candidate) { return candidate.cost.time_s; });
    return static_cast<std::size_t>(best - all.begin());
  }
  std::size_t fewest_hops() const {
    const auto& all = advice_.candidates;
    const auto best = std::ranges::min_element(
        all, {}, [](const OrderCandidate& candidate) { return candidate.cost.hops; });
    return static_cast<std::size_t>(best - all.begin());
  }
  // Of those that tie with the fastest, the fewest hops: fewer links can be in somebody's way.
  std::size_t fastest_of_fewest_hops() const {
    const double time_s = advice_.candidates[fastest()].cost.time_s;
    std::size_t best = fastest();
    for (std::size_t i = 0; i < advice_.candidates.size(); ++i) {
      const OrderCost& cost = advice_.candidates[i].cost;
      if (cost.time_s <= time_s * (1 + kLeastGain) &&
          cost.hops < advice_.candidates[best].cost.hops)
        best = i;
    }
    return best;
  }
  void judge() {
    const std::size_t best = fastest_of_fewest_hops();
    const double gain = 1 - advice_.candidates[best].cost.time_s / advice_.start().cost.time_s;
    advice_.best = gain > kLeastGain ? best : 0;
  }

  // Options of one search of three.
  search::OrderSearchOptions share() const {
    search::OrderSearchOptions wanted = options_.search;
    wanted.time_limit_s /= 3;
    return wanted;
  }
  std::int64_t given_or(std::int64_t usual) const {
    if (options_.attempts) return *options_.attempts;
    return options_.search.time_limit_s > 0 ? options_.search.attempts : usual;
  }
  std::int64_t hop_moves() const {
    std::int64_t peers = 0;
    for (std::int32_t rank = 0; rank < study_.ranks(); ++rank)
      peers += std::ssize(study_.pattern().peers(rank));
    const std::int64_t of_a_rank = peers / study_.ranks() + 1;
    return given_or(std::clamp(kPeersLookedAt / of_a_rank, std::int64_t{1000}, kMostHopMoves));
  }
  std::int64_t makespan_moves() const {
    const std::int64_t messages = std::ssize(study_.pattern().messages()) + 1;
    return given_or(std::clamp(kMessagesMeasured / messages, std::int64_t{1000}, kMakespanMoves));
  }
  // Never more than usual: each is a simulation.
  std::int64_t simulations() const {
    const std::int64_t messages = std::ssize(study_.pattern().messages()) + 1;
    const std::int64_t usual =
        std::clamp(kMessagesSimulated / messages, kFewestSimulations, kMostSimulations);
    if (options_.attempts) return std::min(*options_.attempts, usual);
    return given_or(usual);
  }

  const OrderStudy& study_;
  const OrderAdviceOptions& options_;
  OrderAdvice advice_;
  std::vector<Order> orders_;  // of the candidates, spare places included
};

// In the first order, or in the one of the simple orders in which it is the fastest.
double least_time_s(const OrderStudy& study, search::RootHost root, double start_s) {
  double least_s = start_s;
  if (study.is_alike_in_all_orders()) return least_s;
  std::vector<Order> timed{study.start()};
  for (const char* policy : kPolicies) {
    Order order = study.start_by(policy);
    const bool root_stays = order.front() == study.start().front();
    if ((root != search::RootHost::free && !root_stays) ||
        std::ranges::find(timed, order) != timed.end())
      continue;
    least_s = std::min(least_s, study.time_s(order));
    timed.push_back(std::move(order));
  }
  return least_s;
}

// Some that need no network to write a schedule need one of a kind to be of use (direct allreduce).
bool fits(const OrderStudy& study, const algorithm::Algorithm& known) {
  const Network there = study.network_at(study.start());
  return !algorithm::misfit(known, {{study.question().collective, study.ranks()}, &there, {}});
}

}  // namespace

OrderJudge parse_order_judge(std::string_view name) {
  return kJudges.value(name);
}

std::string_view name_of(OrderJudge judge) {
  return kJudges[judge];
}

search::OrderSearchOptions OrderSearch::options(std::uint64_t seed) const {
  const OrderMethod by = method.value_or(objective ? OrderMethod::two_opt : OrderMethod::anneal);
  const auto kind = static_cast<std::size_t>(objective.value_or(OrderObjectiveKind::hops));
  const std::int64_t usual = time_limit_ps > 0           ? kUntilTimeIsUp
                             : by == OrderMethod::anneal ? kAnnealedAttempts[kind]
                                                         : kAttempts;
  return {.method = by,
          .moves = moves,
          .root = root,
          .attempts = attempts.value_or(usual),
          .restarts = restarts,
          .time_limit_s = static_cast<double>(time_limit_ps) * kSecondsPerPicosecond,
          .seed = seed};
}

OrderAdvice advise_order(const OrderStudy& study, const OrderAdviceOptions& options) {
  Adviser adviser(study, options);
  return options.objective ? std::move(adviser).by_one_objective() : std::move(adviser).by_all();
}

OrderChoice choose_algorithm(const Network& network, OrderQuestion question,
                             const std::shared_ptr<const search::OrderNetwork>& hosts,
                             search::RootHost root) {
  OrderChoice choice;
  std::optional<InvalidInput> refusal;
  const std::int64_t allowed = question.most_messages;
  for (const std::int64_t most : {std::min(kChosenMessages, allowed), allowed}) {
    question.most_messages = most;
    for (const algorithm::Algorithm& known : algorithm::algorithms()) {
      if (!known.supports(question.collective)) continue;
      question.algorithm = known.name;
      try {
        const OrderStudy study(network, question, hosts);
        if (!fits(study, known)) continue;
        const double start_s = study.time_s(study.start());
        choice.timed.push_back({known.name, start_s, least_time_s(study, root, start_s)});
      } catch (const InvalidInput& why) {  // it follows a network, or has too many messages
        if (!refusal) refusal = why;
      }
      if (most == allowed && !choice.timed.empty()) break;  // the first will do
    }
    if (!choice.timed.empty()) break;
  }
  if (choice.timed.empty() && refusal) throw *refusal;  // what is wrong whatever the algorithm
  require(!choice.timed.empty(), "no algorithm serves {}; see weft list algorithms",
          name_of(question.collective));
  std::ranges::stable_sort(choice.timed, {}, &OrderChoice::Timed::least_s);
  question.algorithm = choice.timed.front().algorithm;
  question.most_messages = allowed;
  choice.question = question;
  return choice;
}

}  // namespace weft::question
