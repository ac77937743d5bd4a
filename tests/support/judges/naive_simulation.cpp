#include "support/judges/naive_simulation.hpp"

#include <algorithm>
#include <limits>

#include "support/judges/naive_max_min.hpp"

namespace weft::test {

namespace {

using simulation::Release;
using simulation::Sharing;
using simulation::Sync;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSame = 1e-11;  // relative; times within it are one event

enum class Phase { waiting, before_flow, flowing, before_delivery, before_release, over };

struct Parcel {
  std::int64_t step;
  std::size_t from, to;
  double bytes, latency_s;
  NaiveFlow flow;
  Phase phase = Phase::waiting;
  double until = kNever;  // end of a phase that is not flowing
  double left = 0;
  double worked_until = kNever;  // of what was delivered, while its receiver handles it
  bool arrived = false, delivered = false, released = false;
};

class Naive {
 public:
  Naive(const Program& program, const Network& network, const SimulationOptions& options)
      : network_(network), options_(options), steps_(program.steps()) {
    for (const LinkId link : network.topology().links())
      capacities_.push_back(static_cast<double>(network.fabric().bandwidth_Bps(link)));
    program::StepProgram step;
    for (std::int64_t t = 0; t < steps_; ++t) {
      program.step(t, step);
      for (const program::Transfer& transfer : step.transfers) add(t, transfer);
    }
    at_step_.resize(static_cast<std::size_t>(program.agents()));
    cpu_free_.resize(at_step_.size());
    times_.resize(at_step_.size());
  }

  std::vector<double> run() {
    while (true) {
      while (go_on()) {
      }
      const std::vector<double> rates = solve();
      double next = kNever;
      for (std::size_t i = 0; i < parcels_.size(); ++i)
        next = std::min({next, end_of(i, rates), parcels_[i].worked_until});
      if (next == kNever) return times_;
      for (std::size_t i = 0; i < parcels_.size(); ++i) {
        const bool ends = end_of(i, rates) <= next * (1 + kSame);
        if (parcels_[i].phase == Phase::flowing) parcels_[i].left -= rates[i] * (next - now_);
        if (parcels_[i].worked_until <= next * (1 + kSame)) receive(parcels_[i], next);
        if (ends) end_phase(parcels_[i], next);
      }
      now_ = next;
    }
  }

 private:
  void add(std::int64_t step, const program::Transfer& transfer) {
    const auto& nodes = network_.placement().nodes;
    const network::Flow flow{nodes[transfer.from.index()], nodes[transfer.to.index()]};
    network::RouteTable route;
    network_.routing().route(std::span(&flow, 1), route);
    Parcel parcel{.step = step,
                  .from = transfer.from.index(),
                  .to = transfer.to.index(),
                  .bytes = static_cast<double>(transfer.bytes),
                  .latency_s = static_cast<double>(route.latency_ps(0)) * 1e-12,
                  .flow = {}};
    parcel.left = parcel.bytes;
    for (std::size_t j = 0; j < route.links(0).size(); ++j) {
      parcel.flow.links.push_back(route.links(0)[j].value());
      parcel.flow.shares.push_back(route.has_shares() ? route.shares(0)[j].to_double() : 1);
    }
    if (options_.sharing == Sharing::rtt) parcel.flow.weight = 1e-6 / parcel.latency_s;
    parcels_.push_back(parcel);
  }

  /// Agents leave steps and messages are sent as far as they may now; whether anything happened.
  bool go_on() {
    bool any = false;
    for (std::size_t a = 0; a < at_step_.size(); ++a) any |= leave(a);
    for (Parcel& parcel : parcels_) any |= send(parcel);
    for (Parcel& parcel : parcels_) any |= take(parcel);
    return any;
  }

  bool has_part(std::size_t agent, std::int64_t step) const {
    return std::ranges::any_of(parcels_, [&](const Parcel& p) {
      return p.step == step && (p.from == agent || p.to == agent);
    });
  }
  bool has_done(std::size_t agent, std::int64_t step) const {
    return std::ranges::all_of(parcels_, [&](const Parcel& p) {
      return p.step != step || ((p.from != agent || p.released) && (p.to != agent || p.delivered));
    });
  }

  bool leave(std::size_t agent) {
    const std::int64_t step = at_step_[agent];
    if (step == steps_ || !has_done(agent, step)) return false;
    if (options_.sync == Sync::lockstep)
      for (std::size_t other = 0; other < at_step_.size(); ++other)
        if (at_step_[other] < step || !has_done(other, step)) return false;
    if (has_part(agent, step)) times_[agent] = std::max(times_[agent], last_end(agent, step));
    ++at_step_[agent];
    return true;
  }

