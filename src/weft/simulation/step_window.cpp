#include "weft/simulation/step_window.hpp"

#include "weft/base/error.hpp"

namespace weft::simulation {

std::span<const LinkId> LoadedStep::links(std::int32_t transfer) const {
  if (route_of_.empty()) return routes_.links(transfer);
  const std::int32_t route = route_of_[static_cast<std::size_t>(transfer)];
  if (route >= 0) return routes_.links(route);
  const std::int32_t place = ~route;
  const auto first = first_explicit_links_.begin() + place;
  return std::span(explicit_links_).subspan(first[0], first[1] - first[0]);
}

std::span<const Rational> LoadedStep::shares(std::int32_t transfer) const {
  if (route_of_.empty()) return routes_.shares(transfer);
  const std::int32_t route = route_of_[static_cast<std::size_t>(transfer)];
  return route < 0 ? std::span<const Rational>() : routes_.shares(route);
}

std::int64_t LoadedStep::latency_ps(std::int32_t transfer) const {
  if (route_of_.empty()) return routes_.latency_ps(transfer);
  const std::int32_t route = route_of_[static_cast<std::size_t>(transfer)];
  if (route >= 0) return routes_.latency_ps(route);
  const std::int32_t place = ~route;
  return explicit_latencies_ps_[static_cast<std::size_t>(place)];
}

StepWindow::StepWindow(const Program& program, const Network& network, WindowOptions options)
    : program_(program), network_(network), options_(options), nodes_(program.nodes_on(network)) {
  if (program.route_count() == 0 || program.symmetry().is_trivial()) return;
  action_ = schedule::LinkAction::of(program.symmetry(), nodes_, network.topology());
  WEFT_ASSERT(action_);  // verify() asks for it
}

std::int32_t StepWindow::slot(std::int64_t step) {
  while (step >= first_ + static_cast<std::int64_t>(slots_.size()))
    slots_.push_back(load(first_ + static_cast<std::int64_t>(slots_.size())));
  return slots_[static_cast<std::size_t>(step - first_)];
}

void StepWindow::drop_left() {
  while (!slots_.empty() && at(slots_.front()).agents_left == 0) {
    free_.push_back(slots_.front());
    slots_.pop_front();
    ++first_;
  }
}

std::int32_t StepWindow::load(std::int64_t step) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::int32_t>(pool_.size()));
    pool_.push_back(std::make_unique<LoadedStep>());
  }
  const std::int32_t slot = free_.back();
  free_.pop_back();
  LoadedStep& loaded = at(slot);
  loaded.step = step;
  loaded.agents_left = places();
  loaded.nodes_ = nodes_;
  loaded.fold_ = fold();
  loaded.routed_to_self_ = options_.routed_to_self;
  if (orbits_ == nullptr)
    program_.step(step, loaded.program);
  else
    orbits_->step(step, loaded.program);
  route(loaded);
  if (orbits_ != nullptr) fold_routes(loaded);
  group_by_sender(loaded);
  measure_work(loaded);
  if (on_load_) on_load_(loaded);
  return slot;
}

void StepWindow::route(LoadedStep& loaded) {
  loaded.routes_.clear();
  loaded.flows_.clear();
  loaded.route_of_.clear();
  loaded.explicit_latencies_ps_.clear();
  loaded.explicit_links_.clear();
  loaded.first_explicit_links_.assign(1, 0);
  const bool any_explicit = program_.route_count() > 0;
  for (const program::Transfer& transfer : loaded.program.transfers) {
    if (transfer.route == schedule::kRouted) {
      if (any_explicit) loaded.route_of_.push_back(static_cast<std::int32_t>(loaded.flows_.size()));
      loaded.flows_.push_back({nodes_[transfer.from.index()], nodes_[transfer.to.index()]});
    } else {
      add_explicit(transfer, loaded);
    }
  }
  if (loaded.flows_.empty()) return;
  if (options_.routes == Routes::all)
    return network_.routing().route(loaded.flows_, loaded.routes_);
  for (std::size_t i = 0; i < loaded.flows_.size(); ++i) loaded.routes_.finish(0);
}

