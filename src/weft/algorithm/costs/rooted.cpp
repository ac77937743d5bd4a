#include "weft/algorithm/costs/formulas.hpp"

namespace weft::algorithm {

namespace {

constexpr std::string_view kRootedDown = "broadcast reduce", kRootedBlocks = "scatter gather",
                           kRootedOne = "point-to-point", kRootedNetwork = "depends on the network",
                           kRootedPlacement = "depends on the placement",
                           kRootedOptimal = "between T_B* and T_B* (D + s - 1)/s",
                           kRootedTogether = "children=together";

constexpr CostFormula kRootedFormulas[] = {
    {"binomial", kRootedDown, "ceil(log2 N)", "N - 1", "ceil(log2 N)"},
    {"binomial", kRootedBlocks, "ceil(log2 N)", "N - 1", "(N - 1)/N"},
    {"binomial-nearest", kRootedDown, "ceil(log2 N)", "N - 1", "ceil(log2 N)", "children=in-turn"},
    {"binomial-nearest", kRootedDown, "k for N = 2^k, else at most ceil(log2 N)", "N - 1",
     "k(k + 1)/2 for N = 2^k", kRootedTogether},
    {"rabenseifner-nearest", "reduce", "2k", "N k + N - 1", "2(N - 1)/N"},
    {"knomial", kRootedDown, "L", "N - 1", "v(r)", "children=in-turn"},
    {"knomial", kRootedDown, "L for N = r^L, else at most L", "N - 1",
     "(r - 1) L(L + 1)/2 for N = r^L", kRootedTogether},
    {"knomial", kRootedBlocks, "L", "N - 1", "(N - 1)/N; more with children=together"},
    {"chain", kRootedDown, "N - 2 + s", "s(N - 1)", "(N - 2 + s)/s"},
    {"hierarchical", kRootedDown, "G + s", "s((g - 1)^2 + g^2 (G - 1))",
     "G + (g - 2)/(g - 1) for s = 1, else (G + s + (s - 2)/g)/s"},
    {"hierarchical", kRootedBlocks, "s + 1", "s(N - 1)", "(N - 1)/N"},
    {"node-lanes", kRootedDown, "s + 1 + the steps of the lane for s = 1",
     "g - 1 + N(g - 1) + g times the messages of the lane for s = 1",
     "on the network: that of the lane with one rank on each node for s = 1"},
    {"node-lanes", kRootedBlocks, "s + the steps of the lane for s = 1",
     "g - 1 + g times the messages of the lane for s = 1",
     "on the network: that of the lane with one rank on each node for s = 1"},
    {"scatter-allgather", "broadcast", "ceil(log2 N) + N - 1", "N^2 - 1", "2(N - 1)/N"},
    {"scatter-doubling", "broadcast", "the sum of binomial scatter and recursive-doubling",
     "the sum of binomial scatter and recursive-doubling",
     "the sum of binomial scatter and recursive-doubling"},
    {"mpich", "broadcast", "those of the algorithm that it chooses",
     "those of the algorithm that it chooses", "that of the algorithm that it chooses"},
    {"double-binary-tree", kRootedDown, "T + 2(s - 1), T at most 2 ceil(log2 N)", "2s(N - 1)",
     "(T + 2(s - 1))/(2s)"},
    {"direct", kRootedDown, "1", "N - 1", "N - 1"},
    {"direct", kRootedBlocks, "1", "N - 1", "(N - 1)/N"},
    {"direct", kRootedOne, "1", "1", "1"},
    {"bfb", kRootedDown, "eccentricity of the root + s - 1", "at most s links",
     "for s = 1 the sum over steps of f_t = B / the smallest bandwidth of used links into a node; "
     "it falls towards the largest f_t with more segments"},
    {"bfb", kRootedBlocks, "eccentricity of the root", "at most links times steps",
     "(N - 1)/N on tori, hypercubes and other vertex-symmetric networks"},
    {"do", kRootedDown, "n", "N - 1", "on the network: n d"},
    {"do", kRootedBlocks, "n", "N - 1", "on the network: (d/N) (sum over i of N/(m_1 ... m_i))"},
    {"kautz-c", kRootedDown, "eccentricity of the root + s - 1", "s(N - 1)",
     "on kautz:d,k: d (k + s - 1)/s"},
    {"kautz-c", kRootedBlocks, "eccentricity of the root", "N - 1",
     "on kautz:d,2: (d + 2)/(d + 1)"},
    {"dragonfly-c", "broadcast reduce scatter gather", "2", "N - 1",
     "blocks on a link between routers in a scatter, a = h = g - 1: a + 1"},
    {"multitree", kRootedDown, "eccentricity of the root + s - 1", "s(N - 1)",
     "on kautz:d,k: d (k + s - 1)/s"},
    {"multitree", kRootedBlocks, "eccentricity of the root", "N - 1",
     "on kautz:d,2: (d + 2)/(d + 1)"},
    {"disjoint-trees", kRootedDown, "D + s - 1", "s t(N - 1)", "(d/t)(D + s - 1)/s"},
    {"packing", kRootedDown, "D + s - 1", kRootedNetwork, kRootedOptimal},
    {"switch-tree", kRootedDown, "D + s - 1, and one more where ranks share a host",
     "half of the messages of an allreduce", "(D + s - 1)/s times the largest load of a link"},
    {"llf", kRootedDown, kRootedPlacement, "N - 1", kRootedPlacement},
    {"llf-rerooted", kRootedDown, kRootedPlacement, "N - 1", kRootedPlacement},
    {"glf", kRootedDown, kRootedPlacement, "N - 1", kRootedPlacement},
    {"forest", kRootedDown, kRootedPlacement, "N - 1", kRootedPlacement},
    {"dragonfly-lanes", kRootedDown, kRootedPlacement,
     "at most lanes times groups + sum of (ranks of a group)^2",
     "two buffers, and log2 of the groups times the lanes that one rank sends in a step"},
    {"dragonfly-two-trees", kRootedDown, "T + 2(s - 1), T at most 2 ceil(log2 N)", "2s(N - 1)",
     "(T + 2(s - 1))/(2s)"},
    {"multipath", kRootedOne, "1", "one for each path", "on a network of equal links: d / paths"},
    {"multipath-forward", kRootedOne, "h - 1 + s, h the links of the longest path",
     "s times the links of all paths",
     "on kautz:d,2 with hops=3: 3, or 3d/(d - 1) where a link leads to the receiver and none back"},
};

}  // namespace

std::span<const CostFormula> rooted_formulas() {
  return kRootedFormulas;
}

}  // namespace weft::algorithm
