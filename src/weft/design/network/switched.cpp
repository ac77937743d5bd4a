#include "weft/design/network/switched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/design/network/bill.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

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

// `per_uplink` hosts for each uplink of a leaf. Hosts are spread over the leaves, so that a leaf
// has no more uplinks than its hosts fill, but for those that make all spines equal. Of as few
// switches those with the fewest uplinks; leaves are not emptied below three quarters to save a
// spine.
std::optional<Sized> leaf_spine(std::int64_t nodes, std::int64_t radix, std::int64_t per_uplink) {
  const std::int64_t most = radix * per_uplink / (per_uplink + 1);
  if (most < 1) return std::nullopt;
  const std::int64_t fewest = std::max<std::int64_t>(divided_up(nodes, most), 2);
  const std::int64_t enough = std::max(divided_up(nodes, divided_up(3 * most, 4)), fewest);
  std::optional<Sized> best;
  std::int64_t least_uplinks = 0;  // of all leaves
  for (std::int64_t leaves = fewest; leaves <= std::min(enough, radix); ++leaves) {
    const std::int64_t hosts = divided_up(nodes, leaves), wanted = divided_up(hosts, per_uplink);
    for (std::int64_t spines = 1; spines <= wanted; ++spines) {
      const std::int64_t cables = divided_up(wanted, spines);  // of a leaf to each spine
      const std::int64_t switches = leaves + spines, uplinks = leaves * spines * cables;
      if (cables * leaves > radix || hosts + spines * cables > radix) continue;
      if (best && std::pair(best->switches, least_uplinks) <= std::pair(switches, uplinks))
        continue;
      least_uplinks = uplinks;
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
    if (most < 1) break;
    const std::int64_t pods = divided_up(nodes, leaves * std::min(most, divided_up(nodes, leaves)));
    const std::int64_t hosts = divided_up(nodes, pods * leaves);
    const std::int64_t spines = divided_up(hosts, per_uplink), cores = spines * leaves;
    if (pods < 2 || pods > radix || hosts + spines > radix) continue;
    keep_smaller(best, {pods * (leaves + spines) + cores,
                        fmt::format("clos:pods={},leaves={},spines={},cores={},hosts={}", pods,
                                    leaves, spines, cores, hosts)});
  }
  return best;
}

// a = 2 p = 2 h, the balanced one (Kim, Dally, Scott, Abts 2008), of fewer hosts a switch where
// that many are not there.
std::optional<Sized> dragonfly(std::int64_t nodes, std::int64_t radix) {
  std::optional<Sized> best;
  for (std::int64_t h = 1; 4 * h - 1 <= radix; ++h) {
    const std::int64_t a = 2 * h, groups = divided_up(nodes, a * h);
    if (groups < 3 || groups > a * h + 1) continue;
    const std::int64_t hosts = divided_up(nodes, a * groups);  // of a switch
    keep_smaller(best,
                 {a * groups, fmt::format("dragonfly:a={},p={},h={},g={}", a, hosts, h, groups)});
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
std::vector<CandidateNetwork> reaching(const DesignQuestion& asked, std::int64_t radix) {
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

double dollars_of(const DesignQuestion& asked, const CandidateNetwork& candidate) {
  topology::BuiltTopology built = topology::build_topology(candidate.topology);
  if (const auto spare = spare_hosts(built, asked); !spare.nodes.empty())
    built = topology::remove_failed(spare, built);
  return bill_of(asked, built.topology).dollars();
}

// Networks of one kind differ little in what they carry, so that each kind is built of the switches
// that make it cheapest, also if these have ports left.
std::vector<CandidateNetwork> cheapest_of_each_kind(const DesignQuestion& asked,
                                                    const std::vector<SwitchModel>& models) {
  struct Priced {
    CandidateNetwork candidate;
    double dollars = 0;
  };
  std::vector<Priced> best;
  for (const SwitchModel& model : models)
    for (CandidateNetwork& candidate : reaching(asked, model.ports)) {
      const double dollars = dollars_of(asked, candidate);
      const auto same = std::ranges::find_if(best, [&](const Priced& other) {
        return other.candidate.origin == candidate.origin ||
               other.candidate.topology == candidate.topology;
      });
      if (same == best.end())
        best.push_back({std::move(candidate), dollars});
      else if (dollars < same->dollars)
        *same = {std::move(candidate), dollars};
    }
  std::vector<CandidateNetwork> list;
  for (Priced& each : best) list.push_back(std::move(each.candidate));
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

topology::Failures spare_hosts(const topology::BuiltTopology& built, const DesignQuestion& asked) {
  const topology::Placement taken = topology::place(
      built.topology,
      {.ranks = asked.nodes, .policy = asked.placement, .seed = asked.network.seed});
  topology::Failures spare;
  const std::set<NodeId> hosts(taken.nodes.begin(), taken.nodes.end());
  for (const NodeId host : built.topology.hosts())
    if (!hosts.contains(host)) spare.nodes.push_back(host.value());
  return spare;
}

std::vector<CandidateNetwork> switched_candidates(const DesignQuestion& asked) {
  const std::vector<SwitchModel> models = switch_models(asked);
  const std::int64_t largest = models.back().ports;
  std::vector<CandidateNetwork> list;
  if (models.size() == 1)
    list = reaching(asked, largest);
  else
    list = cheapest_of_each_kind(asked, models);
  if (!list.empty()) return list;
  std::int64_t enough = largest + 1;  // one of as many ports as there are nodes is
  while (reaching(asked, enough).empty()) ++enough;
  throw InvalidInput(fmt::format(
      "no tree of up to three levels, HyperX, Slim Fly or Dragonfly of {}-port switches "
      "has {} hosts; use --radix {} or more",
      largest, asked.nodes, enough));
}

}  // namespace weft::design
