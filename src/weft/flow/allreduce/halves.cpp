#include "weft/flow/allreduce/halves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

using graph::CapacityArc;
using graph::Fraction;
using graph::Sense;
using graph::TreeRoot;

Shared::Shared(const Fabric& fabric, const Carrier& carrier)
    : nodes(carrier.nodes),
      arc_of_link(static_cast<std::size_t>(fabric.topology().link_count()), -1),
      unit_Bps(carrier.unit_Bps),
      places(carrier.places),
      ranks(carrier.places.size(), 0),
      takes_part(carrier.kept) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;
  std::vector<std::int64_t> surplus(nodes, 0);
  for (std::size_t i = 0; i < carrier.arcs.size(); ++i) {
    const CapacityArc& arc = carrier.arcs[i];
    const auto [place, is_new] =
        known.try_emplace({arc.tail, arc.head}, static_cast<std::int32_t>(arcs.size()));
    if (is_new) arcs.push_back({arc.tail, arc.head, 0});
    arcs[place->second].capacity += arc.capacity;
    arc_of_link[carrier.links[i].index()] = place->second;
    surplus[arc.head] += arc.capacity;
    surplus[arc.tail] -= arc.capacity;
    takes_part[arc.tail] = takes_part[arc.head] = 1;
  }
  for (const TreeRoot& root : carrier.roots)
    ++ranks[std::ranges::lower_bound(places, root.node) - places.begin()];
  for (std::int32_t node = 0; node < nodes; ++node) {
    if (carrier.kept[node] != 0 || takes_part[node] == 0) continue;
    passing.push_back(node);
    is_even = is_even && surplus[node] == 0;
  }
}

std::int64_t Shared::all_ranks() const {
  return std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0});
}

namespace {

// One half in integers, turned so that trees lead away from their roots.
struct Half {
  std::vector<CapacityArc> arcs;
  std::vector<TreeRoot> roots;
};

template <class ToInteger>
Half half_of(const Shared& shared, Sense sense, ToInteger&& integer) {
  Half half;
  for (std::size_t e = 0; e < shared.arcs.size(); ++e) {
    CapacityArc arc = shared.arcs[e];
    if (sense == Sense::against) std::swap(arc.tail, arc.head);
    half.arcs.push_back({arc.tail, arc.head, integer.of_arc(sense, e)});
  }
  for (std::size_t i = 0; i < shared.places.size(); ++i)
    half.roots.push_back({shared.places[i], integer.of_root(i)});
  return half;
}

void add_cuts(const Shared& shared, const Half& half, Sense sense, std::int64_t least,
              std::vector<HalfCut>& cuts) {
  for (graph::TreeCut& cut :
       graph::overfull_cuts(shared.nodes, half.arcs, half.roots, shared.places)) {
    if (cut.lacking - cut.capacity < least) continue;
    HalfCut found{sense, std::move(cut.inside)};
    if (std::ranges::find(cuts, found) == cuts.end()) cuts.push_back(std::move(found));
  }
}

}  // namespace

std::vector<HalfCut> short_cuts(const Shared& shared, const Halves<double>& halves) {
  constexpr int kBits = 36;
  constexpr std::int64_t kLeast = std::int64_t{1} << (kBits - 26);  // what counts as short
  struct Rounded {
    const Halves<double>& halves;
    static std::int64_t integer(double value) {
      return std::llround(std::ldexp(std::max(value, 0.0), kBits));
    }
    std::int64_t of_arc(Sense sense, std::size_t e) const {
      return integer((sense == Sense::along ? halves.along : halves.against)[e]);
    }
    std::int64_t of_root(std::size_t i) const { return integer(halves.roots[i]); }
  };
  std::vector<HalfCut> cuts;
  for (const Sense sense : {Sense::along, Sense::against})
    add_cuts(shared, half_of(shared, sense, Rounded{halves}), sense, kLeast, cuts);
  return cuts;
}

