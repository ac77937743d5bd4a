// Fabrics as ibnetdiscover prints them.
#include "fabric.hpp"

namespace weft::format {

namespace {

ImportedFabric read(const FabricSource& source) {
  return infiniband::fabric_of(infiniband::read_devices(source.text, source.file),
                               infiniband::Ends::both, source);
}

bool recognises(std::string_view text) {
  const infiniband::Look look = infiniband::look_at(text);
  return look.devices && look.guids;
}

}  // namespace

Format ibnetdiscover() {
  return {.name = "ibnetdiscover",
          .summary = "InfiniBand fabrics as ibnetdiscover prints them, with --routes of dump_fts",
          .loses = "aggregation nodes of switches, firmware, latencies",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
