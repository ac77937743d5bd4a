#include "weft/schedule/serial_startups.hpp"

#include <algorithm>
#include <vector>

namespace weft::schedule {

namespace {

// What messages cost each agent, and the most of it. The group acts freely, so that every stored
// message costs as much for each agent of an orbit, and the agents of an orbit pay as much.
class Costs {
 public:
  explicit Costs(const Schedule& schedule)
      : symmetry_(schedule.symmetry()), costs_(schedule.agents() / symmetry_.order()) {}

  void add(Agent agent, std::int64_t cost = 1) {
    std::int64_t& sum = costs_[symmetry_.orbit(agent)];
    most_ = std::max(most_, sum += cost);
  }
  std::int64_t most() const { return most_; }

 private:
  const Symmetry& symmetry_;
  std::vector<std::int64_t> costs_;
  std::int64_t most_ = 0;
};

// `cost` of a message, by its index, for the agent at this end of it.
template <class CostOf>
SerialStartups serial_costs(const Schedule& schedule, MessageEnd end, const CostOf& cost) {
  const std::int64_t stored = schedule.stored_steps(), stride = schedule.segments().stride;
  SerialStartups costs;
  Costs of_all(schedule);
  for (std::int64_t residue = 0; residue < std::min(stride, stored); ++residue) {
    Costs at_once(schedule);
    for (std::int64_t t = residue; t < stored; t += stride) {
      Costs of_step(schedule);
      for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
        const Message& message = schedule.message(m);
        if (message.from == message.to) continue;
        const Agent agent = end == MessageEnd::sender ? message.from : message.to;
        if (agent.value() >= schedule.collective().ranks) continue;
        for (Costs* sums : {&of_step, &at_once, &of_all}) sums->add(agent, cost(m));
      }
      costs.first += of_step.most();
    }
    costs.each += at_once.most();
  }
  costs.busiest = of_all.most();
  return costs;
}

}  // namespace

SerialStartups serial_startups(const Schedule& schedule, MessageEnd end, StartupPer per) {
  if (per == StartupPer::step) return {schedule.stored_steps(), schedule.segments().stride, 0};
  return serial_costs(schedule, end, [](std::int64_t) { return 1; });
}

SerialStartups serial_sums(const Schedule& schedule) {
  return serial_costs(schedule, MessageEnd::receiver, [&](std::int64_t m) {
    std::int64_t units = 0;
    if (schedule.message(m).arrival == Arrival::reduce)
      for (const Piece& piece : schedule.pieces(m)) units += piece.count;
    return units;
  });
}

std::int64_t most_at_once(const Schedule& schedule, MessageEnd end) {
  std::int64_t most = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    Costs of_step(schedule);
    for (const Message& message : schedule.messages(t)) {
      if (message.from == message.to) continue;
      of_step.add(end == MessageEnd::sender ? message.from : message.to);
    }
    most = std::max(most, of_step.most());
  }
  return most;
}

}  // namespace weft::schedule
