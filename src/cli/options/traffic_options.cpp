#include "cli/options/traffic_options.hpp"

#include <optional>

#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::cli {

void add_traffic_options(Command command, GivenFields& said, std::string& beside) {
  const OptionAdder add(command, headings::kTraffic);
  std::optional<Option> background;
  for (const auto& [field, set] : fields::background_members()) {
    const Option option = add.field(said, *field);
    if (background)
      option.needs(*background);
    else
      background = option;
  }
  background->default_text("");
  add("--beside", beside,
      "Algorithm of a second job of equal size on the free hosts; both jobs run at the same time, "
      "and both are timed [none]");
}

Network beside(const Network& first, std::uint64_t seed) {
  std::vector<NodeId> free = simulation::idle_hosts(first.topology(), {&first.placement().nodes});
  const auto ranks = static_cast<std::size_t>(first.ranks());
  require(free.size() >= ranks,
          "a second job of {} ranks needs as many free hosts, but there are {}; use fewer ranks",
          ranks, free.size());
  Rng(seed).split(2).shuffle(free);
  free.resize(ranks);
  return Network(first.fabric(), {std::move(free)}, first.host(),
                 make_routing(first.routing().name(), first.fabric(), seed));
}

answer::Parts<UsedBackground> background_parts() {
  using answer::Unit;
  constexpr answer::PartOf<UsedBackground> part;
  const auto in = [](auto member) {
    return [member](const UsedBackground& used) { return used.statistics.*member; };
  };
  const auto latency = [](auto member) {
    return [member](const UsedBackground& used) { return used.statistics.packet_latency.*member; };
  };
  using simulation::LatencySummary;
  using simulation::TrafficStatistics;
  return {part("traffic", "", Unit::none, "value of --background",
               [](const UsedBackground& used) { return used.said.text("background"); }),
          part("messages", "", Unit::none, "messages received", in(&TrafficStatistics::messages)),
          part(keys::kPackets, in(&TrafficStatistics::packets)),
          part("bytes", "", Unit::bytes, "bytes received", in(&TrafficStatistics::bytes)),
          part(keys::kMeanLatency, latency(&LatencySummary::mean_s)),
          part(keys::kP99Latency, latency(&LatencySummary::p99_s)),
          part(keys::kMaxLatency, latency(&LatencySummary::max_s))};
}

}  // namespace weft::cli
