// The collectives of other people's libraries by the names that those have for them.
//
//   const Known known = known_as(find_library("smpi"), allgather(16), "ring");  // "lin" here
//
// A name stands for the algorithm of this registry that sends the same messages: of the same sizes
// between the same ranks, at each rank in the same order. Those of SMPI were read from its traces,
// with root 0 (tests/oracle/simgrid/libraries_test.py), those of MPICH follow from these. So `ring`
// of SMPI's allgather, a rotation, is our `lin`, and its `NTSLR` our `ring`. Names whose messages
// no algorithm here sends are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/schedule/collective.hpp"

namespace weft::algorithm {

/// A library's name for its algorithm of one collective, and ours.
struct LibraryName {
  /// Of how many ranks both send the same.
  enum class Ranks : std::uint8_t { any, even, powers_of_two };

  std::string_view name;
  schedule::CollectiveKind collective;
  std::string_view algorithm;
  Ranks ranks = Ranks::any;
  /// Whether ours takes as many children as there are other ranks (its option radix).
  bool flat = false;
};

/// Of a number of ranks, in words: "any", "even", "powers of two".
std::string_view name_of(LibraryName::Ranks ranks);

struct Library {
  std::string_view name;
  std::string_view source;  // which release, and where its names stand
  std::span<const LibraryName> names;
};

/// In the order of `weft list libraries`.
std::span<const Library> libraries();

/// The library of this name; case is ignored. Throws InvalidInput with the nearest names.
const Library& find_library(std::string_view name);

/// What a library's name stands for among so many ranks.
struct Known {
  std::string_view algorithm;
  std::optional<std::int64_t> radix = {};
};

/// Case is ignored, '-' is '_'. Throws InvalidInput for a name that the library has not for the
/// collective, with those that it has, and for ranks among which ours would send other messages.
Known known_as(const Library& library, const schedule::Collective& collective,
               std::string_view name);

}  // namespace weft::algorithm
