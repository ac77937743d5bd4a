// NCCL's choice by its own cost model.
//
// NCCL estimates the time of each pair of an algorithm and a protocol as
//
//   latency + bytes / bandwidth
//
// and runs the pair with the least. The latency counts steps within a box and between boxes; the
// bandwidth is that of the channels that a search of the box found, limited by what a protocol and
// an algorithm reach.
#pragma once

#include <string_view>
#include <vector>

#include "weft/libraries/library.hpp"

namespace weft::libraries {

/// What a search of the boxes finds.
struct NcclSearch {
  std::int32_t channels = 1;       // of rings and trees
  double inside = 0, outside = 0;  // GB/s of one within a box, and to the network
  double tree_inside = 0;          // GB/s of a tree's channel within a box, of up to two boxes
  std::int32_t heads = 0;          // of NVLS; 0: none
  double head_inside = 0, head_outside = 0;
  std::int32_t in_use = 2;   // channels that a large call has
  bool simple_tree = false;  // its trees have all edges of a box at one GPU
};
NcclSearch nccl_search(const GpuBoxes& gpus);

enum class NcclAlgorithm : std::uint8_t { tree, ring, nvls, nvls_tree, pat };
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };

/// One pair's estimate.
struct NcclEstimate {
  NcclAlgorithm algorithm = NcclAlgorithm::ring;
  NcclProtocol protocol = NcclProtocol::simple;
  double time_us = 0;
  double base_us = 0, hop_us = 0, network_us = 0;  // of a ring
  double latency_us = 0;                           // all of it
  double bus_GBps = 0, algorithm_GBps = 0;
};
/// All pairs that NCCL has for the call, in its own order.
std::vector<NcclEstimate> nccl_estimates(const LibraryCall& call);

LibraryChoice nccl(const LibraryCall& call);

}  // namespace weft::libraries
