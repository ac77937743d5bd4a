// Recursive halving, and Rabenseifner's allreduce made of it.
//
// Recursive halving is recursive doubling transposed: in the first step each rank sends the half of
// its buffer that belongs to the other half of the ranks, at distance N / 2, and keeps the sum of
// the rest; the distance and the data halve from step to step, until one block is left. An
// allreduce by halving and then doubling sends 2 (N-1)/N of the buffer in 2 log2 N steps: the
// bandwidth of a ring in few steps.
//
// Other N: the even one of each of the first N - 2^k pairs sends its whole buffer to the odd one
// before, and gets the sum after. The buffer is cut into 2^k equal parts, one for each core rank,
// whatever N is, so that blocks are cut into 2^k units.
//
// Nearest first: MPICH halves at distance 1, 2, 4, ..., so that the largest messages go to the
// nearest ranks, and each core rank ends with the part whose number is its own read backwards in
// bits. Doubling then goes the same way back. Its reduce gathers at the root in place of doubling.
// Source: Rabenseifner, "Optimization of Collective Reduction Operations", ICCS 2004; nearest
// first: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
// MPICH", IJHPCA 19(1), 2005.
#include <fmt/format.h>

#include <bit>
#include <optional>

#include "fold.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/recursive.hpp"
#include "weft/base/checked.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

enum class First : std::uint8_t { farthest, nearest };

/// Halving among the core ranks of a fold: who swaps with whom, and what is whose.
class Halving {
 public:
  Halving(const Fold& fold, First first)
      : core_(fold.core()), extra_(fold.extra()), first_(first) {}

  /// So that the unit line is cut into as many equal parts as there are core ranks.
  std::int64_t units_per_block() const { return extra_ == 0 ? 1 : core_; }
  int rounds() const { return std::countr_zero(static_cast<std::uint64_t>(core_)); }
  std::int64_t distance(int round) const {
    return first_ == First::nearest ? std::int64_t{1} << round : core_ >> (round + 1);
  }
  /// What core rank `c` is left with after so many rounds.
  Piece kept(std::int64_t c, int rounds) const {
    std::int64_t begin = 0;
    for (int round = 0; round < rounds; ++round)
      if ((c & distance(round)) != 0) begin += core_ >> (round + 1);
    const std::int64_t part = extra_ == 0 ? 1 : core_ + extra_;  // units
    return {begin * part, (core_ >> rounds) * part};
  }

 private:
  std::int64_t core_, extra_;
  First first_;
};

/// Halving and doubling among the core ranks, with the others folded.
Schedule folded_rabenseifner(std::int32_t ranks, First first) {
  const Fold fold(ranks);
  const Halving halving(fold, first);
  ScheduleBuilder builder(
      schedule::allreduce(ranks),
      {.algorithm = first == First::nearest ? "rabenseifner-nearest" : "rabenseifner",
       .units_per_block = halving.units_per_block()});
  std::int64_t step = 0;
  for (std::int64_t c = 0; c < fold.extra(); ++c)
    builder.at(step).send(fold.folded(c), fold.agent(c), builder.everything(), Arrival::reduce);
  if (fold.extra() > 0) ++step;
  for (int round = 0; round < halving.rounds(); ++round, ++step)
    for (std::int64_t c = 0; c < fold.core(); ++c) {
      const std::int64_t partner = c ^ halving.distance(round);
      builder.at(step).send(fold.agent(c), fold.agent(partner), halving.kept(partner, round + 1),
                            Arrival::reduce);
    }
  for (int round = halving.rounds(); round-- > 0; ++step)
    for (std::int64_t c = 0; c < fold.core(); ++c)
      builder.at(step).send(fold.agent(c), fold.agent(c ^ halving.distance(round)),
                            halving.kept(c, round + 1));
  for (std::int64_t c = 0; c < fold.extra(); ++c)
    builder.at(step).send(fold.agent(c), fold.folded(c), builder.everything());
  return std::move(builder).build();
}

