// The failures that are tried, and what each leaves of a network.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/advise/degradation.hpp"
#include "weft/advise/degrade/kinds.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/network/network.hpp"

namespace weft::advise {

/// Those that are asked for, with their names; cables first, each in the order of its ids. Of some
/// that fail one at a time one of each kind (kinds.hpp) is among them as far as the number goes,
/// and the others are drawn. `most`: how many stand for "automatic". `alike`: kinds of which one
/// tells of all (kinds_under()); null where they are not known. Throws
/// InvalidInput where nothing can fail so.
struct DrawnFailures {
  std::vector<Failure> failures;
  std::int64_t possible = 0;
};
DrawnFailures draw_failures(const Network& network, const FailureOptions& asked, std::int64_t most,
                            std::uint64_t seed, const KindsOfParts* alike = nullptr);

/// What failed, as marks by id, and what that makes of the numbers of nodes and links.
class Damage {
 public:
  Damage(const Topology& whole, const Failure& failure);

  bool alive(NodeId node) const { return node_now_[node] >= 0; }
  bool alive(LinkId link) const { return link_now_[link].value() >= 0; }
  /// The numbers in what is left, as topology::remove_failed() gives them. Precondition: alive.
  NodeId now(NodeId node) const { return NodeId(node_now_[node]); }
  /// By link of the whole network; -1 for those that failed.
  const IdVector<LinkId, LinkId>& links_now() const { return link_now_; }

 private:
  IdVector<NodeId, std::int32_t> node_now_;
  IdVector<LinkId, LinkId> link_now_;
};

/// Fills `lost` and `cut_off`: of the parts in which all reach each other the one with most ranks
/// goes on. O(parts * links).
void find_ranks_left(const Network& whole, const Damage& damage, Failure& failure);

/// The pairs of ranks whose way each link is on, of a network that routes by tables.
class TableWays {
 public:
  /// O(ranks^2 * hops) time and memory.
  explicit TableWays(const Network& network);
  /// Those that a failure takes away, of ranks that live.
  LostWays lost(const Damage& damage, const Failure& failure) const;

 private:
  std::int32_t ranks_ = 0;
  std::vector<std::vector<std::int64_t>> pairs_;  // by link: from * ranks + to, ascending
};

}  // namespace weft::advise
