// A program of collectives with the block sizes of a file, each made twice: by MPI_ functions,
// which the preloaded library has, and by MPI's own, found behind it. In some cases the counts
// differ from the file in one block, which in an alltoallv only two ranks see. Prints what differs
// from MPI, and how many cases have exactly the counts of the file.
//
//   mpirun ... unequal allgatherv|reduce-scatterv|alltoallv FILE SEED CASES
//
// Sizes in the file are multiples of 8.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "matrices.hpp"
#include "native.hpp"

namespace {

// Elements of whole multiples of 4 bytes up to 8; `span` is the extent.
struct Element {
  MPI_Datatype type;
  int size, span;
};

// One side of a call: counts and places in elements, and the memory.
struct Side {
  Element element;
  std::vector<int> counts, places;
  std::vector<char> bytes;
};

class Program {
 public:
  Program(std::string kind, const char* file, std::uint64_t seed)
      : kind_(std::move(kind)), seed_(seed) {
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    std::ifstream in(file);
    for (std::int64_t bytes = 0; in >> bytes;) file_.push_back(bytes);
    make_types();
    MPI_Comm made;
    communicators_.push_back(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    communicators_.push_back(made);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size_ - rank, &made);
    communicators_.push_back(made);
  }

  int run(int cases) {
    for (int i = 0; i < cases; ++i) {
      random_.engine.seed(seed_ * 1000003 + static_cast<std::uint64_t>(i));
      one_case(i);
    }
    int all = 0;
    NATIVE(Allreduce)(&faults_, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("%d cases, %d exact, %d differ\n", cases, exact_, all);
    return all == 0 ? 0 : 1;
  }

 private:
  void make_types() {
    const int lengths[] = {1, 1};
    const MPI_Aint apart[] = {8, 24}, backward[] = {4, 0};
    const MPI_Datatype parts[] = {MPI_INT, MPI_INT};
    MPI_Datatype holes, resized, swapped;
    MPI_Type_create_struct(2, lengths, apart, parts, &holes);
    MPI_Type_create_resized(holes, 0, 40, &resized);
    MPI_Type_commit(&resized);
    MPI_Type_create_struct(2, lengths, backward, parts, &swapped);
    MPI_Type_commit(&swapped);
    // All of the same signature for the same bytes.
    elements_ = {{MPI_INT, 4, 4}, {swapped, 8, 8}, {resized, 8, 40}};
  }

  int drawn(int below) { return static_cast<int>(random_.below(below)); }

  // All ranks draw the same numbers.
  void one_case(int index) {
    comm_ =
        communicators_[static_cast<std::size_t>(drawn(static_cast<int>(communicators_.size())))];
    MPI_Comm_rank(comm_, &rank_);
    bytes_ = file_;
    if (const bool is_exact = drawn(3) != 0; is_exact) {
      ++exact_;
    } else {
      const auto at = static_cast<std::size_t>(drawn(static_cast<int>(bytes_.size())));
      bytes_[at] += bytes_[at] >= 8 && drawn(2) == 0 ? -8 : 8;
    }
    in_place_ = drawn(3) == 0;
    own_.engine.seed(random_.engine() + static_cast<std::uint64_t>(rank_));
    if (kind_ == "allgatherv") return allgatherv(index);
    if (kind_ == "reduce-scatterv") return reduce_scatterv(index);
    alltoallv(index);
  }

  std::int64_t block(int from, int to) const {
    return bytes_[static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) +
                  static_cast<std::size_t>(to)];
  }

  const Element& own_element() { return elements_[static_cast<std::size_t>(own_.below(3))]; }

  // Blocks of these bytes in an order of this rank's own, with room between some; own data.
  Side side_of(const std::vector<std::int64_t>& bytes, const Element& element) {
    Side side{element, {}, {}, {}};
    side.places.resize(bytes.size());
    for (const std::int64_t each : bytes)
      side.counts.push_back(static_cast<int>(each / side.element.size));
    int end = 0;
    for (int i = 0; i < size_; ++i) {
      const auto at = static_cast<std::size_t>(
          (rank_ % 2 == 0 ? i + rank_ : 2 * size_ - i - 1 + rank_) % size_);
      end += (rank_ + i) % 3;
      side.places[at] = end;
      end += side.counts[at];
    }
    side.bytes.resize(static_cast<std::size_t>(end * side.element.span));
    for (char& byte : side.bytes) byte = static_cast<char>(own_.engine());
    return side;
  }

  void compare(int index, const std::vector<char>& ours, const std::vector<char>& theirs) {
    if (ours == theirs) return;
    ++faults_;
    std::printf("%s case %d, rank %d differs\n", kind_.c_str(), index, rank_);
  }

