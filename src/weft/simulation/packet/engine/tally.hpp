// Tally: what is counted of one source's traffic.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/simulation/packet/engine/histogram.hpp"
#include "weft/simulation/packet/engine/pool.hpp"

namespace weft::simulation::packet {

class Tally {
 public:
  explicit Tally(std::size_t classes) : classes_(classes) {}

  void crossed(std::int32_t link_class, std::int32_t bytes) {
    classes_[place(link_class)].bytes += bytes;
  }
  /// The head of a packet.
  void head_crossed(std::int32_t link_class, bool first_of_message) {
    Class& c = classes_[place(link_class)];
    ++c.packets;
    c.messages += first_of_message ? 1 : 0;
  }
  void received(std::int32_t bytes) { bytes_ += bytes; }
  /// The tail of a packet.
  void tail_received(Time latency, std::int32_t routers) {
    packets_.add(latency);
    routers_ += routers;
  }
  void finished(Time latency) { messages_.add(latency); }
  void count_acknowledgement() { ++acknowledgements_; }

  TrafficStatistics statistics(std::span<const std::string> names) const {
    TrafficStatistics s;
    s.packet_latency = packets_.summary();
    s.message_latency = messages_.summary();
    s.packets = s.packet_latency.count;
    s.messages = s.message_latency.count;
    s.bytes = bytes_;
    s.acknowledgements = acknowledgements_;
    if (s.packets > 0) s.mean_hops = static_cast<double>(routers_) / static_cast<double>(s.packets);
    for (std::size_t c = 0; c < classes_.size(); ++c)
      s.classes.push_back({names[c], classes_[c].messages, classes_[c].packets, classes_[c].bytes});
    return s;
  }

 private:
  struct Class {
    std::int64_t messages = 0, packets = 0, bytes = 0;
  };
  std::vector<Class> classes_;
  Histogram packets_, messages_;
  std::int64_t routers_ = 0, bytes_ = 0, acknowledgements_ = 0;
};

}  // namespace weft::simulation::packet
