#include "weft/experiment/serial_startups.hpp"

#include <algorithm>
#include <vector>

namespace weft::experiment {

namespace {

// Messages by agent, and the most of them.
class Counts {
 public:
  explicit Counts(std::int32_t agents) : counts_(static_cast<std::size_t>(agents)) {}

  void add(Agent agent) { most_ = std::max(most_, ++counts_[agent.index()]); }
  std::int64_t most() const { return most_; }

 private:
  std::vector<std::int64_t> counts_;
  std::int64_t most_ = 0;
};

}  // namespace

SerialStartups serial_startups(const Schedule& schedule, MessageEnd end, StartupPer per) {
  const std::int64_t stored = schedule.stored_steps(), stride = schedule.segments().stride;
  if (per == StartupPer::step) return {stored, stride, 0};
  SerialStartups startups;
  const schedule::Symmetry& symmetry = schedule.symmetry();
  Counts of_all(schedule.agents());
  for (std::int64_t residue = 0; residue < std::min(stride, stored); ++residue) {
    Counts at_once(schedule.agents());
    for (std::int64_t t = residue; t < stored; t += stride) {
      Counts of_step(schedule.agents());
      for (const schedule::Message& message : schedule.messages(t)) {
        if (message.from == message.to) continue;
        const Agent agent = end == MessageEnd::sender ? message.from : message.to;
        for (std::int32_t g = 0; g < symmetry.order(); ++g)
          for (Counts* counts : {&of_step, &at_once, &of_all})
            counts->add(symmetry.apply(g, agent));
      }
      startups.first += of_step.most();
    }
    startups.each += at_once.most();
  }
  startups.busiest = of_all.most();
  return startups;
}

std::int64_t most_at_once(const Schedule& schedule, MessageEnd end) {
  const schedule::Symmetry& symmetry = schedule.symmetry();
  std::int64_t most = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    Counts of_step(schedule.agents());
    for (const schedule::Message& message : schedule.messages(t)) {
      if (message.from == message.to) continue;
      const Agent agent = end == MessageEnd::sender ? message.from : message.to;
      for (std::int32_t g = 0; g < symmetry.order(); ++g) of_step.add(symmetry.apply(g, agent));
    }
    most = std::max(most, of_step.most());
  }
  return most;
}

}  // namespace weft::experiment
