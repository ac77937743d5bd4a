#include "weft/topology/families/dragonfly/dragonfly.hpp"

#include <algorithm>

#include "global_ports.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

void add_local_links(TopologyBuilder& builder, const DragonflyView& d) {
  const ClassId local = builder.link_class("local");
  for (int q = 0; q < d.g; ++q)
    for (int r = 0; r < d.a; ++r)
      for (int other = r + 1; other < d.a; ++other)
        builder.add_cable(NodeId(q * d.a + r), NodeId(q * d.a + other), local);
}

void add_global_links(TopologyBuilder& builder, const DragonflyView& d) {
  const ClassId global = builder.link_class("global");
  const auto router = [&](int group, int port) {
    const bool dealt = d.arrangement == GlobalArrangement::codes;
    return NodeId(group * d.a + (dealt ? port % d.a : port / d.h));
  };
  for (const GlobalCable& c : global_cables(d.g, d.a * d.h, d.arrangement))
    builder.add_cable(router(c.group, c.port), router(c.other_group, c.other_port), global);
}

void add_hosts(TopologyBuilder& builder, const DragonflyView& d) {
  const ClassId terminal = builder.link_class("terminal");
  const int routers = d.g * d.a;
  for (int s = 0; s < routers; ++s) {
    builder.set_kind(NodeId(s), NodeKind::switch_node);
    for (int i = 0; i < d.p; ++i)
      builder.add_cable(NodeId(routers + s * d.p + i), NodeId(s), terminal);
  }
}

std::string canonical(const DragonflyView& d) {
  std::string text = fmt::format("a={},p={},h={},g={}", d.a, d.p, d.h, d.g);
  if (d.arrangement != GlobalArrangement::absolute)
    text += ",arrangement=" + arrangement_names()[static_cast<std::size_t>(d.arrangement)];
  return text;
}

GlobalArrangement arrangement_of(const std::string& name) {
  const auto& names = arrangement_names();
  const auto known = std::find(names.begin(), names.end(), lower(name));
  if (known == names.end()) reject_unknown({"arrangement", name, "of dragonfly"}, names);
  return static_cast<GlobalArrangement>(known - names.begin());
}

DragonflyOptions read_options(const Parameters& parameters) {
  auto values = parameters.key_values({"a", "p", "h", "g", "arrangement"});
  DragonflyOptions options;
  for (const char* key : {"a", "p", "h"})
    if (!values.contains(key)) parameters.fail(fmt::format("{} is missing", key));
  options.a = parameters.integer(values["a"]);
  options.p = parameters.integer(values["p"]);
  options.h = parameters.integer(values["h"]);
  if (values.contains("g")) options.g = parameters.integer(values["g"]);
  if (values.contains("arrangement")) options.arrangement = arrangement_of(values["arrangement"]);
  return options;
}

}  // namespace

const std::vector<std::string>& arrangement_names() {
  static const std::vector<std::string> names{"absolute", "relative", "circulant", "codes"};
  return names;
}

Topology dragonfly(const DragonflyOptions& options) {
  const auto [a, p, h, groups, arrangement] = options;
  require(a >= 1 && p >= 1 && h >= 1,
          "dragonfly a={}, p={}, h={} is too small (each needs 1 or more)", a, p, h);
  const double largest = 1.0 * a * h + 1;
  const double g = groups ? *groups : largest;
  require(
      g >= 2 && g <= largest,
      "g={:.0f} is out of range for dragonfly a={}, h={} (needs 2 to a*h + 1 = {:.0f}, one link to "
      "every other group)",
      g, a, h, largest);
  const double routers = g * a;
  require_size(fmt::format("dragonfly:a={},p={},h={},g={:.0f}", a, p, h, g), routers * (1.0 + p),
               routers * (a - 1.0 + h + 2.0 * p));

  const DragonflyView view{a, p, h, static_cast<int>(g), arrangement};
  TopologyBuilder builder(std::int64_t{view.g} * a * (std::int64_t{1} + p));
  add_local_links(builder, view);
  add_global_links(builder, view);
  add_hosts(builder, view);
  builder.set_nominal_degree(a - 1 + h);
  builder.set_facets({{view}, {}});
  return std::move(builder).build({"dragonfly", canonical(view), {}});
}

Family dragonfly_family() {
  return make_family(
      "dragonfly", "a=,p=,h=[,g=][,arrangement=absolute|relative|circulant|codes]",
      "g groups of a routers, each with p hosts and h global links; the default of g is a*h + 1",
      "dragonfly:a=4,p=2,h=2,g=9",
      [](const Parameters& parameters) { return dragonfly(read_options(parameters)); });
}

}  // namespace weft::topology
