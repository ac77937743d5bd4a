#include "weft/evaluate/segments/segment_chooser.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/network/host_buffer.hpp"
#include "weft/schedule/segments/costs_by_segments.hpp"
#include "weft/schedule/segments/pipeline_sums.hpp"
#include "weft/schedule/serial_startups.hpp"

namespace weft::evaluate {

// What a number of segments costs.
struct SegmentPrice {
  std::int64_t segments = 1;
  double latency_s = 0;                     // steps * longest latency
  std::int64_t startups = 0, receives = 0;  // one after the other
  double seconds_per_byte = 0;              // of M
};

namespace {

using Choice = SegmentChooser::Choice;

// 1, 2, ... 8, where most pipelines are not full yet, then powers of two.
std::vector<std::int64_t> counts_up_to(std::int64_t most) {
  constexpr std::int64_t kFew = 8;
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 1; count <= most; count = count < kFew ? count + 1 : count * 2)
    counts.push_back(count);
  WEFT_ASSERT(!counts.empty());  // one segment at least
  return counts;
}

// Of M; by the rate of small calls, where they have one.
schedule::PipelineSums sums_of(const schedule::Schedule& schedule, const Network& network,
                               const Cost& in_one) {
  const HostParameters& host = network.host();
  std::vector<double> links_s;  // by byte of M
  for (const Rational& factor : in_one.step_factors)
    links_s.push_back(factor.to_double() / static_cast<double>(network.fabric().node_egress_Bps()));
  const std::int64_t rate_Bps = host.reduce_bandwidth_Bps > 0 ? host.reduce_bandwidth_Bps
                                                              : host.large_reductions.bandwidth_Bps;
  WEFT_ASSERT(rate_Bps > 0);
  return schedule::pipeline_sums(schedule, network, links_s, 1 / static_cast<double>(rate_Bps));
}

}  // namespace

struct SegmentChooser::Pricing {
  Pricing(const Verified& verified, const Network& network, const std::vector<std::int64_t>& counts,
          const std::vector<Cost>& costs);

  Collective collective;
  std::int64_t messages = 0;  // of a segment
  std::vector<SegmentPrice> prices;
  schedule::PipelineSums sums = {};
  HostParameters host;  // for its sums
  std::int32_t ranks_on_host = 1;
  Cost first_price;

  /// Seconds to add up all of M at this size; 0 where that is free.
  double sum_s(std::int64_t size_B) const;
};

SegmentChooser::Pricing::Pricing(const Verified& verified, const Network& network,
                                 const std::vector<std::int64_t>& counts,
                                 const std::vector<Cost>& costs)
    : collective(verified.schedule().collective()),
      messages(verified.schedule().message_count() / verified.schedule().segments().count),
      host(network.host()),
      ranks_on_host(network.placement().most_on_a_host()),
      first_price(costs.front()) {
  WEFT_ASSERT(counts.size() == costs.size() && std::ranges::is_sorted(counts));
  const schedule::Schedule& schedule = verified.schedule();
  const StartupPer per = host.startup_per;
  const auto sends = schedule::serial_startups(schedule, schedule::MessageEnd::sender, per);
  const auto receives = schedule::serial_startups(schedule, schedule::MessageEnd::receiver, per);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Cost& price = costs[i];
    const std::int64_t segments = counts[i];
    const double longest_s = static_cast<double>(price.longest_latency_ps) * kSecondsPerPicosecond;
    prices.push_back({segments, static_cast<double>(price.steps) * longest_s, sends.of(segments),
                      receives.of(segments),
                      price.bandwidth_factor.to_double() /
                          static_cast<double>(network.fabric().node_egress_Bps())});
  }
  if (counts.size() > 1 && collective.reduces() && !host.reductions_are_free())
    sums = sums_of(schedule, network, first_price);
}

double SegmentChooser::Pricing::sum_s(std::int64_t size_B) const {
  const std::int64_t sum_Bps =
      host.reduce_Bps(network::host_buffer_B(collective.buffer_bytes(size_B), ranks_on_host));
  return sums.busiest > 0 && sum_Bps > 0
             ? bytes_of_m(collective, size_B) / static_cast<double>(sum_Bps)
             : 0;
}

