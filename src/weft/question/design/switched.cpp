#include "weft/question/design/switched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "weft/base/error.hpp"

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

// Hosts a leaf: as many as fit, or a few less so that all leaves have as many.
std::int64_t hosts_of_leaf(std::int64_t nodes, std::int64_t most) {
  for (std::int64_t hosts = most; 4 * hosts >= 3 * most && hosts >= 1; --hosts)
    if (nodes % hosts == 0) return hosts;
  return divided_up(nodes, divided_up(nodes, most));
}

// `per_uplink` hosts for each uplink of a leaf.
std::optional<Sized> leaf_spine(std::int64_t nodes, std::int64_t radix, std::int64_t per_uplink) {
  const std::int64_t hosts = hosts_of_leaf(nodes, radix * per_uplink / (per_uplink + 1));
  const std::int64_t leaves = divided_up(nodes, hosts);
  if (leaves < 2 || leaves > radix) return std::nullopt;
  const std::int64_t wanted = divided_up(hosts, per_uplink);
  std::optional<Sized> best;
  for (std::int64_t cables = 1; cables * leaves <= radix; ++cables) {  // of a leaf to each spine
    const std::int64_t spines = divided_up(wanted, cables);
    if (hosts + spines * cables > radix) continue;
    keep_smaller(
        best,
        {leaves + spines,
         cables == 1 ? fmt::format("leaf-spine:leaves={},spines={},hosts={}", leaves, spines, hosts)
                     : fmt::format("leaf-spine:leaves={},spines={},hosts={},uplinks={}", leaves,
                                   spines, hosts, spines * cables)});
  }
  return best;
}

// Pods of as many leaves as spines, half of each switch's ports up.
std::optional<Sized> three_levels(std::int64_t nodes, std::int64_t radix) {
  const std::int64_t half = radix / 2;
  if (half < 2) return std::nullopt;
  std::optional<Sized> best;
  for (std::int64_t leaves = 2; leaves <= half; ++leaves) {
    const std::int64_t hosts = std::min(half, divided_up(nodes, leaves));
    const std::int64_t pods = divided_up(nodes, leaves * hosts);
    if (pods < 2 || pods > radix) continue;
    // A spine has as many cables up as down; a core one to each pod.
    const std::int64_t spines = hosts, cores = spines * leaves;
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

// As many hosts a switch as its rows are long: their bisection is theirs.
std::optional<Sized> hyperx(std::int64_t nodes, std::int64_t radix, int dimensions) {
  std::int64_t switches = 1;
  for (std::int64_t extent = 2; dimensions * (extent - 1) < radix; ++extent) {
    switches = 1;
    for (int i = 0; i < dimensions; ++i) switches *= extent;
    const std::int64_t hosts = divided_up(nodes, switches);
    if (hosts <= std::min(radix - dimensions * (extent - 1), extent))
      return Sized{switches, fmt::format("hosts({}, hyperx:{}{})", hosts, extent,
                                         dimensions == 2 ? fmt::format("x{}", extent)
                                                         : fmt::format("x{0}x{0}", extent))};
  }
  return std::nullopt;
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

std::vector<CandidateNetwork> switched_candidates(const DesignAsked& asked) {
  const std::int64_t nodes = asked.nodes, radix = asked.radix;
  std::vector<CandidateNetwork> list;
  const auto add = [&](const std::optional<Sized>& sized, const char* origin,
                       bool baseline = false) {
    if (!sized) return;
    list.push_back({asked.ports == 1 ? sized->topology
                                     : fmt::format("planes({}, {})", asked.ports, sized->topology),
                    origin, baseline});
  };
  if (nodes <= radix) {
    add(Sized{1, fmt::format("xgft:1;{};1", nodes)}, "one switch");
    return list;  // nothing is faster or cheaper
  }
  add(leaf_spine(nodes, radix, 1), "leaf-spine", true);
  add(leaf_spine(nodes, radix, 2), "leaf-spine, 2 : 1");
  add(three_levels(nodes, radix), "three-level fat tree", list.empty());
  add(slim_fly(nodes, radix), "Slim Fly");
  add(hyperx(nodes, radix, 2), "HyperX, 2-D");
  add(hyperx(nodes, radix, 3), "HyperX, 3-D");
  add(dragonfly(nodes, radix), "Dragonfly");
  require(!list.empty(),
          "no network of {}-port switches holds {} hosts (a fat tree of three levels has {}); give "
          "switches of more ports: --radix",
          radix, nodes, radix * (radix / 2) * (radix / 2));
  return list;
}

}  // namespace weft::question
