// Collectives at sizes of a plan's ranges, whose results each rank knows beforehand: what rank r
// has at an index is a function of both, so that no native collective is the judge.
//
//   mpirun ... algorithms RANGES
//
// RANGES has a line for each range: the collective, its root, the first and the last size in
// bytes, as weft counts them. Prints what is wrong, and how many calls were made.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "matrices.hpp"

namespace {

// Splitmix64's finalizer: what is drawn for a number.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct DoubleInt {
  double value;
  int place;

  friend bool operator==(const DoubleInt&, const DoubleInt&) = default;
};

// An element that is drawn, and two of them put together, as MPI's operations do it.
template <class T>
T element(std::uint64_t drawn);
template <>
std::uint8_t element(std::uint64_t drawn) {
  return static_cast<std::uint8_t>(drawn);
}
template <>
std::int32_t element(std::uint64_t drawn) {
  return static_cast<std::int32_t>(drawn % 100000);
}
template <>
std::int64_t element(std::uint64_t drawn) {
  return static_cast<std::int64_t>(drawn);
}
template <>
double element(std::uint64_t drawn) {
  return static_cast<double>(drawn % 1000);
}
template <>
DoubleInt element(std::uint64_t drawn) {
  return {static_cast<double>(drawn % 5), static_cast<int>(drawn / 5 % 1000)};
}
template <>
Matrix element(std::uint64_t drawn) {
  return {static_cast<std::int64_t>(drawn % 7), static_cast<std::int64_t>(drawn / 7 % 11),
          static_cast<std::int64_t>(drawn / 77 % 5), 1};
}

std::uint8_t exclusive_or(std::uint8_t left, std::uint8_t right) {
  return static_cast<std::uint8_t>(left ^ right);
}
template <class T>
T sum(T left, T right) {
  return left + right;
}
std::int64_t greatest(std::int64_t left, std::int64_t right) {
  return std::max(left, right);
}
DoubleInt first_greatest(DoubleInt left, DoubleInt right) {
  if (left.value == right.value) return left.place < right.place ? left : right;
  return left.value > right.value ? left : right;
}
Matrix product(Matrix left, Matrix right) {
  int one = 1;
  multiply(&left, &right, &one, nullptr);
  return right;
}

struct Range {
  std::string kind;
  int root = 0;
  std::int64_t first_B = 0, last_B = 0;
};