namespace {

// Times of one size.
class Times {
 public:
  Times(const schedule::PipelineSums& sums, double m_B, double startup_s, double receive_s,
        double sum_s)
      : sums_(sums), m_B_(m_B), startup_s_(startup_s), receive_s_(receive_s), sum_s_(sum_s) {}

  /// In the number of segments that is priced; of the sums only what one segment has.
  Choice of_first(const SegmentPrice& price) const {
    return {price.segments, time_s(price), price.latency_s, sums_.first * sum_s_};
  }
  Choice best_between(const SegmentPrice& a, const SegmentPrice& b, std::int64_t most) const;
  Choice between(const SegmentPrice& a, const SegmentPrice& b, std::int64_t segments) const {
    return on_line(line_between(a, b), segments);
  }
  /// In the second number of segments.
  Choice at_end(const SegmentPrice& a, const SegmentPrice& b) const {
    if (sum_s_ > 0) return on_line(line_between(a, b), b.segments);
    return {b.segments, time_s(b), b.latency_s};
  }

 private:
  // Between two prices s segments take start + more * s + m (first / s + each).
  struct Line {
    double start = 0, more = 0, first = 0, each = 0;
    double from = 0, latency_s = 0, longer_s = 0;  // steps * longest latency from here on
  };
  Line line_between(const SegmentPrice& a, const SegmentPrice& b) const;
  Choice on_line(const Line& line, std::int64_t segments) const;
  double time_s(const SegmentPrice& price) const {
    return serial_s(price) + price.seconds_per_byte * m_B_;
  }
  double serial_s(const SegmentPrice& price) const {
    return price.latency_s + static_cast<double>(price.startups) * startup_s_ +
           static_cast<double>(price.receives) * receive_s_;
  }
  static bool is_less(const Choice& x, const Choice& y) { return x.whole_s() < y.whole_s(); }

  const schedule::PipelineSums& sums_;
  double m_B_, startup_s_, receive_s_;
  double sum_s_;  // to add up all of M; 0 where that is free
};

Times::Line Times::line_between(const SegmentPrice& a, const SegmentPrice& b) const {
  WEFT_ASSERT(a.segments < b.segments);
  const double from = static_cast<double>(a.segments), to = static_cast<double>(b.segments);
  Line line;
  line.each = (b.seconds_per_byte * to - a.seconds_per_byte * from) / (to - from);
  line.first = a.seconds_per_byte * from - line.each * from;
  line.more = (serial_s(b) - serial_s(a)) / (to - from);
  line.start = serial_s(a) - line.more * from;
  line.from = from;
  line.latency_s = a.latency_s;
  line.longer_s = (b.latency_s - a.latency_s) / (to - from);
  return line;
}

Choice Times::on_line(const Line& line, std::int64_t segments) const {
  const auto s = static_cast<double>(segments);
  Choice choice{segments, line.start + line.more * s + m_B_ * (line.first / s + line.each),
                line.latency_s + line.longer_s * (s - line.from)};
  if (sum_s_ == 0) return choice;
  const double links_s = m_B_ * line.each / s;  // of a step of the full pipeline, the rest apart
  const double of_one_s = sum_s_ / s;
  const double step_s = line.more + links_s;
  double longest_s = std::max(step_s, sums_.busiest * of_one_s);
  for (const schedule::PipelineSums::Cycle& cycle : sums_.cycles)
    longest_s = std::max(longest_s,
                         cycle.steps * line.more + cycle.links * links_s + cycle.sums * of_one_s);
  choice.sums_s = sums_.first * of_one_s + (s - 1) * (longest_s - step_s);
  return choice;
}

Choice Times::best_between(const SegmentPrice& a, const SegmentPrice& b, std::int64_t most) const {
  const Line line = line_between(a, b);
  const std::int64_t last = std::min(b.segments, most);
  WEFT_ASSERT(a.segments <= last);
  if (sum_s_ > 0) {
    // The greatest of convex times is convex.
    std::int64_t low = a.segments, high = last;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (is_less(on_line(line, middle + 1), on_line(line, middle)))
        low = middle + 1;
      else
        high = middle;
    }
    return on_line(line, low);
  }
  const double to = static_cast<double>(b.segments);
  const double least =
      line.more > 0 && line.first > 0 ? std::sqrt(m_B_ * line.first / line.more) : to;
  const auto below = std::clamp(static_cast<std::int64_t>(std::min(least, to)), a.segments, last);
  return std::min(on_line(line, below), on_line(line, std::min(below + 1, last)), is_less);
}

}  // namespace

