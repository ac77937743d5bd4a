// What sends cost: loads per link and step, and whether line graphs of the network cost what
// theorem 7 says (expansion_algebra.hpp, `tight`).
#include <algorithm>
#include <numeric>

#include "sends.hpp"
#include "weft/base/checked.hpp"

namespace weft::algorithm {

namespace {

// Looks for endless walks that keep out of some nodes.
class EndlessWalk {
 public:
  explicit EndlessWalk(const View& view)
      : view_(view), mark_(static_cast<std::size_t>(view.topology().node_count()), 0) {}

  /// Whether one leads from `start` through nodes that are no source of `avoided`.
  bool exists(NodeId start, std::span<const Send> avoided) {
    round_ += 2;
    for (const Send& send : avoided) mark_[static_cast<std::size_t>(send.source)] = round_ + 1;
    // The nodes that a walk can reach, then those of them from which it cannot go on, taken away
    // until none is left: what stays has a cycle.
    reach(start);
    std::vector<std::int32_t> ways(reached_.size(), 0);
    for (std::size_t i = 0; i < reached_.size(); ++i)
      view_.leaving(reached_[i], [&](LinkId link) {
        if (is_reached(view_.arrival(link))) ++ways[i];
      });
    return any_cycle(ways);
  }

 private:
  bool is_reached(NodeId node) const { return mark_[node.index()] == round_; }

  void reach(NodeId start) {
    reached_.clear();
    visit(start);
    for (std::size_t i = 0; i < reached_.size(); ++i)
      view_.leaving(reached_[i], [&](LinkId link) { visit(view_.arrival(link)); });
  }
  void visit(NodeId node) {
    if (mark_[node.index()] >= round_) return;
    mark_[node.index()] = round_;
    place_.resize(mark_.size());
    place_[node.index()] = reached_.size();
    reached_.push_back(node);
  }

  bool any_cycle(std::vector<std::int32_t>& ways) const {
    std::vector<std::size_t> dead;
    for (std::size_t i = 0; i < ways.size(); ++i)
      if (ways[i] == 0) dead.push_back(i);
    for (std::size_t next = 0; next < dead.size(); ++next)
      view_.arriving(reached_[dead[next]], [&](LinkId link) {
        const NodeId before = view_.departure(link);
        if (is_reached(before) && --ways[place_[before.index()]] == 0)
          dead.push_back(place_[before.index()]);
      });
    return dead.size() < ways.size();
  }

  const View& view_;
  std::vector<std::int64_t> mark_;  // round_: reached, round_ + 1: avoided, in this round
  std::vector<NodeId> reached_;
  std::vector<std::size_t> place_;  // in reached_
  std::int64_t round_ = 0;
};

std::int64_t load_of(std::span<const Send> sends) {
  return std::accumulate(sends.begin(), sends.end(), std::int64_t{0},
                         [](std::int64_t sum, const Send& send) { return sum + send.count; });
}

std::vector<std::int64_t> largest_loads(const SendsByLink& sends, std::int32_t steps,
                                        const Topology& topology) {
  std::vector<std::int64_t> largest(static_cast<std::size_t>(steps), 0);
  for (std::int32_t t = 0; t < steps; ++t)
    for (const LinkId link : topology.links())
      largest[static_cast<std::size_t>(t)] =
          std::max(largest[static_cast<std::size_t>(t)], load_of(sends.of(t, link)));
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
  const Topology& topology = view.topology();
  Prediction result = describe(view);
  result.steps = sends.steps;
  const SendsByLink by_link(sends, topology.link_count());
  const std::vector<std::int64_t> loads = largest_loads(by_link, sends.steps, topology);
  result.bandwidth_factor = Rational(std::accumulate(loads.begin(), loads.end(), std::int64_t{0}),
                                     checked_mul(topology.node_count(), sends.units)) *
                            result.degree;
  EndlessWalk walk(view);
  const auto has_tight_link = [&](std::int32_t t) {
    for (const LinkId link : topology.links()) {
      const auto sent = by_link.of(t, link);
      if (load_of(sent) == loads[static_cast<std::size_t>(t)] &&
          walk.exists(view.arrival(link), sent))
        return true;
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
