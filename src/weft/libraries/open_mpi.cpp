// Open MPI: coll/tuned's fixed tables, and of release 5.0 coll/han, which works in levels.
//
// han serves communicators of several nodes of which some have several ranks. Its levels are the
// node, by tuned's tables for the ranks of a node, and one leader of each node, whose non-blocking
// collectives are libnbc's.
// Source: Open MPI 4.1.8 and 5.0.10: ompi/mca/coll/tuned/coll_tuned_decision_fixed.c,
// coll_tuned_*_decision.c, ompi/mca/coll/base/coll_base_*.c (what stands in for an algorithm that a
// call does not suit), ompi/mca/coll/han/coll_han_*.c, ompi/mca/coll/libnbc/nbc_i*.c.
#include "weft/libraries/open_mpi.hpp"

#include <fmt/format.h>

#include <string_view>

#include "weft/base/checked.hpp"
#include "weft/libraries/open_mpi_tables.hpp"
#include "weft/libraries/parts.hpp"
#include "weft/libraries/size_rules.hpp"

namespace weft::libraries {

namespace {

using enum schedule::CollectiveKind;
using Parts = std::vector<LibraryPart>;

struct Numbered {
  int number = 0;
  std::string_view name = {};
  Parts parts = {};
};

LibraryPart linear(CollectiveKind kind, std::int32_t ranks) {
  return knomial(kind, ranks);
}

// A rank of its trees posts the sends to all its children, then waits for them.
LibraryPart nearest_binomial() {
  return children_together(part(broadcast, "binomial-nearest"));
}

Numbered tuned_broadcast(const LibraryCall& call) {
  int id = table_number(open_mpi::kBroadcast, call.ranks, call.size_B);
  if ((id == 8 || id == 9) && call.elements() < call.ranks) id = 1;
  if (id == 4 && call.elements() < 2) id = 2;
  switch (id) {
    case 1:
      return {id, "linear", {linear(broadcast, call.ranks)}};
    case 2:
    case 3:
      return {id, id == 2 ? "chain" : "pipeline", {part(broadcast, "chain")}};
    case 4:
      return {id, "split binary tree", {part(broadcast, "split-binary-tree")}};
    case 5:
      return {id, "binary tree", {part(broadcast, "binary-tree")}};
    case 6:
      return {id, "binomial", {nearest_binomial()}};
    case 7:
      return {id, "k-nomial of 4", {children_together(knomial(broadcast, 4))}};
    case 8:
      return {id, "scatter and allgather", {part(broadcast, "scatter-doubling")}};
    default:
      return {id, "scatter and ring allgather", {part(broadcast, "scatter-allgather")}};
  }
}

// Its halving wants a power of two here; others fold into one, as recursive halving does.
Parts halving_reduce(std::int32_t ranks) {
  if (is_power_of_two(ranks)) return {part(reduce, "rabenseifner-nearest")};
  return {stand_in(reduce_scatter, "recursive-halving"), part(gather, "binomial")};
}

Numbered tuned_reduce(const LibraryCall& call) {
  int id = table_number(open_mpi::kReduce, call.ranks, call.size_B);
  if (id == 7 && call.elements() < power_of_two_up_to(call.ranks)) id = 1;
  switch (id) {
    case 1:
      return {id, "linear", {linear(reduce, call.ranks)}};
    case 2:
    case 3:
      return {id, id == 2 ? "chain" : "pipeline", {part(reduce, "chain")}};
    case 4:
      return {id, "binary tree", {part(reduce, "binary-tree")}};
    case 6:
      return {id, "in-order binary tree", {stand_in(reduce, "binary-tree")}};
    case 5:
      return {id, "binomial", {part(reduce, "binomial")}};
    default:
      return {id, "reduce-scatter and gather", halving_reduce(call.ranks)};
  }
}

Numbered tuned_allreduce(const LibraryCall& call) {
  int id = table_number(open_mpi::kAllreduce, call.ranks, call.size_B);
  if (id == 5 && call.elements() < call.ranks) id = 4;
  if (id == 4 && call.elements() < call.ranks) id = 3;
  if (id == 6 && call.elements() < power_of_two_up_to(call.ranks)) id = 1;
  switch (id) {
    case 1:
      return {id, "linear", {linear(reduce, call.ranks), linear(broadcast, call.ranks)}};
    case 2: {
      const Numbered up = tuned_reduce(call), down = tuned_broadcast(call);
      Parts parts = up.parts;
      append(parts, down.parts);
      return {id, "reduce and broadcast", std::move(parts)};
    }
    case 3:
      return {id, "recursive doubling", {part(allreduce, "recursive-doubling")}};
    case 4:
    case 5:
      return {id, id == 4 ? "ring" : "segmented ring", {part(allreduce, "ring")}};
    default:
      return {id, "reduce-scatter and allgather", {part(allreduce, "rabenseifner-nearest")}};
  }
}

Numbered tuned_alltoall(const LibraryCall& call) {
  const int id = table_number(open_mpi::kAlltoall, call.ranks, call.size_B);
  switch (id) {
    case 2:
      return {id, "pairwise", {part(alltoall, "shift")}};
    case 3:
      return {id, "modified Bruck", {part(alltoall, "bruck")}};
    case 5:
      return {id, "two processes", {part(alltoall, "pairwise")}};
    default:
      return {id, id == 1 ? "linear" : "linear with sync", {part(alltoall, "spread")}};
  }
}

Numbered tuned_allgather(const LibraryCall& call) {
  int id = table_number(open_mpi::kAllgather, call.ranks, call.size_B);
  if (id == 3 && !is_power_of_two(call.ranks)) id = 2;
  if (id == 5 && call.ranks % 2 == 1) id = 4;
  switch (id) {
    case 2:
      return {id, "Bruck", {part(allgather, "bruck")}};
    case 3:
      return {id, "recursive doubling", {part(allgather, "recursive-doubling")}};
    case 4:
      return {id, "ring", {part(allgather, "ring")}};
    case 5:
      return {id, "neighbor exchange", {part(allgather, "neighbor")}};
    default:
      return {id, "two processes", {part(allgather, "pairwise")}};
  }
}

Numbered tuned_reduce_scatter(const LibraryCall& call) {
  const int id = table_number(open_mpi::kReduceScatter, call.ranks, call.size_B);
  switch (id) {
    case 1: {
      Parts parts = tuned_reduce(call).parts;
      parts.push_back(linear(scatter, call.ranks));
      return {id, "reduce and scatter", std::move(parts)};
    }
    case 2:
      return {id, "recursive halving", {part(reduce_scatter, "recursive-halving")}};
    case 3:
      return {id, "ring", {part(reduce_scatter, "ring")}};
    default:  // halves as well, the nearest first
      return {id, "butterfly", {stand_in(reduce_scatter, "recursive-halving")}};
  }
}

Numbered tuned_rooted(const LibraryCall& call, const char* table) {
  const int id = table_number(table, call.ranks, call.size_B);
  if (id == 2) return {id, "binomial", {part(call.collective, "binomial")}};
  return {id,
          id == 1                     ? "linear"
          : call.collective == gather ? "linear with sync"
                                      : "linear",
          {linear(call.collective, call.ranks)}};
}

Numbered tuned(const LibraryCall& call) {
  switch (call.collective) {
    case allreduce:
      return tuned_allreduce(call);
    case alltoall:
      return tuned_alltoall(call);
    case broadcast:
      return tuned_broadcast(call);
    case reduce:
      return tuned_reduce(call);
    case allgather:
      return tuned_allgather(call);
    case reduce_scatter:
      return tuned_reduce_scatter(call);
    case gather:
      return tuned_rooted(call, open_mpi::kGather);
    default:
      return tuned_rooted(call, open_mpi::kScatter);
  }
}

// Of a level of han, which calls as such: other ranks, another size.
Numbered tuned_on(const LibraryCall& call, CollectiveKind kind, std::int32_t ranks,
                  std::int64_t size_B) {
  LibraryCall level = call;
  level.collective = kind;
  level.ranks = ranks;
  level.size_B = size_B;
  return tuned(level);
}

LibraryPart in_chain(CollectiveKind kind, std::int64_t size_B) {
  constexpr std::int64_t kPiece_B = 8 << 10;
  LibraryPart made = part(kind, "chain");
  made.segments = std::max<std::int64_t>(1, (size_B + kPiece_B - 1) / kPiece_B);
  return made;
}

// libnbc's ibcast of a segment of at most 64 KiB.
Numbered nbc_broadcast(std::int32_t nodes, std::int64_t size_B) {
  if (nodes <= 4) return {0, "linear", {linear(broadcast, nodes)}};
  if (size_B < 64 << 10) return {0, "binomial", {nearest_binomial()}};
  return {0, "chain of 8 KiB", {in_chain(broadcast, size_B)}};
}

// And its ireduce of an operation that commutes.
Numbered nbc_reduce(std::int32_t nodes, std::int64_t size_B, std::int64_t elements) {
  if (nodes > 2 && elements >= power_of_two_up_to(nodes))
    return {0, "reduce-scatter and gather", halving_reduce(nodes)};
  if (nodes > 4 || size_B < 64 << 10) return {0, "binomial", {part(reduce, "binomial")}};
  return {0, "chain of 8 KiB", {in_chain(reduce, size_B)}};
}

void add(LibraryChoice& choice, LibraryLevel level, std::string_view what, Numbered chosen) {
  choice.native +=
      fmt::format("{}{} {}", choice.native.empty() ? "han: " : ", ", what, chosen.name);
  append(choice.parts, on_level(level, std::move(chosen.parts)));
}

// The pipeline of tasks: each segment of 64 KiB is in one phase at a time.
LibraryChoice han_in_segments(const LibraryCall& call) {
  constexpr std::int64_t kSegment_B = 64 << 10;
  const std::int64_t part_B = std::min(call.size_B, kSegment_B);
  const CollectiveKind kind = call.collective;
  LibraryChoice choice;
  choice.segments = std::max<std::int64_t>(1, (call.size_B + kSegment_B - 1) / kSegment_B);
  if (kind != broadcast) {
    add(choice, LibraryLevel::node, "node", tuned_on(call, reduce, call.per_node, part_B));
    add(choice, LibraryLevel::leaders, "up",
        nbc_reduce(call.nodes, part_B, part_B / call.element_B));
  }
  if (kind != reduce) {
    add(choice, LibraryLevel::leaders, kind == broadcast ? "up" : "down",
        call.size_B > kSegment_B || kind == allreduce
            ? nbc_broadcast(call.nodes, part_B)
            : tuned_on(call, broadcast, call.nodes, part_B));
    add(choice, LibraryLevel::node, "node", tuned_on(call, broadcast, call.per_node, part_B));
  }
  if (choice.segments > 1) choice.native += ", in segments of 64 KiB";
  return choice;
}

LibraryChoice han_at_once(const LibraryCall& call) {
  const std::int64_t of_node_B = call.size_B * call.per_node;
  LibraryChoice choice;
  if (call.collective == scatter) {
    add(choice, LibraryLevel::leaders, "up", tuned_on(call, scatter, call.nodes, of_node_B));
    add(choice, LibraryLevel::node, "node", tuned_on(call, scatter, call.per_node, call.size_B));
    return choice;
  }
  add(choice, LibraryLevel::node, "node", tuned_on(call, gather, call.per_node, call.size_B));
  if (call.collective == gather) {
    add(choice, LibraryLevel::leaders, "up", tuned_on(call, gather, call.nodes, of_node_B));
    return choice;
  }
  add(choice, LibraryLevel::leaders, "up", tuned_on(call, allgather, call.nodes, of_node_B));
  add(choice, LibraryLevel::node, "node",
      tuned_on(call, broadcast, call.per_node, of_node_B * call.nodes));
  return choice;
}

bool is_served_by_han(const LibraryCall& call) {
  if (call.nodes < 2 || call.per_node < 2) return false;
  switch (call.collective) {
    case allreduce:
      return true;
    case broadcast:
    case reduce:
    case allgather:
    case gather:
    case scatter:
      return call.equal_nodes;
    default:
      return false;
  }
}

}  // namespace

LibraryChoice open_mpi_4(const LibraryCall& call) {
  const Numbered chosen = tuned(call);
  return {.native = fmt::format("{} ({})", chosen.name, chosen.number), .parts = chosen.parts};
}

LibraryChoice open_mpi_5(const LibraryCall& call) {
  if (!is_served_by_han(call)) return open_mpi_4(call);
  using enum CollectiveKind;
  const bool in_segments =
      call.collective == allreduce || call.collective == broadcast || call.collective == reduce;
  return in_segments ? han_in_segments(call) : han_at_once(call);
}

}  // namespace weft::libraries
