#include "weft/simulation/reading/least_rest.hpp"

#include "weft/simulation/within_host.hpp"

namespace weft::simulation {

namespace {

// From when its sender enters the step; `worked_s` of its receiver, after `received_s`.
struct Alone {
  double released_s = 0, received_s = 0, worked_s = 0;
};

class Messages {
 public:
  Messages(const StepWindow& window, const Network& network, const SimulationOptions& options)
      : capacities_Bps_(window.capacities()),
        copy_Bps_(window.copy_Bps()),
        startups_(startups_of(network.host())),
        options_(options),
        eager_B_(options.call.eager_wire_B()) {}

  /// What its sender's processor does for it.
  double sending_s(const LoadedStep& step, std::int32_t index) const {
    return (step.has_work() ? step.packing_s[index] : 0) +
           (step.has_startup(index) ? startups_.on_port_s : 0);
  }
  /// Of a message that its sender's processor is done with after `sending_s`.
  Alone alone(const LoadedStep& step, std::int32_t index, double sending_s) const {
    const double started_s = sending_s + (step.has_startup(index) ? startups_.delay_s : 0);
    const double latency_s = step.on_network(index) ? seconds(step.latency_ps(index)) : 0;
    Alone alone{started_s, started_s, step.has_work() ? step.unpacking_s[index] : 0};
    alone.received_s += step.on_network(index)
                            ? latency_s + sent_s(step, index)
                            : within_host_s(step.transfer(index), copy_Bps_, options_);
    if (step.transfer(index).bytes >= eager_B_)
      alone.released_s = alone.received_s - (options_.release == Release::injected ? latency_s : 0);
    return alone;
  }

 private:
  double sent_s(const LoadedStep& step, std::int32_t index) const {
    const auto links = step.links(index);
    const MessageLoads loads = step.loads(index);
    double slowest = 0;  // seconds per byte
    for (std::size_t j = 0; j < links.size(); ++j)
      slowest = std::max(slowest, loads[j] / capacities_Bps_[links[j].index()]);
    return slowest * static_cast<double>(step.transfer(index).bytes);
  }

  std::vector<double> capacities_Bps_;
  std::int64_t copy_Bps_;
  Startups startups_;
  const SimulationOptions& options_;
  std::int64_t eager_B_;  // messages of less are out of their sender's hands at once
};

}  // namespace

LeastRest::LeastRest(StepWindow& window, const Network& network, const SimulationOptions& options)
    : places_(static_cast<std::size_t>(window.places().count)),
      rests_s_((static_cast<std::size_t>(window.steps()) + 1) * places_, 0) {
  const Messages messages(window, network, options);
  std::vector<double> waits_s(places_), sending_s(places_), working_s(places_);
  for (std::int64_t t = window.steps() - 1; t >= 0; --t) {
    const LoadedStep& step = window.at(window.slot(t));
    double* const rests_s = rests_s_.data() + static_cast<std::size_t>(t) * places_;
    const double* const later_s = rests_s + places_;
    waits_s.assign(places_, 0);
    sending_s.assign(places_, 0);
    working_s.assign(places_, 0);
    std::copy(later_s, later_s + places_, rests_s);
    const auto transfers = static_cast<std::int32_t>(step.program.transfers.size());
    for (std::int32_t i = 0; i < transfers; ++i) {
      const std::size_t from = step.place(step.transfer(i).from);
      const std::size_t to = step.place(step.transfer(i).to);
      sending_s[from] += messages.sending_s(step, i);
      const Alone alone = messages.alone(step, i, sending_s[from]);
      working_s[to] += alone.worked_s;
      waits_s[from] = std::max(waits_s[from], alone.released_s);
      rests_s[from] = std::max(rests_s[from], alone.received_s + alone.worked_s + later_s[to]);
    }
    for (std::size_t place = 0; place < places_; ++place) {
      const double here_s = std::max(waits_s[place], sending_s[place] + working_s[place]);
      rests_s[place] = std::max(rests_s[place], here_s + later_s[place]);
    }
  }
}

}  // namespace weft::simulation
