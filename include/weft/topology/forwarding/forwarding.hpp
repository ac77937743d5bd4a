// Forwarding tables: by which link each switch passes on what is for an address, as a fabric's
// manager wrote them. They are a facet of the network (facets.hpp), stored beside its file:
//
//   fabric.json      ... "routes": {"file": "fabric.routes", "hash": "..."}
//   fabric.routes    weft-routes 1, the network's hash, whose each address is, and a line a switch
//
// A host has several addresses where it has several ports, or a port has several ways to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

struct ForwardingTables {
  static constexpr std::int32_t kNone = -1;

  std::vector<NodeId> hosts;  // by address: whose it is
  /// By switch, in the order of Topology::switches(), then by address: the id of the link, or
  /// kNone.
  std::vector<std::int32_t> next;

  friend bool operator==(const ForwardingTables&, const ForwardingTables&) = default;
};

/// The tables of a network, looked up.
class Forwarding {
 public:
  /// The network keeps them alive. O(nodes + addresses).
  explicit Forwarding(const Topology& topology, std::shared_ptr<const ForwardingTables> tables);

  /// The link by which a switch passes on what is for the address; nothing: it drops it.
  std::optional<LinkId> next(NodeId switch_node, std::int32_t address) const {
    const auto row = static_cast<std::size_t>(rows_[switch_node]);
    const std::int32_t link = tables_->next[row * tables_->hosts.size() + address];
    return link < 0 ? std::nullopt : std::optional(LinkId(link));
  }
  std::span<const std::int32_t> addresses(NodeId host) const {
    const auto first = static_cast<std::size_t>(first_[host.index()]);
    return std::span(addresses_).subspan(first, first_[host.index() + 1] - first);
  }
  const ForwardingTables& tables() const { return *tables_; }

 private:
  std::shared_ptr<const ForwardingTables> tables_;
  IdVector<NodeId, std::int32_t> rows_;          // of switches
  std::vector<std::int32_t> first_, addresses_;  // by host: its addresses
};

/// What is wrong with tables: switches with hosts from where no host of an address is reached.
struct TableFaults {
  std::int64_t dropped = 0, loops = 0, astray = 0;  // pairs of switch and address
  std::string first;  // the first of them in words, by names; empty: there is none
};

/// Follows every address from every switch that has hosts. O(switches * addresses).
TableFaults faults_of(const Topology& topology, const ForwardingTables& tables);

/// The same network with these tables. Throws InvalidInput where they name what it has not.
Topology with_tables(const Topology& topology, ForwardingTables tables, const std::string& where);

/// What nodes and links are called where others failed; -1: they failed themselves.
struct Survivors {
  IdVector<NodeId, std::int32_t> nodes;
  IdVector<LinkId, std::int32_t> links;
};

/// The tables of what is `left` of a network: entries by which messages still arrive stay, those
/// that lost their way are written anew, over switches that had one, and what had none still has
/// none; so have addresses of dead ports of hosts that another reaches. O(switches * addresses),
/// and a search for each address that lost ways.
ForwardingTables past_failures(const Topology& whole,
                               const std::shared_ptr<const ForwardingTables>& before,
                               const Topology& left, const Survivors& survivors);

/// As a .routes file, and back. Throws InvalidInput, naming file and line, for what is none, or of
/// another network.
std::string format_routes(const Topology& topology, const ForwardingTables& tables);
ForwardingTables parse_routes(std::string_view content, const Topology& topology,
                              const std::string& path);

}  // namespace weft::topology
