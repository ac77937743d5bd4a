// Evens out a proper edge colouring over larger sets of edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/network/routing/tree/edge_colouring.hpp"

namespace weft::network {

/// Edges belong to sets, of each of which a colour may have so many edges. run() exchanges two
/// colours along alternating paths and cycles, which keeps the colouring proper, until no set has
/// more of a colour than it may, or nothing helps.
class StageRepair {
 public:
  StageRepair(std::vector<BipartiteEdge> edges, std::int32_t colours,
              std::vector<std::int32_t> colour_of);

  /// The edge belongs to two sets of the open level, by any numbers of them.
  void add(std::int32_t edge, std::int64_t left_set, std::int64_t right_set);
  /// The sets added since the last one may have `capacity` edges of each colour.
  void close_level(std::int64_t capacity);

  /// The colours. Cost: bounded by a constant times edges times colours.
  std::vector<std::int32_t> run(Rng& rng) &&;

 private:
  struct Member {
    std::int32_t edge;
    std::int64_t left_set, right_set;
  };
  void close_side(std::int64_t Member::*set, std::int64_t capacity);
  void count();
  std::int32_t& load(std::int32_t set, std::int32_t colour);
  std::int32_t& left_edge(std::int32_t vertex, std::int32_t colour);
  std::int32_t& right_edge(std::int32_t vertex, std::int32_t colour);
  void relieve(std::int32_t set, std::int32_t colour, Rng& rng);
  void kick(Rng& rng);
  void trace(std::int32_t edge, std::int32_t other);
  std::int64_t exchange(std::int32_t a, std::int32_t b);

  std::vector<BipartiteEdge> edges_;
  std::int32_t colours_;
  std::vector<std::int32_t> colour_of_;
  std::vector<Member> open_;
  std::vector<std::int64_t> capacity_;              // by set
  std::vector<std::vector<std::int32_t>> members_;  // by set
  std::vector<std::vector<std::int32_t>> sets_of_;  // by edge
  std::vector<std::int32_t> load_;                  // by set and colour
  std::vector<std::int32_t> left_, right_;          // by vertex and colour: the edge, or -1
  std::vector<std::int32_t> chain_;                 // the edges of the path or cycle at hand
  std::int64_t budget_ = 0;                         // edges that may still be looked at
};

}  // namespace weft::network
