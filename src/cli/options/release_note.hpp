// Which of two readings of long links an answer takes.
#pragma once

#include <string>

#include "cli/options/options.hpp"

namespace weft::cli {

/// On a network with links of 20 us and more: that a port waits for its message to arrive, and what
/// says otherwise. A note, or nothing where --release was given or the model has no ports.
std::string release_note(const GivenFields& said, const Network& network);

}  // namespace weft::cli
