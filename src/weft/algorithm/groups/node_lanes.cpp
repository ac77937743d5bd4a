// Node lanes: several ranks on each node, of which the k-th ranks of all nodes are a lane.
//
// With g ranks on each of G nodes: a reduce-scatter within the node, then each lane runs a schedule
// of the network of nodes on its share, then an allgather within; of other collectives likewise
// (levels.hpp). Lanes have the same nodes in the same order, so that one schedule does for all of
// them, and all lanes together load each link as that schedule does with one rank a node and all
// the data. So what knows the network, and needs a rank on each node for it, serves here, too: bfb,
// torus-ring, packing and the like.
//
// Within a node each rank sends to each other at once: it takes one step, and no link.
//
// Nodes of several numbers of ranks have as many lanes as the smallest has ranks. The ranks beyond
// these give their part to the lanes and get the result from them in the steps within the nodes,
// and what is sent by blocks takes a step more within the nodes (levels.cpp). Each lane carries an
// equal share of a whole buffer, so that links carry what they do with equal nodes.
//
// Which schedule the lanes run is another one for small sizes than for large ones: of those that
// fit, the variants are those that no other beats in steps, in T_B of one segment, in T_B of many,
// and, where hosts pay for each message, in what they pay one after the other.
// Source: Traff, Hunold, "Decomposing MPI Collectives for Exploiting Multi-lane Communication",
// CLUSTER 2020.
#include <algorithm>
#include <array>
#include <map>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/groups/levels.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/serial_startups.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

constexpr const char* kName = "node-lanes";

// Those that go by the network.
constexpr std::string_view kOfNodes[] = {
    "torus-ring", "swing", "multi-ring", "bfb", "do", "md", "do-md", "multitree", "packing", "flow",
};

constexpr auto kLaneChoices = [] {
  std::array<std::string_view, std::size(kLevelChoices) + std::size(kOfNodes)> names{};
  std::ranges::copy(kOfNodes, std::ranges::copy(kLevelChoices, names.begin()).out);
  return names;
}();

constexpr ChoiceOption kLane{{.name = "lane",
                              .what = "Algorithm of the lanes of node-lanes",
                              .type = Option::Type::choice,
                              .choices = kLaneChoices,
                              .otherwise = "the best on the network of nodes"}};

