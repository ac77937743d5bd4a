// Tables of measured times, as the benchmarks of OSU and Intel, nccl-tests and weft-bench print
// them.
//
// OSU (osu_latency, osu_bw, osu_bibw, osu_mbw_mr, osu_multi_lat and collectives; weft-probe prints
// the same), IMB-MPI1 (PingPong, PingPing, Sendrecv, Uniband, Biband, Multi-PingPong, collectives)
// and nccl-tests (all_reduce_perf, ...) are told apart by what they print, as is weft-bench. Their
// readers follow the programs' documentation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/schedule/collective.hpp"

namespace weft::calibrate {

/// Who sends to whom.
enum class Pattern : std::uint8_t {
  one_way,     // pair by pair, from the one to the other
  both_ways,   // pair by pair, both at once
  ring,        // each rank to the next
  collective,  // all of them
  listed,      // as the table says
};

/// How ranks make pairs.
enum class Pairing : std::uint8_t {
  halves,      // i and i + pairs
  neighbours,  // 2 i and 2 i + 1
};

/// From a rank to another.
struct RankMessage {
  std::int32_t from = 0, to = 0;

  friend bool operator==(const RankMessage&, const RankMessage&) = default;
};

/// What a host does by itself, on all ranks at once.
enum class MemoryWork : std::uint8_t { none, copy, reduction };

struct MeasuredRow {
  std::int64_t size_B = 0;  // of a message; of a collective as --size
  /// Of a latency: seconds from send to receive, or of the call. Of a stream: seconds from one
  /// message of a pair (in each direction that is used) to its next.
  double time_s = 0;
  std::int64_t line = 0;
};

struct MeasuredTable {
  std::string path = {};       // as the user named it
  std::string benchmark = {};  // "OSU latency", "IMB Allreduce", "nccl-tests all_reduce"
  Pattern pattern = Pattern::one_way;
  Pairing pairing = Pairing::halves;
  std::optional<CollectiveKind> collective = {};
  std::int32_t pairs = 1;   // of the first two patterns
  std::int32_t ranks = 0;   // 0: the table does not say
  std::int32_t window = 0;  // of a stream: messages before an answer; 0: no stream
  /// Of each rank the group that it is in, from 0 on, where groups of as many ranks each run the
  /// collective at once; empty: all ranks are one group.
  std::vector<std::int32_t> groups = {};
  std::vector<std::string> hosts = {};     // of the ranks, where the table says so
  std::string where = {};                  // and of the machine
  std::string topology = {};               // likewise, the expression of its network
  std::vector<RankMessage> messages = {};  // of what is listed: those under way at once
  MemoryWork work = MemoryWork::none;
  std::vector<MeasuredRow> rows = {};  // in increasing order of sizes

  bool stream() const { return window > 0; }
  /// How many run at once, of as many ranks each.
  std::int32_t group_count() const;
};

struct MeasuredTables {
  std::vector<MeasuredTable> tables;
  std::vector<std::string> remarks;  // benchmarks that say nothing of links, left out
};

/// All tables of a file's text. What launchers print around and between rows is passed over, with
/// one remark that counts it; `strict` refuses it. Throws InvalidInput naming `path` and the line
/// for what is no such table, other units or columns, a line that is cut off, sizes that do not
/// rise, times that are not above 0, and tables of two programs in one file.
MeasuredTables read_measured_tables(std::string_view text, const std::string& path,
                                    bool strict = false);

}  // namespace weft::calibrate

namespace weft {
using calibrate::MeasuredRow;
using calibrate::MeasuredTable;
using calibrate::MeasuredTables;
}  // namespace weft
