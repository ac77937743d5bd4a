#include "pmpi/script/input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weft::pmpi {
namespace {

constexpr std::int64_t kElements = 12;

// Builds a script step by step; every message but direct ones lands from the step's scratch.
class Builder {
 public:
  Builder() { mark(); }

  Builder& send(std::int64_t first, std::int64_t count) {
    script_.sends.push_back(end(first, count, true));
    return *this;
  }
  Builder& receive(std::int64_t first, std::int64_t count) {
    script_.receives.push_back(end(first, count, true));
    return *this;
  }
  Builder& land(std::int64_t first, std::int64_t count, Combine combine = Combine::arrives_left) {
    End message = end(first, count, false);
    message.staged = staged_;
    script_.receives.push_back(message);
    script_.landings.push_back({staged_, {Base::out, first, count}, combine});
    staged_ += count;
    return *this;
  }
  Builder& next() {
    staged_ = 0;
    mark();
    return *this;
  }
  Script take() {
    mark();
    return script_;
  }

 private:
  End end(std::int64_t first, std::int64_t count, bool is_direct) {
    script_.spans.push_back({Base::out, first, count});
    return {0, is_direct, 0, count, static_cast<std::uint32_t>(script_.spans.size()) - 1, 1};
  }
  void mark() {
    script_.steps.push_back({static_cast<std::uint32_t>(script_.receives.size()),
                             static_cast<std::uint32_t>(script_.sends.size()),
                             static_cast<std::uint32_t>(script_.landings.size())});
  }

  Script script_;
  std::int64_t staged_ = 0;
};

// What a rank sends and is left with, where sums are strings of what they were made of.
struct Run {
  std::vector<std::vector<std::string>> sent;
  std::vector<std::string> out;
};

Run run(const Script& script) {
  Run run;
  std::vector<std::string> in;
  for (std::int64_t i = 0; i < kElements; ++i) in.push_back("i" + std::to_string(i));
  run.out = script.reads_input ? std::vector<std::string>(kElements, "nothing") : in;
  int arrived = 0;
  const auto message = [&](std::int64_t count) {
    std::vector<std::string> elements;
    for (std::int64_t i = 0; i < count; ++i)
      elements.push_back("m" + std::to_string(arrived) + "." + std::to_string(i));
    ++arrived;
    return elements;
  };
  for (std::size_t t = 0; t + 1 < script.steps.size(); ++t) {
    const Step &first = script.steps[t], &next = script.steps[t + 1];
    for (std::uint32_t i = first.sends; i < next.sends; ++i) {
      const Span& span = script.spans[script.sends[i].first_span];
      const auto& from = span.base == Base::in ? in : run.out;
      run.sent.emplace_back(from.begin() + span.first, from.begin() + span.end());
    }
    std::vector<std::string> staged;
    for (std::uint32_t i = first.receives; i < next.receives; ++i) {
      const End& end = script.receives[i];
      const auto elements = message(end.count);
      if (end.is_direct)
        std::ranges::copy(elements, run.out.begin() + script.spans[end.first_span].first);
      else
        staged.insert(staged.end(), elements.begin(), elements.end());
    }
    for (std::uint32_t i = first.landings; i < next.landings; ++i) {
      const Landing& landing = script.landings[i];
      for (std::int64_t k = 0; k < landing.to.count; ++k) {
        const auto at = static_cast<std::size_t>(landing.to.first + k);
        const std::string& there = landing.adds_to_input ? in[at] : run.out[at];
        const std::string& new_one = staged[static_cast<std::size_t>(landing.staged + k)];
        run.out[at] = landing.combine == Combine::copy           ? new_one
                      : landing.combine == Combine::arrives_left ? "(" + new_one + there + ")"
                                                                 : "(" + there + new_one + ")";
      }
    }
  }
  return run;
}

void expect_the_same(const Script& before, const Script& after) {
  const Run expected = run(before), got = run(after);
  EXPECT_EQ(got.sent, expected.sent);
  EXPECT_EQ(got.out, expected.out);
}

// The first step of a ring of three: its own block goes, another comes to be summed.
TEST(ReadInputInPlace, copies_nothing_in_a_ring) {
  const Script ring = Builder()
                          .send(0, 4)
                          .land(8, 4)
                          .next()
                          .send(8, 4)
                          .land(4, 4)
                          .next()
                          .send(4, 4)
                          .receive(0, 4)
                          .next()
                          .send(0, 4)
                          .receive(8, 4)
                          .take();
  Script changed = ring;
  read_input_in_place(changed, kElements);
  ASSERT_TRUE(changed.reads_input);
  EXPECT_EQ(changed.spans[0].base, Base::in);   // nothing came before
  EXPECT_EQ(changed.spans[2].base, Base::out);  // the sum of the first step
  EXPECT_TRUE(changed.landings[0].adds_to_input);
  expect_the_same(ring, changed);
}

TEST(ReadInputInPlace, adds_the_second_of_two_messages_to_the_first_sum) {
  const Script both = Builder().send(0, 12).land(0, 12).land(0, 12, Combine::arrives_right).take();
  Script changed = both;
  read_input_in_place(changed, kElements);
  ASSERT_TRUE(changed.reads_input);
  EXPECT_TRUE(changed.landings[0].adds_to_input);
  EXPECT_FALSE(changed.landings[1].adds_to_input);
  expect_the_same(both, changed);
}

TEST(ReadInputInPlace, leaves_scripts_whose_ranges_are_of_both_kinds) {
  for (Script script : {Builder().land(0, 6).next().send(4, 4).land(6, 6).take(),
                        Builder().land(0, 6).next().land(4, 8).take()}) {
    read_input_in_place(script, kElements);
    EXPECT_FALSE(script.reads_input);
    for (const Span& span : script.spans) EXPECT_EQ(span.base, Base::out);
    for (const Landing& landing : script.landings) EXPECT_FALSE(landing.adds_to_input);
  }
}

// Elements 10 and 11 are the rank's own in the result; to one that passes on they are nothing.
TEST(ReadInputInPlace, leaves_results_that_are_not_written_whole) {
  const Script gap = Builder().land(0, 10).next().send(0, 10).take();
  Script result = gap, passed_on = gap;
  read_input_in_place(result, kElements);
  EXPECT_FALSE(result.reads_input);
  read_input_in_place(passed_on, 0);
  EXPECT_TRUE(passed_on.reads_input);
  EXPECT_EQ(run(passed_on).sent, run(gap).sent);
}

TEST(ReadInputInPlace, changes_nothing_that_a_rank_sends_or_is_left_with) {
  int changed_scripts = 0, left = 0;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    const std::int64_t grid = seed % 4 == 0 ? 1 : 4;  // ranges that end alike, or anywhere
    Builder builder;
    for (int step = 0; step < 4; ++step) {
      for (std::int64_t i = below(4); i > 0; --i) {
        const std::int64_t first = below(kElements / grid) * grid;
        const std::int64_t count = (1 + below((kElements - first) / grid)) * grid;
        const std::int64_t kind = below(4);
        if (kind == 0) builder.send(first, count);
        if (kind == 1) builder.land(first, count, Combine::arrives_right);
        if (kind == 2) builder.land(first, count);
        if (kind == 3) builder.land(first, count, Combine::copy);
      }
      builder.next();
    }
    builder.land(0, kElements);  // or few results would be whole
    const Script before = builder.take();
    Script after = before;
    read_input_in_place(after, kElements);
    ++(after.reads_input ? changed_scripts : left);
    expect_the_same(before, after);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(changed_scripts, 300);
  EXPECT_GT(left, 300);
}

}  // namespace
}  // namespace weft::pmpi
