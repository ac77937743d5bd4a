// ComparisonProgress: what a comparison is doing, and which winners it knows so far.
//
// On a terminal the first line names the stage, the algorithm and the size; the lines below it are
// the winners so far, the one with most sizes first:
//
//   compare: simulating bfb at 64MiB; winner known at 12 of 17 sizes, 3 % of the budget used;
//            so far at 1MiB: ring 41.2us
//     1KiB to 64KiB   bfb   16.04us to 20.12us
//     128KiB to 1MiB  ring  27.31us to 41.2us   so far
//
// It only shows what others compute: no answer depends on it. A call costs under a microsecond, a
// simulation at least ten.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/progress.hpp"
#include "weft/base/work/stopwatch.hpp"

namespace weft::evaluate {

/// Safe to call from several threads.
class ComparisonProgress {
 public:
  /// `algorithms`: how many are built. `limit_s`: of the whole comparison, in seconds.
  ComparisonProgress(std::span<const std::int64_t> sizes_B, std::int64_t algorithms,
                     std::optional<double> limit_s);

  /// Something that is being done, as long as this exists.
  class Doing {
   public:
    Doing(ComparisonProgress* progress, std::int64_t id) : progress_(progress), id_(id) {}
    ~Doing();
    Doing(const Doing&) = delete;
    Doing& operator=(const Doing&) = delete;

   private:
    ComparisonProgress* progress_;  // null: nobody is told
    std::int64_t id_;
  };
  /// "simulating", "ring", and a size. The one that takes longest is shown.
  [[nodiscard]] Doing doing(std::string_view stage, std::string_view algorithm = {},
                            std::optional<std::int64_t> size_B = {});

  void built();  // one more algorithm, or it was left out
  void found(std::string_view algorithm, std::int64_t size_B, double time_s);
  /// No other algorithm can win at this size.
  void decided(std::int64_t size_B);
  /// Of a budget of work.
  void spent(std::int64_t work, std::int64_t most);

  /// See Progress::Lines.
  std::vector<std::string> lines() const;

 private:
  struct Best {
    std::string algorithm;
    double time_s = 0;
    bool decided = false;
  };
  struct Range {
    std::int64_t first_B = 0, last_B = 0, sizes = 0;
    double first_s = 0, last_s = 0;
    std::string algorithm;
    bool decided = true;
  };
  std::string status() const;
  std::vector<Range> ranges() const;

  std::int64_t sizes_ = 0, algorithms_;
  std::optional<double> limit_s_;
  Stopwatch watch_;
  mutable std::mutex mutex_;
  std::int64_t built_ = 0, decided_ = 0, next_id_ = 0;
  std::map<std::int64_t, std::string> doing_;  // the oldest first
  std::map<std::int64_t, Best> best_;          // by size
  std::optional<std::int64_t> last_found_B_;
  std::optional<double> spent_share_;  // of the budget, where there is one
  Progress progress_;                  // the last member: its thread asks for lines
};

/// Nothing where nobody is told (null).
[[nodiscard]] ComparisonProgress::Doing doing(ComparisonProgress* progress, std::string_view stage,
                                              std::string_view algorithm,
                                              std::optional<std::int64_t> size_B = {});

}  // namespace weft::evaluate
