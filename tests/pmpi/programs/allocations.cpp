// Counts what is allocated in collectives whose sizes were called before: libraries take memory
// from this program's functions, the MPIs, which are in C, from malloc.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <vector>

namespace {

std::atomic<long> allocations = 0;

void* counted(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  void* memory = nullptr;
  return ::posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* memory = counted(sizeof(void*), bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return counted(alignment, bytes);
}

namespace {

// Every collective that plans perform, at a number of elements, of a type with holes too.
class Calls {
 public:
  explicit Calls(int most) {
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    const auto all = static_cast<std::size_t>(4 * most * size_);
    in_.resize(all);
    out_.resize(all);
    counts_.resize(static_cast<std::size_t>(size_));
    places_.resize(counts_.size());
    MPI_Type_vector(2, 1, 2, MPI_INT, &holes_);
    MPI_Type_commit(&holes_);
  }

  void run(int n) {
    int* in = in_.data();
    int* out = out_.data();
    const MPI_Comm comm = MPI_COMM_WORLD;
    for (const MPI_Datatype type : {MPI_INT, holes_}) {
      MPI_Bcast(out, n, type, 0, comm);
      MPI_Allgather(in, n, type, out, n, type, comm);
      MPI_Alltoall(in, n, type, out, n, type, comm);
      MPI_Gather(in, n, type, out, n, type, 0, comm);
      MPI_Scatter(in, n, type, out, n, type, 0, comm);
      for (std::size_t rank = 0; rank < counts_.size(); ++rank)
        counts_[rank] = n + static_cast<int>(rank % 2);
      std::exclusive_scan(counts_.begin(), counts_.end(), places_.begin(), 0);
      int rank = 0;
      MPI_Comm_rank(comm, &rank);
      MPI_Allgatherv(in, counts_[static_cast<std::size_t>(rank)], type, out, counts_.data(),
                     places_.data(), type, comm);
    }
    MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(in, out, n, MPI_2INT, MPI_MAXLOC, comm);
    MPI_Reduce(in, out, n, MPI_INT, MPI_SUM, 0, comm);
    MPI_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter(in, out, counts_.data(), MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
  }

 private:
  int size_ = 0;
  std::vector<int> in_, out_, counts_, places_;
  MPI_Datatype holes_{};
};

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    Calls calls(1000);
    for (const int n : {7, 1000}) calls.run(n);
    const long before = allocations;
    for (int i = 0; i < 20; ++i)
      for (const int n : {1000, 7}) calls.run(n);
    std::printf("rank %d: %ld allocations before, %ld after\n", rank, before, allocations - before);
  }
  MPI_Finalize();
}
