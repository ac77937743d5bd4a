#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/commands/commands.hpp"
#include "cli/program.hpp"
#include "weft/base/error.hpp"
#include "weft/base/outputs.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/version.hpp"
#include "weft/base/work/time_limit.hpp"

namespace weft::cli {

namespace {

constexpr const char* kAbout =
    "weft: which network to wire, which collective schedules to run on it, and how far from the "
    "limit.";
constexpr const char* kExamples =
    "Examples:\n"
    "  weft topology kautz:16,2\n"
    "  weft compare allreduce --topology 2dfc:8x8 --sizes 1KiB:64MiB --chart allreduce.svg\n"
    "  weft schedule alltoall --topology kautz:4,2 --algorithm bruck -o bruck.weft\n"
    "  weft simulate bruck.weft --size 1MiB --links top:10\n"
    "Each command has its own help: weft compare --help. Exit codes: 0 done, 1 a check failed, "
    "2 wrong input.";

// The program's help: "--size TEXT  What it is [1MiB]", no machine types.
class HelpFormatter : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_items_expected_max() == 0) return "";
    const std::string type = option->get_type_name();
    return type.starts_with("TEXT") || type.empty() ? " TEXT" : " N";
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (!option->get_default_str().empty()) text += " [" + option->get_default_str() + "]";
    return option->get_required() && !option->get_positional() ? text + " (required)" : text;
  }
};

// One blank line between sections.
std::string tidy(std::string help) {
  for (std::size_t at = 0; (at = help.find("\n\n\n", at)) != std::string::npos;) help.erase(at, 1);
  if (help.ends_with("\n\n")) help.pop_back();
  return help;
}

constexpr std::size_t kLongestMessage = 1000;

// The length of the UTF-8 character that starts at `i`, 0 where none does.
std::size_t character_length(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  const std::size_t length = byte < 0x80                   ? 1
                             : byte >= 0xc2 && byte < 0xe0 ? 2
                             : (byte & 0xf0) == 0xe0       ? 3
                             : byte >= 0xf0 && byte < 0xf5 ? 4
                                                           : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80) return 0;
  return length;
}

// A message may quote a hostile file or argument: one line of valid text, of a readable length.
std::string one_line(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (text[i] == '\n')
      line += ' ';
    else if (length == 0 || (length == 1 && std::iscntrl(static_cast<unsigned char>(text[i])) != 0))
      line += '?';
    else
      line += text.substr(i, length);
    i += std::max<std::size_t>(length, 1);
  }
  if (line.size() <= kLongestMessage) return line;
  // The problem often stands behind a long name: both ends stay, cut between characters.
  const auto cut = [&](std::size_t at) {
    while ((static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) --at;
    return at;
  };
  return line.substr(0, cut(kLongestMessage / 2)) + " ... " +
         line.substr(cut(line.size() - kLongestMessage / 2));
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
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

std::string unknown_option(std::string_view argument, const CLI::App& app,
                           const std::string& name) {
  const std::string option(argument.substr(0, argument.find('=')));
  const auto known = option_names(app);
  for (const OtherName& other : kOtherNames)
    if (other.typed == option && std::ranges::find(known, other.ours) != known.end())
      return fmt::format("unknown option {} of {}; did you mean {}?", option, name, other.ours);
  return fmt::format("unknown option {} of {}; {}", option, name, suggest(option, known));
}

// The first option on the line that the command does not know: what stands behind it would else be
// taken for a position, and blamed.
std::optional<std::string> first_unknown(const CLI::App& command, int count,
                                         const char* const* arguments) {
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--") return std::nullopt;
    if (!argument.starts_with("--")) continue;
    const std::string name(argument.substr(0, argument.find('=')));
    if (command.get_option_no_throw(name) == nullptr) return std::string(argument);
  }
  return std::nullopt;
}

