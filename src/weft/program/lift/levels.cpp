// Messages are nodes of a graph whose arcs say that one is in the same step as another or later
// (length 0), or later (length 1):
//
//   - who reads a version is later than the landings that made it;
//   - a landing that makes the next version is no earlier than those who read the one before,
//     since sends read the state before their step;
//   - a copy is later than the landings before it, and a reduction later than a copy;
//   - reductions that nobody reads in between may be in any order.
//
// Two ranks that exchange what they have are a circle of arcs of length 0, so that the levels are
// the longest paths between strongly connected components (Tarjan 1972), within which every arc
// must have length 0. Many readers of what many landings made meet in a gate, a node of its own.
#include "levels.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/error.hpp"

namespace weft::program {

namespace {

constexpr std::int32_t kNoNode = -1;

struct Arc {
  std::int32_t from, to;
  std::int32_t length;
};

class Arcs {
 public:
  explicit Arcs(std::int32_t nodes) : nodes_(nodes) {}

  std::int32_t add_node() { return nodes_++; }
  void add(std::int32_t from, std::int32_t to, std::int32_t length) {
    if (from != to || length > 0) arcs_.push_back({from, to, length});
  }

  std::int32_t nodes() const { return nodes_; }
  /// By the node that they leave.
  std::vector<Arc> sorted() && {
    std::ranges::sort(arcs_, {}, &Arc::from);
    return std::move(arcs_);
  }

 private:
  std::int32_t nodes_;
  std::vector<Arc> arcs_;
};

// Tarjan's walk without recursion. A component is found after all those that it leads to.
class Components {
 public:
  Components(std::int32_t nodes, const std::vector<Arc>& arcs)
      : arcs_(arcs),
        first_(static_cast<std::size_t>(nodes) + 1),
        number_(first_.size(), kNoNode),
        low_(first_.size()),
        component_(first_.size(), kNoNode) {
    for (const Arc& arc : arcs) ++first_[static_cast<std::size_t>(arc.from) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    next_.assign(first_.begin(), first_.end() - 1);
    for (std::int32_t node = 0; node < nodes; ++node)
      if (number_[at(node)] == kNoNode) walk_from(node);
  }

  std::int32_t count() const { return count_; }
  std::int32_t of(std::int32_t node) const { return component_[at(node)]; }

 private:
  static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }

  void enter(std::int32_t node) {
    number_[at(node)] = low_[at(node)] = entered_++;
    path_.push_back(node);
    open_.push_back(node);
  }

  void walk_from(std::int32_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::int32_t node = path_.back();
      if (next_[at(node)] < first_[at(node) + 1]) {
        const std::int32_t to = arcs_[next_[at(node)]++].to;
        if (number_[at(to)] == kNoNode)
          enter(to);
        else if (component_[at(to)] == kNoNode)
          low_[at(node)] = std::min(low_[at(node)], number_[at(to)]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[at(path_.back())] = std::min(low_[at(path_.back())], low_[at(node)]);
      if (low_[at(node)] == number_[at(node)]) close(node);
    }
  }

  void close(std::int32_t node) {
    std::int32_t member = kNoNode;
    while (member != node) {
      member = open_.back();
      open_.pop_back();
      component_[at(member)] = count_;
    }
    ++count_;
  }

  const std::vector<Arc>& arcs_;
  std::vector<std::size_t> first_, next_;  // arcs of each node; the next to follow
  std::vector<std::int32_t> number_, low_, component_;
  std::vector<std::int32_t> path_, open_;
  std::int32_t entered_ = 0, count_ = 0;
};

std::optional<std::vector<std::int32_t>> longest_paths(Arcs&& graph) {
  const std::int32_t nodes = graph.nodes();
  std::vector<Arc> arcs = std::move(graph).sorted();
  const Components components(nodes, arcs);
  for (const Arc& arc : arcs)
    if (arc.length > 0 && components.of(arc.from) == components.of(arc.to)) return std::nullopt;
  std::ranges::sort(arcs, std::greater<>(),
                    [&](const Arc& arc) { return components.of(arc.from); });
  std::vector<std::int32_t> levels(static_cast<std::size_t>(components.count()));
  for (const Arc& arc : arcs) {
    std::int32_t& to = levels[static_cast<std::size_t>(components.of(arc.to))];
    to = std::max(to, levels[static_cast<std::size_t>(components.of(arc.from))] + arc.length);
  }
  std::vector<std::int32_t> result;
  for (std::int32_t node = 0; node < nodes; ++node)
    result.push_back(levels[static_cast<std::size_t>(components.of(node))]);
  WEFT_ASSERT(std::ssize(result) == nodes);
  return result;
}

// A landing or a reading of a version.
struct Event {
  std::int64_t place;  // agent and unit
  std::int32_t version;
  bool reads;
  bool copies;
  std::int32_t message;

