// A collective that needs more memory than one rank may have.
#include <mpi.h>
#include <sys/resource.h>

#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  constexpr int kCount = 8 << 20;
  std::vector<int> in(kCount, 1), out(kCount);
  MPI_Allreduce(in.data(), out.data(), 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == size - 1) {
    const rlimit none{1, 1};  // no more than there is
    ::setrlimit(RLIMIT_AS, &none);
  }
  MPI_Allreduce(in.data(), out.data(), kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::printf("rank %d: %d\n", rank, out.back());
  MPI_Finalize();
}
