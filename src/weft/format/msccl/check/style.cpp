#include <fmt/format.h>

#include <algorithm>

#include "weft/base/text.hpp"
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

void tell_joined(const Flat& flat, StepIndex first, StepIndex nop, StepIndex s,
                 Findings& findings) {
  const Step &before = *flat.step[Flat::index(first)], &step = *flat.step[Flat::index(s)];
  if (nop == kNone && before.count == step.count) return;
  findings.add(Severity::fault, [&] {
    const std::string joined = fmt::format(
        "{} reduces {} into {}, as {} does; readers join both into one step", name_of(flat, s),
        counted(step.count, "chunk"), name_of(step.target, 1), name_of(flat, first));
    return finding_at(
        flat, s, "joined-reductions",
        nop != kNone
            ? fmt::format("{}, which does not wait as {} says: put the dependency into the "
                          "reduction",
                          joined, name_of(flat, nop))
            : fmt::format("{} of {}, and that one has {}", joined, counted(step.count, "chunk"),
                          before.count));
  });
}

// Readers sum up to 16 places at once, of which the target is one, but join up to 16 sources; the
// target is then left out (ReduceOrCopyMulti with MaxSrcs = MSCCL_MAX_REDUCE_FUSION in
// common_kernel.h of microsoft/msccl and Azure/msccl-executor-nccl).
constexpr int kMostJoined = 16;

void tell_too_many_joined(const Flat& flat, StepIndex s, Findings& findings) {
  findings.add(Severity::fault, [&] {
    return finding_at(
        flat, s, "joined-reductions",
        fmt::format("{} is the {}th reduction into {}; readers join these into one step, which "
                    "leaves out what {} held before: depend on another thread block, or set "
                    "hasdep=\"1\" on one of them",
                    name_of(flat, s), kMostJoined, name_of(flat.step[Flat::index(s)]->target, 1),
                    name_of(flat.step[Flat::index(s)]->target, 1)));
  });
}

// Of NVIDIA's GPUs, the A100 has the fewest multiprocessors (108; H100: 132).
constexpr std::ptrdiff_t kBlocksAtOnce = 108;

// One finding for the file: the GPUs of most files are alike.
void check_blocks_at_once(const Flat& flat, Findings& findings) {
  const auto& gpus = flat.algorithm->gpus;
  const auto most =
      std::ranges::max_element(gpus, {}, [](const Gpu& gpu) { return gpu.blocks.size(); });
  if (most == gpus.end() || std::ssize(most->blocks) <= kBlocksAtOnce) return;
  findings.add(Severity::style, [&] {
    const auto rank = static_cast<std::int32_t>(most - gpus.begin());
    return Finding{.kind = "many-blocks",
                   .rank = rank,
                   .line = most->line,
                   .text = fmt::format("rank {} has {} thread blocks, which must all run at once: "
                                       "the file hangs on a GPU with fewer multiprocessors (A100: "
                                       "{}, H100: 132)",
                                       rank, most->blocks.size(), kBlocksAtOnce),
                   .events = {}};
  });
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
  check_blocks_at_once(flat, findings);
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    check_flag(flat, s, findings);
    check_nop(flat, s, findings);
  }
}

// Readers drop a nop, and give what it waits for to the next step; one that joins an earlier
// reduction does not get it.
void check_joined_reductions(const Flat& flat, Findings& findings) {
  StepIndex last = kNone;     // of the thread block, that is no nop
  int joined = 1;             // reductions up to it
  StepIndex waiting = kNone;  // the last nop since then that waits
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    const Step& step = *flat.step[Flat::index(s)];
    if (flat.number_of_step(s) == 0) last = waiting = kNone;
    if (step.type == StepType::nop) {
      if (step.depends_on.exists()) waiting = s;
      continue;
    }
    if (last != kNone && joins(*flat.step[Flat::index(last)], step)) {
      tell_joined(flat, last, waiting, s, findings);
      if (++joined == kMostJoined) tell_too_many_joined(flat, s, findings);
    } else {
      joined = 1;
    }
    last = s;
    waiting = kNone;
  }
}

}  // namespace weft::format::msccl
