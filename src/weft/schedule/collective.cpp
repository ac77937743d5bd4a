#include "weft/schedule/collective.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/unknown_collective.hpp"

namespace weft::schedule {

namespace {

constexpr auto kTraits = std::to_array<CollectiveTraits>({
    {.name = "broadcast",
     .summary = "the root's buffer to every rank; --size is the buffer",
     .at_first = Holding::all_at_root,
     .at_end = Holding::all,
     .of_mpi = {"MPI_Bcast"}},
    {.name = "reduce",
     .summary = "all buffers combined at the root; --size is the buffer",
     .at_first = Holding::all,
     .at_end = Holding::all_at_root,
     .of_mpi = {"MPI_Reduce"}},
    {.name = "scatter",
     .summary = "a block of the root's to each rank; --size is one block",
     .at_first = Holding::all_at_root,
     .at_end = Holding::own,
     .of_mpi = {"MPI_Scatter"}},
    {.name = "gather",
     .summary = "each rank's block to the root; --size is one block",
     .at_first = Holding::own,
     .at_end = Holding::all_at_root,
     .of_mpi = {"MPI_Gather"}},
    {.name = "allgather",
     .summary = "each rank's block to every rank; --size is one block",
     .at_first = Holding::own,
     .at_end = Holding::all,
     .of_mpi = {"MPI_Allgather"},
     .of_mpi_with_counts = "MPI_Allgatherv"},
    {.name = "reduce-scatter",
     .summary =
         "all buffers combined, a block of the result to each rank; --size is the whole input",
     .at_first = Holding::all,
     .at_end = Holding::own,
     .of_mpi = {"MPI_Reduce_scatter_block"},
     .of_mpi_with_counts = "MPI_Reduce_scatter"},
    {.name = "allreduce",
     .summary = "all buffers combined, the result to every rank; --size is the buffer",
     .at_first = Holding::all,
     .at_end = Holding::all,
     .of_mpi = {"MPI_Allreduce", "MPI_Barrier"}},  // a barrier combines one byte
    {.name = "alltoall",
     .summary = "a block from each rank to each rank; --size is the block for one destination",
     .at_first = Holding::sent,
     .at_end = Holding::received,
     .of_mpi = {"MPI_Alltoall"},
     .of_mpi_with_counts = "MPI_Alltoallv"},
    {.name = "point-to-point",
     .summary = "a block from one rank to another; --size is the block",
     .at_first = Holding::all_at_root,
     .at_end = Holding::all_at_peer},
});
static_assert(kTraits.size() == kCollectiveKinds.size(), "a row for each kind");

bool is_part(Holding share) {
  return share == Holding::own || share == Holding::sent || share == Holding::received;
}

BlockRuns runs_of(Holding share, const Collective& collective, Rank rank) {
  const BlockRuns nothing{}, all{0, collective.blocks(), 0, 1};
  const std::int32_t ranks = collective.ranks;
  switch (share) {
    case Holding::all:
      return all;
    case Holding::all_at_root:
      return rank == collective.root ? all : nothing;
    case Holding::all_at_peer:
      return rank == collective.peer ? all : nothing;
    case Holding::own:
      return {rank.value(), 1, 0, 1};
    case Holding::sent:
      return {std::int64_t{rank.value()} * ranks, ranks, 0, 1};
    case Holding::received:
      return {rank.value(), 1, ranks, ranks};
  }
  return nothing;
}

// What the end of reversed messages is that had this beginning, and the other way round.
Holding reversed(Holding share) {
  return share == Holding::sent       ? Holding::received
         : share == Holding::received ? Holding::sent
                                      : share;
}

// Calls of MPI, NCCL and OpenSHMEM that are no collective here.
constexpr std::array kMeanings = {
    Meaning{"barrier", "a barrier takes as long as an allreduce of 8B; use allreduce"},
    Meaning{"fence", "a barrier takes as long as an allreduce of 8B; use allreduce"},
    Meaning{"bcast", "it is called broadcast here"},
    Meaning{"allgatherv",
            "simulate, compare and plan support it, with --counts; elsewhere use allgather"},
    Meaning{"reduce_scatterv",
            "simulate, compare and plan support it, with --counts; elsewhere use reduce-scatter"},
    Meaning{"gatherv", "weft has no collectives of uneven blocks; use gather"},
    Meaning{"scatterv", "weft has no collectives of uneven blocks; use scatter"},
    Meaning{"alltoallv",
            "simulate, compare and plan support it, with --counts; elsewhere use alltoall"},
    Meaning{"alltoallw", "simulate and compare take alltoallv, with --counts: ask for alltoall"},
    Meaning{"a2a", "it is called alltoall here"},
    Meaning{"all2all", "it is called alltoall here"},
    Meaning{"reduce_scatter_block", "it is called reduce-scatter here"},
    Meaning{"scan", "weft has no scan; a reduce sends as many bytes, so use reduce"},
    Meaning{"exscan", "weft has no scan; a reduce sends as many bytes, so use reduce"},
    Meaning{"sendrecv", "a message from one rank to another is point-to-point here"},
    Meaning{"pingpong", "a message from one rank to another is point-to-point here"},
    Meaning{"p2p", "a message from one rank to another is point-to-point here"}};

std::string letters(std::string_view name) {
  std::string result = lower(name);
  std::erase_if(result, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return result;
}

}  // namespace

bool CollectiveTraits::splits() const {
  return is_part(at_first) || is_part(at_end);
}

const CollectiveTraits& traits_of(CollectiveKind kind) {
  return kTraits[static_cast<std::size_t>(kind)];
}

std::string_view name_of(CollectiveKind kind) {
  return traits_of(kind).name;
}
std::string_view summary_of(CollectiveKind kind) {
  return traits_of(kind).summary;
}

RankInterval contributors_of(const Collective& collective, Rank rank) {
  const auto contributors = traits_of(collective.kind).contributors;
  return contributors == nullptr ? RankInterval{0, collective.ranks}
                                 : contributors(collective.ranks, rank.value());
}

std::optional<CollectiveKind> collective_of_mpi(std::string_view function) {
  if (function.empty()) return std::nullopt;
  for (const CollectiveKind kind : kCollectiveKinds)
    if (const CollectiveTraits& traits = traits_of(kind);
        traits.of_mpi_with_counts == function ||
        std::ranges::find(traits.of_mpi, function) != traits.of_mpi.end())
      return kind;
  return std::nullopt;
}

std::optional<CollectiveKind> transposed(CollectiveKind kind) {
  const CollectiveTraits& traits = traits_of(kind);
  if (traits.between_two()) return kind;
  if (traits.reduces() && traits.at_end == Holding::all) return std::nullopt;
  for (const CollectiveKind other : kCollectiveKinds)
    if (traits_of(other).at_first == reversed(traits.at_end) &&
        traits_of(other).at_end == reversed(traits.at_first))
      return other;
  return std::nullopt;
}

Origin origin_of(const Collective& collective, std::int64_t block) {
  WEFT_ASSERT(block >= 0 && block < collective.blocks());
  switch (traits_of(collective.kind).at_first) {
    case Holding::own:
      return {Rank(block), 0};
    case Holding::sent:
      return {Rank(block / collective.ranks), block % collective.ranks};
    default:
      return {collective.root, block};
  }
}

std::optional<std::int64_t> position_in(const BlockRuns& runs, std::int64_t block) {
  WEFT_ASSERT(runs.times <= 1 || runs.stride >= runs.count);  // runs do not overlap
  const std::int64_t behind = block - runs.first;
  if (runs.count == 0 || behind < 0) return std::nullopt;
  const std::int64_t run = runs.times == 1 ? 0 : behind / runs.stride;
  const std::int64_t within = behind - run * runs.stride;
  if (run >= runs.times || within >= runs.count) return std::nullopt;
  return run * runs.count + within;
}

std::int64_t block_at(const BlockRuns& runs, std::int64_t position) {
  WEFT_ASSERT(position >= 0 && position < runs.total());
  return runs.first + position / runs.count * runs.stride + position % runs.count;
}

CollectiveKind parse_collective(std::string_view name) {
  for (const CollectiveKind kind : kCollectiveKinds)
    if (letters(name) == letters(name_of(kind))) return kind;
  reject_collective(name);
}

void reject_collective(std::string_view name, std::span<const std::string> others) {
  std::vector<std::string> known;
  for (const CollectiveKind kind : kCollectiveKinds) known.emplace_back(name_of(kind));
  known.insert(known.end(), others.begin(), others.end());
  reject_unknown({"collective", name}, known, kMeanings);
}

std::int64_t Collective::blocks() const {
  const CollectiveTraits& traits = traits_of(kind);
  return traits.by_pair() ? std::int64_t{ranks} * ranks : traits.between_two() ? 1 : ranks;
}

bool Collective::reduces() const {
  return traits_of(kind).reduces();
}

bool Collective::rooted() const {
  return traits_of(kind).rooted();
}

BlockRuns Collective::held_at_first(Rank rank) const {
  WEFT_ASSERT(rank.value() >= 0 && rank.value() < ranks);
  return runs_of(traits_of(kind).at_first, *this, rank);
}

BlockRuns Collective::wanted(Rank rank) const {
  WEFT_ASSERT(rank.value() >= 0 && rank.value() < ranks);
  return runs_of(traits_of(kind).at_end, *this, rank);
}

std::int64_t Collective::blocks_in_m() const {
  return traits_of(kind).between_two() ? 1 : ranks;
}

bool Collective::size_is_block() const {
  const CollectiveTraits& traits = traits_of(kind);
  return traits.splits() && !traits.reduces();
}

bool Collective::whole_buffer() const {
  const CollectiveTraits& traits = traits_of(kind);
  return !traits.splits() && !traits.between_two();
}

std::int64_t Collective::total_bytes(std::int64_t size_B) const {
  WEFT_ASSERT(size_B >= 0);
  if (!size_is_block()) return size_B;
  require(size_B <= std::numeric_limits<std::int64_t>::max() / blocks(),
          "{} blocks of {} bytes do not fit in 64 bits; give a smaller size", blocks(), size_B);
  return size_B * blocks();
}

std::int64_t Collective::buffer_bytes(std::int64_t size_B) const {
  const std::int64_t total_B = total_bytes(size_B);
  return traits_of(kind).by_pair() ? total_B / ranks : total_B;
}

Rational Collective::port_bound() const {
  WEFT_ASSERT(ranks >= 1);
  const Rational others(ranks - 1, ranks);
  const CollectiveTraits& traits = traits_of(kind);
  if (traits.between_two()) return root == peer ? 0 : 1;
  if (traits.reduces_to_all()) return 2 * others;
  if (traits.splits()) return others;
  return ranks > 1 ? 1 : 0;
}

void check(const Collective& collective) {
  require(collective.ranks >= 1, "a collective of {} ranks is too small (needs 1 or more)",
          collective.ranks);
  const auto is_rank = [&](Rank rank) {
    return rank.value() >= 0 && rank.value() < collective.ranks;
  };
  require(is_rank(collective.root), "root {} is not a rank; with {} ranks it is 0 to {}",
          collective.root.value(), collective.ranks, collective.ranks - 1);
  require(is_rank(collective.peer), "destination {} is not a rank; with {} ranks it is 0 to {}",
          collective.peer.value(), collective.ranks, collective.ranks - 1);
}

Collective broadcast(std::int32_t ranks, Rank root) {
  return {CollectiveKind::broadcast, ranks, root};
}
Collective reduce(std::int32_t ranks, Rank root) {
  return {CollectiveKind::reduce, ranks, root};
}
Collective scatter(std::int32_t ranks, Rank root) {
  return {CollectiveKind::scatter, ranks, root};
}
Collective gather(std::int32_t ranks, Rank root) {
  return {CollectiveKind::gather, ranks, root};
}
Collective allgather(std::int32_t ranks) {
  return {CollectiveKind::allgather, ranks};
}
Collective reduce_scatter(std::int32_t ranks) {
  return {CollectiveKind::reduce_scatter, ranks};
}
Collective allreduce(std::int32_t ranks) {
  return {CollectiveKind::allreduce, ranks};
}
Collective alltoall(std::int32_t ranks) {
  return {CollectiveKind::alltoall, ranks};
}
Collective point_to_point(std::int32_t ranks, Rank source, Rank destination) {
  return {CollectiveKind::point_to_point, ranks, source, destination};
}

}  // namespace weft::schedule
