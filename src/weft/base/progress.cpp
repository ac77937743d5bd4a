#include "weft/base/progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

namespace weft {

namespace {

std::atomic<bool> bars_enabled{true};
std::atomic<bool> tables_enabled{true};

// All that there are, the oldest first.
struct Bars {
  std::mutex mutex;
  std::vector<const Progress*> all;
};
Bars& bars() {
  static Bars them;
  return them;
}
// The oldest bar if it draws lines, from a thread of its own; no other is drawn meanwhile.
std::atomic<const Progress*> board{nullptr};

bool visible() {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  return terminal && bars_enabled;
}

constexpr std::int64_t kPatience_ms = 1000;
constexpr std::int64_t kRedraw_ms = 200;
constexpr int kBarWidth = 30;
// By which the time grows from one point of TimeLeft to the next.
constexpr double kNextPoint = 1.05, kFirstPoint_s = 0.02;
// By which the speed of the second half may differ from that of the whole.
constexpr double kSteady = 1.5;
constexpr std::size_t kFewestPoints = 4;

struct Terminal {
  int columns = 80, rows = 24;
  bool moves = false;  // its cursor goes up
};
Terminal terminal_of_errors() {
  Terminal terminal;
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    terminal = {size.ws_col, size.ws_row};
  const char* const name = std::getenv("TERM");
  terminal.moves = name != nullptr && std::string_view(name) != "dumb";
  return terminal;
}

std::string time_left_text(double left_s) {
  left_s = std::max(1.0, left_s);
  return left_s < 100    ? fmt::format("{:.0f} s left", left_s)
         : left_s < 6000 ? fmt::format("{:.0f} min left", left_s / 60)
                         : fmt::format("{:.1f} h left", left_s / 3600);
}

}  // namespace

void TimeLeft::add(double elapsed_s, double share) {
  if (points_.empty() || elapsed_s >= kFirstPoint_s + kNextPoint * points_.back().elapsed_s)
    points_.push_back({elapsed_s, share});
}

double TimeLeft::share_at(double elapsed_s, Point now) const {
  Point before, after = now;
  for (const Point& point : points_) {
    if (point.elapsed_s > elapsed_s) {
      after = point;
      break;
    }
    before = point;
  }
  if (after.elapsed_s <= before.elapsed_s) return before.share;
  return before.share + (after.share - before.share) * (elapsed_s - before.elapsed_s) /
                            (after.elapsed_s - before.elapsed_s);
}

std::optional<double> TimeLeft::seconds(double elapsed_s, double share) const {
  if (points_.size() < kFewestPoints || share <= 0) return std::nullopt;
  const double of_second_half = 2 * (share - share_at(elapsed_s / 2, {elapsed_s, share}));
  if (of_second_half < share / kSteady || of_second_half > share * kSteady) return std::nullopt;
  return elapsed_s * (1 - share) / share;
}

std::string speed_text(const std::string& unit, std::int64_t done, double elapsed_s,
                       std::optional<double> left_s) {
  if (done <= 0 || elapsed_s <= 0) return "";
  const double rate = static_cast<double>(done) / elapsed_s;
  return fmt::format("{:.3g} {}/s{}", rate, unit, left_s ? ", " + time_left_text(*left_s) : "");
}

Progress::Progress(std::string what, std::int64_t total, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      start_(std::chrono::steady_clock::now()) {
  register_bar();
}

Progress::Progress(std::string what, Lines lines)
    : what_(std::move(what)), lines_(std::move(lines)), start_(std::chrono::steady_clock::now()) {
  register_bar();
  if (board != this) return;
  try {
    thread_ = std::thread([this] {
      std::unique_lock lock(drawing_);
      auto wait = std::chrono::milliseconds(kPatience_ms);
      while (!over_.wait_for(lock, wait, [this] { return is_over_; })) {
        draw_lines();
        wait = std::chrono::milliseconds(kRedraw_ms);
      }
    });
  } catch (const std::system_error&) {  // no more threads: nothing is drawn
    board = nullptr;
  }
}

void Progress::register_bar() {
  const std::scoped_lock lock(bars().mutex);
  if (lines_ && bars().all.empty() && visible()) board = this;
  bars().all.push_back(this);
}

Progress::~Progress() {
  {
    const std::scoped_lock lock(bars().mutex);
    std::erase(bars().all, this);
  }
  if (thread_.joinable()) {
    {
      const std::scoped_lock lock(drawing_);
      is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
  }
  clear();
  const Progress* self = this;
  board.compare_exchange_strong(self, nullptr);
}

void Progress::clear() {
  const std::scoped_lock lock(drawing_);
  std::fputs(erasing().c_str(), stderr);
  std::fflush(stderr);
  shown_ = 0;
}

std::string Progress::erasing() const {
  if (shown_ == 0) return "";
  return shown_ == 1 ? "\r\033[K" : fmt::format("\033[{}A\r\033[J", shown_ - 1);
}

void Progress::enable(bool on) {
  bars_enabled = on;
}

bool Progress::enabled() {
  return bars_enabled;
}

void Progress::enable_tables(bool on) {
  tables_enabled = on;
}

std::string Progress::status() {
  const std::scoped_lock lock(bars().mutex);
  if (bars().all.empty()) return "";
  const Progress& first = *bars().all.front();
  if (first.lines_) {
    const std::vector<std::string> lines = first.lines_();
    return lines.empty() ? first.what_ : fmt::format("{}: {}", first.what_, lines.front());
  }
  const double share = first.share();
  if (share <= 0) return first.what_;
  if (share >= 1) return fmt::format("{}: nearly done", first.what_);
  const auto left_s = first.left_s(first.elapsed_s());
  return fmt::format("{}: {:.0f} % done{}", first.what_, std::floor(100 * share),
                     left_s ? ", " + time_left_text(*left_s) : "");
}

double Progress::share() const {
  const double told = share_;
  const auto done = static_cast<double>(std::min<std::int64_t>(done_, total_));
  return told >= 0 ? told : done / static_cast<double>(total_);
}

std::optional<double> Progress::left_s(double elapsed_s) const {
  const std::scoped_lock lock(noting_);
  return left_.seconds(elapsed_s, share());
}

double Progress::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::note_time(double elapsed_s) {
  const std::unique_lock lock(noting_, std::try_to_lock);
  if (lock.owns_lock()) left_.add(elapsed_s, share());
}

void Progress::advance(std::int64_t count) {
  done_ += count;
  if (lines_) return;
  const double now_s = elapsed_s();
  note_time(now_s);
  if (!visible() || board != nullptr) return;
  const auto now_ms = static_cast<std::int64_t>(1000 * now_s);
  if (now_ms < next_draw_ms_) return;
  const std::unique_lock lock(drawing_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  next_draw_ms_ = now_ms + kRedraw_ms;
  draw(now_s);
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
  const std::string speed =
      unit_.empty() ? "" : " " + speed_text(unit_, done, elapsed_s, left_s(elapsed_s));
  std::fprintf(stderr, "\r\033[K%s [%s] %lld/%lld%s", what_.c_str(), bar.c_str(),
               static_cast<long long>(done), static_cast<long long>(total_), speed.c_str());
  std::fflush(stderr);
  shown_ = 1;
}

// One line is as good as none of a terminal whose cursor cannot go up; lines that wrapped would
// not be erased.
void Progress::draw_lines() {
  if (!visible()) return;
  const Terminal terminal = terminal_of_errors();
  std::vector<std::string> lines = lines_();
  if (lines.empty()) lines.emplace_back();
  lines.front().insert(0, what_ + ": ");
  const bool all = terminal.moves && tables_enabled;
  lines.resize(std::min<std::size_t>(lines.size(), all ? std::max(1, terminal.rows - 1) : 1));
  std::string text = erasing();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += '\n';
    text += lines[i].substr(0, static_cast<std::size_t>(terminal.columns - 1));
  }
  std::fputs(text.c_str(), stderr);  // at once, so that nothing flickers
  std::fflush(stderr);
  shown_ = static_cast<int>(lines.size());
}

}  // namespace weft
