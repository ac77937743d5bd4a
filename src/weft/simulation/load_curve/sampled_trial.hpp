// Whether a load is stable by the mean latency of samples, as BookSim 2 decides it.
//
// Samples of 1,000 cycles: three of warm-up, then up to seven more until mean latency and accepted
// throughput have changed by less than a twentieth in three samples on end; then packets that were
// handed to the network in these are waited for. The load is unstable as soon as, at the end of a
// sample, the mean over the packets that came out and the ages of those inside is above 500 cycles.
// So a network may be called stable up to a few hundredths above what it carries: its queues have
// not grown enough in the time. Source: BookSim 2, defaults of `latency_thres`, `sample_period`,
// `warmup_periods`, `max_samples` and `stopping_thres` (Jiang et al., "A Detailed and Flexible
// Cycle-Accurate Network-on-Chip Simulator", ISPASS 2013).
#pragma once

#include <cmath>
#include <cstdint>

#include "weft/simulation/load_curve/open_loop.hpp"

namespace weft::simulation::input_queued {

/// Cycles of mean latency above which a sample, and with it the load, is unstable.
inline constexpr double kMostSampledLatency = 500;

/// What came out since the last reset, and what is inside.
struct Samples {
  static constexpr bool kWatchesLinks = false;

  bool only_measured = false;
  std::int64_t flits = 0, packets = 0, inside = 0, measured_inside = 0;
  double latency_sum = 0, created_sum = 0;  // created_sum: of the packets inside

  void ejected(std::int64_t) { ++flits; }
  void delivered(const Packet& packet, std::int64_t cycle) {
    --inside;
    created_sum -= static_cast<double>(packet.created);
    measured_inside -= packet.measured ? 1 : 0;
    if (only_measured && !packet.measured) return;
    ++packets;
    latency_sum += static_cast<double>(cycle - packet.created);
  }
  void handed_over(Packet& packet, bool measured) {
    packet.measured = measured;
    ++inside;
    measured_inside += measured ? 1 : 0;
    created_sum += static_cast<double>(packet.created);
  }
  void reset() { flits = packets = 0, latency_sum = 0; }

  double mean() const { return packets == 0 ? 0 : latency_sum / static_cast<double>(packets); }
  double mean_with_ages(std::int64_t now) const {
    const double ages = static_cast<double>(now) * static_cast<double>(inside) - created_sum;
    const auto count = static_cast<double>(packets + inside);
    return count == 0 ? 0 : (latency_sum + ages) / count;
  }
};

template <class Routing>
class SampledTrial {
 public:
  SampledTrial(const LoadCurveOptions& options, const PortWiring& wiring,
               const TrafficPattern& traffic, Routing& routing, double offered)
      : network_(options, wiring, traffic, routing, samples_, offered) {}

  bool settles() {
    std::int64_t reset_at = 0;
    double latency = 0, accepted = 0;
    int alike = 0;
    for (int sample = 0; sample < kMostSamples && alike < kAlike; ++sample) {
      const bool warm = sample >= kWarmUp;
      if (sample == kWarmUp || (!warm && sample % 2 == 0)) {
        samples_.reset();
        reset_at = network_.now();
        samples_.only_measured = warm;
      }
      run_sample(warm);
      if (exceeds()) return false;
      const double mean = samples_.mean();
      const double rate =
          static_cast<double>(samples_.flits) / static_cast<double>(network_.now() - reset_at);
      const bool is_alike =
          std::abs(mean - latency) <= kChange * mean && std::abs(rate - accepted) <= kChange * rate;
      alike = warm && is_alike ? alike + 1 : 0;
      latency = mean;
      accepted = rate;
    }
    return drains();
  }

 private:
  static constexpr int kPeriod = 1'000, kWarmUp = 3, kMostSamples = 10, kAlike = 3;
  static constexpr double kChange = 0.05;

  void run_sample(bool measured) {
    for (int cycle = 0; cycle < kPeriod; ++cycle)
      network_.step([&](Packet& packet) { samples_.handed_over(packet, measured); });
  }
  bool exceeds() const { return samples_.mean_with_ages(network_.now()) > kMostSampledLatency; }

  bool drains() {
    const std::int64_t last = network_.now();
    while (samples_.measured_inside > 0 || !network_.queues_are_past(last)) {
      for (int cycle = 0; cycle < kPeriod; ++cycle) {
        network_.step([&](Packet& packet) { samples_.handed_over(packet, packet.created < last); });
        if (samples_.measured_inside == 0 && network_.queues_are_past(last)) return true;
      }
      if (exceeds()) return false;
    }
    return true;
  }

  Samples samples_;
  OpenLoop<Routing, Samples> network_;
};

}  // namespace weft::simulation::input_queued
