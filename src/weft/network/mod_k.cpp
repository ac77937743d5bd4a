// d-mod-k and s-mod-k: one fixed path per pair on extended generalised fat trees.
//
// A path climbs from the source to the lowest level above both hosts, then descends the only way.
// At level l the climb takes parent floor(x / (w_1 ... w_l)) mod w_(l+1), with x the number of the
// destination (d-mod-k: all paths to a host meet in one tree, and shifts of the ranks are free of
// contention on trees of full bandwidth) or of the source (s-mod-k: all paths from a host leave by
// one tree).
// Source: Ohring, Ibel, Das, Kumar, "On Generalized Fat Trees", IPPS 1995 (the trees); Zahavi,
// "Fat-Trees Routing and Node Ordering Providing Contention Free Traffic for MPI Global
// Collectives", IPDPS Workshops 2011 (D-Mod-K); Rodriguez et al., "Oblivious Routing Schemes in
// Extended Generalized Fat Tree Networks", CLUSTER 2009 (S-mod-k).
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/makers.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

// Node i of level l is i = low + W_l * high: low holds its w-digits (W_l = w_1 ... w_l of them),
// high the m-digits above l, so that hosts [high * M_l, (high + 1) * M_l) are below it. Its
// out-links are first those to its m_l children, then those to its parents, each in digit order.
class ModK final : public Routing {
 public:
  ModK(const Fabric& fabric, topology::XgftView tree, ModKey key)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        latencies_(fabric),
        tree_(std::move(tree)),
        key_(key) {
    std::int64_t below = 1, copies = 1;
    for (std::size_t level = 0; level <= tree_.children.size(); ++level) {
      hosts_below_.push_back(below);
      copies_.push_back(copies);
      if (level == tree_.children.size()) break;
      below *= tree_.children[level];
      copies *= tree_.parents[level];
    }
  }

  std::string_view name() const override {
    return key_ == ModKey::destination ? "d-mod-k" : "s-mod-k";
  }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    for (const Flow& flow : step) {
      require(is_host(flow.from) && is_host(flow.to),
              "{} routes between hosts only, not from node {} to node {}; use shortest", name(),
              flow.from.value(), flow.to.value());
      push_path(flow.from.value(), flow.to.value(), routes);
      routes.finish(latencies_.sum(routes.unfinished()));
    }
  }

 private:
  bool is_host(NodeId node) const { return node.value() < tree_.first_of_level[1]; }

  void push_path(std::int64_t source, std::int64_t target, RouteTable& routes) const {
    const std::int64_t key = key_ == ModKey::destination ? target : source;
    std::size_t level = 0;
    std::int64_t node = source;
    for (; source / hosts_below_[level] != target / hosts_below_[level]; ++level) {
      const std::int64_t parent = key / copies_[level] % tree_.parents[level];
      const std::int64_t children = level == 0 ? 0 : tree_.children[level - 1];
      node = push(node, children + parent, routes);
    }
    for (; level > 0; --level)
      node = push(node, target / hosts_below_[level - 1] % tree_.children[level - 1], routes);
    WEFT_ASSERT(node == target);
  }

  std::int64_t push(std::int64_t node, std::int64_t port, RouteTable& routes) const {
    const LinkId link = topology_.out_links(NodeId(node))[static_cast<std::int32_t>(port)];
    routes.push(link);
    return topology_.head(link).value();
  }

  Topology topology_;
  Latencies latencies_;
  topology::XgftView tree_;
  ModKey key_;
  std::vector<std::int64_t> hosts_below_;  // M_l = m_1 ... m_l
  std::vector<std::int64_t> copies_;       // W_l
};

}  // namespace

std::shared_ptr<const Routing> make_mod_k(const Fabric& fabric, ModKey key) {
  auto tree = as_xgft(fabric.topology());
  require(tree.has_value(), "{} does not fit {} (needs an xgft or fat-tree network); use shortest",
          key == ModKey::destination ? "d-mod-k" : "s-mod-k", fabric.topology().name());
  return std::make_shared<ModK>(fabric, std::move(*tree), key);
}

}  // namespace weft::network
