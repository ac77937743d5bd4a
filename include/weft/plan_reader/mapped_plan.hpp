// MappedPlan: a plan file in memory, as the MPI runtime reads it: the file is mapped, its front is
// checked, and of its programs a process reads its own.
//
//   const MappedPlan plan("cluster.plan");
//   if (const auto* range = plan.range(CollectiveKind::allreduce, 0, size_B);
//       range != nullptr && range->schedule >= 0)
//     run(plan.schedule(range->schedule), plan.program(range->schedule, rank));
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "weft/plan_reader/layout.hpp"

namespace weft::plan {

/// The file cannot be read or is none that this version may trust; one line that says why.
class BadPlan : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a rank does, in units; parts of the mapped file.
struct ProgramView {
  std::span<const layout::Message> sends;     // by step, then peer
  std::span<const layout::Message> receives;  // by step; reductions are taken in this order
  std::span<const layout::Units> units;

  std::span<const layout::Units> units_of(const layout::Message& message) const {
    return units.subspan(message.first, message.count);
  }
};

/// The numbers of collectives in the file.
enum class Kind : std::uint32_t {
  broadcast,
  reduce,
  scatter,
  gather,
  allgather,
  reduce_scatter,
  allreduce,
  alltoall,
};
/// What the runtime has to know of a collective; the same as weft's table of collectives has.
struct KindTraits {
  bool rooted, reduces, whole_buffer, by_pair;
};
inline constexpr std::array kKindTraits = std::to_array<KindTraits>({
    {true, false, true, false},    // broadcast
    {true, true, true, false},     // reduce
    {true, false, false, false},   // scatter
    {true, false, false, false},   // gather
    {false, false, false, false},  // allgather
    {false, true, false, false},   // reduce_scatter
    {false, true, true, false},    // allreduce
    {false, false, false, true},   // alltoall
});
inline constexpr std::uint32_t kKinds = kKindTraits.size();
constexpr const KindTraits& traits_of(Kind kind) {
  return kKindTraits[static_cast<std::size_t>(kind)];
}
constexpr bool is_rooted(Kind kind) {
  return traits_of(kind).rooted;
}
/// Whether blocks of the collective may differ in size.
constexpr bool takes_counts(Kind kind) {
  return !traits_of(kind).rooted && !traits_of(kind).whole_buffer;
}
/// Ranks agree on one of the counts of alltoallv by a bit for each.
inline constexpr std::size_t kMostMatrices = 64;

/// When the blocks of the counts of alltoallv are checked. They are ranks^2 numbers each, of which
/// a process may need none.
enum class MatrixChecks : std::uint8_t { when_opened, when_used };

class MappedPlan {
 public:
  /// Maps the file and checks its front, directory and counts. Throws BadPlan. O(schedules * ranks
  /// + blocks of all counts), the latter without those of alltoallv if they are checked when used.
  explicit MappedPlan(const std::string& path, MatrixChecks checks = MatrixChecks::when_opened);
  MappedPlan(const MappedPlan&) = delete;
  MappedPlan& operator=(const MappedPlan&) = delete;
  ~MappedPlan();

  std::int32_t ranks() const { return static_cast<std::int32_t>(directory_->ranks); }
  /// A number for the whole content: equal plans have equal ones.
  std::uint64_t hash() const { return hash_; }
  /// The lines for people, without the first two and the empty one.
  std::string_view text() const { return text_; }
  bool allows_different_bits() const { return directory_->allows_different_bits != 0; }
  /// Whether it says which hosts the ranks are on; else rank i runs as rank i, wherever it is.
  bool has_hosts() const { return directory_->hosts != 0; }
  std::string_view host(std::int32_t rank) const { return name(hosts_[rank]); }

  std::span<const layout::ScheduleEntry> schedules() const { return schedules_; }
  std::span<const layout::RangeEntry> ranges() const { return ranges_; }
  std::string_view name_of(const layout::ScheduleEntry& schedule) const {
    return name(schedule.name);
  }
  /// The range of a size, as --size counts it, for blocks of one size; null where there is none.
  const layout::RangeEntry* range(Kind kind, std::int32_t root, std::int64_t size_B) const;

  std::span<const layout::Counts> counts() const { return counts_; }
  std::string_view name_of(const layout::Counts& counts) const { return name(counts.name); }
  /// Whether some range of the collective serves calls with certain counts.
  bool has_counts(Kind kind) const;
  /// Bytes before each block of a range with counts, and then of all blocks, in the order of ranks,
  /// or of senders and then receivers. Precondition: range.counts > 0.
  std::span<const std::int64_t> starts(const layout::RangeEntry& range) const {
    return starts(counts_[range.counts - 1]);
  }
  std::span<const std::int64_t> starts(const layout::Counts& counts) const;
  /// Checks the blocks of a range with counts, once for each counts. Throws BadPlan, at each call,
  /// if they are damaged. Any thread may call it. Precondition: range.counts > 0. O(blocks) the
  /// first time.
  void check_blocks(const layout::RangeEntry& range) const;

  /// Blocks of a schedule's unit line.
  std::int64_t blocks(const layout::ScheduleEntry& schedule) const {
    return blocks(static_cast<Kind>(schedule.kind));
  }
  std::int64_t blocks(Kind kind) const;
  /// Checks and gives what a rank does. Throws BadPlan. O(its messages and intervals).
  ProgramView program(std::int32_t schedule, std::int32_t rank) const;
  /// A number for the messages of a rank's program: modulo 2^64 those of all ranks add up to 0
  /// where each message that one sends, with its units, is what another waits for. (Where they do
  /// not, they do so with odds of 2^-64.) Throws BadPlan as program() does. O(m log m) of its m
  /// messages, and its intervals.
  std::uint64_t ends(std::int32_t schedule, std::int32_t rank) const;

 private:
  std::string_view name(layout::Text text) const { return names_.substr(text.offset, text.length); }
  void check_front();
  void check_directory();
  void check_range(const layout::RangeEntry& range) const;
  void check_counts(const layout::Counts& counts) const;
  void check_starts(const layout::Counts& counts) const;
  void check(const layout::ScheduleEntry& schedule, const ProgramView& program) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  std::string_view bytes_;
  std::string_view text_, names_;
  std::uint64_t directory_offset_ = 0, directory_end_ = 0;
  const layout::Directory* directory_ = nullptr;
  std::span<const layout::ScheduleEntry> schedules_;
  std::span<const layout::RangeEntry> ranges_;
  std::span<const layout::Part> parts_;
  std::span<const layout::Counts> counts_;
  std::span<const layout::Text> hosts_;
  std::uint64_t hash_ = 0;
  const MatrixChecks checks_;
  std::unique_ptr<std::atomic<bool>[]> are_checked_;  // by counts; two threads may check one twice
};

}  // namespace weft::plan
