// How each collective prepares the row of its blocks, runs a script on it and takes its result.
//
// Collectives that only move data move bytes. Where a datatype has holes, or its parts are in an
// order of their own, its bytes are packed first and unpacked in the end; other ranks need not
// know. Those that reduce move elements, typed where they are not plain.
#include <cstring>
#include <vector>

#include "pmpi/blocks.hpp"
#include "pmpi/collective.hpp"
#include "pmpi/packed.hpp"
#include "pmpi/runtime.hpp"
#include "pmpi/script/execute.hpp"

namespace weft::pmpi {

using plan::Kind;

namespace {

// The side of a collective that only moves data, as bytes in a row.
class Bytes {
 public:
  // `decided` is the type of the side that counts, and mostly this one's.
  Bytes(Communicator& communicator, Arena& arena, const TypeInfo& decided, const void* user,
        std::int64_t count, MPI_Datatype type)
      : communicator_(communicator),
        user_(static_cast<char*>(const_cast<void*>(user))),
        count_(count),
        type_(type == decided.type ? decided : type_info(type)) {
    bytes_ = type_.is_plain ? user_ : arena.bytes(type_.size * count);
  }

  char* data() const { return bytes_; }
  int pack() const { return pack(0, count_); }
  // Elements [first, first + count).
  int pack(std::int64_t first, std::int64_t count) const {
    if (type_.is_plain) return MPI_SUCCESS;
    return pmpi::pack(communicator_, type_, user_ + first * type_.extent, count,
                      bytes_ + first * type_.size);
  }
  int unpack() const {
    if (type_.is_plain) return MPI_SUCCESS;
    return pmpi::unpack(communicator_, type_, bytes_, count_, user_);
  }

 private:
  Communicator& communicator_;
  char* user_;
  std::int64_t count_;
  TypeInfo type_;
  char* bytes_;
};

// The first of several steps that fails.
template <class... Steps>
int in_turn(Steps&&... steps) {
  int code = MPI_SUCCESS;
  ((code = code == MPI_SUCCESS ? steps() : code), ...);
  return code;
}

class Performance {
 public:
  Performance(Communicator& communicator, const Call& call, const Decision& decision)
      : communicator_(communicator), call_(call), decision_(decision) {}

  int run() {
    switch (call_.kind) {
      case Kind::broadcast:
        return broadcast();
      case Kind::allgather:
        return call_.counts == nullptr ? allgather() : allgather_of_counts();
      case Kind::alltoall:
        return call_.counts == nullptr ? alltoall() : alltoall_of_counts();
      case Kind::gather:
        return gather();
      case Kind::scatter:
        return scatter();
      case Kind::reduce:
        return reduce();
      case Kind::reduce_scatter:
        return reduce_scatter();
      case Kind::allreduce:
        return allreduce();
    }
    return MPI_ERR_INTERN;
  }

 private:
  std::int64_t block_B() const { return decision_.size_B; }
  bool at_root() const { return communicator_.rank == call_.root; }

  int execute_bytes(char* in, char* out) {
    Buffers buffers;
    buffers.base = {in, out, nullptr};
    return execute(communicator_, communicator_.script(decision_.schedule, row_elements()),
                   buffers);
  }
  std::int64_t row_elements() const {
    return traits_of(call_.kind).by_pair ? decision_.row_B * communicator_.size : decision_.row_B;
  }

  int broadcast() {
    const Bytes data(communicator_, communicator_.packed_out, decision_.type, call_.out,
                     call_.out_count, call_.out_type);
    return in_turn([&] { return at_root() ? data.pack() : MPI_SUCCESS; },
                   [&] { return execute_bytes(nullptr, data.data()); },
                   [&] { return at_root() ? MPI_SUCCESS : data.unpack(); });
  }

  int allgather() {
    const Bytes out(communicator_, communicator_.packed_out, decision_.type, call_.out,
                    call_.out_count * communicator_.size, call_.out_type);
    return in_turn([&] { return own_block(out); },
                   [&] { return execute_bytes(nullptr, out.data()); },
                   [&] { return out.unpack(); });
  }
  int own_block(const Bytes& out) {
    if (call_.in_place()) return out.pack(call_.out_count * communicator_.rank, call_.out_count);
    return copy_in(out.data() + communicator_.rank * block_B(), block_B());
  }
  // The send buffer, packed, to a place.
  int copy_in(char* to, std::int64_t bytes) {
    const Bytes in(communicator_, communicator_.packed_in, decision_.type, call_.in, call_.in_count,
                   call_.in_type);
    const int code = in.pack();
    if (bytes > 0) std::memcpy(to, in.data(), static_cast<std::size_t>(bytes));
    return code;
  }

