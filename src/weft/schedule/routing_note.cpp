#include "weft/schedule/routing_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/network/split_loads.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_symmetry.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::schedule {

namespace {

using network::Flow;
using network::Routing;
using network::WeightedFlow;

constexpr double kMostWork = 1 << 27;  // links and nodes searched: half a second
constexpr double kWorkOfMessage = 32;  // to route it, in the same unit
constexpr std::string_view kSplit = "shortest-split";

// At most, of a search for each destination and a route for each message, of which `copies` go
// where one is stored.
double work(const Schedule& schedule, const Network& network, std::int64_t step,
            std::int32_t copies) {
  const auto messages = static_cast<double>(std::ssize(schedule.messages(step))) * copies;
  const auto nodes = static_cast<double>(network.topology().node_count());
  const auto links = static_cast<double>(network.topology().link_count());
  return messages * kWorkOfMessage + std::min(messages, nodes) * (nodes + links);
}

bool is_judged(const Schedule& schedule, const Network& network, std::int32_t copies) {
  for (std::int64_t step = 0; step < schedule.stored_steps(); ++step)
    if (work(schedule, network, step, copies) > kMostWork) return false;
  return true;
}

bool has_own_ways(const Schedule& schedule, const Routing& routing) {
  return schedule.route_count() > 0 || routing.name() == kSplit || routing.sees_whole_step();
}

// How the schedule's symmetry moves the links, where routes move with it.
std::optional<LinkAction> action_of_routes(const Schedule& schedule, std::span<const NodeId> nodes,
                                           const Network& network) {
  if (schedule.symmetry().is_trivial()) return std::nullopt;
  auto action = link_action(schedule.symmetry(), nodes, network.fabric());
  if (action && !routes_move_with(*action, schedule, nodes, network)) action.reset();
  return action;
}

// Where routes move with the schedule's symmetry, as an equal split does with any, flows of
// representatives stand for all, and the links of an orbit for each other.
class Judge {
 public:
  Judge(const Schedule& schedule, const Network& network)
      : schedule_(schedule),
        network_(network),
        nodes_(nodes_of_agents(schedule, network)),
        action_(action_of_routes(schedule, nodes_, network)),
        split_(network.fabric()) {}

  bool judges_all() const { return is_judged(schedule_, network_, copies()); }

  std::optional<RoutingNote> worst() {
    RoutingNote note;
    const std::int64_t stride = this->stride();
    std::vector<WeightedFlow> flows, before;
    for (std::int64_t step = 0; step < schedule_.stored_steps(); step += stride) {
      if (work(schedule_, network_, step, copies()) > kMostWork) continue;
      take(step, flows);
      if (alike(flows, before)) continue;
      const double factor = factor_of(network_.routing(), flows);
      if (factor > note.factor) {
        note.factor = factor;
        note.step = step;
      }
      before.swap(flows);
    }
    if (note.factor < kWorthNoting * (1 - 1e-9)) return std::nullopt;
    note.routing = network_.routing().name();
    note.helps = helper(note.step);
    return note;
  }

 private:
  // Of each stored message.
  std::int32_t copies() const { return action_ ? 1 : schedule_.symmetry().order(); }

  // Steps are left out evenly where all are too much work.
  std::int64_t stride() const {
    double all = 0;
    for (std::int64_t step = 0; step < schedule_.stored_steps(); ++step)
      all += work(schedule_, network_, step, copies());
    return static_cast<std::int64_t>(std::ceil(std::max(1.0, all / kMostWork)));
  }

  // The step's flows between nodes.
  void take(std::int64_t step, std::vector<WeightedFlow>& flows) const {
    flows.clear();
    const Symmetry& symmetry = schedule_.symmetry();
    for (std::int64_t m = schedule_.first_message(step); m < schedule_.first_message(step + 1);
         ++m) {
      const Message& message = schedule_.message(m);
      std::int64_t units = 0;
      for (const Piece& piece : schedule_.pieces(m)) units += piece.count;
      for (std::int32_t g = 0; g < copies(); ++g) {
        const Flow flow{nodes_[symmetry.apply(g, message.from)],
                        nodes_[symmetry.apply(g, message.to)]};
        if (flow.from != flow.to) flows.push_back({flow, static_cast<double>(units)});
      }
    }
  }

