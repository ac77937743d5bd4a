#include "weft/format/msccl/check/result/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format::msccl {

Execution::Execution(const Flat& flat, const Memory& memory, const Semantics& semantics,
                     Findings* findings)
    : flat_(flat),
      memory_(memory),
      semantics_(semantics),
      findings_(findings),
      sets_(flat.gpus()),
      cells_(static_cast<std::size_t>(memory.cells())),
      message_of_(flat.step.size()) {
  require(semantics.sizes().input * flat.gpus() < std::numeric_limits<std::int32_t>::max(),
          "{} has more than 2^31 chunks in total, too many to execute", flat.algorithm->file);
  for (std::int32_t rank = 0; rank < flat.gpus(); ++rank) {
    if (!semantics.has_input(rank)) continue;
    const std::int64_t first = memory.cell(rank, {Buffer::input, 0});
    for (std::int64_t k = 0; k < semantics.sizes().input; ++k)
      cells_[static_cast<std::size_t>(first + k)] = semantics.input(rank, k);
  }
}

void Execution::run(std::span<const StepIndex> order) {
  for (const StepIndex s : order) perform(s);
}

void Execution::perform(StepIndex s) {
  const Step& step = *flat_.step[Flat::index(s)];
  const std::int32_t gpu = flat_.gpu_of(s);
  const bool sends = flat_.sends(s);
  if (sends) message_of_[Flat::index(s)] = static_cast<std::int64_t>(messages_.size());
  for (std::int32_t k = 0; k < step.count; ++k) {
    const Value value = perform_chunk(s, step, gpu, k);
    if (sends) messages_.push_back(value);
  }
}

Value Execution::received(StepIndex s, std::int32_t k) const {
  WEFT_ASSERT(flat_.sender[Flat::index(s)] != kNone);
  const auto first = message_of_[Flat::index(flat_.sender[Flat::index(s)])];
  WEFT_ASSERT(static_cast<std::size_t>(first + k) < messages_.size());
  return messages_[static_cast<std::size_t>(first + k)];
}

bool Execution::adds_up(Value a, Value b) {
  if (a.chunk < 0 || b.chunk < 0) return a.chunk != Value::kNothing && b.chunk != Value::kNothing;
  return a.chunk == b.chunk && sets_.disjoint_union(a.set, b.set).has_value();
}

bool Execution::would_fault(StepIndex s) {
  const Step& step = *flat_.step[Flat::index(s)];
  const std::int32_t gpu = flat_.gpu_of(s);
  if (!reads_source(step.type)) return false;
  for (std::int32_t k = 0; k < step.count; ++k) {
    const Value source = at(memory_.cell(gpu, step.source) + k);
    if (source.chunk == Value::kNothing) return true;
    if (flat_.receives(s) && !adds_up(received(s, k), source)) return true;
    if (step.type == StepType::reduce && !adds_up(source, at(memory_.cell(gpu, step.target) + k)))
      return true;
  }
  return false;
}

Value Execution::perform_chunk(StepIndex s, const Step& step, std::int32_t gpu, std::int32_t k) {
  if (step.type == StepType::nop) return {};
  Value value;
  if (flat_.receives(s)) value = received(s, k);
  if (reads_source(step.type)) {
    const Value own = load(s, step.source, memory_.cell(gpu, step.source) + k, k);
    value = flat_.receives(s) ? sum(s, k, value, own) : own;
  }
  if (!writes_target(step.type)) return value;
  const std::int64_t target = memory_.cell(gpu, step.target) + k;
  if (step.type == StepType::reduce) value = sum(s, k, value, load(s, step.target, target, k));
  cells_[static_cast<std::size_t>(target)] = value;
  return value;
}

Value Execution::load(StepIndex s, Place place, std::int64_t cell, std::int32_t k) {
  const Value value = at(cell);
  if (value.chunk != Value::kNothing) return value;
  place.offset += k;
  return refuse(s, k, "reads-nothing",
                fmt::format("reads {}, which has no data yet", name_of(place, 1)));
}

Value Execution::sum(StepIndex s, std::int32_t k, Value a, Value b) {
  if (a.chunk < 0 || b.chunk < 0) return {.chunk = Value::kWrong};
  if (a.chunk != b.chunk)
    return refuse(s, k, "mixed-chunks", fmt::format("adds {} to {}", describe(a), describe(b)));
  const auto both = sets_.disjoint_union(a.set, b.set);
  if (both) return {.chunk = a.chunk, .set = *both};
  return refuse(s, k, "double-contribution",
                fmt::format("adds {} to {}: rank {} is in both", describe(a), describe(b),
                            sets_.common_rank(a.set, b.set)));
}

Value Execution::refuse(StepIndex s, std::int32_t k, std::string kind, std::string what) {
  if (findings_ != nullptr)
    findings_->add(Severity::fault, [&] {
      Finding finding =
          finding_at(flat_, s, std::move(kind), fmt::format("{} {}", name_of(flat_, s), what));
      finding.events = {fmt::format("{}, chunk {} of it: {}", name_of(flat_, s), k, what)};
      return finding;
    });
  return {.chunk = Value::kWrong};
}

std::string Execution::describe(Value value) const {
  if (value.chunk == Value::kNothing) return "nothing";
  if (!semantics_.reduces()) {
    const std::int32_t owner = semantics_.owner(value.chunk);
    return fmt::format("chunk {} of rank {}", value.chunk - owner * semantics_.sizes().input,
                       owner);
  }
  std::string ranks;
  std::int64_t count = 0;
  for (const auto& run : sets_.intervals(value.set)) {
    count += run.end - run.first;
    if (ranks.size() > 40) continue;
    if (!ranks.empty()) ranks += ", ";
    ranks += run.end - run.first == 1 ? fmt::format("{}", run.first)
                                      : fmt::format("{}..{}", run.first, run.end - 1);
  }
  return fmt::format("chunk {} of {} {}", value.chunk, count == 1 ? "rank" : "ranks", ranks);
}

}  // namespace weft::format::msccl
