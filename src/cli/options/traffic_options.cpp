#include "cli/options/traffic_options.hpp"

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/base/units.hpp"
#include "weft/question/field.hpp"

namespace weft::cli {

void add_traffic_options(CLI::App& app, TrafficChoice& choice) {
  const OptionAdder add(app, "Other traffic (packet model)");
  CLI::Option* background =
      add("--background", choice.background, std::string(question::find_field("background")->help));
  for (const char* name : {"background-size", "background-interval"})
    add.field(choice.said, *question::find_field(name))->needs(background);
  add("--background-payload", choice.payload,
      "At most so many bytes from each host [until the job is done]")
      ->needs(background);
  add("--beside", choice.beside,
      "Run a second job of as many ranks on free hosts, by this algorithm, and time it too");
}

simulation::BackgroundOptions make_background(const TrafficChoice& choice) {
  simulation::BackgroundOptions options;
  options.traffic = choice.background;
  options.message_B = parse_size(text_of(choice.said, "background-size"));
  options.interval_ps = parse_time(text_of(choice.said, "background-interval"));
  if (!choice.payload.empty()) {
    options.payload_B = parse_size(choice.payload);
    require(options.payload_B > 0, "a background payload of 0 bytes is no traffic; give 1 or more");
  }
  return options;
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

Json json_of(const TrafficChoice& choice, const simulation::TrafficStatistics& background) {
  return {{"traffic", choice.background},
          {"messages", background.messages},
          {"packets", background.packets},
          {"bytes", background.bytes},
          {"mean_latency", background.packet_latency.mean_s},
          {"p99_latency", background.packet_latency.p99_s},
          {"max_latency", background.packet_latency.max_s}};
}

}  // namespace weft::cli
