#include "weft/schedule/phase_loads.hpp"

#include <algorithm>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/tree_occupation.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/topology/views.hpp"

namespace weft::schedule {

namespace {

class Counter {
 public:
  Counter(const Verified& verified, const Network& network)
      : schedule_(verified.schedule()),
        network_(network),
        nodes_(nodes_of_agents(schedule_, network)),
        tree_(topology::as_xgft(network.topology())),
        walk_(network, explicit_routes(schedule_, nodes_, network)),
        on_link_(network.topology().link_count()) {}

  PhaseLoad count(std::int64_t step) {
    WEFT_ASSERT(step >= 0 && step < schedule_.steps());
    load_ = {};
    load_.by_class.resize(network_.topology().class_names().size());
    flows_.clear();
    walk_.clear();
    std::ranges::fill(on_link_, 0);
    const auto [segments, stride] = schedule_.segments();
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      const std::int64_t stored = step - segment * stride;
      if (stored < 0) break;
      if (stored < schedule_.stored_steps()) add_step(stored);
    }
    add_routes();
    return std::move(load_);
  }

 private:
  void add_step(std::int64_t stored_step) {
    for (const Message& message : schedule_.messages(stored_step))
      for (std::int32_t g = 0; g < schedule_.symmetry().order(); ++g) add(message, g);
  }

  void add(const Message& message, std::int32_t element) {
    const Symmetry& symmetry = schedule_.symmetry();
    const NodeId from = nodes_[symmetry.apply(element, message.from)];
    const NodeId to = nodes_[symmetry.apply(element, message.to)];
    if (from == to) return;
    ++load_.messages;
    flows_.push_back({from, to});
    walk_.add(from, to, message.route, element);
  }

  void add_routes() {
    walk_.route();
    for (std::int64_t i = 0; i < walk_.size(); ++i) {
      if (const auto shares = walk_.shares(i); !shares.empty())
        cross_split(walk_.links(i), shares);
      else
        for (const LinkId link : walk_.links(i)) cross(link);
    }
    round_split();
    if (!tree_) return;
    const auto levels = network::tree_occupation(*tree_, flows_);
    WEFT_ASSERT(!levels.empty());
    load_.least = network::least_contention(levels);
    load_.top_level = levels.back().crossing;
  }

  void cross(LinkId link) {
    ++load_.by_class[network_.topology().link_class(link).index()];
    load_.busiest_link = std::max(load_.busiest_link, ++on_link_[link.index()]);
  }

  // Paths of a split message count where they cross as many links of each class.
  void cross_split(std::span<const LinkId> links, std::span<const Rational> shares) {
    std::vector<Rational> crossed(load_.by_class.size());
    split_.resize(on_link_.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      split_[links[i].index()] += shares[i];
      crossed[network_.topology().link_class(links[i]).index()] += shares[i];
    }
    for (std::size_t c = 0; c < crossed.size(); ++c) {
      require(crossed[c].denominator() == 1,
              "{} splits messages over paths of different links, which cannot be counted; use "
              "another routing, such as shortest",
              network_.routing().name());
      load_.by_class[c] += crossed[c].numerator();
    }
  }

  // Parts of messages on one link add up, to one more where that is no whole number.
  void round_split() {
    for (std::size_t link = 0; link < split_.size(); ++link) {
      const Rational& parts = split_[link];
      const std::int64_t whole =
          on_link_[link] + (parts.numerator() + parts.denominator() - 1) / parts.denominator();
      load_.busiest_link = std::max(load_.busiest_link, whole);
    }
    split_.clear();
  }

  const Schedule& schedule_;
  const Network& network_;
  std::vector<Rational> split_;  // by link, of the step: parts of messages
  IdVector<Agent, NodeId> nodes_;
  std::optional<topology::XgftView> tree_;
  RouteWalk walk_;
  std::vector<std::int64_t> on_link_;
  std::vector<network::Flow> flows_;  // of the step
  PhaseLoad load_;
};

}  // namespace

PhaseLoad phase_load(const Verified& verified, const Network& network, std::int64_t step) {
  const std::int64_t steps = verified.schedule().steps();
  require(step >= 0 && step < steps, "phase {} does not exist (the schedule has steps 0 to {})",
          step, steps - 1);
  return Counter(verified, network).count(step);
}

std::vector<PhaseLoad> phase_loads(const Verified& verified, const Network& network) {
  Counter counter(verified, network);
  std::vector<PhaseLoad> loads;
  for (std::int64_t step = 0; step < verified.schedule().steps(); ++step)
    loads.push_back(counter.count(step));
  return loads;
}

}  // namespace weft::schedule
