// Two-opt and simulated annealing over rank orders.
//
// Two-opt proposes reversals of random segments and keeps what is no worse. It is the paper's, and
// stops far from the best order: a long reversal changes hundreds of messages at once. Annealing
// mostly swaps two hosts, which costs O(log ranks) on hops, and keeps a worse order with
// probability exp(-delta / T) while T falls geometrically. On hops half of the swaps are aimed: a
// rank is brought to a switch next to its parent's, which blind swaps at random seldom find once
// most messages are one hop long. Aligned blocks of ranks change places as a whole, since
// where a switch holds many ranks no single swap leads from one good order to the next. Reversals
// and rotations (or-opt) of short segments move whole runs of leaves at once.
// Source: Cui, Koibuchi, "A Two-Opt Collective-Communication Method for Low-Latency Random Network
// Topologies"; Kirkpatrick, Gelatt, Vecchi, "Optimization by Simulated Annealing", Science 220,
// 1983.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/search/order_objectives.hpp"

namespace weft::search {

namespace {

using Clock = std::chrono::steady_clock;
using Kind = OrderMove::Kind;

constexpr std::int64_t kCoolEvery = 256;           // proposals between two temperatures
constexpr std::int32_t kLongestSegment = 32;       // of the rotations and reversals of annealing
constexpr std::int32_t kLongestBlockBits = 6;      // 2 to 64 positions
constexpr double kHottest = 0.6, kColdest = 0.06;  // temperatures, in mean sizes of a swap's delta

// Time and proposals of one run. The clock is looked at, and progress told, every `every` of them.
class Budget {
 public:
  Budget(const OrderSearchOptions& options, double limit_s, std::int64_t every)
      : options_(options), limit_s_(limit_s), every_(every), start_(Clock::now()) {}
  bool spend() {
    if (spent_ == options_.attempts) return false;
    if (spent_ % every_ == 0) {
      elapsed_ = 0;
      if (limit_s_ > 0)
        elapsed_ = std::chrono::duration<double>(Clock::now() - start_).count() / limit_s_;
      if (elapsed_ >= 1 || TimeLimit::has_passed()) return false;
      if (options_.is_enough && options_.is_enough()) return false;
      if (spent_ > 0 && options_.progress) options_.progress(every_);
    }
    ++spent_;
    return true;
  }
  bool fresh() const { return spent_ % kCoolEvery == 1; }
  std::int64_t spent() const { return spent_; }
  // How much of it is gone, in [0, 1].
  double progress() const {
    return std::max(elapsed_, static_cast<double>(spent_) / static_cast<double>(options_.attempts));
  }

 private:
  const OrderSearchOptions& options_;
  std::int64_t spent_ = 0;
  double limit_s_, elapsed_ = 0;
  std::int64_t every_;
  Clock::time_point start_;
};

// Draws moves of the positions that may move.
class Proposer {
 public:
  Proposer(Rng rng, const OrderObjective& objective, RootHost root)
      : rng_(rng),
        first_(root == RootHost::fixed ? 1 : 0),
        count_(static_cast<std::int32_t>(objective.order().size()) - first_) {}

  bool can_move() const { return count_ >= 2; }
  Rng& rng() { return rng_; }

  OrderMove ends(Kind kind) {
    const std::int32_t a = below(count_);
    const std::int32_t b = (a + 1 + below(count_ - 1)) % count_;
    return {kind, first_ + std::min(a, b), first_ + std::max(a, b), 1};
  }
  OrderMove short_segment() {
    const std::int32_t length = 2 + below(std::min(kLongestSegment, count_) - 1);
    const std::int32_t first = first_ + below(count_ - length + 1);
    if (below(2) == 0) return {Kind::reversal, first, first + length - 1, 1};
    return {Kind::rotation, first, first + length - 1, 1 + below(length - 1)};
  }
  // Two subtrees of a binomial tree, or what a switch holds, change places.
  std::optional<OrderMove> aligned_blocks() {
    const std::int32_t length = 2 << below(kLongestBlockBits);
    const std::int32_t blocks = (first_ + count_) / length;
    if (blocks < 2) return std::nullopt;
    const std::int32_t a = below(blocks), b = (a + 1 + below(blocks - 1)) % blocks;
    const std::int32_t first = length * std::min(a, b);
    if (first < first_) return std::nullopt;
    return OrderMove{Kind::swap, first, length * (std::max(a, b) + 1) - 1, length};
  }
  // Three positions, one way round or the other.
  OrderMove cycle() {
    std::array<std::int32_t, 3> places{};
    places[0] = below(count_);
    places[1] = (places[0] + 1 + below(count_ - 1)) % count_;
    do places[2] = below(count_);
    while (places[2] == places[0] || places[2] == places[1]);
    std::ranges::sort(places);
    const std::int32_t middle = places[1] - places[0];
    return {Kind::cycle, first_ + places[0], first_ + places[2], below(2) == 0 ? middle : -middle};
  }
  OrderMove two_opt(OrderMoves moves) {
    if (moves == OrderMoves::cycle) return count_ > 2 && below(2) == 0 ? cycle() : ends(Kind::swap);
    if (moves == OrderMoves::both) return ends(below(2) == 0 ? Kind::reversal : Kind::swap);
    return ends(moves == OrderMoves::swap ? Kind::swap : Kind::reversal);
  }
  std::int32_t first() const { return first_; }
  std::int32_t below(std::int32_t bound) { return static_cast<std::int32_t>(rng_.below(bound)); }

