// What the nodes of all ranks' traces are together: a collective is one thing, whoever joins it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/format/execution_trace.hpp"
#include "weft/training/groups.hpp"

namespace weft::training {

/// A node, or those of all members of a collective.
struct TraceItem {
  std::int32_t rank = 0, node = 0;        // its own, or the first member's
  std::int32_t collective = -1;           // index into TraceItems::collectives; -1: it is none
  std::optional<std::int32_t> send = {};  // of a receive: the item that sends
};

struct TraceCollective {
  RankGroup members;  // the root first
  std::vector<std::int32_t> nodes;
};

class TraceItems {
 public:
  /// The trace has to outlive it. Throws InvalidInput as run_trace() does.
  explicit TraceItems(const format::Trace& trace);

  /// Each after those that it waits for.
  const std::vector<std::int32_t>& order() const { return order_; }
  /// Names of groups that join collectives and have no ranks of their own: those that name them.
  const std::vector<std::string>& undefined_groups() const { return undefined_groups_; }
  std::int32_t ranks() const { return static_cast<std::int32_t>(trace_.ranks.size()); }
  const TraceItem& item(std::int32_t number) const { return items_[number]; }
  std::int32_t count() const { return static_cast<std::int32_t>(items_.size()); }
  const TraceCollective& collective(const TraceItem& item) const {
    WEFT_ASSERT(item.collective >= 0);
    return collectives_[item.collective];
  }
  const format::TraceNode& node(const TraceItem& item) const {
    return trace_.ranks[item.rank].nodes[item.node];
  }
  /// "node 7 of rank 3".
  std::string place(std::int32_t rank, std::int32_t node) const;
  /// Calls visit(item) for each that it waits for; some perhaps more than once.
  template <class Visit>
  void each_wait(const TraceItem& item, Visit&& visit) const {
    const auto of_node = [&](std::int32_t rank, std::int32_t number) {
      const format::RankTrace& of_rank = trace_.ranks[rank];
      for (const std::int32_t before : of_rank.waits_of(of_rank.nodes[number]))
        visit(item_of_[rank][before]);
    };
    if (item.send) visit(*item.send);
    if (item.collective < 0) return of_node(item.rank, item.node);
    const TraceCollective& all = collective(item);
    for (std::size_t i = 0; i < all.members.size(); ++i) of_node(all.members[i], all.nodes[i]);
  }

 private:
  using NodesByRank = std::map<std::int32_t, std::vector<std::int32_t>>;

  void number();
  void join_collectives();
  void join(const std::string& group, const std::vector<std::int32_t>& members,
            const NodesByRank& nodes);
  /// How many groups have the name, as files have it that say other ranks of it.
  std::int64_t names_alike(const std::string& group) const;
  void match_messages();
  void find_order();
  /// The node of `item` that waits for `before`, and the node there that it waits for.
  struct Link {
    std::string waits, before;
  };
  Link link(std::int32_t item, std::int32_t before) const;
  std::string circle(const std::vector<std::int32_t>& left) const;

  const format::Trace& trace_;
  std::vector<std::vector<std::int32_t>> item_of_;  // by rank and node
  std::vector<TraceItem> items_;
  std::vector<TraceCollective> collectives_;
  std::vector<std::int32_t> order_;
  std::vector<std::string> undefined_groups_;
};

}  // namespace weft::training
