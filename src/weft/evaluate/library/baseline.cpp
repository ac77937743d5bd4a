#include "weft/evaluate/library/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/compare_rows.hpp"
#include "weft/evaluate/library/binary_trees.hpp"
#include "weft/evaluate/library/device_time.hpp"
#include "weft/evaluate/library/nccl_facts.hpp"
#include "weft/evaluate/library/part_schedules.hpp"

namespace weft::evaluate {

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

// What a call takes to launch beyond the constants of NCCL and RCCL.
double slow_launch_s(const HostParameters& host) {
  constexpr double kCounted_s = 1e-6 * nccl_facts::kRing.base[0];
  return std::max(0.0, 1e-12 * static_cast<double>(host.launch_ps) - kCounted_s);
}

LibraryRow row_of(const LibraryChoice& choice, std::int64_t size_B) {
  return {.size_B = size_B,
          .algorithm = choice.algorithm(),
          .native = choice.native,
          .stand_in = choice.has_stand_in()};
}

// "han" of "han: node ...": which parts it has is told by JSON.
std::string_view short_name(const LibraryRow& row) {
  return std::string_view(row.native).substr(0, row.native.find(':'));
}

/// Places of rows, by size.
std::vector<std::size_t> by_size(const LibraryBaseline& baseline) {
  std::vector<std::size_t> order(baseline.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return baseline.rows[i].size_B; });
  return order;
}

// "ring up to 4KiB, binomial above".
std::string ranges_of(const LibraryBaseline& baseline, std::span<const std::size_t> order) {
  constexpr std::size_t kMostRanges = 4;
  std::string text;
  std::size_t ranges = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const LibraryRow& row = baseline.rows[order[i]];
    const bool is_last = i + 1 == order.size();
    if (!is_last && short_name(baseline.rows[order[i + 1]]) == short_name(row)) continue;
    if (++ranges > kMostRanges) continue;
    text += fmt::format("{}{}", ranges == 1 ? "" : ", ", short_name(row));
    text += !is_last      ? " up to " + format_size(row.size_B)
            : ranges == 1 ? " at every size"
                          : " above";
  }
  if (ranges > kMostRanges)
    text += fmt::format(" and {} more (--json has all)", ranges - kMostRanges);
  return text;
}

/// The library's time over the best one; 0 where one is not known.
double gain_of(const LibraryRow& row, double best_s) {
  return row.time_s && best_s > 0 ? *row.time_s / best_s : 0;
}

// At the smallest size, the largest, and where most is gained: "; the best here is 1.3 times as
// fast at 8B, 2.4 times at 1MiB; nccl is 1.1 times as fast at 1GiB".
std::string gains_of(const LibraryBaseline& baseline, std::span<const std::size_t> order,
                     std::span<const double> best_s) {
  constexpr double kEqual = 1.05;  // 1.0 times, as it is printed
  const auto gain = [&](std::size_t i) { return gain_of(baseline.rows[i], best_s[i]); };
  std::vector<std::size_t> shown{order.front(), *std::ranges::max_element(order, {}, gain),
                                 order.back()};
  const auto size_of = [&](std::size_t i) { return baseline.rows[i].size_B; };
  std::ranges::stable_sort(shown, {}, size_of);
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  std::string best, library;
  for (const std::size_t i : shown) {
    if (gain(i) == 0 || (gain(i) < kEqual && gain(i) > 1 / kEqual)) continue;
    const bool is_best = gain(i) > 1;
    std::string& text = is_best ? best : library;
    text += fmt::format("{}{:.1f} times{} at {}", text.empty() ? "" : ", ",
                        is_best ? gain(i) : 1 / gain(i), text.empty() ? " as fast" : "",
                        format_size(size_of(i)));
  }
  return (best.empty() ? "" : "; the best here is " + best) +
         (library.empty() ? "" : fmt::format("; {} is {}", baseline.name, library));
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
  LibraryBaseline baseline{std::string(rules.name), std::string(rules.release), {}};
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
      baseline.rows.back().time_s = time.time_s + slow_launch_s(network.host());
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

std::string lesson_of(const LibraryBaseline& baseline, std::span<const double> best_s) {
  const std::vector<std::size_t> order = by_size(baseline);
  if (order.empty()) return "";
  return baseline.name + " would run " + ranges_of(baseline, order) +
         gains_of(baseline, order, best_s);
}

}  // namespace weft::evaluate
