#include "support/graphs.hpp"

#include <algorithm>
#include <numeric>

namespace weft::support {

namespace {

NodeId node(int v) {
  return NodeId(v);
}

int below(Rng& rng, int bound) {
  return static_cast<int>(rng.below(bound));
}

}  // namespace

Topology from_arcs(int nodes, const std::vector<Ends>& arcs) {
  TopologyBuilder builder(nodes);
  for (auto [u, v] : arcs) builder.add_link(node(u), node(v));
  return std::move(builder).build(topology::Expression{"arcs", "", {}});
}

Topology from_cables(int nodes, const std::vector<Ends>& cables) {
  TopologyBuilder builder(nodes);
  for (auto [u, v] : cables) builder.add_cable(node(u), node(v));
  return std::move(builder).build(topology::Expression{"cables", "", {}});
}

Topology cycle(int nodes) {
  return torus_of({nodes});
}

Topology one_way_cycle(int nodes) {
  std::vector<Ends> arcs;
  for (int v = 0; v < nodes; ++v) arcs.emplace_back(v, (v + 1) % nodes);
  return from_arcs(nodes, arcs);
}

Topology complete_graph(int nodes) {
  std::vector<Ends> cables;
  for (int u = 0; u < nodes; ++u)
    for (int v = u + 1; v < nodes; ++v) cables.emplace_back(u, v);
  return from_cables(nodes, cables);
}

Topology binary_cube(int dimensions) {
  std::vector<Ends> cables;
  for (int u = 0; u < 1 << dimensions; ++u)
    for (int bit = 0; bit < dimensions; ++bit)
      if ((u >> bit & 1) == 0) cables.emplace_back(u, u | 1 << bit);
  return from_cables(1 << dimensions, cables);
}

Topology torus_of(const std::vector<int>& extents) {
  int nodes = 1;
  for (int extent : extents) nodes *= extent;
  std::vector<Ends> cables;
  for (int u = 0; u < nodes; ++u)
    for (int stride = 1; int extent : extents) {
      const int at = u / stride % extent;
      cables.emplace_back(u, u + ((at + 1) % extent - at) * stride);
      stride *= extent;
    }
  return from_cables(nodes, cables);
}

Topology kautz_of_words(int degree, int length) {
  using Word = std::vector<int>;
  std::vector<Word> words{{}};
  for (int i = 0; i < length; ++i) {
    std::vector<Word> longer;
    for (const Word& word : words)
      for (int letter = 0; letter <= degree; ++letter)
        if (word.empty() || word.back() != letter) {
          longer.push_back(word);
          longer.back().push_back(letter);
        }
    words = std::move(longer);
  }
  std::vector<Ends> arcs;
  for (std::size_t u = 0; u < words.size(); ++u)
    for (int letter = 0; letter <= degree; ++letter) {
      if (words[u].back() == letter) continue;
      Word next(words[u].begin() + 1, words[u].end());
      next.push_back(letter);
      const auto found = std::lower_bound(words.begin(), words.end(), next);
      arcs.emplace_back(static_cast<int>(u), static_cast<int>(found - words.begin()));
    }
  return from_arcs(static_cast<int>(words.size()), arcs);
}

Topology petersen() {
  std::vector<Ends> cables;
  for (int v = 0; v < 5; ++v) {
    cables.emplace_back(v, (v + 1) % 5);
    cables.emplace_back(v, v + 5);
    cables.emplace_back(v + 5, (v + 2) % 5 + 5);
  }
  return from_cables(10, cables);
}

Topology random_arcs(int nodes, int links, Rng& rng) {
  std::vector<Ends> arcs;
  for (int i = 0; i < links; ++i) arcs.emplace_back(below(rng, nodes), below(rng, nodes));
  return from_arcs(nodes, arcs);
}

Topology random_cables(int nodes, int cables, Rng& rng) {
  std::vector<Ends> ends;
  for (int i = 0; i < cables; ++i) ends.emplace_back(below(rng, nodes), below(rng, nodes));
  return from_cables(nodes, ends);
}

Topology random_permutations(int nodes, int degree, Rng& rng) {
  std::vector<int> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Ends> cables;
  for (int i = 0; i < degree / 2; ++i) {
    rng.shuffle(order);
    for (int v = 0; v < nodes; ++v) cables.emplace_back(order[v], order[(v + 1) % nodes]);
  }
  return from_cables(nodes, cables);
}

std::vector<std::vector<std::int32_t>> naive_distances(const Topology& topology) {
  const auto n = static_cast<std::size_t>(topology.node_count());
  std::vector<std::vector<std::int32_t>> distance(n, std::vector<std::int32_t>(n, kFar));
  for (std::size_t v = 0; v < n; ++v) distance[v][v] = 0;
  for (LinkId link : topology.links()) {
    auto& d = distance[topology.tail(link).index()][topology.head(link).index()];
    d = std::min(d, 1);
  }
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v)
        distance[u][v] = std::min(distance[u][v], distance[u][via] + distance[via][v]);
  return distance;
}

}  // namespace weft::support
