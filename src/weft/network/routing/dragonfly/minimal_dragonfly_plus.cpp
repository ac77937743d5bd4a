// Minimal routing on a Dragonfly+: up to a spine, over one global link, down to a leaf.
//
// Within a group a route goes up to a spine and down again, between groups up to the spine with the
// global link and down from its other end: a tree's route with one global link in its middle. Which
// spine, or which of the global links that join the two groups, is picked by the target host's
// number (modulo their count), as d-mod-k does in a tree: the hosts of a group share them evenly.
// Global links are counted round the spines, the first of each, then the second of each, so that
// the hosts of a leaf are reached over different spines.
// Source: Shpiner et al., "Dragonfly+: Low Cost Topology for Scaling Datacenters", HiPINEB 2017,
// section 4 (minimal routing).
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/access.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/dragonfly/group_links.hpp"
#include "weft/network/routing/minimal.hpp"

namespace weft::network {

namespace {

class MinimalDragonflyPlus final : public Routing {
 public:
  MinimalDragonflyPlus(const Fabric& fabric, const topology::DragonflyPlusView& view)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        view_(view),
        global_(topology_, view.g, view.group_size()) {
    fill_local();
    for (std::int32_t from = 0; from < view.g; ++from)
      for (std::int32_t to = 0; to < view.g; ++to) take_spines_in_turn(global_.between(from, to));
  }

  std::string_view name() const override { return "minimal"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      require_leaf(from);
      require_leaf(to);
      const std::int32_t source = global_.group(from), target = global_.group(to);
      if (source == target) {
        const NodeId spine(source * view_.group_size() + view_.l + flow.to.value() % view_.s);
        routes.push(local(from, spine));
        routes.push(local(spine, to));
        return;
      }
      const auto all = global_.between(source, target);
      if (all.empty()) reject_unreachable(flow);
      const LinkId link = all[flow.to.index() % all.size()];
      routes.push(local(from, topology_.tail(link)));
      routes.push(link);
      routes.push(local(topology_.head(link), to));
    });
  }

 private:
  bool is_leaf(NodeId node) const { return node.value() % view_.group_size() < view_.l; }

  void require_leaf(NodeId node) const {
    require(is_leaf(node),
            "minimal routes exist only between hosts of {}, and node {} is a spine without "
            "hosts; use shortest",
            topology_.name(), node.value());
  }

  std::size_t local_slot(NodeId from, NodeId to) const {
    return from.index() * static_cast<std::size_t>(view_.group_size()) +
           static_cast<std::size_t>(to.value() % view_.group_size());
  }
  LinkId local(NodeId from, NodeId to) const { return local_[local_slot(from, to)]; }

  void take_spines_in_turn(std::span<LinkId> links) const {
    std::map<NodeId, std::int32_t> seen;  // by spine
    std::vector<std::pair<std::int32_t, LinkId>> order;
    for (const LinkId link : links) order.emplace_back(seen[topology_.tail(link)]++, link);
    std::ranges::sort(order);
    std::ranges::transform(order, links.begin(), &std::pair<std::int32_t, LinkId>::second);
  }

  void fill_local() {
    const std::int32_t switches = view_.g * view_.group_size();
    local_.resize(static_cast<std::size_t>(switches) *
                  static_cast<std::size_t>(view_.group_size()));
    for (std::int32_t node = 0; node < switches; ++node)
      for (const LinkId link : topology_.out_links(NodeId(node))) {
        const NodeId head = topology_.head(link);
        if (head.value() < switches && is_leaf(NodeId(node)) != is_leaf(head))
          local_[local_slot(NodeId(node), head)] = link;
      }
  }

  Topology topology_;
  Latencies latencies_;
  Access access_;
  topology::DragonflyPlusView view_;
  GroupLinks global_;
  std::vector<LinkId> local_;  // between leaf and spine, by tail and number in the group
};

}  // namespace

std::shared_ptr<const Routing> make_minimal(const Fabric& fabric,
                                            const topology::DragonflyPlusView& view) {
  return std::make_shared<MinimalDragonflyPlus>(fabric, view);
}

}  // namespace weft::network
