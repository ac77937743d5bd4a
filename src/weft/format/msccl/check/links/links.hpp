// What links steps to each other: places in buffers, connections, messages, dependencies. Each
// function fills its part of the flat arrays and returns whether it is sound.
#pragma once

#include "weft/format/msccl/check/links/flat.hpp"

namespace weft::format::msccl {

/// Every place that a step reads or writes lies in its buffer.
bool check_places(const Flat& flat, Findings& findings);

/// Each connection has one thread block at each end; fills receiving_block and sending_block.
bool connect(Flat& flat, Findings& findings);

/// The i-th send of a connection meets the i-th receive; fills receiver and sender.
bool pair(Flat& flat, Findings& findings);

/// Dependencies name a step of another thread block that raises its flag; fills waits_for and
/// waiters. A dependency on an earlier step of the own thread block is left out: it always holds.
bool link_dependencies(Flat& flat, Findings& findings);

}  // namespace weft::format::msccl
