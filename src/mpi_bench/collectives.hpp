// The MPI's own collectives, by weft's names and sizes: --size is the whole buffer, of an
// allgather, gather, scatter or all-to-all one block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "world.hpp"

namespace weft::mpi_bench {

/// What one call is given.
struct CallBuffers {
  const void* out;  // or MPI_IN_PLACE
  void* in;
  int count;  // elements of the size; of a block where the size is split into blocks
  MPI_Datatype type;
  int root;
};

/// What a rank has of a collective's data, as parts of a row of blocks.
enum class Part : std::uint8_t {
  none,
  row,       // all of the buffer that the size is of
  share,     // of this buffer, cut into a block for each rank, the rank's own block
  own,       // the rank's own block of the row, the size being one block
  blocks,    // the row of all ranks' blocks
  sent,      // the blocks that the rank sends to each rank
  received,  // the blocks that each rank sends to it
};

/// What ranks have on one side of a collective: all of them, or the root alone.
struct Side {
  Part part = Part::none;
  bool only_root = false;

  bool has_blocks() const {
    return part == Part::blocks || part == Part::sent || part == Part::received;
  }
};

struct NativeCollective {
  const char* name;
  Side given, wanted;
  int (*call)(const CallBuffers& buffers);

  /// The size is cut into a block for each rank.
  bool split() const { return wanted.part == Part::share; }
  /// One buffer is input at the root and result at the others.
  bool one_buffer() const { return given.only_root && given.part == Part::row; }
};

/// Null where no collective has this name.
const NativeCollective* find_collective(std::string_view name);

/// Their names, in order.
std::string collective_names();

/// What one call does on this rank.
class CollectiveCall {
 public:
  /// Nothing where no collective has this name. Sizes that are no whole number of floats (and, of a
  /// reduce-scatter, of one for each rank) are rounded up to the next.
  static std::optional<CollectiveCall> find(const std::string& name, const World& world,
                                            std::int64_t size_B);

  std::int64_t size_B() const { return size_B_; }  // what is sent, after rounding
  void operator()() { call_(); }

 private:
  std::int64_t size_B_ = 0;
  std::vector<float> out_, in_;
  std::function<void()> call_;
};

}  // namespace weft::mpi_bench
