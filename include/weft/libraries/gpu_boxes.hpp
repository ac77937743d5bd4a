// GpuBoxes: what a GPU library sees of a network: boxes of GPUs that NVLink or xGMI joins, and
// their cards.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::libraries {

/// Generations whose rates differ.
enum class GpuGeneration : std::uint8_t { volta, ampere, hopper, blackwell };

/// GPUs of AMD, by the rules that RCCL has for them: gfx90a (MI250), gfx942 (MI300X, MI325X) and
/// gfx950 (MI350X, MI355X).
enum class AmdGpu : std::uint8_t { mi250, mi300, mi350 };

struct GpuBoxes {
  GpuGeneration generation = GpuGeneration::hopper;
  std::int32_t boxes = 1, per_box = 8;
  std::int32_t cards = 0;          // of a box, to the network
  std::int64_t card_Bps = 0;       // bandwidth of one
  std::int64_t nvlink_Bps = 0;     // of a GPU within its box, one way; 0: no NVLink, no xGMI
  bool has_nvswitch = false;       // which can sum and multicast
  bool equal = true;               // every box has as many GPUs of the job
  std::optional<AmdGpu> amd = {};  // nothing for GPUs of NVIDIA
  bool mesh = false;               // xGMI joins any two GPUs of a box
  /// Of a message between two boxes, beyond the 2.7 us that NCCL's constants count for a network of
  /// InfiniBand. EFA's plugin states 75 us for p4d to p5, 35 us for p5en and later.
  double slow_network_us = 0;
};

/// Boxes are hosts that links with "nvlink" or "xgmi" in their class join, or links of class "box"
/// at a switch, as in rail:...; where the expression names GPUs of AMD, also hosts that cables from
/// GPU to GPU join. A network without such links has
/// one box a host. The generation is that which the expression names (a100, b200, mi300x, ...),
/// else the first whose NVLinks are as fast, Hopper without NVLink. Bandwidths are the
/// payload rates of the network's links.
GpuBoxes gpu_boxes(const Network& network);
/// By link: whether it joins GPUs of a box.
std::vector<bool> links_in_boxes(const Topology& topology);
/// By rank: a number of its box, which other boxes do not have.
std::vector<std::int32_t> box_of_ranks(const Network& network);

}  // namespace weft::libraries
