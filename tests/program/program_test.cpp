#include "weft/program/program.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/samples.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::program {
namespace {

using schedule::Rank;

Schedule ring_allgather(int n, int units_per_block = 1) {
  ScheduleBuilder builder(schedule::allgather(n), {.units_per_block = units_per_block,
                                                   .symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) builder.at(t).send(Rank(0), Rank(1), builder.block(mod(-t, n)));
  return std::move(builder).build();
}

std::int64_t total_bytes(const Program& program) {
  std::int64_t total = 0;
  StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const Transfer& transfer : step.transfers) total += transfer.bytes;
  }
  return total;
}

TEST(Program, allgather_moves_each_block_to_all_others) {
  for (const std::int64_t size : {0, 1, 7, 4096})
    EXPECT_EQ(total_bytes(lower(verify_own(ring_allgather(5)), {.size_B = size})), 5 * 4 * size);
}

TEST(Program, segments_change_the_steps_and_not_the_bytes) {
  // A chain 0 -> 1 -> 2 in s segments: 2 + (s - 1) steps, every byte crosses both links.
  ScheduleBuilder builder(schedule::broadcast(3));
  for (const int r : {0, 1}) builder.at(r).send(Rank(r), Rank(r + 1), builder.everything());
  const Verified chain = verify_own(std::move(builder).build());
  for (const std::int64_t segments : {1, 2, 3, 7, 100}) {
    const Program program = lower(chain.with_segments(segments), {.size_B = 1001});
    EXPECT_EQ(program.steps(), 2 + segments - 1);
    EXPECT_EQ(total_bytes(program), 2 * 1001);
  }
}

TEST(Program, uneven_sizes_agree_for_all_translates) {
  // A reduce-scatter of 10 bytes on 4 ranks: blocks of 2, 3, 2, 3 bytes (floor(10 b / 4)); each
  // travels 3 hops.
  const Program program = lower(verify_own(transpose(ring_allgather(4))), {.size_B = 10});
  StepProgram step;
  program.step(0, step);
  std::map<std::int64_t, int> sizes;
  for (const Transfer& transfer : step.transfers) ++sizes[transfer.bytes];
  EXPECT_EQ(sizes, (std::map<std::int64_t, int>{{2, 2}, {3, 2}}));
  EXPECT_EQ(total_bytes(program), 30);
  EXPECT_EQ(step.work.size(), 4U);  // each reduces what it receives
}

// Sizes of translates are taken from others that are as long: bytes() measures each.
TEST(Program, every_translate_has_the_bytes_of_its_pieces) {
  for (const std::vector<int>& moduli :
       test::samples({std::vector<int>{16}, {4, 4}, {8, 2, 3}, {6, 6}, {5, 7}})) {
    int ranks = 1;
    for (const int modulus : moduli) ranks *= modulus;
    const Symmetry symmetry = Symmetry::translations(moduli);
    for (const int units : {1, 3}) {
      ScheduleBuilder builder(schedule::allreduce(ranks),
                              {.units_per_block = units, .symmetry = symmetry});
      for (int g = 1; g < ranks; ++g) {  // scatter what is reduced, then gather
        const std::int32_t there = symmetry.inverse(g);
        builder.at(0).send(Rank(0), Rank(g), builder.block(g), Arrival::reduce);
        builder.at(1).send(Rank(0), Rank(there), builder.block(0));
      }
      const Verified verified = verify_own(std::move(builder).build());
      for (const std::int64_t segments : {1, 2, 3})
        for (std::int64_t size_B = 1; size_B <= 3 * ranks; size_B += size_B < ranks ? 1 : 7) {
          const Lowered program(verified.with_segments(segments), {.size_B = size_B});
          std::int64_t transfers = 0, expected = 0;
          StepProgram step;
          for (std::int64_t t = 0; t < program.schedule().steps(); ++t) {
            program.step(t, step);
            transfers += std::ssize(step.transfers);
            for (const Transfer& transfer : step.transfers)
              ASSERT_EQ(transfer.bytes,
                        program.bytes(transfer.message, transfer.segment, transfer.element))
                  << ranks << " ranks, " << size_B << " B in " << segments;
            program.each_stored_message(t, [&](std::int64_t m, std::int64_t segment) {
              for (std::int32_t g = 0; g < ranks; ++g)
                expected += program.bytes(m, segment, g) > 0 ? 1 : 0;
            });
          }
          ASSERT_EQ(transfers, expected);
        }
    }
  }
}

TEST(Program, elements_are_never_cut) {
  const Program program =
      lower(verify_own(ring_allgather(3, 4)), {.size_B = 8 * 7, .element_B = 8});
  StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const Transfer& transfer : step.transfers) EXPECT_EQ(transfer.bytes % 8, 0);
  }
  EXPECT_THROW(lower(verify_own(ring_allgather(3)), {.size_B = 9, .element_B = 8}), InvalidInput);
}

TEST(Program, symmetric_and_expanded_schedules_lower_alike) {
  const Schedule symmetric = concatenate(transpose(ring_allgather(5)), ring_allgather(5));
  const Program a = lower(verify_own(symmetric), {.size_B = 1003});
  const Program b = lower(verify_own(expand_symmetry(symmetric)), {.size_B = 1003});
  StepProgram x, y;
  for (std::int64_t t = 0; t < a.steps(); ++t) {
    a.step(t, x);
    b.step(t, y);
    ASSERT_EQ(x.transfers.size(), y.transfers.size());
    for (std::size_t i = 0; i < x.transfers.size(); ++i) {
      EXPECT_EQ(x.transfers[i].from, y.transfers[i].from);
      EXPECT_EQ(x.transfers[i].to, y.transfers[i].to);
      EXPECT_EQ(x.transfers[i].bytes, y.transfers[i].bytes);
    }
  }
}

TEST(Program, rejects_impossible_sizes) {
  const Verified ring = verify_own(ring_allgather(3));
  EXPECT_THROW(lower(ring, {.size_B = -1}), InvalidInput);
  EXPECT_THROW(lower(ring, {.size_B = INT64_MAX}), InvalidInput);
}

}  // namespace
}  // namespace weft::program
