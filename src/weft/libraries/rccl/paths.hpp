// What RCCL runs in place of rings and trees: DDA in one box, and direct and hierarchical exchange.
#pragma once

#include <optional>

#include "weft/libraries/library.hpp"

namespace weft::libraries {

/// Nothing where RCCL uses its rings and trees. Buffers are not registered, the type is float32,
/// the operation a sum, and the cards are not AMD's, which turn direct allgather off.
std::optional<LibraryChoice> rccl_path(const LibraryCall& call);

}  // namespace weft::libraries
