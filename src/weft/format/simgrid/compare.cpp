// Whether weft's messages take SimGrid's ways.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "draft.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/names.hpp"

namespace weft::format::simgrid {

namespace {

struct Measured {
  double latency_ps = 0, bandwidth_Bps = std::numeric_limits<double>::infinity();
  std::vector<ResourceId> links = {};  // ascending
};

bool is_near(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

class Comparing {
 public:
  Comparing(const Realized& realized, const Platform& platform, RouteFinder& finder)
      : realized_(realized),
        platform_(platform),
        finder_(finder),
        points_(hosts_of(platform)),
        fabric_(realized.fabric.network),
        routing_(make_routing("auto", fabric_)) {}

  Comparison compare(const Sample& sample, bool times_only) {
    for (const std::size_t to : sample.hosts)  // outside, as routings look up ways by target
      for (const std::size_t from : sample.hosts)
        if (from != to && is_there(from) && is_there(to)) compare(from, to, times_only);
    return std::move(found_);
  }

 private:
  bool is_there(std::size_t host) const { return realized_.hosts[host].value() >= 0; }

  void compare(std::size_t from, std::size_t to, bool times_only) {
    ++found_.pairs;
    const auto theirs = simgrid_way(from, to);
    if (!theirs) return;
    const auto ours = own_way(from, to);
    if (ours && is_near(theirs->latency_ps, ours->latency_ps) &&
        is_near(theirs->bandwidth_Bps, ours->bandwidth_Bps) &&
        (times_only || theirs->links == ours->links))
      return;
    if (found_.differing++ > 0) return;
    const auto text = [](const std::optional<Measured>& way) {
      return way ? fmt::format("{} links, {} ps, {} B/s", way->links.size(), way->latency_ps,
                               way->bandwidth_Bps)
                 : std::string("no way");
    };
    found_.first = fmt::format("{} to {}: {} instead of {}", platform_.points[points_[from]].name,
                               platform_.points[points_[to]].name, text(ours), text(theirs));
  }

  std::optional<Measured> simgrid_way(std::size_t from, std::size_t to) {
    Measured way;
    way.links = finder_.route(points_[from], points_[to]);
    if (way.links.empty()) return std::nullopt;
    for (const ResourceId id : way.links) {
      const Resource& resource = platform_.resources[static_cast<std::size_t>(id)];
      way.latency_ps += static_cast<double>(resource.latency_ps);
      way.bandwidth_Bps = std::min(way.bandwidth_Bps, static_cast<double>(resource.bandwidth_Bps));
    }
    std::ranges::sort(way.links);
    return way;
  }

  std::optional<Measured> own_way(std::size_t from, std::size_t to) {
    const network::Flow flow{realized_.hosts[from], realized_.hosts[to]};
    routes_.clear();
    try {
      routing_->route(std::span(&flow, 1), routes_);
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
    Measured way;
    way.latency_ps = static_cast<double>(routes_.latency_ps(0));
    const auto links = routes_.links(0);
    const auto shares = routes_.shares(0);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const double share = shares.empty() ? 1 : shares[i].to_double();
      way.bandwidth_Bps =
          std::min(way.bandwidth_Bps, static_cast<double>(fabric_.bandwidth_Bps(links[i])) / share);
      if (const auto& resource = realized_.resources[links[i].index()])
        way.links.push_back(*resource);
    }
    std::ranges::sort(way.links);
    return way;
  }

  const Realized& realized_;
  const Platform& platform_;
  RouteFinder& finder_;
  std::vector<std::size_t> points_;  // by number of a host
  Fabric fabric_;
  std::shared_ptr<const Routing> routing_;
  RouteTable routes_;
  Comparison found_;
};

}  // namespace

// Of each zone the first and the last, and then as evenly as may be.
Sample sample_of(const Platform& platform, std::size_t most) {
  const std::vector<std::size_t> points = hosts_of(platform);
  Sample sample;
  if (points.size() <= most) {
    for (std::size_t i = 0; i < points.size(); ++i) sample.hosts.push_back(i);
    return sample;
  }
  sample.all = false;
  for (std::size_t i = 0; i < points.size() && sample.hosts.size() < most / 2; ++i) {
    const auto zone_at = [&](std::size_t host) { return platform.points[points[host]].zone; };
    if (i == 0 || i + 1 == points.size() || zone_at(i) != zone_at(i - 1) ||
        zone_at(i) != zone_at(i + 1))
      sample.hosts.push_back(i);
  }
  const std::size_t even = most - sample.hosts.size();
  for (std::size_t k = 0; k < even; ++k) sample.hosts.push_back(k * points.size() / even);
  std::ranges::sort(sample.hosts);
  sample.hosts.erase(std::unique(sample.hosts.begin(), sample.hosts.end()), sample.hosts.end());
  return sample;
}

std::vector<char> wide_links(const Platform& platform, RouteFinder& finder, const Sample& sample) {
  std::vector<char> wide;
  for (const Resource& resource : platform.resources) wide.push_back(resource.is_shared ? 0 : 1);
  if (std::ranges::find(wide, 1) == wide.end()) return wide;
  const std::vector<std::size_t> points = hosts_of(platform);
  for (const std::size_t from : sample.hosts)
    for (const std::size_t to : sample.hosts) {
      if (from == to) continue;
      const std::vector<ResourceId> links = finder.route(points[from], points[to]);
      std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
      const auto resource = [&](ResourceId id) -> const Resource& {
        return platform.resources[static_cast<std::size_t>(id)];
      };
      for (const ResourceId id : links)
        if (resource(id).is_shared) narrowest = std::min(narrowest, resource(id).bandwidth_Bps);
      for (const ResourceId id : links)
        if (resource(id).bandwidth_Bps < narrowest) wide[static_cast<std::size_t>(id)] = 0;
    }
  return wide;
}

Comparison compare_routes(const Realized& realized, const Platform& platform, RouteFinder& finder,
                          const Sample& sample, bool times_only) {
  return Comparing(realized, platform, finder).compare(sample, times_only);
}

}  // namespace weft::format::simgrid
