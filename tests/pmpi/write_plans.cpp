// Plans of all that the algorithms make for a number of ranks: those that need no network with
// several options and roots, and all that fit on each of many small networks.
//
//   write_plans RANKS FOLDER
//
// writes FOLDER/RANKS-K.plan, K = 0, 1, ... In each, up to kTogether schedules of a collective and
// root take turns in ranges of sizes from 1 byte on, so that every one runs at small, middle and
// large sizes. Schedules in which every rank does what it does in another are left out. Prints a
// line for each plan: the file, its schedules.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "support/every_schedule.hpp"
#include "support/network_on.hpp"
#include "support/small_networks.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/plan/plan.hpp"
#include "weft/topology/several_ranks.hpp"

namespace weft::test {
namespace {

constexpr std::size_t kTogether = 8;
constexpr std::int32_t kMostNodes = 72;
// Whole buffers, and blocks, which each rank has one or more of for each rank.
constexpr std::int64_t kMostWhole_B = 256 << 10, kMostBlock_B = 16 << 10;

std::vector<std::string> networks_of(std::int32_t ranks) {
  std::vector<std::string> all = small_networks(kMostNodes);
  const std::vector<std::string> others = damaged_or_switched(all, kMostNodes);
  all.insert(all.end(), others.begin(), others.end());
  all.insert(all.begin(), {fmt::format("ring:{}", ranks), fmt::format("uniring:{}", ranks),
                           fmt::format("complete:{}", ranks)});
  if (ranks >= 4 && ranks % 2 == 0) all.push_back(fmt::format("hosts(2, complete:{})", ranks / 2));
  std::erase_if(all, [&](const std::string& expression) {
    return std::ssize(make_topology(expression).hosts()) != ranks;
  });
  return all;
}

class Schedules {
 public:
  explicit Schedules(std::int32_t ranks) : ranks_(ranks) {}

  void add_all() {
    for (const algorithm::Algorithm& each : algorithm::algorithms())
      for (const NamedSchedule& named : schedules_of(each, ranks_))
        add(named.schedule, nullptr, "");
    for (const std::string& expression : networks_of(ranks_)) add_of(on(expression), expression);
    for (const std::int32_t each : {2, 3, 4})
      if (ranks_ % each == 0 && ranks_ > each) add_with(each);
  }

  // By collective and root.
  std::map<std::tuple<CollectiveKind, std::int32_t>, std::vector<plan::PlannedSchedule>> found;

 private:
  // So many ranks on each node.
  void add_with(std::int32_t each) {
    for (const std::string& expression : networks_of(ranks_ / each)) {
      const Network one = on(expression);
      add_of(one.with_placement(topology::several_on_each(one.placement(), each)),
             fmt::format("{} ranks on each node of {}", each, expression));
    }
  }

  void add_of(const Network& network, const std::string& expression) {
    for (const algorithm::Algorithm& each : algorithm::algorithms())
      for (const CollectiveKind kind : each.collectives) {
        const Collective collective{kind, ranks_};
        const algorithm::Context context{collective, &network, {}};
        if (kind == CollectiveKind::point_to_point || algorithm::misfit(each, context) ||
            algorithm::ranks_apart(collective, network) ||
            (each.too_long != nullptr && each.too_long(context)))
          continue;
        add(build_schedule(each.name, collective, &network), &network.topology(), expression);
      }
  }

  void add(const schedule::Schedule& schedule, const Topology* topology,
           const std::string& expression) {
    if (schedule.collective().kind == CollectiveKind::point_to_point ||
        !plan::unplannable(schedule).empty())
      return;
    plan::PlannedSchedule planned = plan::planned(schedule::verify_own(schedule, topology));
    auto& others = found[{planned.collective.kind,
                          planned.collective.rooted() ? planned.collective.root.value() : 0}];
    const auto is_same = [&](const plan::PlannedSchedule& other) {
      return other.segments == planned.segments && other.programs == planned.programs;
    };
    if (std::ranges::any_of(others, is_same)) return;
    // A name of its own, which statistics count it under.
    planned.algorithm = fmt::format(
        "{} {}.{} {}{}", name_of(planned.collective.kind),
        planned.collective.rooted() ? planned.collective.root.value() : 0, others.size(),
        planned.algorithm, expression.empty() ? "" : " on " + expression);
    others.push_back(std::move(planned));
  }

  std::int32_t ranks_;
};

// Schedules [first, first + kTogether) of all collectives.
plan::Plan plan_of(const Schedules& schedules, std::int32_t ranks, std::size_t first) {
  plan::Plan plan;
  plan.facts = {{"topology", "those of the schedules' names"}};
  plan.ranks = ranks;
  plan.allows_different_bits = true;  // data are small whole numbers
  for (const auto& [key, all] : schedules.found) {
    if (first >= all.size()) continue;
    const auto& [kind, root] = key;
    const std::size_t count = std::min(kTogether, all.size() - first),
                      before = plan.schedules.size();
    plan.schedules.insert(plan.schedules.end(), all.begin() + static_cast<std::ptrdiff_t>(first),
                          all.begin() + static_cast<std::ptrdiff_t>(first + count));
    const Collective collective{kind, ranks, schedule::Rank(root)};
    const bool is_whole = kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce ||
                          kind == CollectiveKind::allreduce ||
                          kind == CollectiveKind::reduce_scatter;
    const std::int64_t most_B = is_whole ? kMostWhole_B : kMostBlock_B;
    std::size_t turn = 0;
    for (std::int64_t first_B = 1; first_B < most_B; ++turn) {
      const std::int64_t last_B = first_B + first_B / 3;
      plan::PlannedRange range;
      range.kind = kind;
      if (collective.rooted()) range.root = collective.root;
      range.first_B = first_B;
      range.last_B = last_B;
      range.schedule = before + turn % count;
      range.timed_B = first_B;
      plan.ranges.push_back(range);
      first_B = last_B + 1;
    }
  }
  return plan;
}

int run(std::int32_t ranks, const std::string& folder) {
  Schedules schedules(ranks);
  schedules.add_all();
  for (std::size_t k = 0;; ++k) {
    const plan::Plan plan = plan_of(schedules, ranks, k * kTogether);
    if (plan.schedules.empty()) return 0;
    const std::string path = fmt::format("{}/{}-{}.plan", folder, ranks, k);
    write_file(path, plan::encode(plan));
    fmt::print("{} {}\n", path, plan.schedules.size());
  }
}

}  // namespace
}  // namespace weft::test

int main(int argc, char** argv) {
  std::int32_t ranks = 0;
  if (argc == 3) std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), ranks);
  if (ranks < 2) {
    fmt::print(stderr, "write_plans RANKS FOLDER, RANKS at least 2\n");
    return 2;
  }
  return weft::test::run(ranks, argv[2]);
}
