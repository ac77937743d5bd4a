// The rules of MPICH; see library.hpp.
#pragma once

#include "weft/evaluate/library/library.hpp"

namespace weft::evaluate {

LibraryChoice mpich_4(const LibraryCall& call);

}  // namespace weft::evaluate
