#include "weft/analysis/min_cut.hpp"

#include <algorithm>

namespace weft::analysis {

void FlowGraph::add_arc(std::int32_t tail, std::int32_t head, std::int64_t capacity,
                        std::int64_t back) {
  out_[static_cast<std::size_t>(tail)].push_back(static_cast<std::int32_t>(halves_.size()));
  halves_.push_back({head, capacity});
  out_[static_cast<std::size_t>(head)].push_back(static_cast<std::int32_t>(halves_.size()));
  halves_.push_back({tail, back});
}

// Breadth first over what has room, to the end: where the sink is not reached, the nodes that are
// make the source's side of a minimum cut.
bool FlowGraph::find_layers(std::int32_t source, std::int32_t sink) {
  level_.assign(out_.size(), -1);
  level_[static_cast<std::size_t>(source)] = 0;
  std::vector<std::int32_t> queue{source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto at = static_cast<std::size_t>(queue[i]);
    for (const std::int32_t index : out_[at]) {
      const Half& half = halves_[static_cast<std::size_t>(index)];
      std::int32_t& level = level_[static_cast<std::size_t>(half.head)];
      if (half.left == 0 || level != -1) continue;
      level = level_[at] + 1;
      queue.push_back(half.head);
    }
  }
  return level_[static_cast<std::size_t>(sink)] != -1;
}

// Fills a path that goes one layer on with every step, leaving dead ends for good; 0 when there is
// none left.
std::int64_t FlowGraph::push_path(std::int32_t source, std::int32_t sink, std::int64_t most) {
  path_.clear();
  for (std::int32_t at = source; at != sink;) {
    const auto node = static_cast<std::size_t>(at);
    if (next_[node] < out_[node].size()) {
      const std::int32_t index = out_[node][next_[node]];
      const Half& half = halves_[static_cast<std::size_t>(index)];
      if (half.left > 0 && level_[static_cast<std::size_t>(half.head)] == level_[node] + 1) {
        path_.push_back(index);
        at = half.head;
      } else {
        ++next_[node];
      }
    } else {
      if (path_.empty()) return 0;
      at = halves_[static_cast<std::size_t>(path_.back() ^ 1)].head;
      path_.pop_back();
      ++next_[static_cast<std::size_t>(at)];
    }
  }
  std::int64_t push = most;
  for (const std::int32_t index : path_)
    push = std::min(push, halves_[static_cast<std::size_t>(index)].left);
  for (const std::int32_t index : path_) {
    halves_[static_cast<std::size_t>(index)].left -= push;
    halves_[static_cast<std::size_t>(index ^ 1)].left += push;
  }
  return push;
}

std::int64_t FlowGraph::max_flow(std::int32_t source, std::int32_t sink, std::int64_t enough) {
  std::int64_t flow = 0;
  while (flow < enough && find_layers(source, sink)) {
    next_.assign(out_.size(), 0);
    while (flow < enough) {
      const std::int64_t pushed = push_path(source, sink, enough - flow);
      if (pushed == 0) break;
      flow += pushed;
    }
  }
  return flow;
}

}  // namespace weft::analysis
