// A small linear program, solved by the simplex method and proven in fractions.
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
// Prices y(t, i) of the rows s(t, i) are the proof: they are at least 0 and add up to 1 in every
// step, so that no shares beat the least, over routes, of the sum of y(t, i) P(r, t) over its
// moves.
#include "order_shares.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::algorithm {

namespace {

/// What a share of 1 of a route puts on a step: `blocks` over each link of `dimension`.
struct Move {
  std::size_t dimension = 0;
  std::int64_t blocks = 0;  // 0 where the route waits
};

std::vector<Move> moves_of(const std::vector<int>& extents, const Route& route, int steps) {
  WEFT_ASSERT(route.at.size() == route.order.size());
  std::vector<Move> moves(steps);
  std::int64_t done = 1;
  for (std::size_t j = 0; j < route.order.size(); ++j) {
    const auto dimension = static_cast<std::size_t>(route.order[j]);
    moves[route.at[j]] = {dimension, done};
    done *= extents[dimension];
  }
  return moves;
}

/// Every order in every choice of so many steps.
std::vector<Route> routes_of(std::size_t dimensions, int steps) {
  WEFT_ASSERT(dimensions <= static_cast<std::size_t>(steps));
  std::vector<Route> routes;
  std::vector<int> order(dimensions);
  std::iota(order.begin(), order.end(), 0);
  do {
    std::vector<bool> moves(steps, false);
    std::fill_n(moves.begin(), dimensions, true);
    do {
      Route route{order, {}, 0};
      for (int t = 0; t < steps; ++t)
        if (moves[t]) route.at.push_back(t);
      routes.push_back(std::move(route));
    } while (std::prev_permutation(moves.begin(), moves.end()));
  } while (std::ranges::next_permutation(order).found);
  return routes;
}

}  // namespace

std::optional<RouteShares> best_route_shares(const std::vector<int>& extents, int steps) {
  const std::vector<Route> routes = routes_of(extents.size(), steps);
  const auto last_step = static_cast<std::size_t>(steps);
  graph::LinearProgram program;
  for (std::size_t t = 0; t < last_step; ++t)  // row t * dimensions + i: s(t, i)
    for (std::size_t i = 0; i < extents.size(); ++i) program.add_row({});
  const int all = program.add_row({1, 1});
  for (const Route& route : routes) {
    std::vector<graph::LinearTerm> terms{{all, 1}};
    for (std::size_t t = 0; const Move& move : moves_of(extents, route, steps)) {
      if (move.blocks > 0)
        terms.push_back({static_cast<int>(t * extents.size() + move.dimension),
                         -static_cast<double>(move.blocks)});
      ++t;
    }
    program.add_column(0, {}, terms);
  }
  for (std::size_t t = 0; t < last_step; ++t) {
    std::vector<graph::LinearTerm> terms;
    for (std::size_t i = 0; i < extents.size(); ++i)
      terms.push_back({static_cast<int>(t * extents.size() + i), 1});
    program.add_column(1, {}, terms);
  }
  if (!program.solve()) return std::nullopt;
  const auto vertex = graph::exact_vertex(program);
  if (!vertex) return std::nullopt;
  const auto shares = graph::common_fractions(vertex->columns);
  const auto prices = graph::common_fractions(vertex->row_prices);
  if (!shares || !prices) return std::nullopt;
  RouteShares best;
  for (std::size_t r = 0; r < routes.size(); ++r)
    if (shares->numerators[r] > 0)
      best.routes.push_back(
          {routes[r].order, routes[r].at, Rational(shares->numerators[r], shares->denominator)});
  for (std::size_t t = 0; t < last_step; ++t) {
    best.blocks += Rational(shares->numerators[routes.size() + t], shares->denominator);
    best.prices.emplace_back();
    for (std::size_t i = 0; i < extents.size(); ++i)
      best.prices.back().emplace_back(prices->numerators[t * extents.size() + i],
                                      prices->denominator);
  }
  return best;
}

std::optional<FixedShares> best_fixed_shares(const std::vector<int>& extents) {
  auto best = best_route_shares(extents, static_cast<int>(extents.size()));
  if (!best) return std::nullopt;
  FixedShares shares{{}, best->blocks, std::move(best->prices)};
  for (Route& route : best->routes) shares.orders.push_back({std::move(route.order), route.share});
  return shares;
}

}  // namespace weft::algorithm