// What is wrong with a command line that names no known command.
std::string command_error(const CLI::App& program, int count, const char* const* arguments) {
  std::vector<std::string> known;
  for (const CLI::App* command : program.get_subcommands({})) known.push_back(command->get_name());
  if (count < 2) return "no command given; `weft --help` lists them";
  const std::string first = arguments[1];
  if (first.starts_with("-")) return unknown_option(first, program, "weft");
  return fmt::format("unknown command '{}'; {}", first, suggest(first, known));
}

// What is wrong with the command line, with the nearest names for what is not known.
std::string usage_error(const CLI::App& program, const CLI::Error& error, int count,
                        const char* const* arguments) {
  const auto chosen = program.get_subcommands();
  if (chosen.empty()) return command_error(program, count, arguments);
  const std::string command = "weft " + chosen[0]->get_name();
  const std::string what = error.what();
  const auto is = [&](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  if (const auto unknown = first_unknown(*chosen[0], count, arguments))
    return unknown_option(*unknown, *chosen[0], command);
  if (is(CLI::ExitCodes::ExtrasError)) {
    const auto extras = program.remaining(true);
    for (const std::string& extra : extras)
      if (extra.starts_with("-") && extra.size() > 1)
        return unknown_option(extra, *chosen[0], command);
    return fmt::format("'{}' is one argument too many for {}; quote an argument with blanks",
                       extras.empty() ? "" : extras[0], command);
  }
  if (is(CLI::ExitCodes::ArgumentMismatch)) {
    const bool missing = what.find("missing") != std::string::npos;
    return fmt::format("{} {}; see `{} --help`", what.substr(0, what.find(':')),
                       missing ? "needs a value" : "is given more than once", command);
  }
  if (constexpr std::string_view kPrefix = "Could not convert: "; what.starts_with(kPrefix))
    return fmt::format(
        "{} is no value that fits (a whole number; a flag takes none); see `{} --help`",
        what.substr(kPrefix.size()), command);
  return fmt::format("{}; see `{} --help`", what, command);
}

int fail(Streams& streams, int code, const std::string& text) {
  streams.err << "weft: " << one_line(text) << '\n';
  return code;
}

// Help and version, and the answers of commands: all must reach their reader.
int finish(Streams& streams, int code) {
  streams.out.flush();
  require(streams.out.good(), "cannot write the answer to standard output (is it full or closed?)");
  return code;
}

// strtoll, which CLI11 uses, makes the largest number of what is larger.
bool outgrows_64_bits(const CLI::Option& option, const std::string& value) {
  if (option.get_type_name().find("INT") == std::string::npos) return false;
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const char* const digits = value.data() + (value.starts_with('-') ? 1 : 0);
  const auto error = std::from_chars(digits, end, number).ec;
  const bool is_signed = !option.get_type_name().starts_with("UINT");
  return error == std::errc::result_out_of_range ||
         (error == std::errc() && is_signed && number > INT64_MAX);
}

// An empty value is a script's unset variable far more often than a wish.
void require_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& value : option->results()) {
      require(!value.empty() || option->get_expected_min() == 0,
              "{} is empty; give it a value or leave it out", option->get_name());
      require(!outgrows_64_bits(*option, value),
              "{} {} is too large (it does not fit in 64 bits); give a smaller number",
              option->get_name(), value);
    }
}

// CLI11 drops the empty items of a list with commas, and 4, would be 4.
void require_items(const CLI::App& command, int count, const char* const* arguments) {
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--") return;
    const std::size_t equals = argument.find('=');
    const CLI::Option* option =
        command.get_option_no_throw(std::string(argument.substr(0, equals)));
    if (!argument.starts_with("-") || option == nullptr || option->get_delimiter() == '\0')
      continue;
    const std::string_view value = equals != std::string_view::npos ? argument.substr(equals + 1)
                                   : i + 1 < count                  ? arguments[i + 1]
                                                                    : "";
    for (const std::string_view item : split(value, option->get_delimiter()))
      require(!item.empty(), "{} \"{}\" has an empty item; write the list without it",
              option->get_name(), value);
  }
}

