// Candidates: what can be built of so many nodes and ports.
//
// Direct networks: the finder's Pareto front (fewest steps to least bandwidth factor), and families
// whose shape follows from the number of nodes: of all ways to write it as a product of k extents
// the most even one makes the torus and the Hamming network of k dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/design/network/spliced.hpp"
#include "weft/design/network/switched.hpp"
#include "weft/design/network_design.hpp"
#include "weft/search/finder.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

namespace {

using search::Direction;

// The most even of k factors of n, each 2 or more, descending; empty where there are none.
std::vector<int> most_even_factors(int n, int k) {
  if (k == 1) return n >= 2 ? std::vector<int>{n} : std::vector<int>{};
  std::vector<int> best;
  for (int first = 2; first * 2 <= n; ++first) {
    if (n % first != 0) continue;
    const std::vector<int> others = most_even_factors(n / first, k - 1);
    if (others.empty() || others.front() > first) continue;
    if (!best.empty() && first - others.back() >= best.front() - best.back()) continue;
    best = {first};
    for (const int other : others) best.push_back(other);
  }
  return best;
}

std::string by_x(const std::vector<int>& extents) {
  return fmt::format("{}", fmt::join(extents, "x"));
}

int torus_ports(const std::vector<int>& extents) {
  return std::accumulate(extents.begin(), extents.end(), 0,
                         [](int sum, int extent) { return sum + (extent == 2 ? 1 : 2); });
}

int hamming_ports(const std::vector<int>& extents) {
  return std::accumulate(extents.begin(), extents.end(), 0,
                         [](int sum, int extent) { return sum + extent - 1; });
}

class DirectCandidates {
 public:
  DirectCandidates(int nodes, int ports, Direction direction, const search::Catalogue& catalogue)
      : nodes_(nodes), ports_(ports), direction_(direction), catalogue_(catalogue) {}

  std::vector<CandidateNetwork> list() && {
    add_found();
    add_products();
    add_families();
    add_baselines();
    return std::move(list_);
  }

 private:
  int n() const { return nodes_; }
  int d() const { return ports_; }

  // Under its first origin; a baseline that was found otherwise, too, is still one.
  void add(std::string topology, std::string origin, bool baseline = false) {
    const auto same = std::ranges::find(list_, topology, &CandidateNetwork::topology);
    if (same == list_.end())
      list_.push_back({std::move(topology), std::move(origin), baseline});
    else
      same->baseline = same->baseline || baseline;
  }

  void add_found() {
    const auto found = search::find_topologies(
        catalogue_,
        {.first_nodes = n(), .last_nodes = n(), .degree = d(), .direction = direction_});
    for (const search::FoundFront& size : found)
      for (const search::FoundTopology& line : size.front) add(line.expression, "find");
  }

  void add_products() {
    for (int k = 2; k <= 6; ++k) {
      const std::vector<int> extents = most_even_factors(n(), k);
      if (extents.empty()) break;
      if (torus_ports(extents) <= d() && extents.front() > 2)
        add("torus:" + by_x(extents), fmt::format("{}-D torus", k), k == 2);
      if (hamming_ports(extents) <= d()) add("hamming:" + by_x(extents), "Hamming");
    }
    for (int k = 2; 2 * k * k <= n(); ++k) {
      if (2 * k * k == n() && d() >= 4)
        add(fmt::format("twisted-torus:{}x{}", k, 2 * k), "twisted torus");
      if (d() < 6) continue;
      if (2 * k * k * k == n())
        add(fmt::format("twisted-torus:{0}x{0}x{1}", k, 2 * k), "twisted torus");
      if (4 * k * k * k == n())
        add(fmt::format("twisted-torus:{0}x{1}x{1}", k, 2 * k), "twisted torus");
    }
  }

  void add_families() {
    if (n() - 1 <= d()) add(fmt::format("complete:{}", n()), "all to all");
    if (std::has_single_bit(static_cast<unsigned>(n())) &&
        std::countr_zero(static_cast<unsigned>(n())) <= d() && n() >= 8)
      add(fmt::format("hypercube:{}", std::countr_zero(static_cast<unsigned>(n()))), "hypercube");
    if (n() % 2 == 0 && n() / 2 <= d() && n() >= 4)
      add(fmt::format("bipartite:{0},{0}", n() / 2), "complete bipartite");
    for (int q = 3; 2 * q * q <= n(); ++q)
      if (2 * q * q == n() && is_prime_power(q) && slim_fly_degree(q) <= d())
        add(fmt::format("slimfly:{}", q), "Slim Fly");
    if (d() >= 3 && d() < n() - 1 && n() % 2 * (d() % 2) == 0)
      add(fmt::format("random-regular:{},{},seed=1", n(), d()), "random regular");
    if (n() % 2 * (d() % 2) == 1 && d() >= 3 && n() - 1 > d())
      for (const CandidateNetwork& spliced : spliced_candidates(n(), d(), catalogue_))
        add(spliced.topology, spliced.origin);
    if (direction_ == Direction::one_way && n() > d())
      add(d() == 1 ? fmt::format("uniring:{}", n()) : fmt::format("genkautz:{},{}", d(), n()),
          d() == 1 ? "one-way ring" : "Kautz");
  }

  void add_baselines() {
    if (d() >= 2 && n() >= 3) add(fmt::format("ring:{}", n()), "ring", true);
    if (d() >= 4 && n() >= 5) add(fmt::format("shifted-ring:{}", n()), "shifted ring", true);
    if (d() >= 4 && n() >= 4)
      add(fmt::format("double-binary-tree:{}", n()), "double binary tree", true);
  }

  int nodes_, ports_;
  Direction direction_;
  const search::Catalogue& catalogue_;
  std::vector<CandidateNetwork> list_;
};

[[noreturn]] void refuse_direct(const DesignQuestion& asked) {
  const bool two_way = asked.direction == Direction::bidirectional;
  const auto nearest = search::nearest_feasible_nodes(asked.nodes, asked.ports, asked.direction);
  throw InvalidInput(fmt::format(
      "no {} network connects {} nodes of {} port{} each ({}); {}", two_way ? "two-way" : "one-way",
      asked.nodes, asked.ports, asked.ports == 1 ? "" : "s",
      asked.ports == 1 && two_way ? "a cable connects only two nodes" : "none is known",
      nearest ? fmt::format("the nearest size that has one is {} nodes", *nearest)
              : "give the nodes more ports"));
}

}  // namespace

std::vector<CandidateNetwork> direct_candidates(int nodes, int ports, Direction direction,
                                                const search::Catalogue& catalogue) {
  return DirectCandidates(nodes, ports, direction, catalogue).list();
}

std::vector<CandidateNetwork> candidate_networks(const DesignQuestion& asked,
                                                 const search::Catalogue& catalogue) {
  require(asked.nodes >= 2 && asked.nodes <= search::kMostFinderNodes,
          "{} cannot be a network (expected 2 to {} nodes)", counted(asked.nodes, "node"),
          search::kMostFinderNodes);
  require(asked.ports >= 1 && asked.ports <= search::kMostFinderDegree,
          "{} ports per node are out of range (1 to {})", asked.ports, search::kMostFinderDegree);
  std::vector<CandidateNetwork> list =
      asked.build == Build::switches
          ? switched_candidates(asked)
          : direct_candidates(asked.nodes, asked.ports, asked.direction, catalogue);
  if (list.empty()) refuse_direct(asked);
  return list;
}

}  // namespace weft::design
