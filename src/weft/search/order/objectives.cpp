// Hops by difference, other costs as a whole.
//
// A swap changes the messages of two ranks alone, in a binomial tree at most 2 (1 + log2 ranks) of
// them, so its delta costs O(log ranks) table look-ups; a segment's those of its ranks.
// Source: Cui, Koibuchi, "A Two-Opt Collective-Communication Method for Low-Latency Random Network
// Topologies" (objectives and reversal); the incremental evaluation is ours.
#include "index.hpp"
#include "weft/search/order_objectives.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

bool same(const OrderMove& a, const OrderMove& b) {
  return a.kind == b.kind && a.first == b.first && a.last == b.last && a.length == b.length;
}

}  // namespace

HopObjective::HopObjective(const OrderNetwork& network, Order order, OrderPattern pattern)
    : network_(&network), pattern_(std::move(pattern)) {
  require(index(pattern_.ranks()) <= order.size(),
          "{} ranks do not fit on {} places (hosts times cores); use at most {}", pattern_.ranks(),
          order.size(), order.size());
  reset(order);
}

void HopObjective::reset(const Order& order) {
  WEFT_ASSERT(order.size() >= index(pattern_.ranks()));
  order_ = order;
  switch_at_.resize(order.size());
  std::transform(order.begin(), order.end(), switch_at_.begin(),
                 [&](std::int32_t host) { return network_->switch_of(host); });
  hops_ = total_hops(*network_, order_, pattern_);
}

// Hops of all messages between a rank at one switch and its peer at another.
std::int64_t HopObjective::between(const OrderPattern::Peer& peer, std::int32_t at,
                                   std::int32_t peer_at) const {
  std::int64_t hops = 0;
  if (peer.sent > 0) hops += std::int64_t{peer.sent} * network_->hops(at, peer_at);
  if (peer.received > 0) hops += std::int64_t{peer.received} * network_->hops(peer_at, at);
  return hops;
}

std::int64_t HopObjective::swap_change(std::int32_t a, std::int32_t b) const {
  const std::int32_t at_a = switch_at(a), at_b = switch_at(b);
  if (at_a == at_b || a >= pattern_.ranks()) return 0;
  std::int64_t change = 0;
  const auto add = [&](std::int32_t rank, std::int32_t other, std::int32_t from, std::int32_t to) {
    for (const auto& peer : pattern_.peers(rank)) {
      if (peer.rank == other) continue;
      const std::int32_t peer_at = switch_at(peer.rank);
      change += between(peer, to, peer_at) - between(peer, from, peer_at);
    }
  };
  add(a, b, at_a, at_b);
  if (b >= pattern_.ranks()) return change;
  add(b, a, at_b, at_a);
  for (const auto& peer : pattern_.peers(a))
    if (peer.rank == b) change += between(peer, at_b, at_a) - between(peer, at_a, at_b);
  return change;
}

std::int64_t HopObjective::segment_change(const OrderMove& move) const {
  std::int64_t change = 0;
  const auto moves = [&](std::int32_t r) { return r >= move.first && move.source(r) != r; };
  each_moved(move, [&](std::int32_t r) {
    if (r >= pattern_.ranks() || !moves(r)) return;  // the middle of a reversal stays
    const std::int32_t before = switch_at(r), after = switch_at(move.source(r));
    for (const auto& peer : pattern_.peers(r)) {
      if (peer.rank < r && moves(peer.rank)) continue;  // seen from there
      change += between(peer, after, switch_at(move.source(peer.rank))) -
                between(peer, before, switch_at(peer.rank));
    }
  });
  return change;
}

std::int64_t HopObjective::change(const OrderMove& move) const {
  const bool single = move.kind == OrderMove::Kind::swap && move.length == 1;
  return single ? swap_change(move.first, move.last) : segment_change(move);
}

void HopObjective::accept(const OrderMove& move) {
  hops_ += change(move);
  WEFT_ASSERT(hops_ >= 0);
  rearrange(move, order_);
  rearrange(move, switch_at_);
}

EvaluatedObjective::EvaluatedObjective(Evaluate evaluate, Order order, Estimate estimate)
    : evaluate_(std::move(evaluate)),
      estimate_(std::move(estimate)),
      order_(std::move(order)),
      range_(evaluated()) {}

void EvaluatedObjective::reset(const Order& order) {
  order_ = order;
  range_ = evaluated();
  last_known_ = false;
}

double EvaluatedObjective::value() const {
  if (range_.least < range_.most) range_ = evaluated();
  return range_.most;
}

// With the move made; it is taken back, also where a time limit ends what `look` does.
template <class Look>
CostRange EvaluatedObjective::after(const OrderMove& move, Look&& look) {
  rearrange(move, order_);
  try {
    const CostRange range = look();
    rearrange(move.inverse(), order_);
    return range;
  } catch (...) {
    rearrange(move.inverse(), order_);
    throw;
  }
}

double EvaluatedObjective::delta(const OrderMove& move) {
  const double before = value();
  last_range_ = after(move, [&] { return evaluated(); });
  last_ = move;
  last_known_ = true;
  return last_range_.most - before;
}

bool EvaluatedObjective::no_worse(const OrderMove& move) {
  if (!estimate_) return delta(move) <= 0;
  last_range_ = after(move, [&] { return estimate_(order_, range_.most); });
  last_ = move;
  last_known_ = true;
  if (last_range_.least > range_.most) return false;
  if (last_range_.most <= range_.least) return true;
  return delta(move) <= 0;
}

void EvaluatedObjective::accept(const OrderMove& move) {
  if (!last_known_ || !same(move, last_)) static_cast<void>(delta(move));
  rearrange(move, order_);
  range_ = last_range_;
  last_known_ = false;
}

std::int64_t total_hops(const OrderNetwork& network, std::span<const std::int32_t> order,
                        const OrderPattern& pattern) {
  WEFT_ASSERT(order.size() >= index(pattern.ranks()));
  std::int64_t sum = 0;
  for (const OrderMessage& message : pattern.messages())
    sum += network.hops(network.switch_of(order[index(message.from)]),
                        network.switch_of(order[index(message.to)]));
  return sum;
}

}  // namespace weft::search
