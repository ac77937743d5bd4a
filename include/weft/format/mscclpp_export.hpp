// Schedules as MSCCL++ execution plans.
//
//   const Plan plan = build(verified, {.instances = 2});
//   write_file("plan.json", write(plan));
#pragma once

#include <cstdint>
#include <optional>

#include "weft/format/mscclpp.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::format::mscclpp {

struct ExportOptions {
  bool packets = false;  // protocol "LL"
  /// Memory: GPUs write into each other's memory. Port: a proxy on the host sends, also over
  /// InfiniBand.
  ChannelType channels = ChannelType::memory;
  /// Copies of the schedule, each on its share of the data, in thread blocks of its own.
  int instances = 1;
  /// Whether callers pass one buffer as input and output; nothing: if the collective is a
  /// broadcast, reduce or allreduce.
  std::optional<bool> in_place = {};
  /// Bytes of the larger user buffer. A maximum of 0 is no limit.
  std::int64_t min_B = 0, max_B = 0;
};

/// The thread blocks of every GPU. The schedule has no helpers and no explicit routes. Throws
/// InvalidInput for what the format or the executor cannot do, with what would be right.
/// O(chunks that messages carry * instances, and messages * ranks).
Plan build(const schedule::Verified& verified, const ExportOptions& options);

}  // namespace weft::format::mscclpp
