// Paths without conflicts in extended generalised fat trees, by edge colouring from the hosts up.
//
// A path is given by its up-digits c_1, c_2, ..., as far up as its ends need. The link that it
// takes up to level l is known by the subtree of level l - 1 that holds its source and by c_1 ...
// c_l, the link down from there by the destination's subtree and the same digits. So once c_1 ...
// c_(l-1) are chosen, the messages which share them, seen as edges between subtrees of level l - 1,
// have to be coloured with w_l colours: a proper colouring is a set of paths without conflict at
// level l, and by Koenig there is one where no subtree has more than w_l messages, in near-linear
// time. A subtree with more is cut into several of w_l each, so that its links get as equal a share
// as possible; where that does not lead to the least contention of c on any link, into c parts.
//
// Where every level has as many links up as hosts below, that is all. Where upper levels are
// slimmed, each colour must also take its share of the messages that leave and that enter every
// subtree further up. Those sets cross the ones of level l - 1 (a message may leave its switch but
// not the larger subtree), and with capacity just enough there are steps without any conflict-free
// paths (tests/network/pattern_aware_test.cpp has one with five messages), so no colouring
// argument covers it. It is reached by repair: in two colours the graph falls into paths and
// cycles, and exchanging the colours along one keeps level l proper while it moves messages
// of the larger sets from one colour to the other. Where that gets stuck, another attempt starts
// from another colouring, and the best of a few is kept. tree_occupation.hpp bounds it from below.
#include "weft/network/routing/tree/tree_phase.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/routing/tree/edge_colouring.hpp"
#include "weft/network/routing/tree/stage_repair.hpp"
#include "weft/network/tree_occupation.hpp"

namespace weft::network {

namespace {

constexpr int kAttempts = 16;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

/// Calls visit(first, last) for each run of equal values of a sorted sequence.
template <class Key, class Visit>
void for_each_run(std::size_t size, const Key& key, const Visit& visit) {
  for (std::size_t first = 0, last = 0; first < size; first = last) {
    while (last < size && key(last) == key(first)) ++last;
    visit(first, last);
  }
}

/// Numbers the subtrees on one side in the order of the tree, cutting each with n messages into
/// parts of at most `width`, and into `parts` where that is more: result[i] belongs to flows[i].
std::vector<std::int32_t> numbered(const std::vector<std::int64_t>& subtree_of, std::int64_t width,
                                   std::int64_t parts) {
  WEFT_ASSERT(width >= 1 && parts >= 1);
  std::vector<std::int32_t> order(subtree_of.size()), number(subtree_of.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::int32_t i) { return subtree_of[at(i)]; });
  std::int32_t next = 0;
  for_each_run(
      order.size(), [&](std::size_t i) { return subtree_of[at(order[i])]; },
      [&](std::size_t first, std::size_t last) {
        const auto n = static_cast<std::int64_t>(last - first);
        const std::int64_t most = std::min(width, (n + parts - 1) / parts);
        for (std::size_t i = first; i < last; ++i)
          number[at(order[i])] = next + static_cast<std::int32_t>((i - first) / at(most));
        next += static_cast<std::int32_t>((n + most - 1) / most);
      });
  return number;
}

class Attempt {
 public:
  Attempt(const UpDownPaths& paths, std::span<const Flow> step, std::int64_t contention,
          std::int64_t parts, Rng rng)
      : paths_(paths), step_(step), contention_(contention), parts_(parts), rng_(rng) {
    digits_.assign(step.size() * paths.height(), 0);
    std::vector<std::int32_t> moving;
    for (std::size_t i = 0; i < step.size(); ++i) {
      top_.push_back(static_cast<std::int32_t>(paths.meeting_level(step[i])));
      if (top_.back() > 0) moving.push_back(static_cast<std::int32_t>(i));
    }
    // Messages that go far come first, so that an Euler split pairs them with each other.
    rng_.shuffle(moving);
    std::ranges::stable_sort(moving, std::ranges::greater(),
                             [&](std::int32_t i) { return top_[at(i)]; });
    if (!moving.empty()) choose(moving, 1);
  }

