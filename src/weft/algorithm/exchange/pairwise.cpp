// Pairwise exchange: every block goes straight from its source to its destination.
//
// All-to-all needs N(N-1) blocks moved; without forwarding each rank sends N - 1 messages. They
// differ in which go together. Pairwise, for powers of two: in step t the ranks r and r xor t swap
// blocks, so that on a full-duplex network each rank sends to and receives from one other. Shift:
// rank r sends to r + t and receives from r - t, for any N; pairwise falls back on it. Spread
// starts all at once and leaves the order to the network. An allgather sends one's own block to
// all, a reduce-scatter is its transpose, and an allreduce one after the other: in boxes whose
// switches join all GPUs it takes two steps. All are symmetric under the group of their offsets, so
// that rank 0's messages are stored alone. Source: Thakur, Rabenseifner, Gropp, "Optimization of
// Collective Communication Operations in MPICH", IJHPCA 19(1), 2005 (pairwise exchange, long
// messages); spread: ibid., "irecv-isend".
#include "weft/algorithm/exchange/pairwise.hpp"

#include "shift_pattern.hpp"
#include "weft/algorithm/element_ranks.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/halves.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::algorithm {

namespace {

/// Rank 0 sends to every other rank in order, each in a step of its own or all in one. Block (0, t)
/// of an all-to-all is block t of the unit line.
Schedule to_everyone(const Collective& collective, const char* name, const Symmetry& symmetry,
                     bool one_step) {
  ScheduleBuilder builder(collective, {.algorithm = name, .symmetry = symmetry});
  const bool alltoall = collective.kind == CollectiveKind::alltoall;
  for (std::int64_t t = 1; t < collective.ranks; ++t)
    builder.at(one_step ? 0 : t - 1).send(Agent(0), Agent(t), builder.block(alltoall ? t : 0));
  return std::move(builder).build();
}

Symmetry offsets(std::int32_t ranks) {
  return is_power_of_two(ranks) ? exclusive_or(ranks) : cyclic(ranks);
}

/// One step to everyone is the same from each rank under any group of the ranks: where the network
/// has one, that, since routes and links then move with the schedule.
Symmetry symmetry_of_spread(const Context& context) {
  const std::int32_t ranks = context.collective.ranks;
  if (context.network == nullptr) return cyclic(ranks);
  const auto view = topology::as_cayley(context.network->topology());
  if (!view || !view->nodes_are_elements() || view->group().order() != ranks ||
      !ranks_are_elements(*view, context.network->placement().nodes))
    return cyclic(ranks);
  return Symmetry(view->group());
}

/// Where ranks are joined directly, what goes straight to all crosses most links several times.
std::optional<std::string> misfit_without_switches(const Context& context) {
  if (context.network == nullptr || context.network->topology().has_switches()) return std::nullopt;
  return "it needs switches between ranks (use direct on complete graphs)";
}

}  // namespace

Schedule pairwise_alltoall(std::int32_t ranks) {
  return to_everyone(schedule::alltoall(ranks), "pairwise", offsets(ranks), false);
}

Schedule pairwise_allgather(std::int32_t ranks) {
  return to_everyone(schedule::allgather(ranks), "pairwise", offsets(ranks), false);
}

Schedule shift_alltoall(std::int32_t ranks) {
  return to_everyone(schedule::alltoall(ranks), "shift", cyclic(ranks), false);
}

Schedule spread_alltoall(std::int32_t ranks) {
  return to_everyone(schedule::alltoall(ranks), "spread", cyclic(ranks), true);
}

Schedule spread_allgather(std::int32_t ranks) {
  return to_everyone(schedule::allgather(ranks), "spread", cyclic(ranks), true);
}

Algorithm pairwise_entry() {
  return {
      .name = "pairwise",
      .aliases = {},
      .summary =
          "Rank r swaps blocks with rank r xor t in step t if N is a power of two, else it sends "
          "to r + t",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::alltoall, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce},
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (context.collective.kind == CollectiveKind::alltoall ||
            context.collective.kind == CollectiveKind::allgather)
          return std::nullopt;
        return misfit_without_switches(context);
      },
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            return kind == CollectiveKind::alltoall
                       ? pairwise_alltoall(ranks)
                       : from_allgather(pairwise_allgather(ranks), kind);
          },
      .pair_messages = PairMessages::in_steps,
      .run_by_mpi = {CollectiveKind::reduce_scatter, CollectiveKind::alltoall},
  };
}

Algorithm shift_entry() {
  return {
      .name = "shift",
      .aliases = {},
      .summary = "Rank r sends to rank r + t in step t",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::alltoall},
      .options = {},
      .build = [](const Context& context) { return shift_alltoall(context.collective.ranks); },
      .pair_messages = PairMessages::in_steps,
  };
}

Algorithm spread_entry() {
  return {
      .name = "spread",
      .aliases = {},
      .summary = "Every rank sends to all others in one step",
      .source =
          "Thakur, Rabenseifner, Gropp, Optimization of Collective Communication Operations "
          "in MPICH, 2005",
      .collectives = {CollectiveKind::alltoall, CollectiveKind::allgather,
                      CollectiveKind::reduce_scatter, CollectiveKind::allreduce},
      .options = {},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (context.collective.kind == CollectiveKind::alltoall) return std::nullopt;
        return misfit_without_switches(context);
      },
      .build =
          [](const Context& context) {
            const CollectiveKind kind = context.collective.kind;
            const Symmetry symmetry = symmetry_of_spread(context);
            const std::int32_t ranks = context.collective.ranks;
            if (kind == CollectiveKind::alltoall)
              return to_everyone(schedule::alltoall(ranks), "spread", symmetry, true);
            return from_allgather(to_everyone(schedule::allgather(ranks), "spread", symmetry, true),
                                  kind);
          },
      .tried_early = TriedEarly::near_bound,
      .pair_messages = PairMessages::in_one_step,
      .run_by_mpi = {CollectiveKind::alltoall},
  };
}

}  // namespace weft::algorithm
