// An MSCCL XML file as a program: what each GPU does at one message size.
//
// Each step of a thread block becomes one or two operations, which wait for the step before and for
// the step that it depends on. The channel is the tag of messages.
//
// Buffers. "data" is the row of all blocks of the collective, in which the input of each GPU lies
// where its data belongs: chunk k of rank r of an allgather at block r, and of an all-to-all from
// block r N on. "output" has the same row; chunk k of block s at rank d of an all-to-all is in
// block s N + d. A file that works in place has input and output in "data". "scratch" is as in the
// file, and "through" has what a thread block reduces and sends on without keeping it.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/format/msccl.hpp"
#include "weft/program/program.hpp"
#include "weft/program/prove.hpp"

namespace weft::format::msccl {

/// The file at a size, which is weft's --size: one block of an allgather or all-to-all, the whole
/// buffer of an allreduce. Throws InvalidInput for a size that the file's chunks do not divide
/// (with the nearest that they do), for a file that is no program: a step that waits for one that
/// does not exist or for itself, a message without its other end. O(steps).
Program to_program(const Algorithm& algorithm, std::int64_t size_B);

/// What the file says that its program does; nothing for "custom", "send", "recv" and "alltoallv".
std::optional<program::Claim> claim_of(const Algorithm& algorithm, std::int64_t size_B);

/// The program, proved to perform its collective, or the first fault with its line; without a
/// claim it is only built. Throws InvalidInput for sizes, and for buffers that are not the
/// collective's.
program::ProveResult prove(const Algorithm& algorithm, std::int64_t size_B);

/// The least size at which every chunk is a whole number of units of a schedule, one byte each.
std::int64_t least_size_B(const Algorithm& algorithm);

}  // namespace weft::format::msccl
