#include "loads.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
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
      pouring_(network.fabric()),
      whole_(network.topology().link_count()) {
  if (const std::int64_t common = network.routing().share_denominator(); common > 0)
    scale_ = common;
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
  WEFT_ASSERT(shared_ && action_);
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
  WEFT_ASSERT(stored_step >= 0 && stored_step < schedule_.stored_steps());
  TimeLimit::check();
  repeated_ = repeats_last_step(stored_step);
  if (repeated_) return loads_;
  const std::int32_t copies = shared_ ? 1 : schedule_.symmetry().order();
  if (pours(stored_step)) {
    pour(stored_step);
    collect();
    return loads_;
  }
  for (std::int64_t m = schedule_.first_message(stored_step);
       m < schedule_.first_message(stored_step + 1); ++m) {
    const std::int64_t units = units_of(schedule_, m);
    for (std::int32_t g = 0; g < copies; ++g) add_flow(schedule_.message(m), g, units);
  }
  collect();
  return loads_;
}

bool StepLoads::pours(std::int64_t stored_step) const {
  constexpr std::int64_t kMostPoured = std::int64_t{1} << 24;  // 256 MB
  if (shared_ || schedule_.route_count() > 0 || !network_.routing().knows_ways()) return false;
  const std::int64_t messages =
      std::ssize(schedule_.messages(stored_step)) * schedule_.symmetry().order();
  return messages >= network::fewest_to_pour(network_.topology()) && messages <= kMostPoured;
}

// Messages to nodes that receive many are split together, the others one by one.
void StepLoads::pour(std::int64_t stored_step) {
  const Symmetry& symmetry = schedule_.symmetry();
  IdVector<NodeId, std::vector<Inflow>> to(network_.topology().node_count());
  for (std::int64_t m = schedule_.first_message(stored_step);
       m < schedule_.first_message(stored_step + 1); ++m) {
    const Message& message = schedule_.message(m);
    const std::int64_t units = units_of(schedule_, m);
    for (std::int32_t g = 0; g < symmetry.order(); ++g) {
      const NodeId from = nodes_[symmetry.apply(g, message.from)];
      const NodeId target = nodes_[symmetry.apply(g, message.to)];
      if (from != target) to[target].push_back({from, units});
    }
  }
  for (const NodeId target : to.ids()) {
    if (pour(target, to[target])) continue;
    for (const Inflow& each : to[target]) {
      walk_.add(each.from, target, kRouted, 0);
      flow_units_.push_back(each.units);
      if (flow_units_.size() == kFlowsAtOnce) route_flows();
    }
  }
}

bool StepLoads::pour(NodeId target, const std::vector<Inflow>& flows) {
  if (std::ssize(flows) < network::fewest_to_pour(network_.topology())) return false;
  TimeLimit::check();
  network_.routing().ways_to(target, ways_);
  network::Pouring<Rational>::Poured poured;
  try {
    for (const Inflow& each : flows) pouring_.add(each.from, Rational(each.units));
    poured = pouring_.pour(ways_, target);
  } catch (const std::overflow_error&) {  // each of them may fit
    pouring_.clear();
    return false;
  }
  if (!poured.complete) return false;  // their routes say what cannot be reached
  longest_latency_ps_ = std::max(longest_latency_ps_, poured.latency_ps);
  for (const auto& [link, units] : poured.loads) add_load(link, 1, units);
  return true;
}

void StepLoads::add_flow(const Message& message, std::int32_t element, std::int64_t units) {
  const Symmetry& symmetry = schedule_.symmetry();
  const NodeId from = nodes_[symmetry.apply(element, message.from)];
  const NodeId to = nodes_[symmetry.apply(element, message.to)];
  if (message.route == kRouted && from == to) return;
  walk_.add(from, to, message.route, element);
  flow_units_.push_back(units);
  if (flow_units_.size() == kFlowsAtOnce) route_flows();
}

// Integers while they fit, in a unit that divides all shares met so far; then fractions.
void StepLoads::add_load(LinkId link, std::int64_t units, const Rational& share) {
  if (split_.empty()) {
    if (add_scaled_load(link, units, share)) return;
    turn_to_fractions();
  }
  add_split_load(link, share * units);
}

bool StepLoads::add_scaled_load(LinkId link, std::int64_t units, const Rational& share) {
  const Rational::Wide denominator = share.wide_denominator();
  if (denominator != last_denominator_ && !refine_to(denominator)) return false;
  std::int64_t& load = whole_[link];
  std::int64_t scaled = 0, sum = 0;
  if (share.wide_numerator() > std::numeric_limits<std::int64_t>::max() ||
      __builtin_mul_overflow(units, share.numerator(), &scaled) ||
      __builtin_mul_overflow(scaled, scale_per_denominator_, &scaled) ||
      __builtin_add_overflow(load, scaled, &sum))
    return false;
  if (load == 0) touched_.push_back(link);
  load = sum;
  return true;
}

// Whether there is a scale that the denominator divides, in which all loads fit.
bool StepLoads::refine_to(Rational::Wide denominator) {
  if (denominator > std::numeric_limits<std::int64_t>::max()) return false;
  const auto divisor = static_cast<std::int64_t>(denominator);
  const std::int64_t factor = divisor / std::gcd(scale_, divisor);
  std::int64_t finer = 0;
  if (__builtin_mul_overflow(scale_, factor, &finer)) return false;
  if (factor > 1) {
    std::int64_t ignored = 0;
    for (const LinkId link : touched_)
      if (__builtin_mul_overflow(whole_[link], factor, &ignored)) return false;
    for (const LinkId link : touched_) whole_[link] *= factor;
    scale_ = finer;
  }
  last_denominator_ = divisor;
  scale_per_denominator_ = scale_ / divisor;
  WEFT_ASSERT(scale_per_denominator_ * divisor == scale_);
  return true;
}

void StepLoads::turn_to_fractions() {
  WEFT_ASSERT(split_.empty());  // happens once
  split_.resize(whole_.size());
  for (const LinkId link : touched_) split_[link] = Rational(whole_[link], scale_);
}

void StepLoads::add_split_load(LinkId link, const Rational& units) {
  Rational& load = split_[link];
  if (load == 0) touched_.push_back(link);
  load += units;
}

void StepLoads::route_flows() {
  TimeLimit::check();
  const Rational whole = 1;
  walk_.route();
  WEFT_ASSERT(walk_.size() == std::ssize(flow_units_));
  for (std::size_t i = 0; i < flow_units_.size(); ++i) {
    const auto flow = static_cast<std::int64_t>(i);
    const auto links = walk_.links(flow);
    const auto shares = walk_.shares(flow);
    longest_latency_ps_ = std::max(longest_latency_ps_, walk_.latency_ps(flow));
    for (std::size_t l = 0; l < links.size(); ++l) {
      const LinkId link = shared_ ? representative(links[l]) : links[l];
      add_load(link, flow_units_[i], shares.empty() ? whole : shares[l]);
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
    loads_.push_back({link, split_.empty() ? Rational(whole_[link], scale_) : split_[link]});
    if (split_.empty())
      whole_[link] = 0;
    else
      split_[link] = 0;
  }
  touched_.clear();
}

}  // namespace weft::schedule
