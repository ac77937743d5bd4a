// Multi-dimensional: every block is cut into shares, and each runs dimension order in an order of
// its own, so that the links of all dimensions are busy in every step. Rotations (dimensions r, r +
// 1, ..., r - 1) never meet on a link; where other orders do, they share a message.
//
// Loads of rotation r in step t, for a share of 1, on extents m_i with product N:
//   all-to-all  N / m_(r+t) on every link of dimension r + t
//   allgather   m_r m_(r+1) ... m_(r+t-1)
//
// All-to-all. Links of dimension i carry N / m_i blocks whatever the shares, so that N / min(m_i)
// over the narrowest dimension, T_B = d / min(m_i), is a bound. Equal shares 1/n meet it: each of
// the n steps takes N / (n min(m_i)). In two dimensions x = m1 / (m1 + m2), which balances the
// first step (x m2 = (1 - x) m1), meets it too: m1 m2 / (m1 + m2) + max(m1, m2)^2 / (m1 + m2) =
// max(m1, m2).
//
// Allgather. The last step costs most: N / m_last for a share of 1. Equal extents: rotations with
// shares 1/n, all links always busy, T_B = (N-1)/N. Two dimensions, m1 <= m2, x the share that
// starts with the first: the steps take max(x, 1 - x) + max(x m1, (1 - x) m2), which falls with
// slope 1 - m2 up to x = m2 / (m1 + m2) and rises with 1 + m1 after it: that x is the best fixed
// share, and T_B = d (m1 m2 + max(m1, m2)) / (N (m1 + m2)). In more dimensions shares of the
// rotations in proportion to the extent of their last dimension balance the last step, but other
// orders help the steps before it: 4x6x8 takes 155/144 by rotations and 1745/1728 by all six
// orders, the optimum of a small linear program (order_shares.cpp). No fixed shares meet (N-1)/N on
// unequal extents, since dimension i has to carry the same for every link in total: 4x6 takes 1
// against 23/24, which BFB reaches.
// Source: Pham, "Low-Latency Collective Communication for High-Performance Computing Networks", PhD
// thesis, SOKENDAI, 2026, section 4.2, Algorithm 2 and Eq. 4.6 (with x mended as above).
#include "weft/algorithm/multi_dimensional.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/grids/dimension_order.hpp"
#include "weft/algorithm/grids/hamming_ranks.hpp"
#include "weft/algorithm/grids/order_shares.hpp"
#include "weft/algorithm/halves.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using topology::HammingView;

constexpr std::size_t kMostDimensions = 4;  // 24 orders

const char* const kSource =
    "Pham, Low-Latency Collective Communication for High-Performance Computing Networks, 2026";

/// The dimensions of more than one node, in order.
std::vector<int> wide_dimensions(const HammingView& hamming) {
  std::vector<int> wide;
  for (int i = 0; i < hamming.dimensions(); ++i)
    if (hamming.extents[i] > 1) wide.push_back(i);
  return wide;
}

std::vector<int> extents_of(const HammingView& hamming, const std::vector<int>& dimensions) {
  std::vector<int> extents;
  for (const int i : dimensions) extents.push_back(hamming.extents[i]);
  return extents;
}

/// The orders of dimensions start with `wide`; those of one node take no step.
std::vector<int> completed(const HammingView& hamming, std::vector<int> wide) {
  for (int i = 0; i < hamming.dimensions(); ++i)
    if (hamming.extents[i] == 1) wide.push_back(i);
  return wide;
}

/// Messages of a step with the same ends become one.
Schedule combined(const Schedule& schedule) {
  ScheduleBuilder builder(schedule.collective(), {.algorithm = "md",
                                                  .units_per_block = schedule.units_per_block(),
                                                  .symmetry = schedule.symmetry()});
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    std::map<std::pair<Agent, Agent>, std::vector<Piece>> cargo;
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const auto pieces = schedule.pieces(m);
      auto& all = cargo[{schedule.message(m).from, schedule.message(m).to}];
      all.insert(all.end(), pieces.begin(), pieces.end());
    }
    for (const auto& [ends, pieces] : cargo) builder.at(t).send(ends.first, ends.second, pieces);
  }
  return std::move(builder).build();
}

/// All orders at once.
Schedule all_orders(const HammingView& hamming, const Collective& collective) {
  std::vector<Share> parts;
  for (const auto& [order, share] : md_shares(hamming, collective.kind).orders)
    parts.push_back({dimension_order(hamming, collective, completed(hamming, order)), share});
  if (parts.empty()) return dimension_order(hamming, collective).with_algorithm("md");  // one node
  return combined(schedule::merge(parts));
}

/// Blocks over the busiest links of each step, added up.
Rational blocks_of(const HammingView& hamming, CollectiveKind kind,
                   const std::vector<OrderShare>& orders) {
  Rational sum = 0;
  for (std::size_t t = 0; !orders.empty() && t < orders[0].order.size(); ++t) {
    std::vector<Rational> loads(hamming.extents.size());
    for (const auto& [order, share] : orders) {
      const auto dimension = static_cast<std::size_t>(order[t]);
      std::int64_t blocks = 1;
      if (kind == CollectiveKind::alltoall)
        blocks = hamming.size() / hamming.extents[dimension];
      else
        for (std::size_t s = 0; s < t; ++s) blocks *= hamming.extents[order[s]];
      loads[dimension] += share * blocks;
    }
    sum += *std::ranges::max_element(loads);
  }
  return sum;
}

