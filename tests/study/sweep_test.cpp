#include "weft/study/sweep.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

#include "study/stored_rows.hpp"
#include "weft/base/parallel.hpp"

namespace weft::study {
namespace {

using test::Folder;
using test::refusal;
using test::row;
using test::rows;
using Mode = ResultsStore::Mode;
using test::operator==;

std::int64_t index_of(const Row& row) {
  return std::get<std::int64_t>(row.parameters.at("size"));
}

// Every seventh row fails.
Values half(const Row& row) {
  const std::int64_t i = index_of(row);
  require(i % 7 != 3, "row {} has no route; use another", i);
  return {{"time", static_cast<double>(i) / 2}, {"messages", i}};
}

SweepOptions with_workers(int workers) {
  return {.workers = workers, .measure = half, .estimate = [](const Row& row) {
            return Estimate{static_cast<double>(index_of(row)), 0};
          }};
}

std::vector<StoredRow> all(const std::string& path) {
  return ResultsStore(path, Mode::read).all();
}

TEST(Sweep, results_do_not_depend_on_workers) {
  const Folder folder;
  for (const int workers : {1, 2, 4}) {
    const SweepReport report =
        sweep(rows(100), folder.path(std::to_string(workers)), with_workers(workers));
    EXPECT_EQ(report.rows, 100);
    EXPECT_EQ(report.known, 0);
    EXPECT_EQ(report.computed, 100);
    EXPECT_EQ(report.failed, 14);  // 3, 10, ..., 94
    EXPECT_EQ(report.left, 0);
  }
  const auto one = all(folder.path("1"));
  ASSERT_EQ(one.size(), 100U);
  EXPECT_TRUE(std::ranges::equal(one, all(folder.path("2")), test::operator==));
  EXPECT_TRUE(std::ranges::equal(one, all(folder.path("4")), test::operator==));
  EXPECT_EQ(one[3].error, "row 3 has no route; use another");
  EXPECT_EQ(std::get<double>(one[5].results.at("time")), 2.5);
}

TEST(Sweep, computes_only_what_is_missing) {
  const Folder folder;
  std::atomic<int> calls{0};
  SweepOptions options = with_workers(2);
  options.measure = [&](const Row& row) {
    ++calls;
    return half(row);
  };
  sweep(rows(20), folder.path("s"), options);
  EXPECT_EQ(calls.exchange(0), 20);
  const SweepReport report = sweep(rows(25), folder.path("s"), options);
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(report.known, 20);
  EXPECT_EQ(report.computed, 5);
  EXPECT_EQ(report.failed, 4);  // 3, 10, 17 before, 24 now
}

TEST(Sweep, retries_failed_rows_on_request) {
  const Folder folder;
  sweep(rows(20), folder.path("s"), with_workers(2));
  SweepOptions options = with_workers(2);
  EXPECT_EQ(sweep(rows(20), folder.path("s"), options).computed, 0);
  options.retry_failed = true;
  options.measure = [](const Row& row) {
    return Values{{"time", static_cast<double>(index_of(row))}};
  };
  const SweepReport report = sweep(rows(20), folder.path("s"), options);
  EXPECT_EQ(report.known, 17);
  EXPECT_EQ(report.computed, 3);
  EXPECT_EQ(report.failed, 0);
  EXPECT_EQ(std::get<double>(all(folder.path("s"))[10].results.at("time")), 10.0);
  EXPECT_EQ(std::get<double>(all(folder.path("s"))[11].results.at("time")), 5.5);
}

TEST(Sweep, begins_the_largest_rows_first) {
  const Folder folder;
  std::vector<std::int64_t> order;
  SweepOptions options = with_workers(1);
  options.measure = [&](const Row& row) {
    order.push_back(index_of(row));
    return Values{};
  };
  sweep(rows(5), folder.path("s"), options);
  EXPECT_EQ(order, (std::vector<std::int64_t>{4, 3, 2, 1, 0}));
}

TEST(Sweep, shards_deal_rows_in_turn_and_merge_to_the_whole) {
  const Folder folder;
  std::vector<std::string> parts;
  for (int shard = 0; shard < 3; ++shard) {
    SweepOptions options = with_workers(2);
    options.shard = shard;
    options.shards = 3;
    parts.push_back(folder.path(fmt::format("part{}", shard)));
    EXPECT_EQ(sweep(rows(20), parts.back(), options).rows, shard == 2 ? 6 : 7);
  }
  const auto twenty = rows(20);
  EXPECT_EQ(index_of(*rows_of_shard(twenty, 1, 3)[2]), 7);
  EXPECT_EQ(merge_stores(parts, folder.path("merged")), 20);
  sweep(rows(20), folder.path("whole"), with_workers(1));
  EXPECT_TRUE(
      std::ranges::equal(all(folder.path("merged")), all(folder.path("whole")), test::operator==));
}

TEST(Sweep, refuses_a_shard_that_does_not_exist) {
  for (const auto& [shard, shards] : {std::pair{3, 3}, {-1, 2}, {0, 0}}) {
    SweepOptions options = with_workers(1);
    options.shard = shard;
    options.shards = shards;
    EXPECT_NE(refusal([&] { sweep(rows(2), "unused", options); }).find("does not exist"),
              std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists("unused"));
}

TEST(Sweep, stops_when_told_and_keeps_what_was_done) {
  const Folder folder;
  std::atomic<bool> stop{false};
  SweepOptions options = with_workers(2);
  options.stop = &stop;
  options.measure = [&](const Row& row) {
    if (index_of(row) == 50) stop = true;
    return half(row);
  };
  const SweepReport report = sweep(rows(100), folder.path("s"), options);
  EXPECT_GT(report.left, 0);
  EXPECT_EQ(report.computed + report.left, 100);
  EXPECT_EQ(all(folder.path("s")).size(), static_cast<std::size_t>(report.computed));
  options.stop = nullptr;
  EXPECT_EQ(sweep(rows(100), folder.path("s"), options).computed, report.left);
}

TEST(Sweep, leaves_rows_alone_that_another_committed_meanwhile) {
  const Folder folder;
  std::vector<std::int64_t> computed;
  SweepOptions options = with_workers(1);
  options.measure = [&](const Row& row) {
    computed.push_back(index_of(row));
    if (index_of(row) == 9)  // the first
      ResultsStore(folder.path("s"), Mode::write)
          .add({test::stored(8), test::failed(7), test::stored(3)});
    return Values{};
  };
  const SweepReport report = sweep(rows(10), folder.path("s"), options);
  EXPECT_EQ(computed, (std::vector<std::int64_t>{9, 6, 5, 4, 2, 1, 0}));
  EXPECT_EQ(report.known, 3);
  EXPECT_EQ(report.computed, 7);
  EXPECT_EQ(report.failed, 1);
}

TEST(Sweep, every_kind_of_failure_is_kept) {
  const Folder folder;
  SweepOptions options = with_workers(1);
  options.measure = [](const Row& row) -> Values {
    if (index_of(row) == 0) throw std::bad_alloc();
    if (index_of(row) == 1) throw std::runtime_error("");
    throw std::overflow_error("too large");
  };
  EXPECT_EQ(sweep(rows(3), folder.path("s"), options).failed, 3);
  const auto kept = all(folder.path("s"));
  EXPECT_NE(kept[0].error.find("memory"), std::string::npos);
  EXPECT_EQ(kept[1].error, "failed without a reason");
  EXPECT_EQ(kept[2].error, "too large");
}

TEST(Sweep, two_at_once_end_with_the_same_store) {
  const Folder folder;
  std::vector<std::thread> sweeps;
  for (int i = 0; i < 2; ++i)
    sweeps.emplace_back([&] { sweep(rows(300), folder.path("s"), with_workers(2)); });
  for (std::thread& one : sweeps) one.join();
  sweep(rows(300), folder.path("whole"), with_workers(1));
  EXPECT_TRUE(
      std::ranges::equal(all(folder.path("s")), all(folder.path("whole")), test::operator==));
}

TEST(Sweep, a_row_alone_may_use_all_threads_and_many_keep_to_their_own) {
  const Folder folder;
  set_threads(2);
  std::atomic<int> strangers{0};
  SweepOptions options = with_workers(2);
  options.measure = [&](const Row&) {
    const auto own = std::this_thread::get_id();
    parallel_for(1000, [&](std::int64_t) { strangers += std::this_thread::get_id() != own; });
    return Values{};
  };
  sweep(rows(20), folder.path("s"), options);
  set_threads(0);
  EXPECT_EQ(strangers, 0);
}

// A process that dies between any two instructions of a sweep; the store must open, hold whole rows
// only, and the rest be computed by the next.
TEST(Sweep, a_killed_one_is_resumed) {
  const Folder folder;
  const std::string path = folder.path("s");
  int kills = 0;
  for (int delay_us = 500; delay_us < 400'000 && kills < 20; delay_us += 1500) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      SweepOptions options = with_workers(2);
      options.measure = [](const Row& row) {
        ::usleep(300);
        return half(row);
      };
      sweep(rows(400), path, options);
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(delay_us));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
    ++kills;
  }
  EXPECT_GT(kills, 2);
  sweep(rows(400), path, with_workers(2));
  sweep(rows(400), folder.path("whole"), with_workers(1));
  EXPECT_TRUE(std::ranges::equal(all(path), all(folder.path("whole")), test::operator==));
}

}  // namespace
}  // namespace weft::study
