// Workers take rows from one list, largest first, and hand what they finish to a writer, which
// commits all that has gathered since its last commit: long rows are on the disk at once, and many
// short ones share the price of a commit. A row whose key is in the store by the time it is taken
// (another sweep was faster) is left alone. Nothing but the store is shared between processes, so
// no lock can outlive a killed one.
#include "weft/experiment/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/experiment/committer.hpp"

namespace weft::experiment {

namespace {

using State = ResultsStore::State;

struct Task {
  const Row* row;
  double guess_s;
};

// The rows to run, largest first, and what is known of the others.
struct Plan {
  std::vector<Task> tasks;
  double total_s = 0;
  SweepReport report;
};

bool is_settled(State state, const SweepOptions& options) {
  return state == State::done || (state == State::failed && !options.retry_failed);
}

Plan plan(const std::vector<Row>& rows, const ResultsStore& store, const SweepOptions& options) {
  Plan plan;
  for (const Row& row : rows) {
    ++plan.report.rows;
    const State state = store.state(row.key);
    if (is_settled(state, options)) {
      ++plan.report.known;
      plan.report.failed += state == State::failed ? 1 : 0;
    } else {
      plan.tasks.push_back({&row, std::max(options.estimate(row).time_s, 1e-6)});
      plan.total_s += plan.tasks.back().guess_s;
    }
  }
  std::stable_sort(plan.tasks.begin(), plan.tasks.end(),
                   [](const Task& a, const Task& b) { return a.guess_s > b.guess_s; });
  return plan;
}

StoredRow run_row(const Row& row, const SweepOptions& options) {
  StoredRow stored{.key = row.key, .kind = row.kind, .parameters = row.parameters};
  const auto start = std::chrono::steady_clock::now();
  try {
    stored.results = options.measure(row);
  } catch (const std::bad_alloc&) {
    stored.error = "not enough memory for this case; try a smaller one";
  } catch (const std::exception& error) {
    stored.error = *error.what() == '\0' ? "failed without a reason" : error.what();
  }
  stored.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return stored;
}

class Sweep {
 public:
  Sweep(Plan plan, const std::string& store_path, const SweepOptions& options)
      : plan_(std::move(plan)),
        options_(options),
        lookup_(store_path, ResultsStore::Mode::write),
        committer_(store_path) {}

  SweepReport run() {
    const int workers = options_.workers > 0 ? options_.workers : threads();
    const auto tasks = static_cast<std::int64_t>(plan_.tasks.size());
    // While there are rows enough, each is work for one thread; a few large ones are shared.
    alone_ = tasks >= workers;
    std::vector<std::thread> team;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(workers, tasks); ++i)
      team.emplace_back([this] { work(); });
    for (std::thread& worker : team) worker.join();
    committer_.finish();
    return report();
  }

 private:
  void work() {
    while (const Task* task = take()) {
      if (alone_)
        on_this_thread([&] { hand_in(*task); });
      else
        hand_in(*task);
    }
  }

  void hand_in(const Task& task) {
    StoredRow stored = run_row(*task.row, options_);
    (stored.error.empty() ? done_ : failed_) += 1;
    committer_.put(std::move(stored));
    advance(task);
  }

  // The next row that nobody has computed, or none when all are taken or the sweep is to end.
  const Task* take() {
    const std::lock_guard lock(taking_);
    while (next_ < plan_.tasks.size() && !stopped() && committer_.works()) {
      const Task& task = plan_.tasks[next_++];
      const State state = state_of(*task.row);
      if (!is_settled(state, options_)) return &task;
      ++plan_.report.known;
      plan_.report.failed += state == State::failed ? 1 : 0;
      advance(task);
    }
    return nullptr;
  }

  bool stopped() const { return options_.stop != nullptr && *options_.stop; }

  // A store that fails while we look fails at the next commit too, with the reason.
  State state_of(const Row& row) {
    try {
      return lookup_.state(row.key);
    } catch (const InvalidInput&) {
      return State::missing;
    }
  }

  void advance(const Task& task) {
    worked_s_ += task.guess_s;
    progress_.advance(1, worked_s_ / plan_.total_s);
  }

  SweepReport report() const {
    SweepReport report = plan_.report;
    report.computed = done_ + failed_;
    report.failed += failed_;
    report.left = static_cast<std::int64_t>(plan_.tasks.size() - next_);
    return report;
  }

  Plan plan_;
  const SweepOptions& options_;
  ResultsStore lookup_;  // guarded by taking_
  Committer committer_;
  Progress progress_{"sweep", static_cast<std::int64_t>(plan_.tasks.size()), "rows"};
  std::mutex taking_;
  std::size_t next_ = 0;
  bool alone_ = true;
  std::atomic<double> worked_s_{0};
  std::atomic<std::int64_t> done_{0}, failed_{0};
};

}  // namespace

std::vector<Row> rows_of_shard(const std::vector<Row>& rows, std::int64_t shard,
                               std::int64_t shards) {
  require(shards >= 1 && shard >= 0 && shard < shards,
          "shard {} of {} does not exist; shards are 0/N to N-1/N", shard, shards);
  std::vector<Row> share;
  for (std::size_t i = shard; i < rows.size(); i += shards) share.push_back(rows[i]);
  return share;
}

SweepReport sweep(const std::vector<Row>& rows, const std::string& store_path,
                  const SweepOptions& options) {
  const std::vector<Row> share = rows_of_shard(rows, options.shard, options.shards);
  Plan todo = plan(share, ResultsStore(store_path, ResultsStore::Mode::write), options);
  if (todo.tasks.empty()) return todo.report;
  return Sweep(std::move(todo), store_path, options).run();
}

}  // namespace weft::experiment
