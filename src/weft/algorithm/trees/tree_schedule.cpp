// What crosses a branch: the root's data (broadcast, reduce: all of it; allgather, reduce-scatter:
// its block), or one block for each node beyond the branch (scatter, gather, all-to-all).
// Collecting collectives send from the leaves to the root, the last step of the tree first.
#include "tree_schedule.hpp"

#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm::trees {

TreeSchedule::TreeSchedule(const TreeGraph& graph, const Collective& collective,
                           const char* algorithm, std::int64_t units_per_block)
    : graph_(graph),
      collective_(collective),
      algorithm_(algorithm),
      units_per_block_(units_per_block),
      ends_(graph.links()) {
  WEFT_ASSERT(graph.growth() == growth_of(collective.kind));
  const bool outgoing = graph.growth() == Growth::outgoing;
  for (std::int32_t node = 0; node < graph.nodes(); ++node)
    for (const Arc& arc : graph.from(node))
      ends_[arc.link] = outgoing ? std::pair(Agent(node), Agent(arc.node))
                                 : std::pair(Agent(arc.node), Agent(node));
}

void TreeSchedule::add(const Tree& tree) {
  switch (collective_.kind) {
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
      return put_blocks(tree, 0);
    case CollectiveKind::alltoall:
      return put_blocks(tree, std::int64_t{tree.root} * graph_.nodes());
    default:
      break;
  }
  const bool whole = collective_.rooted();  // broadcast, reduce
  add(tree, whole ? Piece{0, collective_.blocks()} : Piece{tree.root, 1});
}

void TreeSchedule::add(const Tree& tree, Piece part) {
  WEFT_ASSERT(std::ssize(tree.branches) == graph_.nodes() && part.count > 0);
  for (std::int32_t node = 0; node < graph_.nodes(); ++node)
    if (node != tree.root) put(tree.branches[node], part);
}

void TreeSchedule::put_blocks(const Tree& tree, std::int64_t first_block) {
  WEFT_ASSERT(std::ssize(tree.branches) == graph_.nodes());
  for (std::int32_t node = 0; node < graph_.nodes(); ++node)
    for (std::int32_t at = node; at != tree.root;) {
      const Branch& branch = tree.branches[at];
      put(branch, {first_block + node, 1});
      at = branch.parent;
    }
}

void TreeSchedule::put(const Branch& branch, Piece piece) {
  WEFT_ASSERT(branch.step >= 0 && piece.count > 0);
  const auto step = static_cast<std::size_t>(branch.step);
  if (step >= cargo_.size()) cargo_.resize(step + 1);
  Cargo& cargo = cargo_[step];
  if (cargo.first.empty()) cargo.first.resize(ends_.size(), Piece{0, 0});
  Piece& first = cargo.first[branch.link];
  if (first.count == 0) {
    first = piece;
    return;
  }
  const bool one = cargo.more.empty() || cargo.more[branch.link].empty();
  Piece& last = one ? first : cargo.more[branch.link].back();
  if (last.end() == piece.first) {
    last.count += piece.count;
    return;
  }
  if (cargo.more.empty()) cargo.more.resize(ends_.size());
  cargo.more[branch.link].push_back(piece);
}

Schedule TreeSchedule::build() && {
  ScheduleBuilder builder(collective_,
                          {.algorithm = algorithm_, .units_per_block = units_per_block_});
  if (graph_.has_parallel())
    for (const LinkId link : ids<LinkId>(graph_.links())) builder.add_route(std::span(&link, 1));
  const bool outgoing = graph_.growth() == Growth::outgoing;
  const bool reduces = collective_.reduces();
  std::vector<Piece> pieces;
  for (std::size_t t = 0; t < cargo_.size(); ++t) {
    const std::size_t step = outgoing ? t : cargo_.size() - 1 - t;
    const Cargo cargo = std::move(cargo_[t]);  // given back with the step
    for (const LinkId link : cargo.first.ids()) {
      pieces.clear();
      if (cargo.first[link].count > 0) pieces.push_back(cargo.first[link]);
      if (!cargo.more.empty())
        pieces.insert(pieces.end(), cargo.more[link].begin(), cargo.more[link].end());
      const auto& [from, to] = ends_[link];
      builder.at(static_cast<std::int64_t>(step))
          .send(from, to, pieces, reduces ? Arrival::reduce : Arrival::copy,
                graph_.has_parallel() ? RouteId(link.value()) : kRouted);
    }
  }
  return std::move(builder).build();
}

Schedule along_each_tree(const TreeGraph& graph, const Collective& collective,
                         const char* algorithm,
                         const std::function<Tree(std::int32_t root)>& tree_of) {
  TreeSchedule schedule(graph, collective, algorithm);
  if (collective.rooted())
    schedule.add(tree_of(collective.root.value()));
  else
    for (std::int32_t root = 0; root < graph.nodes(); ++root) schedule.add(tree_of(root));
  return std::move(schedule).build();
}

std::vector<CollectiveKind> served() {
  return {CollectiveKind::broadcast, CollectiveKind::reduce,    CollectiveKind::scatter,
          CollectiveKind::gather,    CollectiveKind::allgather, CollectiveKind::reduce_scatter,
          CollectiveKind::allreduce, CollectiveKind::alltoall};
}

Schedule in_parts(const Collective& collective,
                  const std::function<Schedule(const Collective& part)>& along) {
  schedule::check(collective);
  require(collective.kind != CollectiveKind::point_to_point,
          "trees do not support point-to-point; use direct");
  if (collective.kind != CollectiveKind::allreduce) return along(collective);
  return schedule::concatenate(along(schedule::reduce_scatter(collective.ranks)),
                               along(schedule::allgather(collective.ranks)));
}

}  // namespace weft::algorithm::trees
