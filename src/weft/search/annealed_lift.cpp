// Annealing of lifts of a cyclic group Z_m: N / m orbits of nodes, and links in orbits too.
//
// A link orbit (a, b, v) joins x of orbit a with x + v of orbit b, for every x of Z_m; one from an
// orbit to itself by m / 2 gives each node a single cable. The energy is the number of pairs, of
// one node of each orbit with any other, that are further apart than wanted: zero ends the search.
// A move draws a new voltage or exchanges the ends of two link orbits, so that the degree stays.
// The temperature falls geometrically within a run; a run that ends above zero is followed by
// another from a random start.
//
// Few orbits are quick to cost and poor in graphs; many the other way round. The largest known
// graphs have small groups (12 for the 72 nodes of degree 5), which climbs by voltages alone, of
// the lift source, don't reach: they keep the orbits that their links join.
#include "weft/search/annealed_lift.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/families/lift.hpp"
#include "weft/topology/group/group.hpp"

namespace weft::search {

namespace {

struct LinkOrbit {
  int tail = 0, head = 0, voltage = 0;
};
using Links = std::vector<LinkOrbit>;

class Annealing {
 public:
  explicit Annealing(const AnnealOptions& options)
      : options_(options),
        order_(options.order),
        orbits_(options.nodes / options.order),
        rng_(options.seed),
        distance_(options.nodes),
        neighbours_(options.nodes) {}

  /// Empty where the moves were not enough.
  Links run() {
    for (std::int64_t left = options_.moves; left > 0;) {
      Links links = draw();
      if (links.empty()) return {};
      const std::int64_t moves = std::min(left, moves_of_a_run());
      if (cool(links, moves)) return links;
      left -= moves;
    }
    return {};
  }

 private:
  std::int64_t moves_of_a_run() const {
    constexpr std::int64_t kMost = 400'000, kLeast = 20'000, kNodesVisited = 200'000'000;
    return std::clamp(kNodesVisited / (std::int64_t{orbits_} * options_.nodes), kLeast, kMost);
  }

  int below(int bound) { return static_cast<int>(rng_.below(bound)); }
  bool is_single(const LinkOrbit& link) const {  // its own reverse, or a loop
    return link.tail == link.head && 2 * link.voltage % order_ == 0;
  }
  int opposite(int voltage) const { return (order_ - voltage) % order_; }

  // Ends of links in random pairs; some, and an odd one out, take the cable across their orbit.
  Links draw() {
    constexpr int kTries = 1000;
    std::vector<int> ends;
    for (int orbit = 0; orbit < orbits_; ++orbit) ends.insert(ends.end(), options_.degree, orbit);
    for (int i = 0; i < kTries; ++i) {
      rng_.shuffle(ends);
      Links links;
      std::size_t next = 0;
      if (ends.size() % 2 == 1) links.push_back({ends[next++], ends[0], order_ / 2});
      bool simple = true;
      for (; next < ends.size(); next += 2) {
        const LinkOrbit link{ends[next], ends[next + 1], below(order_)};
        if (order_ % 2 == 0 && link.tail != link.head && below(8) == 0) {
          links.push_back({link.tail, link.tail, order_ / 2});
          links.push_back({link.head, link.head, order_ / 2});
        } else {
          links.push_back(link);
          simple = simple && !is_single(link);
        }
      }
      if (simple) return links;
    }
    return {};
  }

  // Whether the energy came down to zero.
  bool cool(Links& links, std::int64_t moves) {
    const double hot = std::max(1.0, 0.6 * orbits_), cold = 0.15;
    std::int64_t energy = far_pairs(links);
    for (std::int64_t i = 0; i < moves && energy > 0; ++i) {
      const Links before = links;
      if (!move(links)) {
        links = before;
        continue;
      }
      const double temperature =
          hot * std::pow(cold / hot, static_cast<double>(i) / static_cast<double>(moves));
      const std::int64_t now = far_pairs(links);
      const auto worse = static_cast<double>(now - energy);
      if (worse <= 0 || rng_.uniform() < std::exp(-worse / temperature))
        energy = now;
      else
        links = before;
    }
    return energy == 0;
  }

