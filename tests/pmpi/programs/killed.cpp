// The last rank is killed while all make collectives. The launcher ends the others: none may wait
// for ever, as none would without the library.
#include <mpi.h>

#include <csignal>
#include <vector>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> in(10000, 1), out(10000);
  for (int i = 0;; ++i) {
    if (i == 50 && rank == size - 1) std::raise(SIGKILL);
    MPI_Allreduce(in.data(), out.data(), 10000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}
