// Makes and frees communicators, and calls a collective on each: any number of them must do,
// without memory that stays, and the program's attributes are copied only by its own duplications.
//
//   mpirun ... communicators COUNT
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int copies = 0;

int count_copy(MPI_Comm, int, void*, void* value, void* copy, int* flag) {
  ++copies;
  std::memcpy(copy, &value, sizeof value);
  *flag = 1;
  return MPI_SUCCESS;
}

// Kilobytes that the process has in memory.
long resident() {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  long kilobytes = -1;
  char line[256];
  while (file != nullptr && std::fgets(line, sizeof line, file) != nullptr)
    if (std::sscanf(line, "VmRSS: %ld", &kilobytes) == 1) break;
  if (file != nullptr) std::fclose(file);
  return kilobytes;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const int times = count > 1 ? std::atoi(arguments[1]) : 100;
  int rank = 0, size = 0, keyval = 0, faults = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, nullptr);
  long before = 0;
  for (int i = 0; i < times; ++i) {
    MPI_Comm made;
    if (i % 2 == 0)
      MPI_Comm_dup(MPI_COMM_WORLD, &made);
    else
      MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &made);
    int mine = rank + i, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, made);
    if (sum != size * (size - 1) / 2 + size * i) ++faults;
    MPI_Comm_free(&made);
    if (i == times / 2) before = resident();
  }
  const long grown = resident() - before;
  std::printf("rank %d: %d communicators, %d sums wrong, %d attributes copied, %s\n", rank, times,
              faults, copies, grown < 1024 ? "no memory stays" : "memory stays");
  MPI_Finalize();
  return faults == 0 ? 0 : 1;
}
