#include "cli/plan/plan_counts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "weft/advise/plan/named_counts.hpp"
#include "weft/base/error.hpp"

namespace weft::cli {

using advise::NamedCounts;

namespace {

// How many of the collectives use the entry without a name.
std::int64_t unnamed_users(const std::vector<NamedCounts>& entries,
                           const advise::PlannedNames& names) {
  return std::ranges::count_if(names.unequal, [&](CollectiveKind kind) {
    const NamedCounts* entry = advise::counts_for(entries, kind);
    return entry != nullptr && !entry->kind;
  });
}

}  // namespace

void add_plan_counts(Command command, GivenFields& said, PlanCounts& counts) {
  OptionAdder(command).repeated(
      "--counts", counts.texts,
      fmt::format("Block sizes of unequal collectives: a file (bytes, or shares of --sizes if it "
                  "is set), or {}. COLLECTIVE=FILE gives those of one collective, "
                  "repeatable [none]",
                  advise::count_distributions()));
  const Option sizes = command.option("--sizes");
  said.once_read.push_back([&counts, sizes, command] {
    counts.has_sizes = sizes.given();
    counts.has_seed = is_seed_given(command);
  });
}

void check_counts(const PlanCounts& counts, const advise::PlannedNames& names) {
  const std::vector<NamedCounts> entries = advise::named_counts(counts.texts);
  require(entries.empty() || !names.unequal.empty(),
          "--counts applies to alltoallv, allgatherv and reduce-scatterv; add one of them to "
          "--collectives, or leave --counts out");
  for (const CollectiveKind kind : names.unequal) {
    const std::string name = advise::unequal_name(kind);
    require(advise::counts_for(entries, kind) != nullptr,
            "{} needs the sizes of its blocks; give --counts {} with those of the program's calls",
            name, entries.empty() ? "FILE" : name + "=FILE");
  }
  for (const NamedCounts& entry : entries) {
    if (!entry.kind) {
      require(unnamed_users(entries, names) > 0,
              "--counts {} has no effect, because another --counts names each collective; leave it "
              "out",
              entry.text);
      continue;
    }
    const std::string name = advise::unequal_name(*entry.kind);
    require(std::ranges::count(names.unequal, *entry.kind) > 0,
            "--counts {}={} has no effect, because --collectives does not have {}; add it, or "
            "leave --counts {}=... out",
            name, entry.text, name, name);
  }
}

std::vector<advise::UnequalCalls> unequal_calls(const PlanCounts& counts,
                                                const advise::PlannedNames& names,
                                                std::int32_t ranks,
                                                const std::vector<std::int64_t>& sizes_B,
                                                std::uint64_t seed) {
  const std::vector<NamedCounts> entries = advise::named_counts(counts.texts);
  const bool is_shared = unnamed_users(entries, names) > 1;
  std::vector<advise::UnequalCalls> all;
  for (const CollectiveKind kind : names.unequal) {
    const Collective collective{kind, ranks};
    const NamedCounts* entry = advise::counts_for(entries, kind);
    WEFT_ASSERT(entry != nullptr);  // check_counts
    const CountsOption own{.text = entry->text, .has_sizes = counts.has_sizes};
    std::optional<advise::Counts> read;
    try {
      read = counts_of(own, collective, seed);
    } catch (const InvalidInput& error) {
      if (!is_shared || entry->kind) throw;
      reject("{}; --counts {}=FILE gives {} sizes of its own", error.what(),
             advise::unequal_name(kind), advise::unequal_name(kind));
    }
    const auto own_B = own_size_B(own, read, collective);
    all.push_back({kind, *std::move(read), own_B ? std::vector{*own_B} : sizes_B});
  }
  return all;
}

std::vector<std::string> notes_of_counts(const PlanCounts& counts,
                                         const std::vector<advise::UnequalCalls>& unequal,
                                         std::uint64_t seed) {
  if (unequal.empty()) return {};
  std::vector<std::string> names, drawn, files;
  for (const advise::UnequalCalls& calls : unequal) {
    names.push_back(advise::unequal_name(calls.kind));
    (calls.counts.is_drawn ? drawn : files).push_back(calls.counts.text);
  }
  std::vector<std::string> notes{fmt::format(
      "the schedules of {} run only in calls with exactly these block sizes{}; other calls run "
      "as without --counts",
      fmt::join(names, ", "),
      drawn.empty()
          ? ""
          : fmt::format(", which are random{} (seed {}); give a file with those of the "
                        "program",
                        files.empty() ? "" : " where --counts has a distribution", seed))};
  if (drawn.empty()) {
    const CountsOption given{.text = files.front(), .has_seed = counts.has_seed};
    if (std::string note = idle_seed_note(given, unequal.front().counts); !note.empty())
      notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace weft::cli