class Program {
 public:
  Program() {
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size_ - world_rank_, &backward_);
    MPI_Type_contiguous(4, MPI_INT64_T, &matrix_);
    MPI_Type_commit(&matrix_);
    MPI_Op_create(multiply, 0, &multiply_);
  }

  int run(const char* path) {
    std::ifstream file(path);
    for (Range range; file >> range.kind >> range.root >> range.first_B >> range.last_B;) {
      at_size(range, range.first_B);
      if (range.last_B > range.first_B) at_size(range, range.last_B);
    }
    int all = 0;
    MPI_Allreduce(&faults_, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank_ == 0) std::printf("%d calls on %d ranks, %d wrong\n", calls_, size_, all);
    return all == 0 && calls_ > 0 ? 0 : 1;
  }

 private:
  std::uint64_t drawn(int rank, std::int64_t index) const {
    return mixed(static_cast<std::uint64_t>(calls_) << 40 ^ static_cast<std::uint64_t>(rank) << 32 ^
                 static_cast<std::uint64_t>(index));
  }
  // The same on all ranks.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(++draws_)) %
                                     static_cast<std::uint64_t>(bound));
  }

  void at_size(const Range& range, std::int64_t size_B) {
    ++calls_;
    range_ = range;
    comm_ = below(2) == 0 ? MPI_COMM_WORLD : backward_;
    MPI_Comm_rank(comm_, &rank_);
    root_ = range.root;
    in_place_ = below(3) == 0;
    if (range.kind == "allreduce" || range.kind == "reduce" || range.kind == "reduce-scatter")
      reduction(size_B);
    else
      movement(size_B);
  }

  void expect(bool is_right, std::int64_t size_B) {
    if (is_right) return;
    ++faults_;
    std::printf("call %d, rank %d of %d: %s of %lld bytes, root %d: another result\n", calls_,
                rank_, size_, range_.kind.c_str(), static_cast<long long>(size_B), root_);
  }

  // A type of which the size holds a whole number that is still in the range.
  void reduction(std::int64_t size_B) {
    const auto fits = [&](std::int64_t type_B) {
      return size_B / type_B * type_B >= range_.first_B && size_B >= type_B;
    };
    const std::int64_t draw = below(8);
    if (draw == 0 && fits(32)) return reduce(size_B, matrix_, multiply_, product);
    if (draw <= 2 && fits(8)) return reduce(size_B, MPI_DOUBLE, MPI_SUM, sum<double>);
    if (draw <= 4 && fits(4)) return reduce(size_B, MPI_INT32_T, MPI_SUM, sum<std::int32_t>);
    if (draw == 5 && fits(8)) return reduce(size_B, MPI_INT64_T, MPI_MAX, greatest);
    if (draw == 6 && fits(12)) return reduce(size_B, MPI_DOUBLE_INT, MPI_MAXLOC, first_greatest);
    reduce(size_B, MPI_UINT8_T, MPI_BXOR, exclusive_or);
  }

  template <class T>
  void reduce(std::int64_t size_B, MPI_Datatype type, MPI_Op op, T (*together)(T, T)) {
    int type_B = 0;  // without holes, which sizes count
    MPI_Type_size(type, &type_B);
    const auto n = static_cast<std::size_t>(size_B / type_B);
    const auto of = [&](int rank) {
      std::vector<T> data(n);
      for (std::size_t i = 0; i < n; ++i)
        data[i] = element<T>(drawn(rank, static_cast<std::int64_t>(i)));
      return data;
    };
    std::vector<T> all = of(0);
    for (int rank = 1; rank < size_; ++rank) {
      const std::vector<T> next = of(rank);
      for (std::size_t i = 0; i < n; ++i) all[i] = together(all[i], next[i]);
    }
    std::vector<T> in = of(rank_), out = in_place_ ? in : std::vector<T>(n);
    const std::vector<T> before = in;
    const int count = static_cast<int>(n);
    const auto has = [](const std::vector<T>& out, const std::vector<T>& all, int first,
                        int length) {
      return std::equal(all.begin() + first, all.begin() + first + length, out.begin());
    };
    if (range_.kind == "allreduce") {
      MPI_Allreduce(in_place_ ? MPI_IN_PLACE : in.data(), out.data(), count, type, op, comm_);
      expect(out == all && in == before, size_B);
    } else if (range_.kind == "reduce") {
      const bool here = in_place_ && rank_ == root_;
      MPI_Reduce(here ? MPI_IN_PLACE : in.data(), rank_ == root_ ? out.data() : nullptr, count,
                 type, op, root_, comm_);
      expect(rank_ != root_ || out == all, size_B);
      expect(in == before, size_B);
    } else {
      const std::vector<int> counts = parts(count);
      const int own = counts[static_cast<std::size_t>(rank_)];
      const bool are_alike = std::ranges::all_of(counts, [&](int c) { return c == own; });
      const void* from = in_place_ ? MPI_IN_PLACE : in.data();
      if (are_alike && below(2) == 0)
        MPI_Reduce_scatter_block(from, out.data(), own, type, op, comm_);
      else
        MPI_Reduce_scatter(from, out.data(), counts.data(), type, op, comm_);
      const int place = std::accumulate(counts.begin(), counts.begin() + rank_, 0);
      expect(has(out, all, place, own), size_B);
      expect(in == before, size_B);
    }
  }

  // So many elements in a part for each rank: alike where that goes and the dice say so.
  std::vector<int> parts(int count) {
    std::vector<int> counts(static_cast<std::size_t>(size_), count / size_);
    if (count % size_ == 0 && below(2) == 0) return counts;
    counts.back() += count % size_;
    for (int i = 0; i < size_; ++i) {
      const auto from = static_cast<std::size_t>(below(size_)),
                 to = static_cast<std::size_t>(below(size_));
      const int moved = static_cast<int>(below(counts[from] + 1));
      counts[from] -= moved;
      counts[to] += moved;
    }
    return counts;
  }

  using Block = std::vector<std::uint8_t>;
  // Bytes from one rank, for another or for all.
  Block block(int from, int to, std::int64_t bytes) const {
    Block made(static_cast<std::size_t>(bytes));
    for (std::int64_t i = 0; i < bytes; ++i)
      made[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(drawn(from * size_ + to, i));
    return made;
  }
  template <class Of>
  Block row(const Of& of) const {
    Block made;
    for (int rank = 0; rank < size_; ++rank) {
      const Block part = of(rank);
      made.insert(made.end(), part.begin(), part.end());
    }
    return made;
  }

  void movement(std::int64_t size_B) {
    // In whole integers where the size is.
    const int unit = size_B % 4 == 0 && below(2) == 0 ? 4 : 1;
    const MPI_Datatype type = unit == 4 ? MPI_INT32_T : MPI_BYTE;
    const int n = static_cast<int>(size_B / unit);
    const auto bytes = static_cast<std::size_t>(size_B),
               all = bytes * static_cast<std::size_t>(size_);
    const bool is_root = rank_ == root_, here = in_place_ && is_root;
    const auto of_all = [&](int rank) { return block(rank, 0, size_B); };
    const auto to_me = [&](int rank) { return block(rank, rank_, size_B); };
    const auto from_me = [&](int rank) { return block(rank_, rank, size_B); };
    // In place, one's own block alone counts.
    const auto own_only = [&](Block out, std::size_t at) {
      for (std::size_t i = 0; i < out.size(); ++i)
        if (i < at || i >= at + bytes) out[i] = 0;
      return out;
    };
    const std::size_t own = bytes * static_cast<std::size_t>(rank_);
    if (range_.kind == "broadcast") {
      Block data = is_root ? block(root_, 0, size_B) : Block(bytes);
      MPI_Bcast(data.data(), n, type, root_, comm_);
      expect(data == block(root_, 0, size_B), size_B);
    } else if (range_.kind == "allgather" && below(3) == 0) {
      allgather_of_counts(size_B);
    } else if (range_.kind == "allgather") {
      const Block want = row(of_all), in = of_all(rank_);
      Block out = in_place_ ? own_only(want, own) : Block(all);
      MPI_Allgather(in_place_ ? MPI_IN_PLACE : in.data(), n, type, out.data(), n, type, comm_);
      expect(out == want && in == of_all(rank_), size_B);
    } else if (range_.kind == "alltoall") {
      const Block in = row(from_me), want = row(to_me);
      Block out = in_place_ ? in : Block(all);
      MPI_Alltoall(in_place_ ? MPI_IN_PLACE : in.data(), n, type, out.data(), n, type, comm_);
      expect(out == want && in == row(from_me), size_B);
    } else if (range_.kind == "gather") {
      const Block want = is_root ? row(of_all) : Block(), in = of_all(rank_);
      Block out = here ? own_only(want, own) : Block(want.size());
      MPI_Gather(here ? MPI_IN_PLACE : in.data(), n, type, is_root ? out.data() : nullptr, n, type,
                 root_, comm_);
      expect(out == want && in == of_all(rank_), size_B);
    } else if (range_.kind == "scatter") {
      const auto from_root = [&](int rank) { return block(root_, rank, size_B); };
      const Block in = is_root ? row(from_root) : Block();
      Block out(bytes);
      MPI_Scatter(is_root ? in.data() : nullptr, n, type, here ? MPI_IN_PLACE : out.data(), n, type,
                  root_, comm_);
      expect(here || out == from_root(rank_), size_B);
      expect(!is_root || in == row(from_root), size_B);
    }
  }

  // Blocks whose mean is the size, from rank to rank or the other way, with a byte between.
  void allgather_of_counts(std::int64_t size_B) {
    const std::vector<int> counts = parts(static_cast<int>(size_B) * size_);
    std::vector<int> places(counts.size());
    int end = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t rank = rank_ % 2 == 0 ? i : counts.size() - 1 - i;
      places[rank] = end;
      end += counts[rank] + 1;
    }
    Block want(static_cast<std::size_t>(end));
    for (int rank = 0; rank < size_; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      std::ranges::copy(block(rank, 0, counts[r]), want.begin() + places[r]);
    }
    const auto own = static_cast<std::size_t>(rank_);
    const Block in = block(rank_, 0, counts[own]);
    Block out(want.size());
    if (in_place_) std::ranges::copy(in, out.begin() + places[own]);
    MPI_Allgatherv(in_place_ ? MPI_IN_PLACE : in.data(), counts[own], MPI_BYTE, out.data(),
                   counts.data(), places.data(), MPI_BYTE, comm_);
    expect(out == want, size_B);
  }

  int world_rank_ = 0, rank_ = 0, size_ = 0, root_ = 0;
  int calls_ = 0, faults_ = 0;
  std::int64_t draws_ = 0;
  bool in_place_ = false;
  Range range_;
  MPI_Comm comm_{}, backward_{};
  MPI_Datatype matrix_{};
  MPI_Op multiply_{};
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) {
    std::fputs("algorithms RANGES\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int code = Program().run(argv[1]);
  MPI_Finalize();
  return code;
}
