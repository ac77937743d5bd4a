// The simulator's clock is floating point or of whole picoseconds, the timeline's of picoseconds:
// what ends now ends at the later of the two, so that the timeline never goes back.
#include "weft/training/timeline/driven_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"

namespace weft::training {

namespace {

using simulation::DrivenRun;

class TimelineDriver final : public simulation::Driver {
 public:
  TimelineDriver(const workload::Timeline& timeline, std::span<const TimelineMessage> messages)
      : messages_(messages),
        run_(timeline),
        sent_by_(static_cast<std::size_t>(timeline.count())),
        arrived_ps_(messages.size(), 0) {
    for (std::size_t m = 0; m < messages.size(); ++m) {
      WEFT_ASSERT(messages[m].send >= 0 && messages[m].send < timeline.count());
      Sent& sent = sent_by_[messages[m].send];
      const auto number = static_cast<std::int32_t>(m);
      if (sent.left == 0) sent.first = number;
      WEFT_ASSERT(sent.first + sent.left == number && (sent.left == 0 || !messages[m].receive));
      ++sent.left;
    }
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
    const TimelineMessage& m = messages_[message];
    arrived_ps_[message] = now();
    if (m.receive)
      run_.tell(*m.receive, now_ps_);
    else if (--sent_by_[m.send].left == 0)
      run_.end(m.send, now_ps_);
  }
  void released(std::int32_t message) override {
    const TimelineMessage& m = messages_[message];
    if (m.receive) run_.end(m.send, now(), *m.receive);
  }
  // A collective's members all end together: which of several goes first is chosen among all.
  void settled() override { start(); }
  bool finished() const override { return run_.finished(); }

  DrivenTimes take(std::vector<double> link_bytes) {
    return {run_.take(), std::move(arrived_ps_), std::move(link_bytes)};
  }

 private:
  // The messages of a task, and how many of them are not there yet.
  struct Sent {
    std::int32_t first = 0, left = 0;
  };

  std::int64_t now() {
    return now_ps_ = std::max<std::int64_t>(
               now_ps_, std::llround(network_->now_s() / kSecondsPerPicosecond));
  }
  void start() {
    run_.start(now_ps_, [this](std::int32_t task) {
      const Sent& sent = sent_by_[task];
      for (std::int32_t i = 0; i < sent.left; ++i) network_->send(sent.first + i);
      if (sent.left == 0)
        network_->wake(static_cast<double>(run_.ran(task).end_ps) * kSecondsPerPicosecond, task);
    });
  }

  std::span<const TimelineMessage> messages_;
  workload::TimelineRun run_;
  std::vector<Sent> sent_by_;  // by task
  std::vector<std::int64_t> arrived_ps_;
  DrivenRun* network_ = nullptr;
  std::int64_t now_ps_ = 0;
};

}  // namespace

DrivenTimes run_on(const Network& network, const workload::Timeline& timeline,
                   std::span<const TimelineMessage> messages,
                   const simulation::SimulationOptions& options) {
  if (messages.empty()) return {.ran = timeline.run(), .arrived_ps = {}, .link_bytes = {}};
  TimelineDriver driver(timeline, messages);
  std::vector<simulation::DrivenMessage> sent;
  sent.reserve(messages.size());
  for (const TimelineMessage& message : messages) sent.push_back(message.sent);
  simulation::SimulationOptions with_bytes = options;
  with_bytes.link_statistics = true;
  auto result = simulation::simulate_driven(sent, network, driver, with_bytes);
  return driver.take(std::move(result.link_bytes));
}

}  // namespace weft::training
