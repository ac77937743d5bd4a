// Which networks have a high all-to-all throughput?
//
// With all links full, throughput is (links) / (sum of distances): the distance bound. So networks
// of a low average distance come first. How near a network gets to its distance bound depends on
// how evenly shortest paths use its links, which takes a flow computation to know. Random regular
// graphs have nearly the least average distance, and load their links nearly evenly. The networks
// with the best allgather often do not: circulant:24,3,4,6,9 has as low an average distance as any
// network of 24 nodes and degree 8, and 0.6 of the throughput.
#include "weft/design/find/alltoall_candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "weft/algorithm/bfb.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/design/find/useful_links.hpp"
#include "weft/design/network_design.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

namespace {

using search::FoundTopology;

/// A network to choose from; `line` has steps if its allgather is known.
struct Choice {
  FoundTopology line;
  double distance_bound = 0;  // 0: not connected
};

// Networks that are drawn at random: fewer where one takes longer to measure.
std::int64_t draws_of(std::int64_t nodes, std::int64_t degree) {
  constexpr std::int64_t kWork = std::int64_t{1} << 24;  // links that are looked at from all nodes
  constexpr std::int64_t kMost = 64;
  return std::clamp<std::int64_t>(kWork / (nodes * nodes * degree), 2, kMost);
}

// Flows of larger networks take longer to find.
std::size_t lines_of(int nodes) {
  if (nodes <= 64) return 24;
  if (nodes <= 256) return 16;
  return nodes <= 512 ? 8 : 4;
}

class Choices {
 public:
  Choices(const search::FoundFront& front, const FindQuestion& asked,
          const search::Catalogue& catalogue)
      : nodes_(front.nodes),
        degree_(static_cast<int>(asked.degree)),
        direction_(asked.direction()),
        catalogue_(catalogue) {
    for (const FoundTopology& line : front.front) add(line);
    add_bases();
    add_families();
    add_random();
    add_circulants();
  }

  std::vector<Choice> list() && { return std::move(list_); }

 private:
  bool two_way() const { return direction_ == search::Direction::bidirectional; }

  void add(FoundTopology line) {
    const auto same = [&](const Choice& known) { return known.line.expression == line.expression; };
    if (std::ranges::none_of(list_, same)) list_.push_back({.line = std::move(line)});
  }
  void add(std::string expression, std::string source) {
    add({.expression = std::move(expression),
         .facts = {},
         .algorithm = search::ReachedBy::bfb,
         .source = std::move(source)});
  }

  void add_bases() {
    for (search::CatalogueEntry& base : catalogue_.bases(nodes_, degree_))
      if (base.cabled || !two_way())
        add({.expression = std::move(base.expression),
             .facts = base.facts,
             .algorithm = base.algorithm,
             .source = std::move(base.source)});
  }

  void add_families() {
    const auto candidates = direct_candidates(nodes_, degree_, direction_, catalogue_);
    for (const CandidateNetwork& candidate : candidates)
      if (candidate.origin != "find") add(candidate.topology, "family: " + candidate.origin);
    const int half = degree_ / 2;
    if (two_way() && degree_ % 2 == 0 && half >= 2 && nodes_ > half)
      add(fmt::format("bidirectional(genkautz:{},{})", half, nodes_), "family: generalized Kautz");
  }

  void add_random() {
    if (!two_way() || degree_ < 3 || degree_ >= nodes_ - 1) return;
    if (std::int64_t{nodes_} * degree_ % 2 != 0) return;  // spliced networks are among the families
    for (std::int64_t seed = draws_of(nodes_, degree_); seed > 0; --seed)
      add(fmt::format("random-regular:{},{},seed={}", nodes_, degree_, seed),
          "family: random regular");
  }

  // Sets of jumps without a repeated one; of odd degree with the jump to the opposite node.
  void add_circulants() {
    const int jumps = degree_ / 2, largest = (nodes_ - 1) / 2;
    if (!two_way() || jumps < 2 || jumps > largest) return;
    if (degree_ % 2 == 1 && nodes_ % 2 == 1) return;
    const Rng rng = Rng(1).split(static_cast<std::uint64_t>(nodes_));
    for (std::int64_t draw = draws_of(nodes_, degree_); draw > 0; --draw) {
      Rng own = rng.split(static_cast<std::uint64_t>(draw));
      std::vector<int> drawn;
      while (std::ssize(drawn) < jumps) {
        const int jump = 1 + static_cast<int>(own.below(largest));
        if (std::ranges::find(drawn, jump) == drawn.end()) drawn.push_back(jump);
      }
      std::ranges::sort(drawn);
      if (degree_ % 2 == 1) drawn.push_back(nodes_ / 2);
      add(fmt::format("circulant:{},{}", nodes_, fmt::join(drawn, ",")), "family: circulant");
    }
  }

  int nodes_, degree_;
  search::Direction direction_;
  const search::Catalogue& catalogue_;
  std::vector<Choice> list_;
};

// Leaves the ports idle that the network has no links for, so that its bandwidth factor counts the
// bandwidth of all ports.
void fill_ports(FoundTopology& line, const Topology& topology, int degree) {
  if (line.idle_ports > 0 || topology.nominal_degree() >= degree) return;
  line.idle_ports = degree - topology.nominal_degree();
  line.expression = fmt::format("idle({}, {})", line.idle_ports, line.expression);
  line.facts = {};
}

void measure(Choice& choice, int degree) {
  const Topology topology = topology::make_topology(choice.line.expression);
  const auto distances = analysis::summarize_distances(topology);
  if (!distances.connected()) return;
  choice.distance_bound =
      static_cast<double>(useful_links(topology)) / static_cast<double>(distances.sum());
  fill_ports(choice.line, topology, degree);
}

void add_allgather(FoundTopology& line, int degree) {
  constexpr std::int64_t kMostWork = std::int64_t{1} << 27;  // links that are looked at
  const Topology topology = topology::make_topology(line.expression);
  const std::int64_t nodes = topology.node_count();
  if (line.facts.steps > 0 || nodes * nodes * degree > kMostWork) return;
  const algorithm::BfbCost cost = algorithm::bfb_cost(topology);
  line.facts = {.nodes = nodes,
                .degree = degree,
                .steps = cost.steps,
                .bandwidth_factor = cost.exact_bandwidth_factor,
                .bfb = true,
                .reversible = analysis::is_bidirectional(topology)};
  line.algorithm = search::ReachedBy::bfb;
}

}  // namespace

AlltoallCandidates alltoall_candidates(const search::FoundFront& front, const FindQuestion& asked,
                                       const search::Catalogue& catalogue) {
  if (front.front.empty()) return {};
  constexpr int kOfOneSource = 3;
  const auto degree = static_cast<int>(asked.degree);
  std::vector<Choice> choices = Choices(front, asked, catalogue).list();
  parallel_for(std::ssize(choices), [&](std::int64_t i) { measure(choices[i], degree); });
  std::erase_if(choices, [](const Choice& choice) { return choice.distance_bound == 0; });
  std::ranges::stable_sort(choices, std::ranges::greater(), &Choice::distance_bound);
  AlltoallCandidates result{.lines = {}, .known = choices.size()};
  std::map<std::string, int> of_source;
  for (Choice& choice : choices) {
    if (result.lines.size() == lines_of(front.nodes)) break;
    if (++of_source[choice.line.source] > kOfOneSource) continue;
    add_allgather(choice.line, degree);
    result.lines.push_back(std::move(choice.line));
  }
  return result;
}

}  // namespace weft::design
