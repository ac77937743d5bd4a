#include "weft/flow/few_trees.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/trees/tightest.hpp"
#include "weft/flow/trees/tree_growth.hpp"

namespace weft::flow {

std::optional<FewTrees> few_trees(const Fabric& fabric, const RankTreesQuestion& question,
                                  std::int64_t trees, std::int64_t spare) {
  constexpr std::int64_t kMostRounds = 40, kMostSteps = 100'000'000;
  WEFT_ASSERT(question.roots.size() == 1 && !question.goal && trees >= 1);
  const Carrier carrier = carrier_of(fabric, question);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, question)) reject("{}", *why);
  const graph::TreeCut cut =
      graph::tightest_cut(carrier.nodes, carrier.arcs, carrier.roots, carrier.goals);
  const graph::TreeRate rate = graph::greatest_rate(carrier.nodes, carrier.arcs, carrier.roots,
                                                    carrier.goals, cut, trees + spare);
  const std::int64_t steps = trees * std::ssize(carrier.places) * std::ssize(carrier.arcs);
  const std::int32_t root = carrier.roots.front().node;
  const auto grown =
      grow_trees(carrier, rate.arcs, {}, std::span(&root, 1),
                 {.trees = trees,
                  .rounds = std::clamp<std::int64_t>(kMostSteps / steps, 1, kMostRounds),
                  .join = JoinFirst::those_with_room});
  if (!grown) return std::nullopt;
  std::vector<std::vector<std::int32_t>> ranks(carrier.nodes);
  ranks[root] = {0};
  FewTrees result;
  static_cast<PlacedTrees&>(result) = placed_everywhere(carrier, question.sense, {}, *grown, ranks);
  result.optimum_Bps = Rational(cut.capacity, cut.lacking) * Rational(carrier.unit_Bps);
  result.all_Bps = rate.rate * Rational(trees) * Rational(carrier.unit_Bps);
  return result;
}

}  // namespace weft::flow
