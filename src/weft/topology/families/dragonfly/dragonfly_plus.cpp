#include "weft/topology/families/dragonfly/dragonfly_plus.hpp"

#include <algorithm>

#include "global_ports.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

void add_local_links(TopologyBuilder& builder, const DragonflyPlusView& d) {
  const ClassId local = builder.link_class("local");
  for (int q = 0; q < d.g; ++q)
    for (int i = 0; i < d.l; ++i)
      for (int j = 0; j < d.s; ++j)
        builder.add_cable(NodeId(q * d.group_size() + i), NodeId(q * d.group_size() + d.l + j),
                          local);
}

void add_global_links(TopologyBuilder& builder, const DragonflyPlusView& d) {
  const ClassId global = builder.link_class("global");
  const auto spine = [&](int group, int port) {
    return NodeId(group * d.group_size() + d.l + port / d.h);
  };
  for (const GlobalCable& c : global_cables(d.g, d.s * d.h, GlobalArrangement::absolute))
    builder.add_cable(spine(c.group, c.port), spine(c.other_group, c.other_port), global);
}

void add_hosts(TopologyBuilder& builder, const DragonflyPlusView& d) {
  const ClassId terminal = builder.link_class("terminal");
  const int switches = d.g * d.group_size();
  for (int node = 0; node < switches; ++node) {
    builder.set_kind(NodeId(node), NodeKind::switch_node);
    const int leaf = node % d.group_size();
    if (leaf >= d.l) continue;
    const int first = switches + (node / d.group_size() * d.l + leaf) * d.p;
    for (int i = 0; i < d.p; ++i) builder.add_cable(NodeId(first + i), NodeId(node), terminal);
  }
}

DragonflyPlusOptions read_options(const Parameters& parameters) {
  auto values = parameters.named_integers({"l", "s", "p", "h"}, {"g"});
  DragonflyPlusOptions options{values["l"], values["s"], values["p"], values["h"], {}};
  if (values.contains("g")) options.g = values["g"];
  return options;
}

}  // namespace

Topology dragonfly_plus(const DragonflyPlusOptions& options, const std::string& family) {
  const auto [l, s, p, h, groups] = options;
  require(l >= 1 && s >= 1 && p >= 1 && h >= 1,
          "{} l={}, s={}, p={}, h={} is too small (each needs 1 or more)", family, l, s, p, h);
  const double largest = 1.0 * s * h + 1;
  const double g = groups ? *groups : largest;
  require(g >= 2 && g <= largest,
          "g={:.0f} is out of range for {} s={}, h={} (needs 2 to s*h + 1 = {:.0f}, one link to "
          "every other group)",
          g, family, s, h, largest);
  Expression name{family, fmt::format("l={},s={},p={},h={},g={:.0f}", l, s, p, h, g), {}};
  const double hosts = g * l * p;
  require_size(name.to_string(), g * (1.0 * l + s) + hosts,
               g * (2.0 * l * s + 1.0 * s * h) + 2 * hosts);

  const DragonflyPlusView view{l, s, p, h, static_cast<int>(g)};
  TopologyBuilder builder(std::int64_t{view.g} * (view.group_size() + std::int64_t{l} * p));
  add_local_links(builder, view);
  add_global_links(builder, view);
  add_hosts(builder, view);
  builder.set_nominal_degree(std::max(s, l + h));
  builder.set_facets({{view}, {}});
  return std::move(builder).build(std::move(name));
}

Family dragonfly_plus_family() {
  return make_family(
      "dragonfly-plus", "l=,s=,p=,h=[,g=]",
      "g groups of l leaves with p hosts each and s spines with h global links each; all leaves "
      "and spines of a group are linked; the default of g is s*h + 1",
      "dragonfly-plus:l=4,s=4,p=4,h=4,g=9",
      [](const Parameters& parameters) { return dragonfly_plus(read_options(parameters)); });
}

Family megafly_family() {
  return make_family("megafly", "l=,s=,p=,h=[,g=]", "Another name of dragonfly-plus",
                     "megafly:l=4,s=4,p=4,h=2,g=9", [](const Parameters& parameters) {
                       return dragonfly_plus(read_options(parameters), "megafly");
                     });
}

}  // namespace weft::topology
