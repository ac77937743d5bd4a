// A guess of a row's time and memory, from the number of messages that its algorithm sends.
#include "weft/rows/kinds/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/packet_work.hpp"

namespace weft::rows {

namespace {

constexpr double kPair_s = 2e-8;    // distances, routes: of each pair of ranks
constexpr double kRouted_s = 1e-6;  // a message of each rank, on Dragonflies of 16,512 hosts

// Links that packets cross in a second (5 to 14 million were measured), and memory of a host of a
// Dragonfly with its routers.
constexpr double kHops_per_s = 6e6, kPacketHost_B = 1.2e4;

}  // namespace

double messages_of(const Values& parameters, double ranks) {
  if (fields::asks_for_best(parameters)) return ranks * ranks;
  using Messages = algorithm::Outline::Messages;
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(parameters, "algorithm"));
  if (algorithm.outline.messages == Messages::logarithmic)
    return ranks * std::log2(std::max(ranks, 2.0));
  if (algorithm.outline.messages == Messages::pairs) return ranks * ranks;
  // Pipelined: the best number of segments grows with the root of the size.
  const double size_B = static_cast<double>(fields::count_in(parameters, "size", 1));
  const double best = std::clamp(std::sqrt(size_B) / 64, 1.0, 4096.0);
  return 4 * ranks *
         static_cast<double>(
             fields::count_in(parameters, "segments", static_cast<std::int64_t>(best)));
}

Estimate estimate_little(const Row&) {
  return {.time_s = kReport_s, .memory_B = kRow_B};
}

Estimate estimate_routes(const Row& row) {
  return {.time_s = kReport_s + static_cast<double>(row.nodes) * kRouted_s, .memory_B = kRow_B};
}

Estimate estimate_schedule(const Row& row) {
  const auto ranks = static_cast<double>(fields::count_in(row.parameters, "ranks", 1));
  const double messages = messages_of(row.parameters, ranks);
  const double pairs = ranks * ranks;
  return {.time_s = kRow_s + messages * kMessage_s + pairs * kPair_s,
          .memory_B = kRow_B + messages * kMessage_B + pairs * 4};
}

Estimate estimate_packets(const Row& row, double schedules) {
  const auto ranks = static_cast<double>(fields::count_in(row.parameters, "ranks", 1));
  const double messages = messages_of(row.parameters, ranks);
  const auto hosts = static_cast<double>(row.hosts);
  const double hops = schedules * packet_work(row).hops;
  return {.time_s = kRow_s + hosts * kRouted_s + messages * kMessage_s + hops / kHops_per_s,
          .memory_B = kRow_B + messages * kMessage_B + hosts * kPacketHost_B,
          .packet_hops = hops};
}

}  // namespace weft::rows
