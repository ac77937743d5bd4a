// Economics: how many endpoints a kind of network connects, and what cables and switches it costs.
//
//   const PriceList list = load_price_list("shipped");
//   const Design design = cheapest_design(NetworkKind::fat_tree, 1'000, list);
//   const Bill bill = price(shopping(design), fit_prices(list));
//
// Racks of 1 m x 1 m stand in a square grid without gaps. A cable within a rack is electrical and
// 1 m long; one between racks is optical, as long as the racks' Manhattan distance plus 1 m.
// Source: thesis on Kautz and 2-D fully connected collectives, section 4.4, Eq. 4.9-4.13.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/analysis/economics_prices.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

enum class NetworkKind : std::uint8_t {
  fully_connected_25,  // 2dfc whose bisection carries 25 % of what its endpoints can send
  fully_connected_50,
  fully_connected_100,
  slim_fly,
  dragonfly,
  fat_tree,
  hamming,
  kautz,
  torus_3d,
  torus_5d,
  fat_tree_2,  // of two levels
  fat_tree_3,  // of three levels
};

inline constexpr auto kNetworkKinds = [] {
  std::array<NetworkKind, static_cast<std::size_t>(NetworkKind::fat_tree_3) + 1> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<NetworkKind>(i);
  return kinds;
}();

/// Those that are compared where none is named: fat trees once, of the levels that suit them.
constexpr std::span<const NetworkKind> compared_kinds() {
  return std::span(kNetworkKinds).first(10);
}

/// "2dfc25", "slimfly", ...
std::string_view to_string(NetworkKind kind);
/// The kind of that name. Throws InvalidInput naming the nearest.
NetworkKind parse_network_kind(std::string_view name);

/// One size of a kind: docs/explanation/economics.md has the formulas.
struct Design {
  NetworkKind kind{};
  std::int64_t parameter = 0;  // m, q, p, k or d of the kind's formula; a torus: sum of extents
  std::string configuration;   // "38x38, 76 endpoints a router"
  std::int64_t routers = 0;
  std::int64_t ports = 0;  // of the router with most: links and endpoints
  std::int64_t endpoints = 0;
  std::optional<topology::Facet> structure = {};  // of the routers; of fat trees nothing
  std::optional<int> levels = {};                 // of fat trees, 1 .. 3
  /// Least and greatest that the cables between two halves of the endpoints can be, over half of
  /// the endpoints.
  Rational bisection_lower = 0, bisection_upper = 0;

  /// Where both are one.
  std::optional<Rational> bisection() const {
    return bisection_lower == bisection_upper ? std::optional(bisection_lower) : std::nullopt;
  }
};

/// The most endpoints, or routers, that a kind is asked for.
inline constexpr std::int64_t kMostOfKind = 10'000'000;

/// The least size with `endpoints` or more; a fat tree (of three levels unless the kind says two)
/// of switches with the fewest ports, as much of it as exactly so many endpoints need. Throws
/// InvalidInput outside 1 .. kMostOfKind.
Design smallest_design(NetworkKind kind, std::int64_t endpoints);
/// smallest_design but for NetworkKind::fat_tree: the cheapest over switches of even numbers of
/// ports up to the most on the price list, each with the fewest levels (one switch, two, three)
/// that hold the endpoints; where they are too many for those, smallest_design. Throws as it does,
/// and as fit_prices. O(ports) bills.
Design cheapest_design(NetworkKind kind, std::int64_t endpoints, const PriceList& prices);
/// The size whose number of routers is nearest (the smaller of two). Throws InvalidInput outside
/// 1 .. kMostOfKind. Fat trees are whole, here and in what follows.
Design nearest_design(NetworkKind kind, std::int64_t routers);
/// The largest size of routers with at most so many ports, 1 .. 1024; nothing where none has so
/// few, or where the ports do not bound the size (tori).
std::optional<Design> largest_design(NetworkKind kind, std::int64_t ports);
/// Endpoints at exactly this many routers, by the formula for real parameters: Figure 4.16's lines.
double endpoints_at(NetworkKind kind, double routers);

/// What to buy: cables by length, switches by ports.
struct Shopping {
  std::map<double, std::int64_t> electrical;          // metres -> cables
  std::map<double, std::int64_t> optical;             // metres -> cables
  std::map<std::int64_t, std::int64_t> switch_nodes;  // ports -> switches
};

/// Cables and switches of a design; each kind's racks are described in
/// docs/explanation/economics.md.
/// O(parameter^2), for Kautz O(links).
Shopping shopping(const Design& design);

/// How a topology's switches stand: so many to a rack, or as many as have room with their hosts.
struct RackLayout {
  std::int64_t switches_per_rack = 1;  // consecutive ones, >= 1
  std::int64_t columns = 0;            // racks in a row of the grid; 0: ceil(sqrt(racks))
  /// 0: as switches_per_rack says. Else that many hosts fill a rack: consecutive switches share it
  /// while their hosts fit in, and a switch with more hosts has several, of which it stands in the
  /// first. Where all hosts fit into one rack, so do all switches; else those without hosts have
  /// racks of their own, as many to each.
  std::int64_t hosts_per_rack = 0;

  friend bool operator==(const RackLayout&, const RackLayout&) = default;
};

/// Cables and switches of any topology: hosts stand with their first switch (on a network
/// without switches, hosts take the switches' place and no switch is bought); a one-way link is a
/// cable of its own, and takes a port at each end; a link of a node to itself is none. Throws
/// InvalidInput for a layout out of range. O(links).
Shopping shopping(const Topology& topology, const RackLayout& layout = {});

/// Cables of a topology whose nodes are joined by a panel (a patch panel, an optical switch) in the
/// middle of the racks: an optical one from each end of each link or cable. Throws InvalidInput as
/// shopping() does. O(links).
Shopping shopping_to_panel(const Topology& topology, const RackLayout& layout = {});

struct CableBill {
  std::int64_t count = 0;
  double metres = 0;
  double dollars = 0;
};

struct Bill {
  CableBill electrical, optical;
  std::int64_t switches = 0;
  double switch_dollars = 0;

  double dollars() const { return electrical.dollars + optical.dollars + switch_dollars; }
};

/// What the shopping costs: each cable by its length, each switch by its ports. O(kinds of cables).
Bill price(const Shopping& shopping, const PriceLines& prices);

}  // namespace weft::analysis