/// Puts the numbers of orbits in the place of links.
void StepWindow::fold_routes(LoadedStep& loaded) {
  for (LinkId& link : loaded.explicit_links_) link = orbits_->orbit(link);
  folded_.clear();
  for (std::int64_t i = 0; i < loaded.routes_.size(); ++i) {
    const auto links = loaded.routes_.links(i);
    const auto shares = loaded.routes_.shares(i);
    for (std::size_t j = 0; j < links.size(); ++j) {
      const LinkId orbit = orbits_->orbit(links[j]);
      if (shares.empty())
        folded_.push(orbit);
      else
        folded_.push(orbit, shares[j]);
    }
    folded_.finish(loaded.routes_.latency_ps(i));
  }
  std::swap(loaded.routes_, folded_);
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

void StepWindow::add_explicit(const program::Transfer& transfer, LoadedStep& loaded) const {
  std::int64_t latency_ps = 0;
  for (const LinkId stored : program_.route(transfer.route)) {
    const LinkId link = action_ ? action_->translate(transfer.element, stored) : stored;
    latency_ps += network_.fabric().latency_ps(link);
    loaded.explicit_links_.push_back(link);
  }
  loaded.route_of_.push_back(~static_cast<std::int32_t>(loaded.explicit_latencies_ps_.size()));
  loaded.explicit_latencies_ps_.push_back(latency_ps);
  loaded.first_explicit_links_.push_back(loaded.explicit_links_.size());
}

void StepWindow::group_by_sender(LoadedStep& loaded) const {
  const auto& transfers = loaded.program.transfers;
  loaded.agents.assign(static_cast<std::size_t>(places()) + 1, {});
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
    loaded.send_order[static_cast<std::size_t>(loaded.part(transfers[i].from).next_send++)] =
        static_cast<std::int32_t>(i);
  for (LoadedStep::AgentPart& part : loaded.agents) part.next_send = part.first_send;
}

void StepWindow::measure_work(LoadedStep& loaded) const {
  const HostParameters& host = network_.host();
  const Startups& startups = options_.startups;
  const bool starts = startups.with_packing_s + startups.receive_s + startups.last_receive_s > 0;
  if (host.copy_bandwidth_Bps == 0 && host.reduce_bandwidth_Bps == 0 && !starts) return;
  const std::size_t transfers = loaded.program.transfers.size();
  const auto agents = static_cast<std::size_t>(places());
  loaded.packing_s.assign(transfers + 1, 0);
  loaded.unpacking_s.assign(transfers + 1, 0);
  loaded.packed_at_s.assign(transfers, 0);
  loaded.early_work_s.assign(agents, 0);
  loaded.worked_until_s.assign(agents, 0);
  for (const program::LocalWork& work : loaded.program.work) {
    const double time_s =
        work_s(work.bytes, work.kind == program::WorkKind::copy ? host.copy_bandwidth_Bps
                                                                : host.reduce_bandwidth_Bps);
    auto& times =
        work.phase == program::WorkPhase::before_sending ? loaded.packing_s : loaded.unpacking_s;
    times[static_cast<std::size_t>(work.transfer)] += time_s;
  }
  if (starts) add_startups(loaded);
}

void StepWindow::add_startups(LoadedStep& loaded) const {
  const auto transfers = static_cast<std::int32_t>(loaded.program.transfers.size());
  for (std::int32_t i = 0; i < transfers; ++i) {
    if (!loaded.has_startup(i)) continue;
    loaded.packing_s[static_cast<std::size_t>(i)] += options_.startups.with_packing_s;
    loaded.unpacking_s[static_cast<std::size_t>(i)] += options_.startups.receive_s;
    loaded.part(loaded.transfer(i).to).receives_startup = true;
  }
}

}  // namespace weft::simulation
