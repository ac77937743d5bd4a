#include "weft/question/design/switched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "weft/base/error.hpp"
#include "weft/topology/placement.hpp"

namespace weft::question {

namespace {

std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// Of a family, by its number of switches.
struct Sized {
  std::int64_t switches = 0;
  std::string topology = {};
};

void keep_smaller(std::optional<Sized>& best, Sized other) {
  if (!best || other.switches < best->switches) best = std::move(other);
}

// `per_uplink` hosts for each uplink of a leaf. With as few switches alike leaves are preferred,
// all of them full, where three quarters of their ports or more serve hosts.
std::optional<Sized> leaf_spine(std::int64_t nodes, std::int64_t radix, std::int64_t per_uplink) {
  const std::int64_t most = radix * per_uplink / (per_uplink + 1);
  std::optional<Sized> best;
  bool is_even = false;
  for (std::int64_t hosts = most; 4 * hosts >= 3 * most && hosts >= 1; --hosts) {
    const std::int64_t leaves = divided_up(nodes, hosts);
    if (leaves < 2 || leaves > radix) continue;
    const std::int64_t wanted = divided_up(hosts, per_uplink);
    for (std::int64_t cables = 1; cables * leaves <= radix; ++cables) {  // of a leaf to each spine
      const std::int64_t spines = divided_up(wanted, cables), switches = leaves + spines;
      if (hosts + spines * cables > radix) continue;
      const bool even = nodes % hosts == 0;
      if (best && (switches > best->switches || (switches == best->switches && is_even >= even)))
        continue;
      is_even = even;
      best = {switches,
              fmt::format("leaf-spine:leaves={},spines={},hosts={}", leaves, spines, hosts) +
                  (cables == 1 ? "" : fmt::format(",uplinks={}", spines * cables))};
    }
  }
  return best;
}

// Pods of leaves and spines, `per_uplink` hosts for each uplink of a leaf; above the leaves as many
// cables up as down.
std::optional<Sized> three_levels(std::int64_t nodes, std::int64_t radix, std::int64_t per_uplink) {
  const std::int64_t half = radix / 2, most = radix * per_uplink / (per_uplink + 1);
  std::optional<Sized> best;
  for (std::int64_t leaves = 2; leaves <= half; ++leaves) {
    const std::int64_t hosts = std::min(most, divided_up(nodes, leaves));
    const std::int64_t pods = divided_up(nodes, leaves * hosts);
    const std::int64_t spines = divided_up(hosts, per_uplink), cores = spines * leaves;
    if (pods < 2 || pods > radix || hosts + spines > radix) continue;
    keep_smaller(best, {pods * (leaves + spines) + cores,
                        fmt::format("clos:pods={},leaves={},spines={},cores={},hosts={}", pods,
                                    leaves, spines, cores, hosts)});
  }
  return best;
}

// a = 2 p = 2 h, the balanced one (Kim, Dally, Scott, Abts 2008).
std::optional<Sized> dragonfly(std::int64_t nodes, std::int64_t radix) {
  std::optional<Sized> best;
  for (std::int64_t h = 1; 4 * h - 1 <= radix; ++h) {
    const std::int64_t a = 2 * h, groups = divided_up(nodes, a * h);
    if (groups < 3 || groups > a * h + 1) continue;
    keep_smaller(best, {a * groups, fmt::format("dragonfly:a={},p={},h={},g={}", a, h, h, groups)});
  }
  return best;
}

// Half as many hosts as links a switch let all of them send at once (Besta, Hoefler 2014).
std::optional<Sized> slim_fly(std::int64_t nodes, std::int64_t radix) {
  for (int q = 3; slim_fly_degree(q) < radix; ++q) {
    if (!is_prime_power(q)) continue;
    const std::int64_t switches = std::int64_t{2} * q * q, degree = slim_fly_degree(q);
    const std::int64_t hosts = divided_up(nodes, switches);
    if (hosts <= std::min(radix - degree, (degree + 1) / 2))
      return Sized{switches, fmt::format("hosts({}, slimfly:{})", hosts, q)};
  }
  return std::nullopt;
}

// As many hosts a switch as its rows are long, times the cables between any two of a row: then each
// link carries a link's worth of uniform traffic, h / m hosts' worth over each of them.
std::optional<Sized> hyperx(std::int64_t nodes, std::int64_t radix, int dimensions) {
  std::optional<Sized> best;
  for (std::int64_t extent = 2; dimensions * (extent - 1) < radix; ++extent) {
    std::int64_t switches = 1;
    for (int i = 0; i < dimensions; ++i) switches *= extent;
    const std::int64_t hosts = divided_up(nodes, switches), cables = divided_up(hosts, extent);
    if (hosts + dimensions * (extent - 1) * cables > radix) continue;
    std::string extents = fmt::format("{}", extent);
    for (int i = 1; i < dimensions; ++i) extents += fmt::format("x{}", extent);
    keep_smaller(best, {switches, fmt::format("hosts({}, hyperx:{}{})", hosts, extents,
                                              cables == 1 ? "" : fmt::format(",{}", cables))});
  }
  return best;
}

// Any two switches share cables, so that nothing stands between hosts but their own two: the fewest
// switches, each with `hosts / switches / per_cable` cables to every other, which is all uniform
// traffic of its hosts takes where per_cable is 1. Ports that are left are cables, too, up to that.
std::optional<Sized> all_joined(std::int64_t nodes, std::int64_t radix, std::int64_t per_cable) {
  for (std::int64_t switches = 2; switches <= radix; ++switches) {
    const std::int64_t hosts = divided_up(nodes, switches), others = switches - 1;
    const std::int64_t least = divided_up(hosts, switches * per_cable);
    if (hosts + others * least > radix) continue;
    const std::int64_t cables = std::min(divided_up(hosts, switches), (radix - hosts) / others);
    return Sized{switches, fmt::format("hosts({}, hyperx:{}{})", hosts, switches,
                                       cables == 1 ? "" : fmt::format(",{}", cables))};
  }
  return std::nullopt;
}

// Empty where none reaches the size.
std::vector<CandidateNetwork> reaching(const DesignAsked& asked, std::int64_t radix) {
  const std::int64_t nodes = asked.nodes;
  std::vector<CandidateNetwork> list;
  const auto add = [&](const std::optional<Sized>& sized, const std::string& origin,
                       bool baseline = false) {
    if (!sized) return;
    std::string topology = asked.ports == 1
                               ? sized->topology
                               : fmt::format("planes({}, {})", asked.ports, sized->topology);
    if (std::ranges::find(list, topology, &CandidateNetwork::topology) == list.end())
      list.push_back({std::move(topology), origin, baseline});
  };
  if (nodes <= radix) {
    add(Sized{1, fmt::format("xgft:1;{};1", nodes)}, "one switch");
    return list;  // nothing is faster or cheaper
  }
  // Three levels where two do not reach: else they are neither faster nor cheaper.
  const auto add_trees = [&](auto make, const char* levels) {
    const auto full = make(nodes, radix, 1);
    add(full, levels, true);
    for (const std::int64_t per_uplink : {2, 3})
      if (const auto tapered = make(nodes, radix, per_uplink))
        if (!full || tapered->switches < full->switches)
          add(tapered, fmt::format("{}, {} : 1", levels, per_uplink));
    return full.has_value();
  };
  if (!add_trees(leaf_spine, "leaf-spine")) add_trees(three_levels, "three-level fat tree");
  const auto joined = all_joined(nodes, radix, 1);
  add(joined, "switches joined to each other");
  for (const std::int64_t per_cable : {2, 3})
    if (const auto tapered = all_joined(nodes, radix, per_cable))
      if (!joined || tapered->switches < joined->switches)
        add(tapered, fmt::format("switches joined to each other, {} : 1", per_cable));
  add(slim_fly(nodes, radix), "Slim Fly");
  add(hyperx(nodes, radix, 2), "HyperX, 2-D");
  add(hyperx(nodes, radix, 3), "HyperX, 3-D");
  add(dragonfly(nodes, radix), "Dragonfly");
  return list;
}

}  // namespace

bool is_prime_power(int q) {
  if (q < 2) return false;
  int p = 2;
  while (p * p <= q && q % p != 0) ++p;
  if (q % p != 0) return true;
  while (q % p == 0) q /= p;
  return q == 1;
}

int slim_fly_degree(int q) {
  const int rest = q % 4;
  return (3 * q - (rest == 1 ? 1 : rest == 3 ? -1 : 0)) / 2;
}

topology::Failures spare_hosts(const topology::BuiltTopology& built, const DesignAsked& asked) {
  const topology::Placement taken = topology::place(
      built.topology,
      {.ranks = asked.nodes, .policy = asked.placement, .seed = asked.network.seed});
  topology::Failures spare;
  const std::set<NodeId> hosts(taken.nodes.begin(), taken.nodes.end());
  for (const NodeId host : built.topology.hosts())
    if (!hosts.contains(host)) spare.nodes.push_back(host.value());
  return spare;
}

std::vector<CandidateNetwork> switched_candidates(const DesignAsked& asked) {
  std::vector<CandidateNetwork> list = reaching(asked, asked.radix);
  if (!list.empty()) return list;
  std::int64_t enough = asked.radix + 1;  // one of as many ports as there are nodes is
  while (reaching(asked, enough).empty()) ++enough;
  throw InvalidInput(fmt::format(
      "no tree of up to three levels, HyperX, Slim Fly or Dragonfly of {}-port switches "
      "holds {} hosts; --radix {} is the least that has one",
      asked.radix, asked.nodes, enough));
}

}  // namespace weft::question
