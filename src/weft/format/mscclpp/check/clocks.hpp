// Who knows what to be complete.
//
// Agents are thread blocks and the proxies of port channels. An agent's work is cut into phases: a
// thread block's by nops, a proxy's by requests. A clock holds, for each agent, 0 if it is not
// known to have begun the call, else 1 + the number of its phases that are known to be complete.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::format::mscclpp::checking {

using Clock = std::vector<std::int32_t>;

inline void join(Clock& into, const Clock& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

/// A moment of an agent: the phase, and which of its threads. What one thread does in a phase is in
/// order, different threads are not.
struct Moment {
  std::int32_t agent = -1, phase = 0;
  std::int64_t thread = 0;

  bool exists() const { return agent >= 0; }
};

/// Whether `before` is over once `after` happens, which knows `clock`. Both in the order in which
/// they were run.
inline bool is_ordered(const Moment& before, const Moment& after, const Clock& clock) {
  if (before.agent == after.agent)
    return before.phase < after.phase || before.thread == after.thread;
  return clock[static_cast<std::size_t>(before.agent)] >= before.phase + 2;
}

}  // namespace weft::format::mscclpp::checking
