// Ctrl-C and SIGTERM as a wish to stop, for work that can be continued later.
#pragma once

#include <atomic>
#include <csignal>

namespace weft::cli {

/// While it lives, the first SIGINT or SIGTERM sets a flag and says so on standard error; the
/// second ends the process at once. One at a time.
class StopOnSignal {
 public:
  StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();

  const std::atomic<bool>& received() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

/// From now on SIGINT and SIGTERM do nothing: for processes that another one ends.
void ignore_stop_signals();

}  // namespace weft::cli
