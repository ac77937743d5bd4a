// Two hosts exchange the smaller of what they send each other in a step, counting messages from the
// limit on. A shift around a ring has no exchanges if it has more than two hosts, because no host
// sends to the one that it receives from.
#include "weft/simulation/reading/exchanges.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

namespace {

struct Sent {
  NodeId low, high;  // the two hosts
  bool up = false;   // from low to high
  std::int64_t bytes = 0;
};

/// Messages of the step between hosts that count.
void large_messages(const program::StepProgram& step, std::span<const NodeId> nodes,
                    const Network& network, std::vector<Sent>& sent) {
  sent.clear();
  const auto is_host = [&](NodeId node) { return network.topology().is_host(node); };
  for (const program::Transfer& transfer : step.transfers) {
    if (!network.host().exchanges.holds(transfer.bytes)) continue;
    const NodeId from = nodes[transfer.from.index()], to = nodes[transfer.to.index()];
    if (from == to || !is_host(from) || !is_host(to)) continue;
    const bool up = from.value() < to.value();
    sent.push_back({up ? from : to, up ? to : from, up, transfer.bytes});
  }
  std::ranges::sort(
      sent, {}, [](const Sent& each) { return std::pair(each.low.value(), each.high.value()); });
}

/// The most bytes that a host exchanges. Leaves `exchanged_B`, by node, as it was: all zeros.
std::int64_t most_exchanged_B(std::span<const Sent> sent, std::vector<std::int64_t>& exchanged_B) {
  std::int64_t most_B = 0;
  for (auto at = sent.begin(); at != sent.end();) {
    const auto [low, high] = std::pair(at->low, at->high);
    std::int64_t up_B = 0, down_B = 0;
    for (; at != sent.end() && at->low == low && at->high == high; ++at)
      (at->up ? up_B : down_B) += at->bytes;
    for (const NodeId host : {low, high})
      most_B = std::max(most_B, exchanged_B[host.index()] += std::min(up_B, down_B));
  }
  for (const Sent& each : sent) exchanged_B[each.low.index()] = exchanged_B[each.high.index()] = 0;
  return most_B;
}

}  // namespace

double exchange_s(const Program& program, const Network& network) {
  const HostParameters& host = network.host();
  if (host.exchanges.bandwidth_Bps == 0 || program.operations() != nullptr) return 0;
  if (program.collective() && !host.exchanges.holds(buffer_of(program))) return 0;
  const std::vector<NodeId> nodes = program.nodes_on(network);
  std::vector<std::int64_t> exchanged_B(static_cast<std::size_t>(network.topology().node_count()));
  std::vector<Sent> sent;
  program::StepProgram step;
  std::int64_t total_B = 0;
  for (std::int64_t t = 0; t < program.steps() / program.calls(); ++t) {
    TimeLimit::check();
    program.step(t, step, program::Copies::left_out);
    large_messages(step, nodes, network, sent);
    total_B += most_exchanged_B(sent, exchanged_B);
  }
  return work_s(total_B, host.exchanges.bandwidth_Bps);
}

}  // namespace weft::simulation
