// What Ctrl-C and SIGTERM do: they end the program, or ask work that can be continued to stop.
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

/// Makes Ctrl-C end the process with one line on standard error, by the signal itself, so that a
/// shell sees exit code 130. Does nothing where the process was started with SIGINT ignored.
void say_interrupted_on_signal();

/// From now on SIGINT and SIGTERM do nothing: for processes that another one ends.
void ignore_stop_signals();

}  // namespace weft::cli
