#include "weft/graph/tree_flows.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::graph {

TreeFlows::TreeFlows(const Forest& forest)
    : forest_(forest),
      goals_(forest.nodes()),
      flow_(forest.arcs.size(), 0),
      flows_(goals_.size()),
      excess_(goals_.size(), 0),
      place_(goals_.size(), kNone),
      steps_(goals_.size()) {
  for (std::int32_t node = 0; node < forest.nodes(); ++node) all_nodes_.add(node);
}

bool TreeFlows::begin() {
  const auto trees = static_cast<std::int32_t>(forest_.trees.size());
  for (std::int32_t node = 0; node < forest_.nodes(); ++node) {
    open(node);
    Goal& goal = goals_[node];
    goal.leaves.resize(forest_.trees.size());
    for (std::int32_t tree = 0; tree < trees; ++tree) {
      const Growing& growing = forest_.trees[tree];
      if (growing.has[node]) continue;
      goal.lacking.add(tree);
      add(tree, growing.last.front(), growing.multiplicity);
    }
    if (!settle(kNone)) return false;
  }
  return true;
}

std::int64_t TreeFlows::most_over(std::int32_t tree, std::int32_t arc) {
  WEFT_ASSERT(tree >= 0 && tree < std::ssize(forest_.trees));
  open(forest_.arcs[arc].head);
  mend();
  const Growing& growing = forest_.trees[tree];
  auto& leaves = goals_[goal_].leaves[tree];
  for (const Leave& leave : leaves) cancel(leave.node, leave.amount);
  leaves.clear();
  add(tree, forest_.arcs[arc].tail, growing.multiplicity);
  send_over(arc);
  settle(tree);
  const std::int64_t sent = growing.multiplicity - pending_;
  [[maybe_unused]] const bool all = settle(kNone);
  WEFT_ASSERT(all);
  WEFT_ASSERT(sent >= 0);
  return std::min(sent, forest_.left[arc]);
}

void TreeFlows::joins(std::int32_t tree, std::int32_t arc) {
  WEFT_ASSERT(forest_.arcs[arc].head == goal_);
  Goal& goal = goals_[goal_];
  for (const Leave& leave : goal.leaves[tree]) {
    std::int64_t rest = leave.amount;
    if (leave.node == forest_.arcs[arc].tail) {
      const std::int64_t over = std::min(rest, flow_[arc]);
      flow_[arc] -= over;
      rest -= over;
    }
    cancel(leave.node, rest);
  }
  goal.leaves[tree] = {};
  goal.lacking.remove(tree);
}

void TreeFlows::parts(std::int32_t tree, std::int64_t amount) {
  WEFT_ASSERT(amount > 0);
  for (Goal& goal : goals_) {
    if (goal.lacking.has(tree)) goal.lacking.add(static_cast<std::int32_t>(goal.leaves.size()));
    auto& part = goal.leaves.emplace_back();
    auto& whole = goal.leaves[tree];
    for (std::int64_t rest = amount; rest > 0 && !whole.empty();) {
      Leave& leave = whole.back();
      const std::int64_t some = std::min(rest, leave.amount);
      part.push_back({leave.node, some});
      rest -= some;
      leave.amount -= some;
      if (leave.amount == 0) whole.pop_back();
    }
  }
}

// Puts away the flow of the goal that was open.
void TreeFlows::open(std::int32_t goal) {
  if (goal == goal_) return;
  if (goal_ != kNone)
    for (auto& arcs : flows_) {
      for (const std::int32_t arc : arcs) {
        if (flow_[arc] > 0) goals_[goal_].flows.emplace_back(arc, flow_[arc]);
        flow_[arc] = 0;
      }
      arcs.clear();
    }
  goal_ = goal;
  for (const auto& [arc, amount] : goals_[goal].flows) change(arc, amount);
  goals_[goal].flows.clear();
}

// Finds other ways for what trees took capacity from since the last time.
void TreeFlows::mend() {
  for (std::size_t& seen = goals_[goal_].seen; seen < forest_.taken.size(); ++seen) {
    const std::int32_t arc = forest_.taken[seen];
    const std::int64_t over = flow_[arc] - forest_.left[arc];
    if (over <= 0) continue;
    flow_[arc] -= over;
    surplus(forest_.arcs[arc].tail, over);
    cancel(forest_.arcs[arc].head, over);
  }
  [[maybe_unused]] const bool all = settle(kNone);
  WEFT_ASSERT(all);
}

// More units of a tree, at a node of it.
void TreeFlows::add(std::int32_t tree, std::int32_t node, std::int64_t amount) {
  if (amount == 0) return;
  leave_at(tree, node, amount);
  surplus(node, amount);
}

void TreeFlows::leave_at(std::int32_t tree, std::int32_t node, std::int64_t amount) {
  auto& leaves = goals_[goal_].leaves[tree];
  const auto found = std::ranges::find(leaves, node, &Leave::node);
  if (found == leaves.end()) {
    leaves.push_back({node, amount});
  } else if ((found->amount += amount) == 0) {
    *found = leaves.back();
    leaves.pop_back();
  }
}

void TreeFlows::surplus(std::int32_t node, std::int64_t amount) {
  excess_[node] += amount;
  pending_ += amount;
}

void TreeFlows::change(std::int32_t arc, std::int64_t amount) {
  if (flow_[arc] == 0) flows_[forest_.arcs[arc].tail].push_back(arc);
  flow_[arc] += amount;
}

