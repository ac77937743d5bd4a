#include "weft/algorithm/libraries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "weft/base/checked.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::algorithm {

namespace {

using enum schedule::CollectiveKind;
using Ranks = LibraryName::Ranks;

// Names end where algorithms of a size begin (its selectors), where messages are none of data
// (barriers between phases), and where a root takes one message after the other (linear gathers,
// reduces and scatters): here they would be under way at once.
constexpr auto kSmpi = std::to_array<LibraryName>({
    {"pair", allgather, "pairwise", Ranks::powers_of_two},
    {"bruck", allgather, "bruck"},
    {"ring", allgather, "lin"},
    {"rdb", allgather, "recursive-doubling", Ranks::powers_of_two},
    {"NTSLR", allgather, "ring"},
    {"NTSLR_NB", allgather, "ring"},
    {"GB", allgather, "gather-broadcast"},
    {"spreading_simple", allgather, "spread"},
    {"ompi_neighborexchange", allgather, "neighbor", Ranks::even},
    {"pair", alltoall, "xor", Ranks::powers_of_two},
    {"bruck", alltoall, "bruck"},
    {"ring", alltoall, "lin"},
    {"basic_linear", alltoall, "spread"},
    {"lr", allreduce, "ring"},
    {"rdb", allreduce, "recursive-doubling"},
    {"rab_rdb", allreduce, "rabenseifner-nearest"},
    {"mvapich2_rs", allreduce, "rabenseifner-nearest"},
    {"redbcast", allreduce, "gather-broadcast"},
    {"binomial_tree", broadcast, "binomial"},
    {"flattree", broadcast, "knomial", Ranks::any, true},
    {"scatter_LR_allgather", broadcast, "scatter-allgather"},
    {"scatter_rdb_allgather", broadcast, "scatter-doubling", Ranks::powers_of_two},
    {"binomial", reduce, "binomial"},
    {"scatter_gather", reduce, "rabenseifner-nearest", Ranks::powers_of_two},
    {"mpich_pair", reduce_scatter, "lin"},
    {"ompi_ring", reduce_scatter, "ring"},
    {"ompi_basic_recursivehalving", reduce_scatter, "recursive-halving", Ranks::powers_of_two},
    {"ompi_binomial", gather, "binomial"},
});

// Those of them that SMPI has from MPICH, or that send the same there, by MPICH's own names.
constexpr auto kMpich = std::to_array<LibraryName>({
    {"brucks", allgather, "bruck"},
    {"recursive_doubling", allgather, "recursive-doubling", Ranks::powers_of_two},
    {"ring", allgather, "ring"},
    {"brucks", alltoall, "bruck"},
    {"recursive_doubling", allreduce, "recursive-doubling"},
    {"reduce_scatter_allgather", allreduce, "rabenseifner-nearest"},
    {"binomial", broadcast, "binomial"},
    {"scatter_ring_allgather", broadcast, "scatter-allgather"},
    {"scatter_recursive_doubling_allgather", broadcast, "scatter-doubling", Ranks::powers_of_two},
    {"binomial", reduce, "binomial"},
    {"reduce_scatter_gather", reduce, "rabenseifner-nearest", Ranks::powers_of_two},
    {"pairwise", reduce_scatter, "lin"},
});

constexpr auto kLibraries = std::to_array<Library>({
    {"smpi", "SimGrid 3.32, values of --cfg=smpi/COLLECTIVE", kSmpi},
    {"mpich", "MPICH 4, values of MPIR_CVAR_COLLECTIVE_INTRA_ALGORITHM", kMpich},
});

std::string comparable(std::string_view name) {
  std::string text = lower(name);
  std::ranges::replace(text, '-', '_');
  return text;
}

bool fits(Ranks which, std::int32_t ranks) {
  switch (which) {
    case Ranks::even:
      return ranks % 2 == 0;
    case Ranks::powers_of_two:
      return is_power_of_two(ranks);
    default:
      return true;
  }
}

}  // namespace

std::string_view name_of(LibraryName::Ranks ranks) {
  switch (ranks) {
    case Ranks::even:
      return "even";
    case Ranks::powers_of_two:
      return "powers of two";
    default:
      return "any";
  }
}

std::span<const Library> libraries() {
  return kLibraries;
}

const Library& find_library(std::string_view name) {
  std::vector<std::string> known;
  for (const Library& library : kLibraries) {
    if (library.name == lower(name)) return library;
    known.emplace_back(library.name);
  }
  reject_unknown({"library", name}, known);
}

Known known_as(const Library& library, const schedule::Collective& collective,
               std::string_view name) {
  std::vector<std::string> known;
  for (const LibraryName& each : library.names) {
    if (each.collective != collective.kind) continue;
    known.emplace_back(each.name);
    if (comparable(each.name) != comparable(name)) continue;
    require(fits(each.ranks, collective.ranks),
            "{0} of {1} is supported for {2} of ranks, but not for {3}, where it sends other "
            "messages",
            each.name, library.name, name_of(each.ranks), collective.ranks);
    return {each.algorithm,
            each.flat ? std::optional(std::max<std::int64_t>(2, collective.ranks)) : std::nullopt};
  }
  require(!known.empty(), "no {} of {} is supported; remove --library",
          schedule::name_of(collective.kind), library.name);
  reject("no {} of {} is supported with the name '{}' (known: {})",
         schedule::name_of(collective.kind), library.name, name, fmt::join(known, ", "));
}

}  // namespace weft::algorithm
