// One run at one load: what hosts make, what the network carries, what comes out.
//
// A load is stable when every packet of the measured cycles came out, and 99 % of their flits
// within those cycles. Most of a curve's time would go to loads far above that, whose verdict is
// soon clear: a network that lags behind in window after window does not catch up, since no host
// sends faster than it offers. So a run looks back on eight windows of a sixtieth of its cycles: if
// less than 97 % of what was offered came out in each, and less than 95 % in all of them, beyond
// chance, the load is overloaded. It is then measured for a fifth of the cycles only, from there on
// if the warm-up was not over. A network that fills its queues lags too, but by no more than the
// latency that it ends with: 5 % of eight windows is 0.7 % of the run, and a load with so much in
// its queues so early was never found stable (LoadCurveProperty compares verdicts both ways).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/load_curve/open_loop.hpp"

namespace weft::simulation::input_queued {

/// What leaves the network, and when.
struct Meter {
  static constexpr bool kWatchesLinks = false;

  std::int64_t first, last;  // measured cycles: [first, last)
  std::vector<std::int64_t> count_of_latency = {};
  std::int64_t ejected_flits = 0, packets = 0, hops = 0;
  std::int64_t all_flits = 0;  // of the whole run
  double latency_sum = 0;

  void ejected(std::int64_t cycle) {
    ++all_flits;
    ejected_flits += cycle >= first && cycle < last;
  }

  void delivered(const Packet& packet, std::int64_t cycle) {
    if (!packet.measured) return;
    const auto latency = static_cast<std::size_t>(cycle - packet.created);
    if (latency >= count_of_latency.size()) count_of_latency.resize(latency + latency / 2 + 64);
    ++count_of_latency[latency];
    latency_sum += static_cast<double>(latency);
    hops += packet.hops;
    ++packets;
  }

  std::int64_t percentile(double share) const {
    const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(packets)));
    std::int64_t seen = 0;
    for (std::size_t latency = 0; latency < count_of_latency.size(); ++latency)
      if ((seen += count_of_latency[latency]) >= wanted && seen > 0)
        return static_cast<std::int64_t>(latency);
    return 0;
  }
};

/// Whether what comes out has clearly fallen behind what is offered, window by window.
class Overload {
 public:
  Overload(const RunCycles& cycles, std::int64_t settled, double flits_per_cycle, int packet_flits)
      : window_(std::max<std::int64_t>(kLeastWindow, (cycles.warmup + cycles.measured) / kParts)),
        next_(std::max(cycles.warmup / 4, settled) + window_),
        offered_(flits_per_cycle * static_cast<double>(window_)),
        chance_(4 * std::sqrt(kWindows * offered_ * packet_flits)) {}

  std::int64_t next_look() const { return next_; }

  /// At the end of a window, with all the flits that came out so far.
  bool looks_so(std::int64_t all_flits) {
    constexpr auto kKept = static_cast<std::size_t>(kWindows + 1);
    const std::int64_t before = totals_[(looks_ + kKept - 1) % kKept];
    const std::int64_t at_first = totals_[(looks_ + 1) % kKept];
    const bool lags = static_cast<double>(all_flits - before) < kEach * offered_;
    behind_ = looks_ > 0 && lags ? behind_ + 1 : 0;
    totals_[looks_++ % kKept] = all_flits;
    next_ += window_;
    return behind_ >= kWindows &&
           static_cast<double>(all_flits - at_first) + chance_ < kAll * kWindows * offered_;
  }

 private:
  static constexpr int kWindows = 8, kParts = 60;
  static constexpr std::int64_t kLeastWindow = 100;
  static constexpr double kEach = 0.97, kAll = 0.95;

  std::int64_t window_, next_;
  double offered_, chance_;  // flits in a window; in all of them four standard deviations
  std::size_t looks_ = 0;
  int behind_ = 0;                                   // windows on end
  std::array<std::int64_t, kWindows + 1> totals_{};  // of flits at the last looks, in turn
};

/// The options, with what follows from them and the network.
struct Setting {
  LoadCurveOptions options;
  RunCycles cycles;
  std::int64_t packet_latency;  // cycles of a single packet on a mean way
};

enum class Wanted : std::uint8_t { point, verdict };

