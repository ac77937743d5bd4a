#include "cli/options/traffic_options.hpp"

#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::cli {

void add_traffic_options(Command command, Said& said, std::string& beside) {
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

Json json_of_background(const Said& said, const simulation::TrafficStatistics& background) {
  return {{"traffic", said.text("background")},
          {"messages", background.messages},
          {"packets", background.packets},
          {"bytes", background.bytes},
          {"mean_latency", background.packet_latency.mean_s},
          {"p99_latency", background.packet_latency.p99_s},
          {"max_latency", background.packet_latency.max_s}};
}

}  // namespace weft::cli
