// MPICH: the selection of MPIR (flat), and the compositions of ch4, which work in levels.
//
// A composition is chosen first. Its steps within a node and among the leaders, the first ranks of
// the nodes, are MPIR's for so many ranks. (Builds on ofi use shared memory within a node, which
// is modelled here as messages there.)
// Source: MPICH 4.0.2 to 4.3.2 and 5.0.1 (equal): the generic.json files of mpir and of ch4.
#include "weft/libraries/mpich.hpp"

#include <fmt/format.h>

#include <string_view>

#include "weft/base/checked.hpp"
#include "weft/libraries/parts.hpp"

namespace weft::libraries {

namespace {

using enum schedule::CollectiveKind;
using Parts = std::vector<LibraryPart>;

constexpr std::int64_t kShort_B = 12'288, kLong_B = 524'288;

struct Named {
  std::string_view name = {};
  Parts parts = {};
};

Named broadcast_of(std::int32_t ranks, std::int64_t size_B) {
  if (ranks < 8 || size_B <= kShort_B) return {"binomial", {part(broadcast, "binomial")}};
  if (is_power_of_two(ranks) && size_B <= kLong_B)
    return {"scatter_recursive_doubling_allgather", {part(broadcast, "scatter-doubling")}};
  return {"scatter_ring_allgather", {part(broadcast, "scatter-allgather")}};
}

Named allreduce_of(std::int32_t ranks, std::int64_t size_B, std::int64_t elements) {
  if (size_B <= 8 || elements < power_of_two_up_to(ranks))
    return {"recursive_doubling", {part(allreduce, "recursive-doubling")}};
  return {"reduce_scatter_allgather", {part(allreduce, "rabenseifner-nearest")}};
}

Named reduce_of(std::int32_t ranks, std::int64_t size_B, std::int64_t elements) {
  if (size_B <= 2048 || elements < power_of_two_up_to(ranks))
    return {"binomial", {part(reduce, "binomial")}};
  if (is_power_of_two(ranks))
    return {"reduce_scatter_gather", {part(reduce, "rabenseifner-nearest")}};
  return {"reduce_scatter_gather",
          {stand_in(reduce_scatter, "recursive-halving"), part(gather, "binomial")}};
}

Named allgather_of(std::int32_t ranks, std::int64_t total_B) {
  if (is_power_of_two(ranks) && total_B < kLong_B)
    return {"recursive_doubling", {part(allgather, "recursive-doubling")}};
  if (!is_power_of_two(ranks) && total_B < 81'920) return {"brucks", {part(allgather, "bruck")}};
  return {"ring", {part(allgather, "ring")}};
}

Named reduce_scatter_of(std::int64_t total_B) {
  if (total_B < kLong_B) return {"recursive_halving", {part(reduce_scatter, "recursive-halving")}};
  return {"pairwise", {part(reduce_scatter, "lin")}};
}

Named alltoall_of(std::int32_t ranks, std::int64_t block_B) {
  if (ranks >= 8 && block_B <= 256) return {"brucks", {part(alltoall, "bruck")}};
  if (block_B <= 32'768) return {"scattered", {part(alltoall, "spread")}};
  return {"pairwise", {part(alltoall, "pairwise")}};
}

Named flat(const LibraryCall& call, std::int32_t ranks) {
  switch (call.collective) {
    case broadcast:
      return broadcast_of(ranks, call.size_B);
    case allreduce:
      return allreduce_of(ranks, call.size_B, call.elements());
    case reduce:
      return reduce_of(ranks, call.size_B, call.elements());
    case allgather:
      return allgather_of(ranks, call.size_B * ranks);
    case reduce_scatter:
      return reduce_scatter_of(call.size_B);
    case alltoall:
      return alltoall_of(ranks, call.size_B);
    default:  // gather and scatter
      return {"binomial", {part(call.collective, "binomial")}};
  }
}

enum class Composition : std::uint8_t { alpha, beta, flat };

// Of several ranks a node.
Composition composition_of(const LibraryCall& call) {
  if (call.nodes < 2 || call.per_node < 2) return Composition::flat;
  switch (call.collective) {
    case allreduce:
      return Composition::alpha;
    case broadcast:
      if (call.ranks < 8 || call.size_B < kShort_B) return Composition::alpha;
      return is_power_of_two(call.ranks) && call.size_B < kLong_B ? Composition::beta
                                                                  : Composition::flat;
    case reduce:
      return call.size_B <= 2048 ? Composition::beta : Composition::alpha;
    default:
      return Composition::flat;
  }
}

void add(LibraryChoice& choice, LibraryLevel level, std::string_view what, Named chosen) {
  choice.native +=
      fmt::format("{} {} {}", choice.native.ends_with(':') ? "" : ",", what, chosen.name);
  append(choice.parts, on_level(level, std::move(chosen.parts)));
}

// Alpha and beta of a broadcast differ only where the root is no leader; here it always is one.
LibraryChoice composed(const LibraryCall& call, Composition composition) {
  LibraryChoice choice{.native = composition == Composition::alpha ? "alpha:" : "beta:"};
  const std::int64_t elements = call.elements();
  if (call.collective != broadcast)
    add(choice, LibraryLevel::node, "node", reduce_of(call.per_node, call.size_B, elements));
  add(choice, LibraryLevel::leaders, "leaders", flat(call, call.nodes));
  if (call.collective != reduce)
    add(choice, LibraryLevel::node, "node", broadcast_of(call.per_node, call.size_B));
  return choice;
}

}  // namespace

LibraryChoice mpich_4(const LibraryCall& call) {
  if (const Composition composition = composition_of(call); composition != Composition::flat)
    return composed(call, composition);
  Named chosen = flat(call, call.ranks);
  return {.native = std::string(chosen.name), .parts = std::move(chosen.parts)};
}

}  // namespace weft::libraries
