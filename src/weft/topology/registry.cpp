#include "weft/topology/registry.hpp"

#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/families/families.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

// One from each file of families/, for the table below.
Family kautz_family();
Family generalized_kautz_family();
Family debruijn_family();
Family two_dimensional_fully_connected_family();
Family hamming_family();
Family torus_family();
Family mesh_family();
Family hypercube_family();
Family ring_family();
Family uniring_family();
Family complete_family();
Family circulant_family();
Family cayley_family();
Family lift_family();
Family bipartite_family();
Family shifted_ring_family();
Family biring_family();
Family directed_circulant_family();
Family twisted_torus_family();
Family twisted_hypercube_family();
Family diamond_family();
Family modified_debruijn_family();
Family double_binary_tree_family();
Family distance_regular_family();
Family petersen_family();
Family random_regular_family();
Family jellyfish_family();
Family dragonfly_family();
Family dragonfly_plus_family();
Family megafly_family();
Family cascade_family();
Family slimfly_family();
Family polarfly_family();
Family polarstar_family();
Family bundlefly_family();
Family spectralfly_family();
Family hyperx_family();
Family flattened_butterfly_family();
Family hammingmesh_family();
Family xpander_family();
Family xgft_family();
Family fat_tree_family();
Family fat_tree_of_ports_family();
Family leaf_spine_family();
Family clos_family();
Family rail_family();
Family bcube_family();
Family dcell_family();
Family network_family();
Family file_family();

