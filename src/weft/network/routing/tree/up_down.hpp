// Paths of extended generalised fat trees: up to the lowest level above both hosts, then down.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

// Node i of level l is i = low + W_l * high: low holds its w-digits (W_l = w_1 ... w_l of them),
// high the m-digits above l, so that hosts [high * M_l, (high + 1) * M_l) are below it. Its
// out-links are first those to its m_l children, then those to its parents, each in digit order.
// A path is chosen by the w-digits of the node at its top: they say which parent to take at each
// level, and the way down is the only one.
class UpDownPaths {
 public:
  UpDownPaths(Topology topology, topology::XgftView tree)
      : topology_(std::move(topology)), tree_(std::move(tree)) {
    std::int64_t below = 1, copies = 1;
    for (std::size_t level = 0; level <= tree_.children.size(); ++level) {
      hosts_below_.push_back(below);
      copies_.push_back(copies);
      if (level == tree_.children.size()) break;
      below *= tree_.children[level];
      copies *= tree_.parents[level];
    }
  }

  const topology::XgftView& tree() const { return tree_; }
  std::size_t height() const { return tree_.children.size(); }
  /// M_l = m_1 ... m_l and W_l = w_1 ... w_l.
  std::int64_t hosts_below(std::size_t level) const {
    WEFT_ASSERT(level <= height());
    return hosts_below_[level];
  }
  std::int64_t copies(std::size_t level) const { return copies_[level]; }
  bool is_host(NodeId node) const { return node.value() < tree_.first_of_level[1]; }

  /// Level of the lowest node above both hosts; 0 for one host.
  std::size_t meeting_level(const Flow& flow) const {
    WEFT_ASSERT(is_host(flow.from) && is_host(flow.to));
    std::size_t level = 0;
    while (flow.from.value() / hosts_below_[level] != flow.to.value() / hosts_below_[level])
      ++level;
    return level;
  }

  /// Pushes the links; digit(l) is the parent taken from level l, in [0, w_(l+1)).
  template <class Digit>
  void push_path(const Flow& flow, const Digit& digit, RouteTable& routes) const {
    const std::size_t top = meeting_level(flow);
    std::int64_t node = flow.from.value();
    for (std::size_t level = 0; level < top; ++level) {
      const std::int64_t children = level == 0 ? 0 : tree_.children[level - 1];
      node = push(node, children + digit(level), routes);
    }
    for (std::size_t level = top; level > 0; --level)
      node =
          push(node, flow.to.value() / hosts_below_[level - 1] % tree_.children[level - 1], routes);
    WEFT_ASSERT(node == flow.to.value());
  }

 private:
  std::int64_t push(std::int64_t node, std::int64_t port, RouteTable& routes) const {
    const LinkId link = topology_.out_links(
        NodeId(static_cast<std::int32_t>(node)))[static_cast<std::int32_t>(port)];
    routes.push(link);
    return topology_.head(link).value();
  }

  Topology topology_;
  topology::XgftView tree_;
  std::vector<std::int64_t> hosts_below_, copies_;  // by level
};

}  // namespace weft::network
