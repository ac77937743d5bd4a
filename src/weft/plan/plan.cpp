#include "weft/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/plan_reader/mapped_plan.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::plan {

namespace {

constexpr std::size_t kMostBytesOfText = 9'999'999'999;  // ten digits

// Plans number the collectives of MPI as weft does, which has others, too.
Kind number_of(CollectiveKind kind) {
  require(has_collective(kind), "{} is not a collective of MPI", name_of(kind));
  return static_cast<Kind>(kind);
}

CollectiveKind kind_of(std::uint32_t number) {
  require(number < schedule::kCollectiveKinds.size() &&
              has_collective(schedule::kCollectiveKinds[number]),
          "the plan has collective number {}, which weft does not know; make the plan again with "
          "weft plan",
          number);
  return schedule::kCollectiveKinds[number];
}

// A network's expression may hold anything that a file name may.
std::string one_line(std::string_view text) {
  return printable(text);
}

class Encoder {
 public:
  explicit Encoder(const Plan& plan) : plan_(plan) {}

  std::string bytes() {
    std::string text = text_of();
    text.append(padding(layout::kFrontLength + text.size()), '\n');
    require(text.size() <= kMostBytesOfText, "the plan's text is too long");
    encode_parts();
    encode_counts();
    const std::string names = names_of();
    const std::uint64_t directory =
        sizeof(layout::Directory) + schedules_.size() * sizeof(layout::ScheduleEntry) +
        plan_.ranges.size() * sizeof(layout::RangeEntry) + parts_.size() * sizeof(layout::Part) +
        counts_.size() * sizeof(layout::Counts) + hosts_.size() * sizeof(layout::Text) +
        names.size();
    require(directory <= kMostBytesOfText, "the plan has too many schedules for its ranks");
    const std::uint64_t start = layout::kFrontLength + text.size() + directory;
    for (layout::Part& part : parts_) part.offset += start;
    for (layout::Counts& counts : counts_) counts.offset += start;

    std::string checked = text;
    append(checked,
           layout::Directory{.ranks = static_cast<std::uint32_t>(plan_.ranks),
                             .schedules = static_cast<std::uint32_t>(schedules_.size()),
                             .ranges = static_cast<std::uint32_t>(plan_.ranges.size()),
                             .hosts = static_cast<std::uint32_t>(hosts_.size()),
                             .allows_different_bits = plan_.allows_different_bits ? 1u : 0u,
                             .names_length = static_cast<std::uint32_t>(names.size()),
                             .counts = static_cast<std::uint32_t>(counts_.size()),
                             .reserved = 0});
    for (const auto& each : schedules_) append(checked, each);
    std::uint32_t counts = 0;
    for (const PlannedRange& range : plan_.ranges) append(checked, entry_of(range, counts));
    for (const auto& each : parts_) append(checked, each);
    for (const auto& each : counts_) append(checked, each);
    for (const auto& each : hosts_) append(checked, each);
    checked += names;
    return fmt::format("{}text {:010} directory {:010} file {:020} checksum {:08x}\n",
                       counts_.empty() ? layout::kFirstLine : layout::kFirstLineOfCounts,
                       text.size(), directory, start + body_.size(), checksum(checked)) +
           checked + body_;
  }

 private:
  template <class T>
  static void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  static std::size_t padding(std::size_t length) {
    return (layout::kAlignment - length % layout::kAlignment) % layout::kAlignment;
  }

  std::string text_of() const {
    std::string text;
    for (const auto& [name, value] : plan_.facts)
      text += fmt::format("{} {}\n", name, one_line(value));
    text += fmt::format("ranks {}\ndifferent-bits {}\n", plan_.ranks,
                        plan_.allows_different_bits ? "allowed" : "refused");
    for (std::size_t rank = 0; rank < plan_.hosts.size(); ++rank)
      text += fmt::format("host {} {}\n", rank, one_line(plan_.hosts[rank]));
    for (const PlannedRange& range : plan_.ranges)
      text += fmt::format(
          "range {}{} {} {}{}\n", collective_name(range),
          range.root ? fmt::format(" root {}", range.root->value()) : "", sizes_text(range),
          range.schedule ? one_line(plan_.schedules[*range.schedule].algorithm) : "native",
          range.schedule
              ? fmt::format(" {} at {}", format_seconds(range.time_s), format_size(range.timed_B))
              : "");
    return text + '\n';
  }

