// A limit on the time of work that is under way, however deep it is in calls.
//
//   try {
//     const TimeLimit limit(5.0);
//     pack_trees(...);            // its long loops call TimeLimit::check()
//   } catch (const OutOfTime&) {  // what was found before is what there is
//   }
//
// Work that takes long asks for the limit that its caller set, so that functions between need not
// know of it; where nobody set one, asking costs next to nothing.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>

namespace weft {

/// Thrown by TimeLimit::check(). Whoever set the limit catches it.
struct OutOfTime : std::runtime_error {
  OutOfTime() : std::runtime_error("the time limit was reached") {}
};

/// While it lives, a limit on all that this thread does, and on what parallel_for() gives to others
/// meanwhile. Of limits within each other the one that ends first counts. Lives on the stack.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;
  /// When the limit that counts on a thread ends; nothing where there is none.
  using End = std::optional<Clock::time_point>;

  /// From now on: the end of so many seconds, 0 or more; of 1e8 s and more none.
  static End end_after(double seconds);
  explicit TimeLimit(double seconds);
  /// That of another thread, or none, in place of this one's: for parallel work, which a thread may
  /// take up while it waits in work of its own.
  explicit TimeLimit(const End& end);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  static End current();
  static bool has_passed();
  /// Throws OutOfTime where the limit of this thread has passed. A read of the clock where it has
  /// one.
  static void check() {
    if (has_passed()) throw OutOfTime();
  }

 private:
  End outer_;
};

}  // namespace weft
