// Schedules as MSCCL XML.
//
//   const Algorithm algorithm = build(verified, {.profile = find_profile("rccl"), .instances = 2});
//   write_file("ring.xml", write(algorithm, find_profile("rccl")));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/format/msccl.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::format::msccl {

/// What callers pass as input and output: one buffer, two, or either.
enum class CallMode : std::uint8_t { in_place, out_of_place, both };

struct ExportOptions {
  const Profile& profile;
  Protocol protocol = Protocol::simple;
  /// Copies of the schedule, each on its share of the data and on channels of its own.
  int instances = 1;
  /// Nothing: both where the profile and the collective allow it. Files of `msccl` serve one mode:
  /// in place for broadcast, reduce and allreduce, else out of place.
  std::optional<CallMode> mode = {};
  /// The sizes that the file is for, as the readers count them: bytes of the larger user buffer.
  /// A maximum of 0 is no limit.
  std::int64_t min_bytes = 0, max_bytes = 0;
  /// Whether a reception and the send of the same data become one step.
  bool fuse = true;
};

/// The thread blocks of every rank, within the limits of the profile, for connections that hold two
/// messages. The schedule has no helpers and no explicit routes (see without_routes()). Throws
/// InvalidInput for what the format or the profile cannot express, with what would be right.
/// O(chunks that messages carry * instances * segments), and see thread_blocks.hpp.
Algorithm build(const schedule::Verified& verified, const ExportOptions& options);

}  // namespace weft::format::msccl
