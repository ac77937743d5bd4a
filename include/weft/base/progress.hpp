// A progress bar on standard error, for work that takes longer than a second.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace weft {

/// Counts work done and draws a bar once a second has passed; silent when standard error is no
/// terminal or when switched off. Safe to call from several threads.
class Progress {
 public:
  Progress(std::string what, std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::int64_t count = 1);

  /// Switches all bars of this process off (--quiet) or on.
  static void enable(bool on);

 private:
  void draw();

  std::string what_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_{0};
  std::chrono::steady_clock::time_point start_;
  std::atomic<std::int64_t> next_draw_ms_{1000};
  std::mutex drawing_;
  bool shown_ = false;
};

}  // namespace weft
