// A progress bar on standard error, for work that takes longer than a second.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace weft {

/// Predicts how long the rest of some work takes, from how far it was at earlier times.
class TimeLeft {
 public:
  /// The share of the work that is done by now, in [0, 1]. May be called often: it stores few.
  void add(double elapsed_s, double share);
  /// Seconds. Empty unless the second half of the time went at the speed of the whole to within a
  /// factor of 1.5: work that stands still, or whose items differ a lot, has no estimate. Nor has
  /// work of which three items are done at most.
  std::optional<double> seconds(double elapsed_s, double share) const;

 private:
  struct Point {
    double elapsed_s = 0, share = 0;
  };
  double share_at(double elapsed_s, Point now) const;

  std::vector<Point> points_;  // some 300 for a day
};

/// Counts work done and draws a bar once a second has passed; silent when standard error is no
/// terminal or when switched off. Safe to call from several threads.
class Progress {
 public:
  /// What is shown in place of a bar. The first line says how far the work is, without a name.
  using Lines = std::function<std::vector<std::string>()>;

  /// With a unit ("rows") the bar shows the rate too, and the time left if it is known.
  Progress(std::string what, std::int64_t total, std::string unit = {});
  /// Shows lines, updated in place five times a second by a thread of its own, whether or not
  /// something advances. `lines` is called from any thread. While they are shown, newer bars are
  /// not; behind an older bar there are no lines.
  Progress(std::string what, Lines lines);
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
  /// Whether lines below the first one are shown (not with --json).
  static void enable_tables(bool on);

  /// How far the oldest of the bars is that there are: "simulate: 12 % done, 40 s left"; its name
  /// alone where nothing is done yet; the first of its lines; empty without a bar. Of any thread.
  static std::string status();

 private:
  void register_bar();
  void note_time(double elapsed_s);
  void draw(double elapsed_s);
  void draw_lines();
  std::string erasing() const;
  std::optional<double> left_s(double elapsed_s) const;
  double share() const;
  double elapsed_s() const;

  std::string what_, unit_;
  std::int64_t total_ = 1;
  Lines lines_;
  std::atomic<std::int64_t> done_{0};
  std::atomic<double> share_{-1};  // negative: done / total
  std::chrono::steady_clock::time_point start_;
  std::atomic<std::int64_t> next_draw_ms_{1000};
  mutable std::mutex noting_;
  TimeLeft left_;
  std::mutex drawing_;
  int shown_ = 0;  // lines
  bool is_over_ = false;
  std::condition_variable over_;
  std::thread thread_;  // draws lines
};

/// What a bar says of speed: "12.5 rows/s, 2 min left". `done` items took the elapsed time.
std::string speed_text(const std::string& unit, std::int64_t done, double elapsed_s,
                       std::optional<double> left_s);

}  // namespace weft