  // Schedules that differ in their segments alone have the same programs, which stand there once.
  void encode_parts() {
    std::vector<const RankProgram*> programs;
    std::vector<std::size_t> first;  // of each schedule, among the programs
    for (std::size_t i = 0; i < plan_.schedules.size(); ++i) {
      const PlannedSchedule& each = plan_.schedules[i];
      schedules_.push_back({.kind = static_cast<std::uint32_t>(number_of(each.collective.kind)),
                            .root = each.collective.rooted() ? each.collective.root.value() : 0,
                            .units_per_block = each.units_per_block,
                            .segments = each.segments.count,
                            .stride = each.segments.stride,
                            .stored_steps = each.stored_steps,
                            .keeps_order = each.keeps_order ? 1u : 0u,
                            .one_association = each.one_association ? 1u : 0u,
                            .storage = 0,
                            .has_routes = each.has_routes ? 1u : 0u,
                            .name = {}});
      const auto before = std::ranges::find_if(
          plan_.schedules.begin(), plan_.schedules.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const PlannedSchedule& other) { return each.programs == other.programs; });
      const auto place = static_cast<std::size_t>(before - plan_.schedules.begin());
      first.push_back(place < i ? first[place] : programs.size());
      if (place == i)
        for (const RankProgram& program : each.programs) programs.push_back(&program);
    }
    const std::vector<layout::Part> parts = parts_of(programs);
    for (std::size_t i = 0; i < plan_.schedules.size(); ++i)
      for (std::size_t rank = 0; rank < plan_.schedules[i].programs.size(); ++rank)
        parts_.push_back(parts[first[i] + rank]);
  }

  std::vector<layout::Part> parts_of(std::span<const RankProgram* const> programs) {
    std::vector<layout::Part> parts(programs.size());
    std::vector<std::string> encoded(programs.size());
    parallel_for(std::ssize(programs), [&](std::int64_t i) {
      encoded[i] = encoded_part(*programs[i]);
      parts[i] = {.offset = 0,
                  .length = encoded[i].size(),
                  .checksum = checksum(encoded[i]),
                  .reserved = 0};
    });
    for (std::size_t i = 0; i < encoded.size(); ++i) {
      parts[i].offset = body_.size();
      body_ += encoded[i];
    }
    return parts;
  }

  // Each range with blocks has its own.
  void encode_counts() {
    std::ptrdiff_t matrices = 0;
    for (const PlannedRange& range : plan_.ranges) {
      if (!range.blocks) continue;
      const program::BlockSizes& blocks = *range.blocks;
      const Collective collective{range.kind, plan_.ranks};
      require(program::takes_block_sizes(range.kind) && blocks.count() == collective.blocks(),
              "{} among {} ranks does not have {} blocks with sizes", name_of(range.kind),
              plan_.ranks, blocks.count());
      matrices += range.kind == CollectiveKind::alltoall ? 1 : 0;
      require_few_counts(CollectiveKind::alltoall, matrices);
      std::string starts;
      for (std::int64_t block = 0; block <= blocks.count(); ++block)
        append(starts, blocks.start(block));
      counts_.push_back({.offset = body_.size(),
                         .kind = static_cast<std::uint32_t>(number_of(range.kind)),
                         .checksum = checksum(starts),
                         .name = {}});
      body_ += starts;
    }
  }

  template <class T>
  static void append_all(std::string& bytes, const std::vector<T>& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }

  static std::string encoded_part(const RankProgram& program) {
    std::string bytes;
    append(bytes, layout::Program{.sends = static_cast<std::uint32_t>(program.sends.size()),
                                  .receives = static_cast<std::uint32_t>(program.receives.size()),
                                  .units = static_cast<std::uint32_t>(program.units.size()),
                                  .reserved = 0});
    append_all(bytes, program.sends);
    append_all(bytes, program.receives);
    append_all(bytes, program.units);
    return bytes;
  }

  std::string names_of() {
    std::string names;
    const auto add = [&](const std::string& name) {
      const layout::Text text{static_cast<std::uint32_t>(names.size()),
                              static_cast<std::uint32_t>(name.size())};
      names += name;
      return text;
    };
    for (std::size_t i = 0; i < schedules_.size(); ++i)
      schedules_[i].name = add(one_line(plan_.schedules[i].algorithm));
    std::size_t counts = 0;
    for (const PlannedRange& range : plan_.ranges)
      if (range.blocks) counts_[counts++].name = add(one_line(range.counts));
    for (const std::string& host : plan_.hosts) hosts_.push_back(add(one_line(host)));
    require(names.size() < kMostBytesOfText / 4, "the names in the plan are too long");
    return names.append(padding(names.size()), '\0');
  }

  // `counts`: of the ranges before that have some.
  static layout::RangeEntry entry_of(const PlannedRange& range, std::uint32_t& counts) {
    return {.kind = static_cast<std::uint32_t>(number_of(range.kind)),
            .root = range.root ? range.root->value() : -1,
            .first_B = range.first_B,
            .last_B = range.last_B,
            .timed_B = range.timed_B,
            .time_s = range.time_s,
            .schedule = range.schedule ? static_cast<std::int32_t>(*range.schedule) : -1,
            .counts = range.blocks ? ++counts : 0};
  }

