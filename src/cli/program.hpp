// The program as a function, for main and for tests.
#pragma once

#include "cli/screen/streams.hpp"

namespace weft::cli {

/// The whole program: parses, runs, turns exceptions into one line on `err` and an exit code.
int run_program(int count, const char* const* arguments, Streams& streams);

}  // namespace weft::cli