  // Whether both put the same on every link: rings send the same way in every step.
  static bool alike(const std::vector<WeightedFlow>& a, const std::vector<WeightedFlow>& b) {
    return std::ranges::equal(a, b, [](const WeightedFlow& x, const WeightedFlow& y) {
      return x.flow.from == y.flow.from && x.flow.to == y.flow.to && x.amount == y.amount;
    });
  }

  double factor_of(const Routing& routing, const std::vector<WeightedFlow>& flows) {
    load(routing, flows);
    const double most = busiest(loads_);
    if (most <= 0) return 0;  // no messages meet, so that no routing helps: no need of the split
    IdVector<LinkId, double> even = split_.of(flows);
    gather(even);
    WEFT_ASSERT(even.size() == loads_.size());
    const double least = busiest(even);
    return least > 0 ? most / least : 1;
  }

  // Of links on which messages meet: what one carries alone is no fault of the routing.
  void load(const Routing& routing, const std::vector<WeightedFlow>& flows) {
    constexpr std::size_t kAtOnce = 1 << 16;  // flows, so that little memory is needed
    loads_.assign(network_.topology().link_count(), 0);
    meetings_.assign(loads_.size(), 0);
    for (std::size_t first = 0; first < flows.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, flows.size() - first);
      ends_.clear();
      for (std::size_t i = 0; i < count; ++i) ends_.push_back(flows[first + i].flow);
      routes_.clear();
      routing.route(ends_, routes_);
      for (std::size_t i = 0; i < count; ++i) add(static_cast<std::int64_t>(i), flows[first + i]);
    }
    gather(loads_);
    gather(meetings_);
    for (const LinkId link : loads_.ids())
      if (meetings_[link] < 2) loads_[link] = 0;
  }

  // What all links of an orbit have, on its representative.
  template <class Number>
  void gather(IdVector<LinkId, Number>& by_link) const {
    if (!action_) return;
    const Symmetry& symmetry = schedule_.symmetry();
    for (const LinkId link : network_.topology().links()) {
      const Agent tail = action_->agent(network_.topology().tail(link));
      const LinkId first = action_->translate(symmetry.inverse(symmetry.element(tail)), link);
      if (first != link) by_link[first] += std::exchange(by_link[link], 0);
    }
  }

  void add(std::int64_t route, const WeightedFlow& flow) {
    const auto links = routes_.links(route);
    const auto shares = routes_.shares(route);
    for (std::size_t l = 0; l < links.size(); ++l) {
      loads_[links[l]] += flow.amount * (shares.empty() ? 1 : shares[l].to_double());
      ++meetings_[links[l]];
    }
  }

  double busiest(const IdVector<LinkId, double>& loads) const {
    double longest = 0;
    for (const LinkId link : network_.topology().links())
      longest = std::max(longest,
                         loads[link] / static_cast<double>(network_.fabric().bandwidth_Bps(link)));
    return longest;
  }

  // The usual routing may move otherwise: all flows, if that is little enough work.
  std::string helper(std::int64_t step) {
    const std::string_view name = default_routing(network_.topology());
    if (name == network_.routing().name()) return std::string(kSplit);
    action_.reset();
    if (work(schedule_, network_, step, copies()) > kMostWork) return std::string(kSplit);
    std::vector<WeightedFlow> flows;
    take(step, flows);
    const auto usual = make_routing(name, network_.fabric());
    return std::string(factor_of(*usual, flows) <= kWorthNoting ? name : kSplit);
  }

  const Schedule& schedule_;
  const Network& network_;
  IdVector<Agent, NodeId> nodes_;
  std::optional<LinkAction> action_;  // where routes move with it
  network::SplitLoads split_;
  std::vector<Flow> ends_;
  network::RouteTable routes_;
  IdVector<LinkId, double> loads_;
  IdVector<LinkId, std::int32_t> meetings_;  // messages
};

}  // namespace

std::optional<RoutingNote> routing_note(const Schedule& schedule, const Network& network) {
  if (has_own_ways(schedule, network.routing())) return std::nullopt;
  return Judge(schedule, network).worst();
}

bool judges_routing(const Schedule& schedule, const Network& network) {
  return has_own_ways(schedule, network.routing()) ||
         is_judged(schedule, network, schedule.symmetry().order()) ||
         Judge(schedule, network).judges_all();
}

std::string text_of(const RoutingNote& note) {
  return fmt::format(
      "in step {} the busiest link carries {:.1f} times the load of an equal split over "
      "shortest paths; --routing {} reduces it",
      note.step, note.factor, note.helps);
}

}  // namespace weft::schedule