  const Plan& plan_;
  std::vector<layout::ScheduleEntry> schedules_;
  std::vector<layout::Part> parts_;
  std::vector<layout::Counts> counts_;
  std::vector<layout::Text> hosts_;
  std::string body_;
};

RankProgram program_of(const ProgramView& view) {
  return {{view.sends.begin(), view.sends.end()},
          {view.receives.begin(), view.receives.end()},
          {view.units.begin(), view.units.end()}};
}

PlannedSchedule schedule_of(const MappedPlan& plan, std::int32_t index) {
  WEFT_ASSERT(index >= 0 && index < std::ssize(plan.schedules()));
  const layout::ScheduleEntry& entry = plan.schedules()[static_cast<std::size_t>(index)];
  PlannedSchedule planned{.collective = {.kind = kind_of(entry.kind),
                                         .ranks = plan.ranks(),
                                         .root = schedule::Rank(entry.root)},
                          .algorithm = std::string(plan.name_of(entry)),
                          .units_per_block = entry.units_per_block,
                          .stored_steps = entry.stored_steps,
                          .segments = {entry.segments, entry.stride},
                          .keeps_order = entry.keeps_order != 0,
                          .one_association = entry.one_association != 0,
                          .has_routes = entry.has_routes != 0,
                          .programs = {}};
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank)
    planned.programs.push_back(program_of(plan.program(index, rank)));
  return planned;
}

std::shared_ptr<const program::BlockSizes> blocks_of(std::span<const std::int64_t> starts) {
  std::vector<std::int64_t> sizes;
  for (std::size_t block = 0; block + 1 < starts.size(); ++block)
    sizes.push_back(starts[block + 1] - starts[block]);
  return std::make_shared<const program::BlockSizes>(sizes);
}

// The facts before the lines that encode() adds.
std::vector<std::pair<std::string, std::string>> facts_of(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> facts;
  while (!text.empty() && !text.starts_with("ranks ")) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t blank = std::min(line.find(' '), line.size());
    facts.emplace_back(line.substr(0, blank), line.substr(std::min(blank + 1, line.size())));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return facts;
}

}  // namespace

bool has_collective(CollectiveKind kind) {
  return static_cast<std::uint32_t>(kind) < kKinds && !schedule::traits_of(kind).between_two();
}

void require_few_counts(CollectiveKind kind, std::ptrdiff_t counts) {
  require(kind != CollectiveKind::alltoall || counts <= std::ptrdiff_t{kMostMatrices},
          "a plan can have at most {} counts of alltoallv, because ranks agree on one by a bit for "
          "each; give fewer --sizes",
          kMostMatrices);
}

std::string collective_name(const PlannedRange& range) {
  return fmt::format("{}{}", name_of(range.kind), range.blocks ? "v" : "");
}

std::string sizes_text(const PlannedRange& range) {
  if (range.blocks) return format_size(range.first_B);
  if (range.last_B == kNoEnd)
    return range.first_B == 0 ? "all" : fmt::format("from {}", format_size(range.first_B));
  return fmt::format("{}..{}", format_size(range.first_B), format_size(range.last_B));
}

std::string encode(const Plan& plan) {
  return Encoder(plan).bytes();
}

Plan read_plan(const std::string& path) {
  try {
    const MappedPlan mapped(path);
    Plan plan{.facts = facts_of(mapped.text()),
              .ranks = mapped.ranks(),
              .hosts = {},
              .allows_different_bits = mapped.allows_different_bits(),
              .schedules = {},
              .ranges = {}};
    for (std::int32_t rank = 0; mapped.has_hosts() && rank < mapped.ranks(); ++rank)
      plan.hosts.emplace_back(mapped.host(rank));
    for (std::int32_t i = 0; i < std::ssize(mapped.schedules()); ++i)
      plan.schedules.push_back(schedule_of(mapped, i));
    for (const layout::RangeEntry& entry : mapped.ranges()) {
      PlannedRange range{.kind = kind_of(entry.kind),
                         .root = {},
                         .first_B = entry.first_B,
                         .last_B = entry.last_B,
                         .schedule = {},
                         .time_s = entry.time_s,
                         .timed_B = entry.timed_B,
                         .blocks = {},
                         .counts = {}};
      if (entry.root >= 0) range.root = schedule::Rank(entry.root);
      if (entry.schedule >= 0) range.schedule = static_cast<std::size_t>(entry.schedule);
      if (entry.counts > 0) {
        range.blocks = blocks_of(mapped.starts(entry));
        range.counts = mapped.name_of(mapped.counts()[entry.counts - 1]);
      }
      plan.ranges.push_back(std::move(range));
    }
    return plan;
  } catch (const BadPlan& error) {
    throw InvalidInput(error.what());
  }
}

}  // namespace weft::plan