SegmentChooser::SegmentChooser(std::shared_ptr<const Pricing> pricing)
    : pricing_(std::move(pricing)) {
  *this = with_startups(pricing_->host);
}

SegmentChooser::SegmentChooser(const Verified& verified, const Network& network, std::int64_t most)
    : SegmentChooser(std::make_shared<const Pricing>(
          verified, network, counts_up_to(most),
          schedule::costs_by_segments(verified, network, counts_up_to(most)))) {}

SegmentChooser SegmentChooser::as_it_is(const Verified& verified, const Network& network) {
  return as_it_is(verified, network, schedule::cost(verified, network));
}

SegmentChooser SegmentChooser::as_it_is(const Verified& verified, const Network& network,
                                        const Cost& price) {
  return SegmentChooser(std::make_shared<const Pricing>(
      verified, network, std::vector{verified.schedule().segments().count}, std::vector{price}));
}

const Cost& SegmentChooser::first_price() const {
  return pricing_->first_price;
}

SegmentChooser SegmentChooser::with_startups(const HostParameters& host) const {
  SegmentChooser chooser = *this;
  chooser.startup_s_ = static_cast<double>(host.send_ps()) * kSecondsPerPicosecond;
  chooser.receive_s_ = static_cast<double>(host.receive_ps()) * kSecondsPerPicosecond;
  return chooser;
}

SegmentChooser::Choice SegmentChooser::choose(std::int64_t size_B) const {
  constexpr double kAsGood = 1.0005, kAsGoodOfMany = 1.05;
  constexpr std::int64_t kManyMessages = 250'000;
  const std::vector<SegmentPrice>& prices = pricing_->prices;
  const Times times(pricing_->sums, bytes_of_m(pricing_->collective, size_B), startup_s_,
                    receive_s_, pricing_->sum_s(size_B));
  Choice power = times.of_first(prices.front()), best = power;
  for (std::size_t i = 1; i < prices.size() && prices[i - 1].segments < size_B; ++i) {
    const Choice between = times.best_between(prices[i - 1], prices[i], size_B);
    if (between.whole_s() < best.whole_s()) best = between;
    if (prices[i].segments > size_B) break;
    const Choice exact = times.at_end(prices[i - 1], prices[i]);
    if (std::has_single_bit(static_cast<std::uint64_t>(exact.segments)) &&
        exact.whole_s() < power.whole_s())
      power = exact;
  }
  WEFT_ASSERT(best.segments >= 1 && power.segments >= 1);
  const bool has_many = pricing_->messages >= kManyMessages / best.segments;
  return power.whole_s() <= best.whole_s() * (has_many ? kAsGoodOfMany : kAsGood) ? power : best;
}

std::int64_t SegmentChooser::most_segments() const {
  return pricing_->prices.back().segments;
}

SegmentChooser::Choice SegmentChooser::in_segments(std::int64_t size_B,
                                                   std::int64_t segments) const {
  const std::vector<SegmentPrice>& prices = pricing_->prices;
  WEFT_ASSERT(prices.front().segments <= segments && segments <= prices.back().segments);
  const Times times(pricing_->sums, bytes_of_m(pricing_->collective, size_B), startup_s_,
                    receive_s_, pricing_->sum_s(size_B));
  const auto above = std::ranges::lower_bound(prices, segments, {}, &SegmentPrice::segments);
  if (above == prices.begin()) return times.of_first(*above);
  return times.between(*std::prev(above), *above, segments);
}

}  // namespace weft::evaluate
