#include "weft/evaluate/bounds/processor_work.hpp"

#include <algorithm>

#include "weft/network/host_buffer.hpp"

namespace weft::evaluate {

namespace {

double seconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * 1e-12;
}

// The higher of what holds now and what may hold in larger calls; 0: free.
std::int64_t highest_Bps(std::int64_t now_Bps, const network::LargeCalls& large) {
  return now_Bps == 0 ? 0 : std::max(now_Bps, large.bandwidth_Bps);
}

}  // namespace

ProcessorWork::ProcessorWork(const program::Program& program, const Network& network)
    : network_(network),
      starts_steps_(network.host().startup_per == StartupPer::step),
      startup_s_(seconds(network.host().send_ps())),
      startup_receive_s_(seconds(network.host().receive_ps())) {
  const HostParameters& host = network.host();
  const std::int64_t buffer_B =
      program.collective() ? program.collective()->buffer_bytes(program.size_B()) : 0;
  const std::int64_t on_host_B =
      network::host_buffer_B(buffer_B, network.placement().most_on_a_host());
  copy_Bps_ = highest_Bps(host.copy_Bps(on_host_B), host.large_copies);
  reduce_Bps_ = highest_Bps(host.reduce_Bps(on_host_B), host.large_reductions);
  has_work_ = copy_Bps_ > 0 || reduce_Bps_ > 0 || startup_s_ > 0 || startup_receive_s_ > 0;
}

void ProcessorWork::measure(const program::StepProgram& step,
                            const IdVector<schedule::Agent, NodeId>& nodes) {
  const std::size_t transfers = step.transfers.size();
  sending_s_.assign(transfers, 0);
  delays_s_.assign(transfers, 0);
  receiving_s_.assign(transfers, 0);
  const auto is_host = [&](schedule::Agent agent) {
    return network_.topology().is_host(nodes[agent]);
  };
  for (const program::LocalWork& work : step.work) {
    const std::int64_t rate_Bps = work.kind == program::WorkKind::copy ? copy_Bps_ : reduce_Bps_;
    if (rate_Bps == 0 || !is_host(work.at)) continue;
    auto& of_phase = work.phase == program::WorkPhase::before_sending ? sending_s_ : receiving_s_;
    of_phase[static_cast<std::size_t>(work.transfer)] +=
        static_cast<double>(work.bytes) / static_cast<double>(rate_Bps);
  }
  for (std::size_t i = 0; i < transfers; ++i) {
    const program::Transfer& transfer = step.transfers[i];
    if (transfer.from == transfer.to) continue;
    if (is_host(transfer.from)) (starts_steps_ ? delays_s_ : sending_s_)[i] += startup_s_;
    // Of a step the last message that comes pays it alone: nothing is known of the others.
    if (is_host(transfer.to) && !starts_steps_) receiving_s_[i] += startup_receive_s_;
  }
}

}  // namespace weft::evaluate
