#include "weft/simulation/background.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/union_find.hpp"
#include "weft/base/units.hpp"

namespace weft::simulation {

namespace {

TrafficPattern pattern_of(const BackgroundOptions& options, const Topology& topology,
                          const std::vector<NodeId>& hosts, std::uint64_t seed) {
  require(hosts.size() >= 2,
          "background traffic needs two hosts without a rank, but there are {}; use fewer "
          "ranks or a larger network",
          hosts.size());
  // A message to oneself crosses no link: "uniform" is over the others.
  const std::string name = lower(options.traffic) == "uniform" ? "others" : options.traffic;
  std::vector<std::int32_t> numbers;
  for (const NodeId host : hosts)
    numbers.push_back(host.value() - topology.hosts().front().value());
  const TrafficShape whole = TrafficShape::of(topology);
  return TrafficPattern::make(name, static_cast<std::int32_t>(hosts.size()), seed,
                              {.group = whole.group, .levels = whole.levels}, numbers);
}

std::int64_t bandwidth(const Fabric& fabric, const auto& links) {
  std::int64_t sum_Bps = 0;
  for (const LinkId link : links) sum_Bps += fabric.bandwidth_Bps(link);
  return sum_Bps;
}

// The parts that a network falls into without the links of a class, for each of the hosts: a packet
// between two of them crosses one of these links at least.
std::vector<std::int32_t> parts_without(const Topology& topology, std::size_t link_class,
                                        const std::vector<NodeId>& hosts) {
  UnionFind joined(static_cast<std::size_t>(topology.node_count()));
  for (const LinkId link : topology.links())
    if (topology.link_class(link).index() != link_class)
      joined.join(topology.tail(link).value(), topology.head(link).value());
  std::vector<std::int32_t> numbers(topology.node_count(), -1), parts;
  std::int32_t count = 0;
  for (const NodeId host : hosts) {
    std::int32_t& number = numbers[joined.find(host.value())];
    if (number < 0) number = count++;
    parts.push_back(number);
  }
  return parts;
}

}  // namespace

std::vector<NodeId> idle_hosts(const Topology& topology,
                               const std::vector<const std::vector<NodeId>*>& placements) {
  IdVector<NodeId, bool> busy(topology.node_count());
  for (const auto* nodes : placements) {
    WEFT_ASSERT(nodes != nullptr);
    for (const NodeId node : *nodes) busy[node] = true;
  }
  std::vector<NodeId> idle;
  for (const NodeId host : topology.hosts())
    if (!busy[host]) idle.push_back(host);
  return idle;
}

BackgroundTraffic::BackgroundTraffic(PacketEngine& engine, const Fabric& fabric,
                                     std::vector<NodeId> hosts, const BackgroundOptions& options,
                                     std::uint64_t seed, std::function<bool()> over)
    : engine_(engine),
      hosts_(std::move(hosts)),
      options_(options),
      pattern_(pattern_of(options, fabric.topology(), hosts_, seed)),
      over_(std::move(over)),
      left_B_(hosts_.size(),
              options.payload_B > 0 ? options.payload_B : std::numeric_limits<std::int64_t>::max()),
      id_(engine.add(*this)) {
  require(options.message_B > 0,
          "invalid size of background messages: {} bytes (expected at least 1)", options.message_B);
  require(options.interval_ps > 0, "the interval of background messages must be above 0");
  WEFT_ASSERT(over_ != nullptr && pattern_.hosts() == std::ssize(hosts_));
  check_hosts(fabric);
  check_classes(fabric);
  const Rng root(seed);
  for (std::size_t h = 0; h < hosts_.size(); ++h) streams_.push_back(root.split(h));
}

double BackgroundTraffic::rate_Bps() const {
  return static_cast<double>(options_.message_B) * 1e12 / static_cast<double>(options_.interval_ps);
}

void BackgroundTraffic::check_hosts(const Fabric& fabric) const {
  const double rate = rate_Bps();
  const std::vector<double> arriving = pattern_.arrivals();
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const NodeId host = hosts_[h];
    const auto out_Bps = static_cast<double>(bandwidth(fabric, fabric.topology().out_links(host)));
    require(rate <= out_Bps,
            "background traffic of {} per host exceeds what its links carry ({}); give a longer "
            "interval",
            format_rate(rate), format_rate(out_Bps));
    const auto in_Bps = static_cast<double>(bandwidth(fabric, fabric.topology().in_links(host)));
    require(rate * arriving[h] <= in_Bps,
            "background traffic of {} to host {} exceeds what its links carry ({}); give a "
            "longer interval",
            format_rate(rate * arriving[h]), host.value(), format_rate(in_Bps));
  }
}

void BackgroundTraffic::check_classes(const Fabric& fabric) const {
  const Topology& topology = fabric.topology();
  const auto names = topology.class_names().values();
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::vector<std::int32_t> parts = parts_without(topology, c, hosts_);
    const double crossing_Bps = rate_Bps() * pattern_.between(parts);
    double carried_Bps = 0;
    for (const LinkId link : topology.links())
      if (topology.link_class(link).index() == c)
        carried_Bps += static_cast<double>(fabric.bandwidth_Bps(link));
    require(crossing_Bps <= carried_Bps,
            "background traffic of {} crosses links of class '{}', which carry {} in total; "
            "give a longer interval",
            format_rate(crossing_Bps), names[c], format_rate(carried_Bps));
  }
}

Time BackgroundTraffic::gap(Rng& stream) const {
  const double drawn = -std::log1p(-stream.uniform()) * static_cast<double>(options_.interval_ps);
  return std::max<Time>(1, std::llround(drawn));
}

void BackgroundTraffic::begin() {
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    engine_.wake(id_, engine_.now() + gap(streams_[h]), static_cast<std::uint32_t>(h));
}

void BackgroundTraffic::wake(std::uint32_t host) {
  if (over_()) return;
  Rng& stream = streams_[host];
  const std::int32_t target = pattern_.destination(static_cast<std::int32_t>(host), stream);
  const std::int64_t bytes = std::min(options_.message_B, left_B_[host]);
  if (target != static_cast<std::int32_t>(host))
    engine_.send(id_, {.from = hosts_[host],
                       .to = hosts_[target],
                       .bytes = bytes,
                       .report_injected = false,
                       .lane = static_cast<std::int32_t>(host)});
  left_B_[host] -= bytes;
  if (left_B_[host] > 0) engine_.wake(id_, engine_.now() + gap(stream), host);
}

}  // namespace weft::simulation
