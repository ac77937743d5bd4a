// The rules of MPICH; see library.hpp.
#pragma once

#include "weft/libraries/library.hpp"

namespace weft::libraries {

LibraryChoice mpich_4(const LibraryCall& call);

}  // namespace weft::libraries
