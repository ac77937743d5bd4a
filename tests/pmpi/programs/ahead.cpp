// How many rooted collectives a rank completes that only sends, while the others have not come:
// each leaves a message behind that somebody has to keep.
#include <mpi.h>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>

namespace {

constexpr int kCalls = 2000;
constexpr double kAlone_s = 0.5;  // the others sleep for longer

template <class Call>
void measure(const char* name, bool is_late, const Call& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin_s = MPI_Wtime();
  if (is_late) ::usleep(1500000);
  int ahead = 0;
  for (int i = 0; i < kCalls; ++i) {
    call();
    if (MPI_Wtime() - begin_s < kAlone_s) ++ahead;
  }
  if (!is_late) std::printf("%s: %d calls ahead\n", name, ahead);
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<char, 4096> in{}, out{};
  measure("MPI_Bcast", rank != 0, [&] { MPI_Bcast(in.data(), 512, MPI_BYTE, 0, MPI_COMM_WORLD); });
  measure("MPI_Scatter", rank != 0, [&] {
    MPI_Scatter(in.data(), 512, MPI_BYTE, out.data(), 512, MPI_BYTE, 0, MPI_COMM_WORLD);
  });
  measure("MPI_Reduce", rank == 0,
          [&] { MPI_Reduce(in.data(), out.data(), 512, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD); });
  measure("MPI_Gather", rank == 0, [&] {
    MPI_Gather(in.data(), 512, MPI_BYTE, out.data(), 512, MPI_BYTE, 0, MPI_COMM_WORLD);
  });
  MPI_Finalize();
}
