// TimeSeries: the links of each class at regular moments of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/packet/engine/link_wiring.hpp"

namespace weft::simulation::packet {

class TimeSeries {
 public:
  /// No samples for an interval of 0. Throws InvalidInput for one below 0.
  TimeSeries(const LinkWiring& wiring, std::int64_t interval_ps);

  /// When the next sample is due.
  Time next() const { return next_; }

  /// The next link in order at `time`, of a sample that close() ends; `buffers` is what its
  /// channels hold.
  struct Buffers {
    std::int64_t bytes = 0;
    double fullest = 0;
  };
  void add(const Link& link, const Buffers& buffers, Time time);
  /// Throws InvalidInput for too many samples.
  void close(Time time, std::int64_t packets);
  /// Takes the last sample at the end of the run, unless it was due just then.
  template <class Sample>
  void end(Time now, Sample&& sample) {
    if (interval_ps_ > 0 && now > last_) sample(now);
  }

  const std::vector<TrafficSample>& samples() const { return samples_; }

 private:
  const std::vector<LinkKind> kinds_;
  std::vector<double> capacity_Bps_;  // by class
  std::int64_t interval_ps_;
  Time next_, last_ = 0;
  std::vector<double> link_sent_B_;  // by link, until the sample before
  std::size_t next_link_ = 0;        // of the open sample
  std::vector<double> sent_B_;       // by class, since the sample before
  std::vector<ClassSample> open_;
  std::vector<TrafficSample> samples_;
};

}  // namespace weft::simulation::packet
