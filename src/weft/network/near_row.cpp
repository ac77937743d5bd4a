#include "weft/network/near_row.hpp"

#include "weft/base/error.hpp"

namespace weft::network {

using Core = CoreGraph::Core;

bool NearRow::search(const CoreGraph& graph, Core source, Core target, std::int64_t most_edges) {
  WEFT_ASSERT(source != target && most_edges >= 0);
  clear();
  marks_.resize(static_cast<std::size_t>(graph.node_count()));
  source_ = source;
  target_ = target;
  edges_ = 0;
  if (graph.place(source) >= 0 && graph.place(source) == graph.place(target)) return false;
  see(source);
  see(target);
  marks_[source].ahead = 1;
  marks_[target].back = 1;
  ahead_ = {{source}, 0, graph.out_degree(source)};
  back_ = {{target}, 0, graph.in_degree(target)};
  while (meeting_.empty()) {
    const bool goes_ahead = ahead_.edges <= back_.edges;
    edges_ += goes_ahead ? ahead_.edges : back_.edges;
    if (edges_ > most_edges) return false;
    if (goes_ahead)
      go_ahead(graph);
    else
      go_back(graph);
    if (ahead_.level.empty() || back_.level.empty()) return false;
  }
  lead_back(graph);
  return true;
}

void NearRow::clear() {
  for (const Core v : seen_) marks_[v] = {};
  seen_.clear();
  meeting_.clear();
}

void NearRow::go_ahead(const CoreGraph& graph) {
  next_.clear();
  ahead_.edges = 0;
  ++ahead_.radius;
  for (const Core u : ahead_.level)
    for (std::int32_t edge = graph.first_out(u); edge < graph.first_out(u + 1); ++edge) {
      const Core v = graph.head(edge);
      if (marks_[v].ahead != 0 || (graph.place(v) != Passing::kSwitch && v != target_)) continue;
      see(v);
      marks_[v].ahead = ahead_.radius + 1;
      if (marks_[v].back != 0) meeting_.push_back(v);
      ahead_.edges += graph.out_degree(v);
      next_.push_back(v);
    }
  ahead_.level.swap(next_);
}

void NearRow::go_back(const CoreGraph& graph) {
  next_.clear();
  back_.edges = 0;
  ++back_.radius;
  for (const Core u : back_.level)
    graph.each_tail(u, [&](Core v) {
      if (marks_[v].back != 0 || (graph.place(v) != Passing::kSwitch && v != source_)) return;
      see(v);
      marks_[v].back = back_.radius + 1;
      if (marks_[v].ahead != 0) meeting_.push_back(v);
      back_.edges += graph.in_degree(v);
      next_.push_back(v);
    });
  back_.level.swap(next_);
}

// All that meet are equally far from the source, and from the target: had a shorter way been
// there, they would have met a level earlier.
void NearRow::lead_back(const CoreGraph& graph) {
  for (std::uint32_t links = ahead_.radius; links > 0; --links) {
    next_.clear();
    for (const Core u : meeting_)
      graph.each_tail(u, [&](Core v) {
        if (marks_[v].ahead != links || marks_[v].back != 0) return;
        marks_[v].back = marks_[u].back + 1;
        next_.push_back(v);
      });
    meeting_.swap(next_);
  }
}

bool DistanceRows::search_near(Core source, Core target, NearRow& near) const {
  if (graph_.has_groups() || source == target) return false;
  const std::int32_t row_edges = graph_.edge_count();
  std::atomic<std::int32_t>& looked_at = looked_at_[static_cast<std::size_t>(target)];
  if (looked_at.load(std::memory_order_relaxed) >= row_edges && !rows_.is_full()) return false;
  const bool found = near.search(graph_, source, target, row_edges / 2);
  looked_at.fetch_add(static_cast<std::int32_t>(near.edges()), std::memory_order_relaxed);
  return found;
}

}  // namespace weft::network
