#include <algorithm>
#include <bit>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/search/graph_search_kernel.hpp"

namespace weft::search {

std::int64_t units_per_shard(int degree) {
  WEFT_ASSERT(degree >= 1 && degree <= kMostDegree);
  std::int64_t units = 1;
  for (std::int64_t i = 2; i <= degree; ++i) units = std::lcm(units, i);
  return units;
}

Rational bandwidth_factor(std::int64_t load, int nodes, int degree) {
  WEFT_ASSERT(load >= 0 && nodes >= 1);
  return Rational(load * degree, nodes * units_per_shard(degree));
}

InNeighbours in_neighbours(const Topology& topology) {
  const auto nodes = static_cast<std::size_t>(topology.node_count());
  const auto degree = static_cast<std::size_t>(topology.nominal_degree());
  InNeighbours graph{topology.node_count(),
                     std::vector<std::vector<Node>>(degree, std::vector<Node>(nodes))};
  for (const NodeId node : topology.nodes()) {
    const auto links = topology.in_links(node);
    require(links.size() == degree, "{} is not regular; the search supports only regular networks",
            topology.name());
    for (std::size_t r = 0; r < degree; ++r)
      graph.rows[r][node.index()] = static_cast<Node>(topology.tail(links[r]).value());
  }
  return graph;
}

CandidateKernel::CandidateKernel(int nodes, int degree)
    : nodes_(nodes),
      degree_(degree),
      growth_(degree),
      units_per_shard_(units_per_shard(degree)),
      units_per_link_(units_per_shard_ / degree),
      queue_(static_cast<std::size_t>(nodes) + 1),  // the search writes one entry past its end
      masks_(static_cast<std::size_t>(nodes)),
      settled_(nodes),
      histogram_(std::size_t{1} << degree),
      share_(histogram_.size()) {
  WEFT_ASSERT(nodes >= 2 && nodes <= kMostNodes);
  for (std::size_t set = 1; set < share_.size(); ++set)
    share_[set] = static_cast<std::uint32_t>(units_per_shard_ / std::popcount(set));
}

// U_t of the nodes queue[first, last), in units: their masks' histogram, summed over subsets.
std::int64_t CandidateKernel::layer_load(std::size_t first, std::size_t last,
                                         const std::uint8_t* masks) {
  std::fill(histogram_.begin(), histogram_.end(), 0u);
  for (std::size_t i = first; i < last; ++i) ++histogram_[masks[queue_[i]]];
  const std::size_t sets = histogram_.size();
  for (std::size_t bit = 1; bit < sets; bit *= 2)
    for (std::size_t block = 0; block < sets; block += 2 * bit)
      for (std::size_t set = block; set < block + bit; ++set)
        histogram_[set + bit] += histogram_[set];
  std::uint32_t load = 0;
  for (std::size_t set = 1; set < sets; ++set) load = std::max(load, histogram_[set] * share_[set]);
  return load;
}

// The fewest steps in all when `done` are over, the last reached `layer` nodes and `left` remain.
int CandidateKernel::least_steps(int done, std::size_t layer, std::size_t left) const {
  const auto growth = static_cast<std::size_t>(growth_);
  std::size_t reach = layer;
  while (left > 0) {
    ++done;
    reach *= growth;
    if (reach <= 1) return done + static_cast<int>(left) - 1;  // a path
    left -= std::min(left, reach);
  }
  return done;
}

std::optional<CandidateCost> CandidateKernel::cayley(std::span<const Node* const> next,
                                                     const ParetoTargets& targets) {
  WEFT_ASSERT(std::ssize(next) == degree_);
  const auto nodes = static_cast<std::size_t>(nodes_);
  std::fill(masks_.begin(), masks_.end(), std::uint8_t{0});
  std::uint8_t* const masks = masks_.data();
  Node* const queue = queue_.data();
  queue[0] = 0;
  masks[0] = 0xff;
  CandidateCost cost;
  for (std::size_t first = 0, last = 1; last < nodes;) {
    std::size_t end = last;
    for (std::size_t i = first; i < last; ++i) {
      const Node y = queue[i];
      for (int s = 0; s < degree_; ++s) {
        // A node of an earlier layer keeps collecting bits, which nobody reads any more.
        const Node x = next[s][y];
        const std::uint8_t mask = masks[x];
        queue[end] = x;
        end += static_cast<std::size_t>(mask == 0);
        masks[x] = static_cast<std::uint8_t>(mask | (1u << s));
      }
    }
    if (end == last) return std::nullopt;
    ++cost.steps;
    cost.load += layer_load(last, end, masks);
    const std::size_t left = nodes - end;
    if (!targets.open(least_steps(cost.steps, end - last, left),
                      cost.load + static_cast<std::int64_t>(left) * units_per_link_))
      return std::nullopt;
    first = last;
    last = end;
  }
  return cost;
}

// Raises the load of a step to what one more root needs; says by how much.
std::int64_t CandidateKernel::settle(std::size_t step, std::int64_t load) {
  if (step_loads_.size() <= step) step_loads_.resize(step + 1, 0);
  const std::int64_t more = std::max<std::int64_t>(0, load - step_loads_[step]);
  step_loads_[step] += more;
  return more;
}

// The first layer: the tails of the root's in-links, each link a bit of its own.
void CandidateKernel::add_in_links(const InNeighbours& graph, Node root) {
  for (int r = 0; r < degree_; ++r) {
    const Node tail = graph.rows[r][root];
    masks_[tail] = static_cast<std::uint8_t>(masks_[tail] | (1u << r));
  }
}

bool CandidateKernel::search_backwards(const InNeighbours& graph, Node root,
                                       const ParetoTargets& targets) {
  const auto nodes = static_cast<std::size_t>(nodes_);
  std::fill(masks_.begin(), masks_.end(), std::uint8_t{0});
  std::uint8_t* const masks = masks_.data();
  Node* const queue = queue_.data();
  queue[0] = root;
  add_in_links(graph, root);
  masks[root] = 0xff;
  std::size_t end = 1;
  for (const auto& row : graph.rows) {
    const Node tail = row[root];
    if (std::find(queue, queue + end, tail) == queue + end) queue[end++] = tail;
  }
  // Summed over all steps known from earlier roots; the steps still to come count at least that.
  std::int64_t load = std::accumulate(step_loads_.begin(), step_loads_.end(), std::int64_t{0});
  std::int64_t own = 0;
  for (std::size_t first = 0, last = 1, step = 0;; ++step) {
    if (end == last) return false;
    const std::int64_t layer = layer_load(last, end, masks);
    own += layer;
    load += settle(step, layer);
    const std::size_t left = nodes - end;
    const std::int64_t bound =
        std::max(load, own + static_cast<std::int64_t>(left) * units_per_link_);
    const int steps = std::max(static_cast<int>(step_loads_.size()),
                               least_steps(static_cast<int>(step) + 1, end - last, left));
    if (!targets.open(steps, bound)) return false;
    if (left == 0) return true;
    first = last;
    last = end;
    for (std::size_t i = first; i < last; ++i) settled_[queue[i]] = masks[queue[i]];
    for (std::size_t i = first; i < last; ++i) {
      const Node x = queue[i];
      const std::uint8_t handed = settled_[x];
      for (const auto& row : graph.rows) {
        const Node v = row[x];
        const std::uint8_t mask = masks[v];
        queue[end] = v;
        end += static_cast<std::size_t>(mask == 0);
        masks[v] = static_cast<std::uint8_t>(mask | handed);
      }
    }
  }
}

std::int64_t CandidateKernel::far_pairs(const InNeighbours& graph, std::span<const Node> roots,
                                        int steps, std::int64_t limit) {
  WEFT_ASSERT(graph.nodes == nodes_ && steps >= 0);
  std::uint8_t* const seen = masks_.data();
  Node* const queue = queue_.data();
  std::int64_t far = 0;
  for (const Node root : roots) {
    std::fill(masks_.begin(), masks_.end(), std::uint8_t{0});
    queue[0] = root;
    seen[root] = 1;
    std::size_t first = 0, last = 1;
    for (int step = 0; step < steps && first < last; ++step) {
      std::size_t end = last;
      for (std::size_t i = first; i < last; ++i) {
        for (const auto& row : graph.rows) {
          const Node v = row[queue[i]];
          queue[end] = v;
          end += static_cast<std::size_t>(seen[v] == 0);
          seen[v] = 1;
        }
      }
      first = last;
      last = end;
    }
    far += nodes_ - static_cast<std::int64_t>(last);
    if (far > limit) break;
  }
  return far;
}

std::optional<CandidateCost> CandidateKernel::rooted(const InNeighbours& graph,
                                                     std::span<const Node> roots,
                                                     const ParetoTargets& targets) {
  WEFT_ASSERT(graph.nodes == nodes_ && std::ssize(graph.rows) == degree_ && !roots.empty());
  step_loads_.clear();
  for (const Node root : roots)
    if (!search_backwards(graph, root, targets)) return std::nullopt;
  CandidateCost cost;
  cost.steps = static_cast<int>(step_loads_.size());
  cost.load = std::accumulate(step_loads_.begin(), step_loads_.end(), std::int64_t{0});
  return cost;
}

}  // namespace weft::search
