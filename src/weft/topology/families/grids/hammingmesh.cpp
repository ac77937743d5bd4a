// HammingMesh: boards of accelerators in a two-dimensional mesh, the boards in rows and columns
// that switches join.
//
// An accelerator has four ports, west, east, north and south. On a board of a x b they make a mesh;
// the ports over at the edges of the board go to switches: those west and east to the switch of the
// accelerator's row, which runs through all x boards beside each other, and those north and south
// to that of its column. So a row switch has two ports for each board of the row, and any two
// accelerators of a row are joined over the edges of their boards and one switch. The paper puts a
// tree in place of a switch where a row has more ports than a switch; this is the network of one
// plane with switches that are large enough.
// Source: Hoefler et al., "HammingMesh: A Network Topology for Large-Scale Deep Learning", SC 2022,
// section III.
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

struct Boards {
  int a, b;  // accelerators of a board
  int x, y;  // boards

  int width() const { return a * x; }
  int height() const { return b * y; }
  std::int64_t accelerators() const { return std::int64_t{width()} * height(); }
  /// Board by board, so that a board is a group of neighbours.
  NodeId accelerator(int column, int row) const {
    const std::int64_t board = std::int64_t{row / b} * x + column / a;
    return NodeId((board * b + row % b) * a + column % a);
  }
  NodeId row_switch(int row) const { return NodeId(accelerators() + row); }
  NodeId column_switch(int column) const { return NodeId(accelerators() + height() + column); }
};

void add_board_links(TopologyBuilder& builder, const Boards& boards) {
  const ClassId board = builder.link_class("board");
  for (int row = 0; row < boards.height(); ++row)
    for (int column = 0; column < boards.width(); ++column) {
      const NodeId here = boards.accelerator(column, row);
      if ((column + 1) % boards.a != 0)
        builder.add_cable(here, boards.accelerator(column + 1, row), board);
      if ((row + 1) % boards.b != 0)
        builder.add_cable(here, boards.accelerator(column, row + 1), board);
    }
}

void add_switch_links(TopologyBuilder& builder, const Boards& boards) {
  const ClassId rows = builder.link_class("row"), columns = builder.link_class("column");
  for (int row = 0; row < boards.height(); ++row)
    for (int column = 0; column < boards.width(); ++column) {
      const NodeId here = boards.accelerator(column, row);
      const auto join = [&](NodeId there, ClassId links) { builder.add_cable(here, there, links); };
      if (column % boards.a == 0) join(boards.row_switch(row), rows);
      if ((column + 1) % boards.a == 0) join(boards.row_switch(row), rows);
      if (row % boards.b == 0) join(boards.column_switch(column), columns);
      if ((row + 1) % boards.b == 0) join(boards.column_switch(column), columns);
    }
}

Topology hammingmesh(const Boards& boards) {
  const auto [a, b, x, y] = boards;
  Expression name{"hammingmesh", fmt::format("{}x{},{}x{}", a, b, x, y), {}};
  require(a >= 1 && b >= 1 && x >= 1 && y >= 1,
          "{} has an extent below 1; give the accelerators of a board and the boards, as in "
          "hammingmesh:2x2,4x4",
          name.to_string());
  const double accelerators = 1.0 * a * b * x * y;
  const double switches = 1.0 * b * y + 1.0 * a * x;
  require_size(name.to_string(), accelerators + switches, 6 * accelerators);
  const auto nodes = static_cast<std::int64_t>(accelerators + switches);
  TopologyBuilder builder(nodes);
  for (std::int64_t node = boards.accelerators(); node < nodes; ++node)
    builder.set_kind(NodeId(node), NodeKind::switch_node);
  add_board_links(builder, boards);
  add_switch_links(builder, boards);
  builder.set_nominal_degree(4);
  builder.set_facets({{Groups{a * b}}, {}});
  return std::move(builder).build(std::move(name));
}

Boards read_boards(const Parameters& parameters) {
  const auto parts = split(parameters.text(), ',');
  if (parts.size() != 2)
    parameters.fail("expected the extents of a board and the number of boards");
  const auto pair = [&](std::string_view text) {
    const std::string lowered = lower(text);
    const auto extents = split(lowered, 'x');
    if (extents.size() != 2) parameters.fail(fmt::format("'{}' does not have two extents", text));
    return std::pair(parameters.integer(extents[0]), parameters.integer(extents[1]));
  };
  const auto [a, b] = pair(parts[0]);
  const auto [x, y] = pair(parts[1]);
  return {a, b, x, y};
}

}  // namespace

Family hammingmesh_family() {
  return make_family("hammingmesh", "axb,xxy",
                     "x * y boards of a * b accelerators in a mesh, and a switch for each row and "
                     "column of accelerators",
                     "hammingmesh:2x2,4x4", [](const Parameters& parameters) {
                       return hammingmesh(read_boards(parameters));
                     });
}

}  // namespace weft::topology
