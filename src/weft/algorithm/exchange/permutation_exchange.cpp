// LIN and XOR: exchanges in phases that know nothing of the network.
//
// Both are regular in the ranks: LIN under shifts of all ranks, XOR under exclusive-or, so that
// rank 0's messages are stored alone. On a tree both send in some phases everything across the
// top, and in others nothing.
// Source: Zahavi, "Fat-Trees Routing and Node Ordering Providing Contention Free Traffic for MPI
// Global Collectives", IPDPS Workshops 2011; Prisacari, Rodriguez, Minkenberg, Hoefler,
// "Bandwidth-optimal All-to-all Exchanges in Fat Tree Networks", ICS 2013, section 2.
#include "weft/algorithm/exchange/permutation_exchange.hpp"

#include "shift_pattern.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/phases.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

using schedule::Collective;

namespace {

constexpr CountOption kShift{{.name = "shift",
                              .what = "Shift of lin",
                              .most = std::numeric_limits<std::int64_t>::max(),
                              .otherwise = "0",
                              .range = "0 to ranks - 1"}};

}  // namespace

Schedule lin_exchange(const Collective& collective, std::int64_t shift) {
  const std::int64_t n = collective.ranks;
  require(shift >= 0 && shift < n, "shift {} is out of range for {} ranks (0 to {})", shift, n,
          n - 1);
  Phases phases(collective, {.algorithm = "lin", .symmetry = cyclic(collective.ranks)});
  for (std::int64_t p = 0; p < n; ++p) {
    phases.send(0, mod(p + shift, n));
    phases.next();
  }
  return std::move(phases).build();
}

Schedule xor_exchange(const Collective& collective) {
  require(is_power_of_two(collective.ranks),
          "xor needs a power of two, not {} ranks; use lin or pairwise", collective.ranks);
  Phases phases(collective, {.algorithm = "xor", .symmetry = exclusive_or(collective.ranks)});
  for (std::int64_t p = 0; p < collective.ranks; ++p) {
    phases.send(0, p);
    phases.next();
  }
  return std::move(phases).build();
}

Algorithm lin_entry() {
  return {
      .name = "lin",
      .aliases = {},
      .summary = "Rank r sends to rank r + t + shift in phase t, its own block included",
      .source = "Zahavi, Fat-Trees Routing and Node Ordering, 2011",
      .collectives = kPhasedCollectives,
      .options = {kShift},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        const std::int64_t shift = kShift.given(context.options).value_or(0);
        if (shift < context.collective.ranks) return std::nullopt;
        return fmt::format("shift {} is out of range, 0 to {}", shift,
                           context.collective.ranks - 1);
      },
      .build =
          [](const Context& context) {
            return lin_exchange(context.collective, kShift.given(context.options).value_or(0));
          },
      .pair_messages = PairMessages::in_steps,
  };
}

Algorithm xor_entry() {
  return {
      .name = "xor",
      .aliases = {},
      .summary = "Rank r sends to rank r xor t in phase t, its own block included",
      .source = "Zahavi, Fat-Trees Routing and Node Ordering, 2011",
      .collectives = kPhasedCollectives,
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (is_power_of_two(context.collective.ranks)) return std::nullopt;
        return "it needs a power of two of ranks; lin runs on any number";
      },
      .build = [](const Context& context) { return xor_exchange(context.collective); },
      .pair_messages = PairMessages::in_steps,
  };
}

}  // namespace weft::algorithm
