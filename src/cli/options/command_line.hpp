// The command line: its commands, their options, and what the user gave.
//
// The CLI11 library parses the arguments. Its header takes seconds to compile,
// so only command_line.cpp includes it. Commands use the handles below, which offer what weft needs
// of the library; help_text.hpp writes the help. A handle is one pointer: copies of a handle name
// the same option or command.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weft::cli {

/// Headings of the help, in no order.
namespace headings {
inline constexpr const char* kMostUsed = "Most used";
inline constexpr const char* kOptions = "Options";
inline constexpr const char* kNetwork = "Network";
// Only --help-all shows the options under these.
inline constexpr const char* kAdvanced = "Advanced";
inline constexpr const char* kHosts = "Costs at hosts";
inline constexpr const char* kDetails = "Simulation details";
inline constexpr const char* kPackets = "Packet and flit models";
inline constexpr const char* kTraffic = "Background traffic";
inline constexpr const char* kAlgorithms = "Algorithm parameters";
inline constexpr const char* kGeneral = "General";
}  // namespace headings

/// An option, a flag or a positional argument of a command. Each function that changes it returns
/// the handle, so that calls can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  /// The heading of the help that shows the option.
  Option group(const std::string& heading) const;
  /// Removes the option from the help. The command line still accepts it.
  Option hide() const;
  Option description(const std::string& text) const;
  /// The default that the help shows; empty shows none.
  Option default_text(const std::string& text) const;
  /// Shows the present value of the option's variable as the default.
  Option show_default() const;
  Option type_name(const std::string& name) const;

  /// Each occurrence of the option takes one value.
  Option one_value_each() const;
  /// The option may stand without a value.
  Option optional_value() const;
  /// One value holds several items with this character between them.
  Option delimiter(char character) const;
  /// Accepts whole numbers from `least` to `most` only.
  Option range(int least, int most) const;
  Option one_of(const std::vector<std::string>& values) const;
  /// Accepts the values for which `error_in` returns an empty text; other texts are the error.
  Option check(const std::function<std::string(const std::string&)>& error_in) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;

  /// "--size"; "-o" if there is no long name, the bare name of a positional argument.
  std::string name() const;
  const std::vector<std::string>& long_names() const;   // without "--"
  const std::vector<std::string>& short_names() const;  // without "-"
  /// The name of the value's type, and a colon and a text for each check.
  std::string type_name() const;
  /// The description, and behind it the default in brackets, or "(required)".
  std::string help() const;
  const std::string& heading() const;
  bool is_hidden() const;
  bool is_required() const;
  bool is_positional() const;  // may be an option, too
  std::string positional_name() const;
  bool takes_value() const;  // a flag takes none
  bool takes_several() const;
  bool has_optional_value() const;
  char delimiter() const;  // '\0': none
  bool given() const;
  /// The values as the user wrote them.
  const std::vector<std::string>& values() const;

 private:
  CLI::Option* option_;
};

/// One command of the program, as `compare` in `weft compare allreduce`.
class Command {
 public:
  explicit Command(CLI::App* command) : command_(command) {}

  /// Adds an option that sets a variable, which must outlive the parsing. `names` are separated by
  /// commas: "-o,--output"; a name without a dash makes a positional argument. Exists for the types
  /// that command_line.cpp lists.
  template <class T>
  Option add_option(const std::string& names, T& value, const std::string& help) const;
  Option add_flag(const std::string& names, bool& value, const std::string& help) const;
  /// A flag that sets nothing.
  Option add_flag(const std::string& names, const std::string& help) const;
  /// Adds an option whose value, or values, or presence is given to a function.
  Option add_option_call(const std::string& names,
                         const std::function<void(const std::string&)>& call,
                         const std::string& help) const;
  Option add_list_call(const std::string& names,
                       const std::function<void(const std::vector<std::string>&)>& call,
                       const std::string& help) const;
  Option add_flag_call(const std::string& names, const std::function<void()>& call,
                       const std::string& help) const;

  /// The option of this name, which must exist.
  Option option(const std::string& name) const;
  std::optional<Option> find_option(const std::string& name) const;
  std::vector<Option> options() const;
  void remove(const std::string& name) const;

  /// Shows these options first in the help.
  void most_used(std::initializer_list<const char*> names) const;
  /// Shows these options with --help-all only.
  void advanced(std::initializer_list<const char*> names) const;
  /// The heading of the program's help that shows the command.
  void heading(const std::string& text) const;
  const std::string& heading() const;

  /// The text below the help: notes, "Examples:", and commands.
  void footer(const std::string& text) const;
  std::string footer() const;
  /// Calls a function as soon as the arguments of the command are read, before they are checked.
  void after_reading(const std::function<void()>& call) const;
  /// Calls a function once the arguments are read and checked, if the user chose this command.
  void when_chosen(const std::function<void()>& call) const;

  const std::string& name() const;
  std::string summary() const;

 private:
  CLI::App* command_;
};

/// What is wrong with a command line.
struct UsageFault {
  enum class Kind : std::uint8_t { unused_arguments, number_of_values, other };
  Kind kind = Kind::other;
  std::string text = {};
  std::vector<std::string> unused_arguments = {};
};

/// Which options a help shows: those that most people need, or all.
enum class HelpRange : std::uint8_t { common, all };

/// What a command line asks for.
struct Parsed {
  std::optional<Command> command = {};      // none if the user chose none, or an unknown one
  std::optional<HelpRange> help = {};       // if the user asked for the help
  std::optional<std::string> version = {};  // if the user asked for it
  std::optional<UsageFault> fault = {};
};

/// The whole command line, and the owner of its commands and options.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add_command(const std::string& name, const std::string& summary);
  std::vector<Command> commands() const;
  /// The program's own options, such as --version.
  std::vector<Option> options() const;
  Parsed parse(int count, const char* const* arguments);

 private:
  std::unique_ptr<CLI::App> program_;
};

}  // namespace weft::cli