int parse_and_run(CLI::App& program, const Action& action, int count, const char* const* arguments,
                  Streams& streams) {
  try {
    program.parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = program.get_subcommands();
    streams.out << tidy(chosen.empty() ? program.help() : chosen[0]->help("weft"));
    return finish(streams, kFine);
  } catch (const CLI::CallForVersion& version_text) {
    streams.out << version_text.what() << '\n';
    return finish(streams, kFine);
  } catch (const CLI::ParseError& error) {
    return fail(streams, kBadInput, usage_error(program, error, count, arguments));
  }
  require_values(*program.get_subcommands()[0]);
  require_items(*program.get_subcommands()[0], count, arguments);
  return finish(streams, action(streams));
}

// weft help [COMMAND] and weft version: what --help and --version print.
void add_help_commands(CLI::App& program, Action& action) {
  auto topic = std::make_shared<std::string>();
  CLI::App* help = program.add_subcommand("help", "Print this help, or that of a command");
  help->add_option("command", *topic, "Command");
  help->callback([&program, &action, topic] {
    action = [&program, topic](Streams& streams) {
      if (topic->empty()) {  // program.help() would be that of the chosen command, this one
        streams.out << tidy(
            program.get_formatter()->make_help(&program, "weft", CLI::AppFormatMode::Normal));
        return kFine;
      }
      std::vector<std::string> known;
      for (const CLI::App* command : program.get_subcommands({}))
        known.push_back(command->get_name());
      require(std::ranges::find(known, *topic) != known.end(), "unknown command '{}'; {}", *topic,
              suggest(*topic, known));
      streams.out << tidy(program.get_subcommand(*topic)->help("weft"));
      return kFine;
    };
  });
  program.add_subcommand("version", "Print the version")->callback([&action] {
    action = [](Streams& streams) {
      streams.out << "weft " << version() << '\n';
      return kFine;
    };
  });
}

}  // namespace

int run_program(int count, const char* const* arguments, Streams& streams) {
  const OutputGuard guard;
  CLI::App program(kAbout, "weft");
  program.formatter(std::make_shared<HelpFormatter>());
  Action action;
  program.get_help_ptr()->description("Print this help");
  program.set_version_flag("-V,--version", "weft " + std::string(version()))
      ->description("Print the version");
  program.require_subcommand(1);
  add_topology_command(program, action);
  add_schedule_command(program, action);
  add_synthesize_command(program, action);
  add_verify_command(program, action);
  add_cost_command(program, action);
  add_optimum_command(program, action);
  add_throughput_command(program, action);
  add_design_command(program, action);
  add_find_command(program, action);
  add_simulate_command(program, action);
  add_compare_command(program, action);
  add_plan_command(program, action);
  add_profile_command(program, action);
  add_degrade_command(program, action);
  add_train_command(program, action);
  add_load_curve_command(program, action);
  add_economics_command(program, action);
  add_order_command(program, action);
  add_fit_command(program, action);
  add_calibrate_command(program, action);
  add_sweep_command(program, action);
  add_results_command(program, action);
  add_reproduce_command(program, action);
  add_draw_command(program, action);
  add_export_command(program, action);
  add_import_command(program, action);
  add_testbed_command(program, action);
  add_where_command(program, action);
  add_list_command(program, action);
  add_help_commands(program, action);
  program.footer(kExamples);  // after the commands, which would inherit it
  try {
    return parse_and_run(program, action, count, arguments, streams);
  } catch (const InvalidInput& error) {
    return fail(streams, kBadInput, error.what());
  } catch (const OutOfTime& error) {
    return fail(
        streams, kNo,
        fmt::format("{} before there was an answer; give it more: --time-limit", error.what()));
  } catch (const std::overflow_error& error) {
    return fail(streams, kBadInput,
                fmt::format("{}: the numbers of this case are too large; round bandwidths, e.g. "
                            "to whole Gbps, or take a smaller case",
                            error.what()));
  } catch (const std::bad_alloc&) {
    return fail(streams, kBadInput, "not enough memory for this case; try a smaller one");
  } catch (const std::exception& error) {
    return fail(streams, kOurFault,
                fmt::format("{} (a fault of weft; please report it)", error.what()));
  }
}

}  // namespace weft::cli
