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
// Source: Rabenseifner, "Optimization of Collective Reduction Operations", ICCS 2004.
#include "fold.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/exchange/recursive.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

/// Halving and doubling among the core ranks, with the others folded.
Schedule folded_rabenseifner(std::int32_t ranks) {
  const Fold fold(ranks);
  ScheduleBuilder builder(schedule::allreduce(ranks),
                          {.algorithm = "rabenseifner", .units_per_block = fold.core()});
  // The line has ranks * core units: part p is the `ranks` units from p * ranks on.
  const auto parts = [&](std::int64_t first, std::int64_t count) {
    return Piece{first * ranks, count * ranks};
  };
  std::int64_t step = 0;
  for (std::int64_t c = 0; c < fold.extra(); ++c)
    builder.at(step).send(fold.folded(c), fold.agent(c), builder.everything(), Arrival::reduce);
  ++step;
  for (std::int64_t distance = fold.core() / 2; distance > 0; distance /= 2, ++step)
    for (std::int64_t c = 0; c < fold.core(); ++c) {
      const std::int64_t partner = c ^ distance;
      builder.at(step).send(fold.agent(c), fold.agent(partner),
                            parts(partner / distance * distance, distance), Arrival::reduce);
    }
  for (std::int64_t distance = 1; distance < fold.core(); distance *= 2, ++step)
    for (std::int64_t c = 0; c < fold.core(); ++c)
      builder.at(step).send(fold.agent(c), fold.agent(c ^ distance),
                            parts(c / distance * distance, distance));
  for (std::int64_t c = 0; c < fold.extra(); ++c)
    builder.at(step).send(fold.agent(c), fold.folded(c), builder.everything());
  return std::move(builder).build();
}

}  // namespace

Schedule recursive_halving_reduce_scatter(std::int32_t ranks) {
  return schedule::transpose(recursive_doubling_allgather(ranks))
      .with_algorithm("recursive-halving");
}

Schedule rabenseifner_allreduce(std::int32_t ranks) {
  if (Fold(ranks).extra() > 0) return folded_rabenseifner(ranks);
  return schedule::concatenate(recursive_halving_reduce_scatter(ranks),
                               recursive_doubling_allgather(ranks))
      .with_algorithm("rabenseifner");
}

Algorithm recursive_halving_entry() {
  return {
      .name = "recursive-halving",
      .aliases = {},
      .summary = "send the other half's half of the data at distance N/2, N/4, ...",
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
  };
}

Algorithm rabenseifner_entry() {
  return {
      .name = "rabenseifner",
      .aliases = {},
      .summary = "recursive halving, then recursive doubling",
      .source = "Rabenseifner, Optimization of Collective Reduction Operations, 2004",
      .collectives = {CollectiveKind::allreduce},
      .options = {},
      .build =
          [](const Context& context) { return rabenseifner_allreduce(context.collective.ranks); },
      .outline = {.messages = Outline::Messages::logarithmic},
  };
}

}  // namespace weft::algorithm
