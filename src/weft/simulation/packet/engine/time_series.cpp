#include "weft/simulation/packet/engine/time_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"

namespace weft::simulation::packet {

TimeSeries::TimeSeries(const LinkWiring& wiring, std::int64_t interval_ps)
    : kinds_(wiring.kinds), interval_ps_(interval_ps) {
  require(interval_ps >= 0, "invalid sample interval {} (expected a time above 0)",
          format_time(interval_ps));
  const std::size_t classes = wiring.topology.class_names().size();
  capacity_Bps_.resize(classes);
  for (const Link& link : wiring.links)
    capacity_Bps_[place(wiring.kind(link).link_class)] +=
        static_cast<double>(wiring.kind(link).bandwidth_Bps);
  if (interval_ps > 0) link_sent_B_.resize(wiring.links.size());
  sent_B_.resize(classes);
  open_.resize(classes);
  next_ = interval_ps > 0 ? interval_ps : std::numeric_limits<Time>::max();
}

/// What the link took and has not sent yet is its backlog times its bandwidth, and less while it is
/// held for a packet that comes over a slower link: never so much that it took bytes back.
void TimeSeries::add(const Link& link, const Buffers& buffers, Time time) {
  const LinkKind& kind = kinds_[place(link.kind)];
  const double bytes_of_ps = static_cast<double>(kind.bandwidth_Bps) * 1e-12;
  double& sent_B = link_sent_B_[next_link_++];
  const double unsent_B =
      std::min(static_cast<double>(link.bytes) - sent_B,
               static_cast<double>(std::max<Time>(0, link.free_at - time)) * bytes_of_ps);
  const auto queued_B = std::llround(unsent_B + static_cast<double>(link.waiting_ps) * bytes_of_ps);
  ClassSample& sample = open_[place(kind.link_class)];
  const double sent_before_B = sent_B;
  sent_B = std::max(sent_B, static_cast<double>(link.bytes) - unsent_B);  // rounding
  sent_B_[place(kind.link_class)] += sent_B - sent_before_B;
  sample.queued_B += queued_B;
  sample.max_queued_B = std::max<std::int64_t>(sample.max_queued_B, queued_B);
  sample.buffered_B += buffers.bytes;
  sample.fullest = std::max(sample.fullest, buffers.fullest);
}

void TimeSeries::close(Time time, std::int64_t packets) {
  constexpr std::size_t kMost = 100'000;
  require(samples_.size() < kMost,
          "a sample every {} gives more than {} samples; give a longer interval",
          format_time(interval_ps_), kMost);
  const double seconds = static_cast<double>(time - last_) * 1e-12;
  for (std::size_t c = 0; c < open_.size(); ++c) {
    const double capacity_B = capacity_Bps_[c] * seconds;
    const double sent_B = std::exchange(sent_B_[c], 0);
    if (capacity_B > 0) open_[c].utilisation = sent_B / capacity_B;
  }
  samples_.push_back({static_cast<double>(time) * 1e-12, packets, open_});
  std::ranges::fill(open_, ClassSample{});
  next_link_ = 0;
  last_ = time;
  next_ = time - time % interval_ps_ + interval_ps_;
}

}  // namespace weft::simulation::packet
