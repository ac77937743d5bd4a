// An allreduce, and a broadcast, of more bytes than an int counts.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <vector>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  constexpr int kCount = (1 << 28) + 3;  // of eight bytes
  std::vector<std::int64_t> values(kCount);
  for (int i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = i + rank;
  MPI_Allreduce(MPI_IN_PLACE, values.data(), kCount, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  const std::int64_t ranks = size * (size - 1) / 2;
  int wrong = 0;
  for (std::int64_t i = 0; i < kCount; ++i)
    wrong += values[static_cast<std::size_t>(i)] != size * i + ranks ? 1 : 0;
  for (int i = 0; i < kCount && rank == 0; ++i)
    values[static_cast<std::size_t>(i)] = std::int64_t{3} * i + 1;
  MPI_Bcast(values.data(), kCount, MPI_INT64_T, 0, MPI_COMM_WORLD);
  for (std::int64_t i = 0; i < kCount; ++i)
    wrong += values[static_cast<std::size_t>(i)] != 3 * i + 1 ? 1 : 0;
  std::printf("rank %d: %d wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong > 0 ? 1 : 0;
}
