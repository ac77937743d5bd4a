// Programs proved by execution: every algorithm's, and none that was changed for the worse.
#include "weft/program/prove.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "support/every_schedule.hpp"
#include "support/samples.hpp"
#include "weft/program/operations.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::program {
namespace {

constexpr std::int64_t kSize = 37;  // of no number of ranks a multiple

// The program with each operation as `change` leaves it; `false` drops it, and what waited for it
// waits for what it waited for.
Program changed(const Program& program,
                const std::function<bool(Agent, std::int32_t, OperationSpec&)>& change) {
  const Operations& operations = *program.operations();
  ProgramBuilder builder(program.ranks(), {.helpers = program.agents() - program.ranks(),
                                           .binding = operations.binding()});
  for (std::int32_t a = 0; a < program.agents(); ++a) {
    std::vector<std::vector<std::int32_t>> now;  // of each operation
    std::int32_t number = 0;
    for (const Operation& operation : operations.of(Agent(a))) {
      const auto reads = operations.reads(operation), writes = operations.writes(operation);
      OperationSpec spec{.kind = operation.kind,
                         .peer = operation.peer,
                         .tag = operation.tag,
                         .bytes = operation.bytes,
                         .seconds = operation.seconds,
                         .reads = {reads.begin(), reads.end()},
                         .writes = {writes.begin(), writes.end()}};
      for (const std::int32_t wait : operations.waits(operation))
        for (const std::int32_t one : now[wait]) spec.waits.push_back(one);
      const std::vector<std::int32_t> waits = spec.waits;
      if (change(Agent(a), number++, spec))
        now.push_back({builder.add(Agent(a), std::move(spec))});
      else
        now.push_back(waits);
    }
  }
  return std::move(builder).build();
}

// The same without message `m`.
Program without(const Program& program, const Operations::MessageEnds& ends) {
  return changed(program, [&](Agent agent, std::int32_t operation, const OperationSpec&) {
    return (agent != ends.from || operation != ends.send) &&
           (agent != ends.to || operation != ends.receive);
  });
}

// Message `m` reads its bytes one block further on, around the row.
Program misread(const Program& program, const Operations::MessageEnds& ends, std::int64_t row_B,
                std::int64_t by_B) {
  return changed(program, [&](Agent agent, std::int32_t operation, OperationSpec& spec) {
    if (agent == ends.from && operation == ends.send)
      for (ByteRange& range : spec.reads)
        range.offset_B = (range.offset_B + by_B) % (row_B - range.bytes + 1);
    return true;
  });
}

std::string fault_of(const ProveResult& result) {
  return result ? "" : result.fault().text;
}

void each_program(const std::function<void(const test::NamedSchedule&, const Program&)>& visit) {
  for (const std::int32_t ranks : test::samples({1, 2, 3, 4, 6, 8}))
    for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
      for (const test::NamedSchedule& named : test::schedules_of(algorithm, ranks))
        visit(named, write_out(lower(schedule::verify_own(named.schedule), {.size_B = kSize})));
}

TEST(Prove, accepts_every_algorithm) {
  each_program([](const test::NamedSchedule& named, const Program& program) {
    const schedule::Collective& collective = named.schedule.collective();
    const ProveResult result = prove(program, {.collective = collective, .size_B = kSize});
    ASSERT_EQ(fault_of(result), "") << named.label;
    EXPECT_EQ(result->collective(), collective);
  });
}

// What a schedule needs, verify() being the judge, its program needs too.
TEST(Prove, misses_a_message_that_the_schedule_needs) {
  int refused = 0;
  each_program([&](const test::NamedSchedule& named, const Program& program) {
    const schedule::Schedule schedule = expand_symmetry(named.schedule);
    if (schedule.route_count() > 0 || schedule.segments().count > 1) return;
    const auto messages = program.operations()->messages();
    for (std::size_t i = 0; i < messages.size(); i += 1 + messages.size() / 3) {
      const Operations::MessageEnds& ends = messages[i];
      const Operation& send = program.operations()->of(ends.from)[ends.send];
      schedule::ScheduleBuilder builder(schedule.collective(),
                                        {.units_per_block = schedule.units_per_block(),
                                         .helpers = schedule.helpers(),
                                         .binding = schedule.binding()});
      bool dropped = false;
      for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
        for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
          const schedule::Message& message = schedule.message(m);
          if (!dropped && t == send.origin.step && message.from == ends.from &&
              message.to == ends.to)
            dropped = true;
          else
            builder.at(t).send(message.from, message.to, schedule.pieces(m), message.arrival);
        }
      if (schedule::verify(std::move(builder).build())) continue;  // it was not needed
      ++refused;
      EXPECT_FALSE(
          prove(without(program, ends), {.collective = schedule.collective(), .size_B = kSize}))
          << named.label << ", message " << i;
    }
  });
  EXPECT_GT(refused, test::samples(500));
}

