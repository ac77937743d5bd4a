// Processes that a testbed starts, and the signals that it waits for meanwhile.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::testbed {

/// The code with which `sh FILE` ended; its messages go into the file `errors`. The script outlives
/// this process where that is killed; it and all that it starts hold `lock` open, where it is a
/// file.
int run_script(const std::string& file, const std::string& errors, int lock = -1);

/// Starts a program that ends when this process does; its process id. Throws SystemError.
int start(const std::vector<std::string>& words);

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  static std::optional<int> caught();
};

}  // namespace weft::testbed
