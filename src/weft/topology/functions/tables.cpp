#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr const char* kExample = "tables(file=fabric.routes, file:fabric.json)";

BuiltTopology routed(const Expression& node, const BuiltTopology& inner) {
  const Parameters parameters("tables(file=PATH, X)", kExample, node.parameters);
  const std::string path = parameters.key_values({"file"})["file"];
  if (path.empty()) parameters.fail("expected file=");
  const Topology& whole = inner.topology;
  Facets facets = whole.facets();
  facets.tables =
      std::make_shared<const ForwardingTables>(parse_routes(read_file(path), whole, path));
  return {
      with_facets(whole, std::move(facets), apply("tables", node.parameters, whole.expression())),
      inner.speeds};
}

}  // namespace

Function tables_function() {
  return {"tables", "file=PATH, X",
          "X with the forwarding tables of a file, which the routing `table` follows", kExample,
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            return routed(node, operands[0]);
          }};
}

}  // namespace weft::topology
