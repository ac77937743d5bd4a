// MPI packs as many bytes as an int counts: so many elements at once as these hold. One element
// that is of more bytes by itself goes by a message to oneself, which is of a type that holds as
// many.
#include "pmpi/packed.hpp"

#include <algorithm>

#include "pmpi/runtime.hpp"

namespace weft::pmpi {

namespace {

std::int64_t most_at_once_B() {
  return runtime()->settings.most_at_once_B;
}

// So many bytes in a row, more than MPI is given at once.
class LongRow {
 public:
  explicit LongRow(std::int64_t bytes) {
    const std::int64_t part_B = most_at_once_B();
    keep(mpi().Type_contiguous(static_cast<int>(part_B), mpi().byte, &part_));
    const int counts[]{static_cast<int>(bytes / part_B), static_cast<int>(bytes % part_B)};
    const MPI_Aint places[]{0, bytes - bytes % part_B};
    const MPI_Datatype types[]{part_, mpi().byte};
    if (code_ == MPI_SUCCESS) keep(mpi().Type_create_struct(2, counts, places, types, &row_));
    if (code_ == MPI_SUCCESS) keep(mpi().Type_commit(&row_));
  }
  ~LongRow() {
    for (MPI_Datatype* type : {&row_, &part_})
      if (*type != mpi().type_null) mpi().Type_free(type);
  }
  LongRow(const LongRow&) = delete;
  LongRow& operator=(const LongRow&) = delete;

  int code() const { return code_; }
  MPI_Datatype type() const { return row_; }

 private:
  void keep(int code) { code_ = code; }

  int code_ = MPI_SUCCESS;
  MPI_Datatype part_ = mpi().type_null, row_ = mpi().type_null;
};

// One of each, to oneself.
int pass(const Communicator& communicator, const char* from, MPI_Datatype as, char* to,
         MPI_Datatype into) {
  const int self = communicator.wire_rank[static_cast<std::size_t>(communicator.me)];
  const int tag = communicator.own_tag;
  return mpi().Sendrecv(from, 1, as, self, tag, to, 1, into, self, tag, communicator.wire,
                        MPI_STATUS_IGNORE);
}

// Calls part(first element, number of elements) until one fails.
template <class Part>
int in_parts(const TypeInfo& type, std::int64_t count, Part&& part) {
  if (type.size == 0) return MPI_SUCCESS;
  const std::int64_t most = std::max<std::int64_t>(1, most_at_once_B() / type.size);
  int code = MPI_SUCCESS;
  for (std::int64_t first = 0; first < count && code == MPI_SUCCESS; first += most)
    code = part(first, static_cast<int>(std::min(most, count - first)));
  return code;
}

}  // namespace

int pack(const Communicator& communicator, const TypeInfo& type, const char* from,
         std::int64_t count, char* bytes) {
  return in_parts(type, count, [&](std::int64_t first, int elements) {
    const char* begin = from + first * type.extent;
    char* row = bytes + first * type.size;
    if (type.size > most_at_once_B()) {
      const LongRow longer(type.size);
      return longer.code() != MPI_SUCCESS
                 ? longer.code()
                 : pass(communicator, begin, type.type, row, longer.type());
    }
    int at = 0;
    return mpi().Pack(begin, elements, type.type, row, static_cast<int>(elements * type.size), &at,
                      communicator.wire);
  });
}

int unpack(const Communicator& communicator, const TypeInfo& type, const char* bytes,
           std::int64_t count, char* to) {
  return in_parts(type, count, [&](std::int64_t first, int elements) {
    char* begin = to + first * type.extent;
    const char* row = bytes + first * type.size;
    if (type.size > most_at_once_B()) {
      const LongRow longer(type.size);
      return longer.code() != MPI_SUCCESS
                 ? longer.code()
                 : pass(communicator, row, longer.type(), begin, type.type);
    }
    int at = 0;
    return mpi().Unpack(row, static_cast<int>(elements * type.size), &at, begin, elements,
                        type.type, communicator.wire);
  });
}

}  // namespace weft::pmpi
