// PolarStar networks: star products of polarity graphs with small graphs.
#pragma once

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// The star product of polarfly:q, q a prime power, with the inductive quad of `degree`, 0 or 3 mod
/// 4: 2 (degree + 1) (q^2 + q + 1) nodes of degree q + 1 + degree, diameter 3 at most. Node y of
/// supernode x is x * 2 (degree + 1) + y; links within a supernode are `local`, others `global`, as
/// are those that a point orthogonal to itself has with itself. Throws InvalidInput. O(links).
Topology polarstar_of_inductive_quads(int q, int degree);

/// The same with the Paley graph of `order`, a prime power that is 1 mod 4: order (q^2 + q + 1)
/// nodes of degree q + 1 + (order - 1) / 2, one less where the point is orthogonal to itself.
///
/// Source of both: Lakhotia, Monroe, Isham, Besta, Blach, Hoefler, Petrini, "PolarStar: Expanding
/// the Horizon of Diameter-3 Networks", SPAA 2024.
Topology polarstar_of_paley_graphs(int q, int order);

}  // namespace weft::topology
