#include "weft/calibrate/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/calibrate/collective_fit.hpp"
#include "weft/calibrate/link_fit.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::calibrate {

namespace {

WayTable way_table(const PlacedTable& placed, const Network& network) {
  WayTable made{&placed.table, ways_of(placed.table, placed.nodes, network), {}};
  for (const MeasuredRow& row : placed.table.rows)
    made.times.push_back({static_cast<double>(row.size_B), row.time_s});
  return made;
}

// A collective read as what it is on a ring: `steps` messages of m bytes one after the other.
struct RingReading {
  double steps = 0, messages_of_size = 0;  // size / messages_of_size = m
};
std::optional<RingReading> ring_reading(const MeasuredTable& table, std::size_t ranks) {
  if (!table.collective || ranks < 2) return std::nullopt;
  const auto n = static_cast<double>(ranks);
  const schedule::CollectiveTraits& traits = schedule::traits_of(*table.collective);
  // An allgather, and sums that end in parts or at all.
  const bool is_half = traits.is_among_all() && traits.splits() && !traits.by_pair();
  if (!is_half && !traits.reduces_to_all()) return std::nullopt;
  return RingReading{(traits.reduces_to_all() ? 2 : 1) * (n - 1), traits.reduces() ? n : 1};
}

// "a ring", or "8 rings, as NCCL makes one for each network card,".
std::string rings_text(const PlacedTable& placed) {
  if (const std::int32_t groups = placed.table.group_count(); groups > 1)
    return fmt::format("{} rings at once, one for each group,", groups);
  const std::int32_t rings = rings_of(placed.table, placed.nodes);
  if (rings == 1) return "a ring";
  return fmt::format("{} rings (NCCL makes one for each network card)", rings);
}

// Of one message, by the network's own latencies.
double own_latency_s(const Ways& ways, const Network& network) {
  WEFT_ASSERT(std::ssize(ways.hops) == network.topology().class_names().size());
  const Topology& topology = network.topology();
  std::vector<double> own_s(ways.hops.size(), 0);
  for (const LinkId link : topology.links())
    own_s[topology.link_class(link).index()] =
        static_cast<double>(network.fabric().latency_ps(link)) * 1e-12;
  double sum_s = 0;
  for (std::size_t c = 0; c < own_s.size(); ++c) sum_s += ways.hops[c] * own_s[c];
  return sum_s;
}

// Streams alone tell bandwidth and how fast messages follow each other. A message of their network
// then takes the network's own latency first; `tables` are those of such messages.
std::vector<WayTable> with_own_latencies(std::vector<WayTable> ways, const Network& network,
                                         std::deque<MeasuredTable>& tables) {
  const bool streams_alone =
      std::ranges::all_of(ways, [](const WayTable& each) { return each.table->stream(); });
  if (!streams_alone) return ways;
  const std::size_t streams = ways.size();
  for (std::size_t i = 0; i < streams; ++i) {
    WayTable made = ways[i];
    made.table = &tables.emplace_back(*ways[i].table);
    tables.back().window = 0;
    const double own_s = own_latency_s(made.ways, network);
    for (SizedTime& time : made.times) time.time_s += own_s;
    ways.push_back(std::move(made));
  }
  return ways;
}

void remark_shared_hosts(std::span<const PlacedTable> tables, Calibration& calibration) {
  for (const PlacedTable& placed : tables) {
    std::vector<NodeId> nodes = placed.nodes;
    std::ranges::sort(nodes);
    if (placed.table.work != MemoryWork::none || std::ranges::adjacent_find(nodes) == nodes.end())
      continue;
    calibration.remarks.push_back(fmt::format(
        "{}: several of its ranks share a host; their messages to each other cross no link "
        "and are assumed to overlap with others",
        placed.table.path));
  }
}

void add_errors(FittedTable& table) {
  WEFT_ASSERT(table.model_s.size() == table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double error = std::abs(table.model_s[i] / table.rows[i].time_s - 1);
    table.mean_error += error / static_cast<double>(table.rows.size());
    table.max_error = std::max(table.max_error, error);
  }
}

FittedTable fitted_table(const PlacedTable& placed, const WayTable& way, const LinkFit& fit,
                         const RingReading& reading) {
  WEFT_ASSERT(way.times.size() == placed.table.rows.size());
  FittedTable made{.path = placed.table.path,
                   .benchmark = placed.table.benchmark,
                   .ranks = static_cast<std::int32_t>(placed.nodes.size()),
                   .rows = placed.table.rows,
                   .model_s = {}};
  for (const SizedTime& time : way.times)
    made.model_s.push_back(reading.steps * fit.model_s(way, time.size_B));
  return made;
}

// The rate R of least squared relative errors of size / R: with rates q of the sizes, sum of
// (1 - q / R)^2.
void fit_memory(std::span<const PlacedTable> tables, Calibration& calibration) {
  for (const PlacedTable& placed : tables) {
    const MeasuredTable& table = placed.table;
    if (table.work == MemoryWork::none) continue;
    double sum_Bps = 0, squares = 0;
    for (const MeasuredRow& row : table.rows) {
      const double rate_Bps = static_cast<double>(row.size_B) / row.time_s;
      sum_Bps += rate_Bps;
      squares += rate_Bps * rate_Bps;
    }
    auto& found = table.work == MemoryWork::copy ? calibration.copy_Bps : calibration.reduce_Bps;
    found = Fitted{squares / sum_Bps};
    FittedTable made{.path = table.path,
                     .benchmark = table.benchmark,
                     .ranks = static_cast<std::int32_t>(placed.nodes.size()),
                     .rows = table.rows,
                     .model_s = {}};
    for (const MeasuredRow& row : table.rows)
      made.model_s.push_back(static_cast<double>(row.size_B) / found->value);
    calibration.tables.push_back(std::move(made));
  }
}

}  // namespace

