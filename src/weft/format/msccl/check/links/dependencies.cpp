// Dependencies between the thread blocks of a GPU, and the places of buffers.
//
// A step with hasdep="1" raises the flag of its thread block to its own number; a step that depends
// on it waits until the flag is at least that number. So a dependency on a step with hasdep="0"
// waits for a later step, or for ever. A nop raises no flag: readers do not even keep it.
#include <fmt/format.h>

#include "weft/format/msccl/check/links/links.hpp"

namespace weft::format::msccl {

namespace {

bool inside(const Gpu& gpu, Place place, std::int32_t count) {
  return place.offset >= 0 && count <= gpu.chunks(place.buffer) &&
         place.offset <= gpu.chunks(place.buffer) - count;
}

bool check_place(const Flat& flat, StepIndex s, Place place, std::string_view what,
                 Findings& findings) {
  const Step& step = *flat.step[Flat::index(s)];
  const Gpu& gpu = flat.algorithm->gpus[Flat::index(flat.gpu_of(s))];
  if (inside(gpu, place, step.count)) return true;
  findings.add(Severity::fault, [&] {
    return finding_at(flat, s, "outside-buffer",
                      fmt::format("{} {} {}, but the buffer has {} chunks", name_of(flat, s), what,
                                  name_of(place, step.count), gpu.chunks(place.buffer)));
  });
  return false;
}

enum class Target : std::uint8_t { fine, own, missing, nop, silent };

// What a dependency leads to; `on` is the step that it names.
Target target_of(const Flat& flat, StepIndex s, StepIndex& on) {
  const StepId id = flat.step[Flat::index(s)]->depends_on;
  const std::int32_t b = flat.block[Flat::index(s)];
  const std::int32_t g = flat.gpu[Flat::index(b)];
  const std::int32_t target = flat.first_block[Flat::index(g)] + id.block;
  if (target >= flat.first_block[Flat::index(g) + 1] || id.step < 0) return Target::missing;
  on = flat.first_step[Flat::index(target)] + id.step;
  if (on >= flat.first_step[Flat::index(target) + 1]) return Target::missing;
  if (target == b) return Target::own;
  if (flat.step[Flat::index(on)]->type == StepType::nop) return Target::nop;
  return flat.step[Flat::index(on)]->has_dependent ? Target::fine : Target::silent;
}

std::string_view reason_of(Target target) {
  switch (target) {
    case Target::missing:
      return "which does not exist";
    case Target::nop:
      return "which is a nop and never raises a flag: depend on what that nop waits for";
    case Target::silent:
      return "which has hasdep=\"0\" and so never raises its flag: set hasdep=\"1\"";
    default:
      return "which is not before it in the same thread block: it waits for itself";
  }
}

void tell_bad(const Flat& flat, StepIndex s, Target target, Findings& findings) {
  findings.add(Severity::fault, [&] {
    const StepId id = flat.step[Flat::index(s)]->depends_on;
    Finding finding =
        finding_at(flat, s, "bad-dependency",
                   fmt::format("{} waits for step {} of thread block {}, {}", name_of(flat, s),
                               id.step, id.block, reason_of(target)));
    finding.events.push_back(fmt::format("{}: waits for step {} of thread block {}, in vain",
                                         name_of(flat, s), id.step, id.block));
    return finding;
  });
}

void tell_own(const Flat& flat, StepIndex s, Findings& findings) {
  findings.add(Severity::style, [&] {
    return finding_at(flat, s, "needless-dependency",
                      fmt::format("{} waits for an earlier step of its own thread block, which "
                                  "program order already does",
                                  name_of(flat, s)));
  });
}

bool link_step(Flat& flat, StepIndex s, Findings& findings) {
  StepIndex on = kNone;
  if (!flat.step[Flat::index(s)]->depends_on.exists()) return true;
  const Target target = target_of(flat, s, on);
  if (target == Target::fine) {
    flat.waits_for[Flat::index(s)] = on;
    return true;
  }
  if (target == Target::own && on < s && flat.step[Flat::index(on)]->has_dependent &&
      flat.step[Flat::index(on)]->type != StepType::nop) {
    tell_own(flat, s, findings);
    return true;
  }
  tell_bad(flat, s, target, findings);
  return false;
}

void list_waiters(Flat& flat) {
  flat.waiters_first.assign(flat.step.size() + 1, 0);
  for (const StepIndex on : flat.waits_for)
    if (on != kNone) ++flat.waiters_first[Flat::index(on) + 1];
  for (std::size_t i = 1; i < flat.waiters_first.size(); ++i)
    flat.waiters_first[i] += flat.waiters_first[i - 1];
  flat.waiters.resize(Flat::index(flat.waiters_first.back()));
  std::vector<StepIndex> at(flat.waiters_first.begin(), flat.waiters_first.end() - 1);
  for (StepIndex s = 0; s < flat.steps(); ++s)
    if (const StepIndex on = flat.waits_for[Flat::index(s)]; on != kNone)
      flat.waiters[Flat::index(at[Flat::index(on)]++)] = s;
}

// Readers count a nop only if it waits, so the flags of the steps behind another are too low.
bool check_nops(const Flat& flat, std::int32_t b, Findings& findings) {
  StepIndex idle = kNone;
  bool sound = true;
  for (StepIndex s = flat.first_step[Flat::index(b)]; s < flat.first_step[Flat::index(b) + 1];
       ++s) {
    const Step& step = *flat.step[Flat::index(s)];
    const bool waited_for =
        flat.waiters_first[Flat::index(s)] != flat.waiters_first[Flat::index(s) + 1];
    if (idle != kNone && waited_for) {
      sound = false;
      findings.add(Severity::fault, [&] {
        return finding_at(
            flat, s, "bad-dependency",
            fmt::format("{} is waited for, but step {} of its thread block is a nop without a "
                        "dependency, which readers do not count: the flag is one too low",
                        name_of(flat, s), flat.number_of_step(idle)));
      });
    }
    if (step.type == StepType::nop && !step.depends_on.exists()) idle = s;
  }
  return sound;
}

}  // namespace

bool check_places(const Flat& flat, Findings& findings) {
  bool sound = true;
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    const Step& step = *flat.step[Flat::index(s)];
    if (step.count < 0) {
      sound = false;
      findings.add(Severity::fault, [&] {
        return finding_at(flat, s, "outside-buffer",
                          fmt::format("{} has {} chunks", name_of(flat, s), step.count));
      });
    }
    if (step.count <= 0) continue;
    if (reads_source(step.type) && !check_place(flat, s, step.source, "reads", findings))
      sound = false;
    if (writes_target(step.type) && !check_place(flat, s, step.target, "writes", findings))
      sound = false;
  }
  return sound;
}

bool link_dependencies(Flat& flat, Findings& findings) {
  flat.waits_for.assign(flat.step.size(), kNone);
  bool sound = true;
  for (StepIndex s = 0; s < flat.steps(); ++s)
    if (!link_step(flat, s, findings)) sound = false;
  list_waiters(flat);
  for (std::int32_t b = 0; b < flat.blocks(); ++b)
    if (!check_nops(flat, b, findings)) sound = false;
  return sound;
}

}  // namespace weft::format::msccl
