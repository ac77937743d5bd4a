// Work on all cores (oneTBB), with one knob for the number of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace weft {

/// Limits all later parallel work to this many threads; 0 means all cores. Results never depend on
/// it.
void set_threads(int threads);

/// The number of threads that parallel work may use now.
int threads();

/// Calls body(i) for each i in [0, count), in any order, on all threads. Of exceptions that of the
/// least i comes out, whatever the number of threads.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& body);

/// Calls the body with all parallel work inside kept on this thread: for callers that are one of
/// many threads already.
void on_this_thread(const std::function<void()>& body);

/// Calls body(); a thread that waits in a parallel_for within it takes up no work from outside
/// meanwhile. For what other threads wait for: else the thread could take up one that waits for
/// itself.
void isolated(const std::function<void()>& body);

}  // namespace weft
