// Hierarchical: first within groups of near ranks, then between the ranks of one place in all
// groups, as boxes of GPUs are wired whose j-th cards share a rail.
//
// Between boxes a card that sends to any other card crosses from rail to rail, over a spine that is
// often thin, or through cards where there is none. Here all that leaves a box for place j goes to
// the box's own card j first, and from there along its rail: no message crosses a spine.
//
// With G groups of g ranks, rank (q, i) of group q and place i:
//
// All-to-all, 2 steps: (q, i) hands to (q, j) its blocks for the ranks of place j in all groups;
// then (q, j) hands to (p, j) the blocks of all of group q for it. A rank sends (g - 1) G blocks,
// then (G - 1) g, in g + G - 2 messages in place of N - 1. Segments lay the two steps over each
// other, so that box and rail are busy at once.
//
// Broadcast, G + 1 steps a segment: the root, which needs nothing back, deals the segment to the
// others of its group, 1/(g - 1) to each; each passes 1/g of the segment on along its place, from
// group to group in a row, and the root, having all, does so with what the others keep of theirs;
// and whoever gets a part from outside hands it to its group a step later. In the long run a rail
// carries 1/g of the buffer, which is the least that g rails can, and a card sends within its group
// what the group takes, once; a single port for both carries 1 + 1/g at the root.
//
// Scatter, 2 steps: to the places of the root's group what goes to their rails, then along those.
// Reduce and gather are these reversed.
//
// Allgather, reduce-scatter and allreduce, and all with option inner or outer or groups of several
// sizes, are composed (levels.hpp), of more levels than two where groups nest; so are broadcast and
// reduce where that is cheaper.
// Source: Traff, Rougier, "MPI Collectives and Datatypes for Hierarchical All-to-all
// Communication", EuroMPI 2014; Jeaugey et al., "Doubling all2all Performance with NVIDIA
// Collective Communication Library 2.12", 2022 (PXN: by the card on the receiver's rail); for the
// broadcast's scatter, lanes and allgather: Traff, Hunold, "Decomposing MPI Collectives for
// Exploiting Multi-lane Communication", CLUSTER 2020.
#include "weft/algorithm/groups/hierarchical.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

constexpr const char* kName = "hierarchical";

/// Ranks by (group, place), counted from those of the root.
class Grid {
 public:
  explicit Grid(const LocalGroups& groups, Rank root = Rank(0))
      : groups_(groups),
        ranks_(ranks_in(groups)),
        G(std::ssize(groups)),
        g(std::ssize(groups.front())) {
    require(root.value() >= 0 && root.value() < ranks_, "root {} is not a rank of {}", root.value(),
            ranks_);
    for (const auto& group : groups)
      if (const auto at = std::ranges::find(group, root); at != group.end()) {
        root_group_ = &group - groups.data();
        root_place_ = at - group.begin();
      }
  }

  std::int32_t ranks() const { return ranks_; }
  Rank at(std::int64_t group, std::int64_t place) const {
    return groups_[mod(root_group_ + group, G)][mod(root_place_ + place, g)];
  }
  /// Whether rank q g + i is (q, i): then the translations of groups and of places are symmetries.
  bool in_order() const {
    for (std::int64_t q = 0; q < G; ++q)
      for (std::int64_t i = 0; i < g; ++i)
        if (at(q, i).value() != q * g + i) return false;
    return true;
  }

 private:
  const LocalGroups& groups_;
  std::int32_t ranks_;
  std::int64_t root_group_ = 0, root_place_ = 0;

 public:
  const std::int64_t G, g;
};

Symmetry translations_of(const Grid& grid) {
  if (!grid.in_order()) return {};
  std::vector<int> moduli;  // a group has no use for a modulus of 1
  for (const std::int64_t m : {grid.g, grid.G})
    if (m > 1) moduli.push_back(static_cast<int>(m));
  return moduli.empty() ? Symmetry() : Symmetry::translations(moduli);
}

/// The messages of rank (q, i) in both steps of an all-to-all.
void exchange(ScheduleBuilder& builder, const Grid& grid, std::int64_t q, std::int64_t i) {
  const auto block = [&](Rank source, Rank destination) {
    return builder.block(std::int64_t{source.value()} * grid.ranks() + destination.value());
  };
  const Rank own = grid.at(q, i);
  std::vector<Piece> pieces;
  for (std::int64_t j = 0; j < grid.g; ++j) {
    if (j == i) continue;
    pieces.clear();
    for (std::int64_t p = 0; p < grid.G; ++p) pieces.push_back(block(own, grid.at(p, j)));
    builder.at(0).send(own, grid.at(q, j), pieces);
  }
  for (std::int64_t p = 0; p < grid.G; ++p) {
    if (p == q) continue;
    pieces.clear();
    for (std::int64_t j = 0; j < grid.g; ++j) pieces.push_back(block(grid.at(q, j), grid.at(p, i)));
    builder.at(grid.g > 1 ? 1 : 0).send(own, grid.at(p, i), pieces);
  }
}

