// A model checker for small MSCCL algorithms: all states that any interleaving reaches.
//
// A state says which messages each thread block has handled. A thread block handles a message
// of its step at once: it reads, receives, sends and writes. Connections hold a number of messages.
// Everything is done naively, for judging the checker of files, with which it shares nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/format/msccl.hpp"

namespace weft::test {

struct ModelOptions {
  bool in_place = false;
  std::int32_t depth = 1'000'000;  // messages that a connection holds
  std::int32_t group = 1;          // chunks of a message, at most
  bool any_order = false;          // the messages of a step go in any order, as under LL
  std::int32_t root = 0;
  bool values = true;  // false: deadlocks alone, which is faster
  std::size_t most_states = 1'000'000;
};

struct ModelAnswer {
  bool given_up = false;      // more states than asked for
  bool deadlock = false;      // some interleaving ends before all steps are done
  bool race = false;          // in some state either of two conflicting accesses can be next
  bool differs = false;       // two interleavings lead to different memory
  bool wrong_step = false;    // reads nothing, adds different chunks or a contribution twice
  bool wrong_result = false;  // some interleaving ends with another result than the collective's
  std::size_t states = 0;
};

/// Precondition: connections match, and dependencies name steps that exist.
ModelAnswer explore(const format::msccl::Algorithm& algorithm, const ModelOptions& options);

}  // namespace weft::test
