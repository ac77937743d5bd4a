// The processes of a run, one for each GPU, which this one starts by fork before CUDA is used; or
// this process alone, if all ranks share a GPU.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "device.hpp"

namespace weft::gpu {

class Team {
 public:
  /// Runs `work` in `processes` processes and waits for them; with one, in this process. Returns
  /// the largest exit code. If one fails, the others end at their next meet().
  static int run(int processes, const std::function<int(Team&)>& work);

  int rank() const { return rank_; }
  int processes() const { return processes_; }

  /// Waits for all processes. Throws Left if one has failed meanwhile.
  void meet();
  struct Left {};

  /// Everybody's value of what each gives. Calls meet().
  std::vector<SharedMemory> gather(const SharedMemory& own);
  double largest(double own);

 private:
  struct Board;  // in memory that all share
  Team(Board* board, int rank, int processes) : board_(board), rank_(rank), processes_(processes) {}
  static int guarded(Team team, const std::function<int(Team&)>& work);

  Board* board_;
  int rank_, processes_;
};

}  // namespace weft::gpu
