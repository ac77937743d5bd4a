#include "weft/simulation/reading/least_rest.hpp"

#include "weft/simulation/within_host.hpp"

namespace weft::simulation {

namespace {

// From when its sender enters the step.
struct Alone {
  double released_s = 0, received_s = 0;
};

class Messages {
 public:
  Messages(const StepWindow& window, const Network& network, const SimulationOptions& options)
      : capacities_Bps_(window.capacities()),
        copy_Bps_(window.copy_Bps()),
        network_(network),
        options_(options),
        eager_B_(options.call.eager_with_header_B()) {}

  Alone alone(const LoadedStep& step, std::int32_t index) const {
    const bool works = step.has_work();
    Alone alone{0, works ? step.packing_s[index] : 0};
    const double latency_s = step.on_network(index) ? seconds(step.latency_ps(index)) : 0;
    alone.received_s += step.on_network(index)
                            ? latency_s + sent_s(step, index)
                            : within_host_s(step.transfer(index), copy_Bps_, options_);
    if (step.transfer(index).bytes >= eager_B_)
      alone.released_s = alone.received_s - (options_.release == Release::injected ? latency_s : 0);
    if (works) alone.received_s += step.unpacking_s[index];
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
  const Network& network_;
  const SimulationOptions& options_;
  std::int64_t eager_B_;  // messages of less are out of their sender's hands at once
};

}  // namespace

LeastRest::LeastRest(StepWindow& window, const Network& network, const SimulationOptions& options)
    : places_(static_cast<std::size_t>(window.places().count)),
      rests_s_((static_cast<std::size_t>(window.steps()) + 1) * places_, 0) {
  const Messages messages(window, network, options);
  std::vector<double> waits_s(places_);
  for (std::int64_t t = window.steps() - 1; t >= 0; --t) {
    const LoadedStep& step = window.at(window.slot(t));
    double* const rests_s = rests_s_.data() + static_cast<std::size_t>(t) * places_;
    const double* const later_s = rests_s + places_;
    waits_s.assign(places_, 0);
    std::copy(later_s, later_s + places_, rests_s);
    const auto transfers = static_cast<std::int32_t>(step.program.transfers.size());
    for (std::int32_t i = 0; i < transfers; ++i) {
      const std::size_t from = step.place(step.transfer(i).from);
      const std::size_t to = step.place(step.transfer(i).to);
      const auto [released_s, received_s] = messages.alone(step, i);
      waits_s[from] = std::max(waits_s[from], released_s);
      rests_s[from] = std::max(rests_s[from], received_s + later_s[to]);
    }
    for (std::size_t place = 0; place < places_; ++place)
      rests_s[place] = std::max(rests_s[place], waits_s[place] + later_s[place]);
  }
}

}  // namespace weft::simulation
