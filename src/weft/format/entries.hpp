// The entries of the registry, each in a file of its own.
#pragma once

#include "weft/format/format.hpp"

namespace weft::format {

Format simgrid_platform();
Format simgrid_trace();

}  // namespace weft::format
