// WEFT_VERIFY: each call is made by MPI's own algorithm as well, and the results are compared.
#pragma once

#include <functional>

#include "pmpi/collective.hpp"

namespace weft::pmpi {

/// Runs `ours`, then `native` on the same input, and says where the results differ: at all in
/// collectives that move data or reduce integers, by more than rounding in floating point. Those
/// of user operations and pairs are not compared. Leaves the native result.
int verify_call(Communicator& communicator, const Call& call, const Decision& decision,
                const std::function<int()>& ours, const std::function<int()>& native);

}  // namespace weft::pmpi
