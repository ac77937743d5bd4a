#include "weft/order/order_advice.hpp"

#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/winner.hpp"

namespace weft::order {

namespace {

using search::Order;
using search::OrderMethod;

constexpr Names<OrderJudge, 2> kJudges{"value of --judge", {"time", "objective"}};
constexpr std::array<const char*, 4> kPolicies = {"linear", "bfs", "blocks", "metis"};
constexpr std::int64_t kAttempts = 1000;
constexpr std::array<std::int64_t, 3> kAnnealedAttempts = {10'000'000, 100'000, 10'000};
constexpr std::int64_t kChosenMessages = std::int64_t{1} << 21;
// What the searches of an advice may cost together: a second or a few of each.
constexpr std::int64_t kPeersLookedAt = 200'000'000, kMostHopMoves = 1'000'000;
constexpr std::int64_t kMakespanMoves = 100'000, kMessagesMeasured = 1 << 24;
constexpr std::int64_t kWorkSimulated = 1'000'000'000, kMostSimulations = 400;
constexpr std::int64_t kFewestSimulations = 4;
constexpr double kPartsOfTime = 3;  // of which the choice of an algorithm takes one

OrderStudy::Timed timed_of(std::span<const OrderPart> mix, std::span<const std::int32_t> order) {
  OrderStudy::Timed total;
  for (const auto& [study, calls] : mix) {
    const auto [time_s, work] = study->timed(order);
    total.time_s += static_cast<double>(calls) * time_s;
    total.work += work;
  }
  return total;
}

// Seconds until the caller's TimeLimit; nothing where there is none.
std::optional<double> left_s() {
  const TimeLimit::End end = TimeLimit::current();
  if (!end) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*end - TimeLimit::Clock::now()).count());
}
// One of so many equal parts of that time.
TimeLimit::End part_of_time(double parts) {
  const auto left = left_s();
  return left ? TimeLimit::end_after(*left / parts) : TimeLimit::End();
}

class Adviser {
 public:
  Adviser(std::span<const OrderPart> mix, const OrderAdviceOptions& options)
      : mix_(mix),
        study_(*mix.front().study),
        options_(options),
        searches_left_(options.objective ? 1 : 2 * static_cast<int>(mix.size()) + 1) {
    const Stopwatch watch;
    add(study_.question().start.policy, study_.start());
    cost_s_ = watch.seconds();
  }

  OrderAdvice by_one_objective() && {
    require(mix_.size() == 1, "a mix always uses all objectives; remove --objective");
    const auto kind = *options_.objective;
    while_there_is_time([&] {
      const std::int64_t attempts = options_.search.attempts;
      Progress progress = progress_of(kind, attempts);
      const search::OrderResult result =
          study_.search_from(study_.start(), kind, with_progress(share(), attempts, progress));
      count(result);
      add_found(kind, result.order);
      advice_.best = advice_.candidates.size() - 1;
    });
    if (options_.judge == OrderJudge::time) judge();
    return std::move(advice_);
  }

  OrderAdvice by_all() && {
    if (options_.search.method != OrderMethod::none) while_there_is_time([&] { search_by_all(); });
    judge();
    return std::move(advice_);
  }

 private:
  OrderCost cost(const Order& order) const { return cost_of(mix_, order); }

  // What is known when the time limit comes is the answer.
  template <class Body>
  void while_there_is_time(Body&& body) {
    try {
      body();
    } catch (const OutOfTime&) {
      if (options_.search.time_limit_s <= 0) throw;  // the caller's
      advice_.out_of_time = true;
    }
  }

  void search_by_all() {
    add_policies();
    for (const OrderPart& part : mix_) {
      const OrderStudy& study = *part.study;
      search_by(study, OrderObjectiveKind::hops, orders_[fewest_hops()], hop_moves(study));
      if (search::find_tree(study.pattern()))
        search_by(study, OrderObjectiveKind::makespan, orders_[fastest()], makespan_moves(study));
      else
        --searches_left_;
    }
    refine_time();
  }

  // A candidate, unless its ranks stand as those of another.
  void add(const std::string& name, const Order& order) {
    Order ranks(order.begin(), order.begin() + study_.ranks());
    for (const OrderCandidate& known : advice_.candidates)
      if (known.order == ranks) return;
    const OrderCost cost = this->cost(ranks);
    advice_.candidates.push_back({name, std::move(ranks), cost});
    orders_.push_back(order);
  }

  void add_policies() {
    for (const char* policy : kPolicies) {
      const Order order = study_.start_by(policy);
      const bool root_stays = order.front() == study_.start().front();
      if (options_.search.root == search::RootHost::free || root_stays) add(policy, order);
    }
    if (const auto order = study_.start_by_name())
      if (options_.search.root == search::RootHost::free ||
          order->front() == study_.start().front())
        add("launcher", *order);
  }

