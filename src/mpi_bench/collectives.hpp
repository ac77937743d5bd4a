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

struct NativeCollective {
  const char* name;
  bool blocks_out, blocks_in;  // a block for each rank, on either side
  bool split;                  // the size is cut into a block for each rank
  int (*call)(const CallBuffers& buffers);
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
