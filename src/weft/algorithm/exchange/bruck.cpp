// Bruck: the distances between ranks, written in radix r, are travelled digit by digit.
//
// Allgather. After j steps rank i holds the blocks i .. i + r^j - 1 (modulo N). In step j it sends
// them to the ranks i - z r^j, z = 1 .. r-1, for which they are the blocks z r^j .. (z+1) r^j - 1
// further on; the last step sends only what is missing. Nothing is sent twice: T_B is that of a
// ring where the links are as fast, in ceil(log_r N) steps.
//
// All-to-all. Block (s, d) has the distance D = d - s mod N. In step j it moves on by z r^j, z the
// j-th digit of D, and so is at s + (D mod r^j) before. Each block is sent once per non-zero digit:
// for r = 2 half of the data in each of log2 N steps. Many small blocks share a message.
//
// The r - 1 messages of a digit do not depend on each other and share a step; on a network with one
// port they follow one another, which the simulators charge for.
// Both patterns shift: rank 0's messages are stored alone.
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient Algorithms for All-to-All Communications
// in Multiport Message-Passing Systems", IEEE TPDS 8(11), 1997.
#include <algorithm>

#include "shift_pattern.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

constexpr CountOption kBase = kRadix.or_else("2");

/// ceil(log_radix N) steps of up to radix - 1 messages a rank.
Schedule bruck_allgather(std::int32_t ranks, std::int64_t radix) {
  WEFT_ASSERT(radix >= 2);
  ScheduleBuilder builder(schedule::allgather(ranks),
                          {.algorithm = "bruck", .symmetry = cyclic(ranks)});
  std::int64_t step = 0;
  for (std::int64_t held = 1; held < ranks; held *= radix, ++step)
    for (std::int64_t ahead = held; ahead < std::min<std::int64_t>(held * radix, ranks);
         ahead += held)
      builder.at(step).send(Agent(0), Agent(ranks - ahead),
                            builder.blocks(0, std::min(held, ranks - ahead)));
  return std::move(builder).build();
}

/// The same; blocks are forwarded, each once for every non-zero digit of the distance that it
/// travels.
Schedule bruck_alltoall(std::int32_t ranks, std::int64_t radix) {
  WEFT_ASSERT(radix >= 2);
  ScheduleBuilder builder(schedule::alltoall(ranks),
                          {.algorithm = "bruck", .symmetry = cyclic(ranks)});
  std::vector<Piece> pieces;
  std::int64_t step = 0;
  for (std::int64_t weight = 1; weight < ranks; weight *= radix, ++step)
    for (std::int64_t z = 1; z < radix && z * weight < ranks; ++z) {
      pieces.clear();
      for (std::int64_t distance = z * weight; distance < ranks; ++distance) {
        if (distance / weight % radix != z) continue;
        const std::int64_t source = mod(-(distance % weight), ranks);
        pieces.push_back(builder.block(source * ranks + mod(source + distance, ranks)));
      }
      builder.at(step).send(Agent(0), Agent(z * weight), pieces);
    }
  return std::move(builder).build();
}

}  // namespace

Algorithm bruck_entry() {
  return {
      .name = "bruck",
      .aliases = {},
      .summary = "Blocks travel their distance digit by digit, combined in few messages",
      .source =
          "Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient Algorithms for All-to-All "
          "Communications in Multiport Message-Passing Systems, 1997",
      .collectives = {CollectiveKind::alltoall, CollectiveKind::allgather},
      .options = {kBase},
      .build =
          [](const Context& context) {
            const std::int32_t ranks = context.collective.ranks;
            const std::int64_t radix = kBase.in(context.options);
            return context.collective.kind == CollectiveKind::alltoall
                       ? bruck_alltoall(ranks, radix)
                       : bruck_allgather(ranks, radix);
          },
      .outline = {.messages = Outline::Messages::logarithmic, .forwards = true},
      .tried_early = TriedEarly::few_messages,
      .run_by_mpi = {CollectiveKind::allgather, CollectiveKind::alltoall},
  };
}

}  // namespace weft::algorithm
