#include "cli/options/command_line.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "weft/base/text.hpp"

namespace weft::cli {

namespace {

std::vector<Option> options_of(CLI::App& app) {
  std::vector<Option> options;
  for (CLI::Option* option : app.get_options()) options.emplace_back(option);
  return options;
}

// Options of this group do not appear in the help.
constexpr const char* kHidden = "";

}  // namespace

Option Option::required() const {
  return Option(option_->required());
}

Option Option::group(const std::string& heading) const {
  return Option(option_->group(heading));
}

Option Option::hide() const {
  return Option(option_->group(kHidden));
}

Option Option::description(const std::string& text) const {
  return Option(option_->description(text));
}

Option Option::default_text(const std::string& text) const {
  return Option(option_->default_str(text));
}

Option Option::show_default() const {
  return Option(option_->capture_default_str());
}

Option Option::type_name(const std::string& name) const {
  return Option(option_->type_name(name));
}

Option Option::one_value_each() const {
  return Option(option_->allow_extra_args(false));
}

Option Option::optional_value() const {
  return Option(option_->expected(0, 1));
}

Option Option::delimiter(char character) const {
  return Option(option_->delimiter(character));
}

Option Option::range(int least, int most) const {
  const auto error_in = [least, most](std::string& text) -> std::string {
    const auto value = number_in<int>(text);
    if (value && *value >= least && *value <= most) return "";
    return fmt::format("invalid value '{}' (expected {} to {})", text, least, most);
  };
  const std::string description = CLI::Range(least, most).get_description();
  return Option(option_->check(CLI::Validator(error_in, description)));
}

Option Option::one_of(const std::vector<std::string>& values) const {
  return Option(option_->check(CLI::IsMember(values)));
}

Option Option::check(const std::function<std::string(const std::string&)>& error_in) const {
  return Option(option_->check(error_in, ""));
}

Option Option::needs(Option other) const {
  return Option(option_->needs(other.option_));
}

Option Option::excludes(Option other) const {
  return Option(option_->excludes(other.option_));
}

std::string Option::name() const {
  return option_->get_name();
}

const std::vector<std::string>& Option::long_names() const {
  return option_->get_lnames();
}

const std::vector<std::string>& Option::short_names() const {
  return option_->get_snames();
}

std::string Option::type_name() const {
  return option_->get_type_name();
}

std::string Option::help() const {
  const std::string& fallback = option_->get_default_str();
  if (option_->get_required() && !is_positional())
    return option_->get_description() + " (required)";
  const bool shows_none = fallback.empty() || option_->get_required();
  return option_->get_description() + (shows_none ? "" : " [" + fallback + "]");
}

const std::string& Option::heading() const {
  return option_->get_group();
}

bool Option::is_required() const {
  return option_->get_required();
}

bool Option::is_positional() const {
  return option_->get_positional();
}

std::string Option::positional_name() const {
  return option_->get_name(true);
}

bool Option::takes_several() const {
  return option_->get_items_expected_max() > 1;
}

bool Option::is_hidden() const {
  return option_->get_group() == kHidden;
}

bool Option::takes_value() const {
  return option_->get_items_expected_max() > 0;
}

bool Option::has_optional_value() const {
  return option_->get_expected_min() == 0;
}

char Option::delimiter() const {
  return option_->get_delimiter();
}

bool Option::given() const {
  return option_->count() > 0;
}

const std::vector<std::string>& Option::values() const {
  return option_->results();
}

template <class T>
Option Command::add_option(const std::string& names, T& value, const std::string& help) const {
  return Option(command_->add_option(names, value, help));
}
template Option Command::add_option(const std::string&, std::string&, const std::string&) const;
template Option Command::add_option(const std::string&, std::int32_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, double&, const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<int>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<std::int64_t>&,
                                    const std::string&) const;

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) const {
  return Option(command_->add_flag(names, value, help));
}

Option Command::add_flag(const std::string& names, const std::string& help) const {
  return Option(command_->add_flag(names)->description(help));
}

Option Command::add_option_call(const std::string& names,
                                const std::function<void(const std::string&)>& call,
                                const std::string& help) const {
  return Option(command_->add_option_function<std::string>(names, call, help));
}

