// An MSCCL++ plan as a program: what each GPU does at one message size.
//
// A put is a message, whose reception no operation of the receiver's thread blocks stands for: it
// waits for what the receiver is known to have done before the put, and the `wait` that takes the
// signal after it waits for the reception. A signal without data is a message of 8 bytes. What
// reads another GPU's memory (get, rre, rres) is a request of 8 bytes and an answer. Buffers are
// those of msccl_program.hpp, with "packets" for packets in scratch.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/format/mscclpp.hpp"
#include "weft/program/program.hpp"
#include "weft/program/prove.hpp"

namespace weft::format::mscclpp {

/// Whether signals and requests without data are messages, which take time, or only order what the
/// data needs, as a schedule does.
enum class Signals : std::uint8_t { messages, none };

/// The plan at a size, which is weft's --size: one block of an allgather or all-to-all, the whole
/// buffer of an allreduce. Throws InvalidInput for a size that the plan's chunks do not divide, for
/// operations of switches, and for a plan that hangs. O(operations of all iterations of pipelines).
Program to_program(const Plan& plan, std::int64_t size_B, Signals signals = Signals::messages);

/// What the plan says that its program does; nothing for a collective that weft does not know.
std::optional<program::Claim> claim_of(const Plan& plan, std::int64_t size_B);

/// The least size at which every chunk, and each part of one that thread blocks share, is a whole
/// number of bytes.
std::int64_t least_size_B(const Plan& plan);

}  // namespace weft::format::mscclpp
