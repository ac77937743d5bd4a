// One tree after the other is laid where its busiest cable is least busy. A cable that k trees have
// taken is k + 1 over its bandwidth busy with one more; of the cables below the least such limit
// under which switches still join all hosts, the tree takes those of shortest ways from a switch
// whose farthest host is nearest. On a fat tree that is a switch of the lowest layer above all
// hosts, and the only ways down from it; another one has the next tree if the cables below the
// first are slower than the hosts'.
//
// Of the parents that a node of a layer may have, the one which serves most of the layer is taken
// first, so that branches meet early: what they bring goes on as one message.
//
// The trees of the first k are those of any larger number, and the share of each is a k-th: the k
// that loads the busiest cable least is known as they are laid. No k is better than one under which
// some host's cables are all as busy as can be, so that with k trees over cables as fast as the
// hosts' the search ends at once; without such an end it goes on to twice the best and a few more.
//
// Boxes. Where faster cables join hosts in groups (NVSwitches beside a slow card for each GPU) it
// is better to combine within the group first: a tree of the slower cables then joins groups in
// place of hosts, and where it enters a group a tree of the faster ones begins, often at a host,
// which passes on what it combined. The next tree enters by another card. Each bandwidth is tried
// as the border between slow and fast, and what loads the busiest cable least is taken.
//
// Where a host's cables could still be less busy, other trees are looked for, in which any host may
// pass on what it combined, and shares of the data are not all alike (tree_shares.cpp). To find the
// best trees of all is hard (packing of Steiner trees).
#include "switch_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weft/algorithm/trees/in_network/switch_graph.hpp"
#include "weft/algorithm/trees/in_network/tree_shares.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/base/union_find.hpp"

namespace weft::algorithm::trees {

namespace {

// Trees that join the ends of a graph.
class Layout {
 public:
  Layout(SwitchGraph graph, Cables& cables)
      : graph_(std::move(graph)), cables_(cables), tops_(graph_.nodes(), 0) {}

  /// Lays one more, of which the branches are by depth.
  SwitchTree next() {
    const auto is_allowed =
        least_limit([&](const auto& allowed) { return joins_all(graph_, allowed); });
    const auto allowed = [&](const SwitchLink& way) { return is_allowed[way.cable] != 0; };
    IdVector<NodeId, std::int32_t> depths;
    const NodeId top = find_top(allowed, depths);
    ++tops_[top];
    return grow(top, depths, allowed);
  }

  /// The same with this switch or end at the top.
  SwitchTree next_around(NodeId top) {
    const auto most = static_cast<std::int32_t>(graph_.nodes());
    const auto is_allowed = least_limit(
        [&](const auto& allowed) { return depths_around(top, graph_, most, allowed).has_value(); });
    const auto allowed = [&](const SwitchLink& way) { return is_allowed[way.cable] != 0; };
    return grow(top, *depths_around(top, graph_, most, allowed), allowed);
  }

 private:
  /// The cables within the least limit under which they join all ends.
  template <class Joins>
  std::vector<char> least_limit(Joins&& joins) const {
    std::vector<Rational> limits;
    for (const NodeId node : graph_.switches())
      for (const SwitchLink& way : graph_.ways(node))
        limits.push_back(cables_.busy_with_one_more(way.cable));
    std::ranges::sort(limits);
    limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
    const auto found = std::ranges::partition_point(limits, [&](const Rational& limit) {
      const auto within = cables_.within(limit);
      return !joins([&](const SwitchLink& way) { return within[way.cable] != 0; });
    });
    WEFT_ASSERT(found != limits.end() || graph_.ends().size() < 2);
    return cables_.within(found == limits.end() ? Rational(0) : *found);
  }

  /// The switch whose farthest end is nearest; of several the top of the fewest trees.
  template <class Allowed>
  NodeId find_top(Allowed&& allowed, IdVector<NodeId, std::int32_t>& depths) const {
    NodeId best;
    auto height = static_cast<std::int32_t>(graph_.nodes());
    for (const SwitchGraph::Part& part : graph_.parts(allowed)) {
      if (part.ends < std::ssize(graph_.ends())) continue;
      for (const NodeId top : part.switches) {
        auto reached = depths_around(top, graph_, height, allowed);
        if (!reached) continue;
        const std::int32_t own = height_of(*reached);
        const auto rank = [&](NodeId node) { return std::pair(tops_[node], node); };
        if (!depths.empty() && own == height && rank(best) < rank(top)) continue;
        best = top;
        height = own;
        depths = *std::move(reached);
      }
    }
    WEFT_ASSERT(!depths.empty());
    return best;
  }

