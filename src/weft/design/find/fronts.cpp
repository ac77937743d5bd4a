// Where nodes and ports are odd, a regular network leaves a port of every node idle, so that the
// finder alone has idle(1, X) with X of a port less: rings for 3 ports. A spliced network leaves
// one port of one node idle. That node receives N - 1 blocks through d - 1 ports, so that T_B is at
// least d/(d-1) times (N-1)/N, as for idle ports at every node; but the steps are as few as those
// of networks of d ports.
#include "weft/design/find/fronts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "weft/design/network/spliced.hpp"
#include "weft/search/found_graphs.hpp"
#include "weft/search/size_search.hpp"

namespace weft::design {

namespace {

using search::FoundFront;
using search::FoundTopology;

bool can_splice(std::int64_t nodes, const FindQuestion& asked) {
  constexpr std::int64_t kMostSplicedNodes = 4096;
  return !asked.one_way && nodes % 2 == 1 && asked.degree % 2 == 1 && asked.degree >= 3 &&
         nodes > asked.degree + 1 && nodes <= kMostSplicedNodes;
}

// More than weft design draws: here the network itself is the answer.
std::int64_t splice_draws(std::int64_t nodes, std::int64_t ports) {
  constexpr std::int64_t kWork = std::int64_t{1} << 26;  // links that are looked at from all nodes
  constexpr std::int64_t kMost = 128;
  return std::clamp<std::int64_t>(kWork / (nodes * nodes * ports), 1, kMost);
}

// BFB on a network whose links all have a reverse costs the same in the other direction.
FoundTopology line_of(const SplicedNetwork& spliced, int nodes, int degree, std::int64_t draws) {
  return {.expression = spliced.topology,
          .facts = {.nodes = nodes,
                    .degree = degree,
                    .steps = spliced.steps,
                    .bandwidth_factor = spliced.bandwidth_factor,
                    .regular = false,
                    .branching = true,
                    .bfb = true,
                    .reversible = true},
          .algorithm = search::ReachedBy::bfb,
          .source = fmt::format("drawn: {}, best of {} draws, seed 1", spliced.origin, draws)};
}

// Keeps the Pareto front, and of equals the first.
void keep_best(std::vector<FoundTopology>& front) {
  std::ranges::stable_sort(front, [](const FoundTopology& a, const FoundTopology& b) {
    return std::tie(a.facts.steps, a.facts.bandwidth_factor) <
           std::tie(b.facts.steps, b.facts.bandwidth_factor);
  });
  std::vector<FoundTopology> best;
  for (FoundTopology& line : front)
    if (best.empty() || line.facts.bandwidth_factor < best.back().facts.bandwidth_factor)
      best.push_back(std::move(line));
  front = std::move(best);
}

void add_spliced(FoundFront& front, const FindQuestion& asked, const search::Catalogue& catalogue) {
  const auto degree = static_cast<int>(asked.degree);
  const std::int64_t draws = splice_draws(front.nodes, degree);
  for (const SplicedNetwork& spliced : spliced_networks(front.nodes, degree, catalogue, draws))
    front.front.push_back(line_of(spliced, front.nodes, degree, draws));
  keep_best(front.front);
}

// The size itself; where it leaves ports idle, networks of a port less and, to splice a node into,
// of a node less.
std::vector<search::SearchedSize> sizes_to_search(const FindQuestion& asked) {
  const auto nodes = static_cast<int>(asked.nodes.front()), degree = static_cast<int>(asked.degree);
  std::vector<search::SearchedSize> sizes;
  const auto add = [&](int size, int ports) {
    const search::SearchedSize each{.nodes = size, .degree = ports, .direction = asked.direction()};
    if (search::can_search(each)) sizes.push_back(each);
  };
  add(nodes, degree);
  if (!sizes.empty() || asked.one_way) return sizes;
  add(nodes, degree - 1);
  if (can_splice(nodes, asked)) add(nodes - 1, degree);
  return sizes;
}

}  // namespace

std::vector<FoundFront> known_fronts(const FindQuestion& asked,
                                     const search::Catalogue& catalogue) {
  auto fronts =
      search::find_topologies(catalogue, {.first_nodes = static_cast<int>(asked.nodes.front()),
                                          .last_nodes = static_cast<int>(asked.nodes.back()),
                                          .degree = static_cast<int>(asked.degree),
                                          .direction = asked.direction()});
  // A list or a doubling range leaves sizes between out.
  std::erase_if(fronts, [&](const FoundFront& front) {
    return !std::ranges::binary_search(asked.nodes, std::int64_t{front.nodes});
  });
  if (asked.nodes.size() <= kFewSizes)
    for (FoundFront& front : fronts)
      if (can_splice(front.nodes, asked)) add_spliced(front, asked, catalogue);
  return fronts;
}

bool is_far_from_bound(const FoundFront& front, const FindQuestion& asked) {
  if (front.front.empty()) return false;  // there may be no bound: cables of one port join pairs
  const int least =
      search::moore_steps(front.nodes, static_cast<int>(asked.degree), asked.direction());
  return std::ranges::any_of(front.front, [&](const FoundTopology& line) {
    return line.facts.steps > 2 * std::int64_t{least};
  });
}

std::optional<FindSearch> search_where_far(const FindQuestion& asked, search::Catalogue& catalogue,
                                           std::vector<FoundFront>& fronts) {
  if (!asked.single() || !is_far_from_bound(fronts.front(), asked)) return std::nullopt;
  const auto sizes = sizes_to_search(asked);
  if (sizes.empty()) return std::nullopt;
  const bool complete = search::add_size_searches(catalogue, sizes);
  fronts = known_fronts(asked, catalogue);
  return FindSearch{.rounds = search::size_search_rounds(fronts.front().nodes),
                    .seed = search::kSizeSearchSeed,
                    .time_limit_s = search::kSizeSearchLimit_s,
                    .complete = complete};
}

}  // namespace weft::design
