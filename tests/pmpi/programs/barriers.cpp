// Nobody leaves a barrier before all have come: each rank in turn comes late, and has then said so
// in a window that all see.
#include <mpi.h>

#include <cstdio>
#include <ctime>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0, size = 0, faults = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win window;
  volatile int* shared = nullptr;
  int* own = nullptr;
  MPI_Win_allocate_shared(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                          &own, &window);
  MPI_Aint bytes = 0;
  int unit = 0;
  void* base = nullptr;
  MPI_Win_shared_query(window, 0, &bytes, &unit, &base);
  shared = static_cast<volatile int*>(base);
  if (rank == 0) *shared = 0;
  MPI_Win_lock_all(0, window);
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 1; round <= 3 * size; ++round) {
    if (round % size == rank) {
      const timespec late = {0, 2000000};
      nanosleep(&late, nullptr);
      *shared = round;
    }
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    if (*shared != round) ++faults;
    MPI_Barrier(MPI_COMM_WORLD);  // before the next one writes
  }
  MPI_Win_unlock_all(window);
  std::printf("rank %d: %d faults\n", rank, faults);
  MPI_Win_free(&window);
  MPI_Finalize();
  return faults == 0 ? 0 : 1;
}
