// Runs of an MSCCL++ plan on numbers, for tests: a random interleaving of all threads of all thread
// blocks of all GPUs, and of the proxies that serve ports.
//
// It is written from the executor's source alone (execution_kernel.hpp). Threads of a block share
// the elements of an operation by turns and wait for each other at a nop only. A proxy performs the
// requests of a channel in order, whenever it likes. A packet is there when its flag is that of the
// call. Several calls follow each other, each on new data; a GPU begins the next one as soon as it
// has finished its own, and overwrites its input.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weft/format/mscclpp.hpp"

namespace weft::test {

struct MscclppRun {
  int calls = 2;
  int threads = 3;   // of a thread block
  int elements = 2;  // of a chunk
  std::uint64_t seed = 1;
};

/// Empty if every call ends with what `collective` asks for; else what went wrong.
std::string run_mscclpp(const format::mscclpp::Plan& plan, const schedule::Collective& collective,
                        const MscclppRun& run);

/// The first thing that goes wrong in any interleaving of one call with 2 threads and 2 elements a
/// chunk; empty if nothing can. Visits at most `most_states` states and says so by "too many".
std::string explore_mscclpp(const format::mscclpp::Plan& plan,
                            const schedule::Collective& collective, std::size_t most_states,
                            int calls = 1);

}  // namespace weft::test
