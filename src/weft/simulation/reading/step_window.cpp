#include "weft/simulation/reading/step_window.hpp"

#include "weft/base/error.hpp"
#include "weft/simulation/reading/run_state.hpp"

namespace weft::simulation {

StepWindow::StepWindow(const Program& program, const Network& network, WindowOptions options)
    : program_(program),
      network_(network),
      options_(options),
      steps_(program.steps()),
      nodes_(program.nodes_on(network)),
      explicit_(schedule::explicit_routes(
          program.route_count(),
          [&program](schedule::RouteId route) { return program.route(route); }, program.symmetry(),
          nodes_, network)) {
  host_buffer_B_ = host_buffer_of(program, network);
  for (const NodeId node : nodes_) at_switch_.push_back(network.topology().is_host(node) ? 0 : 1);
  if (options.factors != nullptr) factors_.emplace(*options.factors, network.topology());
  follow(nullptr);
}

std::int32_t StepWindow::slot(std::int64_t step) {
  while (step >= first_ + static_cast<std::int64_t>(slots_.size()))
    slots_.push_back(load(first_ + static_cast<std::int64_t>(slots_.size())));
  return slots_[step - first_];
}

void StepWindow::drop_left() {
  while (!slots_.empty() && at(slots_.front()).agents_left == 0) {
    free_.push_back(slots_.front());
    slots_.pop_front();
    ++first_;
  }
}

void LoadedStep::describe(RunState& state) const {
  state.add_step(step);
  state.add_number(agents_left);
  const auto count = static_cast<std::int32_t>(agents.size());
  for (std::int32_t place = 0; place < count; ++place) {
    const AgentPart& part = agents[place];
    const std::int32_t begun = part.next_send - part.first_send;
    if (begun == 0 && part.sends_left == 0 && part.receives_left == 0) continue;
    for (const std::int32_t number : {place, begun, part.sends_left, part.receives_left})
      state.add_number(number);
  }
  if (!has_work()) return;
  for (const double time_s : packed_at_s) state.add_moment(time_s);
  for (const double work_s : early_work_s) state.add_duration(work_s);
  for (const double time_s : worked_until_s) state.add_moment(time_s);
}

void StepWindow::describe(RunState& state) const {
  state.add_number(loaded());
  for (const std::int32_t slot : slots_) pool_[slot]->describe(state);
}

std::int32_t StepWindow::load(std::int64_t step) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::int32_t>(pool_.size()));
    pool_.push_back(std::make_unique<LoadedStep>(network_, explicit_));
  }
  const std::int32_t slot = free_.back();
  free_.pop_back();
  LoadedStep& loaded = at(slot);
  loaded.step = step;
  loaded.agents_left = places_.count;
  loaded.nodes_ = nodes_;
  loaded.at_switch_ = at_switch_;
  loaded.places_ = places_;
  loaded.routed_to_self_ = options_.routed_to_self;
  if (orbits_ == nullptr)
    program_.step(
        step, loaded.program,
        network_.host().copies_are_free() ? program::Copies::left_out : program::Copies::counted);
  else
    orbits_->step(step, loaded.program);
  if (options_.call.wire_B(1) > 1)
    for (program::Transfer& transfer : loaded.program.transfers)
      if (transfer.from != transfer.to) transfer.bytes = options_.call.wire_B(transfer.bytes);
  route(loaded);
  loaded.latencies_ps_.clear();
  if (factors_) scale(loaded);
  if (network_.host().delays_messages() && options_.routes == Routes::all) delay_messages(loaded);
  if (orbits_ != nullptr)
    loaded.walk_.map_links([this](LinkId link) { return orbits_->orbit(link); });
  group_by_sender(loaded);
  measure_work(loaded);
  if (on_load_) on_load_(loaded);
  return slot;
}

void StepWindow::route(LoadedStep& loaded) {
  loaded.walk_.clear();
  for (const program::Transfer& transfer : loaded.program.transfers)
    loaded.walk_.add(nodes_[transfer.from], nodes_[transfer.to], transfer.route, transfer.element);
  if (options_.routes == Routes::all)
    loaded.walk_.route();
  else
    loaded.walk_.route_explicit();
}

