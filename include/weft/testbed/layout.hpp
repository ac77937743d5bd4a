// Layout: a network as namespaces of one machine: a namespace for each node, a virtual cable for
// each cable, an address for each node with ranks, and static routes from weft's own routing.
//
// Routes of IP go by destination. Where messages of several sources to one destination leave a node
// by different links, those of all but one source get a table of their own, chosen by a rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::testbed {

struct LayoutOptions {
  std::string id = "0";       // of this testbed, in the names of its namespaces
  std::int64_t rate_Bps = 0;  // of each direction of a link, headers of frames included; > 0
  std::int64_t delay_ps = 0;  // of each direction; 0: the machine's own
};

/// A node.
struct Machine {
  std::string space;         // the namespace
  std::string name;          // of the host, as ranks see it
  std::string address = {};  // of nodes with ranks
  int ranks = 0;
};

/// A cable, both of whose ends are called alike in their namespaces.
struct Wire {
  std::string device;
  NodeId tail, head;
  std::string tail_address, head_address;
  bool two_way = true;  // else the head's end sends nothing
};

/// Where a node sends what is for an address.
struct NextHop {
  std::string to;
  std::int32_t wire = 0;
  std::string via;
  std::string from = {};  // of this source alone; empty: of all others
  std::int32_t table = 0;
};

struct Layout {
  LayoutOptions options;
  std::vector<Machine> machines;           // by node
  std::vector<Wire> wires;                 // by cable, those from a node to itself left out
  std::vector<std::vector<NextHop>> ways;  // by node
  std::vector<NodeId> hosts;               // with ranks, in the order of ranks

  std::int32_t ranks() const;
  /// Links, each direction counted.
  std::int64_t links() const;
};

/// Lays the network out. Throws InvalidInput where static routes cannot do what its routing does
/// (it splits messages or looks at a whole step), for more than kMostMachines nodes, and where the
/// ranks of a host do not follow each other. O(pairs of hosts * links on the way).
Layout lay_out(const Network& network, const LayoutOptions& options);

inline constexpr std::int32_t kMostMachines = 256;

/// Payload bytes a second of a link: of 1514 bytes of a frame TCP carries 1448.
std::int64_t payload_Bps(std::int64_t rate_Bps);

/// What a hop takes, about: a packet's way through two namespaces.
inline constexpr std::int64_t kHop_ps = 50'000'000;

/// Bytes a second of "50Mbit", tc's way of writing 50Mbps, or of another bandwidth. Throws
/// InvalidInput for what is none, and below 100 Kbit.
std::int64_t parse_rate(std::string_view text);
/// The same the other way round: "50Mbit", in the largest unit that is exact.
std::string format_rate(std::int64_t rate_Bps);

/// What this machine's processors can forward, all links of a testbed together, and at most on one
/// of them; bytes a second. Beyond that measured times are the processor's.
struct Budget {
  std::int64_t all_Bps = 0, link_Bps = 0;
};
/// Measured with two cores; docs/how-to/use-the-testbed.md says how.
Budget budget_of(unsigned cores);
/// Throws InvalidInput where the layout's rate is above the budget, naming the largest that is not.
void require_within(const Budget& budget, const Layout& layout);

}  // namespace weft::testbed
