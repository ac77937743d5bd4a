// Process 0 has the list of rows. A server asks by sending a result (an empty one at first) and
// gets a row, or the word that there are no more; so the largest rows go out first and nobody waits
// for anybody else. Process 0 runs rows on a thread of its own while its main thread talks: only
// that one calls the channel. Both sides look for messages with short pauses, since MPI would spin.
#include "weft/study/distributed.hpp"

#include <chrono>
#include <exception>
#include <map>
#include <thread>

#include "weft/base/error.hpp"
#include "weft/study/store/row_message.hpp"
#include "weft/study/sweep/job.hpp"

namespace weft::study {

namespace {

constexpr auto kPause = std::chrono::microseconds(200);
constexpr std::string_view kNoMore = "";  // to a server: the end
constexpr std::string_view kReady = "";   // from a server: no result yet

Channel::Message wait(Channel& channel) {
  while (true) {
    if (std::optional<Channel::Message> message = channel.poll()) return *std::move(message);
    std::this_thread::sleep_for(kPause);
  }
}

// The conversation of process 0 with the servers.
class Dealer {
 public:
  Dealer(Channel& channel, Job& job) : channel_(channel), job_(job) {}

  // Answers until every server has been sent home. A result that cannot be taken ends the sweep,
  // and is thrown when all are home: nobody is left waiting.
  void run() {
    for (int home = 1; home < channel_.size();) {
      const Channel::Message message = wait(channel_);
      try {
        accept(message);
      } catch (...) {
        job_.cancel();
        failure_ = std::current_exception();
      }
      if (!deal(message.from)) ++home;
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void accept(const Channel::Message& message) {
    const auto task = under_way_.find(message.from);
    if (task == under_way_.end()) return;
    job_.put(*task->second, stored_row_from(message.content));
    under_way_.erase(task);
  }

  bool deal(int server) {
    WEFT_ASSERT(server >= 1 && server < channel_.size());
    const Task* task = job_.take();
    WEFT_ASSERT(task == nullptr || !under_way_.contains(server));  // one at a time
    channel_.send(server, task == nullptr ? std::string(kNoMore) : to_message(*task->row));
    if (task != nullptr) under_way_[server] = task;
    return task != nullptr;
  }

  Channel& channel_;
  Job& job_;
  std::map<int, const Task*> under_way_;
  std::exception_ptr failure_;
};

}  // namespace

SweepReport sweep_distributed(Channel& channel, const std::vector<Row>& rows,
                              const std::string& store_path, const SweepOptions& options) {
  WEFT_ASSERT(channel.rank() == 0);
  std::optional<Job> job;
  std::vector<const Row*> share;
  try {
    share = rows_of_shard(rows, options.shard, options.shards);
    job.emplace(share, store_path, options);
  } catch (...) {
    dismiss(channel);
    if (const auto report = settled(share, store_path, options)) return *report;
    throw;
  }
  std::jthread own([&] {
    while (const Task* task = job->take()) job->put(*task, run_row(*task->row, options));
  });
  try {
    Dealer(channel, *job).run();
  } catch (...) {
    job->cancel();  // or the thread's end would wait for all rows
    throw;
  }
  own.join();
  return job->finish();
}

void serve(Channel& channel, const SweepOptions& options) {
  WEFT_ASSERT(channel.rank() != 0);
  channel.send(0, kReady);
  while (true) {
    const Channel::Message message = wait(channel);
    if (message.content == kNoMore) return;
    channel.send(0, to_message(run_row(row_from(message.content), options)));
  }
}

void dismiss(Channel& channel) {
  WEFT_ASSERT(channel.rank() == 0);
  for (int home = 1; home < channel.size(); ++home) {
    const int server = wait(channel).from;
    channel.send(server, kNoMore);
  }
}

}  // namespace weft::study
