#include "weft/simulation/packet/engine/link_wiring.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"

namespace weft::simulation::packet {

namespace {

void check_classes(const Topology& topology, const BufferOptions& buffers) {
  const auto names = topology.class_names();
  for (const auto& [name, bytes] : buffers.by_class)
    if (std::ranges::find(names, name) == names.end())
      reject_unknown({"link class", name, fmt::format("of {}", topology.name())}, names);
}

std::int32_t credit_ps(Time delay) {
  require(delay < Time{1} << 31, "a credit delay of {} is too long (must be below 2.147ms)",
          format_time(delay));
  return static_cast<std::int32_t>(delay);
}

std::int64_t buffer_B(const LinkWiring& wiring, std::size_t link, const PacketOptions& options) {
  const LinkKind& l = wiring.kind(wiring.links[link]);
  const std::string& name = wiring.topology.class_names()[ClassId(l.link_class)];
  const auto given = options.buffers.by_class.find(name);
  std::int64_t bytes = 0;
  if (given != options.buffers.by_class.end())
    bytes = given->second;
  else if (options.buffers.all)
    bytes = *options.buffers.all;
  else
    bytes = automatic_buffer_B(l.bandwidth_Bps,
                               l.latency_ps + wiring.credits_ps[link] + options.router_delay_ps,
                               options.packet_B);
  const bool by_flit = options.switching == Switching::wormhole;
  const std::int64_t least_B = by_flit ? options.flit_B : options.packet_B;
  require(bytes >= least_B,
          "a buffer of {} for links of class '{}' is too small: a {} has {}, which must fit "
          "whole under {} switching; give at least that",
          format_size(bytes), name, by_flit ? "flit" : "packet", format_size(least_B),
          name_of(options.switching));
  require(bytes < std::int64_t{1} << 31, "a buffer of {} is too large (must be below 2GiB)",
          format_size(bytes));
  return bytes;
}

LinkKind kind_of(const Fabric& fabric, LinkId link, const PacketOptions& options) {
  LinkKind kind;
  kind.bandwidth_Bps = fabric.bandwidth_Bps(link);
  kind.latency_ps = fabric.latency_ps(link);
  kind.unit_ps = serialisation_ps(unit_B(options), kind.bandwidth_Bps);
  kind.link_class = fabric.topology().link_class(link).value();
  check_delay(kind.latency_ps, "latency of a link");
  check_delay(kind.unit_ps, "sending of a packet or flit");
  return kind;
}

}  // namespace

LinkWiring::LinkWiring(const Fabric& fabric, const PacketOptions& options)
    : Wiring(fabric), links(static_cast<std::size_t>(topology.link_count())) {
  check_classes(topology, options.buffers);
  std::map<std::tuple<std::int64_t, Time, std::int32_t>, std::int32_t> seen;
  for (const LinkId id : topology.links()) {
    Link& link = links[id.index()];
    const LinkKind kind = kind_of(fabric, id, options);
    const auto [known, is_new] =
        seen.try_emplace({kind.bandwidth_Bps, kind.latency_ps, kind.link_class},
                         static_cast<std::int32_t>(kinds.size()));
    if (is_new) kinds.push_back(kind);
    link.kind = known->second;
    link.head = topology.head(id).value();
    credits_ps.push_back(credit_ps(options.credit_delay_ps.value_or(kind.latency_ps)));
    buffers_B.push_back(static_cast<std::int32_t>(buffer_B(*this, id.index(), options)));
  }
}

}  // namespace weft::simulation::packet
