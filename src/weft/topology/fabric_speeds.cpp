#include "weft/topology/fabric_speeds.hpp"

namespace weft::topology {

FileSpeeds speeds_of(const Fabric& fabric) {
  FileSpeeds speeds;
  for (const LinkId link : fabric.topology().links()) {
    speeds.bandwidth_Bps.emplace_back(fabric.bandwidth_Bps(link));
    speeds.latency_ps.emplace_back(fabric.latency_ps(link));
  }
  return speeds;
}

FileSpeeds speeds_for_file(const BuiltTopology& built, LinkOptions links) {
  links.defaults.all.payload = 1;
  for (auto& [name, of_class] : links.defaults.by_class) of_class.payload = 1;
  return speeds_of(Fabric(built, links));
}

}  // namespace weft::topology
