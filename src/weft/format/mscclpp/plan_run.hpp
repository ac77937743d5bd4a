// A plan run side by side into the operations of a program; see to_program.cpp.
#pragma once

#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "../msccl/rows.hpp"
#include "weft/format/mscclpp_program.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::mscclpp {

/// An operation, or what an iteration of a pipeline does of it.
struct OpRun {
  const Op* op = nullptr;
  std::int64_t offset_B = 0, most_B = std::numeric_limits<std::int64_t>::max();
};

inline constexpr std::int64_t kSignal_B = 8;  // a message without data

class PlanRun {
 public:
  PlanRun(const Plan& plan, const msccl::Rows& rows, std::int64_t chunk_B, ProgramBuilder& builder,
          std::int32_t packets, Signals signals);

  void run();

 private:
  using Known = std::vector<std::int32_t>;  // by thread block: its last complete operation
  using Pending = std::map<std::int32_t, std::vector<std::int32_t>>;  // by rank: receptions there

  struct Block {
    std::int32_t rank = 0, index = 0;
    std::size_t number = 0;
    const mscclpp::Block* block = nullptr;
    std::vector<OpRun> runs = {};
    std::size_t next = 0;
    std::vector<std::int32_t> after = {};  // what the next operation waits for
    Known known = {};
    Pending pending = {};  // puts that no signal tells of yet
    bool at_barrier = false;
  };
  struct Event {
    std::vector<std::int32_t> done;  // at the rank that takes it
    Known known;
    Pending pending;
  };
  struct Written {
    std::int64_t begin_B = 0, end_B = 0;
    std::int32_t operation = 0;
  };

  void set_up(std::int32_t rank);

  void add_runs(const Op& op, std::vector<OpRun>& runs);

  bool step(Block& block);

  std::vector<std::deque<Event>>& semaphores(const Block& block);

  std::int32_t add(Block& block, program::OperationSpec spec);

  // All that the thread block did, as one operation.
  void join(Block& block);

  Event event_of(Block& block, std::int32_t to);

  // The k-th channel of a to b is the k-th one of b to a.
  std::deque<Event>* other_end(const Block& block, const Op& op, std::int32_t local,
                               std::int32_t& peer);

  // What the peer knows after it took the signal: the puts before it, else a message of its own.
  void signal(Block& block, const Op& op, std::int32_t local);

  bool take_all(Block& block, const Op& op);

  void take(Block& block, std::deque<Event>& queue, bool inherit);

  // Each leaves once all are there.
  bool meet(Block& block, const Op& op);

  // The part of a slice that a run covers, in bytes of its buffer.
  program::ByteRange bytes_of(const Slice& slice, const OpRun& run) const;
  // Where the share of a thread block begins: in whole units of the alignment if there are.
  std::int64_t cut(std::int64_t all, std::int64_t share, std::int64_t shares) const;

  std::int32_t rank_of(const Block& block, const Op& op, const Slice& slice) const;
  const RemoteBuffer& remote(const Block& block, const Op& op, const Slice& slice) const;

  // Ranges of the program's buffers.
  std::vector<program::ByteRange> ranges(const Block& block, const OpRun& run, const Slice& slice,
                                         bool packets) const;

  // What a GPU is known to have done.
  std::vector<std::int32_t> known_at(const Block& block, std::int32_t rank) const;

  // A message; the reception at the peer comes after what the peer is known to have done.
  std::int32_t message(Block& block, std::int32_t to, std::vector<program::ByteRange> reads,
                       std::vector<program::ByteRange> writes, std::int64_t bytes);

  void put(Block& block, const OpRun& run, std::size_t source, std::size_t target,
           bool from_packets, bool packets);

  void note_packets(std::int32_t rank, const OpRun& run, const Slice& slice,
                    std::int32_t operation);

  // Sources that are packets: all, or all but the first.
  static std::pair<std::size_t, std::size_t> packets_among(const Op& op);

  // The operations that wrote the packets; false if some are missing.
  bool has_packets(Block& block, const OpRun& run);

  void move(Block& block, const OpRun& run);

  void copy(Block& block, const std::vector<program::ByteRange>& from,
            const std::vector<program::ByteRange>& to);

  // All sources added up in the first target.
  void reduce(Block& block, const OpRun& run);

  void reduce_remote(Block& block, const OpRun& run);

  // A request, and the answer, which is reduced with `operand` if there is one.
  void fetch(Block& block, const OpRun& run, const Slice& source,
             const std::vector<program::ByteRange>& target,
             const std::vector<program::ByteRange>& operand);

  // What reductions send on or keep as packets.
  void send_result(Block& block, const OpRun& run);

  const Plan& plan_;
  const msccl::Rows& rows_;
  std::int64_t chunk_B_;
  ProgramBuilder& builder_;
  std::int32_t packets_;  // the program's buffer
  Signals signals_;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::deque<Event>>> memory_, port_, semaphores_;  // by rank
  std::vector<std::vector<Written>> written_;                               // by rank: packets
  std::int64_t operations_ = 0;
};

}  // namespace weft::format::mscclpp