Option Command::add_list_call(const std::string& names,
                              const std::function<void(const std::vector<std::string>&)>& call,
                              const std::string& help) const {
  return Option(command_->add_option_function<std::vector<std::string>>(names, call, help));
}

Option Command::add_flag_call(const std::string& names, const std::function<void()>& call,
                              const std::string& help) const {
  return Option(command_->add_flag_callback(names, call, help));
}

Option Command::option(const std::string& name) const {
  return Option(command_->get_option(name));
}

std::optional<Option> Command::find_option(const std::string& name) const {
  CLI::Option* const option = command_->get_option_no_throw(name);
  return option == nullptr ? std::nullopt : std::optional(Option(option));
}

std::vector<Option> Command::options() const {
  return options_of(*command_);
}

void Command::remove(const std::string& name) const {
  command_->remove_option(command_->get_option(name));
}

void Command::most_used(std::initializer_list<const char*> names) const {
  for (const char* name : names) option(name).group(headings::kMostUsed);
}

void Command::advanced(std::initializer_list<const char*> names) const {
  for (const char* name : names) option(name).group(headings::kAdvanced);
}

void Command::heading(const std::string& text) const {
  command_->group(text);
}

const std::string& Command::heading() const {
  return command_->get_group();
}

void Command::footer(const std::string& text) const {
  command_->footer(text);
}

std::string Command::footer() const {
  return command_->get_footer();
}

void Command::after_reading(const std::function<void()>& call) const {
  command_->parse_complete_callback(call);
}

void Command::when_chosen(const std::function<void()>& call) const {
  command_->callback(call);
}

const std::string& Command::name() const {
  return command_->get_name();
}

std::string Command::summary() const {
  return command_->get_description();
}

CommandLine::CommandLine(const std::string& name, const std::string& version)
    : program_(std::make_unique<CLI::App>("", name)) {
  program_->get_help_ptr()
      ->description("Print the help with the options that most people need")
      ->group(headings::kGeneral);
  program_->set_help_all_flag("--help-all", "Print the help with all options")
      ->group(headings::kGeneral);
  program_->set_version_flag("-V,--version", version)
      ->description("Print the version")
      ->group(headings::kGeneral);
  program_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& summary) {
  const Command command(program_->add_subcommand(name, summary));
  for (const char* flag : {"--help", "--help-all"}) command.option(flag).group(headings::kGeneral);
  return command;
}

std::vector<Command> CommandLine::commands() const {
  std::vector<Command> commands;
  for (CLI::App* command : program_->get_subcommands({})) commands.emplace_back(command);
  return commands;
}

std::vector<Option> CommandLine::options() const {
  return options_of(*program_);
}

Parsed CommandLine::parse(int count, const char* const* arguments) {
  Parsed parsed;
  const auto chosen = [&]() -> std::optional<Command> {
    const auto commands = program_->get_subcommands();
    return commands.empty() ? std::nullopt : std::optional(Command(commands[0]));
  };
  try {
    program_->parse(count, arguments);
  } catch (const CLI::CallForHelp&) {
    parsed.help = HelpRange::common;
  } catch (const CLI::CallForAllHelp&) {
    parsed.help = HelpRange::all;
  } catch (const CLI::CallForVersion& version) {
    parsed.version = version.what() + std::string("\n");
  } catch (const CLI::ParseError& error) {
    const auto is = [&](CLI::ExitCodes code) {
      return error.get_exit_code() == static_cast<int>(code);
    };
    const std::string text =
        is(CLI::ExitCodes::RequiredError) && !std::string_view(error.what()).starts_with("-")
            ? fmt::format("the argument {}", error.what())
            : error.what();
    parsed.fault = {.kind = is(CLI::ExitCodes::ExtrasError) ? UsageFault::Kind::unused_arguments
                            : is(CLI::ExitCodes::ArgumentMismatch)
                                ? UsageFault::Kind::number_of_values
                                : UsageFault::Kind::other,
                    .text = text,
                    .unused_arguments = program_->remaining(true)};
  }
  parsed.command = chosen();
  return parsed;
}

}  // namespace weft::cli
