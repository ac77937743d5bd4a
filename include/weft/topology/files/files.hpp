// Topologies in files: weft's own JSON, edge lists, GraphML, and DOT for drawing.
//
//   extension  read write  holds
//   .json      yes  yes    everything: kinds, links in order, classes, speeds, nominal degree
//   .edges     yes  yes    a cable a line, "u v [bandwidth [latency]]"; hosts alone (Graph Golf)
//   .arcs      yes  yes    a one-way link a line, the same columns; hosts alone
//   .graphml   yes  yes    kinds, cables, one-way links, classes, speeds, machine; not the order
//   .dot, .gv  no   yes    for Graphviz
//
// Node numbers start at 0. In edge lists "#" starts a comment, bandwidth and latency carry units
// ("50GBps 1us"), and every node must stand on some line. Hostile files are refused before memory
// is taken: counts are bounded by what the file holds.
#pragma once

#include <string>
#include <string_view>

#include "weft/topology/fabric.hpp"

namespace weft::topology {

enum class TopologyFormat : std::uint8_t { json, edges, arcs, graphml, dot };

/// By the extension, letter case ignored. Throws InvalidInput for another, naming those known.
TopologyFormat format_of(std::string_view path);

/// Reads by extension. The name is file:PATH; a JSON file keeps the expression it was written from
/// when that builds the same graph. Throws InvalidInput naming the file and, where there is one,
/// the line.
BuiltTopology read_topology(const std::string& path);
/// The same from text; `path` names it in messages and in the expression.
BuiltTopology parse_topology(std::string_view content, TopologyFormat format,
                             const std::string& path);

/// Writes by extension, wholly or not at all. Throws InvalidInput where the format can't hold the
/// topology (one-way links in .edges, switches in edge lists). Forwarding tables go to FILE.routes
/// beside FILE.json; other formats, and the text below, leave them out.
void write_topology(const BuiltTopology& built, const std::string& path);
/// The same as text.
std::string format_topology(const BuiltTopology& built, TopologyFormat format);

/// Reads what has none of the extensions above, and JSON of others; `path` names it in messages.
using ForeignReader = BuiltTopology (*)(std::string_view text, const std::string& path);
/// Null, as at first: such files are refused. Not for use while another thread reads.
void set_foreign_reader(ForeignReader reader);

/// file:PATH, quoted where the path needs it.
Expression file_expression(const std::string& path);

}  // namespace weft::topology
