// Rings as NCCL lays them over boxes: one a channel, each through another card.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/libraries/part_schedules.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::libraries {

/// The order of the ranks of each ring. Channel c enters a box at one GPU, passes all and leaves by
/// the GPU before: in even boxes downwards from c, or from its neighbour upwards, and in odd boxes
/// the other way round, so that every hop between boxes stays on one rail. With one box: a ring.
/// Precondition: boxes of equal size. Source: NCCL 2.30.7, src/graph/search.cc, connect.cc.
std::vector<std::vector<Rank>> card_rings(const NodeRanks& boxes, std::int32_t channels);

/// Rings through boxes whose GPUs are a full mesh, so that all links of a box are used equally: as
/// RCCL lays them, forwards in even boxes and backwards in odd ones, which keeps every hop between
/// boxes on one rail. Precondition: boxes of equal size. Source: RCCL (rocm-systems 0eb07b2),
/// src/graph/rome_models.cc; the orders are those of Walecki's zigzag, not RCCL's own.
std::vector<std::vector<Rank>> mesh_rings(const NodeRanks& boxes);

/// 0, 1, -1, 2, -2, ...: places along a path of a full mesh. Of n nodes in a circle, with n even,
/// the n paths that start at each of them use each link once.
std::int64_t zigzag(std::int64_t place);

/// Allgather, reduce-scatter or allreduce over all rings at once, with an equal share of each block
/// on each.
schedule::Schedule on_rings(const Collective& collective,
                            const std::vector<std::vector<Rank>>& rings);

}  // namespace weft::libraries
