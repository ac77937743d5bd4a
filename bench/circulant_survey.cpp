// Checks conjecture 1 of Zhao et al. for every circulant graph of a degree. Prints as CSV the
// graphs whose best breadth-first allgather does not reach (N-1)/N, and their number on stderr.
//
//   circulant_survey DEGREE MOST_NODES
//
// DEGREE is 2 per jump below N/2, and 1 more for the jump N/2. Graphs that differ by a unit of Z_N
// count as one.
#include <fmt/core.h>

#include <cstdlib>
#include <string>

#include "support/circulants.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/topology/families/circulant.hpp"

namespace {

using namespace weft;

std::string joined(const std::vector<int>& jumps) {
  std::string text;
  for (const int jump : jumps) text += fmt::format("{}{}", text.empty() ? "" : ",", jump);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const int degree = argc == 3 ? std::atoi(argv[1]) : 0, most = argc == 3 ? std::atoi(argv[2]) : 0;
  if (degree < 2 || most < 3) {
    fmt::print(stderr, "usage: circulant_survey DEGREE MOST_NODES (2 or more, 3 or more)\n");
    return 2;
  }
  fmt::print("topology,steps,bandwidth_factor,bound\n");
  int all = 0, short_of = 0;
  for (int n = 3; n <= most; ++n) {
    if (degree % 2 == 1 && n % 2 == 1) continue;
    for (const auto& jumps : degree % 2 == 0 ? support::circulant_jumps(n, degree / 2)
                                             : support::circulant_jumps_and_half(n, degree / 2)) {
      const BfbCost cost = bfb_cost(topology::circulant(n, jumps));
      const Rational bound(n - 1, n);
      ++all;
      if (cost.exact_bandwidth_factor == bound) continue;
      ++short_of;
      fmt::print("\"circulant:{},{}\",{},{},{}\n", n, joined(jumps), cost.steps,
                 to_string(cost.exact_bandwidth_factor), to_string(bound));
    }
  }
  fmt::print(stderr, "degree {}, up to {} nodes: {} of {} graphs do not reach (N-1)/N\n", degree,
             most, short_of, all);
}
