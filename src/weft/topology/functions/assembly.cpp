#include "weft/topology/functions/assembly.hpp"

#include <algorithm>

#include "weft/base/id_vector.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

Assembly::Assembly(std::int64_t hosts, std::int64_t switches) : builder_(hosts + switches) {
  for (std::int64_t node = hosts; node < hosts + switches; ++node)
    builder_.set_kind(NodeId(node), NodeKind::switch_node);
}

void Assembly::add_links(const BuiltTopology& part, IdSpan<NodeId, const NodeId> place,
                         const std::function<std::string(const std::string&)>& class_name,
                         const GivenSpeed& otherwise) {
  const Topology& topology = part.topology;
  IdVector<ClassId, ClassId> classes;
  for (const std::string& name : topology.class_names())
    classes.push_back(builder_.link_class(class_name(name)));
  const auto first = static_cast<TopologyBuilder::Handle>(builder_.link_count());
  for (const LinkId link : topology.links()) {
    builder_.add_link(place[topology.tail(link)], place[topology.head(link)],
                      classes[topology.link_class(link)]);
    if (const auto reverse = topology.reverse(link); reverse && *reverse < link)
      builder_.pair(first + reverse->value(), first + link.value());
    GivenSpeed speed = given_speed(part.speeds, link);
    if (!speed.bandwidth_Bps) speed.bandwidth_Bps = otherwise.bandwidth_Bps;
    if (!speed.latency_ps) speed.latency_ps = otherwise.latency_ps;
    speeds_.add(speed);
    if (!topology.facets().names) continue;
    ports_.resize(first + link.value());
    ports_.push_back(port_of(topology, link));
  }
}

void Assembly::add_cable(NodeId u, NodeId v, std::string_view link_class, const GivenSpeed& speed) {
  builder_.add_cable(u, v, builder_.link_class(link_class));
  speeds_.add(speed);
  speeds_.add(speed);
}

BuiltTopology Assembly::build(Expression name) && {
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder_).build(std::move(name), &ids_of_handles);
  return {std::move(topology), speeds_.finish(ids_of_handles)};
}

std::optional<SwitchGroups> switch_groups_of_copies(const Topology& part, std::int64_t first,
                                                    std::int64_t copies) {
  const auto own = switch_groups_of(part);
  if (!own || part.facets().holes) return std::nullopt;
  SwitchGroups all{own->switches, own->groups, {}};
  for (std::int64_t copy = 0; copy < copies; ++copy)
    for (const std::int32_t node : own->first) {
      const auto at = std::ranges::lower_bound(part.switches(), NodeId(node));
      all.first.push_back(static_cast<std::int32_t>(first + copy * std::ssize(part.switches()) +
                                                    (at - part.switches().begin())));
    }
  return all;
}

IdVector<NodeId, NodeId> places(const Topology& part, std::int64_t first_host,
                                std::int64_t first_switch) {
  IdVector<NodeId, NodeId> place;
  for (const NodeId node : part.nodes())
    place.emplace_back(part.is_host(node) ? first_host++ : first_switch++);
  return place;
}

}  // namespace weft::topology