  // Blocks of lengths of their own, which lie anywhere.
  int allgather_of_counts() {
    const Blocks out(communicator_, communicator_.packed_out, communicator_.block_places,
                     decision_.type, {call_.out, call_.counts, call_.places});
    Shape& shape = communicator_.shape_of_blocks(decision_.schedule, decision_.row_B);
    for (const std::int32_t rank : communicator_.user_rank) {
      shape.places.push_back(out.place(rank));
      shape.starts.push_back(shape.starts.back() + out.bytes(rank));
    }
    const int own = communicator_.rank;
    const int code = call_.in_place() ? out.pack(own) : copy_in(out.at(own), out.bytes(own));
    if (code != MPI_SUCCESS) return code;
    return in_turn([&] { return execute_blocks(nullptr, out.base(), shape); },
                   [&] { return out.unpack(); });
  }
  int execute_blocks(char* in, char* out, const Shape& shape) {
    Buffers buffers;
    buffers.base = {in, out, nullptr};
    return execute(communicator_, communicator_.script(shape), buffers);
  }

  // The blocks of all ranks are those of the plan, which the ranks have agreed on.
  int alltoall_of_counts() {
    const Blocks out(communicator_, communicator_.packed_out, communicator_.block_places,
                     decision_.type, {call_.out, call_.counts, call_.places});
    if (call_.in_place()) {
      const int code = out.pack();
      std::vector<std::int64_t>& places = communicator_.in_places;
      places.assign(1, 0);
      for (int rank = 0; rank < communicator_.size; ++rank)
        places.push_back(places.back() + out.bytes(rank));
      char* in = communicator_.row.bytes(places.back());
      for (int rank = 0; rank < communicator_.size && code == MPI_SUCCESS; ++rank)
        copy(out.at(rank), in + places[static_cast<std::size_t>(rank)], out.bytes(rank));
      return code == MPI_SUCCESS ? alltoall_of_counts(in, out) : code;
    }
    const bool is_one_type = call_.in_type == decision_.type.type;
    const Blocks in(communicator_, communicator_.packed_in, communicator_.in_places,
                    is_one_type ? decision_.type : type_info(call_.in_type),
                    {call_.in, call_.in_counts, call_.in_places});
    return in_turn([&] { return in.pack(); }, [&] { return alltoall_of_counts(in.base(), out); });
  }
  // `in_places` of the communicator has where blocks begin in `in`.
  int alltoall_of_counts(char* in, const Blocks& out) {
    const plan::layout::RangeEntry& range =
        runtime()->plan->ranges()[static_cast<std::size_t>(decision_.range)];
    const std::vector<std::int64_t>& in_places = communicator_.in_places;
    const int own = communicator_.rank;
    if (out.bytes(own) > 0)
      copy(in + in_places[static_cast<std::size_t>(own)], out.at(own), out.bytes(own));
    Shape& shape = communicator_.shape_of_blocks(decision_.schedule, 0);
    shape.starts.clear();
    shape.counts = static_cast<std::int32_t>(range.counts) - 1;
    for (const std::int32_t rank : communicator_.user_rank) {
      shape.places.push_back(out.place(rank));
      shape.in_places.push_back(in_places[static_cast<std::size_t>(rank)]);
    }
    return in_turn([&] { return execute_blocks(in, out.base(), shape); },
                   [&] { return out.unpack(); });
  }
  static void copy(const char* from, char* to, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }

  int alltoall() {
    const std::int64_t blocks = communicator_.size, total = decision_.row_B;
    const Bytes out(communicator_, communicator_.packed_out, decision_.type, call_.out,
                    call_.out_count * blocks, call_.out_type);
    if (call_.in_place()) {
      char* in = communicator_.row.bytes(total);
      const int code = out.pack();
      std::memcpy(in, out.data(), static_cast<std::size_t>(total));
      return code == MPI_SUCCESS ? alltoall(in, out) : code;
    }
    const Bytes in(communicator_, communicator_.packed_in, decision_.type, call_.in,
                   call_.in_count * blocks, call_.in_type);
    return in_turn([&] { return in.pack(); }, [&] { return alltoall(in.data(), out); });
  }
  int alltoall(char* in, const Bytes& out) {
    const std::int64_t own = communicator_.rank * block_B();
    std::memcpy(out.data() + own, in + own, static_cast<std::size_t>(block_B()));
    return in_turn([&] { return execute_bytes(in, out.data()); }, [&] { return out.unpack(); });
  }

  int gather() {
    if (!at_root()) {
      const Bytes in(communicator_, communicator_.packed_in, decision_.type, call_.in,
                     call_.in_count, call_.in_type);
      return in_turn([&] { return in.pack(); }, [&] { return execute_bytes(in.data(), nullptr); });
    }
    const Bytes out(communicator_, communicator_.packed_out, decision_.type, call_.out,
                    call_.out_count * communicator_.size, call_.out_type);
    return in_turn([&] { return own_block(out); },
                   [&] { return execute_bytes(nullptr, out.data()); },
                   [&] { return out.unpack(); });
  }

