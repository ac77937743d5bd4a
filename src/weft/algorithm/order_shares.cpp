// A small linear program, solved by the simplex method on fractions.
//
// A route r takes the dimensions in an order, each in a later step than the one before; where it
// has more steps than dimensions it waits. In step t it moves over the links of one dimension, or
// of none: then P(r, t) = the product of the extents that it has done before. With x_r its share,
// step t takes T_t = max over dimensions i of the sum of x_r P(r, t) over the routes that use i in
// t. The program: least sum of T_t with s(t, i) = T_t - sum >= 0, x >= 0 and sum x = 1.
//
// That is the flow of a block through the lattice of the sets of dimensions done, expanded in time:
// what has done S moves to S + i over links of dimension i, P(S) blocks over each for all of it, or
// waits. Any such flow is a mixture of routes, since loads depend on S, i and t alone.
//
// Start: all of the data in route 0. Then x_0 = 1 - (the others), T_t is set by the slack of its
// dimension (of the first one where it waits), and all other slacks follow: a feasible dictionary
// without a first phase. Pivots after Bland's rule end. Prices y(t, i), the final objective's
// coefficients of the slacks, are the proof: they are at least 0 and add up to 1 in every step, so
// that no shares beat the least, over routes, of the sum of y(t, i) P(r, t) over its moves.
#include "order_shares.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using Row = std::vector<Rational>;

/// What a share of 1 of a route puts on a step: `blocks` over each link of `dimension`.
struct Move {
  std::size_t dimension = 0;
  std::int64_t blocks = 0;  // 0 where the route waits
};

/// basic = constant + sum of coefficients * free; the last column is the constant. Variables:
/// shares 0 .. routes - 1, then slacks by step and dimension, then T by step.
class Dictionary {
 public:
  /// Moves by route and step.
  Dictionary(std::vector<std::vector<Move>> routes, std::size_t dimensions)
      : routes_(std::move(routes)), n_(dimensions), steps_(routes_[0].size()) {
    for (std::size_t r = 1; r < routes_.size(); ++r) free_.push_back(r);
    for (std::size_t t = 0; t < steps_; ++t) free_.push_back(slack(t, first(t)));
    start();
  }

  void minimise() {
    while (const std::optional<std::size_t> column = entering()) pivot(leaving(*column), *column);
  }

  Rational objective() const { return objective_.back(); }
  Rational share(std::size_t route) const {
    for (std::size_t r = 0; r < basic_.size(); ++r)
      if (basic_[r] == route) return rows_[r].back();
    return 0;
  }
  Rational price(std::size_t t, std::size_t dimension) const {
    for (std::size_t c = 0; c < free_.size(); ++c)
      if (free_[c] == slack(t, dimension)) return objective_[c];
    return 0;
  }

 private:
  std::size_t slack(std::size_t t, std::size_t i) const { return routes_.size() + t * n_ + i; }
  std::size_t first(std::size_t t) const { return routes_[0][t].dimension; }
  /// What share 1 of a route puts on dimension i in step t.
  Rational load(std::size_t r, std::size_t t, std::size_t i) const {
    const Move& move = routes_[r][t];
    return move.dimension == i ? Rational(move.blocks) : Rational(0);
  }

  void add_row(std::size_t variable, Row row) {
    basic_.push_back(variable);
    rows_.push_back(std::move(row));
  }

  void start() {
    const std::size_t others = routes_.size() - 1, columns = free_.size();
    Row rest(columns + 1);
    for (std::size_t c = 0; c < others; ++c) rest[c] = -1;
    rest[columns] = 1;
    add_row(0, rest);
    objective_.resize(columns + 1);
    for (std::size_t t = 0; t < steps_; ++t) {
      Row lasts = sum_of_loads(t, first(t));  // T_t = slack + the load of the first route's link
      lasts[others + t] = 1;
      for (std::size_t c = 0; c <= columns; ++c) objective_[c] += lasts[c];
      for (std::size_t i = 0; i < n_; ++i) {
        if (i == first(t)) continue;
        Row row = sum_of_loads(t, i);
        for (std::size_t c = 0; c <= columns; ++c) row[c] = lasts[c] - row[c];
        add_row(slack(t, i), row);
      }
      add_row(slack(steps_, t), lasts);
    }
  }

