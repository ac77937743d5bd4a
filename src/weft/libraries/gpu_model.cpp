#include "weft/libraries/gpu_model.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <string_view>

namespace weft::libraries {

bool has_root(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
}

double ring_steps(const LibraryCall& call) {
  return call.collective == CollectiveKind::allreduce ? 2.0 * (call.ranks - 1)
         : has_root(call.collective)                  ? call.ranks
                                                      : call.ranks - 1.0;
}

double slow_network_us(const GpuBoxes& gpus, NcclProtocol protocol) {
  return gpus.slow_network_us * (protocol == NcclProtocol::simple ? 2 : 1);
}

double model_bytes(const LibraryCall& call) {
  return static_cast<double>(call.collective == CollectiveKind::allgather ? call.size_B * call.ranks
                                                                          : call.size_B);
}

double tree_latency_us(const HopLatencies& of, const GpuBoxes& gpus) {
  const double levels = std::bit_width(static_cast<std::uint32_t>(gpus.boxes)) - 1.0;
  return of.base_us + 2 * ((gpus.per_box - 1) * of.inside_us + levels * of.network_us);
}

void set_ring_latency(NcclEstimate& ring, const HopLatencies& of, double rooted_hop_us,
                      const LibraryCall& call) {
  ring.base_us = of.base_us;
  ring.hop_us = of.inside_us;
  ring.network_us = of.network_us;
  const double passes = call.collective == CollectiveKind::allreduce ? 2 : 1;
  const double crossings = passes * (call.gpus.boxes - 1);
  ring.latency_us =
      of.base_us + (has_root(call.collective) ? call.ranks * rooted_hop_us
                                              : (ring_steps(call) - crossings) * of.inside_us +
                                                    crossings * of.network_us);
}

NcclEstimate with_bandwidth(NcclEstimate made, double bus_GBps, double algorithm_GBps,
                            double bytes) {
  made.bus_GBps = bus_GBps;
  made.algorithm_GBps = algorithm_GBps;
  made.time_us = made.latency_us + bytes / (1e3 * algorithm_GBps);
  return made;
}

std::string name_of(NcclAlgorithm algorithm, NcclProtocol protocol) {
  constexpr std::array<std::string_view, 5> kAlgorithms{"Tree", "Ring", "NVLS", "NVLSTree", "PAT"};
  constexpr std::array<std::string_view, 3> kProtocolNames{"LL", "LL128", "Simple"};
  return fmt::format("{} {}", kAlgorithms[static_cast<std::size_t>(algorithm)],
                     kProtocolNames[static_cast<std::size_t>(protocol)]);
}

std::int64_t picoseconds(double microseconds) {
  return static_cast<std::int64_t>(std::llround(microseconds * 1e6));
}

}  // namespace weft::libraries
