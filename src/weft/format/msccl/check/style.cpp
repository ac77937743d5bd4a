#include <fmt/format.h>

#include "weft/format/msccl/check/limits.hpp"

namespace weft::format::msccl {

namespace {

void check_flag(const Flat& flat, StepIndex s, Findings& findings) {
  const bool waited_for =
      flat.waiters_first[Flat::index(s)] != flat.waiters_first[Flat::index(s) + 1];
  if (!flat.step[Flat::index(s)]->has_dependent || waited_for) return;
  findings.add(Severity::style, [&] {
    return finding_at(flat, s, "needless-flag",
                      fmt::format("{} has hasdep=\"1\", but no step of another thread block waits "
                                  "for it",
                                  name_of(flat, s)));
  });
}

void check_nop(const Flat& flat, StepIndex s, Findings& findings) {
  const Step& step = *flat.step[Flat::index(s)];
  if (step.type != StepType::nop || step.depends_on.exists()) return;
  findings.add(Severity::style, [&] {
    return finding_at(flat, s, "idle-nop", fmt::format("{} waits for nothing", name_of(flat, s)));
  });
}

// Whether readers make one step of two reductions.
bool joins(const Step& before, const Step& step) {
  return before.type == StepType::reduce && step.type == StepType::reduce &&
         before.target == step.target && before.source.buffer == step.source.buffer &&
         !before.has_dependent && !step.depends_on.exists();
}

}  // namespace

void check_style(const Flat& flat, Findings& findings) {
  for (std::int32_t b = 0; b < flat.blocks(); ++b) {
    if (!flat.thread_block(b).steps.empty()) continue;
    findings.add(Severity::style, [&] {
      return finding_at_block(flat, b, "idle-block",
                              fmt::format("{} has no steps", name_of_block(flat, b)));
    });
  }
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    check_flag(flat, s, findings);
    check_nop(flat, s, findings);
  }
}

void check_joined_reductions(const Flat& flat, Findings& findings) {
  for (StepIndex s = 1; s < flat.steps(); ++s) {
    const Step &before = *flat.step[Flat::index(s) - 1], &step = *flat.step[Flat::index(s)];
    if (flat.block[Flat::index(s)] != flat.block[Flat::index(s) - 1] || !joins(before, step) ||
        before.count == step.count)
      continue;
    findings.add(Severity::fault, [&] {
      return finding_at(
          flat, s, "joined-reductions",
          fmt::format("{} reduces {} chunks into {}, and the step before it {}; readers join both "
                      "into one step of {} chunks",
                      name_of(flat, s), step.count, name_of(step.target, 1), before.count,
                      step.count));
    });
  }
}

}  // namespace weft::format::msccl
