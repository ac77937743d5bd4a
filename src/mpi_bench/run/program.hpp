// What a rank performs: the operations of a "weft-run 2" text, which `weft export --to weft-run`
// writes (src/weft/format/weft_run.cpp has an example).
//
// Data is counted in units, so that one text serves all sizes: a call of `size` units has as many
// elements a unit as the size in bytes needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../world.hpp"

namespace weft::mpi_bench {

/// Units [first, first + count) of a buffer.
struct UnitRange {
  int buffer = 0;
  std::int64_t first = 0, count = 0;
};

enum class RunKind : std::uint8_t { send, receive, receive_reduce, copy, reduce, pass };

struct RunOperation {
  RunKind kind = RunKind::pass;
  int peer = 0;
  int number = 0;                   // of the message among those from its sender to its receiver
  std::vector<UnitRange> from, to;  // what it reads, what it writes or adds to
  std::vector<std::int32_t> after;  // earlier operations that must be done first
  std::int64_t line = 0;

  bool receives() const { return kind == RunKind::receive || kind == RunKind::receive_reduce; }
};

struct RunProgram {
  std::string name, collective;
  int ranks = 0, root = 0, peer = 0;
  std::int64_t size = 0;    // of one call, in units
  std::int64_t unit_B = 0;  // of a unit in the file that it came from
  int buffers = 1, result = 0;
  std::vector<RunOperation> operations;  // of this rank
};

/// Whether the text begins as such a text does.
bool is_run_program(const std::string& text);

/// Called by all ranks, each of which keeps its own operations. Refuses, with PATH:LINE, what is no
/// such text, and one of another number of ranks.
RunProgram read_run_program(const World& world, const std::string& text, const std::string& path);

/// "receive of 4 units from rank 2".
std::string text_of(const RunOperation& operation);

}  // namespace weft::mpi_bench
