#include "weft/topology/facts/facts.hpp"

namespace weft::topology {

namespace {

constexpr FamilyFacts kMachineFacts[] = {
    {"jellyfish", "switches (1 + hosts)", "degree", "random", "link terminal", "",
     "Singla, Hong, Popa, Godfrey, Jellyfish: Networking Data Centers Randomly, NSDI 2012"},
    {"dragonfly", "g a routers and g a p hosts", "a - 1 + h", "at most 3 between routers",
     "local global terminal",
     "Router r of group q is node q a + r, and host i of router s is node g a + s p + i. Router r "
     "owns the global ports r h to r h + h - 1 of its group. With g = a h + 1 groups, port k of "
     "group q leads to another group: absolute (the default) to k for k < q, else to k + 1; "
     "relative to q + k + 1 mod g; circulant to q + k/2 + 1 for even k and q - (k + 1)/2 for odd "
     "k; codes to k, or to g - 1 for k = q, with router r owning the ports r, r + a, r + 2a, ... "
     "as in the simulator CODES. With fewer groups the order repeats, so that any two groups have "
     "floor(a h/(g - 1)) cables or one more. The i-th port of one group towards another has its "
     "cable to the i-th port back.",
     "Kim, Dally, Scott, Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008; "
     "Hastings et al., Comparing Global Link Arrangements for Dragonfly Networks, 2015"},
    {"dragonfly-plus", "g (l + s) switches and g l p hosts", "larger of s and l + h",
     "at most 3 between leaves", "local global terminal",
     "Leaf i of group q is node q (l + s) + i, spine j is q (l + s) + l + j, and host i of leaf t, "
     "counted over all groups, is g (l + s) + t p + i. The s h ports of a group lead to the others "
     "as in the absolute arrangement of a Dragonfly.",
     "Shpiner et al., Dragonfly+: Low Cost Topology for Scaling Datacenters, HiPINEB 2017"},
    {"megafly", "g (l + s) switches and g l p hosts", "larger of s and l + h",
     "at most 3 between leaves", "local global terminal", "",
     "Flajslik et al., Megafly: A Topology for Exascale Systems, 2018"},
    {"cascade", "96 routers and 384 hosts in each group", "30, and up to 10 global links",
     "2 in a group", "terminal chassis group global",
     "A group has 6 chassis of 16 routers. One cable joins any two routers of a chassis, and three "
     "cables join any two routers in equal slots. The cables between two groups are spread evenly "
     "over the routers. Two routers of a group may be two cables apart, so the algorithms for "
     "Dragonflies do not apply.",
     "Faanes et al., Cray Cascade: a Scalable HPC System Based on a Dragonfly Network, SC 2012"},
    {"slimfly", "2 q^2", "(3q - delta)/2", "2", "local global",
     "q = 4w + delta is a prime power of 3 or more, delta is -1, 0 or 1. Node (s, x, y) is s q^2 + "
     "x q + y, with s 0 or 1 and x, y in GF(q). Links inside a group (equal s and x) are local, "
     "the others global. slimfly:5 is the Hoffman-Singleton graph. hosts(k, slimfly:q) attaches "
     "hosts.",
     "McKay, Miller, Siran, A Note on Large Graphs of Diameter Two and Given Maximum Degree, 1998; "
     "Besta, Hoefler, SC 2014"},
    {"polarfly", "q^2 + q + 1", "q + 1; q + 1 nodes have q", "2", "link",
     "Nodes are the points of PG(2, q), linked where their dot product is 0. (0,0,1), (0,1,z) and "
     "(1,y,z) are the nodes 0, 1 + z and 1 + q + q y + z. Elements of GF(p^n) are 0 to q - 1; "
     "their digits to base p are the coefficients of a polynomial.",
     "Erdos, Renyi, 1962; Lakhotia et al., PolarFly: A Cost-Effective and Flexible Low-Diameter "
     "Topology, SC 2022"},
    {"polarstar", "(q^2 + q + 1)(2 iq + 2), or (q^2 + q + 1) paley",
     "q + 1 + iq, or q + 1 + (paley - 1)/2", "3", "local global",
     "Every point of polarfly:q is a supernode, and a link between two points joins node y of one "
     "to node f(y) of the other. With iq, supernodes are inductive quads of that degree (0 or 3 "
     "modulo 4), and f exchanges the nodes 2i and 2i + 1. With paley, supernodes are Paley graphs "
     "of that many nodes, and f multiplies by a primitive element. Links inside a supernode are "
     "local, the others global.",
     "Lakhotia, Monroe, Isham, Besta, Blach, Hoefler, Petrini, PolarStar: Expanding the Horizon of "
     "Diameter-3 Networks, SPAA 2024"},
    {"bundlefly", "2 q^2 p", "(3q - delta + p - 1)/2", "3", "local global", "",
     "Lei, Dong, Liao, Duato, Bundlefly: A Low-Diameter Topology for Multicore Fiber, ICS 2020"},
    {"spectralfly", "q (q^2 - 1)/2 where p is a square modulo q, else q (q^2 - 1)", "p + 1",
     "3 for p = 11, q = 7", "link",
     "p and q are different odd primes, and q is above 2 sqrt(p). The graph has two sides where p "
     "is no square modulo q. No eigenvalue other than p + 1 and -(p + 1) exceeds 2 sqrt(p) in "
     "absolute value.",
     "Lubotzky, Phillips, Sarnak, Ramanujan graphs, Combinatorica 8, 1988"},
    {"hyperx", "product of m_i", "sum of k_i (m_i - 1)", "number of dimensions", "x y z d4 ...",
     "Dimension i has k_i parallel cables. shortest-split spreads traffic over parallel links, "
     "dimension-order divides them among the destinations, and shortest takes the first. hosts(T, "
     "hyperx:...) attaches T hosts to each switch.",
     "Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: Topology, Routing, and Packaging of "
     "Efficient Large-Scale Networks, SC 2009"},
    {"flattened-butterfly", "k^(n-1) routers and k^n hosts", "(n - 1)(k - 1)", "n - 1",
     "x y z d4 ... terminal", "",
     "Kim, Dally, Abts, Flattened Butterfly: A Cost-Efficient Topology for High-Radix Networks, "
     "ISCA 2007"},
    {"hammingmesh", "a b x y accelerators, and b y + a x switches", "4",
     "4 between accelerators of 2x2 boards, 8 of 4x4 boards", "board row column",
     "There are x by y boards of a by b accelerators. An accelerator has cables to its neighbours "
     "on the board; at the edges of the board it has cables to the switch of its row, which runs "
     "through all boards of that row, and to the switch of its column. Accelerators are numbered "
     "board by "
     "board, then come the row switches, then the column switches. Boards are groups.",
     "Hoefler et al., HammingMesh: A Network Topology for Large-Scale Deep Learning, SC 2022"},
    {"xpander", "(d + 1) k", "d, 3 or more", "random", "link",
     "The nodes m k to m k + k - 1 are meta-node m, and a random perfect matching joins any two "
     "meta-nodes. The lift is drawn again until it is connected.",
     "Valadarsky, Shahaf, Dinitz, Schapira, Xpander: Towards Optimal-Performance Datacenters, "
     "CoNEXT 2016"},
    {"xgft", "m_1 ... m_h hosts and the switches of h levels", "children and parents of a switch",
     "2h between hosts", "terminal level1 level2 ...",
     "Hosts are level 0 and come first, then the switches level by level. Level l has m_(l+1) ... "
     "m_h w_1 ... w_l nodes. A node of level l is a string of digits, w-digits 1 to l and m-digits "
     "l + 1 to h, and digit 1 counts fastest. Its parents differ from each other in digit l + 1 "
     "alone.",
     "Ohring, Ibel, Das, Kumar, On Generalized Fat Trees, IPPS 1995"},
    {"fat-tree", "k^n hosts and n k^(n-1) switches", "2k", "2n between hosts",
     "terminal level1 level2 ...", "It is xgft:n;k,...,k;1,k,...,k.",
     "Petrini, Vanneschi, k-ary n-trees: High Performance Networks for Massively Parallel "
     "Architectures, IPPS 1997"},
    {"fat-tree-ports", "k^3/4 hosts and 5 k^2/4 switches", "k", "6 between hosts",
     "terminal level1 level2", "It is clos:pods=k,leaves=k/2,spines=k/2,cores=k^2/4,hosts=k/2.",
     "Al-Fares, Loukissas, Vahdat, A Scalable, Commodity Data Center Network Architecture, SIGCOMM "
     "2008"},
    {"leaf-spine", "leaves times hosts, and the switches",
     "larger of hosts + uplinks and the cables of a spine", "4 between hosts", "terminal level1",
     "hosts / uplinks is the oversubscription. Where uplinks are no multiple of the spines, some "
     "pairs of a leaf and a spine have one cable more. The hosts of a leaf are a group. Numbers "
     "are those of the XGFT of the same shape. With several cables between two switches traffic is "
     "split over the cables."},
    {"clos", "pods times leaves times hosts, and the switches", "depends on the cables",
     "6 between hosts", "terminal level1 level2",
     "Spine j of every pod has cables to the cores / spines cores of plane j. hosts / spines is "
     "the oversubscription of a leaf, and leaves times spines / cores that of a pod.",
     "Clos, A Study of Non-Blocking Switching Networks, BSTJ 32(2), 1953"},
    {"rail", "boxes times gpus, and the switches", "depends on the cables", "4 between hosts",
     "box terminal level1",
     "GPU j of box i is host i x gpus + j. The switches of boxes follow, then the leaves, then the "
     "spines. Links inside a box have the class box: --link 50GBps,1us --link box=450GBps,300ns. "
     "The default machine is gpus: NVLink 4 in a box and 400 Gb/s outside. With spines=0 the ways "
     "between rails lead through a GPU of one of the boxes; the packet models refuse such "
     "networks. "
     "Boxes are groups.",
     "Wang, Ghobadi, Shakeri, Zhang, Hasani, Rail-only: A Low-Cost High-Performance Network for "
     "Training LLMs with Trillion Parameters, 2024"},
    {"bcube", "n^(k+1) servers and (k + 1) n^k switches", "k + 1 ports on a server",
     "k + 1 switches on the way", "level0 level1 ... levelk",
     "Servers come first, and they pass messages on. Switches of level 0 join the servers of a "
     "box. The smaller networks inside are groups.",
     "Guo et al., BCube: A High Performance, Server-centric Network Architecture for Modular Data "
     "Centers, SIGCOMM 2009"},
    {"dcell", "t_k servers and t_k/n switches", "k + 1 ports on a server", "at most 2^(k+1) - 1",
     "level0 level1 ... levelk",
     "Servers come first, and they pass messages on. Cables between servers make the levels above "
     "0. The smaller networks inside are groups.",
     "Guo, Wu, Tan, Shi, Zhang, Lu, DCell: A Scalable and Fault-Tolerant Network Structure for "
     "Data Centers, SIGCOMM 2008"},
    {"network", "those of the machine", "those of the machine", "those of the machine", "...",
     "weft list networks shows the machines and the sources of their speeds; --link CLASS=... "
     "changes a speed. A TOML file in the folder that WEFT_NETWORKS names adds a machine of your "
     "own."},
    {"file", "those of the file", "those of the file", "those of the file", "...",
     "Files end in .json, .edges, .arcs or .graphml."},
};

}  // namespace

std::span<const FamilyFacts> facts_of_machines() {
  return kMachineFacts;
}

}  // namespace weft::topology
