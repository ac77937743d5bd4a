#include "weft/topology/facts/facts.hpp"

namespace weft::topology {

namespace {

constexpr FamilyFacts kGraphFacts[] = {
    {"kautz", "d^k + d^(k-1)", "d", "k", "link",
     "Node u has links to the nodes -(d u + j) mod n for j = 1 to d.",
     "Imase, Itoh, A Design for Directed Graphs with Minimum Diameter, IEEE ToC C-32(8), 1983"},
    {"genkautz", "n, more than d", "d, self-loops counted", "at most ceil(log_d n)", "link",
     "Node u has links to the nodes -(d u + j) mod n for j = 1 to d.", "Imase, Itoh, 1983"},
    {"debruijn", "d^n", "d, self-loops counted", "n", "link",
     "Node u has links to the nodes d u + j mod d^n for j = 0 to d - 1.",
     "de Bruijn, A Combinatorial Problem, 1946"},
    {"2dfc", "m1 m2", "m1 + m2 - 2", "2", "x y", "Node (x, y) has the number x + m1 y."},
    {"hamming", "product of m_i", "sum of (m_i - 1)", "number of dimensions", "x y z d4 ...",
     "The first coordinate counts fastest in the numbers of nodes."},
    {"torus", "product of m_i", "2 in each dimension, 1 where m_i = 2", "sum of floor(m_i/2)",
     "x y z d4 ...", "The first coordinate counts fastest in the numbers of nodes."},
    {"mesh", "product of m_i", "up to 2 in each dimension", "sum of (m_i - 1)", "x y z d4 ...",
     "The first coordinate counts fastest in the numbers of nodes."},
    {"hypercube", "2^n", "n", "n", "link"},
    {"ring", "n", "2", "floor(n/2)", "link"},
    {"uniring", "n", "1, or d", "n - 1", "link", "uniring:d,n has d parallel rings."},
    {"complete", "n", "n - 1", "1", "link"},
    {"circulant", "n", "2 for each jump, 1 for the jump n/2", "depends on the jumps", "link"},
    {"cayley", "order of the group", "number of generators", "depends on the generators", "link",
     "GROUP is Z16 (integers modulo 16), a product such as Z4xZ6 or Z2^10, or a semidirect "
     "product. Z16xZ4,k=3 has (x, s)(y, t) = (x + 3^s y, s + t) and requires 3^4 = 1 modulo 16. "
     "Z3^2xZ8,A=[[0,1],[1,1]] takes a matrix in place of k. D8 is the dihedral group of order 16, "
     "and DR8 is the same group numbered round a ring. AGL(1,7) has the maps z -> a z + x over Z7, "
     "and AGL(1,7,3) those with a in the subgroup of order 3. Perm[(0 1 2 3),(0 1)] is generated "
     "by permutations and has at most 2,000,000 elements. Brackets enclose a semidirect product "
     "inside another product: (Z16xZ4,k=3)xZ2. Elements are tuples such as (1,3), or single "
     "numbers where the group has one component. The first component counts fastest in the numbers "
     "of nodes. Generators that come with their inverses make cables, a repeated generator makes "
     "parallel links, and the identity makes a self-loop.",
     "Cayley, 1878; Godsil, Royle, Algebraic Graph Theory, 2001, section 3.1"},
    {"lift", "orbits times order", "arcs that leave an orbit", "depends on the arcs", "link",
     "Node o * order + x is element x of orbit o. Groups and elements are written as for cayley. "
     "Arcs that come with their reverses, p>o:g^-1, make cables."},
    {"bipartite", "a + b", "larger of a and b", "2", "link"},
    {"shifted-ring", "n, 3 or more", "4", "depends on n", "link",
     "The second jump is the number from 2 to n/2 that is coprime to n and nearest to sqrt(n), and "
     "the smaller of two. Rings of 3, 4 and 6 nodes have no such number, and both jumps are 1.",
     "Wang et al., TopoOpt, NSDI 2023"},
    {"biring", "n", "d", "floor(n/2)", "link", "biring:2,n has the name ring:n.",
     "Zhao et al., Efficient Direct-Connect Topologies for Collective Communications, 2022, Table "
     "9"},
    {"directed-circulant", "d + 2", "d", "2", "link", "Node u has links to u + 1, ..., u + d.",
     "Zhao et al., 2022, Table 9"},
    {"twisted-torus", "product of m_i", "2 in each dimension",
     "k for k x 2k, floor(3k/2) in three dimensions", "x y z",
     "Extents are k and 2k in any order. A ring along a dimension of extent k closes with a shift "
     "by k along every dimension of extent 2k. The nodes are those of Z^n modulo a lattice.",
     "Camara et al., Twisted Torus Topologies for Enhanced Interconnection Networks, IEEE TPDS "
     "21(12), 2010; Camarero, Martinez, Beivide, 2015"},
    {"twisted-hypercube", "2^n, n 3 or more", "n", "n - 1", "link",
     "The edges 0-1 and 2-3 of the hypercube are replaced by 0-3 and 1-2.",
     "Esfahanian, Ni, Sagan, The Twisted N-Cube with Application to Multiprocessing, 1991"},
    {"diamond", "8", "2", "3", "link",
     "The drawing of the paper is lost. This digraph and its transpose are the only ones of 8 "
     "nodes, degree 2 and diameter 3 without loops and double links that have the throughput of "
     "Table 7.",
     "Zhao et al., 2022, Tables 7 and 9, Figure 19"},
    {"debruijn-mod", "d^n", "d", "3, 4, 2, 3 for (2,3), (2,4), (3,2), (4,2)", "link",
     "One cycle links the d^2 nodes whose self-loops and 2-cycles are removed. The paper leaves "
     "its order open; for n of 3 or more it is increasing. debruijn-mod:3,2 goes 0 5 3 4 6 7 8 1 "
     "2, and debruijn-mod:4,2 goes 0 11 4 8 5 12 9 13 10 1 14 2 15 6 3 7.",
     "Zhao et al., 2022, Tables 7 and 9, Figure 20"},
    {"double-binary-tree", "n", "at most 4", "depends on n", "link",
     "It has a cable for every edge of the two trees of the algorithm of this name with root 0, "
     "and parallel cables where both trees have the edge.",
     "Sanders, Speck, Traff, 2009"},
    {"distance-regular", "depends on NAME", "4, or 3 for petersen", "depends on NAME", "link",
     "Nodes and diameter by name: octahedron 6 and 2, paley-9 9 and 2, k5-5-minus-matching 10 and "
     "3, heawood-distance-3 14 and 3, line-petersen 15 and 3, 4-cube 16 and 4, line-heawood 21 and "
     "3, pg-2-3 26 and 3, ag-2-4-minus-class 32 and 4, odd-4 35 and 3, line-tutte-8-cage 45 and 4, "
     "doubled-odd-4 70 and 7, gq-3-3 80 and 4, line-tutte-12-cage 189 and 6, gh-3-3 728 and 6.",
     "Zhao et al., 2022, Table 8"},
    {"petersen", "10", "3", "2", "link"},
    {"random-regular", "n", "d", "random", "link",
     "Stubs are paired at random; switches of links repair self-loops, double edges and separate "
     "components. The same seed gives the same graph on every machine."},
};

}  // namespace

std::span<const FamilyFacts> facts_of_graphs() {
  return kGraphFacts;
}

}  // namespace weft::topology
