// Fabrics as ibnetdiscover prints them.
#include "fabric.hpp"
#include "other_lists.hpp"

namespace weft::format {

namespace {

ImportedFabric read(const FabricSource& source) {
  return infiniband::fabric_of(source, infiniband::Ends::both);
}

bool recognises(std::string_view text) {
  const infiniband::Look look = infiniband::look_at(text);
  return (look.devices && look.guids) || infiniband::list_kind(text) != infiniband::ListKind::none;
}

}  // namespace

Format ibnetdiscover() {
  return {.name = "ibnetdiscover",
          .summary =
              "InfiniBand fabrics as ibnetdiscover prints them (-g and -p, too), with --routes of "
              "dump_fts",
          .loses = "aggregation nodes of switches, firmware, latencies",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
