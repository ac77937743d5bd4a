#include "weft/schedule/collective.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::schedule {

namespace {

struct KindInfo {
  std::string_view name, summary;
};

constexpr std::array<KindInfo, kCollectiveKinds.size()> kKindInfo = {{
    {"broadcast", "the root's buffer to every rank; --size is the buffer"},
    {"reduce", "all buffers combined at the root; --size is the buffer"},
    {"scatter", "a block of the root's to each rank; --size is one block"},
    {"gather", "each rank's block to the root; --size is one block"},
    {"allgather", "each rank's block to every rank; --size is one block"},
    {"reduce-scatter",
     "all buffers combined, a block of the result to each rank; --size is the whole input"},
    {"allreduce", "all buffers combined, the result to every rank; --size is the buffer"},
    {"alltoall", "a block from each rank to each rank; --size is the block for one destination"},
    {"point-to-point", "a block from one rank to another; --size is the block"},
}};

// Calls of MPI, NCCL and OpenSHMEM that are no collective here.
constexpr std::array kMeanings = {
    Meaning{"barrier", "a barrier takes as long as an allreduce of 8B; use allreduce"},
    Meaning{"fence", "a barrier takes as long as an allreduce of 8B; use allreduce"},
    Meaning{"bcast", "it is called broadcast here"},
    Meaning{"allgatherv",
            "simulate and compare support it, with --counts; elsewhere use allgather"},
    Meaning{"reduce_scatterv",
            "simulate and compare support it, with --counts; elsewhere use reduce-scatter"},
    Meaning{"gatherv", "weft has no collectives of uneven blocks; use gather"},
    Meaning{"scatterv", "weft has no collectives of uneven blocks; use scatter"},
    Meaning{"alltoallv", "simulate and compare support it, with --counts; elsewhere use alltoall"},
    Meaning{"alltoallw", "simulate and compare take alltoallv, with --counts: ask for alltoall"},
    Meaning{"a2a", "it is called alltoall here"},
    Meaning{"all2all", "it is called alltoall here"},
    Meaning{"reduce_scatter_block", "it is called reduce-scatter here"},
    Meaning{"scan", "weft has no scan; a reduce sends as many bytes, so use reduce"},
    Meaning{"exscan", "weft has no scan; a reduce sends as many bytes, so use reduce"},
    Meaning{"sendrecv", "a message from one rank to another is point-to-point here"},
    Meaning{"pingpong", "a message from one rank to another is point-to-point here"},
    Meaning{"p2p", "a message from one rank to another is point-to-point here"}};

const KindInfo& info(CollectiveKind kind) {
  return kKindInfo[static_cast<std::size_t>(kind)];
}

std::string letters(std::string_view name) {
  std::string result = lower(name);
  std::erase_if(result, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return result;
}

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  return info(kind).name;
}
std::string_view summary_of(CollectiveKind kind) {
  return info(kind).summary;
}

CollectiveKind parse_collective(std::string_view name) {
  std::vector<std::string> known;
  for (CollectiveKind kind : kCollectiveKinds) {
    if (letters(name) == letters(name_of(kind))) return kind;
    known.emplace_back(name_of(kind));
  }
  reject_unknown({"collective", name}, known, kMeanings);
}

std::int64_t Collective::blocks() const {
  switch (kind) {
    case CollectiveKind::alltoall:
      return std::int64_t{ranks} * ranks;
    case CollectiveKind::point_to_point:
      return 1;
    default:
      return ranks;
  }
}

bool Collective::reduces() const {
  return kind == CollectiveKind::reduce || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::allreduce;
}

bool Collective::rooted() const {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce ||
         kind == CollectiveKind::scatter || kind == CollectiveKind::gather ||
         kind == CollectiveKind::point_to_point;
}

BlockRuns Collective::held_at_first(Rank rank) const {
  const BlockRuns nothing{}, all{0, blocks(), 0, 1};
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::scatter:
    case CollectiveKind::point_to_point:
      return rank == root ? all : nothing;
    case CollectiveKind::reduce:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::allreduce:
      return all;
    case CollectiveKind::gather:
    case CollectiveKind::allgather:
      return {rank.value(), 1, 0, 1};
    case CollectiveKind::alltoall:
      return {std::int64_t{rank.value()} * ranks, ranks, 0, 1};
  }
  return nothing;
}

BlockRuns Collective::wanted(Rank rank) const {
  const BlockRuns nothing{}, all{0, blocks(), 0, 1};
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::allgather:
    case CollectiveKind::allreduce:
      return all;
    case CollectiveKind::reduce:
    case CollectiveKind::gather:
      return rank == root ? all : nothing;
    case CollectiveKind::scatter:
    case CollectiveKind::reduce_scatter:
      return {rank.value(), 1, 0, 1};
    case CollectiveKind::alltoall:
      return {rank.value(), 1, ranks, ranks};
    case CollectiveKind::point_to_point:
      return rank == peer ? all : nothing;
  }
  return nothing;
}

std::int64_t Collective::blocks_in_m() const {
  return kind == CollectiveKind::point_to_point ? 1 : ranks;
}

bool Collective::size_is_block() const {
  return kind == CollectiveKind::alltoall || kind == CollectiveKind::allgather ||
         kind == CollectiveKind::gather || kind == CollectiveKind::scatter;
}

bool Collective::whole_buffer() const {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce ||
         kind == CollectiveKind::allreduce;
}

std::int64_t Collective::total_bytes(std::int64_t size_B) const {
  if (!size_is_block()) return size_B;
  require(size_B <= std::numeric_limits<std::int64_t>::max() / blocks(),
          "{} blocks of {} bytes do not fit in 64 bits; give a smaller size", blocks(), size_B);
  return size_B * blocks();
}

std::int64_t Collective::buffer_bytes(std::int64_t size_B) const {
  const std::int64_t total_B = total_bytes(size_B);
  return kind == CollectiveKind::alltoall ? total_B / ranks : total_B;
}

Rational Collective::port_bound() const {
  const Rational others(ranks - 1, ranks);
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return ranks > 1 ? 1 : 0;
    case CollectiveKind::allreduce:
      return 2 * others;
    case CollectiveKind::point_to_point:
      return root == peer ? 0 : 1;
    default:
      return others;
  }
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
