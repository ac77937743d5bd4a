// The memory of each rank on its GPU: one allocation that its peers may map, with the counters and
// places of connections, what the interpreter reads, and the user's buffers.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter.hpp"
#include "problem.hpp"
#include "weft/format/msccl.hpp"

namespace weft::gpu {

struct LayoutOptions {
  int slots = 2;                                  // messages that a connection holds
  std::int64_t slot_B = std::int64_t{512} << 10;  // of a message at most
};

class Layout {
 public:
  /// For calls of up to `chunk` elements a chunk. Throws InvalidInput for connections that two
  /// thread blocks share, that have only one end, or whose ends have other numbers of messages.
  Layout(const format::msccl::Algorithm& algorithm, const Problem& problem, std::int64_t chunk,
         const LayoutOptions& options = {});

  int ranks() const { return algorithm_.ranks(); }
  int blocks(int rank) const {
    return static_cast<int>(algorithm_.gpus[static_cast<std::size_t>(rank)].blocks.size());
  }
  std::int64_t bytes(int rank) const { return offsets_[static_cast<std::size_t>(rank)].end_B; }
  /// What a rank's memory begins with, if the memory of rank r lies at bases[r] for whoever runs
  /// this rank. All counters are 0.
  std::vector<unsigned char> head(int rank, const std::vector<unsigned char*>& bases) const;
  /// What the interpreter is given for a call of `chunk` elements a chunk.
  DeviceRank device_rank(int rank, unsigned char* base, std::int64_t chunk, bool in_place,
                         const volatile int* stop) const;

  /// Byte offsets, in a rank's memory, of the counters that are set to 0 before each call (of
  /// progress and of what is stuck), of the latter, of all of the user's buffers and of each. The
  /// input of a call in place lies in its output, or the reverse.
  std::int64_t call_counters_B(int rank) const;
  std::int64_t call_counters_bytes(int rank) const;
  std::int64_t stuck_B(int rank) const;
  std::int64_t data_B(int rank) const;
  std::int64_t input_B(int rank, std::int64_t chunk, bool in_place) const;
  std::int64_t output_B(int rank, std::int64_t chunk, bool in_place) const;

 private:
  struct Offsets {
    std::int64_t filled_B, emptied_B, progress_B, stuck_B, steps_B, blocks_B, slots_B;
    std::int64_t buffers_B[3], end_B;
  };
  struct Peers {
    int send_block = -1, receive_block = -1;  // of the peers, at the other ends
  };
  void find_peers();
  void lay_out(int rank, std::int64_t chunk);
  std::int64_t slot_at_B(int rank, int block) const;

  const format::msccl::Algorithm& algorithm_;
  const Problem& problem_;
  LayoutOptions options_;
  std::int32_t most_count_ = 1;            // chunks of a step
  std::vector<std::vector<Peers>> peers_;  // by rank and block
  std::vector<Offsets> offsets_;           // by rank
};

/// "rank 3, thread block 1, step 2 (rrc, line 17)" of a count that the interpreter left in `stuck`.
std::string stuck_text(const format::msccl::Algorithm& algorithm, int rank, int block,
                       Counter stuck);

}  // namespace weft::gpu
