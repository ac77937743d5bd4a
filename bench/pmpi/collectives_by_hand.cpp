// Compares collectives under libweft-pmpi.so with the same algorithms written by hand over
// point-to-point messages, and with those of the MPI. collectives_by_hand.py builds and starts this
// MPI program.
//
//   collectives_by_hand ALGORITHM MOST_BYTES
//   collectives_by_hand sum        of doubles: the loop of the library and MPI_Reduce_local
//
// The three variants run alternately in one process. Each is called several times in a row, the
// time of the slowest rank per call counts, and the result is the minimum over all rounds. "By
// hand" means the code of a programmer who knows the algorithm: MPI_Sendrecv into a private buffer,
// and a loop that the compiler vectorizes.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "pmpi/mpi/types.hpp"
#include "pmpi/programs/native.hpp"

namespace {

constexpr int kRounds = 60;
constexpr int kTag = 7;

int me = 0, ranks = 1;

void add(float* to, const float* from, int count) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

void exchange(const float* out, int out_count, int to, float* in, int in_count, int from) {
  MPI_Sendrecv(out, out_count, MPI_FLOAT, to, kTag, in, in_count, MPI_FLOAT, from, kTag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int block_start(int block, int count) {
  return static_cast<int>(static_cast<long>(block) * count / ranks);
}

void allreduce_recursive_doubling(const float* in, float* out, int count, float* scratch) {
  std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(float));
  for (int far = 1; far < ranks; far *= 2) {
    exchange(out, count, me ^ far, scratch, count, me ^ far);
    add(out, scratch, count);
  }
}

void allreduce_ring(const float* in, float* out, int count, float* scratch) {
  std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(float));
  const int next = (me + 1) % ranks, last = (me + ranks - 1) % ranks;
  const auto start = [&](int block) { return block_start(block, count); };
  const auto length = [&](int block) { return start(block + 1) - start(block); };
  for (int step = 0; step + 1 < ranks; ++step) {
    const int gives = (me - step + ranks) % ranks, takes = (gives + ranks - 1) % ranks;
    exchange(out + start(gives), length(gives), next, scratch, length(takes), last);
    add(out + start(takes), scratch, length(takes));
  }
  for (int step = 0; step + 1 < ranks; ++step) {
    const int gives = (me + 1 - step + ranks) % ranks, takes = (gives + ranks - 1) % ranks;
    exchange(out + start(gives), length(gives), next, out + start(takes), length(takes), last);
  }
}

// `count` elements from every rank.
void allgather_ring(const float* in, float* out, int count, float* /*scratch*/) {
  const auto block = [&](int rank) { return out + static_cast<long>(rank) * count; };
  std::memcpy(block(me), in, static_cast<std::size_t>(count) * sizeof(float));
  const int next = (me + 1) % ranks, last = (me + ranks - 1) % ranks;
  for (int step = 0; step + 1 < ranks; ++step) {
    const int gives = (me - step + ranks) % ranks, takes = (gives + ranks - 1) % ranks;
    exchange(block(gives), count, next, block(takes), count, last);
  }
}

struct Case {
  const char* algorithm;
  bool is_allgather;
  void (*by_hand)(const float*, float*, int, float*);
};
constexpr Case kCases[] = {
    {"recursive-doubling", false, allreduce_recursive_doubling},
    {"ring", false, allreduce_ring},
    {"allgather-ring", true, allgather_ring},
};

// Returns the seconds a call of the slowest rank. The input is written before each call, because
// programs compute the data that they send. Otherwise it would lie in the caches of both ranks.
template <class Call>
double time_of(int calls, std::vector<float>& in, const Call& call) {
  NATIVE(Barrier)(MPI_COMM_WORLD);
  double mine = 0, slowest = 0;
  for (int i = 0; i < calls; ++i) {
    std::fill(in.begin(), in.end(), 1.0F);
    const double begin = MPI_Wtime();
    call();
    mine += (MPI_Wtime() - begin) / calls;
  }
  NATIVE(Allreduce)(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void measure(const Case& measured, long size_B) {
  const int total = static_cast<int>(size_B / static_cast<long>(sizeof(float)));
  const int count = measured.is_allgather ? total / ranks : total;
  const auto elements = static_cast<std::size_t>(total);
  std::vector<float> in(elements, 1.0F), out(elements), expected(elements), scratch(elements);
  const int calls = size_B <= 8192 ? 50 : size_B <= 262144 ? 10 : 2;
  const auto weft = [&] {
    if (measured.is_allgather)
      MPI_Allgather(in.data(), count, MPI_FLOAT, out.data(), count, MPI_FLOAT, MPI_COMM_WORLD);
    else
      MPI_Allreduce(in.data(), out.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  };
  const auto hand = [&] { measured.by_hand(in.data(), out.data(), count, scratch.data()); };
  const auto own_allgather = NATIVE(Allgather);
  const auto own_allreduce = NATIVE(Allreduce);
  const auto own = [&] {
    if (measured.is_allgather)
      own_allgather(in.data(), count, MPI_FLOAT, expected.data(), count, MPI_FLOAT, MPI_COMM_WORLD);
    else
      own_allreduce(in.data(), expected.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  };
  own();
  for (int i = 0; i < 3; ++i) {
    for (const bool by_hand : {false, true}) {
      std::fill(out.begin(), out.end(), 0.0F);
      by_hand ? hand() : weft();
      if (out != expected) {
        std::fprintf(stderr, "%s: wrong result\n", measured.algorithm);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    }
  }
  double weft_s = 1e9, hand_s = 1e9, own_s = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    weft_s = std::min(weft_s, time_of(calls, in, weft));
    hand_s = std::min(hand_s, time_of(calls, in, hand));
    own_s = std::min(own_s, time_of(calls, in, own));
  }
  if (me == 0)
    std::printf("%s,%d,%ld,%.9f,%.9f,%.9f\n", measured.algorithm, ranks, size_B, weft_s, hand_s,
                own_s);
}

// Returns the seconds that the library adds to a call that it leaves to the MPI.
double dispatch_s() {
  const auto own = NATIVE(Allreduce);
  int in = 1, out = 0;
  double added = 1;
  for (int round = 0; round < kRounds; ++round) {
    constexpr int kCalls = 20000;
    const double begin = MPI_Wtime();
    for (int i = 0; i < kCalls; ++i) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    const double middle = MPI_Wtime();
    for (int i = 0; i < kCalls; ++i) own(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    added = std::min(added, ((middle - begin) - (MPI_Wtime() - middle)) / kCalls);
  }
  return added;
}

// Compares the library's sum of doubles with MPI_Reduce_local: both read two arrays and write one.
void measure_sums() {
  const weft::pmpi::Kernel kernel =
      weft::pmpi::kernel_of(MPI_SUM, weft::pmpi::type_info(MPI_DOUBLE));
  for (const int count : {512, 4096, 262144}) {
    std::vector<double> in(static_cast<std::size_t>(count), 1.0), sum(in);
    const int calls = (1 << 21) / count;
    double ours_s = 1e9, own_s = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      const double begin = MPI_Wtime();
      for (int i = 0; i < calls; ++i) kernel(sum.data(), in.data(), sum.data(), in.size());
      const double middle = MPI_Wtime();
      for (int i = 0; i < calls; ++i)
        MPI_Reduce_local(in.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM);
      ours_s = std::min(ours_s, (middle - begin) / calls);
      own_s = std::min(own_s, (MPI_Wtime() - middle) / calls);
    }
    std::printf("sum,1,%ld,%.9f,%.9f,%.9f\n", count * static_cast<long>(sizeof(double)), ours_s,
                own_s, own_s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string algorithm = argc > 1 ? argv[1] : "";
  const long most_B = argc > 2 ? std::atol(argv[2]) : 16 << 20;
  if (algorithm == "sum" && me == 0) measure_sums();
  for (const Case& measured : kCases) {
    if (algorithm != measured.algorithm) continue;
    for (long size_B = 512; size_B <= most_B; size_B *= 2) measure(measured, size_B);
    if (me == 0) std::printf("dispatch,%d,4,%.9f,0,0\n", ranks, dispatch_s());
  }
  MPI_Finalize();
  return 0;
}