 private:
  Rng rng_;
  std::int32_t first_, count_;
};

// The best order seen, copied only when the search is about to leave it.
class Best {
 public:
  explicit Best(const OrderObjective& objective)
      : order_(objective.order()), value_(objective.value()) {}
  void before_worse(const OrderObjective& objective) {
    if (ahead_) order_ = objective.order();
    ahead_ = false;
  }
  void after_better(const OrderObjective& objective) {
    if (objective.value() >= value_) return;
    value_ = objective.value();
    ahead_ = true;
  }
  // No worse than all before, of which not more is known in time.
  void take(const OrderObjective& objective) {
    order_ = objective.order();
    value_ = std::min(value_, objective.most_value());
    ahead_ = false;
  }
  double value() const { return value_; }
  const Order& order() const { return order_; }

 private:
  Order order_;
  double value_;
  bool ahead_ = false;  // the objective's order is the best one, not yet copied
};

// Which positions hold the hosts of a switch: where an aimed swap finds its partner.
class Aim {
 public:
  static constexpr std::int64_t kClockEvery = 256;  // deltas take nanoseconds
  explicit Aim(const HopObjective& objective)
      : objective_(&objective),
        place_of_(objective.order().size()),
        positions_(objective.network().switches()) {
    for (std::int32_t p = 0; p < static_cast<std::int32_t>(objective.order().size()); ++p) {
      auto& there = positions_[at(p)];
      place_of_[p] = there.size();
      there.push_back(p);
    }
  }

  // Brings one end of a random message next to the other or to its switch: the end with fewer
  // peers, which has less to lose (in a tree the child).
  std::optional<OrderMove> propose(Proposer& proposer) const {
    const HopObjective& hops = *objective_;
    const auto messages = hops.pattern().messages();
    if (messages.empty()) return std::nullopt;
    const auto choice =
        static_cast<std::size_t>(proposer.below(static_cast<std::int32_t>(messages.size())));
    std::int32_t rank = messages[choice].to, other_end = messages[choice].from;
    if (hops.pattern().peers(other_end).size() < hops.pattern().peers(rank).size())
      std::swap(rank, other_end);
    const std::int32_t near = hops.switch_at(other_end);
    const std::int32_t now = hops.network().hops(near, hops.switch_at(rank));
    if (now == 0) return std::nullopt;
    const auto& neighbors = hops.network().neighbors(near);
    const auto choices = now == 1 ? 1 : static_cast<std::int32_t>(neighbors.size()) + 1;
    const std::int32_t pick = proposer.below(choices);
    const std::int32_t target = pick == 0 ? near : neighbors[pick - 1];
    const auto& there = positions_[target];
    if (there.empty()) return std::nullopt;
    const std::int32_t other = there[proposer.below(static_cast<std::int32_t>(there.size()))];
    if (other == rank || other < proposer.first() || rank < proposer.first()) return std::nullopt;
    return OrderMove{Kind::swap, std::min(rank, other), std::max(rank, other), 1};
  }

  // To be told of each move before the objective makes it.
  void follow(const OrderMove& move) {
    if (move.kind == Kind::swap && move.length == 1) {
      positions_[at(move.last)][slot(move.last)] = move.first;
      positions_[at(move.first)][slot(move.first)] = move.last;
      std::swap(slot(move.first), slot(move.last));
      return;
    }
    scratch_.clear();
    each_moved(move, [&](std::int32_t p) {
      const std::int32_t from = move.source(p);
      scratch_.push_back(slot(from));
      positions_[at(from)][slot(from)] = p;
    });
    auto next = scratch_.begin();
    each_moved(move, [&](std::int32_t p) { slot(p) = *next++; });
  }

 private:
  std::size_t at(std::int32_t p) const {
    return static_cast<std::size_t>(objective_->switch_at(p));
  }
  std::size_t& slot(std::int32_t p) { return place_of_[p]; }

