// What the cost models of NCCL and RCCL have in common: latency of a tree and of a ring, and names.
//
// Both libraries have the same file tuning.cc with other constants. Times are microseconds.
// Source: NCCL 2.30.7 and RCCL (rocm-systems 03a8914), src/graph/tuning.cc.
#pragma once

#include <cstdint>
#include <string>

#include "weft/libraries/nccl.hpp"

namespace weft::libraries {

/// Of one algorithm with one protocol: once a call, a step within a box, a step between boxes.
struct HopLatencies {
  double base_us = 0, inside_us = 0, network_us = 0;
};

/// Whether the collective has a root.
bool has_root(CollectiveKind kind);
/// Steps of a ring.
double ring_steps(const LibraryCall& call);
/// What a step between boxes takes beyond the constants; with Simple twice, as the libraries count.
double slow_network_us(const GpuBoxes& gpus, NcclProtocol protocol);
/// The bytes that the models count: the whole buffer.
double model_bytes(const LibraryCall& call);
/// Latency of an allreduce up and down a tree over boxes, with chains inside.
double tree_latency_us(const HopLatencies& of, const GpuBoxes& gpus);
/// Sets the latencies of a ring's estimate. A collective with a root has as many hops as ranks,
/// each of which takes `rooted_hop_us`.
void set_ring_latency(NcclEstimate& ring, const HopLatencies& of, double rooted_hop_us,
                      const LibraryCall& call);
/// The estimate with its bandwidths, and the time that follows.
NcclEstimate with_bandwidth(NcclEstimate made, double bus_GBps, double algorithm_GBps,
                            double bytes);
/// "Tree LL128".
std::string name_of(NcclAlgorithm algorithm, NcclProtocol protocol);
std::int64_t picoseconds(double microseconds);

}  // namespace weft::libraries
