// Cables between the routers of a design, its racks in a square grid.
#include "weft/analysis/economics/fat_tree_parts.hpp"
#include "weft/analysis/economics/kinds.hpp"
#include "weft/analysis/economics/racks.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

using namespace topology;  // facets

// `lines` lines of m racks, every pair within a line linked by `cables` cables: Eq. 4.10.
void fully_connected_lines(std::int64_t lines, std::int64_t m, std::int64_t cables,
                           Shopping& shopping) {
  for (std::int64_t x = 1; x < m; ++x)
    shopping.optical[static_cast<double>(x) + kCableOverhead_m] += lines * (m - x) * cables;
}

// So many cables between each two of the racks.
void between_all_racks(std::int64_t racks, std::int64_t cables, Shopping& shopping) {
  WEFT_ASSERT(racks >= 1 && cables >= 0);
  const std::int64_t columns = square_columns(racks);
  for (std::int64_t a = 0; a < racks; ++a)
    for (std::int64_t b = 0; b < a; ++b) shopping.optical[cable_between(a, b, columns)] += cables;
}

// Rings are folded: electrical cables only, at the length the thesis prices them (1 m). Of a
// Hamming network the last two dimensions are the grid of racks, and a rack holds the others.
void add(const Coordinates& grid, const Design& design, Shopping& shopping) {
  const auto& dimensions = grid.dimensions;
  std::int64_t& electrical = shopping.electrical[kCableInRack_m];
  if (dimensions.front().shape == LineShape::ring) {
    electrical += std::ssize(dimensions) * design.routers;
    return;
  }
  const std::int64_t columns = (dimensions.end() - 2)->extent, rows = dimensions.back().extent;
  const std::int64_t in_rack = design.routers / (columns * rows);
  for (std::size_t d = 0; d + 2 < dimensions.size(); ++d)
    electrical += design.routers * (dimensions[d].extent - 1) / 2;
  fully_connected_lines(rows, columns, in_rack, shopping);
  fully_connected_lines(columns, rows, in_rack, shopping);
}

// A rack holds a subgroup of either half: q + q routers, q cables between the halves, and the other
// links of each router within its subgroup. Two racks share q cables for each of two pairs of
// subgroups.
void add(const SlimflyView& slim_fly, const Design& design, Shopping& shopping) {
  const std::int64_t q = slim_fly.q, links = design.ports - design.endpoints / design.routers;
  shopping.electrical[kCableInRack_m] += q * q + q * q * (links - q);
  between_all_racks(q, 2 * q, shopping);
}

// A rack holds a group; one cable joins each two groups.
void add(const DragonflyView& d, const Design& design, Shopping& shopping) {
  shopping.electrical[kCableInRack_m] += design.routers * (d.a - 1) / 2;
  between_all_racks(d.g, 1, shopping);
}

// A router a rack, numbered as the topology kautz:d,2 is (Imase and Itoh).
void add(const KautzView& kautz, const Design& design, Shopping& shopping) {
  const std::int64_t d = kautz.degree, n = design.routers, columns = square_columns(n);
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t j = 0; j < d; ++j)
      ++shopping.optical[cable_between(u, n - 1 - (d * u + j) % n, columns)];
}

template <class Other>
void add(const Other&, const Design&, Shopping&) {
  WEFT_ASSERT(false);  // of no kind
}

// Three levels: a rack holds a pod, or the core switches above the i-th middle switch of every pod.
// Two levels: a leaf switch, or up to r spines. The switches below come first; each of them, or of
// its middle switches, has a cable up for each endpoint of a leaf (of three levels, for each leaf).
void add_tree(const Design& design, Shopping& shopping) {
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

}  // namespace

void add_cables(const Design& design, Shopping& shopping) {
  if (!design.structure) return add_tree(design, shopping);
  std::visit([&](const auto& structure) { add(structure, design, shopping); }, *design.structure);
}

}  // namespace weft::analysis
