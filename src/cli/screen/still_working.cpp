#include "cli/screen/still_working.hpp"

#include <fmt/format.h>

#include "weft/base/progress.hpp"

namespace weft::cli {

StillWorking::StillWorking(std::chrono::milliseconds patience, Say say)
    : thread_([this, patience, say = std::move(say)] {
        std::unique_lock lock(mutex_);
        if (over_.wait_for(lock, patience, [this] { return done_; }) || !Progress::enabled())
          return;
        const std::string how_far = Progress::status();
        say(fmt::format("weft: still working{}{}\n", how_far.empty() ? "" : ": ", how_far));
      }) {}

StillWorking::~StillWorking() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  thread_.join();
}

}  // namespace weft::cli
