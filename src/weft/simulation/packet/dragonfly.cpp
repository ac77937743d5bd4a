#include "weft/simulation/packet/dragonfly.hpp"

#include "weft/base/error.hpp"

namespace weft::simulation::packet {

DragonflyMap::DragonflyMap(const Wiring& wiring, const char* routing) {
  const auto view = topology::as_dragonfly(wiring.topology);
  require(view.has_value(), "routing {} needs a Dragonfly ({} is none); use shortest", routing,
          wiring.topology.name());
  groups_ = view->g;
  routers_ = view->a;
  const std::int32_t all = groups_ * routers_;
  for (std::int32_t r = 0; r < all; ++r) group_of_.push_back(r / routers_);
  locals_.assign(place(all) * place(routers_), kNone);
  const auto pairs = place(groups_) * place(groups_);
  std::vector<std::vector<std::int32_t>> by_pair(pairs);
  for (const LinkId link : wiring.topology.links()) {
    const std::int32_t tail = wiring.topology.tail(link).value();
    const std::int32_t head = wiring.topology.head(link).value();
    tails_.push_back(tail);
    if (tail >= all || head >= all) continue;
    if (group(tail) == group(head))
      locals_[place(tail) * place(routers_) + place(head % routers_)] = link.value();
    else
      by_pair[place(group(tail)) * place(groups_) + place(group(head))].push_back(link.value());
  }
  first_global_.push_back(0);
  for (const auto& links : by_pair) {
    globals_.insert(globals_.end(), links.begin(), links.end());
    first_global_.push_back(static_cast<std::int32_t>(globals_.size()));
  }
}

}  // namespace weft::simulation::packet
