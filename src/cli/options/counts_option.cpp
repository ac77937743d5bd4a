#include "cli/options/counts_option.hpp"

#include <fmt/format.h>

#include "weft/base/error.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

// Else the word is another, such as a file's.
bool is_collective(const std::string& word) {
  try {
    static_cast<void>(schedule::parse_collective(word));
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

void take_counts(const CountsOption& counts, GivenFields& said) {
  if (!said.of("collective")) return;
  const std::string word = said.text("collective");
  const bool is_unequal = advise::unequal_kind(word).has_value();
  if (!is_unequal && !is_collective(word)) return;
  const CollectiveKind kind = advise::kind_with_counts(word, !counts.text.empty());
  if (is_unequal) said.values["collective"] = std::string(name_of(kind));
}

}  // namespace

void add_counts_option(Command command, GivenFields& said, CountsOption& counts,
                       const char* size_option) {
  const OptionAdder add(command);
  add("--counts", counts.text,
      fmt::format("Block sizes of unequal collectives: a file (bytes, or shares of {1} if it is "
                  "set), or {0} [none]",
                  advise::count_distributions(), size_option));
  const Option sizes = command.option(size_option);
  said.once_read.push_back([&said, &counts, sizes, command] {
    counts.has_sizes = sizes.given();
    counts.has_seed = is_seed_given(command);
    take_counts(counts, said);
  });
}

bool is_seed_given(Command command) {
  const std::optional<Option> seed = command.find_option("--seed");
  return seed && seed->given();
}

std::optional<advise::Counts> counts_of(const CountsOption& counts, const Collective& collective,
                                        std::uint64_t seed) {
  if (counts.text.empty()) return std::nullopt;
  return advise::read_counts(counts.text, collective, seed);
}

std::optional<std::int64_t> own_size_B(const CountsOption& option,
                                       const std::optional<advise::Counts>& counts,
                                       const Collective& collective) {
  if (!counts || counts->is_drawn || option.has_sizes) return std::nullopt;
  return counts->blocks->natural_size_B(collective);
}

std::int64_t size_with_counts(const CountsOption& option,
                              const std::optional<advise::Counts>& counts,
                              const Collective& collective, std::int64_t given_B) {
  const std::int64_t size_B = own_size_B(option, counts, collective).value_or(given_B);
  require(!counts || size_B > 0,
          "a call of size 0 with --counts moves no data; give a larger size, such as 1MiB");
  return size_B;
}

std::string idle_seed_note(const CountsOption& option,
                           const std::optional<advise::Counts>& counts) {
  if (!option.has_seed || !counts || counts->is_drawn) return "";
  return fmt::format(
      "--seed does not change the block sizes, which are those of {}; --counts with a "
      "distribution, such as zipf:1.2, draws them",
      counts->text);
}

std::shared_ptr<const BlockSizes> blocks_of(const std::optional<advise::Counts>& counts) {
  return counts ? counts->blocks : nullptr;
}

std::string collective_name(const Collective& collective,
                            const std::optional<advise::Counts>& counts) {
  return counts ? advise::unequal_name(collective.kind) : std::string(name_of(collective.kind));
}

Parts<UsedCounts> counts_parts() {
  constexpr PartOf<UsedCounts> part;
  const auto blocks = [](auto get) {
    return [get](const UsedCounts& used) { return std::invoke(get, *used.counts.blocks); };
  };
  return {part("from", "", Unit::none, "value of --counts",
               [](const UsedCounts& used) { return used.counts.text; }),
          part("drawn", "", Unit::none, "whether the sizes are random",
               [](const UsedCounts& used) { return used.counts.is_drawn; }),
          part("blocks", "", Unit::none, "number of blocks", blocks(&BlockSizes::count)),
          part("empty_blocks", "", Unit::none, "blocks without a byte",
               blocks([](const BlockSizes& sizes) {
                 std::int64_t empty = 0;
                 for (std::int64_t block = 0; block < sizes.count(); ++block)
                   empty += sizes.size(block) == 0;
                 return empty;
               })),
          part("largest_by_mean", "", Unit::none, "largest block, relative to the mean",
               blocks(&BlockSizes::skew)),
          part("natural_size", "", Unit::bytes,
               "size at which the blocks have the sizes of the file; null if they are random",
               [](const UsedCounts& used) {
                 return used.counts.is_drawn
                            ? std::nullopt
                            : std::optional(used.counts.blocks->natural_size_B(used.collective));
               })};
}

}  // namespace weft::cli
