// Random MSCCL algorithms and random damage, for judging the checker of files.
#pragma once

#include "weft/base/random.hpp"
#include "weft/format/msccl.hpp"

namespace weft::test {

/// An algorithm of up to 4 ranks whose connections match: messages in a random order, some steps
/// fused, copies, reductions and dependencies between any two of them. Some deadlock, most race,
/// few give a right result.
format::msccl::Algorithm random_msccl(Rng& rng);

/// Damages an algorithm in one place: drops a dependency, swaps steps, moves a thread block to
/// another channel, moves an offset, drops a receive or another step, changes a type.
void damage_msccl(format::msccl::Algorithm& algorithm, Rng& rng);

}  // namespace weft::test
