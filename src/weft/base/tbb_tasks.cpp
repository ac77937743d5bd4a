#include "weft/base/tbb_tasks.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <memory>

#ifdef WEFT_TELL_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace weft::tbb_tasks {

namespace {

// What ThreadSanitizer is told in place of what it would see (CMakeLists.txt keeps it out of this
// file): a loop's beginning comes before each body, and each body before the loop's end. No more,
// so that a race between two bodies is found.
class ForkJoin {
 public:
#ifdef WEFT_TELL_TSAN
  void fork() {
    __tsan_release(&fork_);
  }
  void begin_body() {
    __tsan_acquire(&fork_);
  }
  void end_body() {
    __tsan_release(&join_);
  }
  void join() {
    __tsan_acquire(&join_);
  }

 private:
  char fork_ = 0, join_ = 0;
#else
  void fork() {}
  void begin_body() {}
  void end_body() {}
  void join() {}
#endif
};

// The library's own handle: TBB keeps the limit for as long as this object lives.
std::unique_ptr<tbb::global_control>& limit() {
  static std::unique_ptr<tbb::global_control> control;
  return control;
}

}  // namespace

void loop(std::int64_t count, const std::function<void(std::int64_t)>& body) {
  ForkJoin order;
  order.fork();
  tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) {
    order.begin_body();
    body(i);
    order.end_body();
  });
  order.join();
}

void alone(const std::function<void()>& body) {
  tbb::task_arena arena(1);
  arena.execute(body);
}

void isolated(const std::function<void()>& body) {
  tbb::this_task_arena::isolate([&] { body(); });
}

void limit_threads(int threads) {
  limit().reset();
  if (threads > 0)
    limit() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(threads));
}

int threads() {
  return static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

}  // namespace weft::tbb_tasks
