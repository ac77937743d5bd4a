#include "weft/simulation/single_messages.hpp"

#include <algorithm>
#include <stdexcept>

#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/readings.hpp"
#include "weft/simulation/within_host.hpp"

namespace weft::simulation {

namespace {

class LoneMessages final : public Transport {
 public:
  LoneMessages(const Network& network, const SimulationOptions& options, StepWindow& window)
      : network_(network), options_(options), window_(window) {}

  double now() const override { return now_s_; }
  bool at_hand(double time) const override { return time <= now_s_; }
  void schedule(double time, Happening what) override {
    if (at_hand(time)) return handle(what);
    events_.push(time, what);
  }
  void send(std::int32_t slot, std::int32_t index, double started) override {
    schedule(started + time_s(window_.at(slot), index), {EventKind::deliver, slot, index});
  }

  void run(Reading& reading) {
    reading_ = &reading;
    reading.begin();
    go_on();
    while (!events_.empty()) {
      now_s_ = events_.top().time;
      while (!events_.empty() && events_.top().time == now_s_) handle(events_.pop().happening());
      go_on();
    }
    if (!reading.finished()) throw std::logic_error("a simulation ended before its program");
  }

 private:
  void go_on() {
    while (reading_->advance()) {
    }
  }

  void handle(const Happening& what) {
    if (what.kind != EventKind::deliver) return reading_->handle(what);
    reading_->delivered(what.slot, what.index);
    reading_->released(what.slot, what.index);
  }

  double time_s(const LoadedStep& step, std::int32_t index) const {
    const program::Transfer& transfer = step.transfer(index);
    if (!step.on_network(index)) return within_host_s(transfer, window_.copy_Bps(), options_);
    const auto bytes = static_cast<double>(transfer.bytes);
    const auto links = step.links(index);
    const MessageLoads loads = step.loads(index);
    double longest_s = 0;
    for (std::size_t j = 0; j < links.size(); ++j)
      longest_s = std::max(longest_s, bytes * loads[j] / bandwidth_Bps(links[j]));
    if (network_.host().ports > 0)
      longest_s = std::max(longest_s, bytes / (network_.host().ports * fastest_Bps(transfer.from)));
    return seconds(step.latency_ps(index)) + longest_s;
  }

  double bandwidth_Bps(LinkId link) const {
    return static_cast<double>(network_.fabric().bandwidth_Bps(link));
  }
  double fastest_Bps(program::Agent from) const {
    double fastest = 0;
    for (const LinkId link : network_.topology().out_links(window_.nodes()[from]))
      fastest = std::max(fastest, bandwidth_Bps(link));
    return fastest;
  }

  const Network& network_;
  const SimulationOptions& options_;
  StepWindow& window_;
  Reading* reading_ = nullptr;
  EventHeap events_;
  double now_s_ = 0;
};

}  // namespace

SimulationResult simulate_single_messages(const Job& job, const SimulationOptions& options,
                                          Driver& driver) {
  StepWindow window(job.program, job.network,
                    {.startups = startups_of(job.network.host()),
                     .call = options.call,
                     .factors = options.factors.get()});
  SimulationResult result;
  result.agent_times_s.resize(static_cast<std::size_t>(job.program.agents()), 0);
  if (options.link_statistics) result.link_bytes.resize(window.capacities().size());
  window.on_load([&](const LoadedStep& step) { count_link_bytes(step, result); });
  LoneMessages transport(job.network, options, window);
  ReadingContext context{job.program, job.network, window, transport, result.agent_times_s};
  context.driver = &driver;
  const auto reading = read_as_dataflow(context);
  transport.run(*reading);
  end(job, result);
  return result;
}

}  // namespace weft::simulation
