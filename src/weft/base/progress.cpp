#include "weft/base/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace weft {

namespace {

std::atomic<bool> enabled{true};

bool visible() {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  return terminal && enabled;
}

constexpr std::int64_t kRedraw_ms = 200;
constexpr int kBarWidth = 30;

}  // namespace

std::string speed_text(const std::string& unit, std::int64_t done, double share, double elapsed_s) {
  if (done <= 0 || share <= 0 || elapsed_s <= 0) return "";
  const double rate = static_cast<double>(done) / elapsed_s;
  const double left_s = std::max(0.0, elapsed_s * (1 - share) / share);
  const std::string left = left_s < 100    ? fmt::format("{:.0f} s", left_s)
                           : left_s < 6000 ? fmt::format("{:.0f} min", left_s / 60)
                                           : fmt::format("{:.1f} h", left_s / 3600);
  return fmt::format("{:.3g} {}/s, {} left", rate, unit, left);
}

Progress::Progress(std::string what, std::int64_t total, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
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
  enabled = on;
}

void Progress::advance(std::int64_t count) {
  done_ += count;
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
  const double share =
      share_ >= 0 ? share_.load() : static_cast<double>(done) / static_cast<double>(total_);
  const std::string speed = unit_.empty() ? "" : " " + speed_text(unit_, done, share, elapsed_s);
  std::fprintf(stderr, "\r\033[K%s [%s] %lld/%lld%s", what_.c_str(), bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(total_), speed.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace weft
