#include "weft/base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

namespace weft {

namespace {

// The library's own handle: TBB keeps the limit for as long as this object lives.
std::unique_ptr<tbb::global_control>& limit() {
  static std::unique_ptr<tbb::global_control> control;
  return control;
}

}  // namespace

void set_threads(int threads) {
  limit().reset();
  if (threads > 0)
    limit() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(threads));
}

int threads() {
  return static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  // All below the least failure so far still run, so that the least of all is found.
  std::atomic<std::int64_t> least{count};
  std::exception_ptr failure;
  std::mutex mutex;
  tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
    if (i > least) return;
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
  tbb::task_arena arena(1);
  arena.execute(body);
}

void isolated(const std::function<void()>& body) {
  tbb::this_task_arena::isolate([&] { body(); });
}

}  // namespace weft
