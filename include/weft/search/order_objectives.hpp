// Objectives of rank orders: links crossed by the messages of a schedule, the time that it takes
// when no two messages meet, or any other cost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/search/order.hpp"
#include "weft/search/order_network.hpp"
#include "weft/search/order_pattern.hpp"

namespace weft::search {

/// Links between switches, summed over the messages of a pattern. A swap's delta costs O(peers of
/// its two ranks), in a binomial tree O(log ranks); that of another move the same for each rank of
/// its segment.
class HopObjective final : public OrderObjective {
 public:
  /// Throws InvalidInput when there are more ranks than places in the order. Keeps a reference to
  /// the network.
  HopObjective(const OrderNetwork& network, Order order, OrderPattern pattern);

  const Order& order() const override { return order_; }
  double value() const override { return static_cast<double>(hops_); }
  double delta(const OrderMove& move) override { return static_cast<double>(change(move)); }
  bool no_worse(const OrderMove& move) override { return change(move) <= 0; }
  void accept(const OrderMove& move) override;
  void reset(const Order& order) override;

  std::int64_t hops() const { return hops_; }
  /// delta() as the whole number that it is.
  std::int64_t change(const OrderMove& move) const;
  const OrderPattern& pattern() const { return pattern_; }
  const OrderNetwork& network() const { return *network_; }
  /// The switch of the host at a position.
  std::int32_t switch_at(std::int32_t position) const { return switch_at_[position]; }

 private:
  std::int64_t between(const OrderPattern::Peer& peer, std::int32_t at, std::int32_t peer_at) const;
  std::int64_t swap_change(std::int32_t a, std::int32_t b) const;
  std::int64_t segment_change(const OrderMove& move) const;

  const OrderNetwork* network_;
  OrderPattern pattern_;
  Order order_;
  std::vector<std::int32_t> switch_at_;  // by position
  std::int64_t hops_ = 0;
};

/// What is known of a cost: all of it where both are one.
struct CostRange {
  double least = 0, most = 0;
};

/// Any cost of an order, evaluated anew for every move.
class EvaluatedObjective final : public OrderObjective {
 public:
  using Evaluate = std::function<double(std::span<const std::int32_t> order)>;
  /// A range that the cost is in, found with less work; above the limit its place does not matter.
  using Estimate = std::function<CostRange(std::span<const std::int32_t> order, double limit)>;
  /// Where there are estimates, no_worse() evaluates only those orders that they cannot tell apart.
  EvaluatedObjective(Evaluate evaluate, Order order, Estimate estimate = {});

  const Order& order() const override { return order_; }
  double value() const override;
  double least_value() const override { return range_.least; }
  double most_value() const override { return range_.most; }
  double delta(const OrderMove& move) override;
  bool no_worse(const OrderMove& move) override;
  void accept(const OrderMove& move) override;
  void reset(const Order& order) override;

 private:
  CostRange evaluated() const {
    const double value = evaluate_(order_);
    return {value, value};
  }
  template <class Look>
  CostRange after(const OrderMove& move, Look&& look);

  Evaluate evaluate_;
  Estimate estimate_;
  Order order_;
  mutable CostRange range_;  // of value(), which makes it a point
  OrderMove last_;           // the move that was looked at last,
  CostRange last_range_;     // and what it leads to
  bool last_known_ = false;
};

/// Links between switches, summed over the messages. O(messages).
std::int64_t total_hops(const OrderNetwork& network, std::span<const std::int32_t> order,
                        const OrderPattern& pattern);

/// No order of the pattern's ranks on these places (hosts, as often as they hold ranks) has fewer:
/// the sum over h of how many messages must cross more than h links, by what lies within h links of
/// a place, and for h = 0 also by how many switches the ranks need.
/// docs/explanation/proofs.md has the proof.
/// Weak where everyone sends to everyone on a network of few hops. O(switches^2 + messages log
/// messages).
std::int64_t least_hops(const OrderNetwork& network, const OrderPattern& pattern,
                        std::span<const std::int32_t> places);
/// On all hosts, each `cores` times.
std::int64_t least_hops(const OrderNetwork& network, const OrderPattern& pattern,
                        std::int32_t cores);

struct SendCost {
  double startup_s = 0;              // alpha
  double copy_seconds_per_byte = 0;  // between ranks of one host
  double receive_s = 0;              // start-up at the receiver
  StartupPer per = StartupPer::message;
};

/// Seconds until the last rank is done when messages never meet: a rank starts its next step once
/// its own messages of a step have arrived; those that it sends in one step leave its host one
/// after another. docs/explanation/rank-orders.md has the equation. O(messages).
double makespan_s(const OrderNetwork& network, std::span<const std::int32_t> order,
                  const OrderPattern& pattern, const SendCost& cost);

/// makespan_s() of a tree, by difference: a swap changes what its two ranks' subtrees take, which
/// is carried towards the root until nothing changes. O(log^2 ranks) for a swap in a binomial tree
/// at most; other moves are evaluated anew.
class TreeMakespan final : public OrderObjective {
 public:
  /// Throws InvalidInput when there are more ranks than places in the order. Keeps a reference to
  /// the network.
  TreeMakespan(const OrderNetwork& network, Order order, OrderTree tree, const SendCost& cost);

  const Order& order() const override { return order_; }
  double value() const override { return takes_s_[tree_.root]; }
  double delta(const OrderMove& move) override;
  void accept(const OrderMove& move) override;
  void reset(const Order& order) override;

 private:
  struct Change {
    std::int32_t rank;
    double before_s;
  };
  double evaluate(std::int32_t rank) const;
  void update(const OrderMove& move);
  void update_towards_root(std::int32_t rank);
  void set(std::int32_t rank, double takes_s);

  const OrderNetwork* network_;
  OrderTree tree_;
  SendCost cost_;
  Order order_;
  std::vector<std::int32_t> upwards_;  // ranks, children before parents
  std::vector<double> takes_s_;        // of a rank's subtree, from when it has or until it has all
  std::vector<Change> undo_;
};

}  // namespace weft::search
