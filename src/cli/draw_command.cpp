// weft draw: a picture of a schedule on its network.
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/experiment/chord.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string schedule, layout = "chord", output;
  int size = 1000;
  NetworkOptions network;
  OutputOptions common;
};

int run(const Options& options, Streams& streams) {
  const std::vector<std::string> layouts{"chord"};
  require(lower(options.layout) == layouts[0], "unknown layout '{}'; {}", options.layout,
          suggest(options.layout, layouts));
  if (options.output != "-") {
    require(options.output.ends_with(".svg"), "'{}' is no SVG file; name it FILE.svg",
            options.output);
    require_writable(options.output);
  }
  const Verified verified = load_verified(options.schedule);
  const Network network = make_network(options.network, options.common.seed, &verified.schedule());
  const auto drawing = experiment::draw_chords(verified, network, {.size = options.size});
  if (options.output == "-") {  // the picture is the answer
    streams.out << drawing.svg;
    return kFine;
  }
  write_file(options.output, drawing.svg);
  if (options.common.json) {
    Json json = answer("draw", options.common);
    json.update(json_of(network, options.network));
    json["layout"] = layouts[0];
    json["schedule"] = options.schedule;
    json["output"] = options.output;
    json["messages"] = drawing.messages;
    json["chords"] = drawing.chords;
    print(json, streams);
  } else if (!options.common.quiet) {
    streams.err << fmt::format("wrote {}: {} messages over global links, {} chords\n",
                               options.output, drawing.messages, drawing.chords);
  }
  return kFine;
}

}  // namespace

void add_draw_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  options->network.routing = "minimal";
  CLI::App* command =
      program.add_subcommand("draw", "Draw what a schedule sends over a Dragonfly's global links");
  command->add_option("--schedule", options->schedule, "Schedule file (.weft); - is standard input")
      ->required();
  command->add_option("-o,--output", options->output, "SVG file; - is standard output")->required();
  add_network_options(*command, options->network, Need::optional);
  command->remove_option(command->get_option("--layout"));  // of blocks: nothing is copied here
  command->add_option("--layout", options->layout, "chord: hosts on a circle, messages as chords")
      ->capture_default_str();
  command->add_option("--size", options->size, "Width of the picture in pixels, 200 to 10000")
      ->capture_default_str();
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft schedule broadcast -t dragonfly:a=4,p=2,h=2 -a tree --placement random -o tree.weft\n"
      "  weft draw --schedule tree.weft --layout chord -o chord.svg");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