  void count(const search::OrderResult& result) {
    advice_.attempts += result.attempts;
    advice_.accepted += result.accepted;
  }
  search::OrderSearchOptions with_progress(search::OrderSearchOptions wanted, std::int64_t attempts,
                                           Progress& progress) const {
    wanted.attempts = attempts;
    wanted.progress = [&](std::int64_t spent) { progress.advance(spent); };
    return wanted;
  }
  Progress progress_of(OrderObjectiveKind kind, std::int64_t attempts) const {
    return {fmt::format("orders by {}", name_of(kind)), attempts * options_.search.restarts,
            "moves"};
  }

  void search_by(const OrderStudy& study, OrderObjectiveKind kind, const Order& from,
                 std::int64_t attempts) {
    Progress progress = progress_of(kind, attempts);
    const search::OrderResult result =
        study.search_from(from, kind, with_progress(share(), attempts, progress));
    count(result);
    add(mix_.size() == 1
            ? std::string(name_of(kind))
            : fmt::format("{} of {}", name_of(kind), name_of(study.question().collective)),
        result.order);
  }

  // From the fastest order that is known, by the time of all calls. The work of a simulation is
  // that of the order at hand: the first one may be so regular that all messages are alike.
  void refine_time() {
    auto wanted = share();
    wanted.method = OrderMethod::two_opt;
    wanted.moves = search::OrderMoves::both;
    Progress progress = progress_of(OrderObjectiveKind::time, simulations());
    std::int64_t simulated = 0, work = 0;
    const auto evaluate = [&](std::span<const std::int32_t> order) {
      const OrderStudy::Timed timed = timed_of(mix_, order);
      ++simulated;
      work += timed.work;
      return timed.time_s;
    };
    if (wanted.time_limit_s <= 0)
      wanted.is_enough = [&] { return simulated > kFewestSimulations && work > kWorkSimulated; };
    search::EvaluatedObjective objective(evaluate, orders_[fastest()]);
    const search::OrderResult result =
        search::search_order(objective, with_progress(wanted, simulations(), progress));
    count(result);
    add(std::string(name_of(OrderObjectiveKind::time)), result.order);
  }

  // What one objective leads to is a candidate even where it is the start.
  void add_found(OrderObjectiveKind kind, const Order& order) {
    Order ranks(order.begin(), order.begin() + study_.ranks());
    const OrderCost cost =
        ranks == advice_.start().order ? advice_.start().cost : this->cost(ranks);
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
      if (evaluate::ties(cost.time_s, time_s) && cost.hops < advice_.candidates[best].cost.hops)
        best = i;
    }
    return best;
  }
  void judge() {
    const std::size_t best = fastest_of_fewest_hops();
    const bool is_gain =
        !evaluate::ties(advice_.start().cost.time_s, advice_.candidates[best].cost.time_s);
    advice_.best = is_gain ? best : 0;
  }

  // Options of one search: two of each part and one of all calls. Each leaves time to simulate what
  // it finds.
  search::OrderSearchOptions share() {
    constexpr double kLeast_s = 1e-3;  // 0 is no limit
    search::OrderSearchOptions wanted = options_.search;
    if (wanted.time_limit_s > 0)
      wanted.time_limit_s =
          std::max(kLeast_s, left_s().value_or(wanted.time_limit_s) / searches_left_ - cost_s_);
    --searches_left_;
    return wanted;
  }
  std::int64_t given_or(std::int64_t usual) const {
    if (options_.attempts) return *options_.attempts;
    return options_.search.time_limit_s > 0 ? options_.search.attempts : usual;
  }
  std::int64_t hop_moves(const OrderStudy& study) const {
    std::int64_t peers = 0;
    for (std::int32_t rank = 0; rank < study.ranks(); ++rank)
      peers += std::ssize(study.pattern().peers(rank));
    const std::int64_t of_a_rank = peers / study.ranks() + 1;
    return given_or(std::clamp(kPeersLookedAt / of_a_rank, std::int64_t{1000}, kMostHopMoves));
  }
  std::int64_t makespan_moves(const OrderStudy& study) const {
    const std::int64_t messages = std::ssize(study.pattern().messages()) + 1;
    return given_or(std::clamp(kMessagesMeasured / messages, std::int64_t{1000}, kMakespanMoves));
  }
  // Never more than usual: each is a simulation.
  std::int64_t simulations() const {
    const std::int64_t work = advice_.start().cost.work + 1;
    const std::int64_t usual =
        std::clamp(kWorkSimulated / work, kFewestSimulations, kMostSimulations);
    if (options_.attempts) return std::min(*options_.attempts, usual);
    return given_or(usual);
  }

  std::span<const OrderPart> mix_;
  const OrderStudy& study_;  // of the first part, for what all have alike
  const OrderAdviceOptions& options_;
  OrderAdvice advice_;
  std::vector<Order> orders_;  // of the candidates, spare places included
  int searches_left_;
  double cost_s_ = 0;  // seconds that an order's costs take
};

