#include "weft/algorithm/costs/formulas.hpp"

namespace weft::algorithm {

namespace {

constexpr std::string_view kDown = "broadcast reduce", kBlocks = "scatter gather",
                           kOne = "point-to-point", kNetwork = "depends on the network",
                           kPlacement = "depends on the placement",
                           kOptimal = "between T_B* and T_B* (D + s - 1)/s",
                           kTogether = "children=together";

constexpr CostFormula kFormulas[] = {
    {"binomial", kDown, "ceil(log2 N)", "N - 1", "ceil(log2 N)"},
    {"binomial", kBlocks, "ceil(log2 N)", "N - 1", "(N - 1)/N"},
    {"binomial-nearest", kDown, "ceil(log2 N)", "N - 1", "ceil(log2 N)", "children=in-turn"},
    {"binomial-nearest", kDown, "k for N = 2^k, else at most ceil(log2 N)", "N - 1",
     "k(k + 1)/2 for N = 2^k", kTogether},
    {"rabenseifner-nearest", "reduce", "2k", "N k + N - 1", "2(N - 1)/N"},
    {"knomial", kDown, "L", "N - 1", "v(r)", "children=in-turn"},
    {"knomial", kDown, "L for N = r^L, else at most L", "N - 1", "(r - 1) L(L + 1)/2 for N = r^L",
     kTogether},
    {"knomial", kBlocks, "L", "N - 1", "(N - 1)/N; more with children=together"},
    {"chain", kDown, "N - 2 + s", "s(N - 1)", "(N - 2 + s)/s"},
    {"hierarchical", kDown, "G + s", "s((g - 1)^2 + g^2 (G - 1))",
     "G + (g - 2)/(g - 1) for s = 1, else (G + s + (s - 2)/g)/s"},
    {"hierarchical", kBlocks, "s + 1", "s(N - 1)", "(N - 1)/N"},
    {"node-lanes", kDown, "s + 1 + the steps of the lane for s = 1",
     "g - 1 + N(g - 1) + g times the messages of the lane for s = 1",
     "on the network: that of the lane with one rank on each node for s = 1"},
    {"node-lanes", kBlocks, "s + the steps of the lane for s = 1",
     "g - 1 + g times the messages of the lane for s = 1",
     "on the network: that of the lane with one rank on each node for s = 1"},
    {"scatter-allgather", "broadcast", "ceil(log2 N) + N - 1", "N^2 - 1", "2(N - 1)/N"},
    {"scatter-doubling", "broadcast", "the sum of binomial scatter and recursive-doubling",
     "the sum of binomial scatter and recursive-doubling",
     "the sum of binomial scatter and recursive-doubling"},
    {"mpich", "broadcast", "those of the algorithm that it chooses",
     "those of the algorithm that it chooses", "that of the algorithm that it chooses"},
    {"double-binary-tree", kDown, "T + 2(s - 1), T at most 2 ceil(log2 N)", "2s(N - 1)",
     "(T + 2(s - 1))/(2s)"},
    {"direct", kDown, "1", "N - 1", "N - 1"},
    {"direct", kBlocks, "1", "N - 1", "(N - 1)/N"},
    {"direct", kOne, "1", "1", "1"},
    {"bfb", kDown, "eccentricity of the root + s - 1", "at most s links",
     "for s = 1 the sum over steps of f_t = B / the least bandwidth of used links into a node; "
     "it falls towards the largest f_t with more segments"},
    {"bfb", kBlocks, "eccentricity of the root", "at most links times steps",
     "(N - 1)/N on tori, hypercubes and other vertex-symmetric networks"},
    {"do", kDown, "n", "N - 1", "on the network: n d"},
    {"do", kBlocks, "n", "N - 1", "on the network: (d/N) (sum over i of N/(m_1 ... m_i))"},
    {"kautz-c", kDown, "eccentricity of the root + s - 1", "s(N - 1)",
     "on kautz:d,k: d (k + s - 1)/s"},
    {"kautz-c", kBlocks, "eccentricity of the root", "N - 1", "on kautz:d,2: (d + 2)/(d + 1)"},
    {"dragonfly-c", "broadcast reduce scatter gather", "2", "N - 1",
     "blocks on a link between routers in a scatter, a = h = g - 1: a + 1"},
    {"multitree", kDown, "eccentricity of the root + s - 1", "s(N - 1)",
     "on kautz:d,k: d (k + s - 1)/s"},
    {"multitree", kBlocks, "eccentricity of the root", "N - 1", "on kautz:d,2: (d + 2)/(d + 1)"},
    {"disjoint-trees", kDown, "D + s - 1", "s t(N - 1)", "(d/t)(D + s - 1)/s"},
    {"packing", kDown, "D + s - 1", kNetwork, kOptimal},
    {"switch-tree", kDown, "D + s - 1, and one more where ranks share a host",
     "half of the messages of an allreduce", "(D + s - 1)/s times the largest load of a link"},
    {"llf", kDown, kPlacement, "N - 1", kPlacement},
    {"llf-rerooted", kDown, kPlacement, "N - 1", kPlacement},
    {"glf", kDown, kPlacement, "N - 1", kPlacement},
    {"forest", kDown, kPlacement, "N - 1", kPlacement},
    {"dragonfly-lanes", kDown, kPlacement,
     "at most lanes times groups + sum of (ranks of a group)^2",
     "two buffers, and log2 of the groups times the lanes that one rank sends in a step"},
    {"dragonfly-two-trees", kDown, "T + 2(s - 1), T at most 2 ceil(log2 N)", "2s(N - 1)",
     "(T + 2(s - 1))/(2s)"},
    {"multipath", kOne, "1", "one for each path", "on a network of equal links: d / paths"},
    {"multipath-forward", kOne, "h - 1 + s, h the links of the longest path",
     "s times the links of all paths",
     "on kautz:d,2 with hops=3: 3, or 3d/(d - 1) where a link leads to the receiver and none back"},
};

}  // namespace

std::span<const CostFormula> rooted_formulas() {
  return kFormulas;
}

}  // namespace weft::algorithm
