// The ranks that a collective names: its root, or both ends of a message.
#pragma once

#include <string>

#include "weft/answer/part.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::cli {

/// ", root 3" or ", from 0 to 5"; empty if the collective names no rank.
std::string ends_text(const schedule::Collective& collective);
/// root, or from and to.
answer::Parts<schedule::Collective> ends_parts();

}  // namespace weft::cli