  TreePhase take() && { return {std::move(digits_), busiest_}; }

 private:
  /// Chooses c_level and those above for messages that share the digits below and reach the level.
  void choose(const std::vector<std::int32_t>& flows, std::size_t level) {
    const std::int32_t width = paths_.tree().parents[level - 1];
    const std::int64_t below = paths_.hosts_below(level - 1);
    std::vector<std::int64_t> from, to;
    for (const std::int32_t flow : flows) {
      from.push_back(step_[at(flow)].from.value() / below);
      to.push_back(step_[at(flow)].to.value() / below);
    }
    std::vector<std::vector<std::int32_t>> above(at(width));
    const auto colours =
        coloured(flows, numbered(from, width, parts_), numbered(to, width, parts_), level);
    count_busiest(from, colours, width);
    count_busiest(to, colours, width);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      digits_[at(flows[i]) * paths_.height() + level - 1] = colours[i];
      if (top_[at(flows[i])] > static_cast<std::int32_t>(level))
        above[at(colours[i])].push_back(flows[i]);
    }
    for (const auto& plane : above)
      if (!plane.empty()) choose(plane, level + 1);
  }

  std::vector<std::int32_t> coloured(const std::vector<std::int32_t>& flows,
                                     const std::vector<std::int32_t>& left,
                                     const std::vector<std::int32_t>& right, std::size_t level) {
    const std::int32_t width = paths_.tree().parents[level - 1];
    std::vector<BipartiteEdge> edges;
    for (std::size_t i = 0; i < flows.size(); ++i) edges.push_back({left[i], right[i]});
    auto colours = colour_edges(edges, width);
    if (width == 1 || level == paths_.height()) return colours;
    StageRepair repair(edges, width, std::move(colours));
    std::int64_t capacity = contention_;
    for (std::size_t k = level + 1; k <= paths_.height(); ++k) {
      capacity *= paths_.tree().parents[k - 1];
      const std::int64_t below = paths_.hosts_below(k - 1);
      for (std::size_t i = 0; i < flows.size(); ++i) {
        if (top_[at(flows[i])] < static_cast<std::int32_t>(k)) continue;
        const Flow& flow = step_[at(flows[i])];
        repair.add(static_cast<std::int32_t>(i), flow.from.value() / below,
                   flow.to.value() / below);
      }
      repair.close_level(capacity);
    }
    return std::move(repair).run(rng_);
  }

  void count_busiest(const std::vector<std::int64_t>& subtree_of,
                     const std::vector<std::int32_t>& colours, std::int64_t width) {
    std::vector<std::int64_t> links;
    for (std::size_t i = 0; i < colours.size(); ++i)
      links.push_back(subtree_of[i] * width + colours[i]);
    std::ranges::sort(links);
    for_each_run(
        links.size(), [&](std::size_t i) { return links[i]; },
        [&](std::size_t first, std::size_t last) {
          busiest_ = std::max(busiest_, static_cast<std::int64_t>(last - first));
        });
  }

  const UpDownPaths& paths_;
  std::span<const Flow> step_;
  std::int64_t contention_;  // aimed at
  std::int64_t parts_;       // into which a subtree's messages are cut at least
  Rng rng_;
  std::vector<std::int32_t> top_;
  std::vector<std::int32_t> digits_;
  std::int64_t busiest_ = 0;
};

}  // namespace

TreePhase choose_paths(const UpDownPaths& paths, std::span<const Flow> step) {
  const std::int64_t least = least_contention(tree_occupation(paths.tree(), step));
  TreePhase best;
  for (int i = 0; i < kAttempts; ++i) {
    TreePhase phase = Attempt(paths, step, least, i < kAttempts / 2 ? 1 : least,
                              Rng(1).split(static_cast<std::uint64_t>(i)))
                          .take();
    if (i == 0 || phase.busiest_link < best.busiest_link) best = std::move(phase);
    if (best.busiest_link <= least) break;
  }
  WEFT_ASSERT(best.busiest_link >= least && best.digits.size() == step.size() * paths.height());
  return best;
}

}  // namespace weft::network
