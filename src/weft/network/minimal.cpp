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

#include "weft/base/error.hpp"
#include "weft/network/access.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/makers.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

class Minimal final : public Routing {
 public:
  Minimal(const Fabric& fabric, const topology::DragonflyView& view)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        a_(view.a),
        groups_(view.g) {
    fill_local();
    fill_global();
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

  std::size_t pair(std::int32_t from_group, std::int32_t to_group) const {
    return static_cast<std::size_t>(from_group) * static_cast<std::size_t>(groups_) +
           static_cast<std::size_t>(to_group);
  }

  std::size_t local_slot(NodeId from, NodeId to) const {
    return from.index() * static_cast<std::size_t>(a_) + static_cast<std::size_t>(to.value() % a_);
  }

  // Calls visit(link) for each link between two routers.
  template <class Visit>
  void each_router_link(Visit&& visit) const {
    for (std::int32_t router = 0; router < a_ * groups_; ++router)
      for (const LinkId link : topology_.out_links(NodeId(router)))
        if (topology_.head(link).value() < a_ * groups_) visit(link);
  }

  void fill_local() {
    local_.resize(static_cast<std::size_t>(a_) * static_cast<std::size_t>(a_) *
                  static_cast<std::size_t>(groups_));
    each_router_link([&](LinkId link) {
      const NodeId tail = topology_.tail(link), head = topology_.head(link);
      if (group(tail) == group(head)) local_[local_slot(tail, head)] = link;
    });
  }

  // Global links by pair of groups, in link order: counts, sums, then places.
  void fill_global() {
    first_global_.assign(pair(groups_, 0) + 1, 0);
    const auto each_global = [&](auto&& visit) {
      each_router_link([&](LinkId link) {
        const auto from = group(topology_.tail(link)), to = group(topology_.head(link));
        if (from != to) visit(link, pair(from, to));
      });
    };
    each_global([&](LinkId, std::size_t at) { ++first_global_[at + 1]; });
    for (std::size_t i = 1; i < first_global_.size(); ++i) first_global_[i] += first_global_[i - 1];
    global_.resize(static_cast<std::size_t>(first_global_.back()));
    std::vector<std::int32_t> fill(first_global_.begin(), first_global_.end() - 1);
    each_global(
        [&](LinkId link, std::size_t at) { global_[static_cast<std::size_t>(fill[at]++)] = link; });
  }

  int local_links(LinkId global, NodeId from, NodeId to) const {
    return (topology_.tail(global) != from ? 1 : 0) + (topology_.head(global) != to ? 1 : 0);
  }

  LinkId gateway(const Flow& flow, NodeId from, NodeId to) const {
    const std::size_t at = pair(group(from), group(to));
    const auto all = std::span(global_).subspan(
        static_cast<std::size_t>(first_global_[at]),
        static_cast<std::size_t>(first_global_[at + 1] - first_global_[at]));
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
  std::vector<LinkId> local_;               // by router and number in its group
  std::vector<std::int32_t> first_global_;  // by pair of groups
  std::vector<LinkId> global_;
};

}  // namespace

std::shared_ptr<const Routing> make_minimal(const Fabric& fabric) {
  const auto view = as_dragonfly(fabric.topology());
  require(view.has_value(), "minimal does not fit {} (needs a dragonfly network); use shortest",
          fabric.topology().name());
  return std::make_shared<Minimal>(fabric, *view);
}

}  // namespace weft::network
