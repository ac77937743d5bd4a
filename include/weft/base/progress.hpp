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
  /// With a unit ("rows") the bar tells the rate and the time left too.
  Progress(std::string what, std::int64_t total, std::string unit = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `count` more items are done.
  void advance(std::int64_t count = 1);
  /// The same where items differ in size: `share` in [0, 1] of all the work is done by now.
  void advance(std::int64_t count, double share);

  /// Takes the bar off the terminal, so that something else can be printed; it comes again with the
  /// next advance().
  void clear();

  /// Switches all bars of this process off (--quiet) or on.
  static void enable(bool on);
  static bool enabled();

  /// How far the oldest of the bars is that there are: "simulate: 12 % done, 40 s left"; its name
  /// alone where nothing is done yet; empty without one. Of any thread. What takes long now is
  /// taken to need as long again, whatever came before.
  static std::string status();

 private:
  void draw(double elapsed_s);
  double share() const;
  double elapsed_s() const;

  std::string what_, unit_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_{0};
  std::atomic<double> share_{-1};  // negative: done / total
  std::chrono::steady_clock::time_point start_;
  std::atomic<double> last_s_{0};  // when something was done last
  std::atomic<std::int64_t> next_draw_ms_{1000};
  std::mutex drawing_;
  bool shown_ = false;
};

/// What a bar says of speed: "12.5 rows/s, 2 min left". `done` items took the elapsed time and are
/// `share` of the work.
std::string speed_text(const std::string& unit, std::int64_t done, double share, double elapsed_s);

}  // namespace weft
