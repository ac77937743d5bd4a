#include "weft/base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <memory>

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
  tbb::parallel_for(std::int64_t{0}, count, [&](std::int64_t i) { body(i); });
}

}  // namespace weft
