#include "weft/schedule/serial_startups.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::schedule {

namespace {

// Messages by agent, and the most of them. The group acts freely, so that every stored message
// gives one to each agent of an orbit, and the agents of an orbit have equally many.
class Counts {
 public:
  explicit Counts(const Schedule& schedule)
      : symmetry_(schedule.symmetry()), counts_(schedule.agents() / symmetry_.order()) {}

  void add(Agent agent) { most_ = std::max(most_, ++counts_[symmetry_.orbit(agent)]); }
  std::int64_t most() const { return most_; }

 private:
  const Symmetry& symmetry_;
  std::vector<std::int64_t> counts_;
  std::int64_t most_ = 0;
};

}  // namespace

SerialStartups serial_startups(const Schedule& schedule, MessageEnd end, StartupPer per) {
  const std::int64_t stored = schedule.stored_steps(), stride = schedule.segments().stride;
  if (per == StartupPer::step) return {stored, stride, 0};
  SerialStartups startups;
  Counts of_all(schedule);
  for (std::int64_t residue = 0; residue < std::min(stride, stored); ++residue) {
    Counts at_once(schedule);
    for (std::int64_t t = residue; t < stored; t += stride) {
      Counts of_step(schedule);
      for (const Message& message : schedule.messages(t)) {
        if (message.from == message.to) continue;
        const Agent agent = end == MessageEnd::sender ? message.from : message.to;
        if (agent.value() >= schedule.collective().ranks) continue;
        for (Counts* counts : {&of_step, &at_once, &of_all}) counts->add(agent);
      }
      startups.first += of_step.most();
    }
    startups.each += at_once.most();
  }
  startups.busiest = of_all.most();
  WEFT_ASSERT(startups.busiest <= startups.each && startups.each <= startups.first);
  return startups;
}

std::int64_t most_at_once(const Schedule& schedule, MessageEnd end) {
  std::int64_t most = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    Counts of_step(schedule);
    for (const Message& message : schedule.messages(t)) {
      if (message.from == message.to) continue;
      of_step.add(end == MessageEnd::sender ? message.from : message.to);
    }
    most = std::max(most, of_step.most());
  }
  return most;
}

}  // namespace weft::schedule
