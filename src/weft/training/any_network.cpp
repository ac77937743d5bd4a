#include "weft/training/any_network.hpp"

#include <algorithm>

#include "weft/analysis/bounds.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/search/finder.hpp"

namespace weft::training {

namespace {

Rational least_factor(const Collective& collective, int degree) {
  const Rational by_ports = collective.port_bound();
  if (!schedule::traits_of(collective.kind).by_pair()) return by_ports;
  // With t of a link's capacity for each pair M/N bytes take M / (N t b), d b being B.
  const Rational throughput =
      search::throughput_bound(collective.ranks, degree, search::Direction::one_way);
  return std::max(by_ports, Rational(degree, collective.ranks) / throughput);
}

// One start-up, and the latency of as many links as some way has.
double way_s(const Network& group, int links, double latency_factor) {
  WEFT_ASSERT(group.topology().link_count() > 0 && links >= 0);
  std::int64_t latency_ps = INT64_MAX;
  for (const LinkId link : group.topology().links())
    latency_ps = std::min(latency_ps, group.fabric().latency_ps(link));
  const double links_ps = latency_factor * static_cast<double>(links * latency_ps);
  return (static_cast<double>(group.host().send_ps()) + links_ps) * kSecondsPerPicosecond;
}

}  // namespace

void bound_for_any_network(std::vector<GroupPrice>& prices, const Collective& collective,
                           const Network& group, Latency latency,
                           const simulation::SizeFactor& best) {
  WEFT_ASSERT(best.latency <= 1 && best.bandwidth >= 1);
  const Topology& topology = group.topology();
  const bool is_all = std::ssize(topology.hosts()) == collective.ranks &&
                      !schedule::traits_of(collective.kind).between_two();
  const auto degree = static_cast<int>(topology.nominal_degree());
  if (!is_all || topology.has_switches() || degree < 2) return;
  const auto links = analysis::moore_steps(collective.ranks, degree);
  if (!links) return;
  const double of_way_s = latency == Latency::left_out ? 0 : way_s(group, *links, best.latency);
  const double factor = least_factor(collective, degree).to_double();
  for (GroupPrice& price : prices) {
    const double data_s =
        time_of_factor_s(factor, collective, group, price.size_B) / best.bandwidth;
    price.any_network_s =
        latency == Latency::before ? of_way_s + data_s : std::max(of_way_s, data_s);
  }
}

}  // namespace weft::training
