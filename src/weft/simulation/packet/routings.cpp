// The routings of packets by name; one line each.
#include "weft/simulation/packet/routing.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/network/routing.hpp"

namespace weft::simulation {

// Of routings that no other file asks for.
namespace packet {
WEFT_DECLARE_PACKET_ENGINE(make_dragonfly_codes_engine)
}  // namespace packet

namespace {

struct Entry {
  PacketRoutingInfo info;
  packet::EngineMaker make;
  packet::LoneMaker make_alone;
};

// What WEFT_PACKET_ENGINE defines goes with a name.
#define WEFT_ENTRY(name, summary, fits, maker) \
  { {name, summary, fits}, packet::maker, packet::maker##_alone }

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      WEFT_ENTRY("shortest-table", "shortest paths from a table; a channel for each hop", "any",
                 make_shortest_engine),
      WEFT_ENTRY("shortest-split", "split equally at each hop over all shortest paths", "any",
                 make_shortest_split_engine),
      WEFT_ENTRY("minimal", "at most one local, one global and one local link", "dragonfly",
                 make_dragonfly_minimal_engine),
      WEFT_ENTRY("valiant", "minimally to a random group or router, then minimally on", "any",
                 make_valiant_engine),
      WEFT_ENTRY("ugal-l", "minimal or Valiant by the queues of the first router", "dragonfly",
                 make_dragonfly_ugal_engine),
      WEFT_ENTRY("ugal-g", "minimal or Valiant by the queues of their first global links",
                 "dragonfly", make_dragonfly_ugal_global_engine),
      WEFT_ENTRY("par", "as ugal-l, and again at the router before the global link", "dragonfly",
                 make_dragonfly_progressive_engine),
      WEFT_ENTRY("codes-adaptive", "minimal or Valiant by the bytes at the first router's outputs",
                 "dragonfly", make_dragonfly_codes_engine),
      WEFT_ENTRY("dimension-order",
                 "first dimension first; half-way round a ring a coin for each message",
                 "Hamming, HyperX, torus, mesh, hypercube", make_dimension_order_engine),
      WEFT_ENTRY("minimal-adaptive",
                 "by the queues of all links that lead nearer; dimension order as the escape",
                 "Hamming, HyperX, torus, mesh, hypercube", make_minimal_adaptive_engine),
      WEFT_ENTRY("up-down-random", "up to a random parent, then down", "xgft, fat-tree",
                 make_up_down_random_engine),
      WEFT_ENTRY("up-down-adaptive", "up to the parent with the shortest queue, then down",
                 "xgft, fat-tree", make_up_down_adaptive_engine),
  };
  return all;
}

/// Other names of the same.
std::string canonical(std::string_view name) {
  std::string lowered = lower(name);
  if (lowered == "non-minimal" || lowered == "nonminimal") return "valiant";
  if (lowered == "adaptive") return "ugal-l";
  return lowered;
}

const Entry* find(std::string_view name) {
  const std::string wanted = canonical(name);
  for (const Entry& entry : entries())
    if (entry.info.name == wanted) return &entry;
  return nullptr;
}

const Entry& find_or_reject(std::string_view name) {
  if (const Entry* entry = find(name)) return *entry;
  std::vector<std::string> names;
  for (const Entry& known : entries()) names.push_back(known.info.name);
  reject("unknown packet routing \"{}\"; {}", name, suggest(name, names));
}

}  // namespace

std::unique_ptr<packet::LoneRouting> packet::make_lone_routing(const RoutingContext& context) {
  return find_or_reject(context.options.routing).make_alone(context);
}

std::span<const PacketRoutingInfo> packet_routings() {
  static const std::vector<PacketRoutingInfo> all = [] {
    std::vector<PacketRoutingInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

bool is_packet_routing(std::string_view name) {
  return find(name) != nullptr;
}

void require_known_routing(std::string_view name) {
  if (is_packet_routing(name)) return;
  std::vector<std::string> names;
  for (const auto& known : network::routings()) names.push_back(known.name);
  if (std::ranges::find(names, lower(name)) != names.end()) return;
  for (const Entry& known : entries())
    if (std::ranges::find(names, known.info.name) == names.end()) names.push_back(known.info.name);
  reject("unknown routing '{}'; {}", name, suggest(name, names));
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
  if (options.routing.empty()) return packet::make_path_engine(fabric, options);
  return find_or_reject(options.routing).make(fabric, options);
}

}  // namespace weft::simulation