  std::int32_t height_of(const IdVector<NodeId, std::int32_t>& depths) const {
    std::int32_t height = 0;
    for (const NodeId end : graph_.ends()) height = std::max(height, depths[end]);
    return height;
  }

  /// Finds parents, from the farthest layer to the top.
  template <class Allowed>
  SwitchTree grow(NodeId top, const IdVector<NodeId, std::int32_t>& depths, Allowed&& allowed) {
    SwitchTree tree{.top = top, .height = height_of(depths)};
    std::vector<std::vector<NodeId>> layers(static_cast<std::size_t>(tree.height) + 1);
    for (const NodeId end : graph_.ends()) layers[depths[end]].push_back(end);
    for (std::int32_t depth = tree.height; depth > 0; --depth) {
      const auto is_parent = [&](const SwitchLink& way) {
        return depths[way.to] == depth - 1 && allowed(way) &&
               (way.to == top || !graph_.is_end(way.to));
      };
      for (const NodeId parent : choose_parents(layers[depth], tree, depth, is_parent))
        layers[depth - 1].push_back(parent);
    }
    std::ranges::stable_sort(tree.branches, {}, &SwitchBranch::depth);
    return tree;
  }

  /// Gives each node of a layer a parent; the parents.
  template <class IsParent>
  std::vector<NodeId> choose_parents(std::span<const NodeId> layer, SwitchTree& tree,
                                     std::int32_t depth, IsParent&& is_parent) {
    std::vector<NodeId> left(layer.begin(), layer.end()), chosen, rest;
    IdVector<NodeId, std::int32_t> serves(graph_.nodes(), 0);
    while (!left.empty()) {
      std::ranges::fill(serves, 0);
      NodeId best;
      std::int32_t most = 0;
      for (const NodeId node : left)
        for (const SwitchLink& way : graph_.ways(node)) {
          if (!is_parent(way)) continue;
          const std::int32_t now = ++serves[way.to];
          if (now < most || (now == most && best < way.to)) continue;
          most = now;
          best = way.to;
        }
      WEFT_ASSERT(most > 0);
      chosen.push_back(best);
      rest.clear();
      for (const NodeId node : left)
        if (!join(node, best, tree, depth, is_parent)) rest.push_back(node);
      left.swap(rest);
    }
    return chosen;
  }

  /// Takes the least busy cable between them, where one may be taken.
  template <class IsParent>
  bool join(NodeId node, NodeId parent, SwitchTree& tree, std::int32_t depth,
            IsParent&& is_parent) {
    const SwitchLink* best = nullptr;
    for (const SwitchLink& way : graph_.ways(node))
      if (way.to == parent && is_parent(way) &&
          (best == nullptr ||
           cables_.busy_with_one_more(way.cable) < cables_.busy_with_one_more(best->cable)))
        best = &way;
    if (best == nullptr) return false;
    tree.branches.push_back({node, parent, best->out, best->back, depth});
    cables_.take(best->cable);
    return true;
  }

  SwitchGraph graph_;
  Cables& cables_;
  IdVector<NodeId, std::int64_t> tops_;  // trees that it is the top of
};

// Trees that join groups of hosts by the slower cables, and go on in each by the faster ones.
class GroupLayout {
 public:
  /// Cables above `border` are fast.
  GroupLayout(const Topology& topology, std::span<const NodeId> hosts, Cables& cables,
              std::int64_t border)
      : topology_(topology), stands_for_(everything(topology).stands_for) {
    Selection slow = everything(topology);
    for (std::size_t c = 0; c < slow.cables.size(); ++c)
      slow.cables[c] = cables.bandwidth()[c] > border ? 0 : 1;
    IdVector<NodeId, char> wanted(stands_for_.size(), 0);
    for (const NodeId host : hosts) wanted[host] = 1;
    std::vector<NodeId> ends;
    for (const NodeId host : hosts)
      if (!std::ranges::binary_search(grouped_, host)) {
        add_group(host, wanted, slow, cables);
        ends.push_back(host);
      }
    groups_ = ends.size();
    slow.stands_for = stands_for_;
    SwitchGraph graph(topology, std::move(ends), slow);
    joins_ = joins_ && groups_ > 1 && joins_all(graph);
    outer_.emplace(std::move(graph), cables);
  }