  /// The load of dimension i in step t, with x_0 replaced by 1 - (the others).
  Row sum_of_loads(std::size_t t, std::size_t i) const {
    Row row(free_.size() + 1);
    row.back() = load(0, t, i);
    for (std::size_t r = 1; r < routes_.size(); ++r) row[r - 1] = load(r, t, i) - row.back();
    return row;
  }

  /// The free variable of least number that lowers the objective.
  std::optional<std::size_t> entering() const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < free_.size(); ++c)
      if (objective_[c] < 0 && (!best || free_[c] < free_[*best])) best = c;
    return best;
  }

  /// The basic variable that reaches 0 first; of several the one of least number. The objective is
  /// at least 0, so there is one.
  std::size_t leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    Rational least;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r][column] >= 0) continue;
      const Rational ratio = rows_[r].back() / -rows_[r][column];
      if (best && (least < ratio || (least == ratio && basic_[*best] < basic_[r]))) continue;
      best = r;
      least = ratio;
    }
    WEFT_ASSERT(best.has_value());
    return *best;
  }

  void pivot(std::size_t row, std::size_t column) {
    Row& solved = rows_[row];  // solved for the entering variable
    const Rational factor = solved[column];
    for (Rational& value : solved) value /= -factor;
    solved[column] = Rational(1) / factor;
    std::swap(basic_[row], free_[column]);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (r != row) substitute(rows_[r], solved, column);
    substitute(objective_, solved, column);
  }

  static void substitute(Row& target, const Row& solved, std::size_t column) {
    const Rational factor = target[column];
    if (factor == 0) return;
    target[column] = 0;
    for (std::size_t c = 0; c < target.size(); ++c) target[c] += factor * solved[c];
  }

  std::vector<std::vector<Move>> routes_;
  std::size_t n_, steps_;
  std::vector<std::size_t> basic_, free_;
  std::vector<Row> rows_;
  Row objective_;
};

std::vector<Move> moves_of(const std::vector<int>& extents, const Route& route, int steps) {
  std::vector<Move> moves(static_cast<std::size_t>(steps));
  std::int64_t done = 1;
  for (std::size_t j = 0; j < route.order.size(); ++j) {
    const auto dimension = static_cast<std::size_t>(route.order[j]);
    moves[static_cast<std::size_t>(route.at[j])] = {dimension, done};
    done *= extents[dimension];
  }
  return moves;
}

/// Every order in every choice of so many steps.
std::vector<Route> routes_of(std::size_t dimensions, int steps) {
  std::vector<Route> routes;
  std::vector<int> order(dimensions);
  std::iota(order.begin(), order.end(), 0);
  do {
    std::vector<bool> moves(static_cast<std::size_t>(steps), false);
    std::fill_n(moves.begin(), dimensions, true);
    do {
      Route route{order, {}, 0};
      for (int t = 0; t < steps; ++t)
        if (moves[static_cast<std::size_t>(t)]) route.at.push_back(t);
      routes.push_back(std::move(route));
    } while (std::prev_permutation(moves.begin(), moves.end()));
  } while (std::ranges::next_permutation(order).found);
  return routes;
}

}  // namespace

std::optional<RouteShares> best_route_shares(const std::vector<int>& extents, int steps) {
  const std::vector<Route> routes = routes_of(extents.size(), steps);
  std::vector<std::vector<Move>> moves;
  for (const Route& route : routes) moves.push_back(moves_of(extents, route, steps));
  try {
    Dictionary dictionary(std::move(moves), extents.size());
    dictionary.minimise();
    RouteShares best{{}, dictionary.objective(), {}};
    for (std::size_t r = 0; r < routes.size(); ++r)
      if (const Rational share = dictionary.share(r); share > 0)
        best.routes.push_back({routes[r].order, routes[r].at, share});
    for (std::size_t t = 0; t < static_cast<std::size_t>(steps); ++t) {
      best.prices.emplace_back();
      for (std::size_t i = 0; i < extents.size(); ++i)
        best.prices.back().push_back(dictionary.price(t, i));
    }
    return best;
  } catch (const std::overflow_error&) {
    return std::nullopt;
  }
}

std::optional<FixedShares> best_fixed_shares(const std::vector<int>& extents) {
  auto best = best_route_shares(extents, static_cast<int>(extents.size()));
  if (!best) return std::nullopt;
  FixedShares shares{{}, best->blocks, std::move(best->prices)};
  for (Route& route : best->routes) shares.orders.push_back({std::move(route.order), route.share});
  return shares;
}

}  // namespace weft::algorithm
