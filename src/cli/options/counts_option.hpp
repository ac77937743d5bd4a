// --counts: the sizes of the blocks of alltoallv, allgatherv and reduce-scatterv.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/options/options.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

struct CountsOption {
  std::string text;                         // of --counts; empty: all blocks have one size
  bool has_sizes = false;                   // whether --size, or --sizes, was given
  bool has_seed = false;                    // whether --seed was given
  std::optional<advise::Counts> read = {};  // once the ranks are known
};

/// Adds --counts. Once all is read, alltoallv among the said becomes alltoall with counts. Refuses
/// a collective of that kind without counts, and counts of another; a file of a schedule is left as
/// it is. `size_option`: the one that counts share out.
void add_counts_option(Command command, GivenFields& said, CountsOption& counts,
                       const char* size_option);

/// Whether the command has --seed and the user gave it. Call it once all is read.
bool is_seed_given(Command command);

/// Nothing where no counts were given. Throws InvalidInput.
std::optional<advise::Counts> counts_of(const CountsOption& counts, const Collective& collective,
                                        std::uint64_t seed);
/// The --size that the numbers of a file have as bytes, where no size was given; nothing elsewhere.
std::optional<std::int64_t> own_size_B(const CountsOption& option,
                                       const std::optional<advise::Counts>& counts,
                                       const Collective& collective);
/// own_size_B(), or else the size that the user gave. Throws InvalidInput where blocks of sizes of
/// their own would have no data.
std::int64_t size_with_counts(const CountsOption& option,
                              const std::optional<advise::Counts>& counts,
                              const Collective& collective, std::int64_t given_B);
/// Notes that --seed does not change the sizes of a file; empty unless both are given.
std::string idle_seed_note(const CountsOption& option, const std::optional<advise::Counts>& counts);
/// The blocks, or null.
std::shared_ptr<const BlockSizes> blocks_of(const std::optional<advise::Counts>& counts);
/// "alltoallv" where there are counts, else "alltoall".
std::string collective_name(const Collective& collective,
                            const std::optional<advise::Counts>& counts);
/// The counts in answers: what was given, and how unequal blocks are.
struct UsedCounts {
  const advise::Counts& counts;
  const Collective& collective;
};
answer::Parts<UsedCounts> counts_parts();

}  // namespace weft::cli
