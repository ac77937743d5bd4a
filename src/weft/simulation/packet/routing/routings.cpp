// The routings that choose at each hop, one entry each, joined with those that give paths.
#include "weft/simulation/routings.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/simulation/packet/input_queued/input_queued.hpp"
#include "weft/simulation/packet/routing/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation {

// Of routings that no other file asks for.
namespace packet {
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_codes_engine)
WEFT_DECLARE_PACKET_ENGINE(make_minimal_split_engine)
WEFT_DECLARE_PACKET_ENGINE(make_widest_split_engine)
}  // namespace packet

namespace {

using topology::as_dragonfly;
using topology::as_hyperx;

struct Entry {
  std::string name;
  // Empty where network/routing/routings.cpp has them: it gives paths too.
  std::string summary, fits;
  HopFace hops;
  packet::EngineMaker make;
  packet::LoneMaker make_alone;
};

// What WEFT_PACKET_ENGINE defines.
#define WEFT_MAKERS(maker) packet::maker, packet::maker##_alone

const HopFace kByGlobals{.channels = "3 (2 where there are two groups): global links crossed",
                         .deadlock =
                             "a way has local, global, local, global and local links, and "
                             "its channel rises with each global one",
                         .counts_phases = true,
                         .detour = 1.1};

HopFace with_aliases(HopFace face, std::vector<std::string> aliases) {
  face.aliases = std::move(aliases);
  return face;
}

// As network::make_minimal.
std::string_view minimal_on(const Topology& topology) {
  if (as_dragonfly(topology)) return "minimal";
  return as_hyperx(topology) ? "dimension-order" : "";
}

const std::vector<Entry>& entries() {
  static const std::string kGrids = "Hamming, HyperX, torus, mesh, hypercube";
  static const std::string kClimbs = "a packet's channel rises with each link";
  static const std::string kTurnsOnce = "no packet goes up again after it went down";
  static const std::vector<Entry> all{
      {"shortest-table",
       "shortest paths from a table; a channel for each hop",
       "any",
       {.channels = "links between routers of the longest shortest path", .deadlock = kClimbs},
       WEFT_MAKERS(make_shortest_engine)},
      {"shortest-split",
       "",
       "",
       {.channels = "links between routers of the longest shortest path between hosts",
        .deadlock = kClimbs},
       WEFT_MAKERS(make_shortest_split_engine)},
      {"widest-split",
       "",
       "",
       {.channels = "as shortest-split: the links on the longest shortest path",
        .deadlock = kClimbs},
       WEFT_MAKERS(make_widest_split_engine)},
      {"minimal-split",
       "",
       "",
       {.channels = "links between routers of the longest minimal path between hosts",
        .deadlock = kClimbs},
       WEFT_MAKERS(make_minimal_split_engine)},
      {"minimal",
       "",
       "",
       {.channels = "on a Dragonfly 2: global links crossed; on Hamming and HyperX those of "
                    "dimension-order",
        .deadlock = "a way has a local, a global and a local link, and its channel rises with the "
                    "global one",
        .chosen_on = minimal_on,
        .counts_phases = true},
       WEFT_MAKERS(make_dragonfly_minimal_engine)},
      {"valiant",
       "minimally to a random group or router, then minimally on",
       "any",
       {.channels = "on a Dragonfly 3 (2 where there are two groups), else twice the links between "
                    "routers of the longest shortest path; load curves of grids 2, on rings 4",
        .deadlock = "a packet's channel rises with each link, on a Dragonfly with each global one",
        .aliases = {"non-minimal", "nonminimal"},
        .counts_phases = true,
        .detour = 1.5},
       WEFT_MAKERS(make_valiant_engine)},
      {"ugal-l", "minimal or Valiant by the queues of the first router", "dragonfly",
       with_aliases(kByGlobals, {"adaptive"}), WEFT_MAKERS(make_dragonfly_ugal_engine)},
      {"ugal-g", "minimal or Valiant by the queues of their first global links", "dragonfly",
       kByGlobals, WEFT_MAKERS(make_dragonfly_ugal_global_engine)},
      {"par",
       "as ugal-l, and again at the router before the global link",
       "dragonfly",
       {.channels = "4 (2 where there are two groups): links of its kind crossed, local or global",
        .deadlock = "a way has local 0, local 1, global 0, local 2, global 1 and local 3 in this "
                    "order, the numbers being those of channels",
        .counts_phases = true,
        .detour = 1.1},
       WEFT_MAKERS(make_dragonfly_progressive_engine)},
      {"codes-adaptive", "minimal or Valiant by the bytes at the first router's outputs",
       "dragonfly", kByGlobals, WEFT_MAKERS(make_dragonfly_codes_engine)},
      {"dimension-order",
       "",
       "",
       {.channels = "1, on rings 2; with failures as many more as the longest shortest path has "
                    "links",
        .deadlock =
            "dimensions follow in order, a ring's channel falls at its last link (dateline); "
            "what leaves the order for a hole climbs channels of its own"},
       WEFT_MAKERS(make_dimension_order_engine)},
      {"minimal-adaptive",
       "by the queues of all links that lead nearer; dimension order as the escape",
       kGrids,
       {.channels = "2, on rings 3; more are adaptive ones",
        .deadlock = "packets wait for channels of dimension order alone (Duato)"},
       WEFT_MAKERS(make_minimal_adaptive_engine)},
      {"up-down-random",
       "up to a random parent, then down",
       "xgft, fat-tree",
       {.channels = "1", .deadlock = kTurnsOnce},
       WEFT_MAKERS(make_up_down_random_engine)},
      {"up-down-adaptive",
       "up to the parent with the shortest queue, then down",
       "xgft, fat-tree",
       {.channels = "1", .deadlock = kTurnsOnce},
       WEFT_MAKERS(make_up_down_adaptive_engine)},
  };
  return all;
}

const Entry* find_entry(std::string_view name) {
  const std::string wanted = lower_name(name);
  for (const Entry& entry : entries())
    if (entry.name == wanted || std::ranges::count(entry.hops.aliases, wanted) > 0) return &entry;
  return nullptr;
}

const Entry& find_or_reject(std::string_view name) {
  if (const Entry* entry = find_entry(name)) return *entry;
  std::vector<std::string> names;
  for (const Entry& known : entries()) names.push_back(known.name);
  reject("unknown packet routing \"{}\"; {}", name, suggest(name, names));
}

std::vector<RoutingInfo> joined() {
  std::vector<RoutingInfo> all;
  for (const network::RoutingInfo& info : network::routings()) {
    const Entry* entry = find_entry(info.name);
    all.push_back({info, true, entry == nullptr ? nullptr : &entry->hops});
  }
  for (const Entry& entry : entries())
    if (!entry.summary.empty())
      all.push_back({{entry.name, entry.summary, entry.fits}, false, &entry.hops});
  return all;
}

}  // namespace

