#include "child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "weft/base/error.hpp"

namespace weft::testbed {

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr int kNotStarted = 127;

volatile sig_atomic_t caught_signal = 0;
std::array<struct sigaction, kSignals.size()> before_watch;

void note(int number) {
  caught_signal = number;
}

std::vector<char*> arguments_of(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

int run_script(const std::string& file, const std::string& errors, int lock) {
  std::vector<std::string> words = {"sh", file};
  const auto arguments = arguments_of(words);
  const pid_t child = ::fork();
  if (child < 0) throw SystemError(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    const int log = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    if (lock >= 0) ::fcntl(lock, F_SETFD, 0);
    ::setpgid(0, 0);  // an interrupt of the terminal leaves it to finish
    ::execvp(arguments[0], arguments.data());
    ::_exit(kNotStarted);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int start(const std::vector<std::string>& words) {
  WEFT_ASSERT(!words.empty());
  std::vector<std::string> own = words;
  const auto arguments = arguments_of(own);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw SystemError(std::string("fork: ") + std::strerror(errno));
  if (child > 0) return child;
  for (const int number : kSignals) ::signal(number, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() == parent) ::execvp(arguments[0], arguments.data());
  ::_exit(kNotStarted);
}

SignalWatch::SignalWatch() {
  caught_signal = 0;
  struct sigaction action {};
  action.sa_handler = note;
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i], &action, &before_watch[i]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i], &before_watch[i], nullptr);
}

std::optional<int> SignalWatch::caught() {
  return caught_signal == 0 ? std::nullopt : std::optional<int>(caught_signal);
}

}  // namespace weft::testbed
