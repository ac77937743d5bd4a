#include "weft/libraries/box_trees.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/libraries/card_rings.hpp"

namespace weft::libraries {

namespace {

std::int32_t parent_in_first(std::int32_t box, std::int32_t boxes) {
  if (box == 0) return -1;
  const std::int32_t bit = box & -box;
  const std::int32_t up = (box ^ bit) | (2 * bit);
  return up < boxes ? up : box ^ bit;
}

/// A tree with the steps in which its boxes send upwards and receive from above.
struct Levels {
  std::vector<std::int32_t> parent, height, depth;
  std::int32_t root = 0;
};

std::int32_t depth_of(const std::vector<std::int32_t>& parent, std::size_t box) {
  std::int32_t depth = 0;
  for (std::int32_t at = parent[box]; at >= 0; at = parent[at]) ++depth;
  return depth;
}

Levels levels_of(std::vector<std::int32_t> parent) {
  Levels levels{std::move(parent), {}, {}, 0};
  const std::size_t boxes = levels.parent.size();
  levels.height.assign(boxes, 0);
  for (std::size_t box = 0; box < boxes; ++box) {
    levels.depth.push_back(depth_of(levels.parent, box));
    if (levels.parent[box] < 0) levels.root = static_cast<std::int32_t>(box);
    std::int32_t height = 0;
    for (std::int32_t at = levels.parent[box]; at >= 0; at = levels.parent[at])
      levels.height[at] = std::max(levels.height[at], ++height);
  }
  return levels;
}

/// One tree of one card, on its share of the buffer.
class Lane {
 public:
  Lane(const NodeRanks& boxes, std::int64_t head, InBox in_box, Piece piece,
       ScheduleBuilder& builder)
      : boxes_(boxes),
        gpus_(std::ssize(boxes.front())),
        head_(head),
        in_box_(in_box),
        piece_(piece),
        builder_(builder) {}

  void add(const Levels& levels) {
    const std::int64_t gathering = in_row() ? gpus_ - 1 : gpus_ > 1 ? 1 : 0;
    const std::int64_t turn = gathering + levels.height[levels.root];  // at the root
    for (std::size_t box = 0; box < boxes_.size(); ++box) {
      gather(box, gathering);
      if (const std::int32_t parent = levels.parent[box]; parent >= 0) {
        send(gathering + levels.height[box], at(box, 0), at(parent, 0), Arrival::reduce);
        send(turn + levels.depth[box] - 1, at(parent, 0), at(box, 0), Arrival::copy);
      }
      hand_out(box, turn + levels.depth[box]);
    }
  }

 private:
  bool in_row() const { return in_box_ != InBox::at_once; }
  Rank at(std::size_t box, std::int64_t place) const {
    const std::int64_t step = in_box_ == InBox::path ? zigzag(place) : -place;
    return boxes_[box][mod(head_ + step, gpus_)];
  }
  void send(std::int64_t step, Rank from, Rank to, Arrival arrival) {
    builder_.at(step).send(from, to, piece_, arrival);
  }
  void gather(std::size_t box, std::int64_t steps) {
    for (std::int64_t place = 1; place < gpus_; ++place)
      send(in_row() ? steps - place : 0, at(box, place), at(box, in_row() ? place - 1 : 0),
           Arrival::reduce);
  }
  void hand_out(std::size_t box, std::int64_t first) {
    for (std::int64_t place = 1; place < gpus_; ++place)
      send(in_row() ? first + place - 1 : first, at(box, in_row() ? place - 1 : 0), at(box, place),
           Arrival::copy);
  }

  const NodeRanks& boxes_;
  std::int64_t gpus_, head_;
  InBox in_box_;
  Piece piece_;
  ScheduleBuilder& builder_;
};

}  // namespace

std::vector<std::int32_t> box_tree(std::int32_t boxes, bool second) {
  std::vector<std::int32_t> parents;
  for (std::int32_t box = 0; box < boxes; ++box) {
    if (!second) {
      parents.push_back(parent_in_first(box, boxes));
      continue;
    }
    const bool even = boxes % 2 == 0;
    const std::int32_t image = even ? boxes - 1 - box : (box + boxes - 1) % boxes;
    const std::int32_t parent = parent_in_first(image, boxes);
    parents.push_back(parent < 0 ? -1 : even ? boxes - 1 - parent : (parent + 1) % boxes);
  }
  return parents;
}

schedule::Schedule on_box_trees(const Collective& collective, const NodeRanks& boxes,
                                std::int32_t cards, InBox in_box, std::int64_t segments) {
  ScheduleBuilder builder(collective, {.algorithm = "box-trees",
                                       .units_per_block = std::int64_t{2} * cards,
                                       .segments = {.count = segments, .stride = 1}});
  const std::int64_t ranks = collective.ranks;
  for (const bool second : {false, true}) {
    const Levels levels = levels_of(box_tree(static_cast<std::int32_t>(boxes.size()), second));
    for (std::int64_t card = 0; card < cards; ++card) {
      const std::int64_t head = card * std::ssize(boxes.front()) / cards;
      const std::int64_t lane = 2 * card + (second ? 1 : 0);
      Lane(boxes, head, in_box, {lane * ranks, ranks}, builder).add(levels);
    }
  }
  return std::move(builder).build();
}

}  // namespace weft::libraries
