// The job that computes the catalogue's data: BFB costs that no theory gives.
//
// genkautz.csv: generalized Kautz networks of every size, one way and both ways. bases.csv:
// circulants of degree 6, 8, ..., 16 with the best jumps that were found, and the small families
// that have to be measured. The job is cut into pieces; after each the files are written whole, so
// that a job that was stopped goes on where it was.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/base/rational.hpp"

namespace weft::search {

/// What BFB on genkautz:d,m costs. A load is the sum over the steps of the fullest link's, in
/// blocks: T_B = d / m * load.
struct GenKautzCost {
  int degree = 0, nodes = 0;
  int steps = 0;
  Rational load;
  int both_steps = 0;  // of bidirectional(genkautz:d,m); 0: not computed
  Rational both_load;
};

enum class Ways : std::uint8_t { one, both };

/// The exact cost. degree in [2, 16], nodes > degree. O(nodes^2 log nodes) time, O(nodes) memory.
GenKautzCost genkautz_cost(int degree, int nodes, Ways ways);

struct BuildOptions {
  int nodes = 2000;  // sizes up to this
  std::vector<int> degrees = {2, 4, 8, 16, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15};
  std::uint64_t seed = 1;
  std::int64_t candidates = 600;  // jump sets tried for each circulant
};

/// Computes what the folder's files lack and writes them; `tell` is told of each piece. Uses all
/// threads; the files do not depend on their number. Throws InvalidInput where the folder cannot be
/// written or holds damaged files.
void build_catalogue(const std::string& folder, const BuildOptions& options,
                     const std::function<void(const std::string&)>& tell);

}  // namespace weft::search
