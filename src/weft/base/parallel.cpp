#include "weft/base/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>

#include "weft/base/error.hpp"
#include "weft/base/tbb_tasks.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft {

void set_threads(int threads) {
  tbb_tasks::limit_threads(threads);
}

int threads() {
  return tbb_tasks::threads();
}

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  WEFT_ASSERT(count >= 0);
  // All below the least failure so far still run, so that the least of all is found.
  std::atomic<std::int64_t> least{count};
  std::exception_ptr failure;
  std::mutex mutex;
  const TimeLimit::End end = TimeLimit::current();
  tbb_tasks::loop(count, [&](std::int64_t i) {
    if (i > least) return;
    const TimeLimit limit(end);
    try {
      body(i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (i > least) return;
      least = i;
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
}

void on_this_thread(const std::function<void()>& body) {
  tbb_tasks::alone(body);
}

void isolated(const std::function<void()>& body) {
  tbb_tasks::isolated(body);
}

}  // namespace weft
