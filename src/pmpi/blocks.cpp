#include "pmpi/blocks.hpp"

#include "pmpi/packed.hpp"

namespace weft::pmpi {

Blocks::Blocks(Communicator& communicator, Arena& arena, std::vector<std::int64_t>& places,
               const TypeInfo& type, const UserBlocks& user)
    : communicator_(communicator), places_(places), type_(type), user_(user) {
  places.clear();
  std::int64_t end = 0;
  for (int rank = 0; rank < communicator.size; ++rank) {
    places.push_back(type.is_plain ? user.places[rank] * type.extent : end);
    end += bytes(rank);
  }
  base_ = type.is_plain ? static_cast<char*>(const_cast<void*>(user.buffer)) : arena.bytes(end);
}

char* Blocks::in_buffer(int rank) const {
  return static_cast<char*>(const_cast<void*>(user_.buffer)) + user_.places[rank] * type_.extent;
}

int Blocks::pack(int rank) const {
  if (type_.is_plain) return MPI_SUCCESS;
  return pmpi::pack(communicator_, type_, in_buffer(rank), user_.counts[rank], at(rank));
}

int Blocks::pack() const {
  int code = MPI_SUCCESS;
  for (int rank = 0; rank < communicator_.size && code == MPI_SUCCESS; ++rank) code = pack(rank);
  return code;
}

int Blocks::unpack() const {
  int code = MPI_SUCCESS;
  for (int rank = 0; rank < communicator_.size && !type_.is_plain && code == MPI_SUCCESS; ++rank)
    code = pmpi::unpack(communicator_, type_, at(rank), user_.counts[rank], in_buffer(rank));
  return code;
}

}  // namespace weft::pmpi
