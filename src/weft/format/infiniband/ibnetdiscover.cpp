// Fabrics as ibnetdiscover prints them.
#include "fabric.hpp"

namespace weft::format {

namespace {

ImportedFabric read(std::string_view text, const std::string& file) {
  return infiniband::fabric_of(infiniband::read_devices(text, file), infiniband::Ends::both, file);
}

bool recognises(std::string_view text) {
  const infiniband::Look look = infiniband::look_at(text);
  return look.devices && look.guids;
}

}  // namespace

Format ibnetdiscover() {
  return {.name = "ibnetdiscover",
          .summary = "InfiniBand fabrics as ibnetdiscover prints them, with --routes of dump_fts",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
