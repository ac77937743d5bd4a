// A program of random collectives, each made twice: by MPI_ functions, which the preloaded library
// has, and by MPI's own, found behind it. Every rank draws the same cases from the seed, and each
// its own data and, where signatures match, datatypes. Prints what differs, with seed and case.
//
//   mpirun ... differential SEED CASES
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "matrices.hpp"
#include "native.hpp"

namespace {

// What a case reduces or moves. Buffers hold small whole numbers, which any order adds up alike.
struct Element {
  const char* name;
  MPI_Datatype type;
  std::size_t span;  // extent, in bytes
  enum class Fill { bytes, whole_float, whole_double, small_ints, tiny_ints, pair, matrix } fill;
};

class Program {
 public:
  Program(std::uint64_t seed, int cases) : seed_(seed), cases_(cases) {
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size_);
    make_types();
    make_communicators();
  }

  int run() {
    for (int i = 0; i < cases_; ++i) {
      random_.engine.seed(seed_ * 1000003 + static_cast<std::uint64_t>(i));
      one_case(i);
    }
    int all = 0;
    MPI_Allreduce(&faults_, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank_ == 0)
      std::printf("seed %llu: %d cases on %d ranks, %d differ\n",
                  static_cast<unsigned long long>(seed_), cases_, world_size_, all);
    return all == 0 ? 0 : 1;
  }

 private:
  void make_types() {
    MPI_Datatype square;
    MPI_Type_contiguous(4, MPI_INT64_T, &square);
    MPI_Type_commit(&square);
    // Behind its lower bound, with a hole in the middle and one at the end.
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {8, 24};
    const MPI_Datatype parts[] = {MPI_INT, MPI_INT};
    MPI_Datatype holes;
    MPI_Type_create_struct(2, lengths, places, parts, &holes);
    MPI_Datatype resized;
    MPI_Type_create_resized(holes, 0, 40, &resized);
    MPI_Type_commit(&resized);
    // Its second integer lies before its first.
    const MPI_Aint backward[] = {4, 0};
    MPI_Datatype swapped;
    MPI_Type_create_struct(2, lengths, backward, parts, &swapped);
    MPI_Type_commit(&swapped);
    using enum Element::Fill;
    reduced_ = {{"int", MPI_INT, 4, small_ints},          {"double", MPI_DOUBLE, 8, whole_double},
                {"float", MPI_FLOAT, 4, whole_float},     {"2int", MPI_2INT, 8, pair},
                {"double-int", MPI_DOUBLE_INT, 16, pair}, {"matrix", square, 32, matrix},
                {"uint8", MPI_UINT8_T, 1, tiny_ints},     {"int64", MPI_INT64_T, 8, small_ints},
                {"int16", MPI_INT16_T, 2, tiny_ints}};
    moved_ = {{"int", MPI_INT, 4, bytes},
              {"byte", MPI_BYTE, 1, bytes},
              {"double", MPI_DOUBLE, 8, bytes},
              {"resized", resized, 40, bytes},
              {"swapped", swapped, 8, bytes}};
#ifdef OPEN_MPI
    // MPICH 4.0.2's own trees cut these off.
    moved_.push_back({"double-int", MPI_DOUBLE_INT, 16, bytes});
#endif
    MPI_Op_create(multiply, 0, &multiply_);
    MPI_Op_create(add_matrices, 1, &add_matrices_);
  }

  void make_communicators() {
    MPI_Comm made;
    communicators_.push_back(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    communicators_.push_back(made);
    MPI_Comm_split(MPI_COMM_WORLD, 0, world_size_ - world_rank_, &made);
    communicators_.push_back(made);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank_ % 2, world_rank_, &made);
    communicators_.push_back(made);
    const int extents[] = {world_size_}, periods[] = {1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, extents, periods, 1, &made);
    communicators_.push_back(made);
  }

  int count() {
    switch (random_.below(5)) {
      case 0:
        return static_cast<int>(random_.below(4));
      case 1:
        return static_cast<int>(random_.below(40));
      case 2:
        return static_cast<int>(random_.below(1000));
      default:
        return static_cast<int>(random_.below(9000));
    }
  }

  // Each rank's own data.
  std::vector<char> data(const Element& element, std::int64_t count) {
    std::vector<char> bytes(element.span * static_cast<std::size_t>(count) + 64);
    std::mt19937_64 own(random_.engine() * 31 + static_cast<std::uint64_t>(world_rank_));
    for (char& byte : bytes) byte = static_cast<char>(own());
    for (std::int64_t i = 0; i < count; ++i) {
      char* at = bytes.data() + static_cast<std::size_t>(i) * element.span;
      const auto small = static_cast<int>(own() % 7) + 1;
      put(element, at, small, static_cast<int>(own() % 1000));
    }
    return bytes;
  }

