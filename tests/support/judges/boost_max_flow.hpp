// Boost.Graph's maximum flow by push-relabel: another program, for tests to judge by and benchmarks
// to measure beside.
#pragma once

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/base/random.hpp"

namespace weft::support {

struct CapacityArc {
  std::int32_t tail, head;
  std::int64_t capacity;
};

/// Arcs between nodes drawn uniformly (loops and parallel arcs among them), with capacities of 0 to
/// `most_capacity`.
inline std::vector<CapacityArc> random_arcs(Rng& random, std::int32_t nodes, std::int32_t count,
                                            std::int64_t most_capacity) {
  const auto node = [&] { return static_cast<std::int32_t>(random.below(nodes)); };
  std::vector<CapacityArc> arcs;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t tail = node(), head = node();
    arcs.push_back({tail, head, random.below(most_capacity + 1)});
  }
  return arcs;
}

class BoostMaxFlow {
 public:
  BoostMaxFlow(std::int32_t nodes, std::span<const CapacityArc> arcs) {
    // Each arc beside its reverse of capacity 0, all in order of their tails, as Boost takes them.
    std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> halves;  // tail, head, number
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const auto tail = static_cast<std::size_t>(arcs[i].tail);
      const auto head = static_cast<std::size_t>(arcs[i].head);
      halves.emplace_back(tail, head, 2 * i);
      halves.emplace_back(head, tail, 2 * i + 1);
    }
    std::sort(halves.begin(), halves.end());
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    for (const auto& [tail, head, number] : halves) ends.emplace_back(tail, head);
    graph_ = Graph(boost::edges_are_sorted, ends.begin(), ends.end(),
                   static_cast<std::size_t>(nodes), ends.size());
    std::vector<Edge> edges(halves.size());  // by number
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph_)))
      edges[std::get<2>(halves[boost::get(boost::edge_index, graph_, edge)])] = edge;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      graph_[edges[i]].capacity = i % 2 == 0 ? arcs[i / 2].capacity : 0;
      graph_[edges[i]].reverse = edges[i ^ 1];
    }
  }

  std::int64_t max_flow(std::int32_t source, std::int32_t sink) {
    return boost::push_relabel_max_flow(
        graph_, static_cast<std::size_t>(source), static_cast<std::size_t>(sink),
        boost::get(&Half::capacity, graph_), boost::get(&Half::left, graph_),
        boost::get(&Half::reverse, graph_), boost::get(boost::vertex_index, graph_));
  }

 private:
  struct Half;
  using Edge = boost::detail::csr_edge_descriptor<std::size_t, std::size_t>;
  struct Half {
    std::int64_t capacity = 0, left = 0;
    Edge reverse;
  };
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Half,
                                                   boost::no_property, std::size_t, std::size_t>;

  Graph graph_;
};

}  // namespace weft::support
