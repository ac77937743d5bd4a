// Communicator: what is kept of a communicator that a plan may serve, on an attribute of it.
//
// Messages go over one communicator of our own, of all ranks of MPI_COMM_WORLD, under tags that no
// other communicator has: so programs may make and free as many as they like, in any threads, and
// none of theirs is duplicated, which would run the program's own copies of attributes. The first
// member draws a number that it has drawn for no other, and tells the members when the communicator
// is first used; a tag is made of the number and of who drew it, so that communicators with other
// first members, which may agree at the same time, have others.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pmpi/decision.hpp"
#include "pmpi/mpi/mpi_table.hpp"
#include "pmpi/mpi/types.hpp"
#include "pmpi/script/script.hpp"

namespace weft::pmpi {

/// Memory that grows and is kept, aligned to 64 bytes.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();
  /// At least so many bytes; what was there is lost. Throws std::bad_alloc.
  char* bytes(std::int64_t count);

 private:
  char* memory_ = nullptr;
  std::int64_t size_ = 0;
};

struct Communicator {
  MPI_Comm user = {};
  int rank = 0, size = 0;  // in the user's communicator
  bool is_inter = false;
  bool is_usable = false;  // for the plan, on all ranks alike
  std::string why;         // it is not
  std::string name;

  std::int32_t me = 0;                      // schedule rank
  std::vector<std::int32_t> user_rank;      // by schedule rank
  std::vector<std::int32_t> schedule_rank;  // by rank
  bool keeps_ranks = true;                  // schedule ranks are in the order of ranks
  MPI_Comm wire = {};
  int tag = 0;  // of messages; own_tag: of copies within a process
  int own_tag = 0;
  std::vector<int> wire_rank;  // by schedule rank

  const Script& script(const Shape& shape);
  /// Of blocks that are alike.
  const Script& script(std::int32_t schedule, std::int64_t elements);
  /// For so many requests at once.
  void make_room(std::size_t count);
  /// A shape of blocks that differ, whose starts and places are to be filled in; its memory is kept
  /// from call to call.
  Shape& shape_of_blocks(std::int32_t schedule, std::int64_t elements);

  std::vector<std::unique_ptr<Script>> scripts;  // the latest first
  Shape blocks;                                  // as shape_of_blocks() gives it
  std::vector<std::int64_t> block_places;        // by rank, of calls whose blocks differ
  std::vector<std::int64_t> in_places;           // of what such a call sends
  Arena row, packed_in, packed_out, scratch, staged;
  std::vector<MPI_Request> requests;
  std::vector<MPI_Status> statuses;  // as many
  Decisions decisions;
  std::uint32_t rooted_calls = 0;
};

/// What this process and all others of MPI_COMM_WORLD run and count; null where they do neither,
/// and then every call is MPI's own.
struct Runtime;
extern std::atomic<Runtime*> current_runtime;  // set before any thread may call
inline Runtime* runtime() {
  return current_runtime.load(std::memory_order_acquire);
}

/// Null where the communicator is none that a collective of ours could run on: MPI says what is
/// wrong with it. At its first call its members agree, so all have to call.
Communicator* communicator(MPI_Comm user);

}  // namespace weft::pmpi
