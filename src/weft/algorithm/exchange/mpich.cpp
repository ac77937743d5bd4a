#include "weft/algorithm/exchange/mpich.hpp"

#include <bit>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/tree.hpp"

namespace weft::algorithm {

using schedule::Rank;
using schedule::Schedule;

std::string_view mpich_broadcast_choice(std::int32_t ranks, std::int64_t size_B) {
  if (ranks < kMpichFewestRanks || size_B <= kMpichShortBytes) return "binomial";
  const bool power_of_two = std::has_single_bit(static_cast<std::uint32_t>(ranks));
  return power_of_two && size_B <= kMpichMediumBytes ? "scatter-doubling" : "scatter-allgather";
}

Schedule mpich_broadcast(std::int32_t ranks, Rank root, std::int64_t size_B) {
  const std::string_view choice = mpich_broadcast_choice(ranks, size_B);
  if (choice == "binomial") return binomial_broadcast(ranks, root);
  if (choice == "scatter-doubling") return scatter_doubling_broadcast(ranks, root);
  return scatter_allgather_broadcast(ranks, root);
}

Algorithm mpich_entry() {
  return {
      .name = "mpich",
      .aliases = {},
      .summary =
          "The choice of MPICH by size and ranks: binomial, scatter-doubling or scatter-allgather",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::broadcast},
      .options = {},
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            return mpich_broadcast(ranks, root,
                                   context.options.size_B.value_or(kMpichMediumBytes + 1));
          },
      .sized = true,
  };
}

}  // namespace weft::algorithm
