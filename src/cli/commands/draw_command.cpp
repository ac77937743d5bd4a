// weft draw: a picture of a network, of what a schedule puts on its links, or of the messages that
// cross a Dragonfly's global links.
#include <algorithm>
#include <memory>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/report/chord.hpp"
#include "weft/report/network_picture.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

struct DrawCommand {
  std::string schedule, layout = "auto", output;
  int size = 1000;
  GivenFields said;
  OutputOptions common;
};

struct Drawn {
  std::string svg;
  std::string said;                     // of the picture, for people
  std::vector<answer::Member> members;  // of the answer
};

// The loads of a schedule's links, as time: load / bandwidth.
report::PictureLoads loads_of(const Verified& verified, const Network& network) {
  const Schedule& schedule = verified.schedule();
  const Cost cost = schedule::cost(verified, network);
  report::PictureLoads loads{
      .of_link = {},
      .title = fmt::format("{} by {}", name_of(schedule.collective().kind),
                           schedule.algorithm().empty() ? "a schedule" : schedule.algorithm()),
      .busiest = {}};
  const std::int64_t unit = network.fabric().node_egress_Bps();
  Rational most = 0, data = 0;
  for (const LinkId link : network.topology().links()) {
    const Rational& load = cost.link_loads[link.index()];
    loads.of_link.push_back(load * Rational(unit, network.fabric().bandwidth_Bps(link)));
    if (loads.of_link.back() > most) most = loads.of_link.back(), data = load;
  }
  loads.busiest = show(data) + " M";
  return loads;
}

/// What weft draw answers of the messages that cross a Dragonfly's global links.
struct DrawnChords {
  const DrawCommand& options;
  UsedNetwork network;
  const report::ChordDrawing& drawing;
};
/// What it answers of a network, and of the loads of a schedule.
struct DrawnNetwork {
  const DrawCommand& options;
  const Topology& topology;
  report::PictureLayout layout;
};
struct DrawnLoads {
  DrawnNetwork picture;
  UsedNetwork network;
  const std::string& busiest;
};

answer::Part<DrawCommand> schedule_part() {
  constexpr PartOf<DrawCommand> part;
  return part("schedule", "", Unit::none, "file of the schedule", &DrawCommand::schedule);
}
answer::Part<DrawCommand> output_part() {
  constexpr PartOf<DrawCommand> part;
  return part("output", "", Unit::none, "file of the picture", &DrawCommand::output);
}

Parts<DrawnChords> chord_parts() {
  constexpr PartOf<DrawnChords> part;
  const auto options = [](const DrawnChords& drawn) -> const auto& {
    return drawn.options;
  };
  return join(
      join(join(part.within(&DrawnChords::network, network_parts()),
                {part("layout", "", Unit::none, "layout of the picture",
                      [](const DrawnChords&) { return "chord"; })}),
           part.within(options, Parts<DrawCommand>{schedule_part()})),
      join({part("messages", "", Unit::none, "messages over global links",
                 [](const DrawnChords& drawn) { return drawn.drawing.messages; }),
            part("chords", "", Unit::none, "chords, each of which shows some of these messages",
                 [](const DrawnChords& drawn) { return drawn.drawing.chords; })},
           part.within(options, Parts<DrawCommand>{output_part()})));
}

Parts<DrawnNetwork> picture_parts() {
  constexpr PartOf<DrawnNetwork> part;
  return {
      part("layout", "", Unit::none, "layout of the picture",
           [](const DrawnNetwork& drawn) { return name_of(drawn.layout); }),
      part(keys::kNodes, [](const DrawnNetwork& drawn) { return drawn.topology.node_count(); }),
      part(keys::kCables, [](const DrawnNetwork& drawn) { return drawn.topology.cable_count(); })};
}

Parts<DrawnNetwork> drawn_network_parts() {
  constexpr PartOf<DrawnNetwork> part;
  return join(
      join({part(keys::kTopology, [](const DrawnNetwork& drawn) { return drawn.topology.name(); })},
           picture_parts()),
      part.within(
          [](const DrawnNetwork& drawn) -> const auto& { return drawn.options; },
          Parts<DrawCommand>{output_part()}));
}

Parts<DrawnLoads> drawn_loads_parts() {
  constexpr PartOf<DrawnLoads> part;
  const auto options = [](const DrawnLoads& drawn) -> const auto& {
    return drawn.picture.options;
  };
  return join(join(part.within(&DrawnLoads::network, network_parts()),
                   part.within(&DrawnLoads::picture, picture_parts())),
              join(join(part.within(options, Parts<DrawCommand>{schedule_part()}),
                        {part("busiest_link", "", Unit::none, "data over the busiest link, in M",
                              [](const DrawnLoads& drawn) { return drawn.busiest; })}),
                   part.within(options, Parts<DrawCommand>{output_part()})));
}

Drawn draw_chords(const Verified& verified, const UsedNetwork& network,
                  const DrawCommand& options) {
  const auto drawing = report::draw_chords(verified, network.network, {.size = options.size});
  return {.svg = drawing.svg,
          .said = fmt::format("{} messages over global links, {} chords", drawing.messages,
                              drawing.chords),
          .members = members_of({options, network, drawing}, chord_parts())};
}

