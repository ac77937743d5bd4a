#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/foreign/collective_file.hpp"
#include "cli/help/help_text.hpp"
#include "cli/help/program_help.hpp"
#include "cli/options/command_line.hpp"
#include "cli/program.hpp"
#include "cli/screen/printable_stream.hpp"
#include "cli/screen/screen.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/files/outputs.hpp"
#include "weft/base/text.hpp"
#include "weft/base/version.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/format/format.hpp"
#include "weft/format/wrong_content.hpp"

namespace weft::cli {

namespace {

constexpr std::size_t kLongestMessage = 1000;

// A message may quote a hostile file or argument: one line of valid text, of a readable length.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  line = printable(line);
  if (line.size() <= kLongestMessage) return line;
  // The problem often stands behind a long name: both ends stay, cut between characters.
  const auto cut = [&](std::size_t at) {
    while ((static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) --at;
    return at;
  };
  return line.substr(0, cut(kLongestMessage / 2)) + " ... " +
         line.substr(cut(line.size() - kLongestMessage / 2));
}

std::vector<std::string> long_names(const std::vector<Option>& options) {
  std::vector<std::string> names;
  for (const Option option : options)
    for (const std::string& name : option.long_names()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CommandLine& program) {
  std::vector<std::string> names;
  for (const Command command : program.commands()) names.push_back(command.name());
  return names;
}

// What other programs call it, or what it is called in other commands.
struct OtherName {
  std::string_view typed, ours;
};
constexpr std::array kOtherNames = {
    OtherName{"--ports", "--degree"},      OtherName{"--degree", "--ports"},
    OtherName{"--bandwidth", "--link"},    OtherName{"--latency", "--link"},
    OtherName{"--np", "--ranks"},          OtherName{"--nodes", "--ranks"},
    OtherName{"--message-size", "--size"}, OtherName{"--bytes", "--size"},
    OtherName{"--network", "--topology"},  OtherName{"--placement", "--start"}};

std::string unknown_option(std::string_view argument, const std::vector<Option>& options,
                           const std::string& name) {
  const std::string option(argument.substr(0, argument.find('=')));
  const auto known = long_names(options);
  for (const OtherName& other : kOtherNames)
    if (other.typed == option && std::ranges::find(known, other.ours) != known.end())
      return fmt::format("unknown option '{}' of {}; did you mean {}?", option, name, other.ours);
  if (option.size() == 2)  // one letter is near to everything
    return fmt::format("unknown option '{}' of {}; see {} --help", option, name, name);
  return unknown_text({"option", option, "of " + name}, known);
}

// The first option on the line that the command does not know: what stands behind it would else be
// taken for a position, and blamed.
std::optional<std::string> first_unknown(Command command, int count, const char* const* arguments) {
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--") return std::nullopt;
    if (!argument.starts_with("--")) continue;
    const std::string name(argument.substr(0, argument.find('=')));
    if (!command.find_option(name)) return std::string(argument);
  }
  return std::nullopt;
}

// What is wrong with a command line that names no known command.
std::string command_error(const CommandLine& program, const char* const* arguments) {
  const std::string first = arguments[1];
  if (first.starts_with("-")) return unknown_option(first, program.options(), "weft");
  return unknown_text({"command", first}, command_names(program));
}

// What is wrong with the command line, with the nearest names for what is not known.
std::string usage_error(Command command, const UsageFault& fault, int count,
                        const char* const* arguments) {
  const std::string name = "weft " + command.name();
  if (const auto unknown = first_unknown(command, count, arguments))
    return unknown_option(*unknown, command.options(), name);
  if (fault.kind == UsageFault::Kind::unused_arguments) {
    const auto& unused = fault.unused_arguments;
    for (const std::string& argument : unused)
      if (argument.starts_with("-") && argument.size() > 1)
        return unknown_option(argument, command.options(), name);
    return fmt::format("unexpected argument '{}' of {}; quote an argument with blanks",
                       unused.empty() ? "" : unused[0], name);
  }
  if (fault.kind == UsageFault::Kind::number_of_values) {
    const bool missing = fault.text.find("missing") != std::string::npos;
    return fmt::format("{} {}; see {} --help", fault.text.substr(0, fault.text.find(':')),
                       missing ? "needs a value" : "is given more than once", name);
  }
  if (constexpr std::string_view kPrefix = "Could not convert: "; fault.text.starts_with(kPrefix))
    return fmt::format(
        "{} is not a valid value (expected a whole number; a flag has no value); see {} --help",
        fault.text.substr(kPrefix.size()), name);
  return fmt::format("{}; see {} --help", fault.text, name);
}

int fail(Streams& streams, int code, const std::string& text) {
  streams.err << "weft: " << one_line(text) << '\n';
  return code;
}

// Help and version, and the answers of commands: all must reach their reader.
int finish(Streams& streams, int code) {
  streams.out.flush();
  require(streams.out.good(),
          "cannot write the answer to standard output; check that it is open and has space");
  return code;
}

// strtoll, which CLI11 uses, makes the largest number of what is larger.
bool outgrows_64_bits(Option option, const std::string& value) {
  if (option.type_name().find("INT") == std::string::npos) return false;
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const char* const digits = value.data() + (value.starts_with('-') ? 1 : 0);
  const auto error = std::from_chars(digits, end, number).ec;
  const bool is_signed = !option.type_name().starts_with("UINT");
  return error == std::errc::result_out_of_range ||
         (error == std::errc() && is_signed && number > INT64_MAX);
}

// An empty value is a script's unset variable far more often than a wish.
void require_values(Command command) {
  for (const Option option : command.options())
    for (const std::string& value : option.values()) {
      require(!value.empty() || option.has_optional_value(),
              "{} is empty; give it a value or leave it out", option.name());
      require(!outgrows_64_bits(option, value),
              "{} {} is too large (it does not fit in 64 bits); give a smaller number",
              option.name(), value);
    }
}

bool is_option(Command command, std::string_view argument) {
  if (argument.starts_with("--")) return true;
  return argument.size() == 2 && argument[0] == '-' &&
         command.find_option(std::string(argument)).has_value();
}

// CLI11 takes whatever follows an option as its value, the next option too. So does it where the
// value behind "=" is empty.
void require_no_options_as_values(const CommandLine& program, int count,
                                  const char* const* arguments) {
  const auto commands = program.commands();
  const auto named = [&](const Command& command) { return command.name() == arguments[1]; };
  const auto command = count < 2 ? commands.end() : std::ranges::find_if(commands, named);
  if (command == commands.end()) return;
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--") return;
    if (!argument.starts_with("-")) continue;
    const std::size_t equals = argument.find('=');
    const std::string name(argument.substr(0, equals));
    const auto option = command->find_option(name);
    if (!option || !option->takes_value()) continue;
    const bool is_empty = equals != std::string_view::npos && equals + 1 == argument.size();
    require(!is_empty, "{} needs a value; write one after {}=, or leave the option out", name,
            name);
    if (equals != std::string_view::npos || option->has_optional_value() || i + 1 == count)
      continue;
    require(!is_option(*command, arguments[i + 1]),
            "{} needs a value, but the next option '{}' follows; see weft {} --help", name,
            arguments[i + 1], command->name());
    ++i;
  }
}

// CLI11 drops the empty items of a list with commas, and 4, would be 4.
void require_items(Command command, int count, const char* const* arguments) {
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--") return;
    const std::size_t equals = argument.find('=');
    const auto option = command.find_option(std::string(argument.substr(0, equals)));
    if (!argument.starts_with("-") || !option || option->delimiter() == '\0') continue;
    const std::string_view value = equals != std::string_view::npos ? argument.substr(equals + 1)
                                   : i + 1 < count                  ? arguments[i + 1]
                                                                    : "";
    for (const std::string_view item : split(value, option->delimiter()))
      require(!item.empty(), "{} '{}' has an empty item; remove it", option->name(), value);
  }
}

