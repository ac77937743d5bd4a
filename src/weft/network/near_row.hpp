// NearRow: distances to one destination, of the nodes that one source needs.
//
// A row of all nodes (DistanceRow) costs a search through the whole network, which pays where many
// sources send to the destination. A broadcast on 24,576 GPUs sends to each of them once or twice:
// a search from both ends that stops where the two meet looks at a hundredth of the links. It finds
// ways through switches alone. These have no relay, so that no other way is shorter, except within
// a mesh of hosts, which is refused.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "weft/network/core_graph.hpp"
#include "weft/network/distance_rows.hpp"
#include "weft/network/lazy_rows.hpp"

namespace weft::network {

class NearRow {
 public:
  static constexpr std::uint32_t kUnreachable = DistanceRow::kUnreachable;

  /// Whether it found the ways from source to target, which differ. If not, hosts have to pass
  /// messages on, both are in one mesh, there is no way, or the search looked at so many edges
  /// that a whole row is the better choice. Of graphs without groups.
  bool search(const CoreGraph& graph, CoreGraph::Core source, CoreGraph::Core target,
              std::int64_t most_edges);

  /// Of nodes on a shortest way from the source the links to the target; of others that or
  /// kUnreachable.
  std::uint32_t operator[](CoreGraph::Core v) const {
    const std::uint32_t back = marks_[v].back;
    return back == 0 ? kUnreachable : back - 1;
  }
  CoreGraph::Core target() const { return target_; }
  /// Edges that the last search looked at.
  std::int64_t edges() const { return edges_; }

 private:
  // Distances plus one; 0: not seen.
  struct Mark {
    std::uint32_t ahead = 0;  // from the source
    std::uint32_t back = 0;   // to the target
  };
  // One end of the search.
  struct Side {
    std::vector<CoreGraph::Core> level;
    std::uint32_t radius = 0;
    std::int64_t edges = 0;  // of the level: what its next step costs
  };

  void clear();
  void see(CoreGraph::Core v) {
    if (marks_[v].ahead == 0 && marks_[v].back == 0) seen_.push_back(v);
  }
  // Each adds one level, and puts the nodes where both meet into meeting_.
  void go_ahead(const CoreGraph& graph);
  void go_back(const CoreGraph& graph);
  // Marks the distance to the target from where both meet back to the source.
  void lead_back(const CoreGraph& graph);

  std::vector<Mark> marks_;  // by core node; empty marks between searches but for seen_
  std::vector<CoreGraph::Core> seen_, next_, meeting_;
  Side ahead_, back_;
  CoreGraph::Core source_ = 0, target_ = 0;
  std::int64_t edges_ = 0;
};

/// Rows of all destinations. One is searched as a whole once searches for single sources have
/// looked at as many edges as that costs.
class DistanceRows {
 public:
  explicit DistanceRows(const CoreGraph& graph)
      : graph_(graph), rows_(graph.node_count()), looked_at_(graph.node_count()) {}

  struct Scratch {
    LazyRows<DistanceRow>::Scratch row;
    NearRow near;
  };

  /// Calls use(row) with a row that has the distances on all shortest ways from source to target;
  /// where there is none the source is DistanceRow::kUnreachable. From any thread.
  template <class Use>
  auto use(CoreGraph::Core source, CoreGraph::Core target, Scratch& scratch, Use&& use) const {
    const DistanceRow* row = rows_.peek(target, scratch.row);
    if (row == nullptr && search_near(source, target, scratch.near)) return use(scratch.near);
    if (row == nullptr)
      row = &rows_.get(target, scratch.row, [&] { return DistanceRow(graph_, target); });
    return use(*row);
  }

  /// The row of all nodes, from the table or in `scratch`.
  const DistanceRow& whole(CoreGraph::Core target, Scratch& scratch) const {
    return rows_.get(target, scratch.row, [&] { return DistanceRow(graph_, target); });
  }

 private:
  bool search_near(CoreGraph::Core source, CoreGraph::Core target, NearRow& near) const;

  const CoreGraph& graph_;
  LazyRows<DistanceRow> rows_;
  mutable std::vector<std::atomic<std::int32_t>> looked_at_;  // edges, by target, of near rows
};

}  // namespace weft::network
