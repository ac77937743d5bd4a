// Traces that weft train runs and writes.
#pragma once

#include "cli/options/options.hpp"
#include "cli/train/training_answer.hpp"
#include "weft/format/execution_trace.hpp"
#include "weft/training/trace/trace_run.hpp"

namespace weft::cli {

/// A trace that ran, and what was asked of it.
struct TraceAnswer {
  const TrainQuestion& options;
  const format::Trace& trace;
  const Network& network;
  const training::ComputeSource& source;
  double share;  // of the peak, by which nodes that count operations compute
  const training::TrainingQuestion& prices;
  const training::TraceRun& found;
};
answer::Parts<TraceAnswer> trace_parts();

/// Refuses what a trace says itself. Throws InvalidInput.
void check_trace(const Given& given, const TrainQuestion& options);

/// When the nodes of a trace run, in the trace event format: a process for each rank, a thread for
/// each of its streams.
Json chrome_trace(const format::Trace& trace, const training::TraceRun& run);
/// The same as a picture.
report::TimelineChart timeline_chart(const format::Trace& trace, const training::TraceRun& run,
                                     const std::string& title);

/// Runs the trace of --trace and prints what came of it. Throws InvalidInput.
int run_trace(const TrainQuestion& options, Streams& streams);

/// Writes the step as the files of --write-trace.
void write_trace(const TrainAnswer& answer, Streams& streams);

}  // namespace weft::cli
