#include "cli/machine/sum_note.hpp"

#include <fmt/format.h>

#include <string_view>

#include "weft/base/units.hpp"
#include "weft/network/host_buffer.hpp"

namespace weft::cli {

namespace {

// Of the time, that sums must take for a note.
constexpr double kLeastShare = 0.25;
constexpr std::string_view kRemedy = "--reduce-bandwidth RATE or --machine NAME";

// `links_s` is a lower bound by links for any schedule of the call.
std::string note_of(const Collective& collective, const Network& network, std::int64_t size_B,
                    double sums_s, double links_s, std::string_view remedy = kRemedy) {
  if (sums_s <= links_s) return "";
  const std::int64_t on_host_B =
      network::host_buffer_B(collective.buffer_bytes(size_B), network.placement().most_on_a_host());
  const auto rate_Bps = static_cast<double>(network.host().reduce_Bps(on_host_B));
  return fmt::format(
      "sums, not links, limit the {} of {}: a rank adds up data at {}, which takes at least {} "
      "(links: {}); {} sets another rate",
      name_of(collective.kind), format_size(size_B), format_rate(rate_Bps), format_seconds(sums_s),
      format_seconds(links_s), remedy);
}

// Lower bound on the seconds that the busiest rank spends on sums, if all ranks combine data: the
// n vectors of V bytes need (n - 1) V bytes of sums, and each rank makes one sum after the other.
// 0 if sums are free, or the collective has none.
double least_sum_s(const Collective& collective, const HostParameters& host,
                   std::int32_t ranks_on_a_host, std::int64_t size_B) {
  if (!collective.reduces() || collective.ranks < 2) return 0;
  const std::int64_t vector_B = collective.buffer_bytes(size_B);
  const std::int64_t rate_Bps = host.reduce_Bps(network::host_buffer_B(vector_B, ranks_on_a_host));
  if (rate_Bps == 0) return 0;
  return static_cast<double>(vector_B) * (collective.ranks - 1) / collective.ranks /
         static_cast<double>(rate_Bps);
}

}  // namespace

std::string sum_note(const advise::Comparison& comparison, const Collective& collective,
                     const Network& network) {
  const auto winners = comparison.winners();
  if (winners.empty() || !comparison.unequal.empty()) return "";
  const evaluate::ComparisonRow& row = *winners.back();
  const evaluate::Contender& winner = comparison.contenders[row.contender];
  if (winner.combining == Combining::in_network) return "";
  return sum_note(collective, network, row.size_B, row.result.time_s,
                  comparison.least_time_s(comparison.bounds, collective, network, row.size_B),
                  kRemedy);
}

std::string sum_note(const Collective& collective, const Network& network, std::int64_t size_B,
                     double time_s, double links_s, std::string_view remedy) {
  const double sums_s =
      least_sum_s(collective, network.host(), network.placement().most_on_a_host(), size_B);
  if (sums_s < kLeastShare * time_s) return "";
  return note_of(collective, network, size_B, sums_s, links_s, remedy);
}

std::string sum_note(const SimulationAnswer& answer) {
  const Schedule& schedule = answer.setup.verified.schedule();
  const Collective& collective = schedule.collective();
  const Network& network = answer.setup.network;
  const bool in_network = evaluate::combining_of(schedule) == Combining::in_network;
  if (answer.setup.counts || answer.neighbour || in_network) return "";
  const double sums_s =
      least_sum_s(collective, network.host(), network.placement().most_on_a_host(), answer.size_B);
  // Cuts take long: only those of calls whose sums matter are looked for.
  if (sums_s < kLeastShare * answer.result.time_s) return "";
  const auto cut = answer.cut();
  if (!cut) return "";
  const double links_s = evaluate::time_of_factor_s(cut->bandwidth_factor.to_double(), collective,
                                                    network, answer.size_B) /
                         answer.best_bandwidth();
  return note_of(collective, network, answer.size_B, sums_s, links_s);
}

}  // namespace weft::cli
