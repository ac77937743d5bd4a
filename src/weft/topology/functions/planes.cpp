// Networks of several planes: every host has a card in each of k equal networks, which share
// nothing but the hosts.
#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/assembly.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {

namespace {

constexpr int kMostPlanes = 64;

// The groups of a plane's hosts, where all have as many and hosts of one follow each other.
Facets groups_of(const Topology& plane) {
  const auto groups = as_host_groups(plane);
  if (!groups || groups->count == 0) return {};
  const std::int64_t hosts = std::ssize(plane.hosts());
  if (hosts % groups->count != 0) return {};
  const std::int64_t size = hosts / groups->count;
  for (std::int64_t h = 0; h < hosts; ++h)
    if (groups->of[plane.hosts()[h]] != h / size) return {};
  std::vector<int> levels;
  if (!plane.facets().holes)
    for (const std::int64_t each : nested_group_sizes(plane))
      levels.push_back(static_cast<int>(each));
  if (levels.size() < 2) levels.clear();
  return {{Groups{static_cast<int>(size), std::move(levels)}}, {}};
}

}  // namespace

BuiltTopology join_planes(int planes, const BuiltTopology& inner) {
  const Topology& plane = inner.topology;
  require(planes >= 1 && planes <= kMostPlanes, "{} planes are out of range (needs 1 to {})",
          planes, kMostPlanes);
  require(plane.has_switches() && !plane.hosts().empty(),
          "{} has no switches, so it cannot be a plane; attach hosts with hosts(k, X)",
          plane.name());
  Expression name = apply("planes", std::to_string(planes), plane.expression());
  const std::int64_t hosts = std::ssize(plane.hosts()), switches = std::ssize(plane.switches());
  require_size(name.to_string(),
               static_cast<double>(hosts) + 1.0 * planes * static_cast<double>(switches),
               1.0 * planes * plane.link_count());
  Assembly all(hosts, planes * switches);
  for (int p = 0; p < planes; ++p)
    all.add_links(inner, places(plane, 0, hosts + p * switches), std::identity());
  all.builder().set_nominal_degree(plane.nominal_degree());
  Facets facets = groups_of(plane);
  if (auto groups = switch_groups_of_copies(plane, hosts, planes))
    facets.facets.emplace_back(std::move(*groups));
  facets.part_had_tables = plane.facets().has_or_had_tables();
  all.builder().set_facets(std::move(facets));
  return std::move(all).build(std::move(name));
}

Function planes_function() {
  return {"planes", "k, X", "k copies of X that share its hosts, which have a card in each copy",
          "planes(2, leaf-spine:leaves=4,spines=2,hosts=4)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters("planes(k, X)", "planes(2, fat-tree:4,2)", node.parameters);
            return join_planes(parameters.integers(1)[0], operands[0]);
          }};
}

}  // namespace weft::topology
