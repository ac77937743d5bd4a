// Graphviz's DOT language, as far as it says what is joined to what: all of its grammar, with
// quoted and joined strings, ports, HTML labels, comments, subgraphs and defaults, and the line of
// everything. libcgraph reads it too, but keeps no lines, prints what it dislikes and knows no
// bound for hostile files.
// Source: graphviz.org/doc/info/lang.html; tests hold it against Graphviz's own gvpr.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::format::clusters {

using DotAttributes = std::map<std::string, std::string>;

struct DotNode {
  std::string name;
  DotAttributes attributes;
  std::int64_t line = 0;  // where it stands first
};

struct DotEnd {
  std::size_t node = 0;
  std::string port;  // without its compass point
};

struct DotEdge {
  DotEnd tail, head;
  DotAttributes attributes;
  std::int64_t line = 0;
};

struct DotGraph {
  bool directed = false;
  std::vector<DotNode> nodes;  // in the order of the file
  std::vector<DotEdge> edges;
};

/// Throws InvalidInput, with the line, for what is no DOT, and for subgraphs nested or joined
/// beyond bounds. O(size of the text + edges).
DotGraph read_dot(std::string_view text, const std::string& file);

}  // namespace weft::format::clusters
