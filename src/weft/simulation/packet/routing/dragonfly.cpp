#include "weft/simulation/packet/routing/dragonfly.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::simulation::packet {

DragonflyMap::DragonflyMap(const Wiring& wiring, const char* routing) {
  const auto view = topology::as_dragonfly(wiring.topology);
  require(view.has_value(), "routing {} needs a Dragonfly ({} is none); use shortest", routing,
          wiring.topology.name());
  groups_ = view->g;
  routers_ = view->a;
  const std::int32_t all = groups_ * routers_;
  for (std::int32_t r = 0; r < all; ++r)
    routers_at_.push_back(
        {r / routers_, r % routers_, wiring.topology.out_links(NodeId(r))[0].value()});
  locals_.assign(place(all) * place(routers_), 0);
  std::vector<std::vector<Global>> by_pair(place(groups_) * place(groups_));
  for (const LinkId link : wiring.topology.links()) {
    const std::int32_t tail = wiring.topology.tail(link).value();
    const std::int32_t head = wiring.topology.head(link).value();
    if (tail >= all || head >= all) continue;
    if (group(tail) == group(head))
      locals_[place(tail) * place(routers_) + place(head % routers_)] =
          static_cast<std::uint16_t>(link.value() - routers_at_[place(tail)].first_link);
    else
      by_pair[place(group(tail)) * place(groups_) + place(group(head))].push_back(
          {link.value(), tail, head});
  }
  one_each_ = std::ranges::all_of(by_pair, [](const auto& links) { return links.size() <= 1; });
  first_global_.push_back(0);
  for (const auto& links : by_pair) {
    globals_.insert(globals_.end(), links.begin(), links.end());
    if (one_each_ && links.empty()) globals_.push_back({});  // of a group and itself
    first_global_.push_back(static_cast<std::int32_t>(globals_.size()));
  }
  globals_.push_back({});  // so that a span may end at the last
}

}  // namespace weft::simulation::packet
