// Whether a run fits into the machine's memory, asked before it starts.
#pragma once

#include <string>

namespace weft {

/// Throws InvalidInput where `needed_B` bytes are more than the machine has: "WHAT need 30.0 GB
/// of memory, this machine has 16.0 GB; WAY_OUT".
void require_memory(double needed_B, const std::string& what, const char* way_out);

}  // namespace weft
