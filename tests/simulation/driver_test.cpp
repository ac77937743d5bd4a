// Messages that a driver sends: times worked out by hand, and those of the same messages as a
// program. 12,500 B take 1 us at 100 Gb/s, and each link has a latency of 1 us.
#include "weft/simulation/driver.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"
#include "weft/program/operations.hpp"

namespace weft::simulation {
namespace {

constexpr double kMicrosecond = 1e-6;

// Sends messages at times of their own, and others once some have arrived.
class Plan final : public Driver {
 public:
  std::map<std::int32_t, double> at_s;                     // by message
  std::map<std::int32_t, std::vector<std::int32_t>> then;  // by message: once it has arrived
  std::map<std::int32_t, double> arrived_s, released_s;
  std::size_t messages = 0;

  void begin(DrivenRun& run) override {
    run_ = &run;
    for (const auto& [message, time_s] : at_s) run.wake(time_s, message);
  }
  void woken(std::int32_t message) override { run_->send(message); }
  void delivered(std::int32_t message) override {
    EXPECT_TRUE(arrived_s.emplace(message, run_->now_s()).second);
    for (const std::int32_t next : then[message]) run_->send(next);
  }
  void released(std::int32_t message) override { released_s[message] = run_->now_s(); }
  bool finished() const override {
    return arrived_s.size() == messages && released_s.size() == messages;
  }

 private:
  DrivenRun* run_ = nullptr;
};

Plan ran(const std::vector<DrivenMessage>& messages, const Network& network, Plan plan,
         const SimulationOptions& options = {}) {
  plan.messages = messages.size();
  simulate_driven(messages, network, plan, options);
  return plan;
}

// The second comes when the first has sent half: 0.5 us alone, then two share 1 us of data each.
//   first   sends 1..1.5 alone, 1.5..2.5 half as fast: 2.5
//   second  leaves at 0.5, is on the link from 1.5: half of it by 2.5, the rest alone: 3
TEST(Driven, shares_links_with_what_is_under_way) {
  const std::vector<DrivenMessage> messages = {{0, 1, 12'500}, {0, 1, 12'500}};
  Plan plan;
  plan.at_s = {{0, 0.0}, {1, 0.5 * kMicrosecond}};
  const Plan done = ran(messages, test::on("ring:2"), plan);
  EXPECT_NEAR(done.arrived_s.at(0), 2.5 * kMicrosecond, 1e-15);
  EXPECT_NEAR(done.arrived_s.at(1), 3.0 * kMicrosecond, 1e-15);
  EXPECT_EQ(done.arrived_s, done.released_s);
}

TEST(Driven, sends_alone_by_the_formula) {
  const std::vector<DrivenMessage> messages = {{0, 1, 12'500}, {0, 2, 12'500}};
  Plan plan;
  plan.at_s = {{0, 0.0}, {1, 0.5 * kMicrosecond}};
  SimulationOptions options;
  options.model = Model::alpha_beta;
  options.link_statistics = true;
  const Plan done = ran(messages, test::on("mesh:3"), plan, options);
  EXPECT_NEAR(done.arrived_s.at(0), 2.0 * kMicrosecond, 1e-15);
  EXPECT_NEAR(done.arrived_s.at(1), 3.5 * kMicrosecond, 1e-15);  // two links' latency
}

// A relay: what arrives is answered, each way 2 us; the sender is free with the last byte sent.
TEST(Driven, goes_on_with_what_has_arrived) {
  const std::vector<DrivenMessage> messages = {{0, 1, 12'500}, {1, 0, 12'500}, {0, 1, 12'500}};
  Plan plan;
  plan.at_s = {{0, 0.0}};
  plan.then = {{0, {1}}, {1, {2}}};
  for (const Model model : {Model::alpha_beta, Model::fluid}) {
    SimulationOptions options;
    options.model = model;
    const Plan done = ran(messages, test::on("ring:2"), plan, options);
    EXPECT_NEAR(done.arrived_s.at(2), 6.0 * kMicrosecond, 1e-15) << name_of(model);
  }
  SimulationOptions injected;
  injected.release = Release::injected;
  const Plan done = ran(messages, test::on("ring:2"), plan, injected);
  EXPECT_NEAR(done.released_s.at(0), 1.0 * kMicrosecond, 1e-15);
  EXPECT_NEAR(done.arrived_s.at(0), 2.0 * kMicrosecond, 1e-15);
}

// Counts what comes at each instant.
class Moments final : public Driver {
 public:
  std::vector<int> counts = {};

  void begin(DrivenRun& run) override {
    for (const std::int32_t what : {0, 1, 2}) run.wake(kMicrosecond, what);
    run.wake(1.5 * kMicrosecond, 3);
    run.send(0);
    run.send(1);
  }
  void woken(std::int32_t) override { ++now_; }
  void delivered(std::int32_t) override { ++now_; }
  void released(std::int32_t) override { ++now_; }
  void settled() override { counts.push_back(std::exchange(now_, 0)); }
  bool finished() const override { return counts.size() == 3; }

 private:
  int now_ = 0;
};

// Three wakes at 1 us, one later, and two messages that end together at 2 us at both ends.
TEST(Driven, tells_when_all_of_an_instant_has_come) {
  const std::vector<DrivenMessage> messages = {{0, 1, 12'500}, {1, 0, 12'500}};
  for (const Model model : {Model::alpha_beta, Model::fluid, Model::packet}) {
    SimulationOptions options;
    options.model = model;
    Moments moments;
    simulate_driven(messages, test::on("ring:2"), moments, options);
    EXPECT_EQ(moments.counts, (std::vector<int>{3, 1, 4})) << name_of(model);
  }
}

// Messages that are all sent at first take as long as the program that sends them.
TEST(Driven, is_the_program_of_the_same_messages) {
  std::vector<DrivenMessage> messages;
  Plan plan;
  program::ProgramBuilder builder(8);
  for (std::int32_t rank = 0; rank < 8; ++rank)
    for (const std::int32_t far : {1, 3}) {
      const std::int32_t to = (rank * far + 1) % 8;
      if (to == rank) continue;
      const std::int64_t bytes = 10'000 + 777 * rank + far;
      plan.at_s[static_cast<std::int32_t>(messages.size())] = 0;
      messages.push_back({rank, to, bytes});
      builder.add(Agent(rank), {.kind = OperationKind::send, .peer = Agent(to), .bytes = bytes});
      builder.add(Agent(to), {.kind = OperationKind::receive, .peer = Agent(rank), .bytes = bytes});
    }
  const Program program = std::move(builder).build();
  const Network network = test::on("torus:2x4");
  for (const Model model : {Model::fluid, Model::packet}) {
    SimulationOptions options;
    options.model = model;
    options.link_statistics = true;
    Plan driver = plan;
    driver.messages = messages.size();
    const SimulationResult driven = simulate_driven(messages, network, driver, options);
    const SimulationResult programmed = simulate(program, network, options);
    EXPECT_NEAR(driven.time_s, programmed.time_s, 1e-12) << name_of(model);
    EXPECT_EQ(driven.link_bytes, programmed.link_bytes);
    EXPECT_EQ(driven.messages, programmed.messages);
  }
}

TEST(Driven, refuses_messages_that_nobody_can_send) {
  Plan plan;
  EXPECT_THROW(ran({{0, 9, 1}}, test::on("ring:4"), plan), InvalidInput);
  EXPECT_THROW(ran({{0, 1, 0}}, test::on("ring:4"), plan), InvalidInput);
  EXPECT_THROW(ran({}, test::on("ring:4"), plan), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
