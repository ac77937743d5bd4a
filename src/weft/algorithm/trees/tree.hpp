// Binomial and k-nomial trees, and what is made of them.
#pragma once

#include "weft/algorithm/trees/children.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// ceil(log_radix N) steps of up to radix - 1 messages a rank, N - 1 messages in all; a rank that
/// serves its children together sends all its messages in one step. All throw InvalidInput for a
/// radix below 2 or a root that is no rank.
schedule::Schedule knomial_broadcast(std::int32_t ranks, schedule::Rank root, int radix,
                                     TreeChildren children = TreeChildren::in_turn);
schedule::Schedule knomial_reduce(std::int32_t ranks, schedule::Rank root, int radix,
                                  TreeChildren children = TreeChildren::in_turn);
schedule::Schedule knomial_scatter(std::int32_t ranks, schedule::Rank root, int radix,
                                   TreeChildren children = TreeChildren::in_turn);
schedule::Schedule knomial_gather(std::int32_t ranks, schedule::Rank root, int radix,
                                  TreeChildren children = TreeChildren::in_turn);

/// k-nomial with radix 2: ceil(log2 N) steps. Reduction to root 0 keeps the order of operands.
schedule::Schedule binomial_broadcast(std::int32_t ranks, schedule::Rank root = schedule::Rank(0));
schedule::Schedule binomial_reduce(std::int32_t ranks, schedule::Rank root = schedule::Rank(0));
schedule::Schedule binomial_scatter(std::int32_t ranks, schedule::Rank root = schedule::Rank(0));
schedule::Schedule binomial_gather(std::int32_t ranks, schedule::Rank root = schedule::Rank(0));
/// Binomial tree whose ranks send to the nearest rank first: in step j rank v < 2^j, counted from
/// the root, to v + 2^j. ceil(log2 N) steps; the ranks that were reached last stay leaves.
schedule::Schedule binomial_nearest_broadcast(std::int32_t ranks, schedule::Rank root,
                                              TreeChildren children = TreeChildren::in_turn);
schedule::Schedule binomial_nearest_reduce(std::int32_t ranks, schedule::Rank root,
                                           TreeChildren children = TreeChildren::in_turn);
/// Reduce to rank 0, then broadcast: 2 ceil(log2 N) steps.
schedule::Schedule binomial_allreduce(std::int32_t ranks);

/// An allgather or allreduce by way of rank 0, to which all others send at once: ceil(log2 N) + 1
/// steps.
schedule::Schedule gather_broadcast(std::int32_t ranks, schedule::CollectiveKind kind);

/// Broadcast by a binomial scatter and a ring allgather: ceil(log2 N) + N - 1 steps, each rank
/// sends less than twice the buffer.
schedule::Schedule scatter_allgather_broadcast(std::int32_t ranks,
                                               schedule::Rank root = schedule::Rank(0));

/// Broadcast by a binomial scatter and an allgather by recursive doubling: 2 ceil(log2 N) steps for
/// powers of two.
schedule::Schedule scatter_doubling_broadcast(std::int32_t ranks,
                                              schedule::Rank root = schedule::Rank(0));

}  // namespace weft::algorithm
