// Minimal routing where any two switches are linked or have a common neighbour: Slim Fly, PolarFly.
//
// A route takes the link, or goes through a common neighbour. PolarFly has one for each pair (the
// cross product of the two points), and so has the Hoffman-Singleton graph, slimfly:5; other Slim
// Flies have several for some pairs, and then the target's number picks one (modulo their count, in
// node order), so that the hosts of a switch, and the switches, share them. Shortest takes the
// lowest always. Neighbours are kept in order, so that a merge of two lists finds the common ones.
// Source: Besta, Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology", SC 2014,
// section IV (MIN); Lakhotia et al., "PolarFly: A Cost-Effective and Flexible Low-Diameter
// Topology", SC 2022, section IV.
#include <algorithm>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/access.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/minimal.hpp"

namespace weft::network {

namespace {

class MinimalOfDiameterTwo final : public Routing {
 public:
  explicit MinimalOfDiameterTwo(const Fabric& fabric)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()) {
    fill_neighbours();
  }

  std::string_view name() const override { return "minimal"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      const auto here = neighbours(from);
      const auto direct = std::ranges::lower_bound(here, to, {}, &Neighbour::node);
      if (direct != here.end() && direct->node == to) {
        routes.push(direct->link);
        return;
      }
      push_through_common_neighbour(flow, from, to, routes);
    });
  }

 private:
  struct Neighbour {
    NodeId node;
    LinkId link;  // to it
  };

  std::span<const Neighbour> neighbours(NodeId node) const {
    return std::span(neighbours_)
        .subspan(first_[node.index()], first_[node.index() + 1] - first_[node.index()]);
  }

  void fill_neighbours() {
    first_.push_back(0);
    for (const NodeId node : topology_.nodes()) {
      const auto first = static_cast<std::ptrdiff_t>(neighbours_.size());
      for (const LinkId link : topology_.out_links(node))
        if (!access_[topology_.head(link)].leaf)
          neighbours_.push_back({topology_.head(link), link});
      std::ranges::sort(neighbours_.begin() + first, neighbours_.end(), {}, &Neighbour::node);
      first_.push_back(neighbours_.size());
    }
  }

  // Calls visit(neighbour of `from`, neighbour of `to`) for each node that is both, in node order,
  // while it returns true.
  template <class Visit>
  void each_common(NodeId from, NodeId to, Visit&& visit) const {
    const auto here = neighbours(from), there = neighbours(to);
    for (std::size_t i = 0, j = 0; i < here.size() && j < there.size();) {
      if (here[i].node < there[j].node) {
        ++i;
      } else if (there[j].node < here[i].node) {
        ++j;
      } else if (!visit(here[i++], there[j++])) {
        return;
      }
    }
  }

  void push_through_common_neighbour(const Flow& flow, NodeId from, NodeId to,
                                     RouteTable& routes) const {
    std::int32_t count = 0;
    each_common(from, to, [&](const Neighbour&, const Neighbour&) { return ++count > 0; });
    if (count == 0) reject_unreachable(flow);
    std::int32_t skip = flow.to.value() % count;
    each_common(from, to, [&](const Neighbour& first, const Neighbour& back) {
      if (skip-- > 0) return true;
      routes.push(first.link);
      routes.push(*topology_.reverse(back.link));
      return false;
    });
  }

  Topology topology_;
  Latencies latencies_;
  Access access_;
  std::vector<std::size_t> first_;  // by node
  std::vector<Neighbour> neighbours_;
};

}  // namespace

std::shared_ptr<const Routing> make_minimal_of_diameter_two(const Fabric& fabric) {
  return std::make_shared<MinimalOfDiameterTwo>(fabric);
}

}  // namespace weft::network
