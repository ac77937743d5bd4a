#include "weft/algorithm/costs/formulas.hpp"

namespace weft::algorithm {

namespace {

constexpr std::string_view kAllreduceAlone = "allreduce",
                           kAllreduceBoth = "the sum of reduce-scatter and allgather",
                           kAllreduceNetwork = "depends on the network";

constexpr CostFormula kAllreduceFormulas[] = {
    {"pairwise", kAllreduceAlone, "2(N - 1)", "2N(N - 1)", "2(N - 1)/N"},
    {"spread", kAllreduceAlone, "2", "2N(N - 1)", "2(N - 1)/N"},
    {"ring", kAllreduceAlone, "2(N - 1)", "2N(N - 1)", "2(N - 1)/N"},
    {"bidirectional-ring", kAllreduceAlone, "2 floor(N/2)", "2N(N - 1), or 2N^2 for even N above 2",
     "2(N - 1)/N"},
    {"recursive-doubling", kAllreduceAlone, "k + 2[E]", "C k + 2E", "k + 2[E]"},
    {"rabenseifner", kAllreduceAlone, "2k + 2[E]", "2C k + 2E", "2(C - 1)/C + 2[E]"},
    {"rabenseifner-nearest", kAllreduceAlone, "2k + 2[E]", "2C k + 2E", "2(C - 1)/C + 2[E]"},
    {"binomial", kAllreduceAlone, "2 ceil(log2 N)", "2(N - 1)", "2 ceil(log2 N)"},
    {"gather-broadcast", kAllreduceAlone, "1 + ceil(log2 N)", "2(N - 1)", "N - 1 + ceil(log2 N)"},
    {"double-binary-tree", kAllreduceAlone, "2T + 2(s - 1), T at most 2 ceil(log2 N)", "4s(N - 1)",
     "at most 2(T + s - 1)/s", "children=in-turn"},
    {"double-binary-tree", kAllreduceAlone, "2T + s - 1, T at most ceil(log2 N)", "4s(N - 1)",
     kAllreduceNetwork, "children=together"},
    {"local-ring", kAllreduceAlone, "2(g + G - 2)", "2N(g + G - 2)", "2(N - 1)/N"},
    {"hierarchical", kAllreduceAlone, "s - 1 + the steps of its phases",
     "s times the messages of its phases", "the sum of its phases for s = 1"},
    {"node-lanes", kAllreduceAlone, "s + 1 + the steps of the lane for s = 1",
     "2N(g - 1) + g times the messages of the lane for s = 1",
     "on the network: that of the lane with one rank on each node"},
    {"torus-ring", kAllreduceAlone, "2 (sum of (m_i - 1))", "at most 4n N (sum of (m_i - 1))",
     "on the torus: 2(N - 1)/N for equal extents above 2"},
    {"swing", kAllreduceAlone, "2 (sum of ceil(log2 m_i))", "4n N (sum of ceil(log2 m_i))",
     "on the torus, m_i = m = 2^j: at most 2.4, 2.08 and 2.02 for n = 2, 3 and 4",
     "variant=bandwidth"},
    {"swing", kAllreduceAlone, "sum of log2 m_i", "2n N (sum of log2 m_i)",
     "on the torus, m_i = m = 2^j: sum over i < n j of delta(floor(i/n))", "variant=latency"},
    {"multi-ring", kAllreduceAlone, "2(N - 1)", "2d N(N - 1)", "on the network: 2(N - 1)/N"},
    {"multi-ring-bfb", kAllreduceAlone, "2 floor(N/2)", "about d N^2",
     "on the network: 2(N - 1)/N"},
    {"direct", kAllreduceAlone, "2", "2N(N - 1)", "2(N - 1)/N"},
    {"expand", kAllreduceAlone, kAllreduceBoth, kAllreduceNetwork, kAllreduceBoth},
    {"bfb", kAllreduceAlone, "2 diameter", "at most 2 links times diameter", kAllreduceBoth},
    {"do", kAllreduceAlone, "2n", kAllreduceBoth, kAllreduceBoth},
    {"md", kAllreduceAlone, "2n", kAllreduceBoth, kAllreduceBoth},
    {"do-md", kAllreduceAlone, "2n", kAllreduceBoth, kAllreduceBoth},
    {"kautz-c", kAllreduceAlone, "2 diameter", kAllreduceBoth, "on kautz:d,2: 2"},
    {"dragonfly-c", kAllreduceAlone, "4", kAllreduceBoth, kAllreduceBoth},
    {"multitree", kAllreduceAlone, kAllreduceBoth, "2N(N - 1)", kAllreduceBoth},
    {"disjoint-trees", kAllreduceAlone, "2D + s - 1", "2s t(N - 1)",
     "between 2(N - 1)/N and 2(d/t)(2D + s - 1)/s"},
    {"packing", kAllreduceAlone, "D + s - 1, D of reduction and broadcast together",
     kAllreduceNetwork, "between T_B* and T_B* (D + s - 1)/s"},
    {"switch-tree", kAllreduceAlone,
     "2H + s - 1, H the height of the highest tree, and 2 more where ranks share a host",
     "s for each link of each tree and for each rank that shares a host",
     "at most (2H + s - 1)/s times the largest load of a link, which is 1 where every host has "
     "one link and no link is slower"},
};

}  // namespace

std::span<const CostFormula> allreduce_formulas() {
  return kAllreduceFormulas;
}

}  // namespace weft::algorithm
