// Blocks: one side of a call whose blocks have counts and places of their own, as bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "pmpi/communicator.hpp"
#include "pmpi/mpi/types.hpp"

namespace weft::pmpi {

/// The user's buffer, with a block for each rank.
struct UserBlocks {
  const void* buffer;
  const int* counts;  // by rank, in elements
  const int* places;  // by rank, in elements
};

/// Where the type is plain, blocks stay where they are. Otherwise their bytes are copied to a row
/// in the order of ranks.
class Blocks {
 public:
  /// `places` is filled with where each block begins, in bytes from base(), by rank. `arena` has
  /// the row.
  Blocks(Communicator& communicator, Arena& arena, std::vector<std::int64_t>& places,
         const TypeInfo& type, const UserBlocks& user);

  char* base() const { return base_; }
  std::int64_t place(int rank) const { return places_[static_cast<std::size_t>(rank)]; }
  /// The block of a rank; base(), which may be null, where it has no bytes.
  char* at(int rank) const { return bytes(rank) > 0 ? base_ + place(rank) : base_; }
  std::int64_t bytes(int rank) const { return user_.counts[rank] * type_.size; }

  /// Copies the block of one rank, or all blocks, into the row or back. Does nothing where the type
  /// is plain. Returns a code of MPI.
  int pack(int rank) const;
  int pack() const;
  int unpack() const;

 private:
  char* in_buffer(int rank) const;

  Communicator& communicator_;
  const std::vector<std::int64_t>& places_;
  TypeInfo type_;
  UserBlocks user_;
  char* base_;
};

}  // namespace weft::pmpi
