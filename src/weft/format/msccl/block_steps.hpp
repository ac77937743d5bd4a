// The steps of a GPU's thread blocks: what each waits for, and which become one.
#pragma once

#include <cstdint>
#include <vector>

#include "transfers.hpp"
#include "weft/format/msccl.hpp"

namespace weft::format::msccl {

/// Writes the steps of `blocks`. `block_of` names the block of each transfer; copies have none yet
/// (-1) and go where what they wait for last is, or into a block of their own.
///
/// A step waits for one step of another block at most, so that further ones become nops before it.
/// What is known to be complete by then is not waited for again (a clock of the blocks for each
/// step). With `fuse` a reception and the send of the same data that follows it in the block become
/// one step, without a local copy of data that nobody reads later (rrs).
void write_steps(const GpuTransfers& gpu, bool fuse, std::vector<std::int32_t> block_of,
                 std::vector<ThreadBlock>& blocks);

}  // namespace weft::format::msccl
