#include "weft/study/store/committer.hpp"

#include <utility>

#include "weft/base/error.hpp"

namespace weft::study {

namespace {
constexpr std::size_t kMostPending = 10'000;
}

Committer::Committer(const std::string& path)
    : store_(path, ResultsStore::Mode::write), thread_([this] { run(); }) {}

Committer::~Committer() {
  stop();
}

void Committer::put(StoredRow row) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return pending_.size() < kMostPending || !works_; });
  WEFT_ASSERT(!ending_);
  pending_.push_back(std::move(row));
  if (pending_.size() == 1) changed_.notify_all();
}

void Committer::finish() {
  stop();
  WEFT_ASSERT(pending_.empty() && works_ == (failure_ == nullptr));
  if (failure_) std::rethrow_exception(failure_);
}

void Committer::stop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Committer::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !pending_.empty() || ending_; });
    if (pending_.empty()) return;
    const std::vector<StoredRow> rows = std::exchange(pending_, {});
    changed_.notify_all();
    lock.unlock();
    try {
      if (works_) store_.add(rows);
    } catch (...) {
      failure_ = std::current_exception();
      works_ = false;
    }
    lock.lock();
    if (!works_) changed_.notify_all();
  }
}

}  // namespace weft::study
