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

}  // namespace weft::topology
