// Finite geometries over small fields: points, and lines as sets of points.
#pragma once

#include <vector>

namespace weft::topology {

/// Points 0 .. points - 1 and the sorted points of each line.
struct Geometry {
  int points = 0;
  std::vector<std::vector<int>> lines;
};

/// PG(2, q), q prime: q^2 + q + 1 points and as many lines.
Geometry projective_plane(int q);

/// AG(2, 4) less the parallel class x = constant: 16 points, the 16 lines y = m x + b.
Geometry affine_plane_4_less_a_class();

/// W(q), q prime: the points of PG(3, q) and the lines on which x0 y1 - x1 y0 + x2 y3 - x3 y2
/// vanishes, a generalized quadrangle of order (q, q).
Geometry symplectic_quadrangle(int q);

/// H(q), q prime: the split Cayley hexagon, a generalized hexagon of order (q, q) on the points of
/// the quadric X0 X4 + X1 X5 + X2 X6 = X3^2 of PG(6, q). Source: Van Maldeghem, "Generalized
/// Polygons", 1998, section 2.4.13 (Tits).
Geometry split_cayley_hexagon(int q);

}  // namespace weft::topology