/// The ranks of each node, in the order of their first ranks: as many of each serve lanes as the
/// smallest node has. Nothing unless there are several nodes, and several ranks on one of them.
std::optional<LaneGroups> lanes_by_node(const Network& network) {
  std::map<NodeId, std::size_t> index;
  LocalGroups nodes;
  for (const Rank rank : ids<Rank>(network.ranks())) {
    const auto [entry, is_new] =
        index.try_emplace(network.placement().nodes[rank.index()], nodes.size());
    if (is_new) nodes.emplace_back();
    nodes[entry->second].push_back(rank);
  }
  if (nodes.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax_element(nodes, {}, &std::vector<Rank>::size);
  if (most->size() < 2) return std::nullopt;
  if (least->size() == most->size()) return LaneGroups{std::move(nodes)};
  LaneGroups lanes;
  for (const auto& node : nodes) {
    const auto end = node.begin() + std::ssize(*least);
    lanes.groups.emplace_back(node.begin(), end);
    lanes.beyond.emplace_back(end, node.end());
  }
  return lanes;
}

Network lane_of(const LocalGroups& groups, const Network& network) {
  WEFT_ASSERT(std::ranges::none_of(groups, [](const auto& group) { return group.empty(); }));
  Placement placement;
  for (const auto& group : groups)
    placement.nodes.push_back(network.placement().nodes[group.front().index()]);
  return network.with_placement(std::move(placement));
}

// A lane's part of the collective: where there are several, not that of a node.
Collective part_of_lane(const Collective& collective, const LaneGroups& lanes) {
  Collective part{.kind = collective.kind, .ranks = static_cast<std::int32_t>(lanes.groups.size())};
  for (const auto* lists : {&lanes.groups, &lanes.beyond})
    for (std::size_t q = 0; q < lists->size(); ++q)
      if (std::ranges::count((*lists)[q], collective.root) > 0)
        part.root = Rank(static_cast<std::int32_t>(q));
  return part;
}

/// Why the lanes cannot run the algorithm.
std::optional<std::string> misfit_of_lane(const Algorithm& algorithm, const Collective& part,
                                          const Network& lane) {
  return algorithm::misfit(algorithm, {.collective = part, .network = &lane});
}

// Messages that a rank has in its steps one after the other, at the busiest of each step; 0 where
// they cost nothing by themselves.
struct Startups {
  std::int64_t sent = 0, received = 0;
};

Startups startups_of(const Schedule& schedule, const HostParameters& host) {
  using enum schedule::MessageEnd;
  Startups startups;
  if (host.startup_per == StartupPer::step) return startups;
  const auto most = [&](schedule::MessageEnd end) {
    return schedule::serial_startups(schedule, end, host.startup_per).first;
  };
  if (host.send_ps() > 0) startups.sent = most(sender);
  if (host.receive_ps() > 0) startups.received = most(receiver);
  return startups;
}

struct LaneSchedule {
  std::string_view name;
  Schedule schedule;
  LevelPrice price;
  Startups startups = {};
  std::int64_t steps() const { return std::get<2>(price); }

  bool is_beaten_by(const LaneSchedule& other) const {
    return std::get<0>(other.price) <= std::get<0>(price) &&
           std::get<1>(other.price) <= std::get<1>(price) && other.steps() <= steps() &&
           other.startups.sent <= startups.sent && other.startups.received <= startups.received;
  }
};

/// Of the algorithm asked for, or of all that fit and take no long time; those of paths of their
/// own are left out, which are not those of a rank that shares its node.
std::vector<LaneSchedule> lane_schedules(const Context& context, const LaneGroups& lanes) {
  const Network lane = lane_of(lanes.groups, *context.network);
  const Collective part = part_of_lane(context.collective, lanes);
  const auto asked = kLane.given(context.options);
  std::vector<LaneSchedule> found;
  for (const std::string_view name : kLaneChoices) {
    if (asked && *asked != name) continue;
    const Algorithm& algorithm = find_algorithm(name);
    const Context own{.collective = part, .network = &lane};
    if (!algorithm.supports(part.kind) || misfit_of_lane(algorithm, part, lane)) continue;
    if (!asked && !is_taken_with_all(algorithm, own)) continue;
    const Schedule made = build_schedule(name, part, &lane);
    if (made.route_count() > 0 || made.helpers() > 0) continue;
    Schedule schedule = schedule::expand_symmetry(made);
    LevelPrice price = level_price(schedule.with_segments({}), lane);
    const Startups startups = startups_of(schedule, lane.host());
    found.push_back({name, std::move(schedule), std::move(price), startups});
  }
  return found;
}

/// Those that none before beats, and none after in all.
std::vector<LaneSchedule> unbeaten(std::vector<LaneSchedule> all) {
  std::vector<LaneSchedule> kept;
  for (LaneSchedule& each : all) {
    if (std::ranges::any_of(kept,
                            [&](const LaneSchedule& other) { return each.is_beaten_by(other); }))
      continue;
    std::erase_if(kept, [&](const LaneSchedule& other) { return other.is_beaten_by(each); });
    kept.push_back(std::move(each));
  }
  return kept;
}

/// Each to each at once, or the root to each, or each to the root.
Schedule within_nodes(const Collective& part) {
  const bool gathers = part.kind == CollectiveKind::gather;
  if (!gathers && part.kind != CollectiveKind::scatter)
    return schedule::expand_symmetry(build_schedule("spread", part));
  ScheduleBuilder builder(schedule::scatter(part.ranks, part.root));
  for (const Rank rank : ids<Rank>(part.ranks))
    if (rank != part.root) builder.at(0).send(part.root, rank, builder.block(rank.value()));
  const Schedule scattered = std::move(builder).build();
  return gathers ? schedule::transpose(scattered) : scattered;
}

/// Nothing where blocks would be cut into too many units.
std::optional<Schedule> along_lanes(const Context& context, const LaneGroups& lanes,
                                    const LaneSchedule& lane) {
  const auto part_of = [&](const Collective& part, Side side) -> std::optional<Schedule> {
    return side == Side::within ? within_nodes(part) : lane.schedule;
  };
  const auto schedule =
      schedule_of_parts(context.collective, lanes, segments_in(context.options), part_of);
  if (!schedule) return std::nullopt;
  AlgorithmOptions options = context.options;
  options.values["lane"] = std::string(lane.name);
  return schedule->with_algorithm(name_with(find_algorithm(kName), options));
}

[[noreturn]] void reject_all(bool has_lanes) {
  if (has_lanes) reject("no algorithm for a lane of {} cuts blocks into so few units", kName);
  reject(
      "lanes of {} need schedules without explicit paths and without helpers; choose "
      "another --lane",
      kName);
}

std::vector<Schedule> variants(const Context& context) {
  const LaneGroups lanes = *lanes_by_node(*context.network);
  const std::vector<LaneSchedule> choices = unbeaten(lane_schedules(context, lanes));
  std::vector<Schedule> schedules;
  for (const LaneSchedule& lane : choices)
    if (auto schedule = along_lanes(context, lanes, lane))
      schedules.push_back(*std::move(schedule));
  if (schedules.empty()) reject_all(!choices.empty());
  return schedules;
}

Schedule build(const Context& context) {
  const LaneGroups lanes = *lanes_by_node(*context.network);
  std::vector<LaneSchedule> choices = lane_schedules(context, lanes);
  std::ranges::stable_sort(choices, {}, &LaneSchedule::price);
  for (const LaneSchedule& lane : choices)
    if (auto schedule = along_lanes(context, lanes, lane)) return *std::move(schedule);
  reject_all(!choices.empty());
}

std::optional<std::string> misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a network";
  const auto lanes = lanes_by_node(*context.network);
  if (!lanes)
    return "it needs several nodes and several ranks on one of them; place them with --placement "
           "file:PATH or --per-host";
  const auto asked = kLane.given(context.options);
  if (!asked) return std::nullopt;
  const Collective part = part_of_lane(context.collective, *lanes);
  const Algorithm& algorithm = find_algorithm(*asked);
  if (!algorithm.supports(part.kind))
    return fmt::format("lane {} does not support {}", *asked, schedule::name_of(part.kind));
  if (const auto why = misfit_of_lane(algorithm, part, lane_of(lanes->groups, *context.network)))
    return fmt::format("lane {} does not fit: {}", *asked, *why);
  return std::nullopt;
}

}  // namespace

Algorithm node_lanes_entry() {
  return {
      .name = kName,
      .aliases = {"multi-lane"},
      .summary =
          "Inside nodes of several ranks, then the k-th ranks of all nodes run a schedule of the "
          "network; pipelined",
      .source =
          "Traff, Hunold, Decomposing MPI Collectives for Exploiting Multi-lane Communication, "
          "2020",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce, CollectiveKind::alltoall,
                      CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::scatter,
                      CollectiveKind::gather},
      .options = {kSegments, kLane},
      .misfit = misfit,
      .build = build,
      .build_variants = variants,
  };
}

}  // namespace weft::algorithm
