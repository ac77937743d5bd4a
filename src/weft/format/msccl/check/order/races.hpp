// Races: two accesses of a chunk, at least one a write, that some run does in the other order.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "weft/format/msccl/check/order/ancestry.hpp"
#include "weft/format/msccl/check/result/memory.hpp"

namespace weft::format::msccl {

/// An access of a chunk: chunk number `chunk` of the step's source or target.
struct Access {
  StepIndex step = kNone;
  std::int32_t chunk = 0;
  bool writes = false;
};

/// Two accesses of one chunk that nothing orders; in the run at hand `first` came first.
struct Race {
  Access first, second;
  bool proven = true;  // false: the search for an order was given up
};

/// What a search for races finds. Any function may be empty.
struct RaceListener {
  std::function<void(const Race&)> race;
  /// A step whose dependency program order and other dependencies imply.
  std::function<void(StepIndex)> needless;
};

/// Goes through the accesses of each GPU in an order in which they can happen. Each access is
/// compared with the last write of its chunk, and each write also with the reads since then; if
/// all these are ordered, so are all pairs. Within the GPU the order is known from vector clocks,
/// one entry a thread block, of program order and dependencies; pairs that these leave open are
/// searched for through the other GPUs.
class RaceSearch {
 public:
  RaceSearch(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
             Ancestry& ancestry);

  void run(const RaceListener& listener);
  /// Like run(), but each race is ordered as it happened: returns the dependencies that do so, and
  /// that no other implies. `waits_for` of a result must come after `step`.
  struct Missing {
    StepIndex step, on;
  };
  std::vector<Missing> repair();

 private:
  void run_gpu(std::int32_t gpu, const RaceListener& listener);
  void start(StepIndex s, const RaceListener& listener);
  void access(StepIndex s, const RaceListener& listener);
  void read(const Access& access, std::int64_t cell, const RaceListener& listener);
  void write(const Access& access, std::int64_t cell, const RaceListener& listener);
  void compare(const Access& earlier, const Access& later, const RaceListener& listener);
  void finish(StepIndex s);
  void order_races(StepIndex s);
  bool ordered_locally(StepIndex earlier, StepIndex later) const;
  void join(StepIndex s, StepIndex on);
  std::span<std::int32_t> clock(std::int32_t block);
  std::int32_t new_slot();

  const Flat& flat_;
  const Memory& memory_;
  Ancestry& ancestry_;
  std::vector<StepIndex> by_gpu_;         // the order, GPU after GPU
  std::vector<std::int32_t> gpu_first_;   // where each begins
  std::vector<StepIndex> last_write_;     // of each cell
  std::vector<std::int32_t> first_read_;  // of each cell: in reads_, since the last write
  struct Read {
    Access access;
    std::int32_t next;
  };
  std::vector<Read> reads_;

  // Of the GPU at hand. Entry c of the clock of block b: so many steps of block c are complete
  // before the present step of b.
  std::int32_t gpu_ = 0, gpu_blocks_ = 0;
  std::vector<std::int32_t> clocks_;
  std::vector<std::int32_t> slot_;   // of each step with waiters: its clock in slots_
  std::vector<std::int32_t> slots_;  // clocks, one after another
  std::vector<std::int32_t> free_slots_;
  std::vector<StepIndex> waiters_left_;  // of each step with a slot

  bool repairing_ = false;
  std::vector<StepIndex> racing_;  // with the present step
  std::vector<Missing> missing_;
};

/// Adds findings for races, for steps that overlap themselves and, out of place, for writes to the
/// input.
void check_races(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                 Mode mode, Ancestry& ancestry, Findings& findings);

}  // namespace weft::format::msccl
