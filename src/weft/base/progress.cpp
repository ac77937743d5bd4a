#include "weft/base/progress.hpp"

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

Progress::Progress(std::string what, std::int64_t total)
    : what_(std::move(what)),
      total_(std::max<std::int64_t>(total, 1)),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
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
  draw();
}

void Progress::draw() {
  const std::int64_t done = std::min<std::int64_t>(done_, total_);
  const int filled = static_cast<int>(done * kBarWidth / total_);
  const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                          std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
  std::fprintf(stderr, "\r\033[K%s [%s] %lld/%lld", what_.c_str(), bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(total_));
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace weft