  int scatter() {
    if (!at_root()) {
      const Bytes out(communicator_, communicator_.packed_out, decision_.type, call_.out,
                      call_.out_count, call_.out_type);
      return in_turn([&] { return execute_bytes(nullptr, out.data()); },
                     [&] { return out.unpack(); });
    }
    const Bytes in(communicator_, communicator_.packed_in, decision_.type, call_.in,
                   call_.in_count * communicator_.size, call_.in_type);
    const int code =
        in_turn([&] { return in.pack(); }, [&] { return execute_bytes(in.data(), nullptr); });
    if (code != MPI_SUCCESS || call_.in_place()) return code;
    const Bytes out(communicator_, communicator_.packed_out, decision_.type, call_.out,
                    call_.out_count, call_.out_type);
    std::memcpy(out.data(), in.data() + communicator_.rank * block_B(),
                static_cast<std::size_t>(block_B()));
    return out.unpack();
  }

  // Of those that reduce.
  Buffers typed_buffers() const {
    Buffers buffers;
    buffers.stride = decision_.type.extent;
    buffers.typed = decision_.type.is_plain ? nullptr : &decision_.type;
    buffers.type = decision_.type.type;
    buffers.op = call_.op;
    buffers.kernel = decision_.op.kernel;
    return buffers;
  }
  int execute_elements(Buffers& buffers, const void* row, const Script& script) {
    buffers.base[static_cast<std::size_t>(Base::out)] = writable(row);
    return execute(communicator_, script, buffers);
  }
  static char* writable(const void* user) { return static_cast<char*>(const_cast<void*>(user)); }

  // Of the whole buffer, from `in` to `out`, which may be the same.
  int reduce_whole(const void* in, const void* out, const Script& script) {
    Buffers buffers = typed_buffers();
    buffers.base[static_cast<std::size_t>(Base::in)] = writable(in);
    const int code = script.reads_input ? MPI_SUCCESS
                                        : move(communicator_, buffers, writable(in), writable(out),
                                               call_.out_count);
    return code == MPI_SUCCESS ? execute_elements(buffers, out, script) : code;
  }

  const Script& whole_script() { return communicator_.script(decision_.schedule, call_.out_count); }

  int allreduce() {
    return reduce_whole(call_.in_place() ? call_.out : call_.in, call_.out, whole_script());
  }

  int reduce() {
    if (at_root()) return allreduce();
    const Script& script = whole_script();
    if (script.only_sends) return reduce_whole(call_.in, call_.in, script);
    const Buffers buffers = typed_buffers();
    char* row = communicator_.row.bytes(scratch_bytes(buffers, call_.out_count));
    return reduce_whole(call_.in, first_element(buffers, row, call_.out_count), script);
  }

  // The row is in the order of the schedule's ranks; blocks may be of different lengths.
  int reduce_scatter() {
    Buffers buffers = typed_buffers();
    std::vector<std::int64_t>& user_start = communicator_.block_places;
    user_start.assign(1, 0);
    for (int rank = 0; rank < communicator_.size; ++rank)
      user_start.push_back(user_start.back() + count_of(rank));
    const std::int64_t total = user_start.back();
    Shape& shape = communicator_.shape_of_blocks(decision_.schedule, total);
    char* row =
        first_element(buffers, communicator_.row.bytes(scratch_bytes(buffers, total)), total);
    char* in = writable(call_.in_place() ? call_.out : call_.in);
    for (const std::int32_t rank : communicator_.user_rank) {
      const int code = move(communicator_, buffers,
                            in + user_start[static_cast<std::size_t>(rank)] * buffers.stride,
                            row + shape.starts.back() * buffers.stride, count_of(rank));
      if (code != MPI_SUCCESS) return code;
      shape.starts.push_back(shape.starts.back() + count_of(rank));
    }
    const std::int64_t own = shape.starts[static_cast<std::size_t>(communicator_.me)];
    if (call_.counts == nullptr) shape.starts.clear();
    const int code = execute_elements(buffers, row, communicator_.script(shape));
    if (code != MPI_SUCCESS) return code;
    return move(communicator_, buffers, row + own * buffers.stride, static_cast<char*>(call_.out),
                count_of(communicator_.rank));
  }
  std::int64_t count_of(int rank) const {
    return call_.counts == nullptr ? call_.out_count : call_.counts[rank];
  }

  Communicator& communicator_;
  const Call& call_;
  const Decision& decision_;
};

}  // namespace

int perform(Communicator& communicator, const Call& call, const Decision& decision) {
  // Else a root that only sends would run ahead of ranks that have not come so far, without limit.
  constexpr std::uint32_t kCallsAhead = 64;
  if (is_rooted(call.kind) && ++communicator.rooted_calls % kCallsAhead == 0)
    mpi().Barrier(communicator.user);
  return Performance(communicator, call, decision).run();
}

}  // namespace weft::pmpi
