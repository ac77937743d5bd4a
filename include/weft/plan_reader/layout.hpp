// The bytes of a plan file, as they lie in the file and in memory (little-endian, 8-byte aligned);
// docs/reference/plan-files.md describes them. Writer and reader share these structs.
//
//   weft plan 1
//   text LLLLLLLLLL directory LLLLLLLLLL file LLLLLLLLLLLLLLLLLLLL checksum xxxxxxxx
//   ... lines of text for people, ended by an empty one ...
//   Directory, ScheduleEntry[schedules], RangeEntry[ranges], Part[schedules * ranks],
//   Counts[counts], Text[hosts], names
//   for each schedule and rank a part: Program, Message[sends], Message[receives], Units[units]
//   for each Counts the starts of its blocks
//
// Version 2 has counts: ranges that serve calls with exactly these blocks. Plans without counts are
// written as version 1, so that older readers take them.
//
// The checksum is that of text and directory, which has the checksums of the parts: a process
// proves what it reads and reads no more than it needs.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::plan::layout {

static_assert(std::endian::native == std::endian::little, "plan files are read as they lie");

inline constexpr char kFirstLine[] = "weft plan 1\n";
inline constexpr char kFirstLineOfCounts[] = "weft plan 2\n";  // as long
inline constexpr int kVersion = 2;
/// Of the second line, with its end.
inline constexpr std::uint64_t kFirstLineLength = sizeof kFirstLine - 1;
inline constexpr std::uint64_t kSecondLineLength = 5 + 10 + 11 + 10 + 6 + 20 + 10 + 8 + 1;
inline constexpr std::uint64_t kFrontLength = kFirstLineLength + kSecondLineLength;
inline constexpr std::uint64_t kAlignment = 8;

struct Text {
  std::uint32_t offset, length;  // in the names
};

struct Directory {
  std::uint32_t ranks, schedules, ranges, hosts;  // hosts: 0, or as many as ranks
  std::uint32_t allows_different_bits, names_length;
  std::uint32_t counts, reserved;  // counts: 0 in version 1
};

struct ScheduleEntry {
  std::uint32_t kind;
  std::int32_t root;
  std::int64_t units_per_block, segments, stride, stored_steps;
  std::uint32_t keeps_order, one_association;
  std::uint32_t storage;     // 0: a part for each rank
  std::uint32_t has_routes;  // made for paths that MPI does not choose
  Text name;
};

struct RangeEntry {
  std::uint32_t kind;
  std::int32_t root;  // -1: any
  std::int64_t first_B, last_B, timed_B;
  double time_s;          // predicted at timed_B
  std::int32_t schedule;  // -1: native
  std::uint32_t counts;   // 0: blocks of one size; else the index of its Counts, plus 1
};

struct Part {
  std::uint64_t offset, length;  // in the file
  std::uint32_t checksum, reserved;
};

/// The blocks of one unequal call: at `offset` in the file the bytes before each block, and then
/// those of all blocks (i64), by rank or by sender and receiver.
struct Counts {
  std::uint64_t offset;
  std::uint32_t kind, checksum;
  Text name;  // the file or the distribution that they come from
};

struct Program {
  std::uint32_t sends, receives, units, reserved;
};

/// One end of a message; `first` and `count` are of its intervals of units.
struct Message {
  std::int32_t peer;
  std::uint32_t step, first, count;
};

/// What a receiver does with units that arrive; senders have `copy`.
enum class Combine : std::uint64_t { copy, arrives_left, arrives_right };

/// Units [first, first + count) of the schedule's unit line.
struct Units {
  std::int64_t first, count;
  Combine combine;

  friend bool operator==(const Units&, const Units&) = default;
};

static_assert(sizeof(Directory) == 32 && sizeof(ScheduleEntry) == 64 && sizeof(RangeEntry) == 48);
static_assert(sizeof(kFirstLineOfCounts) == sizeof(kFirstLine) && sizeof(Counts) == 24);
static_assert(sizeof(Part) == 24 && sizeof(Program) == 16 && sizeof(Message) == 16 &&
              sizeof(Units) == 24);

}  // namespace weft::plan::layout