std::span<const RoutingInfo> routings() {
  static const std::vector<RoutingInfo> all = joined();
  return all;
}

const RoutingInfo* find_routing(std::string_view name) {
  const Entry* entry = find_entry(name);
  const std::string wanted = entry == nullptr ? lower_name(name) : entry->name;
  const auto found = std::ranges::find(routings(), wanted, &RoutingInfo::name);
  return found == routings().end() ? nullptr : &*found;
}

void require_known_routing(std::string_view name) {
  if (find_routing(name) != nullptr) return;
  std::vector<std::string> names;
  for (const RoutingInfo& known : routings()) names.push_back(known.name);
  reject("unknown routing '{}'; {}", name, suggest(name, names));
}

bool is_of_packets_only(std::string_view name) {
  const RoutingInfo* routing = find_routing(name);
  return routing != nullptr && !routing->gives_paths;
}

std::string hop_routing(std::string_view name, const Topology& topology) {
  const Entry* entry = find_entry(name);
  if (entry == nullptr) return "";
  const auto chosen_on = entry->hops.chosen_on;
  return chosen_on == nullptr ? lower_name(name) : std::string(chosen_on(topology));
}

std::unique_ptr<packet::LoneRouting> packet::make_lone_routing(std::string_view name,
                                                               const RoutingContext& context) {
  return find_or_reject(name).make_alone(context);
}

std::unique_ptr<PacketEngine> make_packet_engine(const Fabric& fabric,
                                                 const PacketOptions& options) {
  constexpr std::int64_t kLargest = (1 << 24) - 1;
  require(options.packet_B >= 1 && options.packet_B <= kLargest,
          "a packet of {} bytes is out of range (1 to {})", options.packet_B, kLargest);
  require(options.router_delay_ps >= 0 && options.adapter_delay_ps >= 0 &&
              options.credit_delay_ps.value_or(0) >= 0,
          "a delay below zero makes no sense; give 0s or more");
  packet::check_delay(options.router_delay_ps, "delay of a router");
  packet::check_delay(options.adapter_delay_ps, "delay of an adapter");
  require(options.acknowledgement_B >= 1, "an acknowledgement needs a byte at least");
  require(options.granularity == Granularity::packet ||
              (options.flit_B >= 1 && options.flit_B <= options.packet_B),
          "a flit of {} bytes is out of range (1 to the {} of a packet)", options.flit_B,
          options.packet_B);
  const Switching wrong = options.granularity == Granularity::packet ? Switching::wormhole
                                                                     : Switching::store_and_forward;
  require(options.switching != wrong, "{} switching is of granularity {}; choose another",
          name_of(options.switching), wrong == Switching::wormhole ? "flit" : "packet");
  require(options.router == RouterKind::output_buffered || options.granularity == Granularity::flit,
          "input-queued routers pass flits on; choose --model flit");
  if (!options.routing.empty()) find_or_reject(options.routing);
  if (options.router == RouterKind::input_queued) return input_queued::make_engine(fabric, options);
  if (options.routing.empty()) return packet::make_path_engine(fabric, options);
  return find_or_reject(options.routing).make(fabric, options);
}

}  // namespace weft::simulation
