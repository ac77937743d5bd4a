#include "weft/graph/min_cost_flow.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

constexpr FlowCost kFar{std::numeric_limits<std::int64_t>::max() / 4, 0};

struct Candidate {
  FlowCost length;
  std::int32_t node;
  bool operator>(const Candidate& o) const {
    return std::tie(length, node) > std::tie(o.length, o.node);
  }
};

}  // namespace

MinCostFlow::MinCostFlow(std::int32_t nodes, std::vector<CostArc> arcs)
    : arcs_(std::move(arcs)),
      first_out_(static_cast<std::size_t>(nodes) + 1),
      first_used_(nodes, kNone),
      flow_(arcs_.size()),
      potential_(nodes) {
  WEFT_ASSERT(std::ranges::is_sorted(arcs_, {}, &CostArc::tail));
  WEFT_ASSERT(std::ranges::all_of(arcs_, [&](const CostArc& arc) {
    return arc.tail >= 0 && arc.tail < nodes && arc.head >= 0 && arc.head < nodes &&
           arc.capacity >= 0;
  }));
  for (const CostArc& arc : arcs_) ++first_out_[arc.tail + 1];
  std::partial_sum(first_out_.begin(), first_out_.end(), first_out_.begin());
}

bool MinCostFlow::augment(std::int32_t source, std::int32_t sink) {
  WEFT_ASSERT(source != sink);
  if (!search(source, sink)) return false;
  const FlowCost farthest = length_[sink];
  for (std::size_t v = 0; v < potential_.size(); ++v)
    potential_[v] = potential_[v] + std::min(length_[v], farthest);
  push(source, sink);
  return true;
}

// Dijkstra by costs that potentials have made non-negative; ends at the sink.
bool MinCostFlow::search(std::int32_t source, std::int32_t sink) {
  length_.assign(potential_.size(), kFar);
  came_by_.assign(potential_.size(), {});
  length_[source] = {};
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  queue.push({{}, source});
  while (!queue.empty()) {
    const Candidate next = queue.top();
    queue.pop();
    if (next.node == sink) return true;
    if (next.length > length_[next.node]) continue;
    const auto reach = [&](std::int32_t node, const FlowCost& cost, Step step) {
      const FlowCost reached = next.length + cost + potential_[next.node] - potential_[node];
      if (reached >= length_[node]) return;
      length_[node] = reached;
      came_by_[node] = step;
      queue.push({reached, node});
    };
    for (std::int32_t arc = first_out_[next.node]; arc < first_out_[next.node + 1]; ++arc)
      if (flow_[arc] < arcs_[arc].capacity) reach(arcs_[arc].head, arcs_[arc].cost, {arc, false});
    for (std::int32_t i = first_used_[next.node]; i != kNone; i = used_[i].next) {
      const std::int32_t arc = used_[i].arc;
      if (flow_[arc] > 0) reach(arcs_[arc].tail, FlowCost{} - arcs_[arc].cost, {arc, true});
    }
  }
  return false;
}

// As much as fits along the way that search() found.
void MinCostFlow::push(std::int32_t source, std::int32_t sink) {
  std::int64_t amount = std::numeric_limits<std::int64_t>::max();
  const auto each_step = [&](auto&& visit) {
    for (std::int32_t at = sink; at != source;) {
      const Step step = came_by_[at];
      visit(step);
      at = step.back ? arcs_[step.arc].head : arcs_[step.arc].tail;
    }
  };
  each_step([&](const Step& step) {
    const std::int64_t room = arcs_[step.arc].capacity - flow_[step.arc];
    amount = std::min(amount, step.back ? flow_[step.arc] : room);
  });
  each_step([&](const Step& step) {
    if (!step.back && flow_[step.arc] == 0) use(step.arc);
    flow_[step.arc] += step.back ? -amount : amount;
  });
  WEFT_ASSERT(amount > 0);  // search() goes over arcs with room only
  value_ += amount;
}

// Into its place among those with its head, once.
void MinCostFlow::use(std::int32_t arc) {
  std::int32_t* place = &first_used_[arcs_[arc].head];
  while (*place != kNone && used_[*place].arc < arc) place = &used_[*place].next;
  if (*place != kNone && used_[*place].arc == arc) return;
  const std::int32_t behind = std::exchange(*place, static_cast<std::int32_t>(used_.size()));
  used_.push_back({arc, behind});
}

}  // namespace weft::graph