/// Before links become those of orbits: factors are of the network's classes.
void StepWindow::scale(LoadedStep& loaded) const {
  loaded.loads_.clear();
  loaded.first_load_.assign(1, 0);
  const auto transfers = static_cast<std::int32_t>(loaded.program.transfers.size());
  for (std::int32_t i = 0; i < transfers; ++i) {
    const auto links = loaded.walk_.links(i);
    const auto shares = loaded.walk_.shares(i);
    const std::int64_t bytes = loaded.transfer(i).bytes;
    loaded.latencies_ps_.push_back(
        factors_->latency_ps(network_.fabric(), links, shares, bytes, loaded.walk_.latency_ps(i)));
    factors_->add_loads(network_.topology(), links, shares, bytes, loaded.loads_);
    loaded.first_load_.push_back(static_cast<std::int64_t>(loaded.loads_.size()));
  }
}

/// A message waits for adapters and its handshake as it waits for the latency of its way.
void StepWindow::delay_messages(LoadedStep& loaded) const {
  const auto transfers = static_cast<std::int32_t>(loaded.program.transfers.size());
  if (loaded.latencies_ps_.empty())
    for (std::int32_t i = 0; i < transfers; ++i)
      loaded.latencies_ps_.push_back(loaded.walk_.latency_ps(i));
  for (std::int32_t i = 0; i < transfers; ++i)
    if (loaded.on_network(i))
      loaded.latencies_ps_[i] += network_.host().message_ps(loaded.transfer(i).bytes);
}

std::vector<double> StepWindow::capacities() const {
  const Fabric& fabric = network_.fabric();
  std::vector<double> result;
  const auto add = [&](LinkId link) {
    result.push_back(static_cast<double>(fabric.bandwidth_Bps(link)));
  };
  if (orbits_ == nullptr)
    for (const LinkId link : fabric.topology().links()) add(link);
  else
    for (const LinkId link : orbits_->links()) add(link);
  return result;
}

void StepWindow::group_by_sender(LoadedStep& loaded) const {
  const auto& transfers = loaded.program.transfers;
  loaded.agents.assign(static_cast<std::size_t>(places_.count) + 1, {});
  for (const program::Transfer& transfer : transfers) {
    ++loaded.part(transfer.from).sends_left;
    ++loaded.part(transfer.to).receives_left;
  }
  std::int32_t sum = 0;
  for (LoadedStep::AgentPart& part : loaded.agents) {
    part.first_send = part.next_send = sum;
    sum += part.sends_left;
  }
  loaded.send_order.resize(transfers.size());
  for (std::size_t i = 0; i < transfers.size(); ++i)
    loaded.send_order[loaded.part(transfers[i].from).next_send++] = static_cast<std::int32_t>(i);
  for (LoadedStep::AgentPart& part : loaded.agents) part.next_send = part.first_send;
}

void StepWindow::measure_work(LoadedStep& loaded) const {
  const HostParameters& host = network_.host();
  const Startups& startups = options_.startups;
  const bool starts = startups.with_packing_s + startups.receive_s + startups.last_receive_s > 0;
  if (host.copies_are_free() && host.reductions_are_free() && !starts) return;
  const std::size_t transfers = loaded.program.transfers.size();
  const auto agents = static_cast<std::size_t>(places_.count);
  loaded.packing_s.assign(transfers + 1, 0);
  loaded.unpacking_s.assign(transfers + 1, 0);
  loaded.packed_at_s.assign(transfers, 0);
  loaded.early_work_s.assign(agents, 0);
  loaded.worked_until_s.assign(agents, 0);
  for (const program::LocalWork& work : loaded.program.work) {
    if (at_switch_[work.at.index()]) continue;
    const double time_s = work_s(work.kind, work.bytes, host, host_buffer_B_);
    auto& times =
        work.phase == program::WorkPhase::before_sending ? loaded.packing_s : loaded.unpacking_s;
    times[work.transfer] += time_s;
  }
  if (starts) add_startups(loaded);
}

void StepWindow::add_startups(LoadedStep& loaded) const {
  const auto transfers = static_cast<std::int32_t>(loaded.program.transfers.size());
  for (std::int32_t i = 0; i < transfers; ++i) {
    if (loaded.has_startup(i)) loaded.packing_s[i] += options_.startups.with_packing_s;
    if (!loaded.has_receive_startup(i)) continue;
    loaded.unpacking_s[i] += options_.startups.receive_s;
    loaded.part(loaded.transfer(i).to).receives_startup = true;
  }
}

}  // namespace weft::simulation
