// Families and functions of topology expressions, as a table that parses, builds, lists and
// documents them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::topology {

/// A family of topologies: "kautz", with parameters "d,k".
struct Family {
  std::string name;
  std::string parameters;  // how they are written: "d,k"
  std::string summary;     // one line, with size, degree and diameter where there is a formula
  std::string example;
  /// Builds from the text behind the colon; the topology's expression is canonical. Throws
  /// InvalidInput.
  std::function<BuiltTopology(std::string_view parameters)> build;
};

/// A function of topologies: "hosts(k, X)", "without(...)".
struct Function {
  std::string name;
  std::string parameters;
  std::string summary;
  std::string example;
  /// Builds from the function's own arguments and its built operands; `node` is the expression
  /// itself.
  std::function<BuiltTopology(const Expression& node, std::span<const BuiltTopology> operands)>
      build;
  /// Refuses a repetition, line^12(X), whose result would be too large, before any of it is built;
  /// none where the steps check themselves soon enough. Throws InvalidInput.
  std::function<void(const Expression& node, std::span<const BuiltTopology> operands)>
      check_repeated = {};
};

/// The families and functions that an expression may use; upper rooms add theirs to a copy.
struct Registry {
  std::vector<Family> families;
  std::vector<Function> functions;
};

/// All that this room offers, in the order in which `weft list topologies` shows it.
const Registry& standard_registry();

/// Parses and builds. Throws InvalidInput for an unknown name (with the nearest ones) and for bad
/// parameters.
BuiltTopology build_topology(std::string_view expression,
                             const Registry& registry = standard_registry());
BuiltTopology build_topology(const Expression& expression,
                             const Registry& registry = standard_registry());

/// The same of an expression that a file names, in which `parts` ranks or nodes are: refuses a
/// network of more than parts^2 + 10^6 nodes or links before it takes memory. Throws InvalidInput.
BuiltTopology build_topology_for(std::string_view expression, std::int64_t parts);

/// Only the structure: `make_topology("torus:4x4")`.
Topology make_topology(std::string_view expression);

}  // namespace weft::topology

namespace weft {
using topology::build_topology;
using topology::build_topology_for;
using topology::make_topology;
}  // namespace weft