namespace {

template <class Row>
const Row* find_row(const std::vector<Row>& rows, const std::string& name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

template <class Row>
std::vector<std::string> names(const std::vector<Row>& rows) {
  std::vector<std::string> result;
  for (const Row& row : rows) result.push_back(row.name);
  return result;
}

constexpr std::array kMeanings = {
    Meaning{"spine-leaf", "it is called leaf-spine here"},
    Meaning{"clique", "it is called complete here"},
    Meaning{"full-mesh", "it is called complete here"},
    Meaning{"fully-connected", "it is called complete here"},
    Meaning{"all-to-all", "it is called complete here"},
    Meaning{"star", "eight hosts on one switch are \"xgft:1;8;1\""},
    Meaning{"switch", "eight hosts on one switch are \"xgft:1;8;1\""},
    Meaning{"crossbar", "eight hosts on one switch are \"xgft:1;8;1\""},
    Meaning{"fbfly", "it is called flattened-butterfly here"},
    Meaning{"mms", "it is called slimfly here"},
    Meaning{"lps", "it is called spectralfly here"},
    Meaning{"aries", "it is called cascade here"},
    Meaning{"grid", "it is called mesh, or torus where lines close to rings"},
    Meaning{"cube", "it is called hypercube, or torus:4x4x4"}};

BuiltTopology build_family(const Expression& leaf, const Registry& registry) {
  const Family* family = find_row(registry.families, leaf.name);
  if (family == nullptr) {
    if (const Function* function = find_row(registry.functions, leaf.name))
      reject("{} is a function (it needs brackets); for example {}", leaf.name, function->example);
    reject_unknown({"topology family", leaf.name}, names(registry.families), kMeanings);
  }
  return family->build(leaf.parameters);
}

BuiltTopology build_function(const Expression& node, const Registry& registry) {
  const Function* function = find_row(registry.functions, node.name);
  if (function == nullptr) {
    if (const Family* family = find_row(registry.families, node.name))
      reject("{} is a family (it takes no brackets); for example {}", node.name, family->example);
    reject_unknown({"topology function", node.name}, names(registry.functions));
  }
  constexpr int kMostRepeats = 64;
  require(node.power >= 1 && node.power <= kMostRepeats,
          "power {} of {} is out of range (needs 1 to {})", node.power, node.name, kMostRepeats);
  std::vector<BuiltTopology> operands;
  for (const Expression& child : node.children) operands.push_back(build_topology(child, registry));
  if (node.power > 1 && function->check_repeated) function->check_repeated(node, operands);
  Expression once = node;
  once.power = 1;
  for (int i = 1; i < node.power; ++i) {
    BuiltTopology inner = function->build(once, operands);
    operands.clear();
    operands.push_back(std::move(inner));
  }
  return function->build(once, operands);
}

// Of functions that take one topology.
Function of_one(Function function) {
  const auto check = [name = function.name, example = function.example](std::size_t operands) {
    require(operands == 1, "{} takes one topology, not {}; for example {}", name, operands,
            example);
  };
  function.build = [check, build = std::move(function.build)](
                       const Expression& node, std::span<const BuiltTopology> operands) {
    check(operands.size());
    return build(node, operands);
  };
  if (function.check_repeated)
    function.check_repeated = [check, more = std::move(function.check_repeated)](
                                  const Expression& node, std::span<const BuiltTopology> operands) {
      check(operands.size());
      more(node, operands);
    };
  return function;
}

}  // namespace

Family make_family(std::string name, std::string parameters, std::string summary,
                   std::string example, std::function<Topology(const Parameters&)> build) {
  auto from_text = [usage = parameters.empty() ? name : name + ":" + parameters, example,
                    build = std::move(build)](std::string_view text) {
    return BuiltTopology{build(Parameters(usage, example, text)), {}};
  };
  return {std::move(name), std::move(parameters), std::move(summary), std::move(example),
          std::move(from_text)};
}

const Registry& standard_registry() {
  static const Registry registry{
      .families = {kautz_family(),
                   generalized_kautz_family(),
                   debruijn_family(),
                   two_dimensional_fully_connected_family(),
                   hamming_family(),
                   torus_family(),
                   mesh_family(),
                   hypercube_family(),
                   ring_family(),
                   uniring_family(),
                   complete_family(),
                   circulant_family(),
                   cayley_family(),
                   lift_family(),
                   bipartite_family(),
                   shifted_ring_family(),
                   biring_family(),
                   directed_circulant_family(),
                   twisted_torus_family(),
                   twisted_hypercube_family(),
                   diamond_family(),
                   modified_debruijn_family(),
                   double_binary_tree_family(),
                   distance_regular_family(),
                   petersen_family(),
                   random_regular_family(),
                   jellyfish_family(),
                   dragonfly_family(),
                   dragonfly_plus_family(),
                   megafly_family(),
                   cascade_family(),
                   slimfly_family(),
                   polarfly_family(),
                   polarstar_family(),
                   bundlefly_family(),
                   spectralfly_family(),
                   hyperx_family(),
                   flattened_butterfly_family(),
                   hammingmesh_family(),
                   xpander_family(),
                   xgft_family(),
                   fat_tree_family(),
                   fat_tree_of_ports_family(),
                   leaf_spine_family(),
                   clos_family(),
                   rail_family(),
                   bcube_family(),
                   dcell_family(),
                   network_family(),
                   file_family()},
      .functions = {of_one(hosts_function()), of_one(without_function()), product_function(),
                    of_one(power_function()), of_one(transpose_function()), of_one(line_function()),
                    of_one(degree_function()), of_one(bidirectional_function()),
                    of_one(splice_function()), of_one(exchange_function()), of_one(idle_function()),
                    boxes_function(), of_one(planes_function()), of_one(names_function()),
                    of_one(tables_function())}};
  return registry;
}

BuiltTopology build_topology(std::string_view expression, const Registry& registry) {
  return build_topology(parse_expression(expression), registry);
}

BuiltTopology build_topology(const Expression& expression, const Registry& registry) {
  return expression.is_family() ? build_family(expression, registry)
                                : build_function(expression, registry);
}

// A network of N ranks may be complete, and have N^2 links; a few ranks may be placed on a large
// cluster.
BuiltTopology build_topology_for(std::string_view expression, std::int64_t parts) {
  constexpr double kOfAnyFile = 1e6;
  const auto own = static_cast<double>(parts);
  const SizeLimit limit(kOfAnyFile + own * own);
  return build_topology(expression);
}

Topology make_topology(std::string_view expression) {
  return build_topology(expression).topology;
}

}  // namespace weft::topology
