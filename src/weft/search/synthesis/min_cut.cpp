#include "min_cut.hpp"

#include <algorithm>
#include <queue>

namespace weft::search {

void CutGraph::add_arc(int tail, int head, std::int64_t capacity) {
  out_[static_cast<std::size_t>(tail)].push_back(static_cast<int>(halves_.size()));
  halves_.push_back({head, capacity});
  out_[static_cast<std::size_t>(head)].push_back(static_cast<int>(halves_.size()));
  halves_.push_back({tail, 0});
}

bool CutGraph::find_path(int source, int sink) {
  reached_by_.assign(out_.size(), -1);
  reached_by_[static_cast<std::size_t>(source)] = -2;
  std::queue<int> queue({source});
  for (; !queue.empty(); queue.pop())
    for (int index : out_[static_cast<std::size_t>(queue.front())]) {
      const Half& half = halves_[static_cast<std::size_t>(index)];
      int& by = reached_by_[static_cast<std::size_t>(half.head)];
      if (half.left == 0 || by != -1) continue;
      by = index;
      if (half.head == sink) return true;
      queue.push(half.head);
    }
  return false;
}

std::int64_t CutGraph::max_flow(int source, int sink, std::int64_t enough) {
  std::int64_t flow = 0;
  while (flow < enough && find_path(source, sink)) {
    const auto half_into = [&](int node) { return reached_by_[static_cast<std::size_t>(node)]; };
    const auto tail_of = [&](int half) { return halves_[static_cast<std::size_t>(half ^ 1)].head; };
    std::int64_t push = enough - flow;
    for (int node = sink; node != source; node = tail_of(half_into(node)))
      push = std::min(push, halves_[static_cast<std::size_t>(half_into(node))].left);
    for (int node = sink; node != source; node = tail_of(half_into(node))) {
      halves_[static_cast<std::size_t>(half_into(node))].left -= push;
      halves_[static_cast<std::size_t>(half_into(node) ^ 1)].left += push;
    }
    flow += push;
  }
  return flow;
}

}  // namespace weft::search
