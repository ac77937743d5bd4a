// Runs of an MSCCL algorithm on numbers, for tests: a random interleaving of the thread blocks of
// all GPUs, with connections that hold a few messages.
//
// It is written from the rules of the format alone (the interpreter of Azure/msccl-executor-nccl):
// a thread block runs its steps in order, a step starts when the step that it depends on is
// complete, chunks go one by one, a send waits while its connection is full. Data are random 64-bit
// numbers and reductions sums of them, so that a contribution that is missing or counted twice
// shows.
#pragma once

#include <cstdint>
#include <string>

#include "weft/format/msccl.hpp"

namespace weft::test {

struct MscclRun {
  bool in_place = false;  // input and output are one buffer
  int depth = 2;          // messages that a connection holds
  std::uint64_t seed = 1;
};

/// Empty if the run ends with what `collective` asks for; else what went wrong.
std::string run_msccl(const format::msccl::Algorithm& algorithm,
                      const schedule::Collective& collective, const MscclRun& run);

}  // namespace weft::test