  /// Whether it differs from a tree of hosts, and there is one.
  bool serves(std::size_t hosts) const { return joins_ && groups_ < hosts; }

  SwitchTree next() {
    SwitchTree tree = outer_->next();
    const std::vector<SwitchBranch> outer = std::move(tree.branches);
    tree.branches.clear();
    for (SwitchBranch branch : outer) {
      branch.node = topology_.tail(branch.up);
      branch.parent = topology_.head(branch.up);
      tree.branches.push_back(branch);
      const auto group = group_of_.find(stands_for_[branch.node]);
      if (group == group_of_.end()) continue;
      const SwitchTree within = inner_[group->second].next_around(branch.node);
      for (SwitchBranch inner : within.branches) {
        inner.depth += branch.depth;
        tree.height = std::max(tree.height, inner.depth);
        tree.branches.push_back(inner);
      }
    }
    std::ranges::stable_sort(tree.branches, {}, &SwitchBranch::depth);
    return tree;
  }

 private:
  /// What fast cables join with a host by switches, the switches included.
  void add_group(NodeId host, IdSpan<NodeId, const char> wanted, const Selection& slow,
                 Cables& cables) {
    Selection own = everything(topology_);
    std::ranges::fill(own.cables, 0);
    std::vector<NodeId> members{host}, entries, ends;
    IdVector<NodeId, char> seen(wanted.size(), 0);
    seen[host] = 1;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const NodeId node = members[i];
      stands_for_[node] = host;
      if (topology_.is_host(node)) ends.push_back(node);
      bool enters = false;
      for (const LinkId link : topology_.out_links(node)) {
        const NodeId next = topology_.head(link);
        const std::int32_t cable = topology_.cable(link).value();
        const bool both_hosts = topology_.is_host(node) && topology_.is_host(next);
        if (!topology_.reverse(link) || both_hosts) continue;
        if (topology_.is_host(next) && !wanted[next]) continue;
        enters = enters || slow.cables[cable] != 0;
        if (slow.cables[cable] != 0) continue;
        own.cables[cable] = 1;
        if (std::exchange(seen[next], 1) == 0) members.push_back(next);
      }
      if (enters) entries.push_back(node);
    }
    grouped_.insert(grouped_.end(), ends.begin(), ends.end());
    std::ranges::sort(grouped_);
    group_of_.emplace(host, inner_.size());
    const SwitchGraph graph(topology_, std::move(ends), own);
    const auto most = static_cast<std::int32_t>(graph.nodes());
    for (const NodeId entry : entries)  // a host passes nothing on but where a tree enters
      joins_ = joins_ && depths_around(entry, graph, most, [](const SwitchLink&) { return true; });
    inner_.emplace_back(graph, cables);
  }

  const Topology& topology_;
  std::vector<NodeId> grouped_;             // hosts, sorted
  IdVector<NodeId, NodeId> stands_for_;     // the first host of its group, or itself
  std::map<NodeId, std::size_t> group_of_;  // by first host
  std::vector<Layout> inner_;               // by group
  std::optional<Layout> outer_;
  std::size_t groups_ = 0;
  bool joins_ = true;
};

/// As many of the next trees as load the busiest cable least; no more than reach `least`.
template <class Next>
LaidTrees lay(const Cables& cables, std::int64_t most, const Rational& least, Next&& next) {
  constexpr std::size_t kMore = 4;  // trees beyond twice the best number, before it is the best
  LaidTrees laid;
  std::size_t best = 0;
  while (std::ssize(laid.trees) < most && laid.trees.size() < 2 * best + kMore) {
    laid.trees.push_back(next());
    const Rational busiest = cables.busiest() / Rational(std::ssize(laid.trees));
    if (best > 0 && busiest >= laid.busiest) continue;
    best = laid.trees.size();
    laid.busiest = busiest;
    if (busiest == least) break;
  }
  laid.trees.resize(best);
  return laid;
}

/// No trees take less: a host sends all data over its cables to switches.
Rational least_of(const Topology& topology, std::span<const NodeId> hosts, const Cables& cables) {
  Rational least;
  for (const NodeId host : hosts) {
    std::int64_t bandwidth = 0;
    for (const LinkId link : topology.out_links(host))
      if (topology.reverse(link) && !topology.is_host(topology.head(link)))
        bandwidth += cables.bandwidth()[topology.cable(link).index()];
    least = std::max(least, Rational(1, bandwidth));
  }
  return least;
}

// How many hosts one part joins, by switches and other hosts.
std::int64_t most_joined(const SwitchGraph& graph) {
  UnionFind joined(graph.nodes());
  for (const NodeId node : graph.switches())
    for (const SwitchLink& way : graph.ways(node)) joined.join(node.value(), way.to.value());
  std::map<std::int32_t, std::int64_t> ends;
  for (const NodeId end : graph.ends()) ++ends[joined.find(end.value())];
  std::int64_t most = 0;
  for (const auto& [part, count] : ends)
    if (count > 1) most = std::max(most, count);
  return most;
}

}  // namespace

