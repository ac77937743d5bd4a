// StepProgram: what a program does in one step, the view that simulators read.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/schedule.hpp"

namespace weft::program {

using schedule::Agent;
using schedule::Arrival;
using schedule::RouteId;

/// One message on its way.
struct Transfer {
  Agent from, to;
  RouteId route = schedule::kRouted;  // the stored message's, to be moved by `element`
  Arrival arrival = Arrival::copy;
  std::int32_t segment = 0;
  std::int64_t bytes = 0;    // > 0
  std::int64_t message = 0;  // stored message
  std::int32_t element = 0;  // group element that moves the stored message here
};

enum class WorkKind : std::uint8_t { copy, reduce, compute };
enum class WorkPhase : std::uint8_t { before_sending, after_receiving };

/// Work of an agent itself: packing before its sends of the step, unpacking and reducing after its
/// receives. Copies and reductions alone.
struct LocalWork {
  Agent at;
  WorkKind kind = WorkKind::copy;
  WorkPhase phase = WorkPhase::after_receiving;
  std::int32_t transfer = 0;  // index into the step's transfers that the work belongs to
  std::int64_t bytes = 0;
};

/// Which of an agent's two processors works: those of different streams work side by side.
enum class Stream : std::uint8_t { communication, compute };

/// Work that belongs to no transfer: an operation of its own.
struct OwnWork {
  Agent at;
  WorkKind kind = WorkKind::compute;
  WorkPhase phase = WorkPhase::before_sending;
  Stream stream = Stream::compute;
  std::int64_t bytes = 0;  // of copies and reductions, at the host's bandwidth
  double seconds = 0;      // of compute
};

/// Whether a step is written with the copies of its messages; to find them takes as long as all
/// the rest, in vain where they are free.
enum class Copies : std::uint8_t { counted, left_out };

/// One step, all segments that are in it. Transfers are in message order; work is in the order of
/// its transfers.
struct StepProgram {
  std::vector<Transfer> transfers;
  std::vector<LocalWork> work;
  std::vector<OwnWork> own;  // only of programs that are written out

  /// Takes all out; keeps the memory.
  void clear() {
    transfers.clear();
    work.clear();
    own.clear();
  }
};

}  // namespace weft::program