  static void put(const Element& element, char* at, int small, int other) {
    const auto set = [&](auto value) { std::memcpy(at, &value, sizeof value); };
    using enum Element::Fill;
    switch (element.fill) {
      case bytes:
        return;
      case whole_float:
        return set(static_cast<float>(small));
      case whole_double:
        return set(static_cast<double>(small));
      case small_ints:
        return element.span == 8 ? set(static_cast<std::int64_t>(other)) : set(other);
      case tiny_ints:
        // Open MPI's sums of short integers do not wrap around but stay at the greatest.
        return element.span == 1 ? set(static_cast<std::uint8_t>(small % 3))
                                 : set(static_cast<std::int16_t>(other % 9));
      case pair:
        if (element.span == 8)
          return set(std::uint64_t{static_cast<std::uint32_t>(other)} << 32 |
                     static_cast<std::uint32_t>(small));
        set(static_cast<double>(small));
        std::memcpy(at + 8, &other, sizeof other);
        return;
      case matrix:
        return set(Matrix{small, other, other % 13, small + 1});
    }
  }

  MPI_Op op_of(const Element& element) {
    using enum Element::Fill;
    switch (element.fill) {
      case pair:
        return random_.coin() ? MPI_MAXLOC : MPI_MINLOC;
      case matrix:
        return random_.coin() ? multiply_ : add_matrices_;
      case whole_float:
      case whole_double: {
        // Products of so many would round.
        const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
        return ops[random_.below(3)];
      }
      default: {
        const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_LAND,
                              MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
        op_ = static_cast<int>(random_.below(10));
        return ops[op_];
      }
    }
  }

  void compare(int index, const std::string& what, const std::vector<char>& ours,
               const std::vector<char>& theirs) {
    if (ours == theirs) return;
    std::size_t at = 0;
    while (ours[at] == theirs[at]) ++at;
    ++faults_;
    std::printf("seed %llu case %d, rank %d: %s: byte %zu of %zu differs\n",
                static_cast<unsigned long long>(seed_), index, world_rank_, what.c_str(), at,
                ours.size());
  }

  // Runs `call(function, in, out)` with both functions on the same data.
  template <class Function, class Invoke>
  void both(int index, const std::string& what, Function* ours, Function* theirs,
            const std::vector<char>& in, const std::vector<char>& out, Invoke&& invoke) {
    std::vector<char> in_ours = in, in_theirs = in, out_ours = out, out_theirs = out;
    const int a = invoke(ours, in_ours.data(), out_ours.data());
    const int b = invoke(theirs, in_theirs.data(), out_theirs.data());
    compare(index, what + " result", out_ours, out_theirs);
    compare(index, what + " input", in_ours, in);
    if (a != b) compare(index, what + " code", {static_cast<char>(a)}, {static_cast<char>(b)});
  }

  void one_case(int index) {
    const auto which = random_.below(10);
    comm_ = communicators_[static_cast<std::size_t>(
        random_.below(static_cast<std::int64_t>(communicators_.size())))];
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    root_ = static_cast<int>(random_.below(size_));
    in_place_ = random_.below(3) == 0;
    if (which < 4)
      reduction(index, which);
    else
      movement(index, which);
  }

  std::string named(const char* function, const Element& element, std::int64_t count) const {
    return std::string(function) + " of " + std::to_string(count) + " " + element.name +
           (in_place_ ? " in place" : "") + " root " + std::to_string(root_) + " op " +
           std::to_string(op_) + " among " + std::to_string(size_);
  }

  void reduction(int index, std::int64_t which) {
    const Element& element = reduced_[static_cast<std::size_t>(
        random_.below(static_cast<std::int64_t>(reduced_.size())))];
    const MPI_Op op = op_of(element);
    const int n = count();
    std::vector<int> counts(static_cast<std::size_t>(size_));
    const int each = n / size_;
    std::int64_t total = n;
    if (which == 2) total = std::int64_t{each} * size_;
    if (which == 3) {
      total = 0;
      for (int& c : counts) total += c = static_cast<int>(random_.below(2 * each + 2));
    }
    const std::vector<char> in = data(element, total), out = data(element, total);
    const MPI_Datatype type = element.type;
    if (which == 0)
      both(index, named("Allreduce", element, n), &MPI_Allreduce, NATIVE(Allreduce), in, out,
           [&](auto* f, void* from, void* to) {
             return f(in_place_ ? MPI_IN_PLACE : from, to, n, type, op, comm_);
           });
#ifndef OPEN_MPI
    // MPICH 4.0.2 itself fails on these.
    if (which == 1) in_place_ = in_place_ && root_ == 0;
#endif
    if (which == 1)
      both(index, named("Reduce", element, n), &MPI_Reduce, NATIVE(Reduce), in, out,
           [&](auto* f, void* from, void* to) {
             const bool here = in_place_ && rank_ == root_;
             return f(here ? MPI_IN_PLACE : from, rank_ == root_ ? to : nullptr, n, type, op, root_,
                      comm_);
           });
    // In place, what lies behind the result is undefined.
    in_place_ = false;
    if (which == 2)
      both(index, named("Reduce_scatter_block", element, each), &MPI_Reduce_scatter_block,
           NATIVE(Reduce_scatter_block), in, out,
           [&](auto* f, void* from, void* to) { return f(from, to, each, type, op, comm_); });
    if (which == 3)
      both(index, named("Reduce_scatter", element, total), &MPI_Reduce_scatter,
           NATIVE(Reduce_scatter), in, out, [&](auto* f, void* from, void* to) {
             return f(from, to, counts.data(), type, op, comm_);
           });
  }