  auto key() const { return std::tuple(place, version, reads); }
};

std::vector<Event> events_of(const Operations& operations, const MovedUnits& units) {
  std::vector<Event> events;
  events.reserve(2 * units.moved.size());
  for (const MovedUnit& moved : units.moved) {
    const auto& ends = operations.messages()[static_cast<std::size_t>(moved.message)];
    events.push_back(
        {ends.from.value() * units.units + moved.unit, moved.read, true, false, moved.message});
    events.push_back({ends.to.value() * units.units + moved.unit, moved.landed, false,
                      moved.arrival == Arrival::copy, moved.message});
  }
  std::ranges::sort(events, {}, &Event::key);
  return events;
}

// The versions of one unit at one agent, grouped: landings, then those who read what they made.
class Versions {
 public:
  explicit Versions(Arcs& arcs) : arcs_(arcs) {}

  void start() {
    landings_.clear();
    readers_.clear();
    gate_ = made_ = kNoNode;
    copied_ = false;
  }

  void land(const Event& event) {
    if (event.copies || copied_ || !readers_.empty()) close();
    copied_ = event.copies;
    landings_.push_back(event.message);
    if (gate_ != kNoNode) arcs_.add(gate_, event.message, gate_length_);
  }

  void read(const Event& event) {
    readers_.push_back(event.message);
    if (landings_.size() == 1) arcs_.add(landings_[0], event.message, 1);
    if (landings_.size() <= 1) return;
    if (made_ == kNoNode) made_ = gather(landings_, 1);
    arcs_.add(made_, event.message, 0);
  }

 private:
  // What lands next is no earlier than the gate.
  void close() {
    const bool read = !readers_.empty();
    const std::vector<std::int32_t>& last = read ? readers_ : landings_;
    if (!last.empty()) {
      gate_length_ = !read && last.size() == 1 ? 1 : 0;
      gate_ = last.size() == 1 ? last[0] : gather(last, read ? 0 : 1);
    }
    landings_.clear();
    readers_.clear();
    made_ = kNoNode;
  }

  std::int32_t gather(const std::vector<std::int32_t>& messages, std::int32_t length) {
    const std::int32_t node = arcs_.add_node();
    for (const std::int32_t message : messages) arcs_.add(message, node, length);
    return node;
  }

  Arcs& arcs_;
  std::vector<std::int32_t> landings_, readers_;
  std::int32_t gate_ = kNoNode, gate_length_ = 0, made_ = kNoNode;
  bool copied_ = false;
};

void add_data_arcs(const Operations& operations, const MovedUnits& units, Arcs& arcs) {
  Versions versions(arcs);
  std::int64_t place = kNoNode;
  for (const Event& event : events_of(operations, units)) {
    if (event.place != place) versions.start();
    place = event.place;
    event.reads ? versions.read(event) : versions.land(event);
  }
}

// Whatever an operation waits for; those that are no end of a message are nodes of their own.
void add_order_arcs(const Operations& operations, Arcs& arcs) {
  std::vector<std::vector<std::int32_t>> nodes;
  for (std::int32_t a = 0; a < operations.agents(); ++a)
    nodes.emplace_back(operations.of(Agent(a)).size(), kNoNode);
  std::int32_t message = 0;
  for (const auto& ends : operations.messages()) {
    nodes[ends.from.index()][static_cast<std::size_t>(ends.send)] = message;
    nodes[ends.to.index()][static_cast<std::size_t>(ends.receive)] = message++;
  }
  for (std::int32_t a = 0; a < operations.agents(); ++a) {
    std::vector<std::int32_t>& own = nodes[static_cast<std::size_t>(a)];
    std::size_t i = 0;
    for (const Operation& operation : operations.of(Agent(a))) {
      if (own[i] == kNoNode) own[i] = arcs.add_node();
      for (const std::int32_t before : operations.waits(operation))
        arcs.add(own[static_cast<std::size_t>(before)], own[i], 0);
      ++i;
    }
  }
}

}  // namespace

std::optional<std::vector<std::int32_t>> find_levels(const Operations& operations,
                                                     const MovedUnits& units, RankOrder order) {
  const auto messages = static_cast<std::int32_t>(operations.messages().size());
  Arcs arcs(messages);
  add_data_arcs(operations, units, arcs);
  if (order == RankOrder::kept) add_order_arcs(operations, arcs);
  auto levels = longest_paths(std::move(arcs));
  if (levels) levels->resize(static_cast<std::size_t>(messages));
  return levels;
}

}  // namespace weft::program
