// What sends cost: loads per link and step, and whether line graphs of the network cost what
// theorem 7 says (expansion_algebra.hpp, `tight`).
#include <algorithm>
#include <numeric>

#include "sends.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/endless_walk.hpp"

namespace weft::algorithm {

namespace {

graph::Rows<std::int32_t> heads_of(const View& view) {
  graph::Rows<std::int32_t> heads;
  for (const NodeId node : view.topology().nodes()) {
    view.leaving(node, [&](LinkId link) { heads.add(view.arrival(link).value()); });
    heads.end_row();
  }
  return heads;
}

std::int64_t load_of(std::span<const Send> sends) {
  return std::accumulate(sends.begin(), sends.end(), std::int64_t{0},
                         [](std::int64_t sum, const Send& send) { return sum + send.count; });
}

std::vector<std::int64_t> largest_loads(const SendsByLink& sends, std::int32_t steps,
                                        const Topology& topology) {
  std::vector<std::int64_t> largest(steps, 0);
  for (std::int32_t t = 0; t < steps; ++t)
    for (const LinkId link : topology.links())
      largest[t] = std::max(largest[t], load_of(sends.of(t, link)));
  return largest;
}

bool is_regular(const Topology& topology) {
  for (const NodeId node : topology.nodes())
    if (topology.out_degree(node) != topology.nominal_degree() ||
        topology.in_degree(node) != topology.nominal_degree())
      return false;
  return true;
}

// Fills in loops, parallel and branching.
void look_at_links(const View& view, Prediction& facts) {
  facts.branching = true;
  std::vector<NodeId> heads;
  for (const NodeId node : view.topology().nodes()) {
    heads.clear();
    view.leaving(node, [&](LinkId link) { heads.push_back(view.arrival(link)); });
    std::sort(heads.begin(), heads.end());
    const auto distinct = std::unique(heads.begin(), heads.end());
    facts.parallel = facts.parallel || distinct != heads.end();
    facts.loops = facts.loops || std::binary_search(heads.begin(), distinct, node);
    if (distinct - heads.begin() < 2) facts.branching = false;
  }
}

}  // namespace

Prediction describe(const View& view) {
  Prediction result{.nodes = view.topology().node_count(),
                    .degree = view.topology().nominal_degree(),
                    .regular = is_regular(view.topology())};
  look_at_links(view, result);
  return result;
}

bool is_undirected(const Topology& topology) {
  std::vector<std::int64_t> along, against;
  const std::int64_t n = topology.node_count();
  for (const LinkId link : topology.links()) {
    const std::int64_t tail = topology.tail(link).value(), head = topology.head(link).value();
    along.push_back(tail * n + head);
    against.push_back(head * n + tail);
  }
  std::sort(along.begin(), along.end());
  std::sort(against.begin(), against.end());
  return along == against;
}

Prediction measure(const Sends& sends, const View& view) {
  WEFT_ASSERT(sends.units >= 1 && sends.steps >= 0);
  const Topology& topology = view.topology();
  Prediction result = describe(view);
  result.steps = sends.steps;
  const SendsByLink by_link(sends, topology.link_count());
  const std::vector<std::int64_t> loads = largest_loads(by_link, sends.steps, topology);
  result.bandwidth_factor = Rational(std::accumulate(loads.begin(), loads.end(), std::int64_t{0}),
                                     checked_mul(topology.node_count(), sends.units)) *
                            result.degree;
  const graph::Rows<std::int32_t> heads = heads_of(view);
  graph::EndlessWalk walk(heads);
  std::vector<std::int32_t> sender_of(result.nodes,
                                      -1);  // its last round
  std::int32_t round = -1;
  const auto has_tight_link = [&](std::int32_t t) {
    for (const LinkId link : topology.links()) {
      const auto sent = by_link.of(t, link);
      if (load_of(sent) != loads[t]) continue;
      ++round;
      for (const Send& send : sent) sender_of[send.source] = round;
      const std::int32_t start = view.arrival(link).value();
      const auto is_sender = [&](std::int32_t node) { return sender_of[node] == round; };
      if (!is_sender(start) && walk.exists(start, is_sender)) return true;
    }
    return false;
  };
  result.tight = true;
  for (std::int32_t t = 0; t < sends.steps && result.tight; ++t) result.tight = has_tight_link(t);
  return result;
}

std::vector<Rational> step_loads(const Sends& sends, const Topology& topology) {
  std::vector<Rational> result;
  for (const std::int64_t load :
       largest_loads(SendsByLink(sends, topology.link_count()), sends.steps, topology))
    result.emplace_back(load, sends.units);
  return result;
}

}  // namespace weft::algorithm