  void movement(int index, std::int64_t which) {
    Element element =
        moved_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(moved_.size())))];
    if (which == 9) return blocks(index);
    const bool to_all = which != 4;
    int n = to_all ? count() / size_ : count();
    // Two integers: some ranks call them one element of a type, others two.
    const bool is_two =
        std::strcmp(element.name, "resized") == 0 || std::strcmp(element.name, "swapped") == 0;
    if (is_two && (rank_ + random_.below(2)) % 2 == 0) {
      element = moved_[0];
      n *= 2;
    }
    const std::int64_t all = to_all ? std::int64_t{n} * size_ : n;
    const std::vector<char> in = data(element, all), out = data(element, all);
    const MPI_Datatype type = element.type;
    const bool here = in_place_ && rank_ == root_;
    if (which == 4)
      both(index, named("Bcast", element, n), &MPI_Bcast, NATIVE(Bcast), {}, out,
           [&](auto* f, void*, void* to) { return f(to, n, type, root_, comm_); });
    if (which == 5)
      both(index, named("Allgather", element, n), &MPI_Allgather, NATIVE(Allgather), in, out,
           [&](auto* f, void* from, void* to) {
             return f(in_place_ ? MPI_IN_PLACE : from, n, type, to, n, type, comm_);
           });
    if (which == 6)
      both(index, named("Alltoall", element, n), &MPI_Alltoall, NATIVE(Alltoall), in, out,
           [&](auto* f, void* from, void* to) {
             return f(in_place_ ? MPI_IN_PLACE : from, n, type, to, n, type, comm_);
           });
    if (which == 7)
      both(index, named("Gather", element, n), &MPI_Gather, NATIVE(Gather), in, out,
           [&](auto* f, void* from, void* to) {
             return f(here ? MPI_IN_PLACE : from, n, type, rank_ == root_ ? to : nullptr, n, type,
                      root_, comm_);
           });
    if (which == 8)
      both(index, named("Scatter", element, n), &MPI_Scatter, NATIVE(Scatter), in, out,
           [&](auto* f, void* from, void* to) {
             return f(rank_ == root_ ? from : nullptr, n, type, here ? MPI_IN_PLACE : to, n, type,
                      root_, comm_);
           });
  }

  // Blocks of lengths of their own, in an order of this rank's own, with room between some.
  void blocks(int index) {
    const Element& element =
        moved_[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(moved_.size())))];
    const int most = 2 * count() / size_ + 2;
    std::vector<int> counts, places(static_cast<std::size_t>(size_));
    for (int rank = 0; rank < size_; ++rank)
      counts.push_back(static_cast<int>(random_.below(4) == 0 ? 0 : random_.below(most)));
    const std::vector<char> in = data(element, counts[static_cast<std::size_t>(rank_)]);
    int end = 0;
    for (int i = 0; i < size_; ++i) {
      const auto rank =
          static_cast<std::size_t>((i * (rank_ % 2 == 0 ? 1 : size_ - 1) + rank_) % size_);
      end += (rank_ + i) % 3;
      places[rank] = end;
      end += counts[rank];
    }
    const std::vector<char> out = data(element, end);
    const int own = counts[static_cast<std::size_t>(rank_)];
    both(index, named("Allgatherv", element, end), &MPI_Allgatherv, NATIVE(Allgatherv), in, out,
         [&](auto* f, void* from, void* to) {
           return f(in_place_ ? MPI_IN_PLACE : from, own, element.type, to, counts.data(),
                    places.data(), element.type, comm_);
         });
  }

  std::uint64_t seed_;
  int cases_, faults_ = 0;
  Random random_;
  int world_rank_ = 0, world_size_ = 0;
  std::vector<Element> reduced_, moved_;
  MPI_Op multiply_{}, add_matrices_{};
  std::vector<MPI_Comm> communicators_;
  MPI_Comm comm_{};
  int rank_ = 0, size_ = 0, root_ = 0;
  int op_ = 0;  // of integers, for messages
  bool in_place_ = false;
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const std::uint64_t seed = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
  const int cases = count > 2 ? std::atoi(arguments[2]) : 200;
  const int code = Program(seed, cases).run();
  MPI_Finalize();
  return code;
}
