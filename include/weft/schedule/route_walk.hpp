// RouteWalk: messages on a network, each as the links that it crosses and the share of it on each.
//
//   RouteWalk walk(network, explicit_routes(schedule, nodes, network));
//   for (const Message& m : schedule.messages(t)) walk.add(node(m.from), node(m.to), m.route, 0);
//   walk.route();  // what has no path of its own is given the network's, seeing all of them
//   for (std::int64_t i = 0; i < walk.size(); ++i) use(walk.links(i), walk.shares(i));
//
// Costs, crossings, phases, pictures and simulators all see routes through it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// The explicit routes of a schedule or program: those of stored messages, and how they move with
/// the symmetry (nothing where it is trivial or there are none).
struct ExplicitRoutes {
  std::int32_t count = 0;
  std::function<std::span<const LinkId>(RouteId)> links = {};
  std::optional<LinkAction> action = {};
};
/// With the action that verify() made sure of.
std::shared_ptr<const ExplicitRoutes> explicit_routes(
    std::int32_t count, std::function<std::span<const LinkId>(RouteId)> links,
    const Symmetry& symmetry, std::span<const NodeId> nodes, const Network& network);
/// Refers to the schedule.
std::shared_ptr<const ExplicitRoutes> explicit_routes(const Schedule& schedule,
                                                      std::span<const NodeId> nodes,
                                                      const Network& network);

class RouteWalk {
 public:
  /// Without `routes` all messages are kRouted.
  explicit RouteWalk(const Network& network, std::shared_ptr<const ExplicitRoutes> routes = {})
      : network_(&network), explicit_(std::move(routes)) {}

  /// Forgets all messages.
  void clear();
  /// Adds a message between two nodes: by a stored route moved by `element`, or kRouted.
  void add(NodeId from, NodeId to, RouteId route, std::int32_t element);
  /// Gives the messages that were added since clear() their routes.
  void route();
  /// The same, but those that are kRouted get none.
  void route_explicit();

  /// Messages, and those of them without a path of their own.
  std::int64_t size() const { return size_; }
  std::int64_t routed() const { return static_cast<std::int64_t>(flows_.size()); }

  /// In the order of the path; of a split message the links of all paths. Empty within a node.
  std::span<const LinkId> links(std::int64_t message) const {
    const std::int64_t place = place_of(message);
    return place >= 0 ? routes_.links(place) : paths_.links(~place);
  }
  /// Empty where the message is not split.
  std::span<const Rational> shares(std::int64_t message) const {
    const std::int64_t place = place_of(message);
    return place >= 0 ? routes_.shares(place) : std::span<const Rational>();
  }
  /// Picoseconds from end to end, start-up apart.
  std::int64_t latency_ps(std::int64_t message) const {
    const std::int64_t place = place_of(message);
    return place >= 0 ? routes_.latency_ps(place) : paths_.latency_ps(~place);
  }

  /// How much work their routes were, in looks at a link (simulation::SimulationOptions): exact
  /// shares take as long as some six.
  std::int64_t work() const {
    constexpr std::int64_t kOfMessage = 16, kOfShare = 6;
    std::int64_t work = kOfMessage * size();
    for (std::int64_t i = 0; i < size(); ++i)
      work += std::ssize(links(i)) + (kOfShare - 1) * std::ssize(shares(i));
    return work;
  }

  /// Puts image(link) in the place of each link.
  template <class Image>
  void map_links(Image&& image) {
    routes_.map_links(image);
    paths_.map_links(image);
  }

 private:
  /// Among routes_, or ~place among paths_.
  std::int64_t place_of(std::int64_t message) const {
    WEFT_ASSERT(message >= 0 && message < size_);
    return place_.empty() ? message : place_[message];
  }

  const Network* network_;
  std::shared_ptr<const ExplicitRoutes> explicit_;
  std::int64_t size_ = 0;
  std::vector<std::int32_t> place_;  // of each message; empty where no route is explicit at all
  std::vector<network::Flow> flows_;
  network::RouteTable routes_, paths_;
};

}  // namespace weft::schedule
