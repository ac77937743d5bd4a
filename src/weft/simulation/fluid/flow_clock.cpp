#include "weft/simulation/fluid/flow_clock.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::simulation {

FlowClock::FlowClock(std::span<const double> capacities)
    : rates_(capacities), groups_(capacities.size()), finishes_(capacities.size()) {}

void FlowClock::start(std::span<const LinkId> path, std::span<const double> shares, double weight,
                      double bytes, std::int64_t tag) {
  const FlowIndex flow = rates_.add(path, weight, shares);
  if (services_.size() <= static_cast<std::size_t>(flow)) services_.emplace_back();
  service(flow) = {bytes / weight, tag};
  unsettled_ = true;
}

void FlowClock::settle(double now) {
  rates_.solve();
  for (const MaxMin::ChangedGroup& changed : rates_.changed_groups()) {
    advance(changed.link.value(), changed.old_level, now);
    call(changed.link.value());
  }
  for (const MaxMin::MovedFlow& moved : rates_.moved_flows()) {
    const std::int32_t to = rates_.bottleneck(moved.flow).value();
    advance(to, rates_.level(LinkId(to)), now);
    double left = service(moved.flow).end;
    if (moved.from != MaxMin::kOpen) {
      advance(moved.from, rates_.level(LinkId(moved.from)), now);
      left = std::max(left - group(moved.from).clock, 0.0);
      call(moved.from);
    }
    service(moved.flow).end = group(to).clock + left;
    call(to);
  }
  for (const std::int32_t link : due_) look_up(link, now);
  due_.clear();
  unsettled_ = false;
}

/// Brings the group's clock to `now`; it ran at `level` until then.
void FlowClock::advance(std::int32_t link, double level, double now) {
  Group& g = group(link);
  if (g.since == now) return;
  if (level != MaxMin::kNoLevel) g.clock += level * (now - g.since);
  g.since = now;
}

void FlowClock::call(std::int32_t link) {
  if (!std::exchange(group(link).due, true)) due_.push_back(link);
}

void FlowClock::look_up(std::int32_t link, double now) {
  Group& g = group(link);
  const double level = rates_.level(LinkId(link));
  g.due = false;
  advance(link, level, now);
  if (level == MaxMin::kNoLevel) {
    g.clock = 0;
    return finishes_.erase(link);
  }
  g.first_end = kNever;
  work_ += rates_.flows_on(LinkId(link));
  rates_.visit_group(LinkId(link), [&](FlowIndex flow) {
    g.first_end = std::min(g.first_end, service(flow).end);
  });
  finishes_.set(link, now + std::max(g.first_end - g.clock, 0.0) / level);
}

void FlowClock::finish(double until, std::vector<std::int64_t>& tags) {
  while (!finishes_.empty() && finishes_.top().key <= until) {
    const std::int32_t link = finishes_.top().id;
    Group& g = group(link);
    const double shown = g.clock + rates_.level(LinkId(link)) * (until - g.since);
    const double last = std::max(g.first_end, shown);
    done_.clear();
    work_ += rates_.flows_on(LinkId(link));
    rates_.visit_group(LinkId(link), [&](FlowIndex flow) {
      if (service(flow).end <= last) done_.push_back(flow);
    });
    for (const FlowIndex flow : done_) {
      tags.push_back(service(flow).tag);
      rates_.remove(flow);
    }
    finishes_.erase(link);
    call(link);
    unsettled_ = true;
  }
}

std::vector<FlowClock::UnderWay> FlowClock::under_way(double now) const {
  WEFT_ASSERT(!unsettled_);
  std::vector<UnderWay> flows;
  for (FlowIndex flow = 0; flow < rates_.index_end(); ++flow) {
    if (!rates_.has(flow)) continue;
    const Group& g = groups_[rates_.bottleneck(flow).index()];
    const double level = rates_.level(flow);
    const Service& service = services_[static_cast<std::size_t>(flow)];
    flows.push_back({service.tag, (service.end - g.clock) / level - (now - g.since), level});
  }
  return flows;
}

}  // namespace weft::simulation
