#include "weft/libraries/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/compare_rows.hpp"
#include "weft/libraries/binary_trees.hpp"
#include "weft/libraries/device_time.hpp"
#include "weft/libraries/nccl_facts.hpp"
#include "weft/libraries/part_schedules.hpp"
#include "weft/libraries/rccl/facts.hpp"

namespace weft::libraries {

namespace {

/// Whether the registry's schedule, with its symmetry, is all there is to the choice.
bool is_plain(const LibraryChoice& choice) {
  return choice.parts.size() == 1 && choice.segments == 1 &&
         choice.parts[0].level == LibraryLevel::all && choice.parts[0].segments == 1 &&
         choice.parts[0].algorithm != kBinaryTree && choice.parts[0].algorithm != kSplitBinaryTree;
}

std::string key_of(const LibraryChoice& choice) {
  std::string key = fmt::format("{} {}", choice.native, choice.segments);
  for (const LibraryPart& part : choice.parts)
    key += fmt::format("; {} {} {}", part.algorithm, static_cast<int>(part.level), part.segments);
  return key;
}

using Times = std::vector<std::optional<double>>;

/// Times of one schedule at several sizes, ascending; nothing where simulating takes too much work.
Times times_s(const schedule::Schedule& schedule, const Network& network,
              std::span<const std::int64_t> sizes_B, const simulation::SimulationOptions& options) {
  const std::array candidates{
      evaluate::given_candidate(schedule::verify_own(schedule, &network.topology()), network)};
  std::array<evaluate::Contender, 1> contenders;
  evaluate::Work work{.most = evaluate::kUsualWork};
  simulation::SimulationOptions limited = options;
  limited.most_work = std::min(limited.most_work, evaluate::kUsualWork);
  Times times;
  for (const evaluate::ComparisonRow& row :
       evaluate::simulate_rows(candidates, contenders, sizes_B, network, limited, nullptr, &work))
    times.push_back(row.is_bound ? std::nullopt : std::optional(row.result.time_s));
  if (work.out_of_time) throw OutOfTime();
  return times;
}

class Timer {
 public:
  Timer(const Collective& collective, const Network& network, const NodeRanks& nodes,
        const simulation::SimulationOptions& options)
      : collective_(collective), network_(network), nodes_(nodes), options_(options) {}

  /// Of a choice that several sizes share, ascending.
  Times times(const LibraryChoice& choice, std::span<const std::int64_t> sizes_B) const {
    if (choice.segments > kManySegments) return {in_many_segments(choice, sizes_B[0])};
    return times_s(schedule_for(choice), network_, sizes_B, options_);
  }

 private:
  static constexpr std::int64_t kManySegments = 16;

  schedule::Schedule schedule_for(const LibraryChoice& choice) const {
    if (!is_plain(choice)) return schedule_of(choice, collective_, nodes_);
    const LibraryPart& part = choice.parts[0];
    return algorithm::build_schedule(part.algorithm, collective_, &network_, part.options);
  }

  // Once the pipeline is full, each further segment takes as long as the one before.
  std::optional<double> in_many_segments(const LibraryChoice& choice, std::int64_t size_B) const {
    const std::int64_t segment_B = (size_B + choice.segments - 1) / choice.segments;
    const auto with = [&](std::int64_t segments) {
      LibraryChoice few = choice;
      few.segments = segments;
      const std::array sizes_B{segments * segment_B};
      return times_s(schedule_for(few), network_, sizes_B, options_)[0];
    };
    const auto all = with(kManySegments), half = with(kManySegments / 2);
    if (!all || !half) return std::nullopt;
    const double each = (*all - *half) / (static_cast<double>(kManySegments) / 2);
    const auto more_B = static_cast<double>(size_B - kManySegments * segment_B);
    return *all + each * more_B / static_cast<double>(segment_B);
  }

  const Collective& collective_;
  const Network& network_;
  const NodeRanks& nodes_;
  const simulation::SimulationOptions& options_;
};

struct Group {
  LibraryChoice choice;
  std::vector<std::int64_t> sizes_B;
  Times times_s = {};
};

void time_groups(std::map<std::string, Group>& groups, const Timer& timer) {
  for (auto& [key, group] : groups) {
    std::ranges::sort(group.sizes_B);
    group.sizes_B.erase(std::unique(group.sizes_B.begin(), group.sizes_B.end()),
                        group.sizes_B.end());
    group.times_s = timer.times(group.choice, group.sizes_B);
  }
}

// What a call takes to launch beyond the library's own constant, that of protocol LL.
double slow_launch_s(const LibraryRules& rules, const HostParameters& host) {
  const double counted_us = rules.name == "rccl" ? rccl_facts::kBase[0] : nccl_facts::kRing.base[0];
  return std::max(0.0, 1e-12 * static_cast<double>(host.launch_ps) - 1e-6 * counted_us);
}

LibraryRow row_of(const LibraryChoice& choice, std::int64_t size_B) {
  return {.size_B = size_B,
          .algorithm = choice.algorithm(),
          .native = choice.native,
          .stand_in = choice.has_stand_in()};
}

}  // namespace

LibraryCall library_call(const Collective& collective, const Network& network,
                         const LibraryRules& rules) {
  const NodeRanks nodes = node_ranks(network);
  LibraryCall call{.collective = collective.kind,
                   .ranks = collective.ranks,
                   .nodes = static_cast<std::int32_t>(nodes.size()),
                   .per_node = 0};
  std::size_t most = 0;
  for (const std::vector<Rank>& node : nodes) most = std::max(most, node.size());
  call.per_node = static_cast<std::int32_t>(most);
  call.equal_nodes = std::ranges::all_of(nodes, [&](const std::vector<Rank>& node) {
    return node.size() == most &&
           node.back().value() - node.front().value() + 1 == static_cast<std::int32_t>(most);
  });
  if (rules.of_gpus) call.gpus = gpu_boxes(network);
  return call;
}

LibraryBaseline library_baseline(const LibraryRules& rules, const Collective& collective,
                                 const Network& network, std::span<const std::int64_t> sizes_B,
                                 const simulation::SimulationOptions& options) {
  LibraryBaseline baseline{.name = std::string(rules.name),
                           .release = std::string(rules.release),
                           .rows = {},
                           .same_costs = !rules.of_gpus || network.host().launch_ps > 0};
  const NodeRanks nodes = node_ranks(network);
  LibraryCall call = library_call(collective, network, rules);
  DeviceTimer devices(collective, network, nodes, options);
  std::map<std::string, Group> groups;
  std::vector<std::string> keys;
  for (const std::int64_t size_B : sizes_B) {
    call.size_B = size_B;
    const LibraryChoice choice = choose(rules.name, call);
    baseline.rows.push_back(row_of(choice, size_B));
    keys.emplace_back();
    if (choice.device) {
      const DeviceTime time = devices.time(choice, call);
      baseline.rows.back().time_s = time.time_s + slow_launch_s(rules, network.host());
      baseline.rows.back().modelled = time.modelled;
    } else if (!choice.parts.empty()) {
      keys.back() = key_of(choice) + (choice.segments > 1 ? fmt::format(" {}", size_B) : "");
      groups.try_emplace(keys.back(), Group{choice, {}}).first->second.sizes_B.push_back(size_B);
    }
  }
  time_groups(groups, Timer(collective, network, nodes, options));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].empty()) continue;
    const Group& group = groups.at(keys[i]);
    const auto at = std::ranges::lower_bound(group.sizes_B, baseline.rows[i].size_B);
    baseline.rows[i].time_s = group.times_s[at - group.sizes_B.begin()];
  }
  return baseline;
}

}  // namespace weft::libraries
