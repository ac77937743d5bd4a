// Communicator: what is kept of a communicator that a plan may serve, on an attribute of it.
//
// Messages go over one communicator of our own, a duplicate of MPI_COMM_WORLD, under a tag that the
// members of each communicator agree on when it is first used: so programs may make and free as
// many as they like. Where several threads may call MPI, two communicators could agree at once, and
// each gets a duplicate of its own instead.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
  ~Communicator();

  MPI_Comm user = {};
  int rank = 0, size = 0;  // in the user's communicator
  bool is_usable = false;  // for the plan, on all ranks alike
  std::string why;         // it is not
  std::string name;

  std::int32_t me = 0;                      // schedule rank
  std::vector<std::int32_t> user_rank;      // by schedule rank
  std::vector<std::int32_t> schedule_rank;  // by rank
  bool keeps_ranks = true;                  // schedule ranks are in the order of ranks
  MPI_Comm wire = {};
  bool owns_wire = false;
  int tag = 0;
  std::vector<int> wire_rank;  // by schedule rank

  const Script& script(const Shape& shape);

  std::vector<std::unique_ptr<Script>> scripts;  // the latest first
  Arena row, packed_in, packed_out, scratch, staged;
  std::vector<MPI_Request> requests;
  TypeInfo type = {};  // the last one, where it was built in
  std::uint32_t rooted_calls = 0;
};

/// The plan that this process and all others of MPI_COMM_WORLD run; null where there is none, and
/// then every call is native.
struct Runtime;
Runtime* runtime();

/// Null where the communicator is none that a collective of ours could run on: MPI says what is
/// wrong with it. At its first call its members agree, so all have to call.
Communicator* communicator(MPI_Comm user);

}  // namespace weft::pmpi