int help_columns(const Streams& streams) {
  constexpr int kIfUnknown = 100;
  return screen_of(streams, kIfUnknown).columns;
}

std::string help_asked_for(const CommandLine& program, const Parsed& parsed,
                           const Streams& streams) {
  const int columns = help_columns(streams);
  return parsed.command ? help_of(*parsed.command, *parsed.help, columns)
                        : help_of(program, columns);
}

int parse_and_run(CommandLine& program, const Action& action, int count,
                  const char* const* arguments, Streams& streams) {
  require_no_options_as_values(program, count, arguments);
  const Parsed parsed = program.parse(count, arguments);
  if (parsed.help || parsed.version) {
    streams.out << (parsed.help ? help_asked_for(program, parsed, streams) : *parsed.version);
    return finish(streams, kFine);
  }
  if (count < 2) {
    streams.err << first_words();
    return kBadInput;
  }
  if (!parsed.command) return fail(streams, kBadInput, command_error(program, arguments));
  if (parsed.fault)
    return fail(streams, kBadInput, usage_error(*parsed.command, *parsed.fault, count, arguments));
  require_values(*parsed.command);
  require_items(*parsed.command, count, arguments);
  return finish(streams, action(streams));
}

// weft help [COMMAND]: what --help prints.
void add_help_command(CommandLine& program, Action& action) {
  auto topic = std::make_shared<std::string>();
  const Command help =
      program.add_command("help", "Print the list of commands, or the help of one command");
  help.add_option("command", *topic, "Command whose help is printed [the list of all commands]");
  help.when_chosen([&program, &action, topic] {
    action = [&program, topic](Streams& streams) {
      if (topic->empty()) {
        streams.out << help_of(program, help_columns(streams));
        return kFine;
      }
      const auto commands = program.commands();
      const auto named = std::ranges::find(commands, *topic, &Command::name);
      if (named == commands.end()) reject_unknown({"command", *topic}, command_names(program));
      streams.out << help_of(*named, HelpRange::common, help_columns(streams));
      return kFine;
    };
  });
}

