// Objectives of rank orders over the binomial tree: parent(r) = r & (r - 1), largest subtree first.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weft/search/order.hpp"
#include "weft/search/order_network.hpp"

namespace weft::search {

/// The rank that sends to `rank`, rank > 0.
constexpr std::int32_t binomial_parent(std::int32_t rank) {
  return rank & (rank - 1);
}

/// Calls visit(child) for the children of `rank`, largest subtree first. Children of rank r are
/// r + 2^k for all 2^k below r's lowest bit, as far as there are ranks.
template <class Visit>
void each_binomial_child(std::int32_t rank, std::int32_t ranks, Visit&& visit) {
  std::int64_t bit = rank == 0 ? std::int64_t{1} << 30 : (rank & -rank) / 2;
  for (; bit > 0; bit /= 2)
    if (rank + bit < ranks) visit(static_cast<std::int32_t>(rank + bit));
}

/// Links between switches, summed over the tree's messages. A swap's delta costs O(log ranks), that
/// of another move O(length of its segment).
class HopObjective final : public OrderObjective {
 public:
  /// Throws InvalidInput when there are more ranks than places in the order, or fewer than 1. Keeps
  /// a reference to the network.
  HopObjective(const OrderNetwork& network, Order order, std::int32_t ranks);

  const Order& order() const override { return order_; }
  double value() const override { return static_cast<double>(hops_); }
  double delta(const OrderMove& move) override { return static_cast<double>(change(move)); }
  void accept(const OrderMove& move) override;
  void reset(const Order& order) override;

  std::int64_t hops() const { return hops_; }
  std::int64_t change(const OrderMove& move) const;
  std::int32_t ranks() const { return ranks_; }
  const OrderNetwork& network() const { return *network_; }
  /// The switch of the host at a position.
  std::int32_t switch_at(std::int32_t position) const {
    return switch_at_[static_cast<std::size_t>(position)];
  }

 private:
  template <class At>
  std::int64_t edges_of(std::int32_t rank, std::int32_t last, At&& at) const;
  std::int64_t swap_change(std::int32_t a, std::int32_t b) const;
  std::int64_t segment_change(const OrderMove& move) const;

  const OrderNetwork* network_;
  std::int32_t ranks_;
  Order order_;
  std::vector<std::int32_t> switch_at_;  // by position
  std::int64_t hops_ = 0;
};

/// Any cost of an order, evaluated anew for every move.
class EvaluatedObjective final : public OrderObjective {
 public:
  using Evaluate = std::function<double(std::span<const std::int32_t> order)>;
  EvaluatedObjective(Evaluate evaluate, Order order);

  const Order& order() const override { return order_; }
  double value() const override { return value_; }
  double delta(const OrderMove& move) override;
  void accept(const OrderMove& move) override;
  void reset(const Order& order) override;

 private:
  Evaluate evaluate_;
  Order order_;
  double value_ = 0;
  OrderMove last_;         // the move that delta() saw last,
  double last_value_ = 0;  // and what it leads to
  bool last_known_ = false;
};

/// Links between switches over the tree. O(ranks).
std::int64_t total_hops(const OrderNetwork& network, std::span<const std::int32_t> order,
                        std::int32_t ranks);

/// No order has fewer: the ranks' switches, at least ceil(ranks / (most places on a switch)) of
/// them, must be joined.
std::int64_t least_hops(const OrderNetwork& network, std::int32_t ranks, std::int32_t cores);

struct SendCost {
  std::int64_t size_B = 65536;
  double startup_s = 0;              // alpha
  double copy_seconds_per_byte = 0;  // between ranks of one host
};

/// Seconds until the last rank has the message when messages never meet: a rank sends to its
/// children in turn, largest subtree first, each once the one before has arrived. docs/models.md
/// has the equation. O(ranks).
double makespan_s(const OrderNetwork& network, std::span<const std::int32_t> order,
                  std::int32_t ranks, const SendCost& cost);

}  // namespace weft::search