/// Halving, then what is left is gathered at the root: a power of two of ranks.
Schedule nearest_reduce(std::int32_t ranks, Rank root) {
  const Fold fold(ranks);
  const Halving halving(fold, First::nearest);
  ScheduleBuilder builder(schedule::reduce(ranks, root), {.algorithm = "rabenseifner-nearest"});
  std::int64_t step = 0;
  for (int round = 0; round < halving.rounds(); ++round, ++step)
    for (std::int64_t c = 0; c < ranks; ++c) {
      const std::int64_t partner = c ^ halving.distance(round);
      builder.at(step).send(Agent(c), Agent(partner), halving.kept(partner, round + 1),
                            Arrival::reduce);
    }
  for (int round = halving.rounds(); round-- > 0; ++step)
    for (std::int64_t c = 0; c < ranks; ++c)
      if ((c ^ root.value()) >> round == 1)  // all of its farther ranks are gathered already
        builder.at(step).send(Agent(c), Agent(c ^ halving.distance(round)),
                              halving.kept(c, round + 1));
  return std::move(builder).build();
}

}  // namespace

Schedule recursive_halving_reduce_scatter(std::int32_t ranks) {
  return schedule::transpose(recursive_doubling_allgather(ranks))
      .with_algorithm("recursive-halving");
}

Schedule rabenseifner_allreduce(std::int32_t ranks) {
  if (Fold(ranks).extra() > 0) return folded_rabenseifner(ranks, First::farthest);
  return schedule::concatenate(recursive_halving_reduce_scatter(ranks),
                               recursive_doubling_allgather(ranks))
      .with_algorithm("rabenseifner");
}

Algorithm recursive_halving_entry() {
  return {
      .name = "recursive-halving",
      .aliases = {},
      .summary = "Ranks swap halves of their data with the rank at distance N/2, N/4, ...",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::reduce_scatter},
      .options = {},
      .build =
          [](const Context& context) {
            return recursive_halving_reduce_scatter(context.collective.ranks);
          },
      .outline = {.messages = Outline::Messages::logarithmic},
      .run_by_mpi = {CollectiveKind::reduce_scatter},
  };
}

Algorithm rabenseifner_entry() {
  return {
      .name = "rabenseifner",
      .aliases = {},
      .summary = "Recursive halving, then recursive doubling",
      .source = "Rabenseifner, Optimization of Collective Reduction Operations, 2004",
      .collectives = {CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) { return rabenseifner_allreduce(context.collective.ranks); },
      .too_long = folded_too_long,
      .outline = {.messages = Outline::Messages::logarithmic},
      .tried_early = TriedEarly::few_messages,
      .run_by_mpi = {CollectiveKind::allreduce},
  };
}

namespace {

// Its messages have no symmetry, and are looked at one by one.
std::optional<std::string> nearest_too_long(const Context& context) {
  constexpr std::int64_t kMostMessages = 4'000'000;  // some 10 s
  const std::int64_t ranks = context.collective.ranks;
  const std::int64_t messages = 2 * ranks * std::bit_width(static_cast<std::uint64_t>(ranks));
  if (messages <= kMostMessages) return std::nullopt;
  return fmt::format("{} million messages take long one by one", messages / 1'000'000);
}

}  // namespace

Algorithm rabenseifner_nearest_entry() {
  return {
      .name = "rabenseifner-nearest",
      .aliases = {},
      .summary = "Halving at distance 1, 2, 4, ..., then doubling (a reduce gathers), as in MPICH",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::allreduce, CollectiveKind::reduce},
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (context.collective.kind == CollectiveKind::allreduce ||
            is_power_of_two(context.collective.ranks))
          return std::nullopt;
        return "its reduce needs a power of two of ranks";
      },
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            return kind == CollectiveKind::allreduce ? folded_rabenseifner(ranks, First::nearest)
                                                     : nearest_reduce(ranks, root);
          },
      .too_long = nearest_too_long,
      .outline = {.messages = Outline::Messages::logarithmic},
  };
}

}  // namespace weft::algorithm