  /// In lockstep an agent's own part ends before the barrier.
  double last_end(std::size_t agent, std::int64_t step) {
    double last = 0;
    for (const Parcel& p : parcels_)
      if (p.step == step && (p.from == agent || p.to == agent))
        last = std::max(
            {last, p.from == agent ? released_at(p) : 0, p.to == agent ? delivered_at(p) : 0});
    return last;
  }
  double released_at(const Parcel& p) const { return released_at_[index(p)]; }
  double delivered_at(const Parcel& p) const { return delivered_at_[index(p)]; }
  std::size_t index(const Parcel& p) const {
    return static_cast<std::size_t>(&p - parcels_.data());
  }

  bool send(Parcel& parcel) {
    if (parcel.phase != Phase::waiting || at_step_[parcel.from] != parcel.step) return false;
    const int ports = network_.host().ports;
    const auto held = std::ranges::count_if(parcels_, [&](const Parcel& p) {
      return p.from == parcel.from && p.phase != Phase::waiting && !p.released;
    });
    if (ports > 0 && held >= ports) return false;
    parcel.phase = Phase::before_flow;
    parcel.until = work(parcel.from, network_.host().startup_ps) +
                   (options_.release == Release::injected ? 0 : parcel.latency_s);
    return true;
  }

  /// When a start-up that begins now is over.
  double work(std::size_t agent, std::int64_t startup_ps) {
    const double startup_s = static_cast<double>(startup_ps) * 1e-12;
    if (startup_ps == 0 || network_.host().startup_per == StartupPer::step) return now_ + startup_s;
    return cpu_free_[agent] = std::max(cpu_free_[agent], now_) + startup_s;
  }

  /// The receiver begins to handle what has arrived, once it is in the step.
  bool take(Parcel& parcel) {
    if (!parcel.arrived || parcel.delivered || parcel.worked_until < kNever) return false;
    if (at_step_[parcel.to] != parcel.step) return false;
    if (network_.host().startup_receive_ps == 0)
      receive(parcel, delivered_at_[index(parcel)]);
    else
      parcel.worked_until = work(parcel.to, network_.host().startup_receive_ps);
    return true;
  }
  void receive(Parcel& parcel, double time) {
    parcel.worked_until = kNever;
    parcel.delivered = true;
    delivered_at_[index(parcel)] = time;
  }

  std::vector<double> solve() const {
    std::vector<NaiveFlow> flows;
    for (const Parcel& parcel : parcels_)
      if (parcel.phase == Phase::flowing) flows.push_back(parcel.flow);
    const std::vector<double> levels = naive_max_min(capacities_, flows);
    std::vector<double> rates(parcels_.size(), 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < parcels_.size(); ++i)
      if (parcels_[i].phase == Phase::flowing) rates[i] = levels[next++] * parcels_[i].flow.weight;
    return rates;
  }

  double end_of(std::size_t i, const std::vector<double>& rates) const {
    const Parcel& parcel = parcels_[i];
    if (parcel.phase == Phase::flowing) return now_ + std::max(parcel.left, 0.0) / rates[i];
    return parcel.phase == Phase::waiting || parcel.phase == Phase::over ? kNever : parcel.until;
  }

  void end_phase(Parcel& parcel, double time) {
    released_at_.resize(parcels_.size());
    delivered_at_.resize(parcels_.size());
    const auto deliver = [&] { parcel.arrived = true, delivered_at_[index(parcel)] = time; };
    const auto release = [&] { parcel.released = true, released_at_[index(parcel)] = time; };
    switch (parcel.phase) {
      case Phase::before_flow:
        parcel.phase = Phase::flowing;
        return;
      case Phase::flowing:
        parcel.until = time + parcel.latency_s;
        if (options_.release != Release::injected) deliver();
        if (options_.release != Release::acknowledged) release();
        parcel.phase = options_.release == Release::injected    ? Phase::before_delivery
                       : options_.release == Release::delivered ? Phase::over
                                                                : Phase::before_release;
        return;
      case Phase::before_delivery:
        deliver();
        break;
      case Phase::before_release:
        release();
        break;
      case Phase::waiting:
      case Phase::over:
        return;
    }
    parcel.phase = Phase::over;
  }

  const Network& network_;
  SimulationOptions options_;
  std::int64_t steps_;
  std::vector<double> capacities_;
  std::vector<Parcel> parcels_;
  std::vector<std::int64_t> at_step_;
  std::vector<double> times_;
  std::vector<double> released_at_, delivered_at_;
  std::vector<double> cpu_free_;  // by agent
  double now_ = 0;
};

}  // namespace

std::vector<double> naive_simulation(const Program& program, const Network& network,
                                     const SimulationOptions& options) {
  return Naive(program, network, options).run();
}

}  // namespace weft::test