  void allgatherv(int index) {
#ifdef OPEN_MPI
    // Open MPI 4.1.4 chooses by sizes of the send type times receive counts, and waits for ever
    // where these differ between ranks.
    const Side out = side_of(bytes_, elements_[static_cast<std::size_t>(drawn(3))]);
#else
    const Side out = side_of(bytes_, own_element());
#endif
    std::vector<char> in(static_cast<std::size_t>(bytes_[static_cast<std::size_t>(rank_)]));
    for (char& byte : in) byte = static_cast<char>(own_.engine());
    const int count = static_cast<int>(in.size() / 4);
    std::vector<char> ours = out.bytes, theirs = out.bytes;
    const auto call = [&](auto* f, std::vector<char>& to) {
      f(in_place_ ? MPI_IN_PLACE : in.data(), count, MPI_INT, to.data(), out.counts.data(),
        out.places.data(), out.element.type, comm_);
    };
    call(&MPI_Allgatherv, ours);
    call(NATIVE(Allgatherv), theirs);
    compare(index, ours, theirs);
  }

  void reduce_scatterv(int index) {
    const bool is_double = drawn(2) == 0;
    const int size = is_double ? 8 : 4;
    std::vector<int> counts;
    std::size_t total = 0;
    for (const std::int64_t each : bytes_) {
      counts.push_back(static_cast<int>(each) / size);
      total += static_cast<std::size_t>(each);
    }
    std::vector<char> in(total + 8);
    for (std::size_t at = 0; at < total; at += static_cast<std::size_t>(size)) {
      // Small whole numbers, whose sum is the same in any order.
      const auto value = static_cast<int>(own_.below(1000));
      const double real = value;
      std::memcpy(&in[at], is_double ? static_cast<const void*>(&real) : &value,
                  static_cast<std::size_t>(size));
    }
    const auto call = [&](auto* f) {
      // In place, what lies behind the result is undefined.
      std::vector<char> from = in, to = in_place_ ? in : std::vector<char>(total + 8);
      f(in_place_ ? MPI_IN_PLACE : from.data(), to.data(), counts.data(),
        is_double ? MPI_DOUBLE : MPI_INT, MPI_SUM, comm_);
      to.resize(static_cast<std::size_t>(bytes_[static_cast<std::size_t>(rank_)]));
      return to;
    };
    compare(index, call(&MPI_Reduce_scatter), call(NATIVE(Reduce_scatter)));
  }

  // In place, each pair of ranks exchanges blocks of one size.
  bool is_symmetric() const {
    for (int from = 0; from < size_; ++from)
      for (int to = 0; to < from; ++to)
        if (block(from, to) != block(to, from)) return false;
    return true;
  }

  void alltoallv(int index) {
    std::vector<std::int64_t> row, column;
    for (int other = 0; other < size_; ++other) {
      row.push_back(block(rank_, other));
      column.push_back(block(other, rank_));
    }
    Side in = side_of(row, own_element());
    const Side out = side_of(column, own_element());
    std::vector<char> ours = out.bytes, theirs = out.bytes;
    const bool here = in_place_ && is_symmetric();
    const std::vector<char> before = in.bytes;
    const auto call = [&](auto* f, std::vector<char>& to) {
      // Ranks without data may have no buffer.
      f(here               ? MPI_IN_PLACE
        : in.bytes.empty() ? nullptr
                           : in.bytes.data(),
        here ? nullptr : in.counts.data(), here ? nullptr : in.places.data(),
        here ? MPI_DATATYPE_NULL : in.element.type, to.data(), out.counts.data(), out.places.data(),
        out.element.type, comm_);
    };
    call(&MPI_Alltoallv, ours);
    compare(index, in.bytes, before);
    if (here) {
      // MPICH's own reads the arguments of a send that it does not make: its in-place call is
      // judged by the two-buffer one, which reads what was in `out`.
      Side copy = out;
      NATIVE(Alltoallv)
      (copy.bytes.data(), out.counts.data(), out.places.data(), out.element.type, theirs.data(),
       out.counts.data(), out.places.data(), out.element.type, comm_);
    } else {
      call(NATIVE(Alltoallv), theirs);
    }
    compare(index, ours, theirs);
  }

  std::string kind_;
  std::uint64_t seed_;
  int size_ = 0, rank_ = 0, exact_ = 0, faults_ = 0;
  bool in_place_ = false;
  std::vector<std::int64_t> file_, bytes_;
  std::vector<Element> elements_;
  std::vector<MPI_Comm> communicators_;
  MPI_Comm comm_{};
  Random random_, own_;
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  if (count != 5) {
    std::fprintf(stderr, "unequal allgatherv|reduce-scatterv|alltoallv FILE SEED CASES\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int code = Program(arguments[1], arguments[2], std::strtoull(arguments[3], nullptr, 10))
                       .run(std::atoi(arguments[4]));
  MPI_Finalize();
  return code;
}