Calibration calibrate(std::span<const PlacedTable> tables, const Network& network) {
  const bool by_messages = std::ranges::any_of(tables, [](const PlacedTable& placed) {
    return !placed.table.collective && !placed.table.stream() &&
           placed.table.work == MemoryWork::none;
  });
  std::vector<WayTable> ways;
  std::vector<std::pair<const PlacedTable*, RingReading>> read;
  std::vector<PlacedTable> collectives;
  std::vector<std::string> left_out;  // remarks
  for (const PlacedTable& placed : tables) {
    if (placed.table.work != MemoryWork::none) continue;
    if (!placed.table.collective) {
      ways.push_back(way_table(placed, network));
      read.emplace_back(&placed, RingReading{1, 1});
      continue;
    }
    const std::int32_t groups = placed.table.group_count();
    const auto ring =
        ring_reading(placed.table, placed.nodes.size() / static_cast<std::size_t>(groups));
    if (groups > 1 && (by_messages || !ring)) {
      left_out.push_back(fmt::format(
          "{}: left out, because its {} groups at once measure links and other tables do so "
          "directly",
          placed.table.path, groups));
      continue;
    }
    if (by_messages || !ring) {
      collectives.push_back(placed);
      continue;
    }
    ways.push_back(way_table(placed, network));
    for (SizedTime& time : ways.back().times)
      time = {time.size_B / ring->messages_of_size, time.time_s / ring->steps};
    read.emplace_back(&placed, *ring);
  }
  require(!ways.empty(),
          "no table measures links alone; add a ping-pong (osu_latency, IMB PingPong), or an "
          "allreduce, allgather or reduce-scatter, which is then assumed to be a ring");
  WEFT_ASSERT(read.size() == ways.size());
  std::deque<MeasuredTable> assumed;
  const LinkFit fit(with_own_latencies(ways, network, assumed), network);
  Calibration result = fit.result();
  result.remarks.insert(result.remarks.end(), left_out.begin(), left_out.end());
  remark_shared_hosts(tables, result);
  if (!assumed.empty())
    result.remarks.emplace_back(
        "no table has times of single messages; latencies are those of the network (--link), "
        "bandwidth and start-up are measured; add osu_latency or IMB PingPong to measure "
        "latencies");
  double first_B = std::numeric_limits<double>::infinity(), last_B = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    result.tables.push_back(fitted_table(*read[i].first, ways[i], fit, read[i].second));
    if (read[i].first->table.collective)
      result.remarks.push_back(
          fmt::format("{}: taken for {} of {} ranks (no table has times of single messages)",
                      ways[i].table->path, rings_text(*read[i].first),
                      std::ssize(read[i].first->nodes) / read[i].first->table.group_count()));
    for (const SizedTime& time : ways[i].times) {
      first_B = std::min(first_B, time.size_B);
      last_B = std::max(last_B, time.size_B);
    }
  }
  result.first_B = static_cast<std::int64_t>(std::ceil(first_B));
  result.last_B = std::max(result.first_B, static_cast<std::int64_t>(last_B));
  fit_memory(tables, result);
  fit_collectives(collectives, network, result);
  std::ranges::for_each(result.tables, add_errors);
  return result;
}

}  // namespace weft::calibrate
