// The rows that a sweep has to run, taken one by one by whoever runs them, and their way into the
// store.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/progress.hpp"
#include "weft/study/store/committer.hpp"
#include "weft/study/sweep.hpp"

namespace weft::study {

/// A row to run, with a guess of its time.
struct Task {
  const Row* row;
  double guess_s;
};

/// Safe to use from several threads.
class Job {
 public:
  /// Looks up what is known. The rows and `options` must outlive the job. Throws InvalidInput.
  Job(const std::vector<const Row*>& rows, const std::string& store_path,
      const SweepOptions& options);

  std::int64_t tasks() const { return static_cast<std::int64_t>(tasks_.size()); }
  /// The largest row that nobody has taken or committed; none when the sweep is to end.
  const Task* take();
  /// Ends the sweep early: from now on there is nothing to take.
  void cancel() { cancelled_ = true; }
  /// Hands in the result of a task.
  void put(const Task& task, StoredRow result);
  /// Waits for the last commit. Throws what a commit threw.
  SweepReport finish();

 private:
  void plan(const std::vector<const Row*>& rows);
  bool is_settled(ResultsStore::State state) const;
  ResultsStore::State look_up(const Row& row);
  bool stopped() const { return cancelled_ || (options_.stop != nullptr && *options_.stop); }
  void advance(const Task& task);

  const SweepOptions& options_;
  ResultsStore store_;  // guarded by taking_
  Committer committer_;
  std::vector<Task> tasks_;  // largest first
  double total_s_ = 0;
  SweepReport report_;  // guarded by taking_
  std::mutex taking_;
  std::size_t next_ = 0;
  std::atomic<bool> cancelled_{false};
  std::atomic<double> worked_s_{0};
  std::atomic<std::int64_t> done_{0}, failed_{0};
  std::optional<Progress> progress_;
};

/// The report of a sweep that has nothing to compute, by a store that is only read; nothing where
/// there is something, or the store cannot be read.
std::optional<SweepReport> settled(const std::vector<const Row*>& rows,
                                   const std::string& store_path, const SweepOptions& options);

/// Runs a row; what it throws becomes its error.
StoredRow run_row(const Row& row, const SweepOptions& options);

}  // namespace weft::study