  bool move(Links& links) {
    const int count = static_cast<int>(links.size());
    LinkOrbit& first = links[below(count)];
    if (is_single(first)) return false;
    if (below(3) == 0) {
      first.voltage = below(order_);
      return !is_single(first);
    }
    LinkOrbit& second = links[below(count)];
    if (&first == &second) return false;
    if (is_single(second)) {  // which goes to an end of the first
      const LinkOrbit old = first;
      first = {second.tail, old.head, below(order_)};
      second = {old.tail, old.tail, order_ / 2};
      return !is_single(first);
    }
    if (below(2) == 0) second = {second.head, second.tail, opposite(second.voltage)};
    std::swap(first.head, second.head);
    first.voltage = below(order_);
    if (below(2) == 0) second.voltage = below(order_);
    return !is_single(first) && !is_single(second);
  }

  std::int64_t far_pairs(const Links& links) {
    for (auto& row : neighbours_) row.clear();
    for (const LinkOrbit& link : links)
      for (int x = 0; x < order_; ++x) {
        const int from = link.tail * order_ + x;
        const int to = link.head * order_ + (x + link.voltage) % order_;
        neighbours_[from].push_back(to);
        if (!is_single(link)) neighbours_[to].push_back(from);
      }
    std::int64_t far = 0;
    for (int orbit = 0; orbit < orbits_; ++orbit) far += far_from(orbit * order_);
    return far;
  }

  std::int64_t far_from(int root) {
    std::fill(distance_.begin(), distance_.end(), -1);
    queue_.assign(1, root);
    distance_[root] = 0;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const auto node = static_cast<std::size_t>(queue_[next]);
      if (distance_[node] == options_.steps) break;
      for (const int other : neighbours_[node]) {
        int& distance = distance_[other];
        if (distance >= 0) continue;
        distance = distance_[node] + 1;
        queue_.push_back(other);
      }
    }
    return options_.nodes - std::ssize(queue_);
  }

  const AnnealOptions& options_;
  int order_, orbits_;
  Rng rng_;
  std::vector<int> distance_, queue_;
  std::vector<std::vector<int>> neighbours_;
};

void check(const AnnealOptions& options) {
  require(options.nodes >= 3 && options.nodes <= kMostAnnealedNodes,
          "annealing for {} nodes is out of range (needs 3 to {})", options.nodes,
          kMostAnnealedNodes);
  require(options.degree >= 3 && options.degree <= kMostDegree && options.degree < options.nodes,
          "annealing of degree {} is out of range (needs 3 to {}, and a degree below the "
          "number of nodes)",
          options.degree, kMostDegree);
  require(options.nodes * options.degree % 2 == 0,
          "no two-way graph has {} nodes of degree {} (the product is odd); change one of them",
          options.nodes, options.degree);
  require(options.order >= 1 && options.nodes % options.order == 0,
          "no group of order {} acts on {} nodes without a fixed node; use an order that "
          "divides the number of nodes",
          options.order, options.nodes);
  require(options.steps >= moore_steps(options.nodes, options.degree, Direction::bidirectional),
          "no graph of {} nodes and degree {} has diameter {} (needs at least {})", options.nodes,
          options.degree, options.steps,
          moore_steps(options.nodes, options.degree, Direction::bidirectional));
}

topology::Topology lift_of(const Links& links, int order) {
  std::vector<topology::LiftArc> arcs;
  for (const LinkOrbit& link : links) {
    arcs.push_back({link.tail, link.head, link.voltage});
    if (link.tail != link.head || 2 * link.voltage % order != 0)
      arcs.push_back({link.head, link.tail, (order - link.voltage) % order});
  }
  std::stable_sort(arcs.begin(), arcs.end(),
                   [](const auto& a, const auto& b) { return a.tail < b.tail; });
  return topology::lift(topology::Group::cyclic(order), arcs);
}

}  // namespace

std::optional<SearchResult> anneal_lift(const AnnealOptions& options) {
  check(options);
  const Links links = Annealing(options).run();
  if (links.empty()) return std::nullopt;
  const topology::Topology graph = lift_of(links, options.order);
  std::vector<Node> roots;
  for (int node = 0; node < options.nodes; node += options.order)
    roots.push_back(static_cast<Node>(node));
  const auto cost = CandidateKernel(options.nodes, options.degree)
                        .rooted(in_neighbours(graph), roots, ParetoTargets());
  WEFT_ASSERT(cost && cost->steps <= options.steps);
  return SearchResult{
      .expression = graph.name(),
      .nodes = options.nodes,
      .degree = options.degree,
      .direction = Direction::bidirectional,
      .steps = cost->steps,
      .bandwidth_factor = bandwidth_factor(cost->load, options.nodes, options.degree),
      .seed = options.seed,
      .slice = 0,
      .how = "lift"};
}

}  // namespace weft::search
