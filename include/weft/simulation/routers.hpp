// The kinds of routers that packets and flits cross. A new kind is a value of RouterKind
// (packet.hpp), a row of src/weft/simulation/routers.cpp, and the files of its engine. Rules, help
// texts, errors and the keys of rows ask the row.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/simulation/packet.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation {

class PacketEngine;

struct Router {
  RouterKind kind;
  std::string_view name;
  /// What it passes on; nothing: packets and flits.
  std::optional<Granularity> only;
  std::string_view why_only;      // "they pass flits on"
  std::string_view summary = {};  // behind its name in the help of --router; may be empty
  /// Why --switching and --arbitration say nothing to it; empty where they do.
  std::string_view no_switching = {};
  /// Whether a channel may wait until it is empty (ChannelReuse::empty), of flits.
  bool reuses_empty = false;
  /// Whether its times are drawn, so that the seed counts whatever the routing.
  bool draws = false;
  int fewest_vcs = 0;  // virtual channels to advise; 0: as many as the routing needs
  /// Throws InvalidInput where the options don't fit.
  std::unique_ptr<PacketEngine> (*make_engine)(const topology::Fabric&, const PacketOptions&);
};

/// By kind; the default first.
std::span<const Router> routers();
const Router& router_of(RouterKind kind);

/// The router of this name. Throws InvalidInput.
const Router& find_router(std::string_view name);

/// Names of the routers whose channels may wait until they are empty, and of those that pass on
/// packets alone, or flits alone: "codes", "a or b".
std::string reusing_routers();
std::string routers_of(Granularity only);

/// "packet" or "flit", as --model has it.
std::string_view model_of(Granularity granularity);

}  // namespace weft::simulation
