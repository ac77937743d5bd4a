// Sweeps over processes, here threads that talk through queues.
#include "weft/study/distributed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "study/stored_rows.hpp"

namespace weft::study {
namespace {

using test::Folder;
using test::refusal;
using test::rows;
using test::operator==;

struct Post {
  explicit Post(int size) : boxes(static_cast<std::size_t>(size)) {}
  std::mutex mutex;
  std::vector<std::deque<Channel::Message>> boxes;
};

class ThreadChannel : public Channel {
 public:
  ThreadChannel(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int to, std::string_view content) override {
    const std::lock_guard lock(post_.mutex);
    post_.boxes.at(static_cast<std::size_t>(to)).push_back({rank_, std::string(content)});
  }
  std::optional<Message> poll() override {
    const std::lock_guard lock(post_.mutex);
    auto& box = post_.boxes[rank_];
    if (box.empty()) return std::nullopt;
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  Post& post_;
  int rank_;
};

Values half(const Row& row) {
  const std::int64_t i = std::get<std::int64_t>(row.parameters.at("size"));
  require(i % 7 != 3, "row {} has no route; use another", i);
  return {{"time", static_cast<double>(i) / 2}, {"messages", i}};
}

SweepOptions options_of(std::function<Values(const Row&)> measure) {
  return {
      .workers = 1, .measure = std::move(measure), .estimate = [](const Row& row) {
        return Estimate{static_cast<double>(std::get<std::int64_t>(row.parameters.at("size"))), 0};
      }};
}

// Runs `first` as process 0 and servers as the others.
template <class First>
void with_servers(int processes, const SweepOptions& options, First first) {
  Post post(processes);
  std::vector<std::jthread> servers;
  for (int rank = 1; rank < processes; ++rank)
    servers.emplace_back([&, rank] {
      ThreadChannel channel(post, rank);
      serve(channel, options);
    });
  ThreadChannel channel(post, 0);
  first(channel);
}

TEST(DistributedSweep, results_do_not_depend_on_processes) {
  const Folder folder;
  const SweepOptions options = options_of(half);
  sweep(rows(100), folder.path("whole"), options);
  const auto whole = ResultsStore(folder.path("whole"), ResultsStore::Mode::read).all();
  for (const int processes : {1, 2, 4}) {
    const std::string store = folder.path(std::to_string(processes));
    with_servers(processes, options, [&](Channel& channel) {
      const SweepReport report = sweep_distributed(channel, rows(100), store, options);
      EXPECT_EQ(report.computed, 100);
      EXPECT_EQ(report.failed, 14);  // 3, 10, ..., 94
    });
    EXPECT_TRUE(std::ranges::equal(ResultsStore(store, ResultsStore::Mode::read).all(), whole,
                                   test::operator==));
  }
}

TEST(DistributedSweep, all_processes_run_rows) {
  const Folder folder;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const SweepOptions options = options_of([&](const Row& row) {
    {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return half(row);
  });
  with_servers(4, options, [&](Channel& channel) {
    sweep_distributed(channel, rows(100), folder.path("s"), options);
  });
  EXPECT_EQ(seen.size(), 4U);
}

TEST(DistributedSweep, a_stop_sends_all_home) {
  const Folder folder;
  std::atomic<bool> stop{false};
  SweepOptions options = options_of([&](const Row& row) {
    const auto size = std::get<std::int64_t>(row.parameters.at("size"));
    if (size == 50) stop = true;
    // Later rows, which are smaller, wait for it: else a busy machine could run them all before it.
    for (int i = 0; i < 1000 && size < 50 && !stop; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return half(row);
  });
  options.stop = &stop;
  with_servers(3, options, [&](Channel& channel) {
    const SweepReport report = sweep_distributed(channel, rows(100), folder.path("s"), options);
    EXPECT_GT(report.left, 0);
    EXPECT_EQ(report.computed + report.left, 100);
  });
}

TEST(DistributedSweep, a_malformed_result_ends_it_and_sends_all_home) {
  for (const char* result : {"{", "{}", R"({"kind": "cost", "key": "k"})"}) {
    const Folder folder;
    Post post(3);
    std::atomic<bool> sent{false};
    std::atomic<int> runs{0};
    const SweepOptions options = options_of([&](const Row& row) {
      while (!sent) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++runs;
      return half(row);
    });
    const auto receive = [](Channel& channel) {
      while (true)
        if (const auto message = channel.poll()) return message->content;
    };
    std::string last = "eager messages are not acknowledged; choose another --release";
    std::jthread odd([&] {
      ThreadChannel channel(post, 1);
      channel.send(0, "");
      receive(channel);
      channel.send(0, result);
      sent = true;
      last = receive(channel);
    });
    std::jthread good([&] {
      ThreadChannel channel(post, 2);
      serve(channel, options);
    });
    ThreadChannel channel(post, 0);
    const auto call = [&] { sweep_distributed(channel, rows(5000), folder.path("s"), options); };
    EXPECT_NE(refusal(call), "nothing was thrown");
    odd.join();
    EXPECT_EQ(last, "");  // the word that there are no more
    EXPECT_LT(runs, 4999);
  }
}

TEST(DistributedSweep, a_store_that_cannot_be_opened_sends_all_home) {
  const Folder folder;
  const SweepOptions options = options_of(half);
  with_servers(3, options, [&](Channel& channel) {
    const auto call = [&] { sweep_distributed(channel, rows(9), folder.path("no/s"), options); };
    EXPECT_NE(refusal(call).find("cannot write"), std::string::npos);
  });
}

}  // namespace
}  // namespace weft::study
