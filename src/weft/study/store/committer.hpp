// A thread that commits finished rows, all that have gathered at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "weft/study/store.hpp"

namespace weft::study {

class Committer {
 public:
  /// Opens the store. Throws InvalidInput.
  explicit Committer(const std::string& path);
  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;
  ~Committer();

  /// Hands a row over; waits while very many are pending. From any thread.
  void put(StoredRow row);
  /// Whether commits succeed: after a failure rows are dropped.
  bool works() const { return works_; }
  /// Waits until all rows are on the disk. Throws what a commit threw.
  void finish();

 private:
  void run();
  void stop();

  ResultsStore store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<StoredRow> pending_;
  bool ending_ = false;
  std::atomic<bool> works_{true};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace weft::study
