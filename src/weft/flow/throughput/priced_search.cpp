#include "weft/flow/throughput/priced_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "weft/base/error.hpp"

namespace weft::flow {

namespace {

constexpr Int kMostQueues = 12;
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

}  // namespace

PricedSearch::PricedSearch(const FlowGraph& graph, const ArcOrbits& orbits)
    : graph_(graph), orbits_(orbits) {
  distance_.resize(graph.nodes);
  parent_arc_.resize(graph.nodes);
  order_.reserve(graph.nodes);
  if (orbits.count <= kMostQueues) queues_.resize(orbits.count);
}

void PricedSearch::run(Int source, std::span<const std::int64_t> price) {
  WEFT_ASSERT(source >= 0 && source < graph_.nodes && std::ssize(price) == orbits_.count);
  std::fill(distance_.begin(), distance_.end(), kFar);
  std::fill(parent_arc_.begin(), parent_arc_.end(), -1);
  order_.clear();
  distance_sum_ = 0;
  distance_[source] = 0;
  if (queues_.empty())
    run_with_heap(source, price);
  else
    run_with_queues(source, price);
}

void PricedSearch::settle(const Entry& entry, Int source) {
  order_.push_back(entry.node);
  if (entry.node != source) distance_sum_ += Wide(entry.distance) * graph_.ranks[entry.node];
}

template <class Push>
void PricedSearch::relax_arcs(const Entry& entry, std::span<const std::int64_t> price,
                              const Push& push) {
  for (Int e = graph_.heads.first(entry.node); e < graph_.heads.first(entry.node + 1); ++e) {
    const Int orbit = orbits_.orbit_of_arc[e], head = graph_.head(e);
    const std::int64_t reached = entry.distance + price[orbit];
    if (reached >= distance_[head]) continue;
    distance_[head] = reached;
    parent_arc_[head] = e;
    push(orbit, Entry{reached, head});
  }
}

void PricedSearch::run_with_queues(Int source, std::span<const std::int64_t> price) {
  for (Queue& queue : queues_) {
    queue.entries.clear();
    queue.next = 0;
  }
  const auto push = [this](Int orbit, Entry entry) { queues_[orbit].entries.push_back(entry); };
  settle({0, source}, source);
  relax_arcs({0, source}, price, push);
  while (true) {
    Queue* least = nullptr;
    for (Queue& queue : queues_) {
      while (queue.next < queue.entries.size() &&
             queue.entries[queue.next].distance > distance_[queue.entries[queue.next].node])
        ++queue.next;  // reached more cheaply since
      if (queue.next < queue.entries.size() &&
          (least == nullptr || least->entries[least->next] > queue.entries[queue.next]))
        least = &queue;
    }
    if (least == nullptr) return;
    const Entry entry = least->entries[least->next++];
    settle(entry, source);
    relax_arcs(entry, price, push);
  }
}

void PricedSearch::run_with_heap(Int source, std::span<const std::int64_t> price) {
  heap_.assign(1, {0, source});
  const auto push = [this](Int, Entry entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  };
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (entry.distance > distance_[entry.node]) continue;
    settle(entry, source);
    relax_arcs(entry, price, push);
  }
}

void PricedSearch::count_ranks_behind() {
  ranks_behind_.assign(graph_.nodes, 0);
  for (std::size_t i = order_.size(); i-- > 1;) {
    const Int node = order_[i];
    ranks_behind_[node] += graph_.ranks[node];
    ranks_behind_[graph_.tail[parent_arc_[node]]] += ranks_behind_[node];
  }
}

std::vector<std::int64_t> PricedSearch::tree_flow() {
  count_ranks_behind();
  std::vector<std::int64_t> flow(graph_.arcs(), 0);
  for (std::size_t i = 1; i < order_.size(); ++i)
    flow[parent_arc_[order_[i]]] = ranks_behind_[order_[i]];
  return flow;
}

std::vector<std::int64_t> PricedSearch::tree_load() {
  count_ranks_behind();
  std::vector<std::int64_t> load(orbits_.count, 0);
  for (std::size_t i = 1; i < order_.size(); ++i)
    load[orbits_.orbit_of_arc[parent_arc_[order_[i]]]] += ranks_behind_[order_[i]];
  return load;
}

}  // namespace weft::flow
