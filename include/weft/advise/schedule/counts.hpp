// Counts: how many bytes each block of alltoallv, allgatherv or reduce-scatterv has, from a file or
// drawn from a distribution.
//
//   const Counts counts = read_counts("zipf:1.2", alltoall(64), seed);
//   lower(verified, {.size_B = size_B, .blocks = counts.blocks});
//
// One rule for all: --size keeps its meaning, the mean block (alltoallv, allgatherv) or the whole
// buffer (reduce-scatterv). Counts say how that is shared. Without --size the numbers of a file are
// the bytes themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/program/block_sizes.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::advise {

/// alltoall of "alltoallv", "all-to-all-v", ...; likewise of allgatherv and reduce-scatterv.
/// Nothing for all other names; case, '-', '_' and blanks are ignored.
std::optional<CollectiveKind> unequal_kind(std::string_view name);
/// "alltoallv" of alltoall.
std::string unequal_name(CollectiveKind kind);
/// One line of `weft list collectives`.
std::string unequal_summary(CollectiveKind kind);
/// How a user gives counts, for messages: by an option of commands, or a field of rows.
struct CountsWords {
  std::string_view option = "--counts", file = "--counts FILE", example = "--counts zipf:1.2";
};
/// The kind that is scheduled for a collective with or without counts. Throws InvalidInput for
/// alltoallv without counts, for counts of a collective whose blocks have one size, and for no name
/// of a collective.
CollectiveKind kind_with_counts(std::string_view name, bool has_counts,
                                const CountsWords& words = {});
/// The kind whose schedules serve the collective of this name, "alltoallv" or any other. Throws
/// InvalidInput with the nearest names.
CollectiveKind kind_scheduled_for(std::string_view name);

struct Counts {
  std::string text;       // as it was given: "zipf:1.2", or the file
  bool is_drawn = false;  // from a distribution, so that only proportions count
  std::shared_ptr<const BlockSizes> blocks = {};  // in the order of blocks
};

/// The distributions, for help and messages: "uniform:LO,HI", ...
std::string_view count_distributions();

/// Whether the text is one of them, else it is a file.
bool is_distribution(std::string_view text);

/// Reads a file or draws from a distribution. A file has a number for each rank, one a line or
/// separated by commas or blanks, or for an all-to-all a line for each sender with a number for
/// each receiver; numbers are bytes, or have units (4KiB); '#' begins a comment. Throws
/// InvalidInput with the file and line, or with the distributions.
Counts read_counts(const std::string& text, const Collective& collective, std::uint64_t seed);

/// "zipf:1.2 (largest block 14.2 x the mean)".
std::string text_of(const Counts& counts);

}  // namespace weft::advise
