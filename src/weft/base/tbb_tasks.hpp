// The calls of oneTBB behind plain functions, so that ThreadSanitizer sees none of TBB: the
// distribution's library is not built for it, and its headers alone would look like races.
#pragma once

#include <cstdint>
#include <functional>

namespace weft::tbb_tasks {

/// body(i) for each i in [0, count), in any order. The body throws nothing.
void loop(std::int64_t count, const std::function<void(std::int64_t)>& body);

/// body() in an arena of this thread alone.
void alone(const std::function<void()>& body);

/// body() without other tasks meanwhile.
void isolated(const std::function<void()>& body);

/// 0: no limit.
void limit_threads(int threads);
int threads();

}  // namespace weft::tbb_tasks
