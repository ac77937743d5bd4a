// A program that asks for the level of threads that most programs want, and again what it got.
#include <mpi.h>

#include <cstdio>

int main(int count, char** arguments) {
  int provided = 0, now = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  MPI_Query_thread(&now);
  int rank = 0, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (now == provided) std::printf("the level is as it was given\n");
  MPI_Finalize();
  return 0;
}
