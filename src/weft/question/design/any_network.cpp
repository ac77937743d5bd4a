#include "weft/question/design/any_network.hpp"

#include <algorithm>

#include "weft/analysis/bounds.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/question/evaluation.hpp"
#include "weft/search/finder.hpp"

namespace weft::question {

namespace {

// Links on the way to the farthest node.
std::int64_t least_links(const DesignAsked& asked) {
  if (asked.build != Build::switches) {
    const auto wiring = asked.direction == search::Direction::one_way ? analysis::Wiring::one_way
                                                                      : analysis::Wiring::two_way;
    const auto links = analysis::moore_steps(asked.nodes, asked.ports, wiring);
    WEFT_ASSERT(links);  // candidates were found
    return *links;
  }
  std::int64_t links = 1, reached = asked.ports;
  const std::int64_t growth = std::max(asked.radix, asked.ports) - 1;
  for (; reached < asked.nodes - 1 && growth > 1; ++links) reached *= growth;
  return std::max<std::int64_t>(links, 2);  // a switch is between any two
}

Rational least_factor(const DesignAsked& asked, const schedule::Collective& collective) {
  const Rational by_ports = collective.port_bound();
  if (collective.kind != schedule::CollectiveKind::alltoall || asked.build == Build::switches)
    return by_ports;
  // With t of a link's capacity for each pair M/N bytes take M / (N t b), d b being B.
  const Rational throughput = search::throughput_bound(asked.nodes, asked.ports, asked.direction);
  return std::max(by_ports, Rational(asked.ports, asked.nodes) / throughput);
}

}  // namespace

std::vector<AnyNetworkBound> bounds_of_any_network(const DesignAsked& asked) {
  const LinkSpeed speed = asked.network.links.all.value_or(LinkSpeed{});
  const std::int64_t links = least_links(asked);
  const double way_s =
      static_cast<double>(asked.network.host.startup_ps + links * speed.latency_ps) *
      kSecondsPerPicosecond;
  std::vector<AnyNetworkBound> bounds;
  for (const MixEntry& call : asked.calls) {
    const schedule::Collective collective = make_collective({.kind = call.collective}, asked.nodes);
    const Rational factor = least_factor(asked, collective);
    const double data_s = factor.to_double() * bytes_of_m(collective, call.size_B) /
                          (asked.ports * static_cast<double>(speed.bandwidth_Bps));
    bounds.push_back(
        {.links = links, .bandwidth_factor = factor, .time_s = std::max(way_s, data_s)});
  }
  return bounds;
}

}  // namespace weft::question
