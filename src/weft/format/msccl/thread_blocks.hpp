// Thread blocks: which operations of a GPU run in which thread block, on which channel, and what
// they wait for.
//
// A connection is what goes from one GPU to another on one channel; it belongs to one thread block
// at each end. A thread block may serve one connection to send and one to receive. Both can share a
// thread block if no step sends more than two chunks on the first while it receives on the second:
// sends of a step come first in it, and two chunks always fit into a connection that is empty
// (Simple keeps two messages in flight), so that the receptions behind them are reached. All others
// have thread blocks of their own, where a send waits for its receiver alone. By induction over
// steps and the order of messages within a step every operation completes, whatever the size: what
// an operation waits for is of an earlier step, or a reception before it in its own. A step that
// receives and sends on keeps to the same rule (block_steps.cpp).
//
// Few thread blocks: pairs that may share one are matched (Kuhn's augmenting paths), those first
// that forward what they receive, whose reception and send then become one step. A GPU with more
// peers than a channel takes uses several channels: an edge colouring of the pairs (Koenig) keeps
// each of them within the limit. A connection with more steps than a thread block takes goes on
// on a further channel, from the same message on at both ends (lanes).
#pragma once

#include <vector>

#include "transfers.hpp"
#include "weft/format/msccl.hpp"

namespace weft::format::msccl {

struct BlockOptions {
  std::int32_t instances = 1;
  std::int32_t steps = 256;             // of a thread block, at most
  std::int32_t peers_per_channel = 32;  // that a GPU sends to, and that it receives from
  bool fuse = true;                     // a reception and the send of its data become one step
};

struct Blocks {
  std::vector<std::vector<ThreadBlock>> of_gpu;
  std::int32_t channels = 0;
};

/// Throws InvalidInput if one GPU's own copies need more steps than a thread block takes. O(
/// transfers log transfers, and for GPUs of many peers their square).
Blocks place_in_blocks(const std::vector<GpuTransfers>& gpus, const BlockOptions& options);

}  // namespace weft::format::msccl
