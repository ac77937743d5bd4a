#include "weft/schedule/crossings.hpp"

#include <algorithm>
#include <span>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::schedule {

namespace {

/// Each message's links, and how many of each class they are.
class Counter {
 public:
  Counter(const Schedule& schedule, const Network& network)
      : schedule_(schedule),
        network_(network),
        nodes_(nodes_of_agents(schedule, network)),
        walk_(network, explicit_routes(schedule, nodes_, network)),
        messages_(network.topology().class_names().size()),
        units_(messages_.size()) {}

  /// Links on the route of each message of a stored step; one that is asked for again counts again.
  const std::vector<std::int64_t>& count(std::int64_t stored_step) {
    lengths_.clear();
    walk_.clear();
    for (const Message& message : schedule_.messages(stored_step))
      walk_.add(nodes_[message.from], nodes_[message.to], message.route, 0);
    walk_.route();
    const std::int64_t first = schedule_.first_message(stored_step);
    for (std::int64_t i = 0; i < walk_.size(); ++i) {
      if (const auto shares = walk_.shares(i); !shares.empty())
        add_split(first + i, walk_.links(i), shares);
      else
        add(first + i, walk_.links(i));
    }
    return lengths_;
  }

  std::vector<ClassCrossings> classes() const {
    const std::int64_t units_of_m =
        checked_mul(checked_mul(schedule_.collective().blocks_in_m(), schedule_.units_per_block()),
                    schedule_.segments().count);
    std::vector<ClassCrossings> result;
    for (std::size_t c = 0; c < messages_.size(); ++c)
      result.push_back({network_.topology().class_names()[ClassId(c)], messages_[c],
                        Rational(units_[c], units_of_m)});
    return result;
  }

 private:
  void add(std::int64_t message, std::span<const LinkId> links) {
    std::int64_t units = 0;
    for (const Piece& piece : schedule_.pieces(message)) units += piece.count;
    for (const LinkId link : links) {
      const std::size_t c = network_.topology().link_class(link).index();
      ++messages_[c];
      units_[c] = checked_add(units_[c], units);
    }
    lengths_.push_back(static_cast<std::int64_t>(links.size()));
  }

  // Paths that split a message count where they cross as many links of each class, all of them.
  void add_split(std::int64_t message, std::span<const LinkId> links,
                 std::span<const Rational> shares) {
    crossed_.assign(messages_.size(), 0);
    for (std::size_t i = 0; i < links.size(); ++i)
      crossed_[network_.topology().link_class(links[i]).index()] += shares[i];
    std::int64_t units = 0, length = 0;
    for (const Piece& piece : schedule_.pieces(message)) units += piece.count;
    for (std::size_t c = 0; c < crossed_.size(); ++c) {
      require(crossed_[c].denominator() == 1,
              "{} splits messages over paths of different links, which cannot be counted; use "
              "another routing, such as shortest",
              network_.routing().name());
      const std::int64_t count = crossed_[c].numerator();
      messages_[c] += count;
      units_[c] = checked_add(units_[c], checked_mul(units, count));
      length += count;
    }
    lengths_.push_back(length);
  }

  const Schedule& schedule_;
  const Network& network_;
  IdVector<Agent, NodeId> nodes_;
  RouteWalk walk_;
  std::vector<std::int64_t> messages_, units_;  // by class
  std::vector<Rational> crossed_;               // by class, of one message
  std::vector<std::int64_t> lengths_;
};

/// When each agent is through with the steps so far.
class Clock {
 public:
  explicit Clock(std::int32_t agents) : free_(agents), arrived_(free_.size()) {}

  void send(Agent from, Agent to, std::int64_t duration) {
    WEFT_ASSERT(duration >= 0);
    std::int64_t& free = free_[from.index()];
    free += duration;
    arrived_[to.index()] = std::max(arrived_[to.index()], free);
  }
  void finish_step() {
    for (std::size_t agent = 0; agent < free_.size(); ++agent)
      free_[agent] = std::max(free_[agent], arrived_[agent]);
  }
  std::int64_t last() const { return *std::max_element(free_.begin(), free_.end()); }

 private:
  std::vector<std::int64_t> free_, arrived_;  // by agent
};

}  // namespace

const ClassCrossings& Crossings::of(std::string_view link_class) const {
  static const ClassCrossings kNone;
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const ClassCrossings& one) {
    return one.link_class == link_class;
  });
  return found == classes.end() ? kNone : *found;
}

std::int64_t Crossings::total() const {
  std::int64_t sum = 0;
  for (const ClassCrossings& one : classes) sum += one.messages;
  return sum;
}

Crossings crossings(const Verified& verified, const Network& network) {
  const Schedule schedule = verified.schedule().symmetry().is_trivial()
                                ? verified.schedule()
                                : expand_symmetry(verified.schedule(), &network.topology());
  const auto [segments, stride] = schedule.segments();
  Counter counter(schedule, network);
  Clock clock(schedule.agents());
  for (std::int64_t step = 0; step < schedule.steps(); ++step) {
    const std::int64_t past = step - schedule.stored_steps();  // of segment 0's end
    for (std::int64_t segment = past < 0 ? 0 : past / stride + 1; segment < segments; ++segment) {
      const std::int64_t stored = step - segment * stride;
      if (stored < 0) break;
      const std::vector<std::int64_t>& lengths = counter.count(stored);
      WEFT_ASSERT(lengths.size() == schedule.messages(stored).size());
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        const Message& message = schedule.messages(stored)[i];
        clock.send(message.from, message.to, lengths[i]);
      }
    }
    clock.finish_step();
  }
  return {counter.classes(), clock.last()};
}

}  // namespace weft::schedule