// What the arc can take of what waits at its tail.
void TreeFlows::send_over(std::int32_t arc) {
  std::int64_t& waits = excess_[forest_.arcs[arc].tail];
  const std::int64_t sent = std::min(waits, forest_.left[arc] - flow_[arc]);
  if (sent <= 0) return;
  change(arc, sent);
  waits -= sent;
  pending_ -= sent;
}

// Takes back so much of what flows from the node to the goal.
void TreeFlows::cancel(std::int32_t node, std::int64_t amount) {
  while (amount > 0 && node != goal_) {
    way_.clear();
    std::int32_t at = node;
    while (at != goal_) {
      if (place_[at] != kNone) {  // round in a circle, which nobody needs
        take_back(static_cast<std::size_t>(place_[at]),
                  least(static_cast<std::size_t>(place_[at])));
        for (const std::int32_t arc : way_) place_[forest_.arcs[arc].tail] = kNone;
        way_.clear();
        at = node;
      }
      const auto& arcs = flows_[at];
      const auto used =
          std::ranges::find_if(arcs, [&](std::int32_t arc) { return flow_[arc] > 0; });
      if (used == arcs.end()) break;
      place_[at] = static_cast<std::int32_t>(way_.size());
      way_.push_back(*used);
      at = forest_.arcs[*used].head;
    }
    for (const std::int32_t arc : way_) place_[forest_.arcs[arc].tail] = kNone;
    if (at != goal_) {  // it waits there, and was never sent on
      const std::int64_t some = std::min({amount, excess_[at], way_.empty() ? amount : least(0)});
      WEFT_ASSERT(some > 0);
      take_back(0, some);
      excess_[at] -= some;
      pending_ -= some;
      amount -= some;
      continue;
    }
    const std::int64_t some = std::min(amount, least(0));
    take_back(0, some);
    amount -= some;
  }
}

std::int64_t TreeFlows::least(std::size_t from) const {
  std::int64_t least = flow_[way_[from]];
  for (std::size_t i = from; i < way_.size(); ++i) least = std::min(least, flow_[way_[i]]);
  return least;
}

void TreeFlows::take_back(std::size_t from, std::int64_t amount) {
  for (std::size_t i = from; i < way_.size(); ++i) flow_[way_[i]] -= amount;
}

// Sends on what waits anywhere, but not by letting units of `confined` leave it elsewhere; whether
// nothing is left.
bool TreeFlows::settle(std::int32_t confined) {
  while (pending_ > 0) {
    TimeLimit::check();
    if (!send_one(confined)) return false;
  }
  return true;
}

// A search backwards from the goal, over arcs with room and against flow, to a node where units
// wait. A tree that has a node of the search can let units leave there that leave elsewhere.
bool TreeFlows::send_one(std::int32_t confined) {
  const Goal& goal = goals_[goal_];
  const std::int32_t many = forest_.nodes() / 32;  // arcs, from where on sets of tails are faster
  unmet_ = all_nodes_;
  unmet_.remove(goal_);
  movable_ = goal.lacking;
  if (confined != kNone) movable_.remove(confined);
  queue_.assign(1, goal_);
  found_ = kNone;
  for (std::size_t i = 0; i < queue_.size() && found_ == kNone; ++i) {
    const std::int32_t at = queue_[i];
    const auto meet = [&](std::int32_t node, const Step& step) {
      unmet_.remove(node);
      steps_[node] = step;
      queue_.push_back(node);
      if (found_ == kNone && excess_[node] > 0) found_ = node;
    };
    if (std::ssize(forest_.in[at]) > many) {
      unmet_.take(forest_.tails[at], [&](std::int32_t tail) {
        const auto arcs = forest_.between(tail, at);
        const auto open =
            std::ranges::find_if(arcs, [&](const OpenArc& in) { return has_room(in.arc); });
        if (open == arcs.end())
          unmet_.add(tail);
        else
          meet(tail, {.next = at, .arc = open->arc});
      });
    } else {
      for (const auto& [tail, arc] : forest_.in[at])
        if (unmet_.has(tail) && has_room(arc)) meet(tail, {.next = at, .arc = arc});
    }
    for (const std::int32_t arc : flows_[at])
      if (const std::int32_t head = forest_.arcs[arc].head; flow_[arc] > 0 && unmet_.has(head))
        meet(head, {.next = at, .arc = arc, .back = true});
    movable_.take(forest_.with[at], [&](std::int32_t tree) {
      for (const Leave& leave : goal.leaves[tree])
        if (unmet_.has(leave.node)) meet(leave.node, {.next = at, .tree = tree});
    });
  }
  if (found_ == kNone) return false;
  push(found_);
  return true;
}

std::int64_t TreeFlows::room(std::int32_t node, const Step& step) const {
  if (step.tree != kNone)
    return std::ranges::find(goals_[goal_].leaves[step.tree], node, &Leave::node)->amount;
  return step.back ? flow_[step.arc] : forest_.left[step.arc] - flow_[step.arc];
}

void TreeFlows::push(std::int32_t from) {
  std::int64_t amount = excess_[from];
  for (std::int32_t at = from; at != goal_; at = steps_[at].next)
    amount = std::min(amount, room(at, steps_[at]));
  excess_[from] -= amount;
  pending_ -= amount;
  for (std::int32_t at = from; at != goal_; at = steps_[at].next) {
    const Step& step = steps_[at];
    if (step.tree != kNone) {
      leave_at(step.tree, at, -amount);
      leave_at(step.tree, step.next, amount);
    } else if (step.back) {
      flow_[step.arc] -= amount;
    } else {
      change(step.arc, amount);
    }
  }
}

}  // namespace weft::graph
