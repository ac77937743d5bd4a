// Recursive doubling: in step t every rank swaps all that it has with the rank at distance 2^t.
//
// For N = 2^k ranks, rank r swaps with r xor 2^t; after step t it holds what the 2^(t+1) ranks that
// agree with it in the higher bits had. In an allgather these are neighbouring blocks; in an
// allreduce, contributions of neighbouring ranks, so that every operand is an interval and the
// order is kept. Other N: the even one of each of the first N - 2^k pairs sends its data to the odd
// one first, and gets the rest in the end (see fold.hpp). For powers of two the pattern is
// symmetric under exclusive-or: rank 0's messages stand for all. Source: Thakur, Rabenseifner,
// Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005.
#include <fmt/core.h>

#include "fold.hpp"
#include "shift_pattern.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/recursive.hpp"

namespace weft::algorithm {

namespace {

ScheduleOptions doubling_options(const Fold& fold) {
  return {.algorithm = "recursive-doubling",
          .symmetry = fold.extra() == 0 ? exclusive_or(static_cast<std::int32_t>(fold.core()))
                                        : Symmetry()};
}

/// Core ranks whose messages are written out: under symmetry one stands for all.
std::int64_t senders(const Fold& fold) {
  return fold.extra() == 0 ? 1 : fold.core();
}

}  // namespace

Schedule recursive_doubling_allgather(std::int32_t ranks) {
  const Fold fold(ranks);
  ScheduleBuilder builder(schedule::allgather(ranks), doubling_options(fold));
  std::int64_t step = 0;
  if (fold.extra() > 0) {
    for (std::int64_t c = 0; c < fold.extra(); ++c)
      builder.at(step).send(fold.folded(c), fold.agent(c), builder.block(2 * c));
    ++step;
  }
  for (std::int64_t distance = 1; distance < fold.core(); distance *= 2, ++step)
    for (std::int64_t c = 0; c < senders(fold); ++c) {
      const std::int64_t first = c / distance * distance;
      const std::int64_t begin = fold.first_rank(first), end = fold.first_rank(first + distance);
      builder.at(step).send(fold.agent(c), fold.agent(c ^ distance),
                            builder.blocks(begin, end - begin));
    }
  for (std::int64_t c = 0; c < fold.extra(); ++c)
    builder.at(step).send(fold.agent(c), fold.folded(c),
                          builder.cyclic_blocks(2 * c + 1, ranks - 1));
  return std::move(builder).build();
}

Schedule recursive_doubling_allreduce(std::int32_t ranks) {
  const Fold fold(ranks);
  ScheduleBuilder builder(schedule::allreduce(ranks), doubling_options(fold));
  const Piece all = builder.everything();
  std::int64_t step = 0;
  if (fold.extra() > 0) {
    for (std::int64_t c = 0; c < fold.extra(); ++c)
      builder.at(step).send(fold.folded(c), fold.agent(c), all, Arrival::reduce);
    ++step;
  }
  for (std::int64_t distance = 1; distance < fold.core(); distance *= 2, ++step)
    for (std::int64_t c = 0; c < senders(fold); ++c)
      builder.at(step).send(fold.agent(c), fold.agent(c ^ distance), all, Arrival::reduce);
  for (std::int64_t c = 0; c < fold.extra(); ++c)
    builder.at(step).send(fold.agent(c), fold.folded(c), all);
  return std::move(builder).build();
}

Algorithm recursive_doubling_entry() {
  return {
      .name = "recursive-doubling",
      .aliases = {},
      .summary = "Ranks swap all their data with the rank at distance 1, 2, 4, ...",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::allgather, CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) {
            return context.collective.kind == CollectiveKind::allgather
                       ? recursive_doubling_allgather(context.collective.ranks)
                       : recursive_doubling_allreduce(context.collective.ranks);
          },
      .too_long = folded_too_long,
      .outline = {.messages = Outline::Messages::logarithmic},
      .tried_early = TriedEarly::few_messages,
      .run_by_mpi = {CollectiveKind::allreduce, CollectiveKind::allgather},
  };
}

}  // namespace weft::algorithm