/// Rotations: all-to-all balanced in the first step of two dimensions, equal in more; the others
/// in proportion to the last extent.
std::vector<OrderShare> rotations(const HammingView& hamming, CollectiveKind kind) {
  const std::vector<int> wide = wide_dimensions(hamming);
  std::int64_t sum = 0;
  for (const int i : wide) sum += hamming.extents[i];
  std::vector<OrderShare> shares;
  for (std::size_t r = 0; r < wide.size(); ++r) {
    std::vector<int> order = wide;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(r), order.end());
    const int balanced = kind == CollectiveKind::alltoall ? order.front() : order.back();
    const bool equal = kind == CollectiveKind::alltoall && wide.size() != 2;
    shares.push_back(
        {order, equal ? Rational(1, std::ssize(wide)) : Rational(hamming.extents[balanced], sum)});
  }
  return shares;
}

bool equal_extents(const HammingView& hamming, const std::vector<int>& wide) {
  return std::ranges::all_of(wide,
                             [&](int i) { return hamming.extents[i] == hamming.extents[wide[0]]; });
}

/// The units that a block is cut into; nothing above the cap.
std::optional<std::int64_t> units_of(const std::vector<OrderShare>& orders) {
  std::int64_t units = 1;
  for (const auto& [order, share] : orders) {
    if (share.denominator() > schedule::kMaxUnitsPerBlock) return std::nullopt;
    units = std::lcm(units, share.denominator());
    if (units > schedule::kMaxUnitsPerBlock) return std::nullopt;
  }
  return units;
}

/// The optimum over all orders of three or four unequal extents.
std::optional<FixedShares> shares_of_all_orders(const HammingView& hamming) {
  const std::vector<int> wide = wide_dimensions(hamming);
  if (wide.size() < 3 || wide.size() > kMostDimensions || equal_extents(hamming, wide))
    return std::nullopt;
  std::optional<FixedShares> best = best_fixed_shares(extents_of(hamming, wide));
  if (!best || !units_of(best->orders)) return std::nullopt;
  for (OrderShare& part : best->orders)
    for (int& dimension : part.order) dimension = wide[dimension];
  return best;
}

}  // namespace

FixedShares md_shares(const HammingView& hamming, CollectiveKind kind) {
  if (kind != CollectiveKind::alltoall)
    if (auto best = shares_of_all_orders(hamming)) return *best;
  FixedShares shares{rotations(hamming, kind), 0, {}};
  shares.blocks = blocks_of(hamming, kind, shares.orders);
  return shares;
}

std::vector<RouteShares> md_shares_by_steps(const HammingView& hamming, int more) {
  WEFT_ASSERT(more >= 0);
  const std::vector<int> wide = wide_dimensions(hamming), extents = extents_of(hamming, wide);
  std::vector<RouteShares> result;
  if (wide.size() < 2 || wide.size() > kMostDimensions) return result;
  std::int64_t links = 0;
  for (const int m : extents) links += m - 1;
  const Rational least(hamming.size() - 1, links);
  const auto n = static_cast<int>(wide.size());
  for (int steps = n; steps <= n + more; ++steps) {
    auto best = best_route_shares(extents, steps);
    if (!best) break;
    for (Route& route : best->routes)
      for (int& dimension : route.order) dimension = wide[dimension];
    result.push_back(*std::move(best));
    if (result.back().blocks == least) break;
  }
  return result;
}

Schedule multi_dimensional(const HammingView& hamming, const Collective& collective) {
  switch (collective.kind) {
    case CollectiveKind::alltoall:
    case CollectiveKind::allgather:
      return all_orders(hamming, collective);
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::allreduce:
      return from_allgather(all_orders(hamming, schedule::allgather(collective.ranks)),
                            collective.kind);
    default:
      reject(
          "md does not support {} (it supports all-to-all, allgather, reduce-scatter and "
          "allreduce)",
          schedule::name_of(collective.kind));
  }
}

Schedule mixed_allreduce(const HammingView& hamming, const Collective& collective) {
  require(collective.kind == CollectiveKind::allreduce, "do-md supports only allreduce, not {}",
          schedule::name_of(collective.kind));
  return schedule::concatenate(dimension_order(hamming, schedule::reduce_scatter(collective.ranks)),
                               multi_dimensional(hamming, schedule::allgather(collective.ranks)))
      .with_algorithm("do-md");
}

Algorithm multi_dimensional_entry() {
  return {
      .name = "md",
      .aliases = {"multi-dimensional"},
      .summary = "Several orders of the dimensions at once, each with its share of the data",
      .source = kSource,
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce, CollectiveKind::alltoall},
      .options = {},
      .misfit = hamming_misfit,
      .build =
          [](const Context& context) {
            return multi_dimensional(*hamming_of_ranks(context), context.collective);
          },
      .shows_shares = true,
  };
}

Algorithm mixed_allreduce_entry() {
  return {
      .name = "do-md",
      .aliases = {},
      .summary = "Reduce-scatter by do, then allgather by md",
      .source = kSource,
      .collectives = {CollectiveKind::allreduce},
      .options = {},
      .misfit = hamming_misfit,
      .build =
          [](const Context& context) {
            return mixed_allreduce(*hamming_of_ranks(context), context.collective);
          },
  };
}

}  // namespace weft::algorithm
