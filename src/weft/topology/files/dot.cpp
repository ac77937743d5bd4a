// DOT, for Graphviz: hosts are circles, switches boxes, one-way links arrows.
#include <fmt/format.h>

#include "weft/topology/files/formats.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

namespace {

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

std::string write_dot(const Topology& topology) {
  std::string text =
      fmt::format("digraph {} {{\n  node [shape=circle];\n", in_quotes(topology.name()));
  for (NodeId node : topology.nodes()) {
    const std::string& name = name_of(topology, node);
    std::string attributes = topology.is_host(node) ? "" : "shape=box";
    if (!name.empty())
      attributes += fmt::format("{}label={}", attributes.empty() ? "" : ", ", in_quotes(name));
    text += fmt::format("  {}{};\n", node.value(),
                        attributes.empty() ? "" : fmt::format(" [{}]", attributes));
  }
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (reverse && *reverse < link) continue;
    text += fmt::format("  {} -> {} [{}class={}];\n", topology.tail(link).value(),
                        topology.head(link).value(), reverse ? "dir=none, " : "",
                        in_quotes(topology.class_names()[topology.link_class(link)]));
  }
  return text + "}\n";
}

}  // namespace weft::topology
