// GraphML as weft import takes it, with its options; the reader is the topology's own.
#include "weft/topology/import/graphml.hpp"

#include "../xml_file.hpp"
#include "weft/format/format.hpp"

namespace weft::format {

namespace {

ImportedFabric read(const FabricSource& source) {
  auto fabric = topology::read_graphml(source.text, source.file, source.options);
  return {.network = std::move(fabric.network), .remarks = std::move(fabric.notes)};
}

bool recognises(std::string_view text) {
  return begins_with_element(text, "graphml") || begins_with_element(text, "ns0:graphml");
}

}  // namespace

Format graphml() {
  return {.name = "graphml",
          .summary = "GraphML of any program: Topology Zoo, NetworkX, yEd, Gephi, igraph",
          .loses = "attributes other than names, kinds, bandwidths and latencies",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
