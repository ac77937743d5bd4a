// Rank orders: which host each rank of a tree should run on.
//
// A collective whose tree is fixed by ranks (the binomial broadcast sends from r & (r - 1) to r)
// costs what the order of the ranks on the hosts makes of it. A search proposes moves of the order
// and keeps what an objective likes:
//
//   const OrderNetwork network(fabric);
//   HopObjective hops(network, linear_order(network), ranks);
//   const OrderResult found = search_order(hops, {.attempts = 1000, .seed = 1});
//
// The objective is a value with value(), delta(move) and accept(move), so that a cost of an upper
// room (simulated time) serves as well as one of this room (order_objectives.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/random.hpp"

namespace weft::search {

/// order[p] is the host at position p. Positions below the number of ranks are ranks; the hosts at
/// the others are spare, and a move may bring them in. A host of several cores stands several
/// times.
using Order = std::vector<std::int32_t>;

/// A rearrangement of the positions first..last, first <= last.
struct OrderMove {
  enum class Kind : std::uint8_t {
    reversal,  // the segment runs backwards (2-opt)
    swap,      // its two ends, of `length` positions each, change places
    rotation,  // its first `length` positions move behind the others (or-opt)
    cycle,     // three hosts go round: from first to the middle, to last, to first (3-exchange)
  };
  Kind kind = Kind::reversal;
  std::int32_t first = 0, last = 0;
  /// Of a rotation in [1, last - first], of a swap 1 to half the positions; of a cycle its middle
  /// is so far from first, in [1, last - first - 1], and below zero the hosts go round the other
  /// way.
  std::int32_t length = 1;

  /// The position from which the host comes that stands at `position` after the move.
  std::int32_t source(std::int32_t position) const;
  /// The move that undoes this one.
  OrderMove inverse() const;
  /// Of a cycle.
  std::int32_t middle() const { return first + (length < 0 ? -length : length); }
};

/// Rearranges. O(last - first), of a swap O(length), of a cycle O(1).
void rearrange(const OrderMove& move, Order& order);

/// Calls visit(position) for those that the move may give another host, in ascending order.
template <class Visit>
void each_moved(const OrderMove& move, Visit&& visit) {
  if (move.kind == OrderMove::Kind::cycle) {
    for (const std::int32_t p : {move.first, move.middle(), move.last}) visit(p);
    return;
  }
  const bool ends = move.kind == OrderMove::Kind::swap;
  const std::int32_t gap = ends ? move.first + move.length : move.last + 1;
  const std::int32_t behind = ends ? move.last + 1 - move.length : move.last + 1;
  for (std::int32_t p = move.first; p < gap; ++p) visit(p);
  for (std::int32_t p = behind; p <= move.last; ++p) visit(p);
}

/// What a search makes small.
class OrderObjective {
 public:
  virtual ~OrderObjective() = default;
  virtual const Order& order() const = 0;
  virtual double value() const = 0;
  /// No more than value(), where that takes long to find.
  virtual double least_value() const { return value(); }
  /// No less than value(), likewise.
  virtual double most_value() const { return value(); }
  /// What the move would add to value().
  virtual double delta(const OrderMove& move) = 0;
  /// Whether it would add nothing or take something off, which may be told without delta().
  virtual bool no_worse(const OrderMove& move) { return delta(move) <= 0; }
  /// Makes the move.
  virtual void accept(const OrderMove& move) = 0;
  /// Starts again from another order of the same hosts.
  virtual void reset(const Order& order) = 0;
};

enum class OrderMethod : std::uint8_t {
  none,     // the start as it is
  two_opt,  // reversals, swaps and cycles; what is no worse is kept (Cui and Koibuchi)
  anneal,   // swaps, rotations and reversals; worse is kept by chance, ever more rarely
};
/// Of two_opt; cycle: swaps of two, and of three hosts at once.
enum class OrderMoves : std::uint8_t { reversal, swap, both, cycle };
enum class RootHost : std::uint8_t { free, fixed };  // fixed: rank 0 stays where it starts

struct OrderSearchOptions {
  OrderMethod method = OrderMethod::two_opt;
  OrderMoves moves = OrderMoves::reversal;
  RootHost root = RootHost::free;
  std::int64_t attempts = 1000;  // proposals of each restart, at least 1
  std::int64_t restarts = 1;     // runs with streams of their own, from the same start; at least 1
  double time_limit_s = 0;       // of all runs; 0: none. A run that it ends depends on the machine
  double floor = 0;              // no order has a lower value: the search ends there
  std::uint64_t seed = 1;
  std::function<void(std::int64_t spent)> progress = {};  // told of proposals made, now and then
  std::function<bool()> is_enough = {};                   // asked now and then; ends the search
};

struct OrderResult {
  Order order;  // the best seen
  double value = 0, start_value = 0;
  std::int64_t attempts = 0, accepted = 0;  // of all runs
};

/// Searches from the objective's order, and leaves the objective at the best order seen. Depends on
/// the seed alone unless the time limit ends it, or a TimeLimit of the caller's once the first
/// order is judged. Throws InvalidInput for attempts or restarts below 1, or a negative time.
/// O(attempts) proposals.
OrderResult search_order(OrderObjective& objective, const OrderSearchOptions& options);

/// "none", "two-opt", "anneal"; "reversal", "swap", "both", "cycle"; "free", "fixed". Throw
/// InvalidInput.
OrderMethod parse_order_method(std::string_view name);
OrderMoves parse_order_moves(std::string_view name);
RootHost parse_root_host(std::string_view name);
std::string_view name_of(OrderMethod method);
std::string_view name_of(OrderMoves moves);
std::string_view name_of(RootHost root);

}  // namespace weft::search

namespace weft {
using search::OrderSearchOptions;
using search::search_order;
}  // namespace weft
