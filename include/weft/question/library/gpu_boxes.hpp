// GpuBoxes: what a GPU library sees of a network: boxes of GPUs that NVLink joins, and their cards.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::question {

/// Generations whose rates differ.
enum class GpuGeneration : std::uint8_t { volta, ampere, hopper, blackwell };

struct GpuBoxes {
  GpuGeneration generation = GpuGeneration::hopper;
  std::int32_t boxes = 1, per_box = 8;
  std::int32_t cards = 0;       // of a box, to the network
  std::int64_t card_Bps = 0;    // bandwidth of one
  std::int64_t nvlink_Bps = 0;  // of a GPU within its box, one way; 0: no NVLink
  bool has_nvswitch = false;    // which can sum and multicast
  bool equal = true;            // every box has as many GPUs of the job
};

/// Boxes are hosts that links with "nvlink" in their class join. A network without such links has
/// one box a host. The generation is that which the expression names (a100, b200, ...), else
/// Hopper. Bandwidths are the payload rates of the network's links.
GpuBoxes gpu_boxes(const Network& network);
/// Whether the link joins GPUs of a box, by the name of its class.
bool is_nvlink(const Topology& topology, LinkId link);
/// By rank: a number of its box, which other boxes do not have.
std::vector<std::int32_t> box_of_ranks(const Network& network);

}  // namespace weft::question
