#include "weft/flow/condensed.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::flow {

namespace {

// What the numbers are made of.
enum What : std::int64_t { kRanks, kTwins, kParent, kChild };

std::int64_t capacity_between(const FlowGraph& graph, Int tail, Int head) {
  const auto heads = graph.heads[tail];
  const auto at = std::ranges::lower_bound(heads, head);
  if (at == heads.end() || *at != head) return 0;
  return graph.capacity[graph.heads.first(tail) + static_cast<Int>(at - heads.begin())];
}

// -1 where there is none, or several.
Int only_neighbour(const FlowGraph& graph, Int node) {
  Int neighbour = -1;
  const auto is_other = [&](Int other) { return std::exchange(neighbour, other) != other; };
  int others = 0;
  for (const Int head : graph.heads[node]) others += is_other(head) ? 1 : 0;
  for (const Int arc : graph.in_arcs[node]) others += is_other(graph.tail[arc]) ? 1 : 0;
  return others == 1 ? neighbour : -1;
}

}  // namespace

std::vector<Int> twins(const FlowGraph& graph) {
  std::vector<std::vector<std::int64_t>> sights(graph.nodes);  // what a node sees around it
  for (Int v = 0; v < graph.nodes; ++v) {
    std::vector<std::int64_t>& sight = sights[v];
    sight = {graph.ranks[v], graph.heads.length(v)};
    for (Int e = graph.heads.first(v); e < graph.heads.first(v + 1); ++e)
      sight.insert(sight.end(), {graph.head(e), graph.capacity[e]});
    for (const Int e : graph.in_arcs[v])
      sight.insert(sight.end(), {graph.tail[e], graph.capacity[e]});
  }
  std::map<std::vector<std::int64_t>, Int> numbers;
  std::vector<Int> twin;
  for (auto& sight : sights)
    twin.push_back(
        numbers.emplace(std::move(sight), static_cast<Int>(numbers.size())).first->second);
  return twin;
}

Condensed::Condensed(const FlowGraph& graph)
    : graph_(graph), node_of_(graph.nodes), arc_of_(graph.arcs()) {
  std::iota(node_of_.begin(), node_of_.end(), 0);
  std::iota(arc_of_.begin(), arc_of_.end(), 0);
  for (std::int64_t& colour : graph_.ranks) colour = number({kRanks, colour});
  for (bool changes = true; changes;) {
    changes = merge_twins();
    changes = fold_pendants() || changes;
  }
}

bool Condensed::merge_twins() {
  const std::vector<Int> part = twins(graph_);
  const Int parts = *std::ranges::max_element(part) + 1;
  if (parts == graph_.nodes) return false;
  std::vector<std::int64_t> sizes(parts, 0), colours(parts);
  for (const Int p : part) ++sizes[p];
  for (Int v = 0; v < graph_.nodes; ++v)
    colours[part[v]] = number({kTwins, graph_.ranks[v], sizes[part[v]]});
  contract(part, parts, std::move(colours), {});
  return true;
}

bool Condensed::fold_pendants() {
  std::vector<Child> children;
  std::vector<std::vector<std::int64_t>> kinds(graph_.nodes);  // by parent: of its children
  for (Int v = 0; v < graph_.nodes; ++v) {
    const Int parent = only_neighbour(graph_, v);
    if (parent < 0 || only_neighbour(graph_, parent) >= 0) continue;
    const std::int64_t kind = number({kChild, graph_.ranks[v], capacity_between(graph_, v, parent),
                                      capacity_between(graph_, parent, v)});
    children.push_back({v, parent, kind});
    kinds[parent].push_back(kind);
  }
  if (children.empty()) return false;
  std::vector<Int> part(graph_.nodes, 0);
  for (const Child& child : children) part[child.node] = -1;
  Int parts = 0;
  for (Int& p : part)
    if (p == 0) p = parts++;
  std::vector<std::int64_t> colours(parts);
  for (Int v = 0; v < graph_.nodes; ++v) {
    if (part[v] < 0) continue;
    std::ranges::sort(kinds[v]);
    std::vector<std::int64_t> what{kParent, graph_.ranks[v]};
    what.insert(what.end(), kinds[v].begin(), kinds[v].end());
    colours[part[v]] = kinds[v].empty() ? graph_.ranks[v] : number(std::move(what));
  }
  for (const Child& child : children) part[child.node] = part[child.parent];
  contract(part, parts, std::move(colours), children);
  return true;
}

void Condensed::contract(const std::vector<Int>& part, Int parts, std::vector<std::int64_t> colours,
                         const std::vector<Child>& children) {
  WEFT_ASSERT(std::ssize(part) == graph_.nodes && std::ssize(colours) == parts);
  enum Of : std::int64_t { kNode, kOut, kIn, kOfChild };
  FlowGraph next = contracted(graph_, part, parts);
  next.ranks = std::move(colours);
  std::vector<Int> now = part;                   // by node: where it is from now on
  std::vector<Int> arcs_now = next.arc_of_link;  // by arc
  const std::size_t earlier = folded_.size();
  for (const Child& child : children) {
    const auto record = [&](Of of) {
      folded_.push_back({part[child.parent], child.kind * kOfChild + of});
      return -static_cast<Int>(folded_.size());
    };
    now[child.node] = record(kNode);
    for (Int e = graph_.heads.first(child.node); e < graph_.heads.first(child.node + 1); ++e)
      arcs_now[e] = record(kOut);
    for (const Int e : graph_.in_arcs[child.node]) arcs_now[e] = record(kIn);
  }
  for (std::size_t i = 0; i < earlier; ++i)
    if (folded_[i].at >= 0) folded_[i].at = now[folded_[i].at];
  for (Int& node : node_of_)
    if (node >= 0) node = now[node];
  for (Int& arc : arc_of_)
    if (arc >= 0) arc = arcs_now[arc];
  graph_ = std::move(next);
}

std::int64_t Condensed::number(std::vector<std::int64_t> what) {
  return numbers_.emplace(std::move(what), std::ssize(numbers_)).first->second;
}

}  // namespace weft::flow
