// The catalogue of searched graphs: the best that graph searches found, as a text file.
//
// One graph a line, sorted by degree, direction, nodes and steps:
//
//   nodes,degree,direction,steps,bandwidth_factor,how,seed,expression
//   64,4,one-way,4,63/64,cayley,1,"cayley:Z32xZ2,k=15;(20,0),(21,0),(25,0),(0,1)"
//
// A line starting with # is a remark. The same graphs give the same text, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/search/graph_search.hpp"

namespace weft::search {

class SearchedCatalogue {
 public:
  /// Reads the text above. Throws InvalidInput naming the line.
  static SearchedCatalogue parse(std::string_view text);

  /// Takes the graph in if no graph of the same size, degree and direction has as few steps and as
  /// low a bandwidth factor; what it betters goes out. Says whether it came in.
  bool add(const SearchResult& result);

  /// The Pareto front of a size, fewest steps first.
  std::vector<SearchResult> front(int nodes, int degree, Direction direction) const;
  const std::vector<SearchResult>& results() const { return results_; }
  /// Remarks without their "# ", in order.
  std::vector<std::string> remarks;

  /// What parse() reads.
  std::string to_text() const;

 private:
  std::vector<SearchResult> results_;  // sorted
};

/// Builds the graph of a line and costs its BFB allgather from every node, without use of its
/// symmetry: whether nodes, degree, direction, steps and bandwidth factor are as they say.
/// O(nodes^2 * degree).
bool holds(const SearchResult& result);

}  // namespace weft::search
