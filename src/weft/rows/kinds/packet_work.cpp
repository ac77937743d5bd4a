// The packet simulator's time goes with the links that packets cross, so a row's time is estimated
// by counting them: payload of the collective over packet size, times the links between two hosts.
// The hosts that take no part send background traffic for as long as the broadcast lasts: for the
// bytes that one rank sends in turn, and for the latency of the rounds.
#include "weft/rows/kinds/packet_work.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/setup.hpp"
#include "weft/network/routings.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::rows {

namespace {

// In blocks or buffers of the size given.
struct Volume {
  double messages = 0;
  double sent = 0;     // by all ranks
  double in_turn = 0;  // by the rank that sends most
  double rounds = 0;
};

const algorithm::Outline& outline_of(const Values& parameters) {
  static const algorithm::Outline some;
  if (fields::asks_for_best(parameters)) return some;
  return algorithm::find_algorithm(fields::text_in(parameters, "algorithm")).outline;
}

// Of a broadcast or a reduction.
Volume spread_volume(algorithm::Outline::Spread spread, double ranks, double logarithm) {
  using enum algorithm::Outline::Spread;
  const double others = ranks - 1;
  switch (spread) {
    case scattered:
      return {ranks * logarithm, others + logarithm / 2, 2, 2 * logarithm};
    case groups:
      return {others, others, 3 * logarithm, 3 * logarithm};
    case tree:
      return {others, others, logarithm, logarithm};
    case parts:
      break;
  }
  return {others, others, 2, logarithm};
}

Volume volume_of(const Values& parameters, double ranks) {
  WEFT_ASSERT(ranks >= 1);
  const algorithm::Outline& outline = outline_of(parameters);
  const double others = ranks - 1, logarithm = std::ceil(std::log2(std::max(ranks, 2.0)));
  const CollectiveKind kind = kind_in(parameters);
  const schedule::CollectiveTraits& traits = schedule::traits_of(kind);
  if (traits.between_two()) return {1, 1, 1, 1};
  if (traits.by_pair()) {
    if (outline.forwards)
      return {ranks * logarithm, ranks * ranks * logarithm / 2, ranks * logarithm / 2, logarithm};
    return {ranks * others, ranks * others, others, others};
  }
  if (traits.from_root() || traits.to_root()) {
    if (!traits.splits()) return spread_volume(outline.spread, ranks, logarithm);
    return {others, others * (outline.forwards ? logarithm / 2 : 1), others, logarithm};
  }
  // The size is that of a buffer where data is combined, else of a block.
  const double halves = traits.reduces_to_all() ? 2 : 1, blocks = traits.reduces() ? 1 : ranks;
  return {halves * ranks * logarithm, halves * blocks * others,
          halves * (traits.reduces() ? 1 : others), halves * logarithm};
}

double detour_of(const Values& parameters) {
  const auto* routing = network::find_routing(fields::text_in(parameters, "routing"));
  return routing != nullptr && routing->hops ? routing->hops->detour : 1;
}

// The topology-aware broadcasts stay near.
double links_of_message(const Row& row) {
  return detour_of(row.parameters) *
         (outline_of(row.parameters).near ? std::min(row.mean_links, 3.0) : row.mean_links);
}

double seconds_in(const Values& parameters, const char* name) {
  const std::string text = fields::text_in(parameters, name);
  return text.empty() ? 0 : static_cast<double>(parse_time(text)) * kSecondsPerPicosecond;
}

double size_in(const Values& parameters, const char* name) {
  return static_cast<double>(parse_size(fields::text_in(parameters, name)));
}

}  // namespace

PacketWork packet_work(const Row& row) {
  const Values& parameters = row.parameters;
  const double ranks = static_cast<double>(fields::count_in(parameters, "ranks", 1));
  const double size_B = static_cast<double>(fields::count_in(parameters, "size", 0));
  const double packet_B = size_in(parameters, "packet-size");
  const bool flits = fields::text_in(parameters, "model") == "flit";
  const double unit_B = flits ? std::min(packet_B, size_in(parameters, "flit-size")) : packet_B;
  const LinkSpeed speed = fields::link_options(parameters).all.value_or(LinkSpeed{});
  const double bandwidth_Bps = static_cast<double>(speed.bandwidth_Bps);
  WEFT_ASSERT(bandwidth_Bps > 0);
  const Volume volume = volume_of(parameters, ranks);
  const double links = links_of_message(row);
  const double per_link_s = static_cast<double>(speed.latency_ps) * kSecondsPerPicosecond +
                            seconds_in(parameters, "router-delay") +
                            std::min(packet_B, size_B) / bandwidth_Bps;
  PacketWork work;
  work.hops = std::max(volume.messages, volume.sent * size_B / unit_B) * links;
  work.duration_s = volume.in_turn * size_B / bandwidth_Bps +
                    volume.rounds * (seconds_in(parameters, "alpha") + links * per_link_s);
  if (fields::text_in(parameters, "background").empty()) return work;
  const double others = static_cast<double>(row.hosts) - ranks;
  const double units = std::ceil(size_in(parameters, "background-size") / unit_B);
  work.hops += std::max(0.0, others) * units * detour_of(parameters) * row.mean_links *
               work.duration_s / std::max(1e-12, seconds_in(parameters, "background-interval"));
  return work;
}

}  // namespace weft::rows
