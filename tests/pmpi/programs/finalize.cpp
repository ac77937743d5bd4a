// A collective in the deletion of an attribute of MPI_COMM_SELF, the first thing that MPI_Finalize
// does, while communicators of the program's that the library knows are still there.
#include <mpi.h>

#include <cstdio>

namespace {

int sum_of_ranks() {
  int rank = 0, sum = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int deleted(MPI_Comm, int, void*, void*) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  std::printf("rank %d: %d faults at the end\n", rank,
              sum_of_ranks() == size * (size - 1) / 2 ? 0 : 1);
  return MPI_SUCCESS;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int keyval = 0, one = 1, sum = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  MPI_Comm kept;
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, kept);
  sum_of_ranks();
  MPI_Finalize();
}
