// Graphviz' force layouts: the graph in its language to a child, places read from its plain output.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "layout.hpp"
#include "weft/analysis/leaves.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/report/chart/child.hpp"

namespace weft::report {

namespace {

constexpr std::int32_t kMostForNeato = 300;

std::string graph_text(const Topology& topology) {
  std::string text =
      "graph {\n  graph [start=1, overlap=false, splines=false];\n"
      "  node [shape=circle, width=0.3, fixedsize=true, label=\"\"];\n";
  for (const NodeId node : topology.nodes()) text += fmt::format("  {};\n", node.value());
  const auto leaf_of = analysis::leaf_switches(topology);
  std::set<std::pair<NodeId, NodeId>> drawn;
  for (const LinkId link : topology.links()) {
    const auto ends = std::minmax({topology.tail(link), topology.head(link)});
    if (ends.first != ends.second && drawn.insert(ends).second)
      text +=
          fmt::format("  {} -- {}{};\n", ends.first.value(), ends.second.value(),
                      leaf_of[ends.first] >= 0 || leaf_of[ends.second] >= 0 ? " [len=0.5]" : "");
  }
  return text + "}\n";
}

}  // namespace

PlacedNodes place_by_force(const Topology& topology) {
  const std::string program = topology.node_count() <= kMostForNeato ? "neato" : "sfdp";
  const TemporaryFolder folder;
  const std::string input = folder.file("net.gv"), output = folder.file("net.plain");
  write_file(input, graph_text(topology));
  const int status = run_child({program, "-Tplain", "-o", output, input}, folder.file("log"));
  require(status != -1 && status != 127,
          "cannot place the nodes of {}: {} is not installed (Debian: graphviz); choose --layout "
          "circle, or install it",
          topology.name(), program);
  if (status != 0) {
    std::string log = read_file(folder.file("log"));
    std::replace(log.begin(), log.end(), '\n', ' ');
    reject("cannot place the nodes of {}: {} failed: {}", topology.name(), program, log);
  }
  PlacedNodes placed{.at = IdVector<NodeId, Point>(topology.node_count()), .bow = {}};
  std::istringstream lines(read_file(output));
  std::int32_t read = 0;
  for (std::string word; lines >> word; lines.ignore(1 << 20, '\n')) {
    std::int32_t node = 0;
    Point at;
    if (word != "node" || !(lines >> node >> at.x >> at.y)) continue;
    require(node >= 0 && node < topology.node_count(), "{} named an unknown node {}", program,
            node);
    placed.at[NodeId(node)] = {at.x, -at.y};
    ++read;
  }
  require(read == topology.node_count(), "{} placed {} of the {} nodes of {}", program, read,
          topology.node_count(), topology.name());
  return placed;
}

}  // namespace weft::report
