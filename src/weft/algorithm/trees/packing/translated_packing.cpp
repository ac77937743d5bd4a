// What a node passes on in a step of its own tree the identity passes on of the tree of the node's
// inverse (translated_trees.hpp): block and step stay, so that the joins of one depth by one
// generator are one message. A reduce-scatter is the same against the links and backwards in time,
// as in translated.cpp.
#include "translated_packing.hpp"

#include <algorithm>
#include <tuple>

#include "weft/algorithm/element_ranks.hpp"
#include "weft/algorithm/packing.hpp"
#include "weft/flow/translated_trees.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::algorithm::trees {

namespace {

using flow::TreeJoin;
using topology::CayleyView;

bool repeats_a_generator(const CayleyView& view) {
  std::vector<Group::Element> generators = view.generators();
  std::ranges::sort(generators);
  return std::ranges::adjacent_find(generators) != generators.end();
}

}  // namespace

std::optional<Schedule> translated_packing(const Network& network, const Collective& collective,
                                           std::int64_t most_trees) {
  const auto view = topology::as_cayley(network.topology());
  if (!view || network.topology().has_switches() || view->group().order() != collective.ranks ||
      !ranks_are_elements(*view, network.placement().nodes))
    return std::nullopt;
  flow::RankTreesQuestion question = trees_of(collective, network);
  question.most_trees = most_trees;
  auto trees = flow::translated_trees(network.fabric(), *view, question);
  if (!trees) return std::nullopt;

  const bool gathers = collective.kind == CollectiveKind::allgather;
  ScheduleBuilder builder(collective, {.algorithm = "packing",
                                       .units_per_block = trees->count,
                                       .symmetry = Symmetry(view->group())});
  std::vector<RouteId> routes(view->generators().size(), kRouted);
  if (repeats_a_generator(*view))
    for (std::int32_t k = 0; k < view->degree(); ++k) {
      const LinkId link = view->link(view->node(0), k);
      routes[k] = builder.add_route(std::span(&link, 1));
    }
  const auto place = [](const TreeJoin& join) { return std::tuple(join.depth, join.generator); };
  std::ranges::stable_sort(trees->joins, {}, place);
  const std::int32_t depth = trees->joins.back().depth;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < trees->joins.size();) {
    const TreeJoin& first = trees->joins[i];
    pieces.clear();
    for (; i < trees->joins.size() && place(trees->joins[i]) == place(first); ++i) {
      const TreeJoin& join = trees->joins[i];
      const std::int64_t root = view->group().inverse(gathers ? join.from : join.to);
      pieces.push_back({root * trees->count + join.first, join.trees});
    }
    builder.at(gathers ? first.depth - 1 : depth - first.depth)
        .send(Agent(0), Agent(view->generators()[first.generator]), pieces,
              gathers ? Arrival::copy : Arrival::reduce, routes[first.generator]);
  }
  return std::move(builder).build();
}

}  // namespace weft::algorithm::trees
