// Which port and which address a host takes for another one, as routing `table` takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"

namespace weft::analysis {

class Senders {
 public:
  /// The arguments must outlive it.
  Senders(const SwitchNet& net, const Destinations& to);

  /// Every host has one port, which leads to a switch.
  bool single_ports() const { return single_ports_; }
  std::span<const std::int32_t> addresses(NodeId host) const {
    return std::span(addresses_)
        .subspan(static_cast<std::size_t>(first_[host.index()]),
                 static_cast<std::size_t>(first_[host.index() + 1] - first_[host.index()]));
  }

  struct Way {
    std::int32_t address = 0;  // place among those of the receiver
    std::int32_t leaf = -1;    // row of the switch behind the port; -1: the receiver itself
  };
  /// The first path that arrives; nothing: none does. `arrives(place, leaf)` says so of a path.
  template <class Arrives>
  std::optional<Way> way(NodeId from, NodeId to, Arrives&& arrives) const {
    const auto ports = net_.topology.out_links(from);
    const auto ways = static_cast<std::int64_t>(addresses(to).size()) * ports.size();
    for (std::int64_t i = 0; i < ways; ++i) {
      const std::int64_t at = (i + from.value() + std::int64_t{to.value()}) % ways;
      const LinkId port((*ports.begin()).value() + at % ports.size());
      const NodeId next = net_.topology.head(port);
      const Way found{static_cast<std::int32_t>(at / ports.size()), net_.row[next]};
      if (found.leaf < 0 ? next == to : arrives(found.address, found.leaf)) return found;
    }
    return std::nullopt;
  }

 private:
  const SwitchNet& net_;
  bool single_ports_ = true;
  std::vector<std::int32_t> first_, addresses_;  // by node: its addresses
};

}  // namespace weft::analysis