Drawn draw_links(const Topology& topology, const std::optional<report::PictureLoads>& loads,
                 const UsedNetwork* network, const DrawCommand& options) {
  const auto picture = report::draw_network(
      topology, {.size = options.size, .layout = report::parse_picture_layout(options.layout)},
      loads);
  const DrawnNetwork drawn{options, topology, picture.layout};
  const std::string said = fmt::format("{} nodes and {} cables, layout {}", topology.node_count(),
                                       topology.cable_count(), name_of(picture.layout));
  if (!loads) return {picture.svg, said, members_of(drawn, drawn_network_parts())};
  return {picture.svg, said + ", busiest link " + loads->busiest,
          members_of({drawn, *network, loads->busiest}, drawn_loads_parts())};
}

Drawn draw(const DrawCommand& options) {
  if (options.schedule.empty())
    return draw_links(build_topology(options.said.text("topology")).topology, std::nullopt, nullptr,
                      options);
  const Verified verified = load_verified(options.schedule);
  GivenFields wanted = options.said;
  const auto network_of = [&](bool chords) {
    if (chords)
      wanted.values.try_emplace("routing", std::string("minimal"));  // a default of their own
    return make_network(wanted, options.common.seed, &verified.schedule(),
                        name_of_file(options.schedule));
  };
  const bool named = lower(options.layout) == "chord";
  if (named || (lower(options.layout) == "auto" && !options.said.of("topology") &&
                topology::as_dragonfly(network_of(false).topology()))) {
    const Network network = network_of(true);
    return draw_chords(verified, {network, wanted}, options);
  }
  const Network network = network_of(false);
  const UsedNetwork used{network, wanted};
  return draw_links(network.topology(), loads_of(verified, network), &used, options);
}

void check(const DrawCommand& options) {
  std::vector<std::string> layouts = report::picture_layouts();
  layouts.emplace_back("chord");
  if (std::ranges::find(layouts, lower(options.layout)) == layouts.end())
    reject_unknown({"layout", options.layout}, layouts);
  require(!options.schedule.empty() || options.said.of("topology"),
          "nothing to draw; give a network (-t torus:4x4), or --schedule FILE");
  require(!options.schedule.empty() || lower(options.layout) != "chord",
          "the layout chord shows messages of a schedule; give --schedule FILE, or another "
          "layout");
  if (options.output == "-") return;
  require(options.output.ends_with(".svg"), "'{}' is not an SVG file name; name it FILE.svg",
          options.output);
}

void check_usage(const Given& given, const DrawCommand& options) {
  if (options.schedule.empty())
    given.refuse(all_of({{"--link", "--routing"}, placing_options()}),
                 "on the picture of a network; add --schedule FILE to colour its links by load");
  if (lower(options.layout) == "chord")
    given.refuse({"--link"}, "on the layout chord, which counts messages; choose another --layout");
  if (options.output == "-")
    given.refuse({"--json"},
                 "with -o - (the picture is the answer); name a file, or leave one of them out");
}

int run(const DrawCommand& options, Streams& streams) {
  check(options);
  const Drawn drawn = draw(options);
  if (options.output == "-") {  // the picture is the answer
    streams.out << drawn.svg;
    return kFine;
  }
  write_file(options.output, drawn.svg);
  if (options.common.json) {
    streams.out << answer::to_json({"draw", options.common.seed, streams.notes->texts()},
                                   drawn.members)
                << '\n';
  } else if (!options.common.quiet) {
    streams.err << fmt::format("wrote {}: {}\n", options.output, drawn.said);
  }
  return kFine;
}

}  // namespace

std::vector<answer::Shape> draw_shapes() {
  return {{"a network", texts_of(drawn_network_parts())},
          {"the loads of a schedule", texts_of(drawn_loads_parts())},
          {"the messages of a schedule over global links", texts_of(chord_parts())}};
}

void add_draw_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<DrawCommand>();
  const Command command =
      program.add_command("draw", "Draw a network, or the load of a schedule on its links, as SVG");
  const OptionAdder add(command);
  add("--schedule", options->schedule,
      "Schedule file (.weft) whose loads colour the links; - is standard input [none]");
  add.output("-o,--output", options->output, "SVG file; - is standard output").required();
  add_network_options(command, options->said, Need::optional);
  leave_out(command, host_options());  // nothing is timed here, and --layout is the picture's
  add("--layout", options->layout,
      "Layout: groups, rows, grid, circle, force (Graphviz), chord (Dragonfly: global messages as "
      "chords) or auto (the one that fits)");
  add("--size", options->size, "Width of the picture in pixels, 200 to 10000");
  add_output_options(command, options->common);
  command.most_used({"--output", "--schedule", "--layout", "--size"});
  command.footer(
      "Examples:\n"
      "  # What does a fat tree look like?\n"
      "  weft draw -t fat-tree:4,2 -o tree.svg\n"
      "  # Which links does a schedule load most?\n"
      "  weft schedule allreduce -t torus:4x4 -a ring -o ring.weft\n"
      "  weft draw -t torus:4x4 --schedule ring.weft -o loads.svg\n"
      "  # Which messages of a broadcast cross the groups of a Dragonfly?\n"
      "  weft schedule broadcast -t dragonfly:a=4,p=2,h=2 -a tree --placement random -o tree.weft\n"
      "  weft draw --schedule tree.weft --layout chord -o chord.svg");
  on_chosen(command, options, run, action, check_usage);
}

}  // namespace weft::cli
