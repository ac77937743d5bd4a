// Plan: which schedule each collective of each size runs on a network, as the MPI runtime reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/plan/rank_programs.hpp"
#include "weft/program/block_sizes.hpp"

namespace weft::plan {

/// Whether plans have the collective: those of MPI do.
bool has_collective(CollectiveKind kind);
/// Throws InvalidInput where a plan cannot have that many counts of the collective.
void require_few_counts(CollectiveKind kind, std::ptrdiff_t counts);

/// Sizes of a collective, as --size counts them, and what runs there. With `blocks` it is one size
/// and serves only calls whose blocks have exactly these bytes.
struct PlannedRange {
  CollectiveKind kind = CollectiveKind::allreduce;
  std::optional<schedule::Rank> root;    // of rooted collectives
  std::int64_t first_B = 0, last_B = 0;  // inclusive; kNoEnd: all above
  std::optional<std::size_t> schedule;   // of the plan's; none: the MPI's own
  double time_s = 0;                     // predicted at `timed_B`
  std::int64_t timed_B = 0;
  std::shared_ptr<const program::BlockSizes> blocks = {};  // null: all have one size
  std::string counts = {};  // the file or distribution that they come from
};
inline constexpr std::int64_t kNoEnd = INT64_MAX;

struct Plan {
  /// Lines of the text header, name and value: topology, hash, link, model, ...
  std::vector<std::pair<std::string, std::string>> facts;
  std::int32_t ranks = 0;
  std::vector<std::string> hosts;  // by rank; empty: ranks are placed in their own order
  bool allows_different_bits = false;
  std::vector<PlannedSchedule> schedules;
  std::vector<PlannedRange> ranges;
};

/// "allgather", or "allgatherv" of a range with blocks of their own.
std::string collective_name(const PlannedRange& range);
/// "64KiB..1MiB", "from 1MiB"; "64KiB" of a range with blocks of their own.
std::string sizes_text(const PlannedRange& range);

/// The bytes of the file. Throws InvalidInput for what the format has no room for. O(units of all
/// programs).
std::string encode(const Plan& plan);

/// Reads a plan, all ranks' programs. Throws InvalidInput for what is no plan, damaged or of
/// another version.
Plan read_plan(const std::string& path);

}  // namespace weft::plan
