#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

#include "cli/commands.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/version.hpp"

namespace weft::cli {

namespace {

constexpr const char* kAbout =
    "weft: which network to wire, which collective schedules to run on it, and how far from the "
    "limit.\n"
    "Examples:\n"
    "  weft topology kautz:16,2\n"
    "  weft compare allreduce --topology 2dfc:8x8 --sizes 1KiB:64MiB --chart allreduce.svg\n"
    "  weft schedule alltoall --topology kautz:4,2 --algorithm bruck -o bruck.weft";

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// What is wrong with the command line, with the nearest names for what is not known.
std::string usage_error(const CLI::App& program, const CLI::Error& error, int count,
                        const char* const* arguments) {
  const auto chosen = program.get_subcommands();
  if (chosen.empty()) {
    std::vector<std::string> known;
    for (const CLI::App* command : program.get_subcommands({}))
      known.push_back(command->get_name());
    for (int i = 1; i < count; ++i)
      if (arguments[i][0] != '-')
        return fmt::format("unknown command '{}'; {}", arguments[i], suggest(arguments[i], known));
    return "no command given; `weft --help` lists them";
  }
  if (error.get_name() == "ExtrasError") {
    const std::string text = error.what();
    const std::size_t dash = text.find("--");
    if (dash != std::string::npos) {
      const std::string name = text.substr(dash, text.find_first_of(" =,", dash) - dash);
      return fmt::format("unknown option {} of weft {}; {}", name, chosen[0]->get_name(),
                         suggest(name, option_names(*chosen[0])));
    }
  }
  return fmt::format("{}; see `weft {} --help`", one_line(error.what()), chosen[0]->get_name());
}

int fail(Streams& streams, int code, const std::string& text) {
  streams.err << "weft: " << one_line(text) << '\n';
  return code;
}

}  // namespace

int run_program(int count, const char* const* arguments, Streams& streams) {
  CLI::App program(kAbout, "weft");
  Action action;
  program.set_version_flag("--version", "weft " + std::string(version()));
  program.require_subcommand(1);
  add_topology_command(program, action);
  add_schedule_command(program, action);
  add_verify_command(program, action);
  add_cost_command(program, action);
  add_simulate_command(program, action);
  add_compare_command(program, action);
  add_list_command(program, action);
  try {
    program.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = program.get_subcommands();
    streams.out << (chosen.empty() ? program.help() : chosen[0]->help());
    return kFine;
  } catch (const CLI::CallForVersion& version_text) {
    streams.out << version_text.what() << '\n';
    return kFine;
  } catch (const CLI::ParseError& error) {
    return fail(streams, kBadInput, usage_error(program, error, count, arguments));
  }
  try {
    const int code = action(streams);
    streams.out.flush();
    require(streams.out.good(), "cannot write the answer to standard output");
    return code;
  } catch (const InvalidInput& error) {
    return fail(streams, kBadInput, error.what());
  } catch (const std::overflow_error& error) {
    return fail(streams, kBadInput,
                fmt::format("{}: the numbers of this case are too large", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(streams, kBadInput, "not enough memory for this case; try a smaller one");
  } catch (const std::exception& error) {
    return fail(streams, kOurFault,
                fmt::format("{} (a fault of weft; please report it)", error.what()));
  }
}

}  // namespace weft::cli