TEST(Prove, refuses_what_reads_other_bytes) {
  int tried = 0;
  each_program([&](const test::NamedSchedule& named, const Program& program) {
    const schedule::Collective& collective = named.schedule.collective();
    if (schedule::verify_own(named.schedule).facts().overwrites) return;  // it may be mended later
    const std::int64_t row_B = collective.total_bytes(kSize);
    const auto messages = program.operations()->messages();
    for (std::size_t i = 0; i < messages.size(); i += 1 + messages.size() / 2) {
      const auto& ends = messages[i];
      const Operation& send = program.operations()->of(ends.from)[ends.send];
      if (ends.from == ends.to || send.bytes == row_B) continue;
      ++tried;
      EXPECT_FALSE(
          prove(misread(program, ends, row_B, 1), {.collective = collective, .size_B = kSize}))
          << named.label << ", message " << i;
    }
  });
  EXPECT_GT(tried, test::samples(300));
}

// Each reduction done twice, the second after the first.
TEST(Prove, refuses_a_contribution_that_comes_twice) {
  int tried = 0;
  each_program([&](const test::NamedSchedule& named, const Program& program) {
    const Operations& operations = *program.operations();
    for (const auto& ends : operations.messages()) {
      const Operation& receive = operations.of(ends.to)[ends.receive];
      if (receive.kind != OperationKind::receive_reduce || ++tried % 5 != 0) continue;
      // Once more at the end: a message of the same bytes, after everything that both have done.
      ProgramBuilder builder(program.ranks(), {.helpers = program.agents() - program.ranks()});
      for (std::int32_t a = 0; a < program.agents(); ++a) {
        std::vector<std::int32_t> all;
        for (const Operation& o : operations.of(Agent(a))) {
          const auto reads = operations.reads(o), writes = operations.writes(o);
          const auto waits = operations.waits(o);
          all.push_back(builder.add(Agent(a), {.kind = o.kind,
                                               .peer = o.peer,
                                               .tag = o.tag,
                                               .bytes = o.bytes,
                                               .reads = {reads.begin(), reads.end()},
                                               .writes = {writes.begin(), writes.end()},
                                               .waits = {waits.begin(), waits.end()}}));
        }
        const auto bytes = operations.writes(receive);
        if (Agent(a) == ends.from)
          builder.add(Agent(a), {.kind = OperationKind::send,
                                 .peer = ends.to,
                                 .tag = 1 << 20,
                                 .reads = {bytes.begin(), bytes.end()},
                                 .waits = all});
        if (Agent(a) == ends.to)
          builder.add(Agent(a), {.kind = OperationKind::receive_reduce,
                                 .peer = ends.from,
                                 .tag = 1 << 20,
                                 .writes = {bytes.begin(), bytes.end()},
                                 .waits = all});
      }
      EXPECT_FALSE(prove(std::move(builder).build(),
                         {.collective = named.schedule.collective(), .size_B = kSize}))
          << named.label;
    }
  });
  EXPECT_GT(tried, test::samples(100));
}

}  // namespace
}  // namespace weft::program
