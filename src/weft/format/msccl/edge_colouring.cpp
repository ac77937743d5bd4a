#include "edge_colouring.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::msccl {

namespace {

class Colouring {
 public:
  Colouring(std::span<const std::pair<std::int32_t, std::int32_t>> edges, std::int32_t nodes)
      : edges_(edges), nodes_(static_cast<std::size_t>(nodes)) {
    std::vector<std::int32_t> degree(2 * nodes_);
    for (const auto& [left, right] : edges) {
      WEFT_ASSERT(left >= 0 && left < nodes && right >= 0 && right < nodes);
      ++degree[static_cast<std::size_t>(left)];
      ++degree[nodes_ + static_cast<std::size_t>(right)];
    }
    colours_ = edges.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(degree));
    edge_at_.assign(2 * nodes_ * colours_, -1);
    colour_.assign(edges.size(), -1);
  }

  std::vector<std::int32_t> run() && {
    for (std::size_t e = 0; e < edges_.size(); ++e) add(e);
    return std::move(colour_);
  }

 private:
  std::size_t left(std::size_t edge) const { return static_cast<std::size_t>(edges_[edge].first); }
  std::size_t right(std::size_t edge) const {
    return nodes_ + static_cast<std::size_t>(edges_[edge].second);
  }
  std::int32_t& at(std::size_t node, std::size_t colour) {
    return edge_at_[node * colours_ + colour];
  }
  std::size_t free_colour(std::size_t node) {
    std::size_t colour = 0;
    while (at(node, colour) >= 0) {
      ++colour;
      WEFT_ASSERT(colour < colours_);  // the new edge is one of the node's, so one is free
    }
    return colour;
  }
  void set(std::size_t edge, std::size_t colour) {
    colour_[edge] = static_cast<std::int32_t>(colour);
    at(left(edge), colour) = at(right(edge), colour) = static_cast<std::int32_t>(edge);
  }

  void add(std::size_t edge) {
    const std::size_t wanted = free_colour(left(edge)), other = free_colour(right(edge));
    if (wanted != other) swap_from(right(edge), wanted, other);
    WEFT_ASSERT(at(left(edge), wanted) < 0 && at(right(edge), wanted) < 0);
    set(edge, wanted);
  }

  // Makes `wanted` free at the node, where `other` is: both change places along the path of edges
  // in these two colours. It does not end at the left end of the new edge, whose edge of colour
  // `wanted` it would need to arrive by.
  void swap_from(std::size_t node, std::size_t wanted, std::size_t other) {
    path_.clear();
    for (std::size_t colour = wanted; at(node, colour) >= 0;
         colour = colour == wanted ? other : wanted) {
      const auto edge = static_cast<std::size_t>(at(node, colour));
      path_.push_back(edge);
      node = node == left(edge) ? right(edge) : left(edge);
    }
    for (const std::size_t edge : path_) {
      const auto colour = static_cast<std::size_t>(colour_[edge]);
      at(left(edge), colour) = at(right(edge), colour) = -1;
    }
    for (const std::size_t edge : path_)
      set(edge, static_cast<std::size_t>(colour_[edge]) == wanted ? other : wanted);
  }

  std::span<const std::pair<std::int32_t, std::int32_t>> edges_;
  std::size_t nodes_, colours_ = 0;
  std::vector<std::int32_t> edge_at_;  // by node and colour; -1: none
  std::vector<std::int32_t> colour_;   // by edge
  std::vector<std::size_t> path_;
};

}  // namespace

std::vector<std::int32_t> colour_edges(std::span<const std::pair<std::int32_t, std::int32_t>> edges,
                                       std::int32_t nodes) {
  return Colouring(edges, nodes).run();
}

}  // namespace weft::format::msccl
