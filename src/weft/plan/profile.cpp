#include "weft/plan/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::plan {

namespace {

constexpr std::string_view kFirstLine = "weft profile 1";
constexpr std::size_t kFields = 9;
// No machine exceeds these, and sums over all lines stay within 64 bits and a double.
constexpr std::int32_t kMostRanks = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;
constexpr std::int64_t kMostCalls = std::int64_t{1} << 40;
constexpr double kMostSeconds = 1e9;  // 31 years

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), text_(read_file(path)) {}

  Profile profile() {
    const std::vector<std::string_view> lines = split(text_, '\n');
    require(text_.starts_with("weft profile "),
            "'{}' is not a profile; run a program with libweft-pmpi.so and WEFT_PROFILE=FILE to "
            "write one",
            path_);
    require(lines[0] == kFirstLine, "'{}' has another version (this weft reads '{}')", path_,
            kFirstLine);
    require(text_.ends_with('\n') && lines.size() > 2, "'{}' is truncated", path_);
    line_ = 2;
    const std::vector<std::string_view> ranks = split(lines[1], '\t');
    check(ranks.size() == 2 && ranks[0] == "ranks", "expected 'ranks' and their number");
    Profile profile{.ranks = number<std::int32_t>("number of ranks", ranks[1], 1, kMostRanks),
                    .lines = {}};
    for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
      line_ = i + 1;
      profile.lines.push_back(calls(lines[i], profile.ranks));
    }
    return profile;
  }

 private:
  void check(bool condition, std::string_view why) const {
    require(condition, "{}:{}: {}", path_, line_, why);
  }
  template <class Number>
  Number number(std::string_view what, std::string_view text, Number least, Number most) const {
    const auto value = number_in<Number>(text);
    check(value.has_value() && *value >= least && *value <= most,
          fmt::format("the {} is '{}', and is to be a number from {} to {:.7g}; let the program "
                      "write the profile again",
                      what, text, least, static_cast<double>(most)));
    return value.value_or(least);
  }

  ProfiledCalls calls(std::string_view line, std::int32_t ranks) const {
    const std::vector<std::string_view> fields = split(line, '\t');
    check(fields.size() == kFields,
          fmt::format("it has {} fields instead of {}", fields.size(), kFields));
    ProfiledCalls calls{
        .rank = number<std::int32_t>("rank", fields[0], 0, ranks - 1),
        .communicator = std::string(fields[1]),
        .members = number<std::int32_t>("number of members", fields[2], 1, kMostRanks),
        .collective = std::string(fields[3]),
        .from_B = number<std::int64_t>("size", fields[4], 0, kMostBytes),
        .calls = number<std::int64_t>("number of calls", fields[5], 1, kMostCalls),
        .bytes = number<std::int64_t>("sum of bytes", fields[6], 0, kMostBytes),
        .time_s = number<double>("time", fields[7], 0, kMostSeconds),
        .ran = std::string(fields[8])};
    return calls;
  }

  std::string path_, text_;
  std::size_t line_ = 1;
};

// A profile knows calls that ran a schedule for their counts by the size alone.
std::optional<Prediction> of_counts(const Plan& plan, CollectiveKind kind,
                                    const CallSummary& calls) {
  for (const PlannedRange& range : plan.ranges)
    if (range.blocks && range.kind == kind && range.first_B == calls.mean_B && range.schedule &&
        plan.schedules[*range.schedule].algorithm == calls.ran)
      return Prediction{calls.ran, range.time_s};
  return std::nullopt;
}

// Through the sizes that ranges were timed at: below the least its time, above the largest in
// proportion.
double time_between(const std::vector<const PlannedRange*>& timed, std::int64_t size_B) {
  WEFT_ASSERT(!timed.empty() && std::ranges::is_sorted(timed, {}, &PlannedRange::timed_B));
  const auto after = std::ranges::find_if(
      timed, [&](const PlannedRange* range) { return range->timed_B >= size_B; });
  if (after == timed.begin()) return timed.front()->time_s;
  const PlannedRange& before = **(after - 1);
  const auto size = static_cast<double>(size_B), least = static_cast<double>(before.timed_B);
  if (after == timed.end()) return before.time_s * size / least;
  const double most = static_cast<double>((*after)->timed_B);
  WEFT_ASSERT(most > least);
  return before.time_s + ((*after)->time_s - before.time_s) * (size - least) / (most - least);
}

}  // namespace

Profile read_profile(const std::string& path) {
  return Reader(path).profile();
}

std::vector<CallSummary> summarise(const Profile& profile) {
  struct Sum {
    std::set<std::int32_t> ranks;
    double bytes = 0, calls = 0, time_s = 0;
    std::map<std::string, std::int64_t> ways;
  };
  std::map<std::tuple<std::string, std::int32_t, std::string, std::int64_t>, Sum> sums;
  for (const ProfiledCalls& line : profile.lines) {
    Sum& sum = sums[{line.communicator, line.members, line.collective, line.from_B}];
    sum.ranks.insert(line.rank);
    sum.bytes += static_cast<double>(line.bytes);
    sum.calls += static_cast<double>(line.calls);
    sum.time_s += line.time_s;
    sum.ways[line.ran] += line.calls;
  }
  std::vector<CallSummary> all;
  for (const auto& [key, sum] : sums) {
    const auto ranks = static_cast<double>(sum.ranks.size());
    const auto way = std::ranges::max_element(sum.ways, {}, [](const auto& w) { return w.second; });
    all.push_back({.communicator = std::get<0>(key),
                   .members = std::get<1>(key),
                   .collective = std::get<2>(key),
                   .from_B = std::get<3>(key),
                   .mean_B = static_cast<std::int64_t>(sum.bytes / sum.calls),
                   .calls = sum.calls / ranks,
                   .time_s = sum.time_s / ranks,
                   .ran = way->first});
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &CallSummary::time_s);
  return all;
}

std::optional<Prediction> prediction(const Plan& plan, const CallSummary& calls) {
  const auto kind = schedule::collective_of_mpi(calls.collective);
  const std::int64_t size_B = calls.mean_B;
  if (!kind || size_B <= 0 || calls.members != plan.ranks) return std::nullopt;
  if (calls.collective == schedule::traits_of(*kind).of_mpi_with_counts) {
    if (auto exact = of_counts(plan, *kind, calls)) return exact;
    if (*kind == CollectiveKind::alltoall) return std::nullopt;
  }
  std::vector<const PlannedRange*> timed;
  const PlannedRange* its = nullptr;
  for (const PlannedRange& range : plan.ranges) {
    if (range.kind != *kind || range.blocks || (range.root && range.root->value() != 0)) continue;
    if (size_B >= range.first_B && size_B <= range.last_B) its = &range;
    if (range.schedule && range.timed_B > 0) timed.push_back(&range);
  }
  if (its == nullptr || !its->schedule || timed.empty()) return std::nullopt;
  std::ranges::sort(timed, {}, &PlannedRange::timed_B);
  return Prediction{plan.schedules[*its->schedule].algorithm, time_between(timed, size_B)};
}

}  // namespace weft::plan
