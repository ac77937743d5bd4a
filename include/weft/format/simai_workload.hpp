// Workload files of SimAI: the layers of a training step, with their times and collectives.
#pragma once

#include <string>
#include <string_view>

#include "weft/format/execution_trace.hpp"

namespace weft::format {

/// Whether a text may be such a file: its first line begins with a hybrid policy, or has the number
/// of GPUs.
bool is_simai_workload(std::string_view text);

/// The step as a trace of its ranks, as SimAI runs it. Forward, layer by layer: compute, then the
/// collective, which the next layer waits for. Backward from the last layer: gradients of inputs
/// and their collective, which is waited for; gradients of weights and their collective, which
/// nothing waits for, and the update behind it. Sizes are of all that a rank has (an allgather's
/// result, all blocks of an all-to-all). `file` is for messages. Throws InvalidInput, with the
/// line, for what is no such file, and for pipelines, checkpoints and policies other than
/// HYBRID_TRANSFORMER and HYBRID_TRANSFORMER_FWD_IN_BCKWD. O(ranks * layers).
Trace read_simai_workload(std::string_view text, const std::string& file);

}  // namespace weft::format
