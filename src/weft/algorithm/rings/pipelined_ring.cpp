// Pipelined ring: the ring whose blocks go in segments, each a step behind the one before.
//
// A ring passes on whole blocks. Where one block has most of the bytes (allgatherv), each of its
// N - 1 hops waits for all of it, so that the time is (N - 1) S for a block of S. In s segments the
// hops overlap: N - 2 + s steps of S / s, which is S and a little. Blocks of one size gain nothing,
// and pay more steps; "all that apply" has the plain ring for them.
//
// Without a number of segments it takes, for M bytes in all blocks, the s that makes
//
//     (N - 2 + s) * (L + M / (s B)) + (N - 1) s A
//
// least, L the latency of a link, A the start-up of a message, B a node's bandwidth: the square
// root of (N - 2) M / B over L + (N - 1) A. It takes 4 (N - 1) at most, with which a ring takes a
// quarter more than the least, and no more than a million messages. Source: Traff, Ripke, Siebert,
// Balaji, Thakur, Gropp, "A Pipelined Algorithm for Large, Irregular All-Gather Problems", IJHPCA
// 24(1), 2010.
#include <algorithm>
#include <cmath>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/network/host_costs.hpp"

namespace weft::algorithm {

namespace {

// What a segment more adds, bytes apart.
double added_s(const Network& network, std::int64_t ranks) {
  WEFT_ASSERT(ranks >= 1);
  std::int64_t longest_ps = 0;
  for (const LinkId link : network.topology().links())
    longest_ps = std::max(longest_ps, network.fabric().latency_ps(link));
  const auto startups_ps = static_cast<double>(network::startups_ps(network.host()));
  return (static_cast<double>(longest_ps) + static_cast<double>(ranks - 1) * startups_ps) * 1e-12;
}

std::int64_t chosen_segments(const Context& context) {
  constexpr std::int64_t kMostMessages = 1'000'000;
  const std::int64_t ranks = context.collective.ranks;
  const std::int64_t hops = std::max<std::int64_t>(1, ranks * (ranks - 1));
  const std::int64_t most =
      std::max<std::int64_t>(1, std::min(4 * (ranks - 1), kMostMessages / hops));
  if (context.network == nullptr || !context.options.size_B) return most;
  const double bytes = static_cast<double>(context.collective.total_bytes(*context.options.size_B));
  const double shared = added_s(*context.network, ranks) *
                        static_cast<double>(context.network->fabric().node_egress_Bps());
  if (shared <= 0) return most;
  const double best = std::sqrt(static_cast<double>(ranks - 2) * bytes / shared);
  return std::clamp(static_cast<std::int64_t>(std::min(best, 1e15)), std::int64_t{1}, most);
}

}  // namespace

Algorithm pipelined_ring_entry() {
  return {
      .name = "pipelined-ring",
      .aliases = {},
      .summary = "A ring in segments, for blocks of unequal sizes",
      .source =
          "Traff, Ripke, Siebert, Balaji, Thakur, Gropp, A Pipelined Algorithm for Large, "
          "Irregular All-Gather Problems, 2010",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter},
      .options = {kSegments},
      .build =
          [](const Context& context) {
            const std::int32_t ranks = context.collective.ranks;
            const std::int64_t segments =
                kSegments.given(context.options).value_or(chosen_segments(context));
            const Schedule ring = context.collective.kind == CollectiveKind::allgather
                                      ? ring_allgather(ranks)
                                      : ring_reduce_scatter(ranks);
            return ring.with_segments({.count = segments, .stride = 1});
          },
      .pipelined = {CollectiveKind::broadcast},  // none of its own: only unequal blocks gain
      .sized = true,
      .named_only = true,
      .outline = {.messages = Outline::Messages::pipelined},
  };
}

}  // namespace weft::algorithm
