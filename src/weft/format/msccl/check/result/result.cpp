#include "weft/format/msccl/check/result/result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/format/msccl/check/result/execution.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::msccl {

using schedule::CollectiveKind;

namespace {

// Whether a value is what an output must hold; else which kind of fault it is, and why.
struct Judgement {
  std::string_view kind;  // empty: right
  std::string why;
};

std::string missing_ranks(schedule::ContributorSets& sets, const Value& value, std::int32_t ranks) {
  std::string missing;
  std::int32_t at = 0;
  const auto add = [&](std::int32_t first, std::int32_t end) {
    if (first >= end || missing.size() > 40) return;
    if (!missing.empty()) missing += ", ";
    missing += end - first == 1 ? fmt::format("{}", first) : fmt::format("{}..{}", first, end - 1);
  };
  for (const auto& run : sets.intervals(value.set)) {
    add(at, run.first);
    at = run.end;
  }
  add(at, ranks);
  return missing;
}

Judgement judge(Execution& execution, const Semantics& semantics, Value value, std::int32_t chunk,
                std::int32_t ranks) {
  if (value.chunk == Value::kWrong) return {};
  const std::string wanted = semantics.reduces()
                                 ? fmt::format("the sum of chunk {} over all ranks", chunk)
                                 : execution.describe({.chunk = chunk, .set = 0});
  if (value.chunk == Value::kNothing) return {"missing-result", "has no data instead of " + wanted};
  if (value.chunk != chunk)
    return {"wrong-place", fmt::format("has {} instead of {}", execution.describe(value), wanted)};
  if (!semantics.reduces() || execution.sets().is_complete(value.set)) return {};
  return {"missing-contribution",
          fmt::format("lacks the contributions of rank {} to chunk {}",
                      missing_ranks(execution.sets(), value, ranks), chunk)};
}

// The last step that writes a cell of a GPU, for messages; searched only when there is a fault.
StepIndex writer_of(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                    std::int32_t rank, std::int64_t cell) {
  for (std::size_t i = order.size(); i-- > 0;) {
    const StepIndex s = order[i];
    const Step& step = *flat.step[Flat::index(s)];
    if (flat.gpu_of(s) != rank || !writes_target(step.type)) continue;
    const std::int64_t first = memory.cell(rank, step.target);
    if (first <= cell && cell < first + step.count) return s;
  }
  return kNone;
}

Finding finding_of(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                   std::int32_t rank, std::int32_t k, const Judgement& judgement) {
  const Place place{Buffer::output, k};
  const StepIndex writer = writer_of(flat, order, memory, rank, memory.cell(rank, place));
  const std::string text =
      fmt::format("in the end {} of rank {} {}", name_of(place, 1), rank, judgement.why);
  if (writer == kNone)
    return {.kind = std::string(judgement.kind),
            .rank = rank,
            .line = flat.algorithm->gpus[Flat::index(rank)].line,
            .text = text,
            .events = {fmt::format("rank {}: no step writes {}", rank, name_of(place, 1))}};
  Finding finding = finding_at(flat, writer, std::string(judgement.kind), text);
  finding.events = {fmt::format("{}: writes {} last", name_of(flat, writer), name_of(place, 1))};
  return finding;
}

// Rooted collectives look like this if every rank takes the part of a root.
CollectiveKind without_root(CollectiveKind kind) {
  return schedule::traits_of(kind).reduces() ? CollectiveKind::allreduce
                                             : CollectiveKind::allgather;
}

std::int32_t most_frequent(const std::vector<std::int32_t>& counts) {
  return static_cast<std::int32_t>(std::ranges::max_element(counts) - counts.begin());
}

// The rank whose first chunk most outputs begin with.
std::int32_t source_of(const Execution& execution, const Memory& memory, const Semantics& semantics,
                       std::int32_t ranks) {
  std::vector<std::int32_t> counts(Flat::index(ranks));
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    if (const Value value = execution.at(memory.cell(rank, {Buffer::output, 0})); value.chunk >= 0)
      ++counts[Flat::index(semantics.owner(value.chunk))];
  return most_frequent(counts);
}

// The rank whose output holds the most of what the root's must.
std::int32_t target_of(Execution& execution, const Memory& memory, const Semantics& semantics,
                       std::int32_t ranks) {
  std::vector<std::int32_t> counts(Flat::index(ranks));
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    for (std::int32_t k = 0; k < semantics.sizes().output; ++k) {
      const Value value = execution.at(memory.cell(rank, {Buffer::output, k}));
      if (value.chunk == k && (!semantics.reduces() || execution.sets().is_complete(value.set)))
        ++counts[Flat::index(rank)];
    }
  return most_frequent(counts);
}

}  // namespace

std::int32_t fitting_root(const Flat& flat, std::span<const StepIndex> order,
                          schedule::Collective collective) {
  const Algorithm& algorithm = *flat.algorithm;
  if (algorithm.root) return *algorithm.root;
  const bool one_buffer = !algorithm.works_out_of_place() && collective.whole_buffer();
  const Memory memory(algorithm, one_buffer ? Mode::in_place : Mode::out_of_place, 0);
  const bool from_root = schedule::traits_of(collective.kind).from_root();
  collective.kind = without_root(collective.kind);
  const Semantics semantics(algorithm, collective);
  Execution execution(flat, memory, semantics, nullptr);
  execution.run(order);
  return from_root ? source_of(execution, memory, semantics, flat.gpus())
                   : target_of(execution, memory, semantics, flat.gpus());
}

void check_result(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                  const schedule::Collective& collective, Findings& findings) {
  const Semantics semantics(*flat.algorithm, collective);
  Execution execution(flat, memory, semantics, &findings);
  execution.run(order);
  for (std::int32_t rank = 0; rank < flat.gpus(); ++rank) {
    if (!semantics.has_output(rank)) continue;
    for (std::int32_t k = 0; k < semantics.sizes().output; ++k) {
      const Value value = execution.at(memory.cell(rank, {Buffer::output, k}));
      const Judgement judgement =
          judge(execution, semantics, value, semantics.output(rank, k), flat.gpus());
      if (judgement.kind.empty()) continue;
      findings.add(Severity::fault,
                   [&] { return finding_of(flat, order, memory, rank, k, judgement); });
    }
  }
}

}  // namespace weft::format::msccl
