#include "cli/screen/signals.hpp"

#include <unistd.h>

#include <string_view>

namespace weft::cli {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

extern "C" void on_signal(int) {
  stop = true;
  constexpr char kText[] =
      "\nweft: stopping after the rows under way (once more to stop now; finished rows are kept)\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
}

volatile std::sig_atomic_t behind_terminal_line = 0;

// SA_RESETHAND has restored the default action by now, which ends the process once this returns.
extern "C" void on_interrupt(int number) {
  // A terminal has shown ^C, or a progress bar, on this line.
  constexpr std::string_view kText = "\nweft: interrupted before the answer was complete\n";
  const std::string_view text = behind_terminal_line ? kText : kText.substr(1);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  std::raise(number);
}

}  // namespace

void say_interrupted_on_signal() {
  struct sigaction action {};
  ::sigaction(SIGINT, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  behind_terminal_line = ::isatty(STDERR_FILENO);
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
}

StopOnSignal::StopOnSignal() {
  stop = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // the second takes the default
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

StopOnSignal::~StopOnSignal() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>& StopOnSignal::received() const {
  return stop;
}

void ignore_stop_signals() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
}

}  // namespace weft::cli
