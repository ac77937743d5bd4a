// What tests of imported fabrics ask.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/names.hpp"

namespace weft::test {

inline std::string example(const std::string& name) {
  return read_file(test::source_dir() + "/examples/" + name);
}

inline format::ImportedFabric import(const char* format, const std::string& text,
                                     std::vector<int> uplinks = {}) {
  return format::find_format(format).read_fabric({text, "f", std::move(uplinks)});
}

/// What the reader says of a text that it refuses.
inline std::string refusal_of(const char* format, const std::string& text) {
  try {
    import(format, text);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

/// "a-b" by name, once for each cable, the lesser name first; "a>b" of one-way links.
inline std::multiset<std::string> cables_of(const Topology& topology) {
  std::multiset<std::string> all;
  for (const LinkId link : topology.links()) {
    const std::string from = node_text(topology, topology.tail(link));
    const std::string to = node_text(topology, topology.head(link));
    if (!topology.reverse(link))
      all.insert(from + ">" + to);
    else if (from < to)
      all.insert(from + "-" + to);
  }
  return all;
}

/// Bandwidth of the (first) link between two nodes in GB/s; 0 where none is known.
inline double GBps(const format::ImportedFabric& fabric, const char* from, const char* to) {
  const Topology& topology = fabric.network.topology;
  const topology::NodeNames names(topology);
  const LinkId link = topology.find_link(*names.find(from), *names.find(to)).value();
  const auto& known = fabric.network.speeds.bandwidth_Bps;
  return known.empty() ? 0 : static_cast<double>(known[link].value_or(0)) / 1e9;
}

inline std::string class_of(const Topology& topology, const char* from, const char* to) {
  const topology::NodeNames names(topology);
  const LinkId link = topology.find_link(*names.find(from), *names.find(to)).value();
  return topology.class_names()[topology.link_class(link)];
}

/// By name, what a message passes on its way.
inline std::vector<std::string> nodes_on_way(const Topology& topology, const Routing& routing,
                                             const char* from, const char* to) {
  const topology::NodeNames names(topology);
  RouteTable routes;
  const network::Flow flow{*names.find(from), *names.find(to)};
  routing.route(std::span(&flow, 1), routes);
  std::vector<std::string> nodes{from};
  for (const LinkId link : routes.links(0))
    nodes.push_back(node_text(topology, topology.head(link)));
  return nodes;
}

}  // namespace weft::test
