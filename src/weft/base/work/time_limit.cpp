#include "weft/base/work/time_limit.hpp"

#include <algorithm>

namespace weft {

namespace {

thread_local TimeLimit::End end_of_thread;

TimeLimit::End first_of(const TimeLimit::End& a, const TimeLimit::End& b) {
  if (!a) return b;
  if (!b) return a;
  return std::min(*a, *b);
}

}  // namespace

TimeLimit::End TimeLimit::end_after(double seconds) {
  constexpr double kForever_s = 1e8;
  if (seconds >= kForever_s) return std::nullopt;
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

TimeLimit::TimeLimit(double seconds) : TimeLimit(first_of(end_of_thread, end_after(seconds))) {}

TimeLimit::TimeLimit(const End& end) : outer_(end_of_thread) {
  end_of_thread = end;
}

TimeLimit::~TimeLimit() {
  end_of_thread = outer_;
}

TimeLimit::End TimeLimit::current() {
  return end_of_thread;
}

bool TimeLimit::has_passed() {
  return end_of_thread && Clock::now() >= *end_of_thread;
}

}  // namespace weft
