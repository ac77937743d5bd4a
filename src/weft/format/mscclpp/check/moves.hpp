// What the operations of a plan read and write, unit by unit.
//
// A unit is a chunk, or the part of one that plans treat as a whole: thread blocks that share an
// operation, and iterations of a pipeline, cut chunks. All memory is one row of slots. A unit of
// plain data is one slot. Scratch of plans with packets has two slots a unit, since a packet takes
// twice the space of its data: unit u of plain data is slot u, unit u of packets slots 2 u and
// 2 u + 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/format/mscclpp.hpp"

namespace weft::format::mscclpp::checking {

inline constexpr std::int32_t kIterations = 3;  // of a pipeline

struct Slot {
  std::int64_t first = 0;
  bool packet = false;  // two slots, with flags

  std::int32_t count() const { return packet ? 2 : 1; }
};

/// Values that are read, added, and written to all targets.
struct Move {
  std::vector<Slot> reads, writes;
  std::int32_t slice = 0;     // of a put of several
  std::int32_t relative = 0;  // unit of the operation: threads share these by turns
};

/// An operation as it runs: those of a pipeline once for each iteration.
struct FlatOp {
  const Op* op = nullptr;
  std::int32_t index = 0;       // in its thread block
  std::int32_t inner = -1;      // in the pipeline
  std::int32_t iteration = -1;  // likewise
  std::int32_t pipeline_chunks = 0;
};

class Memory {
 public:
  /// Throws InvalidInput for a plan with more than `most_slots`, or that cuts chunks too finely.
  Memory(const Plan& plan, std::int64_t most_slots);

  std::int64_t slots() const { return slots_; }
  std::int32_t units_per_chunk() const { return units_; }
  Slot plain(std::int32_t rank, Buffer buffer, std::int64_t unit) const;
  std::int32_t owner(std::int64_t slot) const;
  /// "o[3] of rank 1", with where in the chunk if chunks are cut.
  std::string name(std::int64_t slot) const;

  /// Calls visit(move) for each unit that an operation of a thread block moves.
  template <class Visit>
  void each_move(std::int32_t rank, const Block& block, const FlatOp& flat, Visit&& visit) const {
    const std::vector<Part> parts = parts_of(flat);
    for (const Part& part : parts)
      for (std::int64_t unit = part.first; unit < part.end; ++unit) {
        move_.reads.clear();
        move_.writes.clear();
        move_.slice = part.slice;
        move_.relative = static_cast<std::int32_t>(unit - part.first);
        fill(rank, block, *flat.op, part.slice, unit);
        visit(move_);
      }
  }
  /// Whether all packets of an operation are in scratch.
  bool packets_in_scratch(std::int32_t rank, std::int32_t block, const FlatOp& flat) const;
  /// How many units an operation moves.
  std::int64_t work_of(const FlatOp& flat) const;

 private:
  // Units of one slice pair, or of the whole operation.
  struct Part {
    std::int32_t slice = 0;
    std::int64_t first = 0, end = 0;
  };
  struct Region {
    std::int64_t first = 0;  // slot
    std::int32_t rank = 0;
    Buffer buffer = Buffer::input;
  };

  const Region& region_at(std::int64_t slot) const;
  void count_units(const Plan& plan);
  void count_units(const std::vector<Op>& ops, std::int64_t& units) const;
  std::vector<Part> parts_of(const FlatOp& flat) const;
  void fill(std::int32_t rank, const Block& block, const Op& op, std::int32_t slice,
            std::int64_t unit) const;
  void add(std::vector<Slot>& list, std::int32_t rank, const Block& block, const Op& op,
           const Slice& slice, std::int64_t unit, bool packet) const;
  Slot slot(std::int32_t rank, Buffer buffer, std::int64_t unit, bool packet) const;
  std::int64_t base(std::int32_t rank, Buffer buffer) const {
    return bases_[static_cast<std::size_t>(rank) * 3 + static_cast<std::size_t>(buffer)];
  }

  const Plan& plan_;
  std::int32_t units_ = 1;  // of a chunk
  std::int64_t slots_ = 0;
  std::vector<std::int64_t> bases_;  // [rank * 3 + buffer]
  std::vector<Region> regions_;      // by first slot
  mutable Move move_;
};

/// All operations of a thread block in order.
std::vector<FlatOp> flatten(const Block& block);

bool is_wait(OpType type);
bool is_put(OpType type);
/// Whether it reads packets, and so waits for them.
bool takes_packets(OpType type);
/// Whether its threads share data in units of packets, not of 16 bytes.
bool works_by_packets(OpType type);

}  // namespace weft::format::mscclpp::checking
