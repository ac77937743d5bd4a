// The rules of Open MPI; see library.hpp.
#pragma once

#include "weft/question/library/library.hpp"

namespace weft::question {

LibraryChoice open_mpi_4(const LibraryCall& call);
LibraryChoice open_mpi_5(const LibraryCall& call);

}  // namespace weft::question