SwitchTree with_top(const SwitchTree& tree, NodeId top) {
  SwitchTree turned{.top = top};
  std::vector<std::pair<NodeId, SwitchBranch>> from;  // by node: branches away from it
  for (const SwitchBranch& b : tree.branches) {
    from.push_back({b.parent, b});
    from.push_back({b.node, {b.parent, b.node, b.down, b.up, 0}});
  }
  std::ranges::stable_sort(from, {}, [](const auto& each) { return each.first; });
  const auto spread = [&](NodeId node, NodeId before, std::int32_t depth) {
    const auto first =
        std::ranges::lower_bound(from, node, {}, [](const auto& e) { return e.first; });
    for (auto at = first; at != from.end() && at->first == node; ++at) {
      if (at->second.node == before) continue;
      turned.branches.push_back(at->second);
      turned.branches.back().depth = depth;
      turned.height = std::max(turned.height, depth);
    }
  };
  spread(top, top, 1);
  for (std::size_t i = 0; i < turned.branches.size(); ++i) {
    const SwitchBranch branch = turned.branches[i];  // the list grows
    spread(branch.node, branch.parent, branch.depth + 1);
  }
  return turned;
}

std::vector<SwitchTree> switch_trees(const Fabric& fabric, std::span<const NodeId> hosts,
                                     std::int64_t most) {
  WEFT_ASSERT(most >= 1);
  const Topology& topology = fabric.topology();
  const std::vector<NodeId> ends(hosts.begin(), hosts.end());
  const Cables cables(fabric);
  const Rational least = least_of(topology, hosts, cables);
  const SwitchGraph graph(topology, ends, everything(topology));
  LaidTrees best;
  const auto keep = [&](LaidTrees laid) {
    if (best.trees.empty() || laid.busiest < best.busiest) best = std::move(laid);
  };
  if (joins_all(graph)) {
    Cables own(fabric);
    Layout layout(graph, own);
    keep(lay(own, most, least, [&] { return layout.next(); }));
  }
  std::vector<std::int64_t> borders(cables.bandwidth().begin(), cables.bandwidth().end());
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  for (const std::int64_t border : std::span(borders).first(borders.size() - 1)) {
    if (!best.trees.empty() && best.busiest == least) break;
    Cables own(fabric);
    GroupLayout groups(topology, hosts, own, border);
    if (groups.serves(hosts.size())) keep(lay(own, most, least, [&] { return groups.next(); }));
  }
  if (best.trees.empty() || least < best.busiest)
    keep(shared_trees(graph, cables, best.trees, most));
  return std::move(best.trees);
}

std::optional<std::string> misfit_of_switches(const Topology& topology,
                                              std::span<const NodeId> hosts) {
  if (!topology.has_switches())
    return "it needs switches that combine data, and this network has none";
  const std::vector<NodeId> ends(hosts.begin(), hosts.end());
  const std::int64_t joined = most_joined(SwitchGraph(topology, ends, everything(topology)));
  if (joined == std::ssize(hosts)) return std::nullopt;
  return fmt::format(
      "it needs switches that connect all hosts by two-way cables, but here they connect "
      "{} of {} at most",
      joined, hosts.size());
}

}  // namespace weft::algorithm::trees