template <class Routing>
class Measurement {
 public:
  Measurement(const Setting& setting, const PortWiring& wiring, const TrafficPattern& traffic,
              Routing& routing, double offered, const RunProgress& progress)
      : options_(setting.options),
        cycles_(setting.cycles),
        progress_(progress),
        hosts_(static_cast<double>(wiring.hosts())),
        offered_(offered),
        meter_{cycles_.warmup, cycles_.warmup + cycles_.measured},
        overload_(cycles_, 2 * setting.packet_latency, offered * hosts_, options_.packet_flits),
        network_(options_, wiring, traffic, routing, meter_, offered) {}

  LoadPoint run(Wanted wanted) {
    const std::int64_t end = meter_.last + kPatience * cycles_.measured;
    while (network_.now() < end && !finished()) {
      network_.step([this](Packet& packet) {
        packet.measured = packet.created >= meter_.first && packet.created < meter_.last;
        made_ += packet.measured;
      });
      if (network_.now() == overload_.next_look()) look();
      if (network_.now() >= meter_.last && (overloaded_ || falls_behind_at_end())) break;
      if (overloaded_ && wanted == Wanted::verdict) break;
    }
    return point();
  }

 private:
  // Packets of the measured cycles are waited for this many times as long as they were made for; a
  // network that has not brought them out by then does not carry the load.
  static constexpr std::int64_t kPatience = 3;
  // What came out in the measured cycles may miss what was made in them by the flits under way and
  // by chance; a hundredth is far outside both.
  static constexpr double kCarried = 0.99;
  // An overloaded network is measured for this part of the cycles.
  static constexpr std::int64_t kShortened = 5;

  bool finished() const {
    return network_.now() >= meter_.last && meter_.packets >= made_ &&
           network_.queues_are_past(meter_.last);
  }

  void look() {
    const std::int64_t now = network_.now();
    if (progress_ && !overloaded_)
      progress_(std::min(1.0, static_cast<double>(now) / static_cast<double>(meter_.last)));
    if (!overload_.looks_so(meter_.all_flits) || overloaded_) return;
    if (options_.overloaded == Overloaded::run_whole || now >= meter_.last) return;
    overloaded_ = true;
    // What leaves in this cycle is counted by the one in which it is read.
    const std::int64_t next = now + options_.router.terminal_cycles + 2;
    meter_.first = std::min(meter_.first, next);
    meter_.last = std::max(next, meter_.first + (cycles_.measured + kShortened - 1) / kShortened);
  }

  // Whether less came out in the measured cycles than chance explains: no need to wait for the
  // rest.
  bool falls_behind_at_end() const {
    if (network_.now() != meter_.last) return false;
    const double offered = offered_ * hosts_ * static_cast<double>(cycles_.measured);
    const double chance = 4 * std::sqrt(offered * options_.packet_flits);
    return static_cast<double>(meter_.ejected_flits) + chance < kCarried * offered;
  }

  LoadPoint point() const {
    LoadPoint point;
    point.offered = offered_;
    point.measured_cycles = meter_.last - meter_.first;
    point.accepted = static_cast<double>(meter_.ejected_flits) /
                     (hosts_ * static_cast<double>(point.measured_cycles));
    point.stable = !overloaded_ && finished() &&
                   static_cast<double>(meter_.ejected_flits) >=
                       kCarried * static_cast<double>(made_ * options_.packet_flits);
    point.packets = meter_.packets;
    if (meter_.packets > 0) {
      point.mean_latency = meter_.latency_sum / static_cast<double>(meter_.packets);
      point.mean_hops = static_cast<double>(meter_.hops) / static_cast<double>(meter_.packets);
    }
    point.p50_latency = meter_.percentile(0.5);
    point.p99_latency = meter_.percentile(0.99);
    point.max_latency = meter_.percentile(1);
    point.flit_hops = network_.flit_hops();
    return point;
  }

  const LoadCurveOptions& options_;
  RunCycles cycles_;
  const RunProgress& progress_;
  double hosts_;
  double offered_;
  Meter meter_;
  Overload overload_;
  bool overloaded_ = false;
  OpenLoop<Routing, Meter> network_;
  std::int64_t made_ = 0;  // packets of the measured cycles
};

}  // namespace weft::simulation::input_queued
