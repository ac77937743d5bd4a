// Offsets of a plan that lie outside their buffers.
#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/format/mscclpp.hpp"

namespace weft::format::mscclpp {

namespace {

// The chunks of the buffer that a slice is in; of a group, the fewest of its GPUs.
std::int32_t chunks_of(const Plan& plan, const Gpu& gpu, const Block& block, const Op& op,
                       const Slice& slice) {
  WEFT_ASSERT(slice.kind == Slice::Kind::local || slice.id >= 0);
  const auto at = static_cast<std::size_t>(slice.id);
  if (slice.kind == Slice::Kind::local) return gpu.chunks(slice.buffer);
  if (slice.kind == Slice::Kind::remote) {
    const auto& list =
        op.channel_type == ChannelType::port ? block.port_buffers : block.memory_buffers;
    const RemoteBuffer& remote = gpu.remote_buffers[static_cast<std::size_t>(list[at])];
    return plan.gpus[static_cast<std::size_t>(remote.rank)].chunks(remote.buffer);
  }
  const SwitchGroup& group = gpu.switch_groups[static_cast<std::size_t>(block.switch_channels[at])];
  std::int32_t fewest = gpu.chunks(group.buffer);
  for (const std::int32_t rank : group.ranks)
    fewest = std::min(fewest, plan.gpus[static_cast<std::size_t>(rank)].chunks(group.buffer));
  return fewest;
}

// How the operation, or one of its pipeline, reaches beyond the end of a buffer.
std::optional<std::string> outside_of(const Plan& plan, const Gpu& gpu, const Block& block,
                                      const Op& op) {
  for (const auto* slices : {&op.sources, &op.targets})
    for (const Slice& slice : *slices) {
      const std::int32_t chunks = chunks_of(plan, gpu, block, op, slice);
      if (slice.index >= 0 && std::int64_t{slice.index} + slice.size <= chunks) continue;
      return fmt::format("({}): chunks {} to {} of {} are outside of their buffer, which has {}",
                         name_of(op.type), slice.index, std::int64_t{slice.index} + slice.size - 1,
                         slices == &op.sources ? "src_buff" : "dst_buff", chunks);
    }
  for (std::size_t i = 0; i < op.body.size(); ++i)
    if (const auto inner = outside_of(plan, gpu, block, op.body[i]))
      return fmt::format("(pipeline), ops[{}] {}", i, *inner);
  return std::nullopt;
}

}  // namespace

std::optional<Outside> first_outside(const Plan& plan) {
  for (std::size_t rank = 0; rank < plan.gpus.size(); ++rank) {
    const Gpu& gpu = plan.gpus[rank];
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b)
      for (std::size_t i = 0; i < gpu.blocks[b].ops.size(); ++i)
        if (const auto how = outside_of(plan, gpu, gpu.blocks[b], gpu.blocks[b].ops[i]))
          return Outside{
              .rank = static_cast<std::int32_t>(rank),
              .block = static_cast<std::int32_t>(b),
              .op = static_cast<std::int32_t>(i),
              .text = fmt::format("rank {}, thread block {}, operation {} {}", rank, b, i, *how)};
  }
  return std::nullopt;
}

}  // namespace weft::format::mscclpp
