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

// Calls some(first element, number of elements) for as many as MPI takes at once, or, where one
// alone is more, one(element, its type as a row), until one call fails.
template <class Some, class One>
int in_parts(const TypeInfo& type, std::int64_t count, Some&& some, One&& one) {
  if (type.size == 0) return MPI_SUCCESS;
  int code = MPI_SUCCESS;
  if (type.size > most_at_once_B()) {
    const LongRow row(type.size);
    code = row.code();
    for (std::int64_t i = 0; i < count && code == MPI_SUCCESS; ++i) code = one(i, row.type());
    return code;
  }
  const std::int64_t most = most_at_once_B() / type.size;
  for (std::int64_t first = 0; first < count && code == MPI_SUCCESS; first += most)
    code = some(first, static_cast<int>(std::min(most, count - first)));
  return code;
}

}  // namespace

int pass_to_self(const Communicator& communicator, Elements from, Elements to) {
  const int self = communicator.wire_rank[static_cast<std::size_t>(communicator.me)];
  // A tag that no step has: a message to oneself may wait under the communicator's other one.
  const int tag = communicator.own_tag;
  return mpi().Sendrecv(from.at, from.count, from.type, self, tag, to.at, to.count, to.type, self,
                        tag, communicator.wire, MPI_STATUS_IGNORE);
}

int pack(const Communicator& communicator, const TypeInfo& type, char* from, std::int64_t count,
         char* bytes) {
  return in_parts(
      type, count,
      [&](std::int64_t first, int elements) {
        int at = 0;
        return mpi().Pack(from + first * type.extent, elements, type.type,
                          bytes + first * type.size, static_cast<int>(elements * type.size), &at,
                          communicator.wire);
      },
      [&](std::int64_t element, MPI_Datatype row) {
        return pass_to_self(communicator, {from + element * type.extent, 1, type.type},
                            {bytes + element * type.size, 1, row});
      });
}

int unpack(const Communicator& communicator, const TypeInfo& type, char* bytes, std::int64_t count,
           char* to) {
  return in_parts(
      type, count,
      [&](std::int64_t first, int elements) {
        int at = 0;
        return mpi().Unpack(bytes + first * type.size, static_cast<int>(elements * type.size), &at,
                            to + first * type.extent, elements, type.type, communicator.wire);
      },
      [&](std::int64_t element, MPI_Datatype row) {
        return pass_to_self(communicator, {bytes + element * type.size, 1, row},
                            {to + element * type.extent, 1, type.type});
      });
}

}  // namespace weft::pmpi