// weft version: what --version prints.
void add_version_command(CommandLine& program, Action& action) {
  program.add_command("version", "Print the version").when_chosen([&action] {
    action = [](Streams& streams) {
      streams.out << "weft " << version() << '\n';
      return kFine;
    };
  });
}

struct Task {
  const char* heading;
  std::vector<void (*)(CommandLine&, Action&)> adders;
};

// The commands, under the headings of the program's help.
void add_commands(CommandLine& program, Action& action) {
  const std::vector<Task> tasks = {
      {"Predict times on a network",
       {add_compare_command, add_simulate_command, add_train_command, add_degrade_command,
        add_load_curve_command, add_throughput_command}},
      {"Choose a network",
       {add_topology_command, add_design_command, add_find_command, add_economics_command,
        add_draw_command}},
      {"Make and check schedules",
       {add_schedule_command, add_optimum_command, add_synthesize_command, add_verify_command,
        add_cost_command, add_order_command}},
      {"Work with real machines",
       {add_import_command, add_export_command, add_calibrate_command, add_fit_command,
        add_plan_command, add_profile_command, add_testbed_command, add_where_command}},
      {"Run studies", {add_sweep_command, add_results_command, add_reproduce_command}},
      {"Look things up",
       {add_list_command, add_schema_command, add_help_command, add_version_command}}};
  for (const Task& task : tasks)
    for (const auto& add : task.adders) {
      add(program, action);
      program.commands().back().heading(task.heading);
    }
}

int run_any(int count, const char* const* arguments, Streams& streams) {
  format::read_networks_in_expressions();
  const OutputGuard guard;
  CommandLine program("weft", "weft " + std::string(version()));
  Action action;
  add_commands(program, action);
  try {
    return parse_and_run(program, action, count, arguments, streams);
  } catch (const format::HangingProgram& error) {
    return fail(streams, kNo, error.what());
  } catch (const InvalidInput& error) {
    return fail(streams, kBadInput, error.what());
  } catch (const WrongFile& error) {
    return fail(streams, kNo, error.what());
  } catch (const OutOfTime& error) {
    return fail(
        streams, kNo,
        fmt::format("{} before an answer was found; give a longer --time-limit", error.what()));
  } catch (const std::overflow_error& error) {
    return fail(
        streams, kBadInput,
        fmt::format(
            "{}: the numbers of this case are too large; round bandwidths, such as to whole "
            "Gbps, or use a smaller case",
            error.what()));
  } catch (const std::bad_alloc&) {
    return fail(streams, kBadInput, "not enough memory for this case; try a smaller one");
  } catch (const std::exception& error) {
    return fail(streams, kOurFault,
                fmt::format("{} (this is an error in weft; please report it)", error.what()));
  }
}

}  // namespace

int run_program(int count, const char* const* arguments, Streams& streams) {
  PrintableStream prose(streams.err);
  Streams printable_streams{streams.out, prose};
  return run_any(count, arguments, printable_streams);
}

}  // namespace weft::cli
