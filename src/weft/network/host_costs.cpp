#include "weft/network/host_costs.hpp"

#include <set>

#include "weft/base/default_members.hpp"

namespace weft::network {

namespace {

using Host = HostParameters;

}  // namespace

std::int64_t startups_ps(const HostParameters& host) {
  return host.send_ps() + host.receive_ps();
}

bool pays_for_sends_and_sums_only(const HostParameters& host) {
  return host.copies_are_free() &&
         is_default_but_for<&Host::startup_ps, &Host::startup_per, &Host::large_copies,
                            &Host::layout, &Host::reduce_bandwidth_Bps, &Host::large_reductions,
                            &Host::first_touch, &Host::exchanges, &Host::latency_ps,
                            &Host::rendezvous, &Host::eager_copies, &Host::launch_ps,
                            &Host::skew_ps, &Host::source_routed>(host);
}

bool may_send_in_a_row(const HostParameters& host) {
  return !host.copies_are_free() ||
         !is_default_but_for<&Host::startup_per, &Host::large_copies, &Host::layout,
                             &Host::reduce_bandwidth_Bps, &Host::large_reductions,
                             &Host::first_touch, &Host::exchanges, &Host::latency_ps,
                             &Host::rendezvous, &Host::eager_copies, &Host::launch_ps,
                             &Host::skew_ps, &Host::source_routed>(host);
}

bool may_pay_for_messages(const HostParameters& host) {
  return !host.copies_are_free() || !host.reductions_are_free() || host.delays_messages() ||
         !is_default_but_for<&Host::startup_per, &Host::ports, &Host::large_copies, &Host::layout,
                             &Host::large_reductions, &Host::first_touch, &Host::exchanges,
                             &Host::rendezvous, &Host::eager_copies, &Host::launch_ps,
                             &Host::skew_ps, &Host::source_routed>(host);
}

std::vector<std::int64_t> message_limits_B(const HostParameters& host) {
  std::set<std::int64_t> limits_B;
  if (host.rendezvous.time_ps > 0) limits_B.insert(host.rendezvous.from_B);
  if (host.eager_copies.bandwidth_Bps > 0) limits_B.insert(host.eager_copies.below_B);
  if (host.exchanges.bandwidth_Bps > 0) limits_B.insert(host.exchanges.from_B);
  return {limits_B.begin(), limits_B.end()};
}

}  // namespace weft::network
