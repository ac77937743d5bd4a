// What weft simulate is asked, and what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/answers/time_series.hpp"
#include "cli/options/counts_option.hpp"
#include "cli/options/options.hpp"
#include "cli/options/packet_options.hpp"
#include "cli/options/traffic_options.hpp"
#include "cli/simulate/seed_spread.hpp"
#include "weft/advise/routing_advice.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/unequal_bound.hpp"
#include "weft/format/format.hpp"

namespace weft::cli {

/// What weft simulate is asked.
struct SimulationQuestion {
  GivenFields said;  // its collective may be a schedule file
  std::string algorithm;
  std::string library;   // whose name of it that is; empty: ours
  std::string beside;    // algorithm of a second job; empty: none
  std::string together;  // file of calls that run at once; empty: none
  SeriesChoice series;
  std::string size = "1MiB";
  CountsOption counts;
  std::string links;  // all or top:N
  bool ranks = false;
  std::int64_t seeds = 1;  // of the routing, from --seed on
  /// What a file of another system holds, once it was read.
  std::shared_ptr<std::optional<format::ReadCollective>> foreign =
      std::make_shared<std::optional<format::ReadCollective>>();
  OutputOptions common;
};

/// A proved schedule and the network that it runs on.
struct SimulationCase {
  Verified verified;
  Network network;
  std::int64_t size_B = 0;
  std::optional<advise::Counts> counts = {};  // of unequal blocks

  /// To simulate any schedule of the collective at this size.
  Program program_of(const Verified& schedule,
                     std::shared_ptr<const program::CopyPlan> copies) const {
    return lower(schedule,
                 {.size_B = size_B, .copies = std::move(copies), .blocks = blocks_of(counts)});
  }
};

/// A second job on the same network, and how long it takes without the first.
struct Neighbour {
  simulation::SimulationResult result;
  double time_alone_s;
  double first_time_alone_s;  // of the first without this one
};

struct SimulationAnswer {
  const SimulationQuestion& options;
  const SimulationCase& setup;
  std::int64_t size_B;
  BlockLayout layout;
  const simulation::SimulationResult& result;
  const std::vector<LinkId>& links;
  const PacketOptions& packet;
  const std::optional<Neighbour>& neighbour;
  const std::optional<advise::RoutingAdvice>& advice;
  const std::vector<NodeId>& forwarding_hosts;  // without ranks
  const std::optional<SeedSpread>& spread;      // of several seeds

  /// Whether packets find their own way, not that of the network's routing.
  bool finds_own_ways() const {
    return !packet.routing.empty() && packet.routing != setup.network.routing().name();
  }
  /// Of unequal blocks: what they take at least.
  std::optional<evaluate::UnequalBound> unequal_bound() const {
    if (!setup.counts) return std::nullopt;
    const Collective& collective = setup.verified.schedule().collective();
    auto bound = evaluate::unequal_bound(collective, setup.network,
                                         *setup.counts->blocks->at(collective, size_B));
    bound.time_s /= best_bandwidth();
    return bound;
  }
  /// The highest factor of bandwidth by message size, at which bounds count.
  double best_bandwidth() const;
  /// What crosses a cut of the network takes at least.
  std::optional<analysis::CutBound> cut() const {
    const Schedule& schedule = setup.verified.schedule();
    return evaluate::cut_bound(schedule.collective(), setup.network,
                               evaluate::combining_of(schedule));
  }
};

/// What links carried, and when ranks were done.
Table link_table(const Network& network, const simulation::SimulationResult& result,
                 const std::vector<LinkId>& links);
/// A link of a result, and what it carried.
struct LoadedLink {
  const Network& network;
  const simulation::SimulationResult& result;
  LinkId link;

  std::string class_name() const;
};
std::vector<LoadedLink> loaded_links(const Network& network,
                                     const simulation::SimulationResult& result,
                                     const std::vector<LinkId>& links);
answer::Parts<LoadedLink> loaded_link_parts();
/// The same, and the most that was in buffers, which packets alone have.
answer::Parts<LoadedLink> buffered_link_parts();
Table rank_table(const Network& network, const simulation::SimulationResult& result,
                 std::int32_t ranks);

/// Notes on the paths of messages: a faster routing, and which paths packets draw.
void add_routing_notes(const SimulationAnswer& a, Notes& notes);
/// Which paths packets draw where other models split; empty for the other models.
std::string drawn(const SimulationAnswer& a);
answer::Parts<SimulationAnswer> simulation_parts();
void print_text(const SimulationAnswer& a, Streams& streams);

}  // namespace weft::cli
