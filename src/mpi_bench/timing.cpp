#include "timing.hpp"

#include <algorithm>
#include <vector>

namespace weft::mpi_bench {

namespace {

constexpr int kWarmUp = 2;

double after_barrier(const std::function<double()>& seconds_of) {
  MPI_Barrier(MPI_COMM_WORLD);
  return seconds_of();
}

int calls_for(const Repeat& repeat, double once_s) {
  double slowest_s = 0;
  MPI_Allreduce(&once_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return static_cast<int>(std::clamp(repeat.seconds / std::max(slowest_s, 1e-9),
                                     static_cast<double>(repeat.fewest),
                                     static_cast<double>(repeat.most)));
}

}  // namespace

Times time_of(const World& world, const Repeat& repeat, const std::function<double()>& seconds_of) {
  double once_s = 0;
  for (int i = 0; i < kWarmUp; ++i) once_s = after_barrier(seconds_of);
  const int calls = calls_for(repeat, once_s);
  std::vector<double> own_s, slowest_s(static_cast<std::size_t>(calls));
  for (int i = 0; i < calls; ++i) own_s.push_back(after_barrier(seconds_of));
  MPI_Reduce(own_s.data(), slowest_s.data(), calls, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (!world.first()) return {.calls = calls};
  std::sort(slowest_s.begin(), slowest_s.end());
  const std::size_t half = slowest_s.size() / 2;
  const double median_s =
      slowest_s.size() % 2 == 1 ? slowest_s[half] : (slowest_s[half - 1] + slowest_s[half]) / 2;
  return {calls, slowest_s.front(), median_s};
}

Times time_calls(const World& world, const Repeat& repeat, const std::function<void()>& call) {
  return time_of(world, repeat, [&] {
    const double begun = MPI_Wtime();
    call();
    return MPI_Wtime() - begun;
  });
}

}  // namespace weft::mpi_bench
