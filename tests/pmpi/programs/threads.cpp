// Four threads of each process call collectives at once, each on communicators of its own, which it
// makes and frees meanwhile. What must come out follows from the ranks.
//
//   mpirun ... threads ROUNDS
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
std::atomic<int> faults = 0;

void work(MPI_Comm parent, int thread, int rounds) {
  int rank = 0, size = 0;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &size);
  MPI_Comm own = MPI_COMM_NULL;
  const auto items = static_cast<std::size_t>(64 * (thread + 1));
  std::vector<double> in(items), out(items);
  std::vector<int> blocks(static_cast<std::size_t>(size));
  for (int round = 0; round < rounds; ++round) {
    if (round % 8 == 0) {
      if (own != MPI_COMM_NULL) MPI_Comm_free(&own);
      // Its order of ranks differs by threads, and with it the first member.
      MPI_Comm_split(parent, 0, (rank + thread) % size, &own);
    }
    for (std::size_t i = 0; i < items; ++i)
      in[i] = rank + thread * 1000 + round + static_cast<double>(i);
    MPI_Allreduce(in.data(), out.data(), static_cast<int>(items), MPI_DOUBLE, MPI_SUM, own);
    for (std::size_t i = 0; i < items; ++i)
      if (out[i] != size * (size - 1) / 2 + size * (thread * 1000 + round + static_cast<double>(i)))
        ++faults;
    int mine = rank * kThreads + thread;
    MPI_Allgather(&mine, 1, MPI_INT, blocks.data(), 1, MPI_INT, parent);
    for (int i = 0; i < size; ++i)
      if (blocks[static_cast<std::size_t>(i)] != i * kThreads + thread) ++faults;
    int word = rank == round % size ? thread * 7 + round : -1;
    MPI_Bcast(&word, 1, MPI_INT, round % size, parent);
    if (word != thread * 7 + round) ++faults;
    MPI_Barrier(own);
  }
  MPI_Comm_free(&own);
}

}  // namespace

int main(int count, char** arguments) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 40;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (provided < MPI_THREAD_MULTIPLE) {
    if (rank == 0) std::printf("no threads here\n");
    MPI_Finalize();
    return 0;
  }
  std::vector<MPI_Comm> parents(kThreads);
  for (MPI_Comm& parent : parents) MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(work, parents[static_cast<std::size_t>(i)], i, rounds);
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& parent : parents) MPI_Comm_free(&parent);
  std::printf("rank %d: %d faults\n", rank, faults.load());
  MPI_Finalize();
  return faults == 0 ? 0 : 1;
}
