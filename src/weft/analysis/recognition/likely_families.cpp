// Families by numbers alone: hosts, switches, degrees. Degrees are the largest of their kind, so
// that a cable or two may be missing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <queue>

#include "weft/analysis/recognition.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::analysis {

namespace {

using Expressions = std::vector<std::string>;
using Extents = std::vector<std::int64_t>;

// All products of numbers from 2 that are n, each with its factors falling.
void factorise(std::int64_t n, std::int64_t most, Extents& chosen, std::vector<Extents>& all) {
  if (n == 1) {
    if (!chosen.empty()) all.push_back(chosen);
    return;
  }
  for (std::int64_t f = std::min(n, most); f >= 2; --f) {
    if (n % f != 0) continue;
    chosen.push_back(f);
    factorise(n / f, f, chosen, all);
    chosen.pop_back();
  }
}

// A tree by levels: links from hosts, which are level 0.
void add_trees(const Topology& fabric, Expressions& found) {
  IdVector<NodeId, std::int32_t> level(fabric.node_count(), -1);
  std::queue<NodeId> next;
  for (const NodeId host : fabric.hosts()) {
    level[host] = 0;
    next.push(host);
  }
  std::int32_t height = 0;
  for (; !next.empty(); next.pop())
    for (const LinkId link : fabric.out_links(next.front())) {
      std::int32_t& other = level[fabric.head(link)];
      if (other >= 0) continue;
      height = other = level[next.front()] + 1;
      next.push(fabric.head(link));
    }
  if (height == 0) return;
  std::vector<std::int64_t> size(static_cast<std::size_t>(height) + 1, 0);
  Extents children(static_cast<std::size_t>(height), 0), parents(children);
  for (const NodeId node : fabric.nodes()) {
    const std::int32_t own = level[node];
    if (own < 0) return;
    ++size[own];
    std::int64_t up = 0, down = 0;
    for (const LinkId link : fabric.out_links(node)) {
      const std::int32_t other = level[fabric.head(link)];
      if (other == own) return;
      ++(other > own ? up : down);
    }
    if (own < height) parents[own] = std::max(parents[own], up);
    if (own > 0) children[own - 1] = std::max(children[own - 1], down);
  }
  for (std::size_t l = 0; l < size.size(); ++l) {  // w_1 ... w_l m_{l+1} ... m_h
    std::int64_t nodes = 1;
    for (std::size_t i = 0; i < children.size() && nodes <= fabric.node_count(); ++i)
      nodes *= i < l ? parents[i] : children[i];
    if (nodes != size[l]) return;
  }
  if (height == 1 && parents[0] > 1) return;  // planes, which no tree's routing uses together
  found.push_back(
      fmt::format("xgft:{};{};{}", height, fmt::join(children, ","), fmt::join(parents, ",")));
}

// Leaves and spines with as many cables, several, between each two of them.
void add_leaf_spine(const Topology& fabric, Expressions& found) {
  std::int64_t leaves = 0, spines = 0, hosts = 0, uplinks = 0;
  for (const NodeId node : fabric.switches()) {
    std::int64_t own = 0, others = 0;
    for (const LinkId link : fabric.out_links(node))
      ++(fabric.is_host(fabric.head(link)) ? own : others);
    ++(own > 0 ? leaves : spines);
    if (own > 0) uplinks = std::max(uplinks, others);
    hosts = std::max(hosts, own);
  }
  if (spines > 0 && uplinks > spines && uplinks % spines == 0 &&
      leaves * hosts == std::ssize(fabric.hosts()))
    found.push_back(fmt::format("leaf-spine:leaves={},spines={},hosts={},uplinks={}", leaves,
                                spines, hosts, uplinks));
}

// What equal nodes are joined to: the nodes with as many hosts each, and their links to each other.
struct Core {
  std::int64_t nodes = 0, hosts_each = 0, degree = 0, cables = 0;
};

std::optional<Core> core_of(const Topology& fabric) {
  Core core;
  if (!fabric.has_switches()) {
    core.nodes = fabric.node_count();
    for (const NodeId node : fabric.nodes())
      core.degree = std::max<std::int64_t>(core.degree, fabric.out_degree(node));
    core.cables = fabric.cable_count();
    return core;
  }
  core.nodes = std::ssize(fabric.switches());
  for (const NodeId node : fabric.switches()) {
    std::int64_t hosts = 0, others = 0;
    for (const LinkId link : fabric.out_links(node))
      ++(fabric.is_host(fabric.head(link)) ? hosts : others);
    if (node == fabric.switches().front()) core.hosts_each = hosts;
    if (hosts != core.hosts_each) return std::nullopt;
    core.degree = std::max(core.degree, others);
  }
  core.cables = fabric.cable_count() - std::ssize(fabric.hosts());
  return core;
}

std::string with_hosts(const Core& core, const std::string& inner) {
  return core.hosts_each == 0 ? inner : fmt::format("hosts({}, {})", core.hosts_each, inner);
}

void add_grids(const Core& core, Expressions& found) {
  std::vector<Extents> all;
  Extents chosen;
  factorise(core.nodes, core.nodes, chosen, all);
  const auto sum = [](const Extents& extents, auto term) {
    std::int64_t total = 0;
    for (const std::int64_t extent : extents) total += term(extent);
    return total;
  };
  const auto add = [&](std::string_view family, const Extents& extents) {
    found.push_back(with_hosts(core, fmt::format("{}:{}", family, fmt::join(extents, "x"))));
  };
  if (core.degree < 31 && core.nodes == std::int64_t{1} << core.degree && core.degree > 1)
    found.push_back(with_hosts(core, fmt::format("hypercube:{}", core.degree)));  // also 4x4 tori
  for (const Extents& extents : all) {
    const bool ones = std::ranges::all_of(extents, [](std::int64_t e) { return e == 2; });
    if (sum(extents, [](std::int64_t e) { return e - 1; }) == core.degree) {
      if (extents.size() == 1)
        found.push_back(with_hosts(core, fmt::format("complete:{}", core.nodes)));
      else if (!ones)
        add("hamming", extents);
    }
    if (sum(extents, [](std::int64_t e) { return e > 2 ? 2 : 1; }) != core.degree || ones) continue;
    const std::int64_t cables =
        sum(extents, [&](std::int64_t e) { return e > 2 ? core.nodes : core.nodes / 2; });
    const std::int64_t open =
        sum(extents, [&](std::int64_t e) { return core.nodes - core.nodes / e; });
    if (cables >= core.cables && extents.size() > 1) add("torus", extents);
    if (cables >= core.cables && extents.size() == 1)
      found.push_back(with_hosts(core, fmt::format("ring:{}", core.nodes)));
    if (open >= core.cables) add("mesh", extents);
  }
}

void add_dragonflies(const Core& core, Expressions& found) {
  if (core.hosts_each == 0) return;
  for (std::int64_t a = 2; a <= core.degree + 1 && a <= core.nodes; ++a) {
    const std::int64_t h = core.degree - (a - 1), g = core.nodes / a;
    if (core.nodes % a != 0 || h < 1 || g < 2 || g > a * h + 1) continue;
    for (const char* arrangement : {"absolute", "relative", "circulant"})
      found.push_back(fmt::format("dragonfly:a={},p={},h={},g={},arrangement={}", a,
                                  core.hosts_each, h, g, arrangement));
  }
}

void add_algebraic(const Core& core, Expressions& found) {
  for (std::int64_t q = 2; q * q <= core.nodes; ++q) {
    if (2 * q * q == core.nodes) found.push_back(with_hosts(core, fmt::format("slimfly:{}", q)));
    if (q * q + q + 1 == core.nodes)
      found.push_back(with_hosts(core, fmt::format("polarfly:{}", q)));
  }
}

// Leaves with hosts, spines without, in groups of l leaves and s spines.
void add_dragonfly_plus(const Topology& fabric, Expressions& found) {
  std::int64_t leaves = 0, spines = 0, p = 0, s = 0, spine_degree = 0;
  for (const NodeId node : fabric.switches()) {
    std::int64_t hosts = 0, others = 0;
    for (const LinkId link : fabric.out_links(node))
      ++(fabric.is_host(fabric.head(link)) ? hosts : others);
    ++(hosts > 0 ? leaves : spines);
    p = std::max(p, hosts);
    std::int64_t& degree = hosts > 0 ? s : spine_degree;
    degree = std::max(degree, others);
  }
  for (std::int64_t g = 2; g <= leaves; ++g) {
    const std::int64_t l = leaves / g, h = spine_degree - l;
    if (leaves % g == 0 && spines == g * s && h >= 1)
      found.push_back(fmt::format("dragonfly-plus:l={},s={},p={},h={},g={}", l, s, p, h, g));
  }
}

}  // namespace

std::vector<std::string> likely_families(const Topology& fabric) {
  Expressions found;
  add_trees(fabric, found);
  add_leaf_spine(fabric, found);
  if (const auto core = core_of(fabric)) {
    add_grids(*core, found);
    add_dragonflies(*core, found);
    add_algebraic(*core, found);
  } else {
    add_dragonfly_plus(fabric, found);
  }
  return found;
}

}  // namespace weft::analysis
