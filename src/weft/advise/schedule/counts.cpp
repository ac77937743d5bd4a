#include "weft/advise/schedule/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "drawn_counts.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/unknown_collective.hpp"

namespace weft::advise {

namespace {

struct CountLine {
  std::int64_t number = 0;  // in the file, from 1
  std::vector<std::int64_t> counts;
};

std::int64_t count_in_file(std::string_view word, const std::string& file, std::int64_t line) {
  try {
    return parse_size(word);
  } catch (const InvalidInput& error) {
    reject("{}:{}: {}", file, line, error.what());
  }
}

// Lines without numbers are left out.
std::vector<CountLine> count_lines(const std::string& text, const std::string& file) {
  std::vector<CountLine> lines;
  std::int64_t number = 0;
  for (const std::string_view whole : split(text, '\n')) {
    CountLine line{++number, {}};
    std::string_view rest = whole.substr(0, whole.find('#'));
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(",; \t\r"), rest.size());
      if (end > 0) line.counts.push_back(count_in_file(rest.substr(0, end), file, number));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!line.counts.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

// A line for each sender.
std::vector<std::int64_t> matrix_in(const std::vector<CountLine>& lines, const std::string& file,
                                    std::int64_t ranks) {
  std::vector<std::int64_t> counts;
  for (const CountLine& line : lines) {
    require(std::ssize(line.counts) == ranks,
            "{}:{}: {} in the line of a sender (alltoallv among {} ranks needs {})", file,
            line.number, counted(std::ssize(line.counts), "number"), ranks, ranks);
    counts.insert(counts.end(), line.counts.begin(), line.counts.end());
  }
  require(std::ssize(lines) == ranks,
          "{}: {} (alltoallv among {} ranks needs one line for each sender, {} in total)", file,
          counted(std::ssize(lines), "line"), ranks, ranks);
  return counts;
}

std::vector<std::int64_t> row_in(const std::vector<CountLine>& lines, const std::string& file,
                                 const Collective& collective) {
  std::vector<std::int64_t> counts;
  for (const CountLine& line : lines)
    counts.insert(counts.end(), line.counts.begin(), line.counts.end());
  require(std::ssize(counts) == collective.ranks, "{}: {} ({} among {} ranks needs {})", file,
          counted(std::ssize(counts), "number"), unequal_name(collective.kind), collective.ranks,
          collective.ranks);
  return counts;
}

std::vector<std::int64_t> counts_in_file(const std::string& file, const Collective& collective) {
  if (file != "-" && !is_there(file) && file.find_first_of("/.") == std::string::npos)
    reject("counts {} are neither a file nor a distribution; the distributions are {}", file,
           count_distributions());
  const std::string text = read_file(file);
  const std::vector<CountLine> lines = count_lines(text, file);
  return schedule::traits_of(collective.kind).by_pair() ? matrix_in(lines, file, collective.ranks)
                                                        : row_in(lines, file, collective);
}

}  // namespace

std::optional<CollectiveKind> unequal_kind(std::string_view name) {
  std::string letters = lower(name);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_' || c == ' '; });
  for (const CollectiveKind kind : schedule::kCollectiveKinds) {
    if (!program::takes_block_sizes(kind)) continue;
    std::string known = unequal_name(kind);
    std::erase(known, '-');
    if (letters == known) return kind;
  }
  return std::nullopt;
}

std::string unequal_name(CollectiveKind kind) {
  return fmt::format("{}v", name_of(kind));
}

std::string unequal_summary(CollectiveKind kind) {
  return fmt::format("{} with blocks of the sizes that --counts gives; --size is {}", name_of(kind),
                     Collective{kind, 1}.size_is_block() ? "the mean block" : "the whole input");
}

CollectiveKind kind_scheduled_for(std::string_view name) {
  if (const auto unequal = unequal_kind(name)) return *unequal;
  try {
    return schedule::parse_collective(name);
  } catch (const InvalidInput&) {
    std::vector<std::string> unequal;
    for (const CollectiveKind kind : schedule::kCollectiveKinds)
      if (program::takes_block_sizes(kind)) unequal.push_back(unequal_name(kind));
    schedule::reject_collective(name, unequal);
  }
}

CollectiveKind kind_with_counts(std::string_view name, bool has_counts, const CountsWords& words) {
  const CollectiveKind kind = kind_scheduled_for(name);
  if (unequal_kind(name)) {
    require(has_counts,
            "{} needs the sizes of its blocks; give {} or a distribution, such as {} ({} has "
            "blocks of one size)",
            unequal_name(kind), words.file, words.example, name_of(kind));
    return kind;
  }
  if (!has_counts) return kind;
  require(!program::takes_block_sizes(kind),
          "{} has no effect on {}, whose blocks have one size; write {}", words.option,
          name_of(kind), unequal_name(kind));
  reject("{} applies to alltoallv, allgatherv and reduce-scatterv; leave it out for {}",
         words.option, name_of(kind));
}

Counts read_counts(const std::string& text, const Collective& collective, std::uint64_t seed) {
  require(program::takes_block_sizes(collective.kind),
          "counts apply to alltoallv, allgatherv and reduce-scatterv; remove them for {}",
          name_of(collective.kind));
  constexpr std::int64_t kMostBlocks = 1 << 26;  // half a gigabyte of sizes
  require(collective.blocks() <= kMostBlocks,
          "{} among {} ranks has {} blocks, but at most {} can have different sizes; use fewer "
          "ranks",
          unequal_name(collective.kind), collective.ranks, collective.blocks(), kMostBlocks);
  auto drawn = drawn_counts(text, collective, seed);
  Counts counts{.text = text, .is_drawn = drawn.has_value()};
  const std::vector<std::int64_t> sizes =
      drawn ? *std::move(drawn) : counts_in_file(text, collective);
  try {
    counts.blocks = std::make_shared<const BlockSizes>(sizes);
  } catch (const InvalidInput& error) {
    reject("counts {}: {}", text, error.what());
  }
  return counts;
}

std::string text_of(const Counts& counts) {
  return fmt::format("{} (largest block {:.3g} x the mean)", counts.text, counts.blocks->skew());
}

}  // namespace weft::advise
