// Shortest paths from one source under one price for each orbit of arcs, and what a tree of them
// carries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/flow/orbits.hpp"
#include "weft/flow/throughput/certificate.hpp"

namespace weft::flow {

/// A workspace for searches on one network.
///
/// Dijkstra settles nodes by increasing distance, so the arcs of one price are met by increasing
/// distance too: with few prices a queue for each, and the least of their heads next, take the
/// place of a heap, O(arcs + nodes * prices). With many prices it is a heap.
class PricedSearch {
 public:
  PricedSearch(const FlowGraph& graph, const ArcOrbits& orbits);

  /// Finds a shortest way from the source to every node. Prices by orbit, not negative.
  void run(Int source, std::span<const std::int64_t> price);

  /// The sum of distances to all ranks.
  Wide distance_sum() const { return distance_sum_; }
  /// By arc: ranks behind it in the tree, which is what it carries for a demand of 1 a rank.
  std::vector<std::int64_t> tree_flow();
  /// The same added up over the arcs of each orbit.
  std::vector<std::int64_t> tree_load();

 private:
  struct Entry {
    std::int64_t distance;
    Int node;
    friend bool operator>(const Entry& a, const Entry& b) {
      return a.distance != b.distance ? a.distance > b.distance : a.node > b.node;
    }
  };
  struct Queue {
    std::vector<Entry> entries;
    std::size_t next = 0;
  };

  void settle(const Entry& entry, Int source);
  template <class Push>
  void relax_arcs(const Entry& entry, std::span<const std::int64_t> price, const Push& push);
  void run_with_queues(Int source, std::span<const std::int64_t> price);
  void run_with_heap(Int source, std::span<const std::int64_t> price);
  void count_ranks_behind();

  const FlowGraph& graph_;
  const ArcOrbits& orbits_;
  std::vector<std::int64_t> distance_;
  std::vector<Int> parent_arc_, order_;     // order of settling
  std::vector<std::int64_t> ranks_behind_;  // by node
  std::vector<Queue> queues_;               // by orbit
  std::vector<Entry> heap_;
  Wide distance_sum_ = 0;
};

}  // namespace weft::flow
