// Hops by difference, other costs as a whole.
//
// A swap changes the messages of two ranks alone, at most 2 (1 + log2 ranks) of them, so its delta
// costs O(log ranks) table look-ups; a segment's those of its ranks.
// Source: Cui, Koibuchi, "A Two-Opt Collective-Communication Method for Low-Latency Random Network
// Topologies" (objectives and reversal); the incremental evaluation is ours.
#include "weft/search/order_objectives.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

bool same(const OrderMove& a, const OrderMove& b) {
  return a.kind == b.kind && a.first == b.first && a.last == b.last && a.length == b.length;
}

}  // namespace

HopObjective::HopObjective(const OrderNetwork& network, Order order, std::int32_t ranks)
    : network_(&network), ranks_(ranks) {
  require(ranks >= 1 && index(ranks) <= order.size(),
          "{} ranks do not fit on {} places (hosts times cores); use 1 to {}", ranks, order.size(),
          order.size());
  reset(order);
}

void HopObjective::reset(const Order& order) {
  order_ = order;
  switch_at_.resize(order.size());
  std::transform(order.begin(), order.end(), switch_at_.begin(),
                 [&](std::int32_t host) { return network_->switch_of(host); });
  hops_ = total_hops(*network_, order_, ranks_);
}

// Hops of the messages to `rank` and from it to the ranks above `last`, with at(r) the switch of r.
template <class At>
std::int64_t HopObjective::edges_of(std::int32_t rank, std::int32_t last, At&& at) const {
  std::int64_t sum = rank > 0 ? network_->hops(at(binomial_parent(rank)), at(rank)) : 0;
  each_binomial_child(rank, ranks_, [&](std::int32_t child) {
    if (child > last) sum += network_->hops(at(rank), at(child));
  });
  return sum;
}

std::int64_t HopObjective::swap_change(std::int32_t a, std::int32_t b) const {
  const std::int32_t at_a = switch_at(a), at_b = switch_at(b);
  if (at_a == at_b || a >= ranks_) return 0;
  const auto before = [&](std::int32_t r) { return switch_at(r); };
  const auto after = [&](std::int32_t r) { return r == a ? at_b : r == b ? at_a : switch_at(r); };
  std::int64_t change = edges_of(a, a, after) - edges_of(a, a, before);
  if (b >= ranks_) return change;
  change += edges_of(b, b, after) - edges_of(b, b, before);
  if (binomial_parent(b) == a)  // a < b: the message between them was counted twice
    change -= network_->hops(at_b, at_a) - network_->hops(at_a, at_b);
  return change;
}

std::int64_t HopObjective::segment_change(const OrderMove& move) const {
  const auto before = [&](std::int32_t r) { return switch_at(r); };
  const auto after = [&](std::int32_t r) { return switch_at(move.source(r)); };
  std::int64_t change = 0;
  for (std::int32_t r = move.first; r <= std::min(move.last, ranks_ - 1); ++r)
    change += edges_of(r, move.last, after) - edges_of(r, move.last, before);
  return change;
}

std::int64_t HopObjective::change(const OrderMove& move) const {
  return move.kind == OrderMove::Kind::swap ? swap_change(move.first, move.last)
                                            : segment_change(move);
}

void HopObjective::accept(const OrderMove& move) {
  hops_ += change(move);
  rearrange(move, order_);
  rearrange(move, switch_at_);
}

EvaluatedObjective::EvaluatedObjective(Evaluate evaluate, Order order)
    : evaluate_(std::move(evaluate)), order_(std::move(order)), value_(evaluate_(order_)) {}

void EvaluatedObjective::reset(const Order& order) {
  order_ = order;
  value_ = evaluate_(order_);
  last_known_ = false;
}

double EvaluatedObjective::delta(const OrderMove& move) {
  rearrange(move, order_);
  last_value_ = evaluate_(order_);
  rearrange(move.inverse(), order_);
  last_ = move;
  last_known_ = true;
  return last_value_ - value_;
}

void EvaluatedObjective::accept(const OrderMove& move) {
  if (!last_known_ || !same(move, last_)) static_cast<void>(delta(move));
  rearrange(move, order_);
  value_ = last_value_;
  last_known_ = false;
}

std::int64_t total_hops(const OrderNetwork& network, std::span<const std::int32_t> order,
                        std::int32_t ranks) {
  std::int64_t sum = 0;
  for (std::int32_t r = 1; r < ranks; ++r)
    sum += network.hops(network.switch_of(order[index(binomial_parent(r))]),
                        network.switch_of(order[index(r)]));
  return sum;
}

std::int64_t least_hops(const OrderNetwork& network, std::int32_t ranks, std::int32_t cores) {
  std::vector<std::int64_t> places(index(network.switches()), 0);
  for (std::int32_t host = 0; host < network.hosts(); ++host)
    places[index(network.switch_of(host))] += cores;
  std::sort(places.rbegin(), places.rend());
  std::int64_t used = 0;
  for (std::int64_t left = ranks; left > 0; ++used) left -= places[static_cast<std::size_t>(used)];
  return used - 1;
}

double makespan_s(const OrderNetwork& network, std::span<const std::int32_t> order,
                  std::int32_t ranks, const SendCost& cost) {
  std::vector<double> has_s(index(ranks), 0);
  const double copy_s = static_cast<double>(cost.size_B) * cost.copy_seconds_per_byte;
  double last_s = 0;
  for (std::int32_t r = 0; r < ranks; ++r) {  // parents come before children
    double now_s = has_s[index(r)];
    const std::int32_t from = order[index(r)];
    each_binomial_child(r, ranks, [&](std::int32_t child) {
      const std::int32_t to = order[index(child)];
      now_s += cost.startup_s + (from == to ? copy_s : network.send_s(from, to, cost.size_B));
      has_s[index(child)] = now_s;
    });
    last_s = std::max(last_s, now_s);
  }
  return last_s;
}

}  // namespace weft::search
