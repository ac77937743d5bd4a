// The rules of MPICH; see library.hpp.
#pragma once

#include "weft/question/library/library.hpp"

namespace weft::question {

LibraryChoice mpich_4(const LibraryCall& call);

}  // namespace weft::question
