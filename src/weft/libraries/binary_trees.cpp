#include "weft/libraries/binary_trees.hpp"

#include <array>
#include <bit>
#include <vector>

#include "weft/schedule/transforms.hpp"

namespace weft::libraries {

namespace {

std::int64_t level_of(std::int32_t rank) {
  return std::bit_width(static_cast<std::uint32_t>(rank) + 1) - 1;
}

// Whether the rank is below child 1 of rank 0, rather than below child 2. Precondition: not 0.
bool is_left(std::int32_t rank) {
  while (rank > 2) rank = (rank - 1) / 2;
  return rank == 1;
}

}  // namespace

schedule::Schedule binary_tree_broadcast(std::int32_t ranks) {
  ScheduleBuilder builder(schedule::broadcast(ranks), {.algorithm = std::string(kBinaryTree)});
  for (std::int32_t rank = 1; rank < ranks; ++rank)
    builder.at(level_of(rank) - 1).send(Rank((rank - 1) / 2), Rank(rank), builder.everything());
  return std::move(builder).build();
}

schedule::Schedule binary_tree_reduce(std::int32_t ranks) {
  return schedule::transpose(binary_tree_broadcast(ranks));
}

schedule::Schedule split_binary_tree_broadcast(std::int32_t ranks) {
  ScheduleBuilder builder(schedule::broadcast(ranks),
                          {.algorithm = std::string(kSplitBinaryTree), .units_per_block = 2});
  const std::array halves{Piece{0, ranks}, Piece{ranks, ranks}};  // of the left and right side
  std::array<std::vector<std::int32_t>, 2> sides;
  for (std::int32_t rank = 1; rank < ranks; ++rank) {
    const int side = is_left(rank) ? 0 : 1;
    sides[side].push_back(rank);
    builder.at(level_of(rank) - 1).send(Rank((rank - 1) / 2), Rank(rank), halves[side]);
  }
  const std::int64_t last = level_of(ranks - 1);
  for (std::size_t i = 0; i < std::max(sides[0].size(), sides[1].size()); ++i)
    for (const int side : {0, 1}) {
      if (i >= sides[side].size()) continue;
      const Rank partner = i < sides[1 - side].size() ? Rank(sides[1 - side][i]) : Rank(0);
      builder.at(last).send(partner, Rank(sides[side][i]), halves[1 - side]);
    }
  return std::move(builder).build();
}

}  // namespace weft::libraries
