// A sign of life of long runs where no bar can be drawn.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace weft::cli {

/// Says one line, once, if it still exists after so long and bars are not switched off (--quiet):
/// that work goes on, how far it is, and how long the rest takes where that is known. `say` is
/// called from a thread of its own.
class StillWorking {
 public:
  using Say = std::function<void(const std::string& line)>;
  StillWorking(std::chrono::milliseconds patience, Say say);
  ~StillWorking();
  StillWorking(const StillWorking&) = delete;
  StillWorking& operator=(const StillWorking&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace weft::cli
