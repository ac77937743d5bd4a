#include "weft/simulation/packet/input_queued/path_routing.hpp"

#include <algorithm>
#include <bit>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/input_queued/channel_classes.hpp"

namespace weft::simulation::input_queued {

namespace {

constexpr std::int64_t kMaxPaths = std::int64_t{1} << 26;

// A host of each router, from which its paths are asked; nothing where a router has no host (no
// packet begins there).
std::vector<std::int32_t> first_hosts(const PortWiring& wiring) {
  std::vector<std::int32_t> first(wiring.routers(), -1);
  for (std::int32_t h = wiring.hosts() - 1; h >= 0; --h) first[wiring.host_routers[h]] = h;
  return first;
}

}  // namespace

PathRouting::PathRouting(const network::Routing& routing, const Topology& topology,
                         const PortWiring& wiring, int channels)
    : hosts_(wiring.hosts()),
      source_routers_(wiring.host_routers),
      host_outputs_(wiring.adapter_outputs),
      all_(channel_mask(0, channels)) {
  require(!routing.splits(),
          "routing {} splits the paths of packets; load curves need one path for each pair",
          routing.name());
  const std::int64_t paths = static_cast<std::int64_t>(wiring.routers()) * hosts_;
  require(paths <= kMaxPaths,
          "{} has {} paths from routers to hosts, too many for a load curve (at most {})",
          topology.name(), paths, kMaxPaths);
  const std::vector<std::int32_t> starts = first_hosts(wiring);
  const packet::PathOrder order(topology);
  network::RouteTable table;
  for (std::int32_t r = 0; r < wiring.routers(); ++r) {
    const std::int32_t start = starts[r];
    for (std::int32_t h = 0; h < hosts_; ++h) {
      if (start >= 0 && wiring.host_routers[h] != r) {
        table.clear();
        const network::Flow flow{wiring.host_nodes[start], wiring.host_nodes[h]};
        routing.route(std::span(&flow, 1), table);
        add_path(table.links(0), order, wiring);
      }
      first_.push_back(static_cast<std::int64_t>(ports_.size()));
    }
  }
  int classes = waits_in_cycles(wiring) ? longest() : 1;
  if (classes > channels)
    classes = *std::ranges::max_element(classes_) + 1;  // of add_path()
  else
    number_by_hops(classes);
  require(classes <= kMaxChannels,
          "{} on {} needs {} virtual channels to be free of deadlock, but at most {} are "
          "possible; choose another routing, such as dimension-order",
          routing.name(), topology.name(), classes, kMaxChannels);
  require(channels >= classes,
          "{} on {} needs {} virtual channels to be free of deadlock, but has {}; give --vcs {}",
          routing.name(), topology.name(), classes, channels, classes);
  masks_ = class_masks(channels, classes);
}

// With the least classes: the next one only where the order of links falls.
void PathRouting::add_path(std::span<const LinkId> path, const packet::PathOrder& order,
                           const PortWiring& wiring) {
  std::int32_t before = -1, last_class = 0;
  for (const LinkId link : path) {
    if (wiring.port(link) < 0) continue;
    last_class += before >= 0 && order.falls(before, link.value()) ? 1 : 0;
    before = link.value();
    ports_.push_back(wiring.port(link));
    classes_.push_back(static_cast<std::uint16_t>(last_class));
  }
}

void PathRouting::number_by_hops(int classes) {
  for (std::size_t path = 0; path + 1 < first_.size(); ++path)
    for (std::int64_t i = first_[path]; i < first_[path + 1]; ++i)
      classes_[i] = static_cast<std::uint16_t>(classes == 1 ? 0 : i - first_[path]);
}

std::int32_t PathRouting::longest() const {
  std::int64_t most = 0;
  for (std::size_t i = 0; i + 1 < first_.size(); ++i)
    most = std::max(most, first_[i + 1] - first_[i]);
  return static_cast<std::int32_t>(most);
}

// Links are sorted topologically by "a path goes from this one to that one". The links that follow
// one link all leave the router at its head: a bit for each of that router's ports.
bool PathRouting::waits_in_cycles(const PortWiring& wiring) const {
  const std::size_t outputs = wiring.outputs.size();
  std::vector<std::int32_t> following(outputs);  // the first output of the router at the head
  for (std::int32_t r = 0; r < wiring.routers(); ++r)
    for (std::int32_t i = wiring.first_in[r]; i < wiring.first_in[static_cast<std::size_t>(r) + 1];
         ++i)
      if (const InputPort& input = wiring.inputs[i]; input.output >= 0)
        following[input.output] = wiring.first_out[r];
  std::vector<std::uint64_t> next(outputs);
  for (std::size_t path = 0; path + 1 < first_.size(); ++path)
    for (std::int64_t i = first_[path]; i + 1 < first_[path + 1]; ++i) {
      const auto link = static_cast<std::size_t>(ports_[i]);
      next[link] |= 1ull << (ports_[static_cast<std::size_t>(i) + 1] - following[link]);
    }
  const auto for_each_next = [&](std::size_t link, auto&& visit) {
    for (std::uint64_t rest = next[link]; rest != 0; rest &= rest - 1)
      visit(static_cast<std::size_t>(following[link] + std::countr_zero(rest)));
  };
  std::vector<std::int32_t> waited_for(outputs);
  std::vector<std::size_t> ready;
  for (std::size_t link = 0; link < outputs; ++link)
    for_each_next(link, [&](std::size_t other) { ++waited_for[other]; });
  for (std::size_t link = 0; link < outputs; ++link)
    if (waited_for[link] == 0) ready.push_back(link);
  for (std::size_t sorted = 0; sorted < ready.size(); ++sorted)
    for_each_next(ready[sorted], [&](std::size_t other) {
      if (--waited_for[other] == 0) ready.push_back(other);
    });
  return ready.size() < outputs;
}

}  // namespace weft::simulation::input_queued
