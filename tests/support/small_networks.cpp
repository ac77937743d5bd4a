#include "support/small_networks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "support/process/source_dir.hpp"
#include "weft/topology/registry.hpp"

namespace weft::test {

namespace {

// Of those whose examples are large.
const std::map<std::string, std::string, std::less<>>& smaller() {
  static const std::map<std::string, std::string, std::less<>> all{
      {"kautz", "kautz:3,2"},
      {"genkautz", "genkautz:4,18"},
      {"debruijn", "debruijn:2,4"},
      {"hypercube", "hypercube:4"},
      {"twisted-torus", "twisted-torus:2x2x4"},
      {"dragonfly", "dragonfly:a=4,p=2,h=1"},
      {"dragonfly-plus", "dragonfly-plus:l=2,s=2,p=2,h=1,g=3"},
      {"jellyfish", "jellyfish:8,3,2,seed=1"},
      {"megafly", "megafly:l=2,s=2,p=1,h=1,g=2"},
      {"cascade", ""},  // 480 nodes at least
      {"polarstar", "polarstar:q=2,iq=3"},
      {"bundlefly", ""},    // 90 nodes at least
      {"spectralfly", ""},  // 120 nodes at least
      {"flattened-butterfly", "flattened-butterfly:2,3"},
      {"xpander", "xpander:4,4,seed=1"},
      {"xgft", "xgft:3;4,3,2;1,2,2"},
      {"fat-tree-ports", "fat-tree-ports:4"},
      {"leaf-spine", "leaf-spine:leaves=4,spines=3,hosts=8"},
      {"clos", "clos:pods=2,leaves=2,spines=2,cores=2,hosts=4"},
      {"rail", "rail:boxes=4,gpus=4,spines=2"},
      {"hammingmesh", "hammingmesh:2x2,2x2"},
      {"hosts", "hosts(3, random-regular:12,4,seed=7)"},
      {"boxes", "boxes(2, (leaf-spine:leaves=2,spines=2,hosts=4), fat-tree:2,4)"},
      {"file", "file:" + test::source_dir() + "/examples/dgx1.edges"},
      {"tables", ""}};  // says routes alone, for a file
  return all;
}

}  // namespace

std::vector<std::string> small_networks(std::int32_t most_nodes) {
  std::vector<std::string> found;
  const auto add = [&](const auto& family) {
    const auto known = smaller().find(family.name);
    const std::string& expression = known == smaller().end() ? family.example : known->second;
    if (expression.empty()) return;
    const std::int32_t nodes = make_topology(expression).node_count();
    if (nodes <= most_nodes)
      found.push_back(expression);
    else
      ADD_FAILURE()
          << expression << " has " << nodes
          << " nodes; give a smaller one of its family in tests/support/small_networks.cpp";
  };
  for (const topology::Family& family : topology::standard_registry().families) add(family);
  for (const topology::Function& function : topology::standard_registry().functions) add(function);
  return found;
}

std::vector<std::string> damaged_or_switched(const std::vector<std::string>& expressions,
                                             std::int32_t most_nodes) {
  std::vector<std::string> found;
  for (const std::string& expression : expressions) {
    const Topology topology = make_topology(expression);
    if (topology.node_count() > most_nodes) continue;
    const LinkId link(topology.link_count() / 2);
    found.push_back(
        topology.reverse(link)
            ? fmt::format("without(cable={}, {})", topology.cable(link).value(), expression)
            : fmt::format("without(link={}, {})", link.value(), expression));
    found.push_back(
        fmt::format("without(node={}, {})", topology.hosts().back().value(), expression));
    if (!topology.has_switches() && 3 * topology.node_count() <= most_nodes)
      found.push_back(fmt::format("hosts(2, {})", expression));
  }
  return found;
}

}  // namespace weft::test
