#include "weft/base/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace weft {

namespace {

std::atomic<bool> bars_enabled{true};

// All that there are, the oldest first.
struct Bars {
  std::mutex mutex;
  std::vector<const Progress*> all;
};
Bars& bars() {
  static Bars them;
  return them;
}

bool visible() {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  return terminal && bars_enabled;
}

constexpr std::int64_t kRedraw_ms = 200;
constexpr int kBarWidth = 30;

std::string time_left_text(double share, double elapsed_s, double idle_s = 0) {
  const double left_s = std::max({1.0, idle_s, elapsed_s * (1 - share) / share});
  return left_s < 100    ? fmt::format("{:.0f} s left", left_s)
         : left_s < 6000 ? fmt::format("{:.0f} min left", left_s / 60)
                         : fmt::format("{:.1f} h left", left_s / 3600);
}

}  // namespace

std::string speed_text(const std::string& unit, std::int64_t done, double share, double elapsed_s) {
  if (done <= 0 || share <= 0 || elapsed_s <= 0) return "";
  const double rate = static_cast<double>(done) / elapsed_s;
  return fmt::format("{:.3g} {}/s, {}", rate, unit, time_left_text(share, elapsed_s));
}

Progress::Progress(std::string what, std::int64_t total, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      start_(std::chrono::steady_clock::now()) {
  const std::scoped_lock lock(bars().mutex);
  bars().all.push_back(this);
}

Progress::~Progress() {
  {
    const std::scoped_lock lock(bars().mutex);
    std::erase(bars().all, this);
  }
  clear();
}

void Progress::clear() {
  const std::scoped_lock lock(drawing_);
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

void Progress::enable(bool on) {
  bars_enabled = on;
}

bool Progress::enabled() {
  return bars_enabled;
}

std::string Progress::status() {
  const std::scoped_lock lock(bars().mutex);
  if (bars().all.empty()) return "";
  const Progress& first = *bars().all.front();
  const double share = first.share();
  if (share <= 0) return first.what_;
  if (share >= 1) return fmt::format("{}: nearly done", first.what_);
  const double elapsed_s = first.elapsed_s();
  return fmt::format("{}: {:.0f} % done, {}", first.what_, std::floor(100 * share),
                     time_left_text(share, elapsed_s, elapsed_s - first.last_s_));
}

double Progress::share() const {
  const double told = share_;
  const auto done = static_cast<double>(std::min<std::int64_t>(done_, total_));
  return told >= 0 ? told : done / static_cast<double>(total_);
}

double Progress::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::advance(std::int64_t count) {
  done_ += count;
  last_s_ = elapsed_s();
  if (!visible()) return;
  const auto elapsed = std::chrono::steady_clock::now() - start_;
  const std::int64_t elapsed_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
  if (elapsed_ms < next_draw_ms_) return;
  const std::unique_lock lock(drawing_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  next_draw_ms_ = elapsed_ms + kRedraw_ms;
  draw(std::chrono::duration<double>(elapsed).count());
}

void Progress::advance(std::int64_t count, double share) {
  share_ = share;
  advance(count);
}

void Progress::draw(double elapsed_s) {
  const std::int64_t done = std::min<std::int64_t>(done_, total_);
  const int filled = static_cast<int>(done * kBarWidth / total_);
  const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                          std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
  const std::string speed = unit_.empty() ? "" : " " + speed_text(unit_, done, share(), elapsed_s);
  std::fprintf(stderr, "\r\033[K%s [%s] %lld/%lld%s", what_.c_str(), bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(total_), speed.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace weft
