// Traces that weft train runs and writes.
#pragma once

#include "cli/options/options.hpp"
#include "cli/train/training_answer.hpp"

namespace weft::cli {

/// Refuses what a trace says itself. Throws InvalidInput.
void check_trace(const Given& given, const TrainAsked& options);

/// Runs the trace of --trace and prints what came of it. Throws InvalidInput.
int run_trace(const TrainAsked& options, Streams& streams);

/// Writes the step as the files of --write-trace.
void write_trace(const TrainAnswer& answer, Streams& streams);

}  // namespace weft::cli
