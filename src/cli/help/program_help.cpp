#include "cli/help/program_help.hpp"

#include <algorithm>
#include <vector>

#include "cli/help/help_text.hpp"

namespace weft::cli {

namespace {

constexpr std::size_t kSummaryColumn = 14;
constexpr std::size_t kOptionColumn = 18;

constexpr const char* kAbout =
    "weft predicts the time of collectives on a network, and finds better networks and schedules.";
constexpr const char* kExamples =
    "Examples:\n"
    "  # Which allreduce is fastest on a torus of 64 hosts, for each size?\n"
    "  weft compare allreduce --topology torus:4x4x4 --sizes 1KiB:64MiB\n"
    "  # How large are the diameter and the bisection of a Kautz network?\n"
    "  weft topology kautz:4,2\n"
    "  # Which links are busiest while Bruck's all-to-all runs?\n"
    "  weft schedule alltoall --topology kautz:4,2 --algorithm bruck -o bruck.weft\n"
    "  weft simulate bruck.weft --size 1MiB --links top:10\n"
    "\n"
    "`weft COMMAND --help` shows the options of a command.\n"
    "Exit codes: 0 done, 1 a negative or incomplete answer, 2 wrong input, 3 an error in weft, 130 "
    "stopped by Ctrl-C.";

std::vector<std::string> command_headings(const std::vector<Command>& commands) {
  std::vector<std::string> found;
  for (const Command& command : commands)
    if (std::ranges::find(found, command.heading()) == found.end())
      found.push_back(command.heading());
  return found;
}

}  // namespace

std::string help_of(const CommandLine& program, int columns) {
  std::string help;
  add_prose(kAbout, columns, help);
  help += "Usage: weft COMMAND [OPTIONS]\n";
  const std::vector<Command> commands = program.commands();
  for (const std::string& heading : command_headings(commands)) {
    help += "\n" + heading + ":\n";
    for (const Command& command : commands)
      if (command.heading() == heading)
        add_entry(command.name(), command.summary(), kSummaryColumn, columns, help);
  }
  help += "\nOptions:\n";
  for (const Option& option : program.options()) {
    std::string names =
        option.short_names().empty() ? "" : "-" + option.short_names().front() + ",";
    names += "--" + option.long_names().front();
    add_entry(names, option.help(), kOptionColumn, columns, help);
  }
  help += '\n';
  add_prose(kExamples, columns, help);
  return help;
}

std::string first_words() {
  return "weft predicts how long collectives take on a network. Most people begin with one of "
         "these:\n"
         "\n"
         "  weft compare allreduce torus:4x4x4             # Which algorithm is fastest?\n"
         "  weft topology kautz:4,2                        # How good is a network?\n"
         "  weft design -n 64 -c allreduce:100MiB          # Which network should I build?\n"
         "  weft train vgg-16 hypercube:6                  # How long does a training step take?\n"
         "\n"
         "`weft --help` lists all commands, `weft compare --help` shows the options of one.\n"
         "`weft list topologies` shows the networks. docs/README.md is the index of the "
         "documents.\n";
}

}  // namespace weft::cli
