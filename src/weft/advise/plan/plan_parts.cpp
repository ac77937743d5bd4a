// The tables of parts of what a plan runs at which sizes.
#include "weft/advise/plan/plan_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weft/answer/keys.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::advise {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

// "broadcast from 0", "reduce to 3".
std::string collective_text(const AnsweredRange& a) {
  std::string name = collective_name(a.range);
  if (!a.range.root) return name;
  const bool to = schedule::traits_of(a.range.kind).to_root();
  return fmt::format("{} {} {}", name, to ? "to" : "from", a.range.root->value());
}

std::string schedule_text(const AnsweredRange& a) {
  const plan::PlannedSchedule* schedule = a.schedule();
  if (schedule == nullptr) return kNative;
  const std::int64_t segments = schedule->segments.count;
  return schedule->algorithm + (segments == 1 ? "" : fmt::format(", {} segments", segments));
}

std::optional<std::vector<std::int64_t>> block_sizes(const plan::PlannedRange& range) {
  if (!range.blocks) return std::nullopt;
  std::vector<std::int64_t> sizes_B;
  for (std::int64_t block = 0; block < range.blocks->count(); ++block)
    sizes_B.push_back(range.blocks->size(block));
  return sizes_B;
}

// The schedule's own, null where the MPI runs its own.
Parts<AnsweredRange> schedule_parts_of(std::initializer_list<std::string_view> names) {
  constexpr PartOf<AnsweredRange> part;
  const Parts<plan::PlannedSchedule> all = planned_schedule_parts();
  Parts<plan::PlannedSchedule> chosen;
  for (const std::string_view name : names) chosen.push_back(answer::part_of(all, name));
  return part.within(&AnsweredRange::schedule, chosen);
}

}  // namespace

std::vector<AnsweredRange> ranges_of(const plan::Plan& plan) {
  std::vector<AnsweredRange> ranges;
  for (const plan::PlannedRange& range : plan.ranges) ranges.push_back({plan, range});
  return ranges;
}

Parts<AnsweredRange> range_parts() {
  constexpr PartOf<AnsweredRange> part;
  // A value of what has a schedule.
  const auto planned = [](auto member) {
    return [member](const AnsweredRange& a) {
      return a.range.schedule ? std::optional(a.range.*member) : std::nullopt;
    };
  };
  return {
      part(keys::kCollective, "collective",
           [](const AnsweredRange& a) { return collective_name(a.range); })
          .shown_as(collective_text),
      part(keys::kRootOrNull, [](const AnsweredRange& a) { return a.range.root; }),
      part.line("sizes", [](const AnsweredRange& a) { return sizes_text(a.range); }),
      part("from", "", Unit::bytes, "smallest size",
           [](const AnsweredRange& a) { return a.range.first_B; }),
      part("to", "", Unit::bytes, "largest size, or null for all above",
           [](const AnsweredRange& a) {
             return a.range.last_B == plan::kNoEnd ? std::nullopt : std::optional(a.range.last_B);
           }),
      part("schedule", "", Unit::none, "index of the schedule, or null where the MPI runs its own",
           [](const AnsweredRange& a) { return a.range.schedule; }),
      part("algorithm", "schedule", Unit::none, "name of the algorithm, or native",
           [](const AnsweredRange& a) {
             return a.schedule() != nullptr ? a.schedule()->algorithm : kNative;
           })
          .shown_as(schedule_text),
      part("size", "at size", Unit::bytes, "size that the time is for, or null",
           planned(&plan::PlannedRange::timed_B)),
      part("time", "time", Unit::seconds, "predicted time of a call, or null",
           planned(&plan::PlannedRange::time_s)),
      part("counts", "", Unit::none,
           "file or distribution of the block sizes of the calls, or null for one size",
           [](const AnsweredRange& a) {
             return a.range.blocks ? std::optional(a.range.counts) : std::nullopt;
           }),
      part("block_sizes", "", Unit::bytes,
           "size of each block, by rank or by sender and receiver, or null for one size",
           [](const AnsweredRange& a) { return block_sizes(a.range); })};
}

Parts<plan::PlannedSchedule> planned_schedule_parts() {
  using plan::PlannedSchedule;
  constexpr PartOf<PlannedSchedule> part;
  return {
      part(keys::kCollective,
           [](const PlannedSchedule& planned) { return name_of(planned.collective.kind); }),
      part(keys::kAlgorithm, &PlannedSchedule::algorithm),
      part(keys::kSteps,
           [](const PlannedSchedule& planned) {
             return planned.stored_steps + (planned.segments.count - 1) * planned.segments.stride;
           }),
      part(keys::kUnitsPerBlock, &PlannedSchedule::units_per_block),
      part(keys::kSegments, [](const PlannedSchedule& planned) { return planned.segments.count; }),
      part(keys::kKeepsOrder, &PlannedSchedule::keeps_order),
      part("one_association", "", Unit::none, "whether all ranks get equal bits",
           &PlannedSchedule::one_association),
      part("explicit_routes", "", Unit::none, "whether the schedule has its own routes",
           &PlannedSchedule::has_routes)};
}

Parts<AnsweredRange> range_row_parts() {
  constexpr PartOf<AnsweredRange> part;
  Parts<AnsweredRange> parts = range_parts();
  for (answer::Part<AnsweredRange>& each : parts) {
    if (each.text.key == "size")
      each.text.meaning =
          "size that the time is for: the row's, or the range's smallest compared size; or null";
    if (each.text.key == "time")
      each.text.meaning = "predicted time of a call of this size, in all its segments, or null";
  }
  return join(join(std::move(parts), schedule_parts_of({"steps", "segments"})),
              {part("range_count", "", Unit::none, "ranges of sizes of the collective",
                    [](const AnsweredRange& answered) {
                      return std::ranges::count(answered.of.ranges, answered.range.kind,
                                                &plan::PlannedRange::kind);
                    })});
}

std::vector<Column> range_row_columns() {
  return {{"algorithm", "best"},
          {"time"},
          {"size", "timed_size"},
          {"steps"},
          {"segments", "segments_used"},
          {"from", "range_from"},
          {"to", "range_to"},
          {"range_count"}};
}

}  // namespace weft::advise
