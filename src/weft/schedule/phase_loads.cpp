#include "weft/schedule/phase_loads.hpp"

#include <algorithm>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/tree_occupation.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/on_network.hpp"
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
        on_link_(static_cast<std::size_t>(network.topology().link_count())) {
    if (schedule_.route_count() == 0 || schedule_.symmetry().is_trivial()) return;
    action_ = LinkAction::of(schedule_.symmetry(), nodes_, network.topology());
    WEFT_ASSERT(action_);  // verify() asks for it
  }

  PhaseLoad count(std::int64_t step) {
    load_ = {};
    load_.by_class.resize(network_.topology().class_names().size());
    flows_.clear();
    routed_.clear();
    std::ranges::fill(on_link_, 0);
    const auto [segments, stride] = schedule_.segments();
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      const std::int64_t stored = step - segment * stride;
      if (stored < 0) break;
      if (stored < schedule_.stored_steps()) add_step(stored);
    }
    add_routed();
    return std::move(load_);
  }

 private:
  void add_step(std::int64_t stored_step) {
    for (const Message& message : schedule_.messages(stored_step))
      for (std::int32_t g = 0; g < schedule_.symmetry().order(); ++g) add(message, g);
  }

  void add(const Message& message, std::int32_t element) {
    const Symmetry& symmetry = schedule_.symmetry();
    const NodeId from = nodes_[symmetry.apply(element, message.from).index()];
    const NodeId to = nodes_[symmetry.apply(element, message.to).index()];
    if (from == to) return;
    ++load_.messages;
    flows_.push_back({from, to});
    if (message.route == kRouted) return routed_.push_back({from, to});
    for (const LinkId link : schedule_.route(message.route))
      cross(action_ ? action_->translate(element, link) : link);
  }

  void add_routed() {
    network::RouteTable routes;
    network_.routing().route(routed_, routes);
    for (std::int64_t i = 0; i < std::ssize(routed_); ++i) {
      if (routes.has_shares())
        cross_split(routes.links(i), routes.shares(i));
      else
        for (const LinkId link : routes.links(i)) cross(link);
    }
    round_split();
    if (!tree_) return;
    const auto levels = network::tree_occupation(*tree_, flows_);
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
              "{} splits messages over paths of different links, which have no count; use another "
              "routing, such as shortest",
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
  std::vector<NodeId> nodes_;
  std::optional<topology::XgftView> tree_;
  std::optional<LinkAction> action_;  // when explicit routes move under a symmetry
  std::vector<std::int64_t> on_link_;
  std::vector<network::Flow> flows_, routed_;  // of the step: all, and those without a route
  PhaseLoad load_;
};

}  // namespace

PhaseLoad phase_load(const Verified& verified, const Network& network, std::int64_t step) {
  const std::int64_t steps = verified.schedule().steps();
  require(step >= 0 && step < steps, "there is no phase {} (the schedule has steps 0 to {})", step,
          steps - 1);
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
