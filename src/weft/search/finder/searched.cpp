// The traits of searched graphs.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "catalogue_data.hpp"
#include "traits.hpp"
#include "weft/base/text.hpp"
#include "weft/search/samples.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

namespace {

// "lift:Z7;0>1:6,1>0:2": node o * order + x is x of orbit o, and the group moves all x alike.
std::int32_t orbits_of_lift(const std::string& expression) {
  std::int32_t orbits = 1;
  for (std::size_t at = expression.find(';'); at != std::string::npos;
       at = expression.find('>', at + 1)) {
    std::size_t first = at;
    while (first > 0 && expression[first - 1] >= '0' && expression[first - 1] <= '9') --first;
    const auto digits = std::string_view(expression).substr(first, at - first);
    const auto orbit = number_in<std::int32_t>(expression[at] == '>' ? digits : "");
    if (orbit && *orbit < kMostSearchedNodes) orbits = std::max(orbits, *orbit + 1);
  }
  return orbits;
}

// One node of each orbit.
std::vector<std::int32_t> roots_of(const SearchResult& graph) {
  std::vector<std::int32_t> roots;
  if (graph.how == "cayley") return {0};
  if (graph.how != "lift") return {};
  const std::int32_t orbits = orbits_of_lift(graph.expression);
  for (std::int32_t orbit = 0; orbit < orbits; ++orbit)
    roots.push_back(orbit * (graph.nodes / orbits));
  return roots;
}

// The cost is known, and theory has the rest: BFB on a two-way network costs the same backwards,
// and is tight where a node has more than one neighbour (expansion_algebra.hpp).
CatalogueEntry two_way_entry(const SearchResult& graph) {
  CatalogueEntry entry{.expression = graph.expression, .facts = {}, .cabled = true, .source = {}};
  entry.facts = link_facts(topology::make_topology(graph.expression));
  entry.facts.steps = graph.steps;
  entry.facts.bandwidth_factor = graph.bandwidth_factor;
  entry.facts.bfb = entry.facts.reversible = true;
  entry.facts.tight = entry.facts.branching;
  return entry;
}

}  // namespace

std::string compute_traits(const SearchResult& graph) {
  if (graph.direction == Direction::bidirectional && graph.degree > 2)
    return traits_of(two_way_entry(graph));
  const auto facts = bfb_facts(topology::make_topology(graph.expression), roots_of(graph));
  return traits_of({.expression = graph.expression,
                    .facts = facts,
                    .cabled = graph.direction == Direction::bidirectional,
                    .source = {},
                    .algorithm = ReachedBy::expand});
}

}  // namespace weft::search
