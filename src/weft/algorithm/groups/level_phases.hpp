// Phases: the collectives of which a collective in levels is made, one after the other.
#pragma once

#include <optional>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::algorithm {

/// A collective of a level: of all groups or the root's alone (inner), or of all places.
struct Phase {
  CollectiveKind kind;
  bool inner;
  bool root_group_only = false;
};

inline std::vector<Phase> phases_of(CollectiveKind kind) {
  using enum CollectiveKind;
  switch (kind) {
    case allgather:
      return {{allgather, false}, {allgather, true}};
    case reduce_scatter:
      return {{reduce_scatter, true}, {reduce_scatter, false}};
    case allreduce:
      return {{reduce_scatter, true}, {allreduce, false}, {allgather, true}};
    case alltoall:
      return {{alltoall, true}, {alltoall, false}};
    case broadcast:
      return {{scatter, true, true}, {broadcast, false}, {allgather, true}};
    case reduce:
      return {{reduce_scatter, true}, {reduce, false}, {gather, true, true}};
    case scatter:
      return {{scatter, true, true}, {scatter, false}};
    case gather:
      return {{gather, false}, {gather, true, true}};
    default:
      reject("levels support collectives of all ranks, not {}", schedule::name_of(kind));
  }
}

/// Whether nobody asked for the phase's collective by choosing its algorithm.
inline bool is_by_the_way(const Phase& phase, CollectiveKind whole) {
  return phase.root_group_only &&
         (whole == CollectiveKind::broadcast || whole == CollectiveKind::reduce);
}

/// The collective whose schedule, reversed, is one for this; nothing where there is none (nor for
/// a reduce: some broadcasts bring a rank the same data twice).
inline std::optional<CollectiveKind> reversed(CollectiveKind kind) {
  using enum CollectiveKind;
  switch (kind) {
    case allgather:
      return reduce_scatter;
    case reduce_scatter:
      return allgather;
    case scatter:
      return gather;
    case gather:
      return scatter;
    default:
      return std::nullopt;
  }
}

/// How ranks beyond the lanes take part in what is sent by blocks: a rank of their group sends and
/// gets their blocks for them.
inline bool blocks_join_first(CollectiveKind kind) {
  return kind == CollectiveKind::allgather || kind == CollectiveKind::gather;
}
inline bool blocks_leave_last(CollectiveKind kind) {
  return kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::alltoall ||
         kind == CollectiveKind::scatter;
}

}  // namespace weft::algorithm
