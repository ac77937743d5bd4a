#include "cli/options/traffic_options.hpp"

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft::cli {

void add_traffic_options(CLI::App& app, Said& said, std::string& beside) {
  const OptionAdder add(app, "Other traffic (packet model)");
  CLI::Option* background = nullptr;
  for (const auto& [field, set] : question::background_members()) {
    CLI::Option* option = add.field(said, *field);
    background == nullptr ? background = option : option->needs(background);
  }
  background->default_str("");
  add("--beside", beside,
      "Run a second job of as many ranks on free hosts, by this algorithm, and time it too");
}

Network beside(const Network& first, std::uint64_t seed) {
  std::vector<NodeId> free = simulation::idle_hosts(first.topology(), {&first.placement().nodes});
  const auto ranks = static_cast<std::size_t>(first.ranks());
  require(free.size() >= ranks,
          "a second job of {} ranks needs as many free hosts (there are {}); use fewer ranks",
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
