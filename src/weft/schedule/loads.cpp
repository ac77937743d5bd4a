#include "loads.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_symmetry.hpp"

namespace weft::schedule {

namespace {

// Flows are routed in parts of this many, so that a step with all messages at once needs little
// memory.
constexpr std::size_t kFlowsAtOnce = 1 << 16;

std::int64_t units_of(const Schedule& schedule, std::int64_t message) {
  std::int64_t units = 0;
  for (const Piece& piece : schedule.pieces(message)) units += piece.count;
  return units;
}

std::shared_ptr<const ExplicitRoutes> routes_of(const Schedule& schedule,
                                                std::optional<LinkAction> action) {
  return std::make_shared<const ExplicitRoutes>(
      ExplicitRoutes{.count = schedule.route_count(),
                     .links = [&schedule](RouteId route) { return schedule.route(route); },
                     .action = std::move(action)});
}

}  // namespace

StepLoads::StepLoads(const Schedule& schedule, const Network& network)
    : schedule_(schedule),
      network_(network),
      nodes_(nodes_of_agents(schedule, network)),
      walk_(network, routes_of(schedule, std::nullopt)),
      whole_(static_cast<std::size_t>(network.topology().link_count())) {
  if (const std::int64_t common = network.routing().share_denominator(); common > 0)
    scale_ = common;
  else
    split_.resize(whole_.size());
  if (schedule.symmetry().is_trivial()) return;
  const bool explicit_routes = schedule.route_count() > 0;
  if (explicit_routes || worth_sharing())
    action_ = link_action(schedule.symmetry(), nodes_, network.fabric());
  shared_ = can_share();
  if (explicit_routes && !action_)  // speeds differ over an orbit: each translate by itself
    action_ = LinkAction::of(schedule.symmetry(), nodes_, network.topology());
  WEFT_ASSERT(!explicit_routes || action_);  // verify() asks for it
  if (explicit_routes) walk_ = RouteWalk(network, routes_of(schedule, action_));
}

// Where the proof that links may be shared costs more than routing every message, it is not worth
// it.
bool StepLoads::worth_sharing() const {
  const Symmetry& symmetry = schedule_.symmetry();
  const auto generators = static_cast<std::int64_t>(symmetry.group().generators().size());
  return schedule_.stored_messages() * symmetry.order() >=
         generators * network_.topology().link_count();
}

bool StepLoads::can_share() const {
  return action_ && routes_move_with(*action_, schedule_, nodes_, network_);
}

LinkId StepLoads::representative(LinkId link) const {
  const Symmetry& symmetry = schedule_.symmetry();
  const Agent tail = action_->agent(network_.topology().tail(link));
  return action_->translate(symmetry.inverse(symmetry.element(tail)), link);
}

// Rings send the same way in every step: their loads are those of the step before.
bool StepLoads::repeats_last_step(std::int64_t stored_step) {
  sent_.clear();
  for (std::int64_t m = schedule_.first_message(stored_step);
       m < schedule_.first_message(stored_step + 1); ++m) {
    const Message& message = schedule_.message(m);
    sent_.push_back({message.from, message.to, message.route, units_of(schedule_, m)});
  }
  const bool repeats = any_step_ && sent_ == last_sent_;
  any_step_ = true;
  last_sent_.swap(sent_);
  return repeats;
}

const std::vector<LinkLoad>& StepLoads::of(std::int64_t stored_step) {
  repeated_ = repeats_last_step(stored_step);
  if (repeated_) return loads_;
  const std::int32_t copies = shared_ ? 1 : schedule_.symmetry().order();
  for (std::int64_t m = schedule_.first_message(stored_step);
       m < schedule_.first_message(stored_step + 1); ++m) {
    const std::int64_t units = units_of(schedule_, m);
    for (std::int32_t g = 0; g < copies; ++g) add_flow(schedule_.message(m), g, units);
  }
  collect();
  return loads_;
}

void StepLoads::add_flow(const Message& message, std::int32_t element, std::int64_t units) {
  const Symmetry& symmetry = schedule_.symmetry();
  const NodeId from = nodes_[symmetry.apply(element, message.from).index()];
  const NodeId to = nodes_[symmetry.apply(element, message.to).index()];
  if (message.route == kRouted && from == to) return;
  walk_.add(from, to, message.route, element);
  flow_units_.push_back(units);
  if (flow_units_.size() == kFlowsAtOnce) route_flows();
}

void StepLoads::add_load(LinkId link, std::int64_t units) {
  if (!split_.empty()) return add_split_load(link, units);
  add_scaled_load(link, checked_mul(units, scale_));
}

void StepLoads::add_scaled_load(LinkId link, std::int64_t scaled) {
  std::int64_t& load = whole_[link.index()];
  if (load == 0) touched_.push_back(link);
  load += scaled;
}

void StepLoads::add_split_load(LinkId link, const Rational& units) {
  Rational& load = split_[link.index()];
  if (load == 0) touched_.push_back(link);
  load += units;
}

// Shares have a denominator that divides the scale.
std::int64_t StepLoads::scaled(const Rational& share) const {
  return share.numerator() * (scale_ / share.denominator());
}

void StepLoads::route_flows() {
  walk_.route();
  for (std::size_t i = 0; i < flow_units_.size(); ++i) {
    const auto flow = static_cast<std::int64_t>(i);
    const auto links = walk_.links(flow);
    const auto shares = walk_.shares(flow);
    longest_latency_ps_ = std::max(longest_latency_ps_, walk_.latency_ps(flow));
    for (std::size_t l = 0; l < links.size(); ++l) {
      const LinkId link = shared_ ? representative(links[l]) : links[l];
      if (shares.empty())
        add_load(link, flow_units_[i]);
      else if (split_.empty())
        add_scaled_load(link, checked_mul(flow_units_[i], scaled(shares[l])));
      else
        add_split_load(link, shares[l] * flow_units_[i]);
    }
  }
  walk_.clear();
  flow_units_.clear();
}

void StepLoads::collect() {
  route_flows();
  std::sort(touched_.begin(), touched_.end());
  loads_.clear();
  for (const LinkId link : touched_) {
    loads_.push_back(
        {link, split_.empty() ? Rational(whole_[link.index()], scale_) : split_[link.index()]});
    if (split_.empty())
      whole_[link.index()] = 0;
    else
      split_[link.index()] = 0;
  }
  touched_.clear();
}

}  // namespace weft::schedule
