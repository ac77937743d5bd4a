// Dinitz' algorithm. A search from the source over what has room numbers the layers up to the
// nearest sink; then paths that go one layer on with every step are filled until none is left, and
// a new search follows. The nearest sink moves away with each search, so there are at most as many
// as nodes.
//
// Halves lie by the node that they leave, in the order in which arcs were added, so that a search
// reads memory in a row. Layers are forgotten node by node, over the queue of the search that made
// them: a flow that stays near its source never touches the rest of the graph.
#include "weft/graph/max_flow.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::graph {

namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

MaxFlow::MaxFlow(std::int32_t nodes)
    : first_(at(nodes) + 1, 0),
      is_sink_(at(nodes), 0),
      level_(at(nodes), kUnreached),
      next_(at(nodes), 0) {}

void MaxFlow::add_arc(std::int32_t tail, std::int32_t head, std::int64_t capacity,
                      std::int64_t back) {
  WEFT_ASSERT(halves_.empty());  // all arcs come before the first flow
  WEFT_ASSERT(halves_.empty());
  const auto nodes = static_cast<std::int64_t>(is_sink_.size());
  for (const std::int32_t node : {tail, head})
    require(node >= 0 && node < nodes, "node {} does not exist; nodes are 0 to {}", node,
            nodes - 1);
  require(capacity >= 0 && back >= 0, "capacities {} and {} are out of range (0 or more)", capacity,
          back);
  added_.push_back({tail, head, capacity, back});
}

void MaxFlow::add_sink(std::int32_t node) {
  require(node >= 0 && at(node) < is_sink_.size(), "node {} does not exist; nodes are 0 to {}",
          node, static_cast<std::int64_t>(is_sink_.size()) - 1);
  is_sink_[at(node)] = 1;
}

void MaxFlow::arrange() {
  if (added_.empty()) return;
  for (const Arc& arc : added_) {
    ++first_[at(arc.tail) + 1];
    ++first_[at(arc.head) + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
  halves_.resize(2 * added_.size());
  for (const Arc& arc : added_) {
    const std::int32_t along = next[at(arc.tail)]++, against = next[at(arc.head)]++;
    halves_[at(along)] = {arc.head, against, arc.capacity};
    halves_[at(against)] = {arc.tail, along, arc.back};
  }
  added_ = {};
  capacity_.reserve(halves_.size());
  for (const Half& half : halves_) capacity_.push_back(half.left);
}

void MaxFlow::forget_layers() {
  for (const std::int32_t node : queue_) level_[at(node)] = kUnreached;
  queue_.clear();
}

// Breadth first over what has room, through the layer of the nearest sink: where none is reached,
// the nodes that are make the source's side of a minimum cut.
bool MaxFlow::find_layers(std::int32_t source) {
  forget_layers();
  bool found = false;
  const auto reach = [&](std::int32_t node, std::int32_t level) {
    level_[at(node)] = level;
    next_[at(node)] = first_[at(node)];
    queue_.push_back(node);
    found |= is_sink_[at(node)] != 0;
  };
  reach(source, 0);
  std::int32_t last_level = 0;  // of the nodes that are searched from
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::int32_t node = queue_[i], level = level_[at(node)];
    if (found && level > last_level) break;
    last_level = level;
    for (std::int32_t k = first_[at(node)]; k < first_[at(node) + 1]; ++k) {
      const Half& half = halves_[at(k)];
      if (half.left > 0 && level_[at(half.head)] == kUnreached) reach(half.head, level + 1);
    }
  }
  return found;
}

// Fills paths that go one layer on with every step, leaving dead ends for good.
std::int64_t MaxFlow::fill_layers(std::int32_t source, std::int64_t most) {
  std::int64_t flow = 0;
  path_.clear();
  for (std::int32_t node = source;;) {
    if (is_sink_[at(node)] != 0) {
      flow += push_path(most - flow);
      if (flow == most) return flow;
      const auto full = std::find_if(path_.begin(), path_.end(),
                                     [&](std::int32_t k) { return halves_[at(k)].left == 0; });
      node = halves_[at(halves_[at(*full)].reverse)].head;
      path_.erase(full, path_.end());
    } else if (next_[at(node)] < first_[at(node) + 1]) {
      const std::int32_t k = next_[at(node)];
      const Half& half = halves_[at(k)];
      if (half.left > 0 && level_[at(half.head)] == level_[at(node)] + 1) {
        path_.push_back(k);
        node = half.head;
      } else {
        ++next_[at(node)];
      }
    } else {
      if (path_.empty()) return flow;
      node = halves_[at(halves_[at(path_.back())].reverse)].head;
      path_.pop_back();
      ++next_[at(node)];
    }
  }
}

// As much as the path holds, `most` at most.
std::int64_t MaxFlow::push_path(std::int64_t most) {
  std::int64_t push = most;
  for (const std::int32_t k : path_) push = std::min(push, halves_[at(k)].left);
  for (const std::int32_t k : path_) {
    Half& half = halves_[at(k)];
    if (half.left == capacity_[at(k)]) disturbed_.push_back(k);
    half.left -= push;
    halves_[at(half.reverse)].left += push;
  }
  return push;
}

std::int64_t MaxFlow::max_flow(std::int32_t source, std::int64_t enough) {
  WEFT_ASSERT(is_sink_[at(source)] == 0);
  TimeLimit::check();
  arrange();
  std::int64_t flow = 0;
  while (flow < enough && find_layers(source)) flow += fill_layers(source, enough - flow);
  WEFT_ASSERT(flow >= 0 && flow <= std::max<std::int64_t>(enough, 0));
  return flow;
}

std::int64_t MaxFlow::max_flow(std::int32_t source, std::int32_t sink, std::int64_t enough) {
  WEFT_ASSERT(source != sink);
  const std::uint8_t before = std::exchange(is_sink_[at(sink)], 1);
  const std::int64_t flow = max_flow(source, enough);
  is_sink_[at(sink)] = before;
  return flow;
}

void MaxFlow::forget_flow() {
  for (const std::int32_t k : disturbed_) {
    const std::int32_t reverse = halves_[at(k)].reverse;
    halves_[at(k)].left = capacity_[at(k)];
    halves_[at(reverse)].left = capacity_[at(reverse)];
  }
  disturbed_.clear();
}

}  // namespace weft::graph
