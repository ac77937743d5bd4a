// The routings of all models, by name.
//
// A routing has one name, one meaning and up to two faces: the paths that it gives to the messages
// of a step (network/routing.hpp), which every model can follow, and a choice of the next link at
// each router, which packets ask for (network/hop_routing.hpp). Where it has both, packets choose,
// and each takes one of the paths over which the other models split a message.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/network/routing.hpp"

namespace weft::network {

/// What a choice at each router says of itself.
struct HopFace {
  std::string channels;                   // virtual channels of a link that it needs
  std::string deadlock;                   // why packets wait for each other in no circle on them
  std::vector<std::string> aliases = {};  // other names of the routing
  /// The routing by which packets choose there, which may be another of the same ways; empty where
  /// they follow the paths of the other face. Null where it is this one on all that it fits.
  std::string_view (*chosen_on)(const Topology&) = nullptr;
  bool counts_phases = false;  // its channels are numbered by the phases of a way on a Dragonfly
  double detour = 1;           // mean links of its ways, in those of shortest ones: for estimates
};

/// One line of `weft list routings`.
struct RoutingInfo {
  std::string name;
  std::string summary;
  std::string fits;                            // which topologies
  bool draws = false;                          // its paths, by the seed
  std::optional<HopFace> hops = std::nullopt;  // nothing where it gives paths alone
  bool gives_paths = false;
};

/// Those with paths first; `auto`, which stands for one of them, before all.
std::span<const RoutingInfo> routings();

/// By its name or another name of it, in any case; nothing where there is none.
const RoutingInfo* find_routing(std::string_view name);

/// Maximum number of connections between two hosts: K of ecmp:K.
inline constexpr std::int32_t kMostConnections = 1024;

/// NAME:K, or the name alone for one connection.
std::string with_connections(std::string_view name, std::int32_t connections);

/// The routing's own name for any of its names, with its number of connections if it is not 1;
/// empty where there is no such routing.
std::string canonical_routing(std::string_view name);

/// Whether the routing may be written NAME:K, with K connections between two hosts.
bool takes_connections(std::string_view name);

/// Throws InvalidInput, with the names nearest to it, where there is none.
void require_known_routing(std::string_view name);

/// Whether only packets can be routed by it, since it gives no paths.
bool is_of_packets_only(std::string_view name);

/// Whether its paths are drawn by the seed; not, where there is none of that name.
bool draws_paths(std::string_view name);

/// The name of the routing, in lower case, by which packets choose their links there if they are
/// routed by this one, which may be another that takes the same ways; empty where they follow
/// paths, or there is no such routing.
std::string hop_routing(std::string_view name, const Topology& topology);

}  // namespace weft::network
