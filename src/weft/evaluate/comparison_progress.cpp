#include "weft/evaluate/comparison_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "weft/base/units.hpp"

namespace weft::evaluate {

namespace {

constexpr std::size_t kMostRanges = 8;

std::string either(const std::string& first, const std::string& last) {
  return first == last ? first : fmt::format("{} to {}", first, last);
}

}  // namespace

ComparisonProgress::ComparisonProgress(std::span<const std::int64_t> sizes_B,
                                       std::int64_t algorithms, std::optional<double> limit_s)
    : sizes_(std::ssize(std::set<std::int64_t>(sizes_B.begin(), sizes_B.end()))),
      algorithms_(algorithms),
      limit_s_(limit_s),
      progress_("compare", [this] { return lines(); }) {}

ComparisonProgress::Doing::~Doing() {
  if (progress_ == nullptr) return;
  const std::scoped_lock lock(progress_->mutex_);
  progress_->doing_.erase(id_);
}

ComparisonProgress::Doing ComparisonProgress::doing(std::string_view stage,
                                                    std::string_view algorithm,
                                                    std::optional<std::int64_t> size_B) {
  std::string text = fmt::format("{}{}{}", stage, algorithm.empty() ? "" : " ", algorithm);
  if (size_B) text += " at " + format_size(*size_B);
  const std::scoped_lock lock(mutex_);
  doing_.emplace(next_id_, std::move(text));
  return {this, next_id_++};
}

ComparisonProgress::Doing doing(ComparisonProgress* progress, std::string_view stage,
                                std::string_view algorithm, std::optional<std::int64_t> size_B) {
  if (progress == nullptr) return {nullptr, 0};
  return progress->doing(stage, algorithm, size_B);
}

void ComparisonProgress::built() {
  const std::scoped_lock lock(mutex_);
  ++built_;
}

void ComparisonProgress::found(std::string_view algorithm, std::int64_t size_B, double time_s) {
  const std::scoped_lock lock(mutex_);
  const auto [at, is_first] = best_.try_emplace(size_B, Best{std::string(algorithm), time_s});
  last_found_B_ = size_B;
  if (is_first || time_s >= at->second.time_s) return;
  at->second.algorithm = algorithm;
  at->second.time_s = time_s;
}

void ComparisonProgress::decided(std::int64_t size_B) {
  const std::scoped_lock lock(mutex_);
  const auto at = best_.find(size_B);
  if (at == best_.end() || at->second.decided) return;
  at->second.decided = true;
  ++decided_;
}

void ComparisonProgress::spent(std::int64_t work, std::int64_t most) {
  const std::scoped_lock lock(mutex_);
  spent_share_ = most <= 0 ? 1 : static_cast<double>(work) / static_cast<double>(most);
}

// Only a time limit says how long the rest takes at most. The budget does not: most contests end
// long before it does, and bounds take time that no work is counted for. Rows do not either, since
// the slowest algorithm may take longer than all others.
std::string ComparisonProgress::status() const {
  std::string text = doing_.empty() ? "working" : doing_.begin()->second;
  if (built_ < algorithms_)
    text += fmt::format("; {} of {} algorithms built", built_, algorithms_);
  else if (spent_share_)
    text += fmt::format("; winner known at {} of {} sizes, {:.0f} % of the budget used", decided_,
                        sizes_, std::floor(100 * std::min(1.0, *spent_share_)));
  else if (!best_.empty())
    text += fmt::format("; {} of {} sizes have times", best_.size(), sizes_);
  if (limit_s_)
    text += fmt::format("; at most {:.0f} s left",
                        std::max(1.0, std::ceil(*limit_s_ - watch_.seconds())));
  if (last_found_B_) {
    const Best& best = best_.at(*last_found_B_);
    text += fmt::format("; so far at {}: {} {}", format_size(*last_found_B_), best.algorithm,
                        format_seconds(best.time_s));
  }
  return text;
}

// Sizes side by side, of those that have a time, with the same algorithm; most sizes first.
std::vector<ComparisonProgress::Range> ComparisonProgress::ranges() const {
  std::vector<Range> all;
  for (const auto& [size_B, best] : best_) {
    if (all.empty() || all.back().algorithm != best.algorithm)
      all.push_back({.first_B = size_B, .first_s = best.time_s, .algorithm = best.algorithm});
    Range& range = all.back();
    range.last_B = size_B;
    range.last_s = best.time_s;
    ++range.sizes;
    range.decided = range.decided && best.decided;
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &Range::sizes);
  return all;
}

std::vector<std::string> ComparisonProgress::lines() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> lines{status()};
  std::vector<Range> shown = ranges();
  const std::size_t more = shown.size() - std::min(shown.size(), kMostRanges);
  shown.resize(shown.size() - more);
  std::vector<std::string> sizes;
  std::size_t sizes_width = 0, name_width = 0;
  for (const Range& range : shown) {
    sizes.push_back(either(format_size(range.first_B), format_size(range.last_B)));
    sizes_width = std::max(sizes_width, sizes.back().size());
    name_width = std::max(name_width, range.algorithm.size());
  }
  for (std::size_t i = 0; i < shown.size(); ++i)
    lines.push_back(
        fmt::format("  {:<{}}  {:<{}}  {}{}", sizes[i], sizes_width, shown[i].algorithm, name_width,
                    either(format_seconds(shown[i].first_s), format_seconds(shown[i].last_s)),
                    shown[i].decided ? "" : "  so far"));
  if (more > 0) lines.push_back(fmt::format("  and {} more ranges", more));
  return lines;
}

}  // namespace weft::evaluate
