// Step by step, each receiver's blocks and the links that may bring them give the fullest link's
// load (graph/balance.hpp). A set S of links with that quotient is full in every best schedule.
//
// A line graph's cost is exactly that of theorem 7 where, in every step, an endless walk leads on
// from the head of some fullest link e through nodes that have no block on e
// (expansion_algebra.hpp). Here the nodes to keep out of are all that might have a block on e,
// which does not depend on the schedule; so a network may be tight without being called so, but not
// the other way round.
#include "traits.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "weft/base/error.hpp"
#include "weft/graph/endless_walk.hpp"
#include "weft/graph/layers.hpp"
#include "weft/graph/step_times.hpp"
#include "weft/topology/in_arcs.hpp"

namespace weft::search {

namespace {

using algorithm::Prediction;
using graph::InArcs;
using graph::LayerSearch;
using graph::MaskWord;
using Nodes = std::vector<std::int32_t>;
using Heads = graph::Rows<std::int32_t>;

Heads heads_of(const Topology& topology) {
  Heads heads;
  for (const NodeId node : topology.nodes()) {
    for (const LinkId link : topology.out_links(node)) heads.add(topology.head(link).value());
    heads.end_row();
  }
  return heads;
}

/// `count` blocks that may come over the links of the mask.
struct Demand {
  MaskWord links = 0;
  std::int32_t count = 0;
};

std::vector<Demand> demands_of(const LayerSearch& search, int step) {
  std::map<MaskWord, std::int32_t> counts;
  for (const std::int32_t v : search.layer(step)) ++counts[search.word(v)];
  std::vector<Demand> result;
  for (const auto& [links, count] : counts) result.push_back({links, count});
  return result;
}

// The links that are surely full: of sets with as many blocks as they can take at that load.
MaskWord full_links(int degree, const Rational& load, const std::vector<Demand>& demands) {
  WEFT_ASSERT(degree >= 1 && degree < 64);
  MaskWord full = 0;
  const auto look_at = [&](MaskWord set) {
    std::int64_t inside = 0;
    for (const Demand& demand : demands) inside += (demand.links & ~set) == 0 ? demand.count : 0;
    if (load * std::popcount(set) == Rational(inside)) full |= set;
  };
  const MaskWord all = (MaskWord{1} << degree) - 1;
  look_at(all);
  for (int link = 0; link < degree; ++link) look_at(MaskWord{1} << link);
  constexpr int kMostEnumerated = 8;
  if (full == 0 && degree <= kMostEnumerated)
    for (MaskWord set = 1; set < all; ++set) look_at(set);
  return full;
}

bool is_tight(const InArcs& arcs, const Heads& heads, int degree, const Nodes& roots,
              const std::vector<Rational>& loads) {
  std::vector<bool> shown(loads.size(), false);
  LayerSearch search(arcs);
  graph::EndlessWalk walk(heads);
  std::vector<int> step_of(arcs.nodes());
  const auto shows = [&](std::int32_t root, int step) {
    const MaskWord full =
        full_links(degree, loads[static_cast<std::size_t>(step) - 1], demands_of(search, step));
    for (int link = 0; link < degree; ++link)
      if ((full >> link & 1) != 0 && walk.exists(root, [&](std::int32_t v) {
            return step_of[v] == step && (search.word(v) >> link & 1) != 0;
          }))
        return true;
    return false;
  };
  for (const std::int32_t root : roots) {
    if (std::find(shown.begin(), shown.end(), false) == shown.end()) break;
    search.run(root);
    step_of[root] = 0;
    for (int step = 1; step <= search.depth(); ++step)
      for (const std::int32_t v : search.layer(step)) step_of[v] = step;
    for (int step = 1; step <= search.depth(); ++step)
      if (!shown[static_cast<std::size_t>(step) - 1])
        shown[static_cast<std::size_t>(step) - 1] = shows(root, step);
  }
  return std::find(shown.begin(), shown.end(), false) == shown.end();
}

void look_at_links(const Heads& rows, Prediction& facts) {
  facts.branching = true;
  for (std::int32_t node = 0; node < rows.size(); ++node) {
    Nodes heads(rows[node].begin(), rows[node].end());
    std::sort(heads.begin(), heads.end());
    const auto last = std::unique(heads.begin(), heads.end());
    facts.parallel = facts.parallel || last != heads.end();
    facts.loops = facts.loops || std::binary_search(heads.begin(), last, node);
    facts.branching = facts.branching && last - heads.begin() > 1;
  }
}

}  // namespace

Prediction link_facts(const Topology& topology) {
  Prediction facts{.nodes = topology.node_count(), .degree = topology.nominal_degree()};
  look_at_links(heads_of(topology), facts);
  return facts;
}

Prediction bfb_facts(const Topology& topology, std::span<const std::int32_t> some_roots) {
  const int degree = topology.nominal_degree();
  for (const NodeId node : topology.nodes())
    require(topology.out_degree(node) == degree && topology.in_degree(node) == degree,
            "{} is not regular; the catalogue has only regular networks", topology.name());
  WEFT_ASSERT(degree < 64);  // a mask is one word
  Nodes roots(some_roots.begin(), some_roots.end());
  if (roots.empty())
    for (const NodeId node : topology.nodes()) roots.push_back(node.value());
  const Fabric fabric(topology, {});
  const InArcs arcs = topology::in_arcs(fabric, graph::Sense::along);
  const InArcs reversed = topology::in_arcs(fabric, graph::Sense::against);
  const std::vector<Rational> loads = graph::step_times(arcs, roots);
  const Heads heads = heads_of(topology);
  Prediction facts{.nodes = topology.node_count(),
                   .degree = degree,
                   .steps = static_cast<std::int64_t>(loads.size()),
                   .bfb = true};
  for (const Rational& load : loads) facts.bandwidth_factor += load;
  facts.bandwidth_factor *= Rational(facts.degree, facts.nodes);
  facts.optimal_bfb = facts.bandwidth_optimal();
  look_at_links(heads, facts);
  facts.reversible = graph::step_times(reversed, roots) == loads;
  facts.tight = is_tight(arcs, heads, degree, roots, loads);
  return facts;
}

}  // namespace weft::search
