#include "weft/topology/families/circulant.hpp"

#include <set>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/abelian_cayley.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

Topology circulant(int nodes, const std::vector<int>& jumps) {
  require(nodes >= 2, "a circulant of {} is too small (needs 2 or more)", counted(nodes, "node"));
  require(!jumps.empty(), "a circulant without jumps has no links; for example circulant:16,3,4");
  Expression name{"circulant", fmt::format("{},{}", nodes, join(jumps, ",")), {}};
  std::set<int> known;
  std::vector<Generator> generators;
  for (int jump : jumps) {
    require(jump >= 1 && jump <= nodes / 2,
            "jump {} of {} is out of range (needs 1 to {}, half of the nodes)", jump,
            name.to_string(), nodes / 2);
    require(known.insert(jump).second,
            "jump {} of {} is repeated (it would make parallel links); remove one", jump,
            name.to_string());
    append_generators(generators, nodes, 0, jump, "link");
  }
  return abelian_cayley({nodes}, generators, std::move(name));
}

Topology complete(int nodes) {
  require(nodes >= 2, "a complete graph of {} is too small (needs 2 or more)",
          counted(nodes, "node"));
  Expression name{"complete", std::to_string(nodes), {}};
  require_size(name.to_string(), nodes, 1.0 * nodes * (nodes - 1.0));
  std::vector<Generator> generators;
  for (int offset = 1; offset < nodes; ++offset)
    generators.push_back({0, offset, static_cast<std::size_t>(nodes - offset - 1), "link"});
  return abelian_cayley({nodes}, generators, std::move(name),
                        coordinates({nodes}, LineShape::complete));
}

Topology bipartite(int first, int second) {
  require(first >= 1 && second >= 1, "bipartite:{},{} has an empty side (each needs 1 or more)",
          first, second);
  Expression name{"bipartite", fmt::format("{},{}", first, second), {}};
  require_size(name.to_string(), 1.0 * first + second, 2.0 * first * second);
  TopologyBuilder builder(std::int64_t{first} + second);
  for (int u = 0; u < first; ++u)
    for (int v = 0; v < second; ++v) builder.add_cable(NodeId(u), NodeId(first + v));
  // (x, side), every (x, 1) a generator.
  if (first == second)
    builder.set_facets(
        {{CayleyGroup{Group::abelian(first == 1 ? std::vector{2} : std::vector{first, 2})}}, {}});
  return std::move(builder).build(std::move(name));
}

Family circulant_family() {
  return make_family("circulant", "n,j1,j2,...",
                     "n nodes; node u has cables to u + j and u - j for every jump j",
                     "circulant:16,3,4", [](const Parameters& parameters) {
                       auto jumps = parameters.integers_from(2);
                       const int nodes = jumps.front();
                       jumps.erase(jumps.begin());
                       return circulant(nodes, jumps);
                     });
}

Family complete_family() {
  return make_family(
      "complete", "n", "Complete graph: a cable joins every two of n nodes", "complete:5",
      [](const Parameters& parameters) { return complete(parameters.integers(1)[0]); });
}

Family bipartite_family() {
  return make_family("bipartite", "a,b", "Complete bipartite graph of a and b nodes: diameter 2",
                     "bipartite:4,4", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return bipartite(values[0], values[1]);
                     });
}

}  // namespace weft::topology
