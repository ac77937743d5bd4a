// Runs an MSCCL algorithm on GPUs: memory, connections to peers, calls and checks. A process has
// one rank on a GPU of its own, or all ranks on one GPU.
#pragma once

#include <vector>

#include "device.hpp"
#include "layout.hpp"
#include "problem.hpp"
#include "team.hpp"

namespace weft::gpu {

struct ExecutorOptions {
  LayoutOptions layout = {};
  int threads = 512;         // of a thread block
  double time_limit_s = 20;  // of one call
};

class Executor {
 public:
  /// Called by all processes. Throws InvalidInput if not all thread blocks of this process can be
  /// resident on its GPU at once: those that run would wait for ever for those that do not.
  Executor(Team& team, const format::msccl::Algorithm& algorithm, const Problem& problem,
           std::int64_t largest_chunk, const ExecutorOptions& options);

  /// Random input, one call, and the output next to the collective's definition; the first fault,
  /// or nothing.
  std::string check(std::int64_t chunk, bool in_place, Type type);

  /// Seconds of one call on floats, of the slowest rank.
  double time(std::int64_t chunk, bool in_place);

 private:
  void connect();
  void require_resident() const;
  void put_ranks(std::int64_t chunk, bool in_place);
  void fill(int rank, std::int64_t chunk, bool in_place, Type type);
  std::string output_fault(int rank, std::int64_t chunk, bool in_place, Type type) const;
  /// One call; what hangs, or nothing.
  std::string perform(Type type, float* milliseconds);
  std::string stuck() const;

  Team& team_;
  const format::msccl::Algorithm& algorithm_;
  const Problem& problem_;
  ExecutorOptions options_;
  Layout layout_;
  int first_ = 0, end_ = 0;            // ranks of this process
  std::vector<unsigned char*> bases_;  // of all ranks, as this process maps them
  unsigned char* device_ranks_ = nullptr;
  volatile int* stop_ = nullptr;
  volatile int* device_stop_ = nullptr;
};

}  // namespace weft::gpu
