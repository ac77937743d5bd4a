// Cascade: the networks of Cray XC systems, of Aries routers.
//
// A group is two cabinets of three chassis, each of 16 blades with a router and four hosts: 96
// routers in a grid of 16 x 6. Any two routers of a chassis are joined by one cable (the
// backplane), any two of the same slot by three. Each router has ten ports more, 960 in a group,
// for cables to other groups. Unlike those of a Dragonfly, two routers of a group may be two cables
// apart.
//
// The cables from a group to the others are numbered by the other group, then one after the other,
// and cable i is at router i modulo 96. So routers have equal numbers of cables, or one more, and
// the cables between two groups are at as many routers as there can be. Source: Faanes, Bataineh,
// Roweth, Court, Froese, Alverson, Johnson, Kopnick, Higgins, Reinhard, "Cray Cascade: A Scalable
// HPC System Based on a Dragonfly Network", SC 2012.
#include <optional>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

constexpr int kSlots = 16, kChassis = 6, kHosts = 4;  // of a chassis, of a group, of a router
constexpr int kRouters = kSlots * kChassis, kGlobalPorts = 10 * kRouters;
constexpr int kCablesOfSlot = 3;

struct Cascade {
  int groups, cables;  // between two groups

  std::int64_t hosts() const { return std::int64_t{groups} * kRouters * kHosts; }
  NodeId router(int group, int chassis, int slot) const {
    return router(group, chassis * kSlots + slot);
  }
  NodeId router(int group, int number) const {
    return NodeId(hosts() + std::int64_t{group} * kRouters + number);
  }
};

void add_hosts(TopologyBuilder& builder, const Cascade& c) {
  const ClassId terminal = builder.link_class("terminal");
  const std::int64_t routers = std::int64_t{c.groups} * kRouters;
  for (std::int64_t router = 0; router < routers; ++router) {
    builder.set_kind(NodeId(c.hosts() + router), NodeKind::switch_node);
    for (int i = 0; i < kHosts; ++i)
      builder.add_cable(NodeId(router * kHosts + i), NodeId(c.hosts() + router), terminal);
  }
}

void add_group(TopologyBuilder& builder, const Cascade& c, int group) {
  const ClassId backplane = builder.link_class("chassis"), between = builder.link_class("group");
  for (int chassis = 0; chassis < kChassis; ++chassis)
    for (int slot = 0; slot < kSlots; ++slot) {
      const NodeId here = c.router(group, chassis, slot);
      for (int other = slot + 1; other < kSlots; ++other)
        builder.add_cable(here, c.router(group, chassis, other), backplane);
      for (int other = chassis + 1; other < kChassis; ++other)
        for (int i = 0; i < kCablesOfSlot; ++i)
          builder.add_cable(here, c.router(group, other, slot), between);
    }
}

void add_global_cables(TopologyBuilder& builder, const Cascade& c) {
  const ClassId global = builder.link_class("global");
  const auto end = [&](int group, int other, int i) {
    const int place = other < group ? other : other - 1;
    return c.router(group, (place * c.cables + i) % kRouters);
  };
  for (int group = 0; group < c.groups; ++group)
    for (int other = group + 1; other < c.groups; ++other)
      for (int i = 0; i < c.cables; ++i)
        builder.add_cable(end(group, other, i), end(other, group, i), global);
}

// Hosts of a router, of a chassis and of a group.
Groups host_groups(int groups) {
  constexpr int kOfChassis = kHosts * kSlots, kOfGroup = kHosts * kRouters;
  if (groups == 1) return {kOfChassis, {kHosts, kOfChassis}};
  return {kOfGroup, {kHosts, kOfChassis, kOfGroup}};
}

// Hosts first, group by group, four to a router, then the routers, group by group, chassis by
// chassis.
Topology cascade(int groups, std::optional<int> cables) {
  require(groups >= 1 && groups <= kGlobalPorts + 1,
          "{} groups are out of range for cascade (1 to {}, a group has {} ports to others)",
          groups, kGlobalPorts + 1, kGlobalPorts);
  if (groups == 1) {
    require(!cables, "cascade:1 has no other group to connect to; remove the number of cables");
    cables = 0;
  } else {
    const int most = kGlobalPorts / (groups - 1);
    if (!cables) cables = most;
    require(
        *cables >= 1 && *cables <= most,
        "{} cables between any two groups are out of range for cascade:{} (1 to {}, a group has "
        "{} ports to others)",
        *cables, groups, most, kGlobalPorts);
  }
  Expression name{
      "cascade", groups == 1 ? std::string("1") : fmt::format("{},{}", groups, *cables), {}};
  const Cascade c{groups, *cables};
  const double routers = 1.0 * groups * kRouters;
  const int local = kSlots - 1 + kCablesOfSlot * (kChassis - 1);
  require_size(name.to_string(), routers * (1 + kHosts),
               routers * (2.0 * kHosts + local) + 1.0 * groups * (groups - 1) * *cables);
  TopologyBuilder builder(c.hosts() + std::int64_t{groups} * kRouters);
  add_hosts(builder, c);
  for (int group = 0; group < groups; ++group) add_group(builder, c, group);
  if (groups > 1) add_global_cables(builder, c);
  builder.set_facets({{host_groups(groups)}, {}});
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family cascade_family() {
  return make_family("cascade", "groups[,cables]",
                     "Cray XC: groups of 96 Aries routers with 4 hosts each; `cables` joins any "
                     "two groups, by default as many as 960 ports of a group allow",
                     "cascade:2,240", [](const Parameters& parameters) {
                       const auto values = parameters.integers_from(1);
                       if (values.size() > 2)
                         parameters.fail("expected the groups and the cables between two groups");
                       return cascade(values[0],
                                      values.size() > 1 ? std::optional(values[1]) : std::nullopt);
                     });
}

}  // namespace weft::topology
