#include "weft/study/sweep/job.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>

#include "weft/base/error.hpp"

namespace weft::study {

using State = ResultsStore::State;

namespace {

bool is_settled(State state, const SweepOptions& options) {
  return state == State::done || (state == State::failed && !options.retry_failed);
}

}  // namespace

std::optional<SweepReport> settled(const std::vector<const Row*>& rows,
                                   const std::string& store_path, const SweepOptions& options) {
  SweepReport report{.rows = static_cast<std::int64_t>(rows.size())};
  try {
    const ResultsStore store(store_path, ResultsStore::Mode::read);
    for (const Row* row : rows) {
      const State state = store.state(row->key);
      if (!is_settled(state, options)) return std::nullopt;
      ++report.known;
      report.failed += state == State::failed ? 1 : 0;
    }
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
  WEFT_ASSERT(report.known == report.rows && report.failed <= report.known);
  return report;
}

Job::Job(const std::vector<const Row*>& rows, const std::string& store_path,
         const SweepOptions& options)
    : options_(options), store_(store_path, ResultsStore::Mode::write), committer_(store_path) {
  plan(rows);
  progress_.emplace("sweep", tasks(), "rows");
}

bool Job::is_settled(State state) const {
  return study::is_settled(state, options_);
}

void Job::plan(const std::vector<const Row*>& rows) {
  report_.rows = static_cast<std::int64_t>(rows.size());
  for (const Row* row : rows) {
    const State state = store_.state(row->key);
    if (is_settled(state)) {
      ++report_.known;
      report_.failed += state == State::failed ? 1 : 0;
    } else {
      tasks_.push_back({row, std::max(options_.estimate(*row).time_s, 1e-6)});
      total_s_ += tasks_.back().guess_s;
    }
  }
  WEFT_ASSERT(report_.known + tasks() == report_.rows);
  std::stable_sort(tasks_.begin(), tasks_.end(),
                   [](const Task& a, const Task& b) { return a.guess_s > b.guess_s; });
}

const Task* Job::take() {
  const std::lock_guard lock(taking_);
  while (next_ < tasks_.size() && !stopped() && committer_.works()) {
    const Task& task = tasks_[next_++];
    const State state = look_up(*task.row);
    if (!is_settled(state)) return &task;
    ++report_.known;
    report_.failed += state == State::failed ? 1 : 0;
    advance(task);
  }
  return nullptr;
}

// A store that fails while we look fails at the next commit too, with the reason.
State Job::look_up(const Row& row) {
  try {
    return store_.state(row.key);
  } catch (const InvalidInput&) {
    return State::missing;
  }
}

void Job::put(const Task& task, StoredRow result) {
  (result.error.empty() ? done_ : failed_) += 1;
  committer_.put(std::move(result));
  advance(task);
}

void Job::advance(const Task& task) {
  WEFT_ASSERT(task.guess_s > 0 && total_s_ > 0);
  worked_s_ += task.guess_s;
  progress_->advance(1, worked_s_ / total_s_);
}

SweepReport Job::finish() {
  committer_.finish();
  SweepReport report = report_;
  report.computed = done_ + failed_;
  report.failed += failed_;
  report.left = static_cast<std::int64_t>(tasks_.size() - next_);
  // Every row was known, run, or never taken.
  WEFT_ASSERT(report.known + report.computed + report.left == report.rows);
  return report;
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

}  // namespace weft::study
