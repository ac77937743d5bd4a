// Options that name what the names of several outputs begin with.
#pragma once

#include <CLI/App.hpp>

namespace weft::cli {

/// Says so, in place of mark_output(): that there is a folder of this name is no obstacle.
CLI::Option* mark_output_prefix(CLI::Option* option);

}  // namespace weft::cli
