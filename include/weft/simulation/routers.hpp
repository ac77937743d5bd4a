// The kinds of routers that packets and flits cross. A new kind is a value of RouterKind
// (packet.hpp), a row of src/weft/simulation/routers.cpp, and the files of its engine.
#pragma once

#include <memory>
#include <optional>
#include <span>
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
  std::string_view why_only;  // "they pass flits on"
  /// Why --switching and --arbitration say nothing to it; empty where they do.
  std::string_view no_switching = {};
  /// Whether a channel may wait until it is empty (ChannelReuse::empty), of flits.
  bool reuses_empty = false;
  /// Throws InvalidInput where the options don't fit.
  std::unique_ptr<PacketEngine> (*make_engine)(const topology::Fabric&, const PacketOptions&);
};

/// By kind; the default first.
std::span<const Router> routers();
const Router& router_of(RouterKind kind);

/// "packet" or "flit", as --model has it.
std::string_view model_of(Granularity granularity);

}  // namespace weft::simulation
