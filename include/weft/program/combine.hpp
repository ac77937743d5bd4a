// Programs made of programs, written out.
#pragma once

#include <span>

#include "weft/program/program.hpp"

namespace weft::program {

/// One after the other, rank by rank: an agent starts what the next program does first once it has
/// done all of the one before. Buffers of one name are one buffer, so that a reduce-scatter and an
/// allgather make what can be proved an allreduce. Throws InvalidInput where ranks, helpers or the
/// places of explicit routes differ.
Program then(std::span<const Program> programs);

/// Side by side, each on buffers of its own; nothing of one waits for another, but a host's ports,
/// its two streams and the links are shared. Throws as then().
Program overlay(std::span<const Program> programs);

}  // namespace weft::program
