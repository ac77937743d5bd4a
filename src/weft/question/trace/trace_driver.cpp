// The simulator's clock is floating point or of whole picoseconds, the timeline's of picoseconds:
// what ends now ends at the later of the two, so that the timeline never goes back.
#include "weft/question/trace/trace_driver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/units.hpp"

namespace weft::question {

namespace {

using simulation::DrivenRun;

class TraceDriver final : public simulation::Driver {
 public:
  TraceDriver(const workload::Timeline& timeline, std::span<const TraceMessage> messages)
      : messages_(messages),
        run_(timeline),
        message_of_(static_cast<std::size_t>(timeline.count()), -1),
        arrived_ps_(messages.size(), 0) {
    for (std::size_t m = 0; m < messages.size(); ++m)
      message_of_[messages[m].send] = static_cast<std::int32_t>(m);
  }

  void begin(DrivenRun& run) override {
    network_ = &run;
    start();
  }
  void woken(std::int32_t task) override {
    now_ps_ = std::max(now_ps_, run_.ran(task).end_ps);
    run_.end(task, now_ps_);
  }
  void delivered(std::int32_t message) override {
    arrived_ps_[message] = now();
    run_.tell(messages_[message].receive, now_ps_);
  }
  void released(std::int32_t message) override {
    const TraceMessage& m = messages_[message];
    run_.end(m.send, now(), m.receive);
  }
  // A collective's members all end together: which of several goes first is chosen among all.
  void settled() override { start(); }
  bool finished() const override { return run_.finished(); }

  DrivenTimes take(std::vector<double> link_bytes) {
    return {run_.take(), std::move(arrived_ps_), std::move(link_bytes)};
  }

 private:
  std::int64_t now() {
    return now_ps_ = std::max<std::int64_t>(
               now_ps_, std::llround(network_->now_s() / kSecondsPerPicosecond));
  }
  void start() {
    run_.start(now_ps_, [this](std::int32_t task) {
      if (message_of_[task] >= 0)
        network_->send(message_of_[task]);
      else
        network_->wake(static_cast<double>(run_.ran(task).end_ps) * kSecondsPerPicosecond, task);
    });
  }

  std::span<const TraceMessage> messages_;
  workload::TimelineRun run_;
  std::vector<std::int32_t> message_of_;  // by task; -1: none
  std::vector<std::int64_t> arrived_ps_;
  DrivenRun* network_ = nullptr;
  std::int64_t now_ps_ = 0;
};

}  // namespace

DrivenTimes run_on(const Network& network, const workload::Timeline& timeline,
                   std::span<const TraceMessage> messages,
                   const simulation::SimulationOptions& options) {
  if (messages.empty()) return {.ran = timeline.run(), .arrived_ps = {}, .link_bytes = {}};
  TraceDriver driver(timeline, messages);
  std::vector<simulation::DrivenMessage> sent;
  sent.reserve(messages.size());
  for (const TraceMessage& message : messages) sent.push_back(message.sent);
  simulation::SimulationOptions with_bytes = options;
  with_bytes.link_statistics = true;
  auto result = simulation::simulate_driven(sent, network, driver, with_bytes);
  return driver.take(std::move(result.link_bytes));
}

}  // namespace weft::question
