// Subgraph search after Ullmann ("An Algorithm for Subgraph Isomorphism", JACM 23(1), 1976), with
// degrees as the only refinement: guests here are small or nearly as large as their hosts.
#include "weft/analysis/embedding.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::analysis {

namespace {

constexpr std::int32_t kMostNodes = 10'000;

/// The cables between switches, or between nodes where there are no switches.
struct Core {
  std::vector<NodeId> nodes;
  std::vector<std::map<int, int>> cables;  // by core node: neighbours and cables to them
  std::vector<int> degree;                 // cables
  std::int64_t cable_count = 0;
};

Core core_of(const Topology& topology) {
  Core core;
  IdVector<NodeId, int> place(topology.node_count(), -1);
  for (const NodeId node : topology.has_switches() ? topology.switches() : topology.hosts()) {
    place[node] = static_cast<int>(core.nodes.size());
    core.nodes.push_back(node);
  }
  core.cables.resize(core.nodes.size());
  core.degree.assign(core.nodes.size(), 0);
  for (const LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    const int u = place[topology.tail(link)], v = place[topology.head(link)];
    if (u < 0 || v < 0 || u == v || (reverse && *reverse < link)) continue;
    ++core.cables[u][v];
    ++core.cables[v][u];
    ++core.degree[u];
    ++core.degree[v];
    ++core.cable_count;
  }
  return core;
}

class Search {
 public:
  Search(const Core& guest, const Core& host, std::int64_t limit)
      : guest_(guest), host_(host), left_(limit), image_(guest.nodes.size(), -1) {
    used_.assign(host.nodes.size(), false);
    fill_order();
  }

  Containment run() {
    if (place(0)) return Containment::contained;
    return left_ < 0 ? Containment::undecided : Containment::not_contained;
  }

  const std::vector<int>& image() const { return image_; }

 private:
  // The node with most cables to those before it, then with the largest degree.
  void fill_order() {
    const std::size_t n = guest_.nodes.size();
    std::vector<int> linked(n, 0);
    std::vector<bool> done(n, false);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t best = n;
      for (std::size_t v = 0; v < n; ++v)
        if (!done[v] && (best == n || std::pair(linked[v], guest_.degree[v]) >
                                          std::pair(linked[best], guest_.degree[best])))
          best = v;
      done[best] = true;
      order_.push_back(static_cast<int>(best));
      for (const auto& [u, cables] : guest_.cables[best]) linked[u] += cables;
    }
  }

  bool fits(int node, int at) const {
    const auto v = static_cast<std::size_t>(node), h = static_cast<std::size_t>(at);
    if (used_[h] || host_.degree[h] < guest_.degree[v]) return false;
    return std::ranges::all_of(guest_.cables[v], [&](const auto& neighbour) {
      const int image = image_[neighbour.first];
      if (image < 0) return true;
      const auto found = host_.cables[h].find(image);
      return found != host_.cables[h].end() && found->second >= neighbour.second;
    });
  }

  bool put(std::size_t step, int at) {
    if (--left_ < 0 || !fits(order_[step], at)) return false;
    image_[order_[step]] = at;
    used_[at] = true;
    if (place(step + 1)) return true;
    used_[at] = false;
    image_[order_[step]] = -1;
    return false;
  }

  // Candidates are the neighbours of an earlier neighbour's image, or all nodes.
  bool place(std::size_t step) {
    if (step == order_.size()) return true;
    for (const auto& [neighbour, cables] : guest_.cables[order_[step]]) {
      const int image = image_[neighbour];
      if (image < 0) continue;
      return std::ranges::any_of(host_.cables[image],
                                 [&](const auto& at) { return put(step, at.first); });
    }
    for (int at = 0; at < static_cast<int>(host_.nodes.size()); ++at)
      if (put(step, at)) return true;
    return false;
  }

  const Core& guest_;
  const Core& host_;
  std::int64_t left_;
  std::vector<int> image_;  // by guest node
  std::vector<bool> used_;  // by host node
  std::vector<int> order_;
};

}  // namespace

Embedding find_embedding(const Topology& guest, const Topology& host, std::int64_t limit) {
  for (const Topology* each : {&guest, &host})
    require(each->node_count() <= kMostNodes,
            "{} has {} nodes, too many to search for embeddings (at most {})", each->name(),
            each->node_count(), kMostNodes);
  const Core small = core_of(guest), large = core_of(host);
  Embedding embedding;
  embedding.spare_cables = large.cable_count - small.cable_count;
  if (small.nodes.size() > large.nodes.size() || embedding.spare_cables < 0) {
    embedding.answer = Containment::not_contained;
    return embedding;
  }
  Search search(small, large, limit);
  embedding.answer = search.run();
  if (embedding.answer != Containment::contained) return embedding;
  for (const int at : search.image()) embedding.nodes.push_back(large.nodes[at]);
  embedding.isomorphic = embedding.spare_cables == 0 && small.nodes.size() == large.nodes.size();
  return embedding;
}

}  // namespace weft::analysis