// In the first order, or in the one of the simple orders in which it is the fastest.
OrderChoice::Timed timed(const OrderStudy& study, search::RootHost root) {
  const OrderQuestion& question = study.question();
  const double start_s = study.time_s(study.start());
  OrderChoice::Timed least{question.algorithm, start_s, start_s, question.start.policy};
  if (study.is_alike_in_all_orders()) return least;
  std::vector<Order> known{study.start()};
  for (const char* policy : kPolicies) {
    Order order = study.start_by(policy);
    const bool root_stays = order.front() == study.start().front();
    if ((root != search::RootHost::free && !root_stays) ||
        std::ranges::find(known, order) != known.end())
      continue;
    try {
      if (const double time_s = study.time_s(order); time_s < least.least_s) {
        least.least_s = time_s;
        least.order = policy;
      }
    } catch (const OutOfTime&) {
      least.in_all_orders = false;
      break;
    }
    known.push_back(std::move(order));
  }
  return least;
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

OrderCost cost_of(std::span<const OrderPart> mix, std::span<const std::int32_t> order) {
  OrderCost total;
  for (const auto& [study, calls] : mix) {
    const OrderCost once = study->cost(order);
    total.hops += calls * once.hops;
    total.makespan_s += static_cast<double>(calls) * once.makespan_s;
    total.time_s += static_cast<double>(calls) * once.time_s;
    total.work += once.work;
  }
  return total;
}

OrderAdvice advise_order(const OrderStudy& study, const OrderAdviceOptions& options) {
  const OrderPart all{&study, 1};
  return advise_order({&all, 1}, options);
}

OrderAdvice advise_order(std::span<const OrderPart> mix, const OrderAdviceOptions& options) {
  std::optional<TimeLimit> limit;
  if (options.search.time_limit_s > 0)
    limit.emplace(options.search.time_limit_s);  // or the caller's, where it ends first
  Adviser adviser(mix, options);
  return options.objective ? std::move(adviser).by_one_objective() : std::move(adviser).by_all();
}

OrderChoice choose_algorithm(const Network& network, OrderQuestion question,
                             const std::shared_ptr<const search::OrderNetwork>& hosts,
                             search::RootHost root) {
  OrderChoice choice;
  std::optional<InvalidInput> refusal;
  std::vector<const algorithm::Algorithm*> serving;
  for (const algorithm::Algorithm& known : algorithm::algorithms())
    if (known.supports(question.collective)) serving.push_back(&known);
  // Whether it could be timed in one of so many parts of the time that is left.
  const auto add = [&](const algorithm::Algorithm& known, double parts) {
    question.algorithm = known.name;
    try {
      const TimeLimit limit(part_of_time(parts));
      const OrderStudy study(network, question, hosts);
      if (fits(study, known)) choice.timed.push_back(timed(study, root));
    } catch (const InvalidInput& why) {  // it follows a network, or has too many messages
      if (!refusal) refusal = why;
    } catch (const OutOfTime&) {
      choice.out_of_time = true;
    }
  };
  const std::int64_t allowed = question.most_messages;
  for (const std::int64_t most : {std::min(kChosenMessages, allowed), allowed}) {
    question.most_messages = most;
    for (std::size_t i = 0; i < serving.size(); ++i) {
      add(*serving[i], kPartsOfTime * static_cast<double>(serving.size() - i));
      if (most == allowed && !choice.timed.empty()) break;  // the first will do
    }
    if (!choice.timed.empty()) break;
  }
  for (const algorithm::Algorithm* known : serving)  // better one alone than none
    if (choice.timed.empty() && choice.out_of_time) add(*known, 2);
  if (choice.timed.empty() && choice.out_of_time) throw OutOfTime();
  if (std::ranges::any_of(choice.timed, [](const auto& each) { return !each.in_all_orders; }))
    choice.out_of_time = true;
  if (choice.timed.empty() && refusal) throw *refusal;  // what is wrong whatever the algorithm
  require(!choice.timed.empty(), "no algorithm can run {}; see weft list algorithms",
          name_of(question.collective));
  std::ranges::stable_sort(choice.timed, {}, &OrderChoice::Timed::least_s);
  question.algorithm = choice.timed.front().algorithm;
  question.most_messages = allowed;
  choice.question = question;
  return choice;
}

}  // namespace weft::order
