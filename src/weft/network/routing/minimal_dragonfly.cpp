// Minimal routing on a Dragonfly: at most one local, one global and one local link.
//
// Between groups the route takes a global link that joins the two, by the gateways nearest to the
// ends: of all those links the ones that need the fewest local links, and of those the one that the
// target router's number picks (modulo their count, in link order), which spreads the routers of a
// group over parallel links. Within a group it is the local link. Unlike shortest, it never passes
// through a third group, even where that takes fewer links.
// Source: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA
// 2008, section 4.1 (MIN).
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/network/access.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/group_links.hpp"
#include "weft/network/routing/minimal.hpp"

namespace weft::network {

namespace {

class MinimalDragonfly final : public Routing {
 public:
  MinimalDragonfly(const Fabric& fabric, const topology::DragonflyView& view)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        a_(view.a),
        groups_(view.g),
        global_(topology_, view.g, view.a) {
    fill_local();
  }

  std::string_view name() const override { return "minimal"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      if (group(from) == group(to)) {
        push_local(from, to, routes);
        return;
      }
      const LinkId global = gateway(flow, from, to);
      push_local(from, topology_.tail(global), routes);
      routes.push(global);
      push_local(topology_.head(global), to, routes);
    });
  }

 private:
  std::int32_t group(NodeId router) const { return router.value() / a_; }

  std::size_t local_slot(NodeId from, NodeId to) const {
    return from.index() * static_cast<std::size_t>(a_) + static_cast<std::size_t>(to.value() % a_);
  }

  void fill_local() {
    local_.resize(static_cast<std::size_t>(a_) * static_cast<std::size_t>(a_) *
                  static_cast<std::size_t>(groups_));
    for (std::int32_t router = 0; router < a_ * groups_; ++router)
      for (const LinkId link : topology_.out_links(NodeId(router))) {
        const NodeId tail(router), head = topology_.head(link);
        if (head.value() < a_ * groups_ && group(tail) == group(head))
          local_[local_slot(tail, head)] = link;
      }
  }

  int local_links(LinkId global, NodeId from, NodeId to) const {
    return (topology_.tail(global) != from ? 1 : 0) + (topology_.head(global) != to ? 1 : 0);
  }

  LinkId gateway(const Flow& flow, NodeId from, NodeId to) const {
    const auto all = global_.between(group(from), group(to));
    if (all.empty()) reject_unreachable(flow);
    if (all.size() == 1) return all.front();
    int fewest = std::numeric_limits<int>::max();
    std::int32_t count = 0;
    for (const LinkId link : all) {
      const int locals = local_links(link, from, to);
      count = locals < fewest ? 1 : locals == fewest ? count + 1 : count;
      fewest = std::min(fewest, locals);
    }
    std::int32_t skip = to.value() % count;
    const auto chosen = std::find_if(all.begin(), all.end(), [&](LinkId link) {
      return local_links(link, from, to) == fewest && skip-- == 0;
    });
    return *chosen;
  }

  void push_local(NodeId from, NodeId to, RouteTable& routes) const {
    if (from != to) routes.push(local_[local_slot(from, to)]);
  }

  Topology topology_;
  Latencies latencies_;
  Access access_;
  std::int32_t a_, groups_;
  GroupLinks global_;
  std::vector<LinkId> local_;  // by router and number in its group
};

}  // namespace

std::shared_ptr<const Routing> make_minimal(const Fabric& fabric,
                                            const topology::DragonflyView& view) {
  return std::make_shared<MinimalDragonfly>(fabric, view);
}

}  // namespace weft::network
