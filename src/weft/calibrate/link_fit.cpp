// In four steps. (1) Ranges of sizes, and in each a line a + g m for each table of single messages
// (ranges.cpp). (2) In the range of the smallest sizes a = o + sum of h_c L_c for each table, and
// streams say o itself: their small messages follow each other by a start-up. What these sums leave
// open is decided by the network's own latencies and half of the time for the start-up, and said as
// an interval. (3) In the other ranges o stays, and latencies take up the rest. (4) g = max over
// classes of w_c g_c: a class gets the least g_c that any table allows, the slowest link that fits
// all of them; where another class may be what slows all its tables down, its bandwidth is only
// known to be that or more, and is the network's own where that lies above and another class still
// explains the tables (link_bandwidths.cpp). A stream of one message at a time on a link says
// nothing here that a single message does not say better.
#include "weft/calibrate/link_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"

namespace weft::calibrate {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// The share of a small message's time in a stream that may be bytes and answers.
constexpr double kSmall = 0.2;
/// Factors that the simulators take.
constexpr double kLeastFactor = 1e-3, kMostFactor = 1e3;

double median(std::vector<double> values) {
  WEFT_ASSERT(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

LinkFit::LinkFit(std::vector<WayTable> tables, const Network& network)
    : network_(network), classes_(network.topology().class_names().size()) {
  for (WayTable& table : tables) {
    WEFT_ASSERT(table.table != nullptr && table.ways.hops.size() == classes_);
    (table.table->stream() ? streams_ : latencies_).push_back(std::move(table));
  }
  find_lines();
  find_startup();
  find_latencies();
  find_bandwidths();
  WEFT_ASSERT(latency_s_.size() == starts_B_.size());
  WEFT_ASSERT(class_per_byte_s_.size() == starts_B_.size());
}

void LinkFit::find_lines() {
  std::vector<std::vector<SizedTime>> curves;
  for (const WayTable& table : latencies_) curves.push_back(table.times);
  starts_B_ = ranges_of(curves);
  require(!starts_B_.empty(),
          "no table has times of single messages; add a ping-pong (osu_latency, IMB PingPong)");
  const bool several_sizes = std::ranges::any_of(curves, [](const auto& curve) {
    return curve.size() > 1 && curve.front().size_B < curve.back().size_B;
  });
  require(several_sizes,
          "a single size cannot separate latency from bandwidth; measure several, from a few "
          "bytes to megabytes");
  starts_B_.front() = 0;
  const auto fit_range = [&](std::size_t r) {
    std::vector<Line> fitted;
    for (const auto& curve : curves) fitted.push_back(fit_line(curve, starts_B_[r], end_B(r)));
    return fitted;
  };
  // A range in which each table has one size at most does not tell bytes from latency: it joins the
  // one before it, the first the one after it. All sizes together do.
  for (std::size_t r = 0; r < starts_B_.size();) {
    if (std::ranges::any_of(fit_range(r), [](const Line& line) { return line.points > 1; })) {
      ++r;
      continue;
    }
    WEFT_ASSERT(starts_B_.size() > 1);  // some table has two sizes
    starts_B_.erase(starts_B_.begin() + static_cast<std::ptrdiff_t>(r == 0 ? 1 : r));
    r = r == 0 ? 0 : r - 1;
  }
  for (std::size_t r = 0; r < starts_B_.size(); ++r) {
    lines_.push_back(fit_range(r));
    mend_lone_points(r);
  }
}

/// The time of a table's only size in a range is all its line has for a start. What the bytes take
/// by the other tables goes off it; where that is much, nothing certain stays, and no line.
void LinkFit::mend_lone_points(std::size_t range) {
  WEFT_ASSERT(lines_[range].size() == latencies_.size());
  double per_byte_s = 0;
  for (const Line& line : lines_[range])
    if (line.points > 1) per_byte_s = std::max(per_byte_s, line.per_byte_s);
  for (std::size_t p = 0; p < latencies_.size(); ++p) {
    Line& line = lines_[range][p];
    if (line.points != 1) continue;
    double bytes_s = 0;
    for (const SizedTime& time : latencies_[p].times)
      if (range_of(time.size_B) == range) bytes_s = per_byte_s * time.size_B;
    if (bytes_s > kSmall * line.start_s)
      line = {};
    else
      line.start_s -= bytes_s;
  }
}

double LinkFit::end_B(std::size_t range) const {
  return range + 1 < starts_B_.size() ? starts_B_[range + 1] : kNever;
}

std::size_t LinkFit::range_of(double size_B) const {
  const auto after = std::ranges::upper_bound(starts_B_, size_B);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - starts_B_.begin(), 1) - 1);
}

/// By the messages that are much shorter than the time between them.
std::optional<double> LinkFit::stream_startup(const WayTable& stream) const {
  const double window = stream.table->window;
  if (window < 2) return std::nullopt;
  std::size_t nearest = 0;
  const auto difference = [&](std::size_t p) {
    if (lines_.front()[p].points < 2) return kNever;  // one that has a line has all of it
    double sum = 0;
    for (std::size_t c = 0; c < classes_; ++c)
      sum += std::abs(latencies_[p].ways.hops[c] - stream.ways.hops[c]);
    return sum;
  };
  for (std::size_t p = 1; p < latencies_.size(); ++p)
    if (difference(p) < difference(nearest)) nearest = p;
  const Line& line = lines_.front()[nearest];
  std::vector<double> found_s;
  for (const auto& [size_B, time_s] : stream.times) {
    const double bytes_s = line.per_byte_s * size_B;
    if (range_of(size_B) > 0 || bytes_s > kSmall * time_s) continue;
    found_s.push_back((time_s * window - bytes_s - 2 * line.start_s) / (window - 1));
  }
  if (found_s.empty()) return std::nullopt;
  const double startup_s = median(std::move(found_s));
  return startup_s > 0 ? std::optional(startup_s) : std::nullopt;
}

void LinkFit::add_stream_sums() {
  double least_s = kNever;
  for (const auto& of_range : lines_)
    for (const Line& line : of_range)
      if (line.points > 0 && line.start_s > 0) least_s = std::min(least_s, line.start_s);
  for (const WayTable& stream : streams_) {
    auto startup_s = stream_startup(stream);
    if (!startup_s) continue;
    if (*startup_s > 0.95 * least_s) {
      remarks_.push_back(fmt::format(
          "{}: small messages follow each other by {}, as long as one takes from end to end; the "
          "start-up is taken as nearly all of that",
          stream.table->path, format_seconds(*startup_s)));
      startup_s = 0.95 * least_s;
    }
    sums_.push_back({std::vector<double>(1 + classes_), *startup_s});
    sums_.back().coefficients[0] = 1;
  }
}

void LinkFit::find_startup() {
  for (std::size_t p = 0; p < latencies_.size(); ++p) {
    const Line& line = lines_.front()[p];
    if (line.points == 0 || line.start_s <= 0) continue;
    const auto& hops = latencies_[p].ways.hops;
    sums_.push_back({{latencies_[p].ways.starts}, line.start_s});
    sums_.back().coefficients.insert(sums_.back().coefficients.end(), hops.begin(), hops.end());
  }
  require(!sums_.empty(), "no time remains for start-up and latency; measure smaller messages too");
  add_stream_sums();
  // Half of the first table's time, the rest in the network's own proportions.
  const Sum& sum = sums_.front();
  std::vector<double> own_s(classes_, 1);
  for (const LinkId link : network_.topology().links())
    own_s[network_.topology().link_class(link).index()] =
        std::max<double>(static_cast<double>(network_.fabric().latency_ps(link)), 1);
  double whole_s = 0;
  for (std::size_t c = 0; c < classes_; ++c) whole_s += sum.coefficients[1 + c] * own_s[c];
  std::vector<double> first{sum.value / 2};
  for (const double own : own_s) first.push_back(own / std::max(whole_s, 1e-30) * sum.value / 2);
  const std::vector<double> found = solve_sums(sums_, std::move(first));
  WEFT_ASSERT(found.size() == 1 + classes_);
  startup_s_ = found[0];
  latency_s_.emplace_back(found.begin() + 1, found.end());
}

void LinkFit::find_latencies() {
  constexpr double kLeast_s = 1e-12;
  for (double& latency : latency_s_.front()) latency = std::max(latency, kLeast_s);
  for (std::size_t r = 1; r < starts_B_.size(); ++r) {
    std::vector<Sum> sums;
    for (std::size_t p = 0; p < latencies_.size(); ++p)
      if (const Line& line = lines_[r][p]; line.points > 0)
        sums.push_back({latencies_[p].ways.hops,
                        std::max(line.start_s - latencies_[p].ways.starts * startup_s_, kLeast_s)});
    latency_s_.push_back(solve_sums(sums, latency_s_.front()));
    for (double& latency : latency_s_.back()) latency = std::max(latency, kLeast_s);
  }
}

double LinkFit::latency_s(const Ways& ways, std::size_t range) const {
  WEFT_ASSERT(ways.hops.size() == classes_ && range < latency_s_.size());
  double sum = 0;
  for (std::size_t c = 0; c < classes_; ++c) sum += ways.hops[c] * latency_s_[range][c];
  return sum;
}

double LinkFit::per_byte_s(const Ways& ways, std::size_t range) const {
  WEFT_ASSERT(ways.load.size() == classes_ && range < class_per_byte_s_.size());
  double most = 0;
  for (std::size_t c = 0; c < classes_; ++c)
    most = std::max(most, ways.load[c] * class_per_byte_s_[range][c]);
  return most;
}

void LinkFit::find_bandwidths() {
  rates_.resize(starts_B_.size());
  for (std::size_t r = 0; r < starts_B_.size(); ++r)
    for (std::size_t p = 0; p < latencies_.size(); ++p) {
      const Line& line = lines_[r][p];
      if (line.points > 1 && line.per_byte_s * longest_B(p, r) > kSeen * line.start_s)
        rates_[r].push_back(
            {&latencies_[p].ways, line.per_byte_s, static_cast<double>(line.points), false});
    }
  for (const WayTable& stream : streams_) {
    const double window = stream.table->window;
    std::vector<std::vector<double>> found(starts_B_.size());
    for (const auto& [size_B, time_s] : stream.times) {
      const std::size_t r = range_of(size_B);
      const Line& single = *std::ranges::max_element(lines_[r], {}, &Line::per_byte_s);
      if (single.per_byte_s * size_B < startup_s_) continue;  // its bytes are not what takes time
      const double bytes_s = time_s - 2 * (latency_s(stream.ways, r) + startup_s_) / window;
      if (bytes_s > 1.5 * startup_s_) found[r].push_back(bytes_s / size_B);
    }
    for (std::size_t r = 0; r < found.size(); ++r)
      if (!found[r].empty()) {
        const auto points = static_cast<double>(found[r].size());
        rates_[r].push_back({&stream.ways, median(std::move(found[r])), points, true});
      }
  }
  class_per_byte_s_.assign(starts_B_.size(), std::vector<double>(classes_, 0));
  least_Bps_.assign(classes_, std::nullopt);
  for (std::size_t r = starts_B_.size(); r-- > 0;)
    for (std::size_t c = 0; c < classes_; ++c) take_per_byte(c, r);
  raise_to_own();
}

double LinkFit::longest_B(std::size_t table, std::size_t range) const {
  double longest = 0;
  for (const SizedTime& time : latencies_[table].times)
    if (time.size_B < end_B(range)) longest = std::max(longest, time.size_B);
  return longest;
}

bool LinkFit::crossed(std::size_t link_class) const {
  for (std::size_t p = 0; p < latencies_.size(); ++p)
    for (const auto& of_range : lines_)
      if (of_range[p].points > 0 && latencies_[p].ways.hops[link_class] > 0) return true;
  return false;
}

double LinkFit::model_s(const WayTable& table, double size_B) const {
  const std::size_t r = range_of(size_B);
  const double bytes_s = size_B * per_byte_s(table.ways, r), way_s = latency_s(table.ways, r);
  if (!table.table->stream()) return table.ways.starts * startup_s_ + way_s + bytes_s;
  const double window = table.table->window;
  return (window * std::max(startup_s_, bytes_s) + std::min(startup_s_, bytes_s) + 2 * way_s +
          startup_s_) /
         window;
}

/// Sums that contradict each other, as noise has them, leave an interval that the value may miss.
Fitted LinkFit::unknown(std::size_t j, double value) const {
  Fitted fitted{value};
  WEFT_ASSERT(j <= classes_);  // the start-up, then the classes
  if (separable(sums_, j)) return fitted;
  const Interval open = interval_of(sums_, j);
  fitted.interval = Interval{std::min(open.low, value), std::max(open.high, value)};
  return fitted;
}

std::string LinkFit::remark_on(const FittedClass& of_class, std::size_t link_class) const {
  if (!of_class.measured)
    return fmt::format(
        "links of class {} keep their own speed, because no table measures messages across "
        "them",
        of_class.name);
  if (is_raised_[link_class] != 0)
    return fmt::format(
        "the bandwidth of class {} keeps its own value, {}, because no measured message "
        "fills these links",
        of_class.name, format_rate(of_class.bandwidth_Bps.value));
  if (!least_Bps_[link_class]) return "";
  return fmt::format(
      "the bandwidth of class {} is {}, {}, because no measured message is long enough to "
      "determine it",
      of_class.name, format_rate(of_class.bandwidth_Bps.value),
      of_class.bandwidth_Bps.value > *least_Bps_[link_class] * (1 + 1e-9)
          ? "the network's own"
          : "the minimum that the table allows");
}

Calibration LinkFit::result() const {
  Calibration result{.startup_s = unknown(0, startup_s_), .remarks = remarks_};
  for (const double start_B : starts_B_)
    result.starts_B.push_back(static_cast<std::int64_t>(std::ceil(start_B)));
  const auto names = network_.topology().class_names().values();
  const std::size_t last = starts_B_.size() - 1;
  for (std::size_t c = 0; c < classes_; ++c) {
    FittedClass made{.name = names[c]};
    made.bandwidth_Bps = bandwidth_of(c);
    made.latency_s = unknown(1 + c, latency_s_[0][c]);
    made.measured = made.bandwidth_Bps.value > 0;  // the network's own where messages cross it
    if (std::string remark = remark_on(made, c); !remark.empty())
      result.remarks.push_back(std::move(remark));
    for (std::size_t r = 0; made.measured && last > 0 && r <= last; ++r) {
      const auto within = [](double factor) {
        return std::clamp(factor, kLeastFactor, kMostFactor);
      };
      made.factors.push_back({.from_B = result.starts_B[r],
                              .latency = within(latency_s_[r][c] / latency_s_[0][c]),
                              .bandwidth = within(class_per_byte_s_[last][c] /
                                                  std::max(class_per_byte_s_[r][c], 1e-30))});
    }
    result.classes.push_back(std::move(made));
  }
  return result;
}

}  // namespace weft::calibrate
