// Cables between the routers of each family, its racks in a square grid.
#include "weft/analysis/economics/families.hpp"
#include "weft/analysis/economics/racks.hpp"

namespace weft::analysis {

namespace {

// `lines` lines of m racks, every pair within a line linked by `cables` cables: Eq. 4.10.
void fully_connected_lines(std::int64_t lines, std::int64_t m, std::int64_t cables,
                           Shopping& shopping) {
  for (std::int64_t x = 1; x < m; ++x)
    shopping.optical[static_cast<double>(x) + kCableOverhead_m] += lines * (m - x) * cables;
}

// So many cables between each two of the racks.
void between_all_racks(std::int64_t racks, std::int64_t cables, Shopping& shopping) {
  const std::int64_t columns = square_columns(racks);
  for (std::int64_t a = 0; a < racks; ++a)
    for (std::int64_t b = 0; b < a; ++b) shopping.optical[cable_between(a, b, columns)] += cables;
}

}  // namespace

void fully_connected_cables(const Design& design, Shopping& shopping) {
  fully_connected_lines(2 * design.parameter, design.parameter, 1, shopping);
}

// A rack holds a subgroup of either half: q + q routers, q cables between the halves, k' - q links
// of each router within its subgroup. Two racks share q cables for each of two pairs of subgroups.
void slim_fly_cables(const Design& design, Shopping& shopping) {
  const std::int64_t q = design.parameter;
  shopping.electrical[kCableInRack_m] += q * q + q * q * (slim_fly_degree(q) - q);
  between_all_racks(q, 2 * q, shopping);
}

// A rack holds a group of 2p routers; one cable joins each two groups.
void dragonfly_cables(const Design& design, Shopping& shopping) {
  const std::int64_t p = design.parameter, groups = 2 * p * p + 1;
  shopping.electrical[kCableInRack_m] += groups * p * (2 * p - 1);
  between_all_racks(groups, 1, shopping);
}

// Three levels: a rack holds a pod, or the core switches above the i-th middle switch of every pod.
// Two levels: a leaf switch, or up to r spines. The switches below come first; each of them, or of
// its middle switches, has a cable up for each endpoint of a leaf (of three levels, for each leaf).
void fat_tree_cables(const Design& design, Shopping& shopping) {
  const FatTreeParts parts = fat_tree_parts(*design.levels, design.parameter, design.endpoints);
  if (parts.levels == 1) return;
  const bool pods = parts.levels == 3;
  const std::int64_t below = pods ? parts.pods : parts.leaves;
  const std::int64_t above = pods ? parts.most : 1, columns = square_columns(below + above);
  if (pods) shopping.electrical[kCableInRack_m] += parts.cables();
  for (std::int64_t i = 0; i < below; ++i) {
    const std::int64_t leaves =
        pods ? parts.leaves / below + (i < parts.leaves % below ? 1 : 0) : 1;
    const std::int64_t cables = pods ? leaves : parts.most;
    for (std::int64_t j = below; j < below + above; ++j)
      shopping.optical[cable_between(i, j, columns)] += cables;
  }
}

// A rack holds a line of the first dimension; m cables join racks that are linked in the others.
void hamming_cables(const Design& design, Shopping& shopping) {
  const std::int64_t m = design.parameter;
  shopping.electrical[kCableInRack_m] += m * m * m * (m - 1) / 2;
  fully_connected_lines(2 * m, m, m, shopping);
}

// A router a rack, numbered as the topology kautz:d,2 is (Imase and Itoh).
void kautz_cables(const Design& design, Shopping& shopping) {
  const std::int64_t d = design.parameter, n = design.routers, columns = square_columns(n);
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t j = 0; j < d; ++j)
      ++shopping.optical[cable_between(u, n - 1 - (d * u + j) % n, columns)];
}

// Folded: electrical cables only, at the length the thesis prices them (1 m).
void torus_3d_cables(const Design& design, Shopping& shopping) {
  shopping.electrical[kCableInRack_m] += 3 * design.routers;
}
void torus_5d_cables(const Design& design, Shopping& shopping) {
  shopping.electrical[kCableInRack_m] += 5 * design.routers;
}

}  // namespace weft::analysis
