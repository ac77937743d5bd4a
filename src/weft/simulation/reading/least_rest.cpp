#include "weft/simulation/reading/least_rest.hpp"

#include <algorithm>
#include <limits>

#include "weft/simulation/within_host.hpp"

namespace weft::simulation {

namespace {

// From when its sender enters the step.
struct Alone {
  double begins_s = 0;  // to pass its links
  double released_s = 0, received_s = 0;
  double worked_s = 0;   // of its receiver, after it was received
  bool is_held = false;  // its sender waits until all of it left
};

class Messages {
 public:
  Messages(const StepWindow& window, const Network& network, const SimulationOptions& options)
      : capacities_Bps_(window.capacities()),
        copy_Bps_(window.copy_Bps()),
        startups_(startups_of(network.host())),
        options_(options),
        eager_B_(options.call.eager_with_header_B()) {}

  /// What its sender's processor does for it.
  double sending_s(const LoadedStep& step, std::int32_t index) const {
    return (step.has_work() ? step.packing_s[index] : 0) +
           (step.has_startup(index) ? startups_.on_port_s : 0);
  }
  /// Of a message that its sender's processor is done with after `sending_s`.
  Alone alone(const LoadedStep& step, std::int32_t index, double sending_s) const {
    const double started_s = sending_s + (step.has_startup(index) ? startups_.delay_s : 0);
    const double latency_s = step.on_network(index) ? seconds(step.latency_ps(index)) : 0;
    const bool late = options_.release == Release::injected;  // the latency comes last
    Alone alone;
    alone.begins_s = started_s + (late ? 0 : latency_s);
    alone.received_s =
        started_s + latency_s +
        (step.on_network(index) ? sent_s(step, index)
                                : within_host_s(step.transfer(index), copy_Bps_, options_));
    alone.worked_s = step.has_work() ? step.unpacking_s[index] : 0;
    alone.is_held = step.transfer(index).bytes >= eager_B_;
    alone.released_s = alone.is_held ? alone.received_s - (late ? latency_s : 0) : started_s;
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

// What an agent sends over one first link in one step.
struct FirstLink {
  std::int64_t step = -1;
  std::size_t place = 0;
  double first_s = std::numeric_limits<double>::infinity();  // from when on
  double takes_s = 0;                                        // all of it
};

}  // namespace

LeastRest::LeastRest(StepWindow& window, const Network& network, const SimulationOptions& options)
    : places_(static_cast<std::size_t>(window.places().count)),
      rests_s_((static_cast<std::size_t>(window.steps()) + 1) * places_, 0) {
  for (const double capacity_Bps : window.capacities())
    seconds_per_byte_.push_back(1 / capacity_Bps);
  links_left_s_.assign(seconds_per_byte_.size(), 0);
  const Messages messages(window, network, options);
  std::vector<double> waits_s(places_), sending_s(places_), working_s(places_);
  std::vector<FirstLink> first_links(seconds_per_byte_.size());
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
      each_link(step, i,
                [&](LinkId link, double takes_s) { links_left_s_[link.index()] += takes_s; });
      if (!alone.is_held || step.links(i).empty()) continue;
      const LinkId link = step.links(i).front();
      FirstLink& first = first_links[link.index()];
      if (first.step != t) first = {t, from};
      if (first.place != from) continue;  // of several agents on a node the first one counts
      first.first_s = std::min(first.first_s, alone.begins_s);
      first.takes_s += link_s(step, i, 0);
      waits_s[from] = std::max(waits_s[from], first.first_s + first.takes_s);
    }
    for (std::size_t place = 0; place < places_; ++place) {
      const double here_s = std::max(waits_s[place], sending_s[place] + working_s[place]);
      rests_s[place] = std::max(rests_s[place], here_s + later_s[place]);
    }
  }
}

double LeastRest::link_s(const LoadedStep& step, std::int32_t index, std::size_t link) const {
  return step.loads(index)[link] * static_cast<double>(step.transfer(index).bytes) *
         seconds_per_byte_[step.links(index)[link].index()];
}

template <class Visit>
void LeastRest::each_link(const LoadedStep& step, std::int32_t index, Visit&& visit) const {
  const auto links = step.links(index);
  for (std::size_t j = 0; j < links.size(); ++j) visit(links[j], link_s(step, index, j));
}

void LeastRest::begin(const LoadedStep& step, std::int32_t index) {
  each_link(step, index,
            [&](LinkId link, double takes_s) { links_left_s_[link.index()] -= takes_s; });
}

void LeastRest::look_at_links(double now_s) {
  constexpr std::int64_t kPasses = 64;
  passes_left_ = std::max(kPasses, std::ssize(links_left_s_) / 4);
  if (links_left_s_.empty()) return;
  least_s_ = std::max(least_s_, now_s + *std::ranges::max_element(links_left_s_));
}

}  // namespace weft::simulation
