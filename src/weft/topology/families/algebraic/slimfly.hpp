// Slim Fly networks: the McKay-Miller-Siran graphs.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The McKay-Miller-Siran graph of a prime power q = 4 w + delta, delta in {-1, 0, 1}, q >= 3: 2
/// q^2 nodes of degree (3 q - delta) / 2 and diameter 2; q = 5 is the Hoffman-Singleton graph. Node
/// (s, x, y), s in {0, 1} and x, y in GF(q), is s q^2 + x q + y. Links are of class "local" (s and
/// x the same: a group) or "global" (between the halves s = 0 and s = 1). Throws InvalidInput.
///
/// Source: McKay, Miller, Siran, "A Note on Large Graphs of Diameter Two and Given Maximum Degree",
/// J. Comb. Theory B 74, 1998; as a network Besta, Hoefler, "Slim Fly", SC 2014, section II-B.
Topology slimfly(int q);

}  // namespace weft::topology
