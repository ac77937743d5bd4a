// Transforms keep validity: made from every algorithm's schedules, judged by the brute-force
// executor and by the verifier.
#include "weft/schedule/transforms.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "support/every_schedule.hpp"
#include "support/judges/executor.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

using test::NamedSchedule;

void expect_right(const Schedule& schedule, const std::string& label) {
  EXPECT_EQ(test::execute(schedule).violation, "") << label;
  const VerifyResult result = verify(schedule);
  EXPECT_TRUE(result) << label << ": " << (result ? "" : result.fault().text);
}

std::vector<NamedSchedule> all_schedules(std::int32_t ranks) {
  std::vector<NamedSchedule> result;
  for (const auto& algorithm : algorithm::algorithms())
    for (auto& schedule : test::schedules_of(algorithm, ranks))
      result.push_back(std::move(schedule));
  return result;
}

std::vector<NamedSchedule> schedules_for(const std::vector<NamedSchedule>& all, CollectiveKind kind,
                                         Rank root, const Segments& segments) {
  std::vector<NamedSchedule> result;
  for (const NamedSchedule& named : all)
    if (named.schedule.collective().kind == kind && named.schedule.collective().root == root &&
        named.schedule.segments() == segments)
      result.push_back(named);
  return result;
}

NamedSchedule any_of(const std::vector<NamedSchedule>& schedules, Rng& rng) {
  return schedules[rng.below(static_cast<std::int64_t>(schedules.size()))];
}

TEST(Transforms, transpose_serves_the_mirror_collective_and_undoes_itself) {
  for (std::int32_t ranks = 1; ranks <= 12; ++ranks)
    for (const auto& [label, schedule, options] : all_schedules(ranks)) {
      if (schedule.collective().kind == CollectiveKind::allreduce) continue;
      if (schedule.algorithm().starts_with("scatter-") || schedule.algorithm() == "mpich" ||
          schedule.algorithm() == "gather-broadcast" ||
          schedule.algorithm() == "rabenseifner-nearest")
        continue;  // data arrives twice, or sums are moved on as copies
      const Schedule mirror = transpose(schedule);
      expect_right(mirror, "transpose of " + label);
      EXPECT_EQ(transpose(mirror), schedule) << label;
      EXPECT_EQ(mirror.message_count(), schedule.message_count()) << label;
    }
}

TEST(Transforms, allreduce_has_no_transpose) {
  for (const auto& [label, schedule, options] : all_schedules(4))
    if (schedule.collective().kind == CollectiveKind::allreduce) {
      EXPECT_THROW(transpose(schedule), InvalidInput) << label;
    }
}

TEST(Transforms, expansion_sends_the_same_messages) {
  for (std::int32_t ranks = 1; ranks <= 12; ++ranks)
    for (const auto& [label, schedule, options] : all_schedules(ranks)) {
      const Schedule plain = expand_symmetry(schedule);
      expect_right(plain, label);
      EXPECT_EQ(plain.message_count(), schedule.message_count()) << label;
      EXPECT_EQ(plain.steps(), schedule.steps()) << label;
    }
}

TEST(Transforms, relabelled_schedules_stay_right_and_come_back) {
  const Rng rng(11);
  std::uint64_t item = 0;
  for (std::int32_t ranks = 1; ranks <= 10; ++ranks)
    for (const auto& [label, schedule, options] : all_schedules(ranks)) {
      std::vector<Agent> image(static_cast<std::size_t>(ranks));
      for (std::size_t a = 0; a < image.size(); ++a) image[a] = Agent(a);
      rng.split(++item).shuffle(image);
      const Schedule moved = relabel(schedule, image);
      expect_right(moved, fmt::format("{}, item {}", label, item));
      std::vector<Agent> back(image.size());
      for (std::size_t a = 0; a < image.size(); ++a) back[image[a].index()] = Agent(a);
      EXPECT_EQ(relabel(moved, back), expand_symmetry(schedule)) << label;
    }
}

TEST(Transforms, two_phases_make_one_collective) {
  using Kind = CollectiveKind;
  struct Pair {
    Kind first, second, made;
  };
  const Rng rng(12);
  std::uint64_t item = 0;
  for (std::int32_t ranks = 1; ranks <= 10; ++ranks) {
    const auto all = all_schedules(ranks);
    for (const Pair& pair : {Pair{Kind::reduce_scatter, Kind::allgather, Kind::allreduce},
                             Pair{Kind::reduce, Kind::broadcast, Kind::allreduce},
                             Pair{Kind::scatter, Kind::allgather, Kind::broadcast},
                             Pair{Kind::gather, Kind::broadcast, Kind::allgather}})
      for (const Rank root : {Rank(0), Rank(ranks - 1)})
        for (int times = 0; times < 10; ++times) {
          Rng stream = rng.split(++item);
          const auto root_of = [&](Kind kind) {
            return Collective{.kind = kind, .ranks = ranks}.rooted() ? root : Rank(0);
          };
          const auto first =
              any_of(schedules_for(all, pair.first, root_of(pair.first), {}), stream);
          const auto second =
              any_of(schedules_for(all, pair.second, root_of(pair.second), {}), stream);
          const Schedule both = concatenate(first.schedule, second.schedule);
          EXPECT_EQ(both.collective().kind, pair.made);
          expect_right(both, first.label + ", then " + second.label);
          EXPECT_EQ(both.steps(), first.schedule.steps() + second.schedule.steps());
        }
  }
}

TEST(Transforms, schedules_on_shares_of_the_data_merge) {
  const Rng rng(13);
  std::uint64_t item = 0;
  for (std::int32_t ranks = 2; ranks <= 8; ++ranks) {
    const auto all = all_schedules(ranks);
    for (const CollectiveKind kind : kCollectiveKinds) {
      const auto fitting = schedules_for(all, kind, Rank(0), {});
      for (int times = 0; times < 10 && !fitting.empty(); ++times) {
        Rng stream = rng.split(++item);
        std::vector<std::int64_t> weights;
        for (std::int64_t left = 1 + stream.below(3); left > 0; --left)
          weights.push_back(1 + stream.below(4));
        const std::int64_t sum = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
        std::vector<Share> shares;
        std::string label = fmt::format("item {}:", item);
        for (const std::int64_t weight : weights) {
          const NamedSchedule part = any_of(fitting, stream);
          shares.push_back({part.schedule, Rational(weight, sum)});
          label += fmt::format(" {}/{} by {};", weight, sum, part.label);
        }
        expect_right(merge(shares), label);
      }
    }
  }
}

TEST(Transforms, any_number_of_segments_is_right_at_any_stride) {
  Rng rng(14);
  for (std::int32_t ranks = 2; ranks <= 6; ++ranks)
    for (const auto& [label, schedule, options] : all_schedules(ranks)) {
      const Segments segments{1 + rng.below(4), 1 + rng.below(3)};
      expect_right(schedule.with_segments(segments),
                   fmt::format("{}, {} segments {} apart", label, segments.count, segments.stride));
    }
}

}  // namespace
}  // namespace weft::schedule
