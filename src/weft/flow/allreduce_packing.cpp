// Each half is a packing of its own, within what it may bring over links: roots have unlike numbers
// of trees. In whole units that make everything integer the cuts hold as they were judged. Other
// numbers of units round shares to the next below, the largest rests up, and what links bring so
// that switches still take on what comes in (whole_loads.hpp); where some cut is short then, links
// bring what some units more would take, and more again.
#include "weft/flow/allreduce_packing.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/flow/allreduce/whole_loads.hpp"
#include "weft/flow/trees/placed_trees.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::Fraction;
using graph::Sense;
using graph::TreeRoot;

// In units of the buffer.
struct Whole {
  std::int64_t units = 1;
  std::vector<std::int64_t> roots;    // by place
  std::vector<std::int64_t> out, in;  // by link
};

std::vector<Fraction> shares_of_places(const Carrier& carrier, const std::vector<NodeId>& places,
                                       const std::vector<Fraction>& shares) {
  WEFT_ASSERT(shares.size() == places.size());
  std::vector<Fraction> result(carrier.places.size(), 0);
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    result[static_cast<std::size_t>(std::ranges::lower_bound(carrier.places, places[rank].value()) -
                                    carrier.places.begin())] += shares[rank];
  return result;
}

std::optional<Whole> exactly(const std::vector<Fraction>& roots, const AllreduceTrees& trees,
                             std::int64_t ranks, std::int64_t most_of_block) {
  std::vector<Fraction> all = roots;
  all.insert(all.end(), trees.out_trees.begin(), trees.out_trees.end());
  all.insert(all.end(), trees.in_trees.begin(), trees.in_trees.end());
  const auto common = graph::common_fractions(all);
  if (!common || common->denominator / std::gcd(common->denominator, ranks) > most_of_block)
    return std::nullopt;
  const auto first = common->numerators.begin();
  const auto out = first + std::ssize(roots), in = out + std::ssize(trees.out_trees);
  return Whole{common->denominator, {first, out}, {out, in}, {in, common->numerators.end()}};
}

std::int64_t floor_of(const Fraction& value) {
  return static_cast<std::int64_t>(numerator(value) / denominator(value));
}

Whole about(const std::vector<Fraction>& roots, std::int64_t units) {
  Whole whole{.units = units, .roots = {}, .out = {}, .in = {}};
  std::int64_t left = units;
  std::vector<std::pair<Fraction, std::size_t>> rests;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    whole.roots.push_back(floor_of(roots[i] * units));
    left -= whole.roots.back();
    rests.emplace_back(whole.roots.back() - roots[i] * units, i);
  }
  std::ranges::sort(rests);
  WEFT_ASSERT(left >= 0 && left <= std::ssize(rests));  // roots add up to 1, each rounded down
  for (std::int64_t i = 0; i < left; ++i) ++whole.roots[rests[i].second];
  return whole;
}

std::vector<Fraction> times(std::vector<Fraction> loads, std::int64_t units) {
  for (Fraction& load : loads) load *= units;
  return loads;
}

// One half, turned so that trees lead away from their roots.
struct Half {
  Carrier carrier;
  Sense sense = Sense::along;
  std::vector<TreeRoot> roots;

  void take(const Whole& whole) {
    const auto& loads = sense == Sense::along ? whole.out : whole.in;
    for (std::size_t i = 0; i < carrier.arcs.size(); ++i)
      carrier.arcs[i].capacity = loads[carrier.links[i].index()];
    roots.clear();
    for (std::size_t i = 0; i < carrier.places.size(); ++i)
      roots.push_back({carrier.places[i], whole.roots[i]});
  }
  bool fits() const {
    return !graph::overfull_cut(carrier.nodes, carrier.arcs, roots, carrier.goals);
  }
  std::optional<PlacedTrees> packed(const Topology& topology) const {
    graph::SplitNetwork split =
        graph::split_off(carrier.nodes, carrier.arcs, roots, carrier.goals, carrier.kept);
    if (split.finer > 1) return std::nullopt;
    std::erase_if(split.bundles,
                  [](const graph::WayBundle& bundle) { return bundle.ways.empty(); });
    return placed_trees(topology, carrier, sense, split.bundles, roots);
  }
};

Half half_of(const Fabric& fabric, const std::vector<NodeId>& places, Sense sense) {
  return {carrier_of(fabric, {.places = places, .sense = sense}), sense, {}};
}

}  // namespace

std::optional<AllreducePacking> allreduce_packing(const Fabric& fabric,
                                                  const std::vector<NodeId>& places,
                                                  const AllreduceTrees& trees,
                                                  std::int64_t most_of_block) {
  WEFT_ASSERT(most_of_block >= 1);
  constexpr std::int64_t kFew = 4'096;
  if (trees.out_trees.empty()) return std::nullopt;
  Half out = half_of(fabric, places, Sense::along), in = half_of(fabric, places, Sense::against);
  const std::vector<Fraction> roots = shares_of_places(out.carrier, places, trees.shares);
  const std::int64_t ranks = std::ssize(places);
  auto whole = exactly(roots, trees, ranks, most_of_block);
  const bool is_exact = whole.has_value();
  if (!is_exact) whole = about(roots, ranks * std::min(kFew, most_of_block));
  for (std::int64_t more = 0;; more = std::max<std::int64_t>(2 * more, ranks)) {
    if (!is_exact) {
      whole->out = whole_loads(out.carrier, times(trees.out_trees, whole->units + more));
      whole->in = whole_loads(in.carrier, times(trees.in_trees, whole->units + more));
    }
    out.take(*whole);
    in.take(*whole);
    if (out.fits() && in.fits()) break;
    WEFT_ASSERT(!is_exact);
  }
  auto packed_in = in.packed(fabric.topology()), packed_out = out.packed(fabric.topology());
  if (!packed_in || !packed_out) return std::nullopt;
  AllreducePacking result{.units = whole->units,
                          .roots = std::move(whole->roots),
                          .in = *std::move(packed_in),
                          .out = *std::move(packed_out),
                          .time_s_per_B = {}};
  for (const LinkId link : fabric.topology().links())
    result.time_s_per_B = std::max(
        result.time_s_per_B, Rational(whole->out[link.index()] + whole->in[link.index()]) /
                                 Rational(result.units) / Rational(fabric.bandwidth_Bps(link)));
  return result;
}

}  // namespace weft::flow
