// The flows and links of MaxMin; max_min_solve.cpp holds the solving.
#include "weft/simulation/fluid/max_min.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::simulation {

MaxMin::MaxMin(std::span<const double> capacities)
    : links_(capacities.size()),
      levels_(capacities.size() + 1, kNoLevel),
      incidences_(capacities.size()),
      heap_(capacities.size()),
      mark_(capacities.size(), -1) {
  for (std::size_t l = 0; l < capacities.size(); ++l) {
    WEFT_ASSERT(capacities[l] > 0);
    links_[l].capacity = capacities[l];
  }
}

FlowIndex MaxMin::add(std::span<const LinkId> path, double weight, std::span<const double> shares) {
  WEFT_ASSERT(!path.empty() && weight > 0);
  WEFT_ASSERT(shares.empty() || shares.size() == path.size());
  FlowIndex flow = 0;
  if (free_flows_.empty()) {
    flow = static_cast<FlowIndex>(flows_.size());
    flows_.emplace_back();
    bottlenecks_.push_back(kOpen);
  } else {
    flow = free_flows_.back();
    free_flows_.pop_back();
  }
  Flow& record = flows_[index(flow)];
  record.weight = weight;
  bottlenecks_[index(flow)] = kOpen;
  record.moved_in = -1;
  write_path(record, path, shares);
  attach(flow);
  return flow;
}

void MaxMin::write_path(Flow& flow, std::span<const LinkId> links, std::span<const double> shares) {
  flow.first = claim(static_cast<std::int32_t>(links.size()));
  flow.length = 0;
  const std::int32_t base = marks_;
  PathEntry* entries = path_.data() + flow.first;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double take = flow.weight * (shares.empty() ? 1.0 : shares[i]);
    std::int32_t& mark = mark_[links[i].index()];
    if (mark >= base) {  // a link that is there already
      entries[mark - base].take += take;
    } else {
      mark = base + flow.length;
      entries[flow.length++] = {links[i].value(), 0, take};
    }
  }
  marks_ += flow.length;
  if (marks_ > std::numeric_limits<std::int32_t>::max() / 2) {
    std::fill(mark_.begin(), mark_.end(), -1);
    marks_ = 0;
  }
}

/// Room for a path; paths of the same capacity take each other's places. The capacity is kept in
/// the entry before the path.
std::int64_t MaxMin::claim(std::int32_t length) {
  if (free_paths_.size() <= static_cast<std::size_t>(length))
    free_paths_.resize(static_cast<std::size_t>(length) + 1);
  auto& free = free_paths_[length];
  if (!free.empty()) {
    const std::int64_t first = free.back();
    free.pop_back();
    return first;
  }
  path_.push_back({length, 0, 0});
  const auto first = static_cast<std::int64_t>(path_.size());
  path_.resize(path_.size() + static_cast<std::size_t>(length));
  return first;
}

void MaxMin::attach(FlowIndex flow) {
  const Flow& record = flows_[index(flow)];
  std::int32_t offset = 0;
  for (PathEntry& entry : path(record)) {
    auto& incidences = incidences_[entry.link];
    entry.place = static_cast<std::int32_t>(incidences.size());
    incidences.push_back({flow, offset++, entry.take});
    Link& link = link_at(entry.link);
    link.open_weight += entry.take;
    ++link.open_count;
    touch(entry.link);
  }
}

void MaxMin::remove(FlowIndex flow) {
  Flow& record = flows_[index(flow)];
  const std::int32_t bottleneck = bottlenecks_[index(flow)];
  const double level = level_of(bottleneck);
  for (const PathEntry& entry : path(record)) {
    Link& link = link_at(entry.link);
    if (bottleneck == kOpen || bottleneck == entry.link) {
      link.open_weight = --link.open_count == 0 ? 0 : link.open_weight - entry.take;
    } else {
      change_capped(link, -entry.take * level);
    }
    if (level_of(entry.link) != kNoLevel) touch(entry.link);
  }
  detach(record);
  free_paths_[path_[static_cast<std::size_t>(record.first) - 1].link].push_back(record.first);
  record.length = 0;
  free_flows_.push_back(flow);
}

void MaxMin::detach(const Flow& flow) {
  for (const PathEntry& entry : path(flow)) {
    auto& incidences = incidences_[entry.link];
    const Incidence last = incidences.back();
    incidences[entry.place] = last;
    const Flow& moved = flows_[index(last.flow)];
    path_[moved.first + last.entry].place = entry.place;
    incidences.pop_back();
    if (incidences.empty()) link_at(entry.link).capped = link_at(entry.link).highest_cap = 0;
  }
}

}  // namespace weft::simulation
