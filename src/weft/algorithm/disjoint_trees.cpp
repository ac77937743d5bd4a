// Disjoint trees: a broadcast that uses all links of the root at once.
//
// One tree brings each node its data over one link: however finely it is cut, M takes d M / B. With
// k trees from the root that share no link, each carrying M / k, no two parts and no two segments
// meet (segment i crosses a branch of depth t in step t + i), and M takes (D + s - 1) / s * d / k
// times M / B, towards d / k for many segments. k, the least number of link-disjoint ways from the
// root to any node, is the most that broadcasts can do (Edmonds); it is d on Kautz, Hamming and
// other networks whose connectivity is their degree, and d - 1 where self-loops take a link.
//
// The reduction is the same on incoming trees. An allreduce is a reduce to rank 0 and a broadcast
// from it; its segments meet, those that go down with those that go up, so that T_B tends to 2 d /
// k, while steps are 2 D + s - 1.
// Source: Edmonds, "Edge-disjoint branchings", 1973; Johnsson, Ho, "Optimum Broadcasting and
// Personalized Communication in Hypercubes", IEEE ToC 38(9), 1989 (edge-disjoint trees, pipelined);
// MULTITREE's way of taking turns for links: Huang et al., ISCA 2021.
#include "weft/algorithm/disjoint_trees.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <string>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/tree_schedule.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

using trees::Tree;
using trees::TreeGraph;

Schedule over_trees(const Topology& topology, const Collective& collective) {
  const TreeGraph graph(topology, trees::growth_of(collective.kind));
  trees::require_spanned(graph, collective, topology);
  const std::vector<Tree> packed = trees::pack_trees(graph, collective.root.value());
  const std::int64_t count = std::max<std::int64_t>(1, std::ssize(packed));
  const std::int64_t units = count / std::gcd(count, collective.blocks());
  const std::int64_t part = collective.blocks() * units / count;
  WEFT_ASSERT(part * count == collective.blocks() * units);  // the trees' parts are the whole
  trees::TreeSchedule schedule(graph, collective, "disjoint-trees", units);
  for (std::int64_t i = 0; i < std::ssize(packed); ++i) schedule.add(packed[i], {i * part, part});
  return std::move(schedule).build();
}

// Time to pack grows with the square of the ranks: 2 s for 4,096, 2 min for 32,768.
std::optional<std::string> disjoint_trees_too_long(const Context& context) {
  constexpr std::int32_t kMost = 16'384;
  if (context.collective.ranks <= kMost) return std::nullopt;
  return fmt::format("trees that share no link take long to build above {} ranks", kMost);
}

}  // namespace

Schedule disjoint_trees(const Topology& topology, const Collective& collective,
                        std::int64_t segments) {
  schedule::check(collective);
  const schedule::Segments apart{.count = segments, .stride = 1};
  switch (collective.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return over_trees(topology, collective).with_segments(apart);
    case CollectiveKind::allreduce:
      return schedule::concatenate(over_trees(topology, schedule::reduce(collective.ranks)),
                                   over_trees(topology, schedule::broadcast(collective.ranks)))
          .with_segments(apart);
    default:
      reject("disjoint trees do not support {} (they support broadcast, reduce and allreduce)",
             schedule::name_of(collective.kind));
  }
}

Algorithm disjoint_trees_entry() {
  return {
      .name = "disjoint-trees",
      .aliases = {"edst"},
      .summary = "Spanning trees that share no link, each with a part of the buffer; pipelined",
      .source = "Edmonds, Edge-disjoint branchings, 1973",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::allreduce},
      .options = {kSegments, kRoutes},
      .misfit = trees::tree_misfit,
      .build =
          [](const Context& context) {
            return disjoint_trees(context.network->topology(), context.collective,
                                  segments_in(context.options));
          },
      .too_long = disjoint_trees_too_long,
  };
}

}  // namespace weft::algorithm