Judged judge(const Shared& shared, const Halves<Fraction>& halves) {
  WEFT_ASSERT(halves.roots.size() == shared.places.size());
  WEFT_ASSERT(halves.along.size() == shared.arcs.size() &&
              halves.against.size() == shared.arcs.size());
  std::vector<Fraction> all = halves.roots;
  all.insert(all.end(), halves.along.begin(), halves.along.end());
  all.insert(all.end(), halves.against.begin(), halves.against.end());
  const auto common = graph::common_fractions(all);
  if (!common) return {};
  // Sums of them are taken in 63 bits.
  double sum = 0;
  for (const std::int64_t number : common->numerators) {
    if (number < 0) return {};
    sum += static_cast<double>(number);
  }
  if (sum > 4e18) return {};
  struct Exact {
    const std::vector<std::int64_t>& numbers;
    std::size_t roots, arcs;
    std::int64_t of_arc(Sense sense, std::size_t e) const {
      return numbers[roots + (sense == Sense::along ? 0 : arcs) + e];
    }
    std::int64_t of_root(std::size_t i) const { return numbers[i]; }
  };
  const Exact exact{common->numerators, shared.places.size(), shared.arcs.size()};
  std::vector<std::int64_t> surplus(static_cast<std::size_t>(shared.nodes), 0);
  Judged judged;
  for (const Sense sense : {Sense::along, Sense::against}) {
    const Half half = half_of(shared, sense, exact);
    std::ranges::fill(surplus, 0);
    for (const CapacityArc& arc : half.arcs) {
      surplus[arc.head] += arc.capacity;
      surplus[arc.tail] -= arc.capacity;
    }
    for (const std::int32_t node : shared.passing)
      if (surplus[node] != 0) return {};
    add_cuts(shared, half, sense, 1, judged.short_of);
  }
  if (!judged.short_of.empty()) return judged;
  Fraction time = 0;
  for (std::size_t e = 0; e < shared.arcs.size(); ++e)
    time = std::max<Fraction>(
        time, (halves.along[e] + halves.against[e]) / Fraction(shared.arcs[e].capacity));
  const Fraction rooted = std::accumulate(halves.roots.begin(), halves.roots.end(), Fraction(0));
  judged.time = time * Fraction(shared.all_ranks()) / rooted;
  return judged;
}

namespace {

std::vector<Fraction> arc_prices(const Shared& shared, const std::vector<HalfCut>& cuts,
                                 const HalfDuals& duals) {
  WEFT_ASSERT(std::ssize(duals.along) == shared.nodes && std::ssize(duals.against) == shared.nodes);
  WEFT_ASSERT(duals.cuts.size() == cuts.size());
  std::vector<Fraction> prices(shared.arcs.size(), 0);
  std::vector<Fraction> along(shared.arcs.size()), against(shared.arcs.size());
  for (std::size_t e = 0; e < shared.arcs.size(); ++e) {
    const CapacityArc& arc = shared.arcs[e];
    along[e] = duals.along[arc.head] - duals.along[arc.tail];
    against[e] = duals.against[arc.head] - duals.against[arc.tail];
  }
  for (std::size_t c = 0; c < cuts.size(); ++c)
    if (duals.cuts[c] > 0)
      for (std::size_t e = 0; e < shared.arcs.size(); ++e)
        if (cuts[c].is_crossed_by(shared.arcs[e]))
          (cuts[c].sense == Sense::along ? along : against)[e] += duals.cuts[c];
  for (std::size_t e = 0; e < shared.arcs.size(); ++e)
    prices[e] = std::max<Fraction>({Fraction(0), along[e], against[e]});
  return prices;
}

}  // namespace

AllreduceTrees proven(const Fabric& fabric, const Shared& shared, const std::vector<HalfCut>& cuts,
                      const HalfDuals& duals) {
  const std::vector<Fraction> prices = arc_prices(shared, cuts, duals);
  Fraction spent = 0;
  for (std::size_t e = 0; e < prices.size(); ++e)
    spent += prices[e] * Fraction(shared.arcs[e].capacity) * Fraction(shared.unit_Bps);
  AllreduceTrees result;
  if (spent == 0) return result;
  std::vector<Fraction> covered(shared.places.size(), 0);
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    if (!(duals.cuts[c] > 0)) continue;
    const Fraction weight = duals.cuts[c] / spent;
    for (std::size_t i = 0; i < covered.size(); ++i)
      if (cuts[c].inside[shared.places[i]] == 0) covered[i] += weight;
    WeightedCut& shown = result.proof.cuts.emplace_back(WeightedCut{cuts[c].sense, {}, weight});
    for (std::int32_t node = 0; node < shared.nodes; ++node)
      if (cuts[c].inside[node] == 0 && shared.takes_part[node] != 0)
        shown.roots.push_back(NodeId(node));
  }
  result.least_s_per_B = *std::ranges::min_element(covered);
  for (const LinkId link : fabric.topology().links()) {
    const std::int32_t arc = shared.arc_of_link[link.index()];
    result.proof.prices.push_back(arc < 0 ? Fraction(0) : Fraction(prices[arc] / spent));
  }
  for (std::int32_t node = 0; node < shared.nodes; ++node) {
    result.proof.along.push_back(duals.along[node] / spent);
    result.proof.against.push_back(duals.against[node] / spent);
  }
  return result;
}

}  // namespace weft::flow
