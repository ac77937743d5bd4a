// Layers: for one receiver, the sources by distance, and the last links by which each can arrive.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/graph/in_arcs.hpp"

namespace weft::graph {

/// The in-arcs of a node, one bit each; `words` 64-bit words.
using MaskWord = std::uint64_t;

/// Breadth-first search towards one receiver after another; keeps its memory between searches.
class LayerSearch {
 public:
  /// Keeps a reference to the arcs.
  explicit LayerSearch(const InArcs& arcs);

  /// Finds all layers of the receiver. O(arcs * words). Throws InvalidInput when some node does not
  /// reach it.
  void run(std::int32_t receiver);
  /// The same, but says why instead of throwing.
  std::optional<std::string> unreached(std::int32_t receiver);

  /// Layers are 1, ..., depth(): the sources at that distance, in the order found.
  int depth() const { return static_cast<int>(first_.size()) - 2; }
  std::span<const std::int32_t> layer(int distance) const {
    WEFT_ASSERT(distance >= 0 && distance <= depth());
    const auto d = static_cast<std::size_t>(distance);
    return std::span(order_).subspan(first_[d], first_[d + 1] - first_[d]);
  }
  /// The arcs into the receiver on which a shortest way from `source` may end.
  std::span<const MaskWord> mask(std::int32_t source) const {
    return std::span(masks_).subspan(static_cast<std::size_t>(source) * words_, words_);
  }
  /// The mask when it is one word.
  MaskWord word(std::int32_t source) const { return masks_[source]; }
  std::size_t words() const { return words_; }
  const InArcs& arcs() const { return arcs_; }

 private:
  void start(std::int32_t receiver);
  /// Of so many words a mask; 0: of words().
  template <std::size_t Words>
  void reach_next_layer();

  enum class State : std::uint8_t { unseen, current, older };
  const InArcs& arcs_;
  std::size_t words_;
  std::vector<State> states_;
  std::vector<MaskWord> masks_;
  std::vector<std::int32_t> order_;  // of nodes, as found
  std::size_t found_ = 0;
  std::vector<std::size_t> first_;
};

/// Says which node does not reach which, of a graph whose arcs are given both ways; nothing where
/// every node reaches every other. O(arcs).
std::optional<std::string> unreached(const InArcs& along, const InArcs& against);

}  // namespace weft::graph