  const HopObjective* objective_;
  std::vector<std::size_t> place_of_;  // by position: its place in the list of its switch
  std::vector<std::vector<std::int32_t>> positions_;  // by switch
  std::vector<std::size_t> scratch_;
};

// No aim where nothing is known of the objective.
struct NoAim {
  static constexpr std::int64_t kClockEvery = 1;  // deltas may take a second
  explicit NoAim(const OrderObjective&) {}
  static std::optional<OrderMove> propose(Proposer&) { return std::nullopt; }
  void follow(const OrderMove&) {}
};

// Runs the body until it ends, or until the caller's TimeLimit does while an order is judged.
// Returns whether it ended.
template <class Body>
bool until_time_is_up(Body&& body) {
  try {
    body();
    return true;
  } catch (const OutOfTime&) {  // the objective has the order it had before that move
    return false;
  }
}

template <class Objective>
std::int64_t two_opt(Objective& objective, Proposer& proposer, Budget& budget, Best& best,
                     const OrderSearchOptions& options) {
  std::int64_t accepted = 0;
  until_time_is_up([&] {
    while (objective.least_value() > options.floor && budget.spend()) {
      const OrderMove move = proposer.two_opt(options.moves);
      if (!objective.no_worse(move)) continue;
      objective.accept(move);
      ++accepted;
    }
  });
  const bool is_judged = until_time_is_up([&] {
    best.after_better(objective);  // nothing was better on the way
    best.before_worse(objective);
  });
  if (!is_judged && accepted > 0) best.take(objective);
  return accepted;
}

// The mean size of what a swap changes in a random order: the unit of temperature. In a good order
// it is larger, since there every swap does harm.
template <class Objective>
double mean_change(Objective& objective, Proposer& proposer) {
  constexpr int kSamples = 64;
  const Order start = objective.order();
  Order order = start;
  proposer.rng().shuffle(order);
  objective.reset(order);
  double sum = 0;
  for (int i = 0; i < kSamples; ++i) sum += std::abs(objective.delta(proposer.ends(Kind::swap)));
  objective.reset(start);
  return sum / kSamples;
}

template <class Aiming, class Objective>
std::int64_t anneal(Objective& objective, Proposer& proposer, Budget& budget, Best& best,
                    const OrderSearchOptions& options) {
  std::optional<double> sampled;
  until_time_is_up([&] { sampled = mean_change(objective, proposer); });
  if (!sampled) return 0;
  const double unit = *sampled;
  Aiming aim(objective);
  double temperature = kHottest * unit;
  std::int64_t accepted = 0;
  until_time_is_up([&] {
    while (best.value() > options.floor && budget.spend()) {
      if (budget.fresh())
        temperature = unit * kHottest * std::pow(kColdest / kHottest, budget.progress());
      const std::int32_t draw = proposer.below(16);
      std::optional<OrderMove> move;
      if (draw < 8) move = aim.propose(proposer);
      if (draw == 14) move = proposer.aligned_blocks();
      if (!move) move = draw == 15 ? proposer.short_segment() : proposer.ends(Kind::swap);
      const double delta = objective.delta(*move);
      if (delta > 0) {
        if (proposer.rng().uniform() >= std::exp(-delta / temperature)) continue;
        best.before_worse(objective);
      }
      aim.follow(*move);
      objective.accept(*move);
      best.after_better(objective);
      ++accepted;
    }
  });
  best.before_worse(objective);
  return accepted;
}

template <class Aiming, class Objective>
OrderResult search(Objective& objective, const OrderSearchOptions& options) {
  const Order start = objective.order();
  OrderResult result{start, objective.value(), objective.value(), 0, 0};
  const auto runs = static_cast<double>(options.restarts);
  const auto begun = std::chrono::steady_clock::now();
  const auto time_is_up = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
    return options.time_limit_s > 0 && spent.count() >= options.time_limit_s;
  };
  for (std::int64_t run = 0; run < options.restarts && result.value > options.floor; ++run) {
    if (run > 0 && (time_is_up() || TimeLimit::has_passed())) break;
    if (run > 0 && !until_time_is_up([&] { objective.reset(start); })) break;
    Proposer proposer(Rng(options.seed).split(static_cast<std::uint64_t>(run)), objective,
                      options.root);
    if (!proposer.can_move()) break;
    Budget budget(options, options.time_limit_s / runs, Aiming::kClockEvery);
    Best best(objective);
    result.accepted += options.method == OrderMethod::two_opt
                           ? two_opt(objective, proposer, budget, best, options)
                           : anneal<Aiming>(objective, proposer, budget, best, options);
    result.attempts += budget.spent();
    if (best.value() < result.value || run == 0) {
      result.value = best.value();
      result.order = best.order();
    }
  }
  until_time_is_up([&] {
    objective.reset(result.order);
    result.value = objective.value();
  });
  return result;
}

}  // namespace

OrderResult search_order(OrderObjective& objective, const OrderSearchOptions& options) {
  require(options.attempts >= 1, "invalid number of attempts: {} (expected at least 1)",
          options.attempts);
  require(options.restarts >= 1, "invalid number of restarts: {} (expected at least 1)",
          options.restarts);
  require(options.time_limit_s >= 0, "a time limit of {} s is negative; use 0 for none",
          options.time_limit_s);
  if (options.method == OrderMethod::none)
    return {objective.order(), objective.value(), objective.value(), 0, 0};
  // The cost of a virtual call shows where a delta takes nanoseconds.
  if (auto* hops = dynamic_cast<HopObjective*>(&objective)) return search<Aim>(*hops, options);
  return search<NoAim>(objective, options);
}

}  // namespace weft::search
