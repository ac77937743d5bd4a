#include "weft/schedule/route_walk.hpp"

#include "weft/base/error.hpp"

namespace weft::schedule {

std::shared_ptr<const ExplicitRoutes> explicit_routes(
    std::int32_t count, std::function<std::span<const LinkId>(RouteId)> links,
    const Symmetry& symmetry, std::span<const NodeId> nodes, const Network& network) {
  ExplicitRoutes routes{.count = count, .links = std::move(links)};
  if (count > 0 && !symmetry.is_trivial()) {
    routes.action = LinkAction::of(symmetry, nodes, network.topology());
    WEFT_ASSERT(routes.action);  // verify() asks for it
  }
  return std::make_shared<const ExplicitRoutes>(std::move(routes));
}

std::shared_ptr<const ExplicitRoutes> explicit_routes(const Schedule& schedule,
                                                      std::span<const NodeId> nodes,
                                                      const Network& network) {
  return explicit_routes(
      schedule.route_count(), [&schedule](RouteId route) { return schedule.route(route); },
      schedule.symmetry(), nodes, network);
}

void RouteWalk::clear() {
  size_ = 0;
  place_.clear();
  flows_.clear();
  routes_.clear();
  paths_.clear();
}

void RouteWalk::add(NodeId from, NodeId to, RouteId route, std::int32_t element) {
  ++size_;
  if (route == kRouted) {
    if (explicit_ && explicit_->count > 0)
      place_.push_back(static_cast<std::int32_t>(flows_.size()));
    flows_.push_back({from, to});
    return;
  }
  WEFT_ASSERT(explicit_ && route.value() >= 0 && route.value() < explicit_->count);
  place_.push_back(~static_cast<std::int32_t>(paths_.size()));
  std::int64_t latency_ps = 0;
  for (const LinkId stored : explicit_->links(route)) {
    const LinkId link =
        explicit_->action && element != 0 ? explicit_->action->translate(element, stored) : stored;
    latency_ps += network_->fabric().latency_ps(link);
    paths_.push(link);
  }
  paths_.finish(latency_ps);
}

void RouteWalk::route() {
  if (!flows_.empty()) network_->routing().route(flows_, routes_);
  WEFT_ASSERT(routes_.size() == routed());
}

void RouteWalk::route_explicit() {
  for (std::size_t i = 0; i < flows_.size(); ++i) routes_.finish(0);
}

}  // namespace weft::schedule
