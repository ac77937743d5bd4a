#include "cli/help/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/screen/screen.hpp"

namespace weft::cli {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kTextColumn = 29;  // where descriptions begin
constexpr std::size_t kLeastWidth = 30;  // of descriptions, however narrow the terminal is

// Headings in the order of the help; headings of single commands come before "Network".
constexpr std::array kFirst = {headings::kMostUsed, headings::kOptions};
constexpr std::array kLast = {headings::kNetwork,    headings::kAdvanced, headings::kHosts,
                              headings::kDetails,    headings::kPackets,  headings::kTraffic,
                              headings::kAlgorithms, headings::kGeneral};
constexpr std::array kForHelpAll = {headings::kAdvanced, headings::kHosts,   headings::kDetails,
                                    headings::kPackets,  headings::kTraffic, headings::kAlgorithms,
                                    headings::kGeneral};

bool is_shown_in(std::string_view heading, HelpRange range) {
  return range == HelpRange::all || std::ranges::find(kForHelpAll, heading) == kForHelpAll.end();
}

std::size_t width_behind(std::size_t column, int columns) {
  const auto width = static_cast<std::size_t>(std::max(columns, 1));
  return std::max(kLeastWidth, width > column ? width - column : 0);
}

std::string value_name(const Option& option) {
  if (!option.takes_value()) return "";
  const std::string type = option.type_name();
  return type.starts_with("TEXT") || type.empty() ? " TEXT" : " N";
}

// "-a,--algorithms TEXT"; --help-all shows the other long names, too.
std::string option_names(const Option& option, HelpRange range) {
  std::vector<std::string> names;
  for (const std::string& name : option.short_names()) names.push_back("-" + name);
  for (const std::string& name : option.long_names()) {
    names.push_back("--" + name);
    if (range == HelpRange::common) break;
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text + value_name(option);
}

bool is_flagged(const Option& option) {
  return !option.long_names().empty() || !option.short_names().empty();
}

std::vector<Option> options_under(const std::vector<Option>& options, std::string_view heading) {
  std::vector<Option> found;
  for (const Option& option : options)
    if (!option.is_hidden() && option.heading() == heading && is_flagged(option))
      found.push_back(option);
  return found;
}

std::vector<std::string> headings_of(const std::vector<Option>& options) {
  std::vector<std::string> found(kFirst.begin(), kFirst.end());
  for (const Option& option : options) {
    const std::string& heading = option.heading();
    if (option.is_hidden() || std::ranges::find(kLast, heading) != kLast.end()) continue;
    if (std::ranges::find(found, heading) == found.end()) found.push_back(heading);
  }
  found.insert(found.end(), kLast.begin(), kLast.end());
  return found;
}

// "topology, -t,--topology" of an argument that may be an option, too.
std::string argument_name(const Option& option) {
  std::string name = option.positional_name();
  if (!is_flagged(option)) return name;
  const std::string as_option = option_names(option, HelpRange::common);
  return fmt::format("{}, {}", name, as_option.substr(0, as_option.find(' ')));
}

std::string usage_of(const Command& command, const std::vector<Option>& options) {
  std::string usage = "weft " + command.name();
  for (const Option& option : options)
    if (option.is_required() && !option.is_positional())
      usage += fmt::format(" {}{}", option.name(), value_name(option));
  usage += " [OPTIONS]";
  for (const Option& option : options) {
    if (!option.is_positional()) continue;
    const std::string name = option.positional_name() + (option.takes_several() ? "..." : "");
    usage += option.is_required() ? " " + name : " [" + name + "]";
  }
  return usage;
}

void add_arguments(const std::vector<Option>& options, int columns, std::string& help) {
  std::string arguments;
  for (const Option& option : options)
    if (option.is_positional())
      add_entry(argument_name(option), option.help(), kTextColumn, columns, arguments);
  if (!arguments.empty()) help += "\nArguments:\n" + arguments;
}

// An argument that is an option, too, is among the options with --help-all only.
void add_options(const std::vector<Option>& options, HelpRange range, int columns,
                 std::string& help) {
  for (const std::string& heading : headings_of(options)) {
    if (!is_shown_in(heading, range)) continue;
    std::string section;
    for (const Option& option : options_under(options, heading))
      if (range == HelpRange::all || !option.is_positional())
        add_entry(option_names(option, range), option.help(), kTextColumn, columns, section);
    if (!section.empty()) help += fmt::format("\n{}:\n{}", heading, section);
  }
}

std::size_t unshown_options(const std::vector<Option>& options) {
  return static_cast<std::size_t>(std::ranges::count_if(options, [](const Option& option) {
    return !option.is_hidden() && is_flagged(option) &&
           !is_shown_in(option.heading(), HelpRange::common);
  }));
}

}  // namespace

void add_entry(const std::string& name, const std::string& text, std::size_t column, int columns,
               std::string& help) {
  help += std::string(kIndent, ' ') + name;
  std::size_t at = kIndent + name.size();
  for (const std::string& line : wrapped(text, width_behind(column, columns))) {
    if (at + 2 > column) {
      help += '\n';
      at = 0;
    }
    help += std::string(column - at, ' ') + line;
    at = column;  // the next line is below
  }
  help += '\n';
}

void add_prose(const std::string& text, int columns, std::string& help) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = line.starts_with(' ');
    const std::size_t width = is_command ? line.size() : width_behind(0, columns);
    for (const std::string& part : wrapped(line, std::max(width, kLeastWidth))) help += part + '\n';
  }
}

std::string help_of(const Command& command, HelpRange range, int columns) {
  const std::vector<Option> options = command.options();
  std::string help;
  add_prose(command.summary(), columns, help);
  add_prose("Usage: " + usage_of(command, options), columns, help);
  add_arguments(options, columns, help);
  add_options(options, range, columns, help);
  if (const std::string footer = command.footer(); !footer.empty()) {
    help += '\n';
    add_prose(footer, columns, help);
  }
  const std::size_t more = range == HelpRange::all ? 0 : unshown_options(options);
  if (more > 0)
    help += fmt::format("\n`weft {} --help-all` shows {} more option{}.\n", command.name(), more,
                        more == 1 ? "" : "s");
  return help;
}

}  // namespace weft::cli
