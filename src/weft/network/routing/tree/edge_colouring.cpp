// Koenig's theorem, made fast: a bipartite multigraph of maximum degree D has a proper edge
// colouring with D colours.
//
// First the graph is made D-regular: vertices of few edges are put together as long as their edges
// are at most D, and edges that nobody asked for fill the rest, so that there are at most about
// twice as many as before. For even D an Euler split halves all degrees: pair the edges at each
// vertex; following left and right pairs in turn gives closed walks of even length, whose edges go
// to the halves alternately. For odd D a perfect matching takes one colour away.
// The matching is Alon's: give every edge the multiplicity floor(2^t / D), with 2^t >= D n, and a
// known bad matching the rest, so that all degrees are 2^t. Halve t times, each time keeping the
// half with fewer bad edges: of fewer than 2^t bad ones none is left, and all degrees are 1.
// Sources: Koenig 1916; Gabow, "Using Euler Partitions to Edge Color Bipartite Multigraphs",
// IJCIS 5(4), 1976; Alon, "A Simple Algorithm for Edge-coloring Bipartite Multigraphs", IPL 85(6),
// 2003. Cole, Ost, Schirra (2001) save the last logarithm by a harder matching.
#include "weft/network/routing/tree/edge_colouring.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::network {

namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

/// For each vertex the bin it shares with its neighbours in number, so that a bin has at most
/// `most` edges. Neighbouring bins have more than that together.
struct Bins {
  std::vector<std::int32_t> bin_of;
  std::int32_t count = 0;
};
Bins pack(const std::vector<std::int32_t>& degrees, std::int32_t most) {
  Bins bins;
  std::int64_t filled = most;
  for (const std::int32_t degree : degrees) {
    WEFT_ASSERT(degree <= most);
    if (filled + degree > most) {
      ++bins.count;
      filled = 0;
    }
    filled += degree;
    bins.bin_of.push_back(bins.count - 1);
  }
  return bins;
}

std::vector<std::int32_t> degrees_of(std::span<const BipartiteEdge> edges,
                                     std::int32_t BipartiteEdge::*end) {
  std::vector<std::int32_t> degrees;
  for (const BipartiteEdge& edge : edges) {
    if (at(edge.*end) >= degrees.size()) degrees.resize(at(edge.*end) + 1, 0);
    ++degrees[at(edge.*end)];
  }
  return degrees;
}

class Colouring {
 public:
  Colouring(std::span<const BipartiteEdge> edges, std::int32_t degree) : asked_(edges.size()) {
    const Bins left = pack(degrees_of(edges, &BipartiteEdge::left), degree);
    const Bins right = pack(degrees_of(edges, &BipartiteEdge::right), degree);
    for (const BipartiteEdge& edge : edges)
      edges_.push_back({left.bin_of[at(edge.left)], right.bin_of[at(edge.right)]});
    vertices_ = std::max(left.count, right.count);
    fill_up(degree);
    colours_.assign(edges_.size(), 0);
    waiting_left_.assign(at(vertices_), -1);
    waiting_right_.assign(at(vertices_), -1);
    pair_left_.resize(edges_.size() + at(vertices_));
    pair_right_.resize(pair_left_.size());
    half_.resize(pair_left_.size());
    // Edge edges_.size() + v of the matching search is the bad edge of vertex v.
    for (std::int32_t v = 0; v < vertices_; ++v) edges_.push_back({v, v});
    std::vector<std::int32_t> all(colours_.size());
    std::iota(all.begin(), all.end(), 0);
    colour(std::move(all), degree, 0);
  }

  std::vector<std::int32_t> take() && {
    colours_.resize(asked_);
    return std::move(colours_);
  }

 private:
  void fill_up(std::int32_t degree) {
    std::vector<std::int32_t> left(at(vertices_), degree), right(left);
    for (const BipartiteEdge& edge : edges_) {
      --left[at(edge.left)];
      --right[at(edge.right)];
    }
    std::int32_t r = 0;
    for (std::int32_t l = 0; l < vertices_; ++l)
      for (; left[at(l)] > 0; --left[at(l)]) {
        while (right[at(r)] == 0) ++r;
        --right[at(r)];
        edges_.push_back({l, r});
      }
  }

