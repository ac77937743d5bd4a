// Forwarding tables laid out for measuring: channels between switches, entries by address.
//
// A channel is a link from a switch to a switch. Entries are transposed, so that the in-tree of an
// address is one row. Addresses that the same switches hand over form a group: they share their
// distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Switches by their row in Topology::switches(), and the channels between them by tail.
struct SwitchNet {
  explicit SwitchNet(const Topology& of);

  std::int32_t channels() const { return static_cast<std::int32_t>(head.size()); }
  std::span<const std::int32_t> into(std::int32_t node) const {
    return std::span(in).subspan(first_in[node], first_in[node + 1] - first_in[node]);
  }

  Topology topology;
  std::int32_t count = 0;                    // switches
  IdVector<NodeId, std::int32_t> row;        // -1: a host
  IdVector<LinkId, std::int32_t> channel;    // -1: the link of a host
  std::vector<std::int32_t> first;           // by switch, and the end: channels out, by port
  std::vector<std::int32_t> head, tail;      // by channel
  std::vector<LinkId> link;                  // by channel
  std::vector<std::int32_t> first_in, in;    // by switch, and the end: channels that enter it
  std::vector<std::int32_t> place_in;        // by channel: its place among those of its head
  std::vector<std::int64_t> ports_of_hosts;  // by switch: links of hosts that enter it
};

/// The addresses of tables and how far switches are from them.
struct Destinations {
  static constexpr std::uint16_t kFar = std::numeric_limits<std::uint16_t>::max();

  std::vector<NodeId> host;          // by address
  std::vector<std::int32_t> group;   // by address; -1: no switch is at its host
  std::vector<std::int32_t> leaves;  // by group: the first switch that hands over
  std::int32_t switches = 0;
  std::vector<std::uint16_t> distances;  // by group, then switch: links to a switch of the group

  std::int32_t count() const { return static_cast<std::int32_t>(host.size()); }
  std::int32_t groups() const { return static_cast<std::int32_t>(leaves.size()); }
  std::span<const std::uint16_t> distance(std::int32_t of_group) const {
    return std::span(distances).subspan(
        static_cast<std::size_t>(of_group) * static_cast<std::size_t>(switches),
        static_cast<std::size_t>(switches));
  }
};

/// What a switch does with an address: the channel, or one of the negative values.
struct Columns {
  static constexpr std::int32_t kNone = -1, kDelivers = -2, kAstray = -3;

  Columns(std::int32_t addresses, std::int32_t switch_count)
      : switches(static_cast<std::size_t>(switch_count)),
        next(static_cast<std::size_t>(addresses) * switches, kNone) {}

  std::span<std::int32_t> of(std::int32_t address) {
    return std::span(next).subspan(static_cast<std::size_t>(address) * switches, switches);
  }
  std::span<const std::int32_t> of(std::int32_t address) const {
    return std::span(next).subspan(static_cast<std::size_t>(address) * switches, switches);
  }

  std::size_t switches;
  std::vector<std::int32_t> next;  // by address, then switch
};

/// O(switches * addresses).
Columns columns_of(const SwitchNet& net, const topology::ForwardingTables& tables);

/// O(switches * addresses + groups * channels).
Destinations destinations_of(const SwitchNet& net, const topology::ForwardingTables& tables,
                             const Columns& columns);

}  // namespace weft::analysis
