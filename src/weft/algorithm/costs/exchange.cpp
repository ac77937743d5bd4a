#include "weft/algorithm/costs/formulas.hpp"

namespace weft::algorithm {

namespace {

constexpr std::string_view kExchangeAll = "alltoall allgather reduce-scatter",
                           kExchangeHalves = "allgather reduce-scatter",
                           kExchangeNetwork = "depends on the network",
                           kExchangeTree =
                               "(N - 1)/N on one switch, 1 on trees with --routing pattern-aware",
                           kExchangeOptimal = "between T_B* and T_B* (D + s - 1)/s";

constexpr CostFormula kExchangeFormulas[] = {
    {"pairwise", kExchangeAll, "N - 1", "N(N - 1)", "(N - 1)/N"},
    {"shift", "alltoall", "N - 1", "N(N - 1)", "(N - 1)/N"},
    {"spread", kExchangeAll, "1", "N(N - 1)", "(N - 1)/N"},
    {"lin", "alltoall", "N", "N^2", "(N - 1)/N"},
    {"lin", kExchangeHalves, "N - 1", "N(N - 1)", "(N - 1)/N"},
    {"xor", "alltoall", "N", "N^2", "(N - 1)/N"},
    {"xor", kExchangeHalves, "N - 1", "N(N - 1)", "(N - 1)/N"},
    {"opt", "alltoall", "N, or the leaves of the tree that it follows", "N^2", kExchangeTree},
    {"opt", kExchangeHalves, "N, or the leaves of the tree that it follows", "N(N - 1)",
     kExchangeTree},
    {"bruck", "alltoall", "L", "N v(r)", "d(r)/N"},
    {"bruck", "allgather", "L", "N v(r)", "(N - 1)/N"},
    {"ring", kExchangeHalves, "N - 1", "N(N - 1)", "(N - 1)/N"},
    {"pipelined-ring", kExchangeHalves, "N - 2 + s", "s N(N - 1)", "(N - 1)/N"},
    {"bidirectional-ring", kExchangeHalves, "floor(N/2)", "N(N - 1), or N^2 for even N above 2",
     "(N - 1)/N"},
    {"neighbor", "allgather", "N/2", "N^2/2", "(N - 1)/N"},
    {"recursive-doubling", "allgather", "k + 2[E]", "C k + 2E",
     "(N - 1)/N for E = 0, else (N + sum over j < k of min(2^(j+1), 2^j + E))/N"},
    {"recursive-halving", "reduce-scatter", "k + 2[E]", "C k + 2E",
     "(N - 1)/N for E = 0, else (N + sum over j < k of min(2^(j+1), 2^j + E))/N"},
    {"gather-broadcast", "allgather", "1 + ceil(log2 N)", "2(N - 1)", "(N - 1)/N + ceil(log2 N)"},
    {"hierarchical", "alltoall", "s + 1", "s N(g + G - 2)", "(2N - g - G)/N"},
    {"hierarchical", kExchangeHalves, "s - 1 + the steps of its levels",
     "s N(g + G - 2) with rings, s N (sum of (g_i - 1)) with more levels",
     "the sum of its levels for s = 1, (N - 1)/N with rings"},
    {"node-lanes", kExchangeAll, "s + the steps of the lane for s = 1",
     "N(g - 1) + g times the messages of the lane for s = 1",
     "on the network: that of the lane with one rank on each node"},
    {"local-ring", kExchangeHalves, "g + G - 2", "N(g + G - 2)", "(N - 1)/N"},
    {"torus-ring", kExchangeHalves, "sum of (m_i - 1)", "at most 2n N (sum of (m_i - 1))",
     "on the torus: (N - 1)/N for equal extents above 2"},
    {"swing", kExchangeHalves, "sum of ceil(log2 m_i)", "2n N (sum of ceil(log2 m_i))",
     "on the torus, m_i = m = 2^j: sum over i < n j of delta(floor(i/n))/2^(i+1), "
     "delta = 1, 1, 3, 5, 11, ..."},
    {"multi-ring", kExchangeHalves, "N - 1", "d N(N - 1)", "on the network: (N - 1)/N"},
    {"multi-ring-bfb", kExchangeHalves, "floor(N/2)", "about d N^2/2", "on the network: (N - 1)/N"},
    {"direct", kExchangeAll, "1", "N(N - 1)", "(N - 1)/N"},
    {"expand", kExchangeHalves, "those of the base, and one for each expansion", kExchangeNetwork,
     "on line(X): that of X + 1/N at most; on degree(n, X): that of X + (n - 1)/(n N); "
     "on power(n, X): that of X times N/(N - 1) (N^n - 1)/N^n"},
    {"bfb", kExchangeHalves, "diameter", "at most links times diameter",
     "on the network: (d/N) times the sum over steps of U_t, the largest ratio of blocks that "
     "must arrive over some links of a node to the number of these links"},
    {"do", "alltoall", "n", "N d", "on the network: d (sum of 1/m_i)"},
    {"do", kExchangeHalves, "n", "N d",
     "on the network: (d/N) (sum over i of m_1 m_2 ... m_(i-1))"},
    {"md", "alltoall", "n", "at most n N d", "on the network: d/min(m_i), the lower bound"},
    {"md", kExchangeHalves, "n", "at most n N d",
     "on the network: (N - 1)/N for equal extents, d (N + max(m_i))/(N (m_1 + m_2)) for n = 2"},
    {"kautz-c", "alltoall", "diameter", "at most diameter times links",
     "on kautz:d,2: (2d + 1)/(d + 1)"},
    {"kautz-c", kExchangeHalves, "diameter", "at most diameter times links",
     "on kautz:d,k: (d/N) (1 + d + ... + d^(k-1))"},
    {"dragonfly-c", kExchangeAll, "2", "N(2a + h - 2) for h = g - 1",
     "blocks on a link between routers, a = h = g - 1: 2a for alltoall, else a + 1"},
    {"multitree", kExchangeHalves, "T, at least ceil(N(N - 1)/links)", "N(N - 1)",
     "on the network: T d/N"},
    {"multitree", "alltoall", "T", kExchangeNetwork,
     "on kautz:d,2: (2d + 1)/(d + 1); on 2dfc:mxm: 2(m - 1)/m for odd m, "
     "2(m - 1)(m + 1)/m^2 for even m"},
    {"packing", kExchangeHalves, "D + s - 1", kExchangeNetwork, kExchangeOptimal},
    {"flow", "alltoall", "1", kExchangeNetwork, "T_B*, plus the rounding of shares to units"},
    {"flow", "alltoall", "D + s - 1", "at most links times D s", kExchangeOptimal,
     "forwarding=ranks"},
};

}  // namespace

std::span<const CostFormula> exchange_formulas() {
  return kExchangeFormulas;
}

}  // namespace weft::algorithm
