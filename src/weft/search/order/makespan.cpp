// What a schedule takes when its messages never meet.
//
// In a tree the time splits by subtrees. Away from the root, D(r) is what r's subtree takes once r
// has the data: r's sends follow each other, and a child's subtree takes D(child) from when the
// child has it. Towards the root, D(r) is when r has all that is below it: the latest of D(child) +
// its message. Either way D(root) is the makespan, and an exchange of two hosts changes D of these
// two ranks, of their parents, and of ancestors as long as a value moves.
#include <algorithm>

#include "index.hpp"
#include "weft/base/error.hpp"
#include "weft/search/order_objectives.hpp"

namespace weft::search {

namespace {

// From the message's start to its last byte's arrival.
double takes_s(const OrderNetwork& network, const SendCost& cost, std::int32_t from,
               std::int32_t to, std::int64_t bytes) {
  return cost.startup_s + (from == to ? static_cast<double>(bytes) * cost.copy_seconds_per_byte
                                      : network.send_s(from, to, bytes));
}

// How long it keeps its host's link to itself.
double occupies_s(const OrderNetwork& network, std::int32_t from, std::int32_t to,
                  std::int64_t bytes) {
  return from == to ? 0 : static_cast<double>(bytes) * network.sending_seconds_per_byte(from);
}

// The messages that a rank sends in one step: each begins when those before have left its host, and
// where messages pay their start-ups, when theirs are done.
class Departures {
 public:
  /// When the next one, which keeps the link so long, begins, after the step's start.
  double next_s(const SendCost& cost, double occupies_s) {
    const double begins_s =
        cost.per == StartupPer::message ? std::max(left_s_, started_ * cost.startup_s) : left_s_;
    ++started_;
    left_s_ = begins_s + occupies_s;
    return begins_s;
  }

 private:
  double left_s_ = 0;
  int started_ = 0;
};

// When a rank that was busy until then has received what arrives.
double received_s(const SendCost& cost, double busy_until_s, double arrives_s) {
  return cost.per == StartupPer::message ? std::max(busy_until_s, arrives_s) + cost.receive_s
                                         : std::max(busy_until_s, arrives_s + cost.receive_s);
}

}  // namespace

double makespan_s(const OrderNetwork& network, std::span<const std::int32_t> order,
                  const OrderPattern& pattern, const SendCost& cost) {
  const std::size_t ranks = index(pattern.ranks());
  WEFT_ASSERT(ranks >= 1 && order.size() >= ranks);
  std::vector<double> starts_s(ranks, 0), ends_s(ranks, 0);
  std::vector<Departures> departures(ranks);
  for (std::size_t t = 0; t < pattern.steps(); ++t) {
    const auto step = pattern.step(t);
    for (const auto& [from, to, bytes] : step) {
      const std::int32_t here = order[index(from)], there = order[index(to)];
      const double begins_s =
          starts_s[index(from)] +
          departures[index(from)].next_s(cost, occupies_s(network, here, there, bytes));
      const double arrives_s = begins_s + takes_s(network, cost, here, there, bytes);
      ends_s[index(from)] = std::max(ends_s[index(from)], arrives_s);
      ends_s[index(to)] = received_s(cost, ends_s[index(to)], arrives_s);
    }
    for (const auto& [from, to, bytes] : step) {
      starts_s[index(from)] = ends_s[index(from)];
      starts_s[index(to)] = ends_s[index(to)];
      departures[index(from)] = {};
    }
  }
  return *std::max_element(ends_s.begin(), ends_s.end());
}

TreeMakespan::TreeMakespan(const OrderNetwork& network, Order order, OrderTree tree,
                           const SendCost& cost)
    : network_(&network), tree_(std::move(tree)), cost_(cost) {
  const std::size_t ranks = tree_.parent.size();
  require(ranks <= order.size(),
          "{} ranks do not fit on {} places (hosts times cores); use at most {}", ranks,
          order.size(), order.size());
  upwards_.push_back(tree_.root);
  for (std::size_t done = 0; done < upwards_.size(); ++done) {
    const std::size_t r = index(upwards_[done]);
    for (std::size_t c = tree_.first_child[r]; c < tree_.first_child[r + 1]; ++c)
      upwards_.push_back(tree_.children[c].rank);
  }
  std::reverse(upwards_.begin(), upwards_.end());
  takes_s_.assign(ranks, 0);
  reset(order);
}

void TreeMakespan::reset(const Order& order) {
  WEFT_ASSERT(order.size() >= tree_.parent.size());
  order_ = order;
  for (const std::int32_t rank : upwards_) takes_s_[index(rank)] = evaluate(rank);
}

double TreeMakespan::evaluate(std::int32_t rank) const {
  const std::int32_t here = order_[index(rank)];
  double last_s = 0, step_starts_s = 0, step_ends_s = 0;
  Departures departures;
  std::size_t step = 0;
  for (std::size_t c = tree_.first_child[index(rank)]; c < tree_.first_child[index(rank) + 1];
       ++c) {
    const OrderTree::Child& child = tree_.children[c];
    const std::int32_t there = order_[index(child.rank)];
    const double below_s = takes_s_[index(child.rank)];
    if (!tree_.outwards) {
      last_s =
          received_s(cost_, last_s, below_s + takes_s(*network_, cost_, there, here, child.bytes));
      continue;
    }
    if (child.step != step) {
      step = child.step;
      step_starts_s = step_ends_s;
      departures = {};
    }
    const double begins_s =
        step_starts_s + departures.next_s(cost_, occupies_s(*network_, here, there, child.bytes));
    const double arrives_s = begins_s + takes_s(*network_, cost_, here, there, child.bytes);
    step_ends_s = std::max(step_ends_s, arrives_s);
    last_s = std::max(last_s, received_s(cost_, 0, arrives_s) + below_s);
  }
  return last_s;
}

void TreeMakespan::set(std::int32_t rank, double takes_s) {
  undo_.push_back({rank, takes_s_[index(rank)]});
  takes_s_[index(rank)] = takes_s;
}

// `rank` has moved: its own value and its parent's change, and those above while they differ.
void TreeMakespan::update_towards_root(std::int32_t rank) {
  set(rank, evaluate(rank));
  while (rank != tree_.root) {
    rank = tree_.parent[index(rank)];
    const double takes_s = evaluate(rank);
    if (takes_s == takes_s_[index(rank)]) return;
    set(rank, takes_s);
  }
}

// The order has been rearranged by the move.
void TreeMakespan::update(const OrderMove& move) {
  undo_.clear();
  const auto ranks = static_cast<std::int32_t>(tree_.parent.size());
  if (move.kind == OrderMove::Kind::swap || move.kind == OrderMove::Kind::cycle) {
    each_moved(move, [&](std::int32_t rank) {
      if (rank < ranks) update_towards_root(rank);
    });
    return;
  }
  for (const std::int32_t rank : upwards_) {
    const double takes_s = evaluate(rank);
    if (takes_s != takes_s_[index(rank)]) set(rank, takes_s);
  }
}

double TreeMakespan::delta(const OrderMove& move) {
  const double before_s = value();
  rearrange(move, order_);
  update(move);
  const double after_s = value();
  rearrange(move.inverse(), order_);
  for (auto change = undo_.rbegin(); change != undo_.rend(); ++change)
    takes_s_[index(change->rank)] = change->before_s;
  return after_s - before_s;
}

void TreeMakespan::accept(const OrderMove& move) {
  rearrange(move, order_);
  update(move);
}

}  // namespace weft::search
