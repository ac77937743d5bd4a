// What the trees of a packing can send to the nodes that they lack, kept while the trees grow.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "weft/graph/forest.hpp"

namespace weft::graph {

// For each node, the goal, a flow of all units of the trees that lack it: each leaves its tree at
// any node of it and goes on over free capacity. Of a goal that is not asked about only the arcs
// with flow are kept, so that memory grows with the flows and not with goals x arcs; what others
// took from under them is mended when it is asked for.
class TreeFlows {
 public:
  explicit TreeFlows(const Forest& forest);

  /// Sends all units of the trees, each of one node, to every goal; whether that was possible.
  bool begin();

  /// How much the tail of the arc can send to its head, the goal, in the place of all that the tree
  /// sends there.
  std::int64_t most_over(std::int32_t tree, std::int32_t arc);

  /// After most_over(): the tree has the goal, by this arc.
  void joins(std::int32_t tree, std::int32_t arc);

  /// The last tree of the forest is a new part of another, of so many units.
  void parts(std::int32_t tree, std::int64_t amount);

 private:
  static constexpr std::int32_t kNone = -1;

  // Where units of a tree leave it on their way to a goal.
  struct Leave {
    std::int32_t node = 0;
    std::int64_t amount = 0;
  };
  // The flow to a goal.
  struct Goal {
    std::size_t seen = 0;                                      // of the forest's taken
    std::vector<std::pair<std::int32_t, std::int64_t>> flows;  // arcs with theirs, while not open
    std::vector<std::vector<Leave>> leaves;                    // by tree
    IdSet lacking;                                             // trees that lack the goal
  };
  // How the search came to a node: what that leads to, nearer to the goal.
  struct Step {
    std::int32_t next = kNone;  // a node
    std::int32_t arc = kNone;   // over it, or back over it
    std::int32_t tree = kNone;  // by units of it that leave at `next` instead
    bool back = false;
  };

  void open(std::int32_t goal);
  void mend();
  void add(std::int32_t tree, std::int32_t node, std::int64_t amount);
  void leave_at(std::int32_t tree, std::int32_t node, std::int64_t amount);
  void surplus(std::int32_t node, std::int64_t amount);
  void change(std::int32_t arc, std::int64_t amount);
  void send_over(std::int32_t arc);
  void cancel(std::int32_t node, std::int64_t amount);
  std::int64_t least(std::size_t from) const;
  void take_back(std::size_t from, std::int64_t amount);
  bool settle(std::int32_t confined);
  bool send_one(std::int32_t confined);
  std::int64_t room(std::int32_t node, const Step& step) const;
  void push(std::int32_t from);

  bool has_room(std::int32_t arc) const { return flow_[arc] < forest_.left[arc]; }

  const Forest& forest_;
  std::vector<Goal> goals_;

  // Of the goal that is open.
  std::int32_t goal_ = kNone;
  std::vector<std::int64_t> flow_;                // by arc
  std::vector<std::vector<std::int32_t>> flows_;  // by tail: arcs that have or had flow
  std::vector<std::int64_t> excess_;              // by node: units that wait there
  std::int64_t pending_ = 0;                      // in all

  // Of cancel(): arcs; by node, where on the way.
  std::vector<std::int32_t> way_, place_;
  // Of a search: by node; nodes and trees that it has not met; nodes that it has; one where units
  // wait.
  std::vector<Step> steps_;
  IdSet all_nodes_, unmet_, movable_;
  std::vector<std::int32_t> queue_;
  std::int32_t found_ = kNone;
};

}  // namespace weft::graph