/// The parts of a segment of a broadcast: dealt to each of places 1 to g - 1 of the root's group
/// are g shares, of which the place's lane takes all but the last; these last ones are the root's.
class Parts {
 public:
  Parts(const Collective& collective, std::int64_t g)
      : g_(g),
        shares_(std::max<std::int64_t>(1, g * (g - 1))),
        units_per_block_(shares_ / std::gcd(shares_, collective.blocks())),
        units_(collective.blocks() * units_per_block_ / shares_) {}

  std::int64_t units_per_block() const { return units_per_block_; }
  Piece dealt(std::int64_t place) const { return shares((place - 1) * g_, g_); }
  std::vector<Piece> lane(std::int64_t place) const {
    if (g_ == 1) return {shares(0, 1)};
    if (place > 0) return {shares((place - 1) * g_, g_ - 1)};
    std::vector<Piece> lasts;
    for (std::int64_t other = 1; other < g_; ++other) lasts.push_back(shares(other * g_ - 1, 1));
    return lasts;
  }

 private:
  Piece shares(std::int64_t first, std::int64_t count) const {
    return {first * units_, count * units_};
  }

  std::int64_t g_, shares_, units_per_block_;
  std::int64_t units_;  // of a share
};

}  // namespace

Schedule hierarchical_alltoall(const LocalGroups& groups, std::int64_t segments) {
  const Grid grid(groups);
  const Symmetry symmetry = translations_of(grid);
  ScheduleBuilder builder(schedule::alltoall(grid.ranks()),
                          {.algorithm = kName, .symmetry = symmetry, .segments = {segments, 1}});
  if (!symmetry.is_trivial()) {
    exchange(builder, grid, 0, 0);
  } else {
    for (std::int64_t q = 0; q < grid.G; ++q)
      for (std::int64_t i = 0; i < grid.g; ++i) exchange(builder, grid, q, i);
  }
  return std::move(builder).build();
}

Schedule hierarchical_broadcast(const LocalGroups& groups, Rank root, std::int64_t segments) {
  const Grid grid(groups, root);
  const Collective collective = schedule::broadcast(grid.ranks(), root);
  const Parts parts(collective, grid.g);
  ScheduleBuilder builder(
      collective,
      {.algorithm = kName, .units_per_block = parts.units_per_block(), .segments = {segments, 1}});
  for (std::int64_t place = 1; place < grid.g; ++place) {
    builder.at(0).send(root, grid.at(0, place), parts.dealt(place));
    for (std::int64_t other = 1; other < grid.g; ++other)
      if (other != place)
        builder.at(1).send(grid.at(0, place), grid.at(0, other), parts.dealt(place));
  }
  const std::int64_t first = grid.g > 1 ? 1 : 0;
  for (std::int64_t place = 0; place < grid.g; ++place) {
    const std::vector<Piece> lane = parts.lane(place);
    for (std::int64_t q = 1; q < grid.G; ++q) {
      builder.at(first + q - 1).send(grid.at(q - 1, place), grid.at(q, place), lane);
      for (std::int64_t other = 0; other < grid.g; ++other)
        if (other != place) builder.at(first + q).send(grid.at(q, place), grid.at(q, other), lane);
    }
  }
  return std::move(builder).build();
}

Schedule hierarchical_reduce(const LocalGroups& groups, Rank root, std::int64_t segments) {
  return schedule::transpose(hierarchical_broadcast(groups, root, segments));
}

Schedule hierarchical_scatter(const LocalGroups& groups, Rank root, std::int64_t segments) {
  const Grid grid(groups, root);
  ScheduleBuilder builder(schedule::scatter(grid.ranks(), root),
                          {.algorithm = kName, .segments = {segments, 1}});
  std::vector<Piece> pieces;
  for (std::int64_t place = 0; place < grid.g; ++place) {
    pieces.clear();
    for (std::int64_t q = 0; q < grid.G; ++q)
      pieces.push_back(builder.block(grid.at(q, place).value()));
    if (place > 0) builder.at(0).send(root, grid.at(0, place), pieces);
    for (std::int64_t q = 1; q < grid.G; ++q)
      builder.at(grid.g > 1 ? 1 : 0)
          .send(grid.at(0, place), grid.at(q, place), builder.block(grid.at(q, place).value()));
  }
  return std::move(builder).build();
}

Schedule hierarchical_gather(const LocalGroups& groups, Rank root, std::int64_t segments) {
  return schedule::transpose(hierarchical_scatter(groups, root, segments));
}

}  // namespace weft::algorithm