  void colour(std::vector<std::int32_t> edges, std::int32_t degree, std::int32_t first) {
    if (degree == 1) {
      for (const std::int32_t edge : edges) colours_[at(edge)] = first;
      return;
    }
    if (degree % 2 == 1) {
      take_matching(edges, degree, first);
      return colour(std::move(edges), degree - 1, first + 1);
    }
    split(edges);
    std::vector<std::int32_t> other;
    std::erase_if(edges, [&](std::int32_t edge) {
      if (half_[at(edge)] == 1) other.push_back(edge);
      return half_[at(edge)] == 1;
    });
    colour(std::move(edges), degree / 2, first);
    colour(std::move(other), degree / 2, first + degree / 2);
  }

  /// Sets half_ of these edges, of which every vertex has an even number.
  void split(const std::vector<std::int32_t>& edges) {
    for (const std::int32_t edge : edges) {
      join(edge, waiting_left_[at(edges_[at(edge)].left)], pair_left_);
      join(edge, waiting_right_[at(edges_[at(edge)].right)], pair_right_);
      half_[at(edge)] = -1;
    }
    for (const std::int32_t first : edges) {
      std::int32_t edge = first;
      while (half_[at(edge)] < 0) {
        half_[at(edge)] = 0;
        edge = pair_left_[at(edge)];
        half_[at(edge)] = 1;
        edge = pair_right_[at(edge)];
      }
    }
  }

  static void join(std::int32_t edge, std::int32_t& waiting, std::vector<std::int32_t>& pair) {
    if (waiting < 0) {
      waiting = edge;
      return;
    }
    pair[at(edge)] = waiting;
    pair[at(waiting)] = edge;
    waiting = -1;
  }

  struct Multiple {
    std::int32_t edge;
    std::int64_t times;
  };

  /// Colours a perfect matching of the regular graph of these edges, and takes it out of them.
  void take_matching(std::vector<std::int32_t>& edges, std::int32_t degree, std::int32_t colour) {
    const std::int64_t least = std::int64_t{degree} * vertices_;
    std::int64_t total = 1;
    while (total < least) total *= 2;
    std::vector<Multiple> multiples;
    for (const std::int32_t edge : edges) multiples.push_back({edge, total / degree});
    if (total % degree != 0)
      for (std::int32_t v = 0; v < vertices_; ++v)
        multiples.push_back({bad_edge(v), total % degree});
    for (; total > 1; total /= 2) halve(multiples);
    for (const Multiple& multiple : multiples) {
      WEFT_ASSERT(multiple.edge < bad_edge(0));
      colours_[at(multiple.edge)] = colour;
      half_[at(multiple.edge)] = 2;  // out
    }
    std::erase_if(edges, [&](std::int32_t edge) { return half_[at(edge)] == 2; });
  }

  std::int32_t bad_edge(std::int32_t vertex) const {
    return static_cast<std::int32_t>(colours_.size()) + vertex;
  }

  /// Keeps the half with fewer bad edges.
  void halve(std::vector<Multiple>& multiples) {
    std::vector<std::int32_t> odd;
    for (const auto& [edge, times] : multiples)
      if (times % 2 == 1) odd.push_back(edge);
    split(odd);
    std::int64_t bad = 0;  // more of them in half 0 than in half 1
    for (const auto& [edge, times] : multiples)
      if (edge >= bad_edge(0) && times % 2 == 1) bad += half_[at(edge)] == 0 ? 1 : -1;
    const int kept = bad > 0 ? 1 : 0;
    for (auto& [edge, times] : multiples)
      times = times / 2 + (times % 2 == 1 && half_[at(edge)] == kept ? 1 : 0);
    std::erase_if(multiples, [](const Multiple& multiple) { return multiple.times == 0; });
    for (const auto& [edge, times] : multiples) half_[at(edge)] = 0;
  }

  std::size_t asked_;
  std::vector<BipartiteEdge> edges_;
  std::int32_t vertices_ = 0;  // on each side
  std::vector<std::int32_t> colours_;
  std::vector<std::int32_t> waiting_left_,
      waiting_right_;                                 // by vertex: an edge to be paired, or -1
  std::vector<std::int32_t> pair_left_, pair_right_;  // by edge
  std::vector<std::int8_t> half_;                     // by edge
};

}  // namespace

std::vector<std::int32_t> colour_edges(std::span<const BipartiteEdge> edges, std::int32_t colours) {
  WEFT_ASSERT(colours >= 1);
  if (colours == 1 || edges.empty()) return std::vector<std::int32_t>(edges.size(), 0);
  std::vector<std::int32_t> colour_of = Colouring(edges, colours).take();
  WEFT_ASSERT(colour_of.size() == edges.size());
  WEFT_ASSERT(std::ranges::all_of(colour_of, [&](auto c) { return c >= 0 && c < colours; }));
  return colour_of;
}

}  // namespace weft::network
