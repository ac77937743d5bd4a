// Deal: the messages that one receiver gets in each step of a breadth-first pass.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "plan.hpp"
#include "weft/graph/layer_classes.hpp"
#include "weft/graph/layers.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::bfb {

/// Pieces of blocks, blocks numbered as the nodes they come from, that cross one arc in one step.
struct Parcel {
  std::int32_t step = 0;      // distance - 1
  std::int32_t receiver = 0;  // the head of the arc
  InArc arc;
  std::size_t first_piece = 0;
};

/// Parcels in the order of receivers, steps and arcs; the pieces of a parcel end where the next
/// begins.
struct Parcels {
  std::vector<Parcel> parcels;
  std::vector<schedule::Piece> pieces;

  std::span<const schedule::Piece> pieces_of(std::size_t index) const {
    const std::size_t first = parcels[index].first_piece;
    const std::size_t last =
        index + 1 < parcels.size() ? parcels[index + 1].first_piece : pieces.size();
    return std::span(pieces).subspan(first, last - first);
  }
};

/// Deals every layer of one receiver after another over its arcs; equal sets of classes are solved
/// once.
class Dealer {
 public:
  Dealer(const Pass& pass, std::int64_t units) : pass_(pass), units_(units), search_(pass.arcs) {}

  void deal(std::int32_t receiver, Parcels& out);

 private:
  void deal_layer(std::int32_t receiver, int distance, Parcels& out);
  const std::vector<std::int64_t>& flow_of(int distance);

  const Pass& pass_;
  std::int64_t units_;
  graph::LayerSearch search_;
  graph::ClassifiedLayer groups_;
  std::vector<std::unordered_map<graph::LayerClasses, std::vector<std::int64_t>>>
      solved_;  // by step
  std::vector<std::int64_t> unsaved_;
  std::vector<std::vector<schedule::Piece>> by_arc_;
};

}  // namespace weft::algorithm::bfb
