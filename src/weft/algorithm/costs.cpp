#include "weft/algorithm/costs.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/costs/formulas.hpp"

namespace weft::algorithm {

namespace {

constexpr auto kSymbols = std::to_array<CostSymbol>({
    {"N", "number of ranks"},
    {"M", "data of one rank: its buffer, or all blocks of its row together"},
    {"T_B", "bandwidth factor: the busiest port's data of each step in units of M, summed"},
    {"T_B*", "the minimum T_B of any schedule on the network"},
    {"s", "segments"},
    {"r", "radix; L = ceil(log_r N)"},
    {"v(r)", "number of pairs (j, z) with 0 < z < r and z r^j < N; (r - 1) L for N = r^L"},
    {"d(r)", "number of non-zero digits of 0 to N - 1 in radix r; N L (r - 1)/r for N = r^L"},
    {"k, C, E", "C = 2^k is the largest power of two up to N, E = N - C, [E] is 1 where E > 0"},
    {"g, G", "ranks in a local group, and groups; the formulas are those of equal groups"},
    {"n, m_i", "dimensions of a torus or Hamming network, and their extents"},
    {"d", "links that leave a node"},
    {"D", "depth of the deepest tree, or the number of ranks on the longest path"},
    {"T", "steps of the trees, which the algorithm finds"},
    {"t", "number of link-disjoint spanning trees"},
    {"a, h", "routers in a Dragonfly group, and global links of a router"},
});

struct RequirementText {
  std::string_view algorithm, text;
};

constexpr std::string_view
    kNeedsGroups = "The network has local groups, or --group gives their size.",
    kNeedsHamming =
        "The network is a Hamming network, such as complete, 2dfc or hypercube, and rank r "
        "runs on node r.",
    kNeedsCyclic =
        "The network is a Cayley graph of the integers modulo N, every generator has order "
        "N, and rank r runs on node r.",
    kNeedsStrong = "The network is strongly connected, and rank r runs on node r.",
    kNeedsBreadth =
        "The network is strongly connected with one rank on each node. It has no switches, "
        "or links of their own also join its hosts, as in a box of GPUs.",
    kNeedsDragonfly = "The network is a Dragonfly; ranks may be placed in any way.";

constexpr auto kRequirements = std::to_array<RequirementText>({
    {"pairwise", "Reduce-scatter and allreduce need a network with switches."},
    {"spread",
     "All collectives but alltoall need a network with switches; direct serves complete "
     "graphs."},
    {"xor", "The number of ranks is a power of two."},
    {"rabenseifner-nearest", "A reduce needs a power of two of ranks."},
    {"opt", "The network is an xgft or a fat tree."},
    {"pipelined-ring", "It serves blocks of unequal sizes (--counts)."},
    {"neighbor", "The number of ranks is even."},
    {"hierarchical", kNeedsGroups},
    {"local-ring", kNeedsGroups},
    {"node-lanes",
     "At least two nodes, one of them with at least two ranks. The formulas are for g on each."},
    {"torus-ring", "The network is a torus of two or more dimensions, and rank r runs on node r."},
    {"swing",
     "The network is a ring or torus of even extents, and rank r runs on node r. With "
     "variant=latency the extents are powers of two."},
    {"multi-ring", kNeedsCyclic},
    {"multi-ring-bfb",
     "The network is a Cayley graph of the integers modulo N with two-way "
     "cables, every generator has order N, and rank r runs on node r."},
    {"direct", "A link joins every two ranks. Point-to-point fits any network."},
    {"expand", kNeedsBreadth},
    {"bfb", kNeedsBreadth},
    {"do", kNeedsHamming},
    {"md", kNeedsHamming},
    {"do-md", kNeedsHamming},
    {"kautz-c",
     "The network is made of kautz or genkautz and is strongly connected, and rank r "
     "runs on node r."},
    {"dragonfly-c",
     "The network is a Dragonfly with one host on each router, and each router has "
     "a link to every other group."},
    {"multitree", kNeedsStrong},
    {"disjoint-trees", kNeedsStrong},
    {"packing", "Ranks run on several nodes, and each reaches every other."},
    {"flow",
     "Ranks run on several nodes, and each reaches every other. With forwarding=ranks a "
     "network without switches has a rank on each node."},
    {"switch-tree",
     "The switches combine and copy data, as SHARP and NVLS do, and two-way cables "
     "join them to the hosts of ranks."},
    {"multipath", "The two ranks run on different nodes."},
    {"multipath-forward",
     "The two ranks run on different nodes, the network has no switches, and "
     "a rank runs on each node of the paths."},
    {"llf", kNeedsDragonfly},
    {"llf-rerooted", kNeedsDragonfly},
    {"glf", kNeedsDragonfly},
    {"forest", kNeedsDragonfly},
    {"dragonfly-lanes", kNeedsDragonfly},
    {"dragonfly-two-trees", kNeedsDragonfly},
});

std::vector<CostFormula> formulas_in_order() {
  std::vector<CostFormula> made;
  for (const Algorithm& algorithm : algorithms())
    for (const auto formulas : {exchange_formulas(), allreduce_formulas(), rooted_formulas()})
      std::ranges::copy_if(formulas, std::back_inserter(made), [&](const CostFormula& formula) {
        return formula.algorithm == algorithm.name;
      });
  return made;
}

}  // namespace

const std::vector<CostFormula>& cost_formulas() {
  static const std::vector<CostFormula> all = formulas_in_order();
  return all;
}

std::span<const CostSymbol> cost_symbols() {
  return kSymbols;
}

std::string requirement_of(std::string_view algorithm) {
  const auto found = std::ranges::find(kRequirements, algorithm, &RequirementText::algorithm);
  std::string text(found == kRequirements.end() ? "" : found->text);
  if (find_algorithm(algorithm).named_only)
    text += text.empty() ? "It runs only where it is named." : " It runs only where it is named.";
  return text;
}

}  // namespace weft::algorithm
