// Script: a rank's program at one size, in elements of buffers: what execute() does step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pmpi/script/layout.hpp"
#include "weft/plan_reader/mapped_plan.hpp"

namespace weft::pmpi {

using plan::layout::Combine;

/// One end of a message. Where it has one span that nothing else touches, it is sent from there or
/// received to there; else by a place in the scratch of the step.
struct End {
  std::int32_t peer = 0;  // schedule rank
  bool is_direct = false;
  std::int64_t staged = 0;  // first element in the step's scratch
  std::int64_t count = 0;   // elements
  std::uint32_t first_span = 0, spans = 0;
};

/// Elements that are taken from the step's scratch once all has come.
struct Landing {
  std::int64_t staged = 0;
  Span to;
  Combine combine = Combine::copy;
  bool adds_to_input = false;  // what it is combined with stands in the input still
};

struct Step {
  std::uint32_t receives, sends, landings;  // where each begins; they end where the next begin
};

struct Script {
  Shape shape;
  std::vector<Step> steps;  // one more at the end
  std::vector<End> receives, sends;
  std::vector<Span> spans;
  std::vector<Landing> landings;
  std::int64_t step_elements = 0;     // of a step's scratch, at most
  std::int64_t scratch_elements = 0;  // of what is passed on
  std::uint32_t most_requests = 0;    // of a step
  bool only_sends = false;            // nothing is received
  bool reads_input = false;           // of reductions: nothing has to be copied to the output first
};

/// Of the rank's part of a schedule. O(messages that run, all segments). Throws plan::BadPlan where
/// the part is damaged.
Script make_script(const plan::MappedPlan& plan, Shape shape, std::int32_t rank,
                   const std::vector<std::int32_t>& user_rank);

}  // namespace weft::pmpi
