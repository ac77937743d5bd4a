#include "weft/topology/families/dragonfly.hpp"

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

const std::vector<std::string>& arrangement_names() {
  static const std::vector<std::string> names{"absolute", "relative", "circulant"};
  return names;
}

// Ways round from one group to another, 1..g-1, in the order in which the ports of group q take
// them.
std::vector<int> ordered_offsets(std::vector<int> offsets, int g, int q,
                                 GlobalArrangement arrangement) {
  const auto rank = [&](int offset) {
    switch (arrangement) {
      case GlobalArrangement::absolute:
        return (q + offset) % g;
      case GlobalArrangement::relative:
        return offset;
      case GlobalArrangement::circulant:
        break;
    }
    return 2 * offset <= g ? 2 * offset - 2 : 2 * (g - offset) - 1;
  };
  std::sort(offsets.begin(), offsets.end(), [&](int x, int y) { return rank(x) < rank(y); });
  return offsets;
}

// The offsets that the ports left over after the full rounds take: 1, g-1, 2, g-2, ..., and g/2
// for an odd one.
std::vector<int> remaining_offsets(int ports, int g) {
  std::vector<int> offsets;
  for (int distance = 1; distance <= ports / 2; ++distance) {
    offsets.push_back(distance);
    offsets.push_back(g - distance);
  }
  if (ports % 2 == 1 && g % 2 == 0) offsets.push_back(g / 2);
  return offsets;
}

// The group that each port of group q leads to.
std::vector<int> port_targets(const DragonflyView& d, int q) {
  std::vector<int> all;
  for (int offset = 1; offset < d.g; ++offset) all.push_back(offset);
  const int ports = d.a * d.h;
  std::vector<int> targets;
  const auto round = [&](std::vector<int> offsets) {
    for (int offset : ordered_offsets(std::move(offsets), d.g, q, d.arrangement))
      targets.push_back((q + offset) % d.g);
  };
  for (int i = 0; i < ports / (d.g - 1); ++i) round(all);
  round(remaining_offsets(ports % (d.g - 1), d.g));
  return targets;
}

void add_local_links(TopologyBuilder& builder, const DragonflyView& d) {
  const ClassId local = builder.link_class("local");
  for (int q = 0; q < d.g; ++q)
    for (int r = 0; r < d.a; ++r)
      for (int other = r + 1; other < d.a; ++other)
        builder.add_cable(NodeId(q * d.a + r), NodeId(q * d.a + other), local);
}

void add_global_links(TopologyBuilder& builder, const DragonflyView& d) {
  const ClassId global = builder.link_class("global");
  // Routers that own the ports from one group to another, in port order.
  std::map<std::int64_t, std::vector<int>> owners;
  const auto key = [&](int from, int to) { return std::int64_t{from} * d.g + to; };
  for (int q = 0; q < d.g; ++q) {
    const std::vector<int> targets = port_targets(d, q);
    for (std::size_t k = 0; k < targets.size(); ++k)
      owners[key(q, targets[k])].push_back(q * d.a + static_cast<int>(k) / d.h);
  }
  for (int q = 0; q < d.g; ++q) {
    for (int other = q + 1; other < d.g; ++other) {
      const auto forth = owners.find(key(q, other));
      if (forth == owners.end()) continue;
      const std::vector<int>& back = owners[key(other, q)];
      WEFT_ASSERT(forth->second.size() == back.size());
      for (std::size_t i = 0; i < back.size(); ++i)
        builder.add_cable(NodeId(forth->second[i]), NodeId(back[i]), global);
    }
  }
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
  if (known == names.end())
    reject("unknown arrangement \"{}\" of dragonfly; {}", name, suggest(name, names));
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
  return std::move(builder).build({"dragonfly", canonical(view), {}});
}

std::optional<DragonflyView> as_dragonfly(const Topology& topology) {
  const Expression& leaf = topology.expression();
  if (leaf.name != "dragonfly" || !leaf.is_family()) return std::nullopt;
  const DragonflyOptions d = read_options(Parameters(leaf.name, leaf.name, leaf.parameters));
  return DragonflyView{d.a, d.p, d.h, d.g.value_or(d.a * d.h + 1), d.arrangement};
}

Family dragonfly_family() {
  return make_family(
      "dragonfly", "a=,p=,h=[,g=][,arrangement=absolute|relative|circulant]",
      "g groups of a routers with p hosts and h global links each; g = a*h + 1 if left out",
      "dragonfly:a=4,p=2,h=2,g=9",
      [](const Parameters& parameters) { return dragonfly(read_options(parameters)); });
}

}  // namespace weft::topology
