#include "weft/design/network/any_network.hpp"

#include <algorithm>

#include "weft/analysis/bounds.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/search/finder.hpp"

namespace weft::design {

namespace {

using schedule::CollectiveKind;

// Whether some node has a port without a cable: a cable has two ends, so that an odd number of
// ports leaves one over.
bool has_port_left(const DesignQuestion& asked) {
  return asked.build != Build::switches && asked.direction == search::Direction::bidirectional &&
         asked.nodes % 2 == 1 && asked.ports % 2 == 1;
}

// Links on the way to the farthest node.
std::int64_t least_links(const DesignQuestion& asked, CollectiveKind kind) {
  if (asked.build != Build::switches) {
    // d - 1 next to the node with a port left, and d - 1 times as many a link farther.
    const bool fewer = has_port_left(asked) && schedule::traits_of(kind).is_among_all();
    const auto wiring = fewer || asked.direction == search::Direction::one_way
                            ? analysis::Wiring::one_way
                            : analysis::Wiring::two_way;
    const auto links =
        analysis::moore_steps(asked.nodes, fewer ? asked.ports - 1 : asked.ports, wiring);
    WEFT_ASSERT(links);  // candidates were found
    return *links;
  }
  std::int64_t links = 1, reached = asked.ports;
  const std::int64_t growth = std::max(switch_models(asked).back().ports, asked.ports) - 1;
  for (; reached < asked.nodes - 1 && growth > 1; ++links) reached *= growth;
  return std::max<std::int64_t>(links, 2);  // a switch is between any two
}

// Of an all-to-all on direct networks. With t of a link's capacity for each pair M/N bytes take
// M / (N t b), d b being B.
Rational by_distances(const DesignQuestion& asked) {
  const std::int64_t n = asked.nodes, d = asked.ports;
  if (!has_port_left(asked))
    return Rational(d, n) / search::throughput_bound(asked.nodes, asked.ports, asked.direction);
  const std::int64_t of_all =
      (n - 1) * search::least_distances(n, d, d - 1) + search::least_distances(n, d - 1, d - 1);
  return Rational(d, n) * Rational(of_all, n * d - 1);
}

// By the node with a port left, whose other ports carry all that it receives or sends; of an
// allreduce by all links together, which carry each byte 2 (N - 1) times.
Rational by_ports_in_use(const DesignQuestion& asked, const schedule::Collective& collective) {
  const std::int64_t n = asked.nodes, d = asked.ports;
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  if (traits.reduces_to_all()) return {2 * (n - 1) * d, n * d - 1};
  if (collective.rooted() && traits.splits())
    return collective.port_bound();  // the root may have all its ports
  return collective.port_bound() * Rational(d, d - 1);
}

Rational least_factor(const DesignQuestion& asked, const schedule::Collective& collective) {
  const Rational by_ports =
      has_port_left(asked) ? by_ports_in_use(asked, collective) : collective.port_bound();
  if (!schedule::traits_of(collective.kind).by_pair() || asked.build == Build::switches)
    return by_ports;
  return std::max(by_ports, by_distances(asked));
}

}  // namespace

std::vector<AnyNetworkBound> bounds_of_any_network(const DesignQuestion& asked,
                                                   const LinkSpeed& fastest) {
  std::vector<AnyNetworkBound> bounds;
  for (const order::MixEntry& call : asked.calls) {
    const schedule::Collective collective =
        fields::make_collective({.kind = call.collective}, asked.nodes);
    const std::int64_t links = least_links(asked, call.collective);
    const double way_s =
        static_cast<double>(asked.network.host.send_ps() + links * fastest.latency_ps) *
        kSecondsPerPicosecond;
    const Rational factor = least_factor(asked, collective);
    const double data_s = factor.to_double() * bytes_of_m(collective, call.size_B) /
                          (asked.ports * static_cast<double>(fastest.bandwidth_Bps));
    bounds.push_back(
        {.links = links, .bandwidth_factor = factor, .time_s = std::max(way_s, data_s)});
  }
  return bounds;
}

}  // namespace weft::design
