// Options that several commands share, and what they make: the network, the collective, the
// simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/given.hpp"
#include "cli/output.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::cli {

/// What refuses options that would change nothing, before a command runs. Throws InvalidInput.
template <class Options>
using UsageCheck = void (*)(const Given& given, const Options& options);

/// Makes `run`, after `check`, what the program does when the user chooses the command.
template <class Options>
void on_chosen(Command command, const std::shared_ptr<Options>& options,
               int (*run)(const Options&, Streams&), Action& action,
               UsageCheck<Options> check = nullptr) {
  command.when_chosen([command, options, run, check, &action] {
    action = [command, options, run, check](Streams& streams) {
      refuse_unused_seed(command);
      claim_outputs(command);
      if (check != nullptr) check(Given(command), *options);
      apply(options->common);
      std::ostream nowhere(nullptr);
      Streams silent{nowhere, streams.err, streams.notes};
      const int code =
          run(*options, options->common.quiet && !asks_for_text(command) ? silent : streams);
      print_notes(options->common, streams);
      return code;
    };
  });
}

/// Takes options that a command cannot use out of its help and off its command line.
void leave_out(Command command, const std::vector<std::string>& names);

/// "--NAME" of each field.
template <class T>
std::vector<std::string> options_of(std::span<const fields::Member<T>> members) {
  std::vector<std::string> names;
  for (const fields::Member<T>& member : members)
    names.push_back("--" + std::string(member.field->name));
  return names;
}
/// Where ranks are placed: --placement, --ranks, --hosts. Commands without a placement refuse or
/// leave out all of these, so that a new one is never ignored.
std::vector<std::string> placing_options();
/// What hosts pay and do: --alpha, --ports, --launch and the others of fields::host_fields().
/// Commands that compute no times leave out all of these, so that a new one is never ignored.
std::vector<std::string> host_options();
/// The names without those that the command has a use for.
std::vector<std::string> but(std::vector<std::string> names,
                             std::initializer_list<std::string_view> used);
/// One list of all names, in this order.
std::vector<std::string> all_of(std::initializer_list<std::vector<std::string>> lists);

/// What a command does that takes one size, or one algorithm, when it is given several: refuses,
/// naming the command that compares them. Throws InvalidInput.
std::int64_t one_size(const std::string& text);
/// The sizes of --sizes, bytes. Throws InvalidInput for a size of 0, at which all algorithms cost
/// only start-ups.
std::vector<std::int64_t> sizes_above_0(const std::string& text);
/// Seconds of --time-limit; nothing where it was not given. Throws InvalidInput for another text.
std::optional<double> time_limit_in(const std::string& text);
/// What of a --time-limit may go into the network: all of it, and half a second where it is less.
double time_for_network_s(const std::optional<double>& time_limit_s);
void require_one_algorithm(const std::string& name);

/// Names of classes of links with a bandwidth or a latency in the network's file, and of those of
/// which some link has no latency there.
struct SpeedsInFile {
  std::set<std::string, std::less<>> bandwidth, latency, open_latency;
};

/// What was said of the fields of a question, as it was written.
struct GivenFields {
  fields::Values values = {};
  /// What `hosts` names, once it was read, also by a copy: a pipe can be read but once.
  std::shared_ptr<std::optional<std::vector<std::int32_t>>> hosts_read =
      std::make_shared<std::optional<std::vector<std::int32_t>>>();
  /// What the network's file has, once the network was made; also by a copy.
  std::shared_ptr<SpeedsInFile> file_speeds = std::make_shared<SpeedsInFile>();
  /// What --machine named, whose values stand among `values`; what the user said of them; and the
  /// fields by which the user replaced one of its values.
  std::shared_ptr<const fields::MachineModel> machine = {};
  fields::Values own = {};
  std::vector<std::string> overridden = {};
  std::string sums_from = {};  // the machine whose rate of sums stands for that of `machine`
  /// Called in order once all options of the command are read.
  std::vector<std::function<void()>> once_read = {};
  bool has_default_machine = false;  // the command simulates times: a machine that nobody names

  /// Whether the user chose the machine, rather than a default.
  bool names_machine() const {
    return machine != nullptr && machine->origin == fields::MachineOrigin::option;
  }
  bool of(std::string_view field) const { return values.contains(field); }
  /// Whether the user said it, rather than the machine's file.
  bool by_user(std::string_view field) const;
  /// Of a field of some kind; its default where nothing was said.
  std::string text(std::string_view field) const;
  /// What the user said of it, without what the machine adds; empty where nothing was said.
  std::string own_text(std::string_view field) const;
};

/// The field link of commands whose links are all alike, so that it is said once. The help has to
/// outlive it.
fields::Field field_of_every_link(std::string_view help);

/// Adds options to a command, under a heading of its help where one is named. Their help shows the
/// default that stands in the variable, unless it says itself what nothing stands for: "... [all]".
class OptionAdder {
 public:
  explicit OptionAdder(Command command, const char* heading = nullptr)
      : command_(command), heading_(heading) {}

  template <class T>
  Option operator()(const std::string& names, T& value, const std::string& help) const {
    Option option = placed(command_.add_option(names, value, help));
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
      if (!help.ends_with(']')) option.show_default();
    return option;
  }
  Option flag(const char* names, bool& value, const char* help) const {
    return placed(command_.add_flag(names, value, help));
  }
  /// One that names a file which the command writes anew: none that it reads, nor another output.
  Option output(const char* names, std::string& value, const std::string& help) const {
    return mark_output((*this)(names, value, help));
  }
  /// One that may be repeated, each time with one value.
  Option repeated(const char* names, std::vector<std::string>& values,
                  const std::string& help) const {
    return (*this)(names, values, help).one_value_each();
  }
  /// --NAME, or other names, with the help and default of a field.
  Option field(GivenFields& said, const fields::Field& field, std::string names = {}) const;
  /// The fields that set the members of what a question takes, in their order.
  template <class T>
  void members(GivenFields& said, std::span<const fields::Member<T>> members) const {
    for (const fields::Member<T>& member : members) field(said, *member.field);
  }

 private:
  Option placed(Option option) const {
    return heading_ == nullptr ? option : option.group(heading_);
  }

  Command command_;
  const char* heading_;
};
/// --json, --quiet, --verbose, --threads, --seed.
void add_output_options(Command command, OutputOptions& options);

/// The network and the ranks on it, and what its hosts pay.
enum class Need : std::uint8_t { required, optional };
void add_network_options(Command command, GivenFields& said, Need topology = Need::required);
/// Where ranks are, of commands without all of these.
void add_placing_options(const OptionAdder& add, GivenFields& said);
/// The expression of a network whose hosts have these names: a list, or a file of them.
std::string named_topology(const std::string& names, const std::string& expression);
/// The hosts that --hosts names; none where it was not given. Throws InvalidInput.
std::vector<std::int32_t> hosts_of(const GivenFields& said, const Topology& topology);
/// Throws InvalidInput for each option that makes no sense. A schedule's own topology and placement
/// serve where the user names none; `file` is the schedule's, for messages.
Network make_network(const GivenFields& said, std::uint64_t seed,
                     const Schedule* schedule = nullptr, const std::string& file = {});
/// Refuses a collective of the one host that --hosts names, and --reduce-bandwidth where nothing is
/// reduced. Throws InvalidInput.
void require_used(const GivenFields& said, const Collective& collective);
/// The values of --link; none where the user gave none.
std::vector<std::string> link_texts(const GivenFields& said);
/// Adds the notes on the network and on its machine's file: options that override the file, and
/// messages of sizes that were not measured.
void add_machine_notes(const GivenFields& said, const Topology& topology,
                       std::span<const fields::SentAt> sent, Notes& notes);

/// Which collective, and the ranks that it names.
void add_collective_options(Command command, GivenFields& said, const char* positional,
                            Need need = Need::required);
Collective make_collective(const GivenFields& said, const Network& network);

/// --library, whose names --algorithm takes.
void add_library_option(Command command, std::string& library);
/// Of a library's name, where a library is said: `algorithm` becomes ours, `said` what it is built
/// with. Returns a note that says so, or nothing. Throws InvalidInput for a name that is none of
/// it.
std::string take_from_library(const std::string& library, const Collective& collective,
                              std::string& algorithm, GivenFields& said);

/// --radix, --segments and the other options of algorithms. Where `algorithms` is what --algorithms
/// names, "ring(segments=4)" as answers write it is read too (algorithm_list.hpp).
void add_algorithm_parameters(Command command, GivenFields& said,
                              std::string* algorithms = nullptr);

/// The model and its readings, but for those whose option the command has for something else.
void add_simulation_options(Command command, GivenFields& said);
/// Calls in a row, and how messages of an MPI begin: of single simulations.
void add_call_options(Command command, GivenFields& said);
/// The schedule in the bytes of a file of that name. Throws InvalidInput, with the command that
/// takes it, for a program.
Schedule schedule_in(const std::string& bytes, const std::string& name);
/// Reads a schedule, from a file of weft's or of another system (collective_file.hpp), and proves
/// it, with its topology when it has explicit routes. Throws InvalidInput for a fault in a file of
/// weft's, and WrongFile in another's.
Verified load_verified(const std::string& path);
/// The topology that the schedule names; its hash, the agents' nodes and the links of routes are
/// checked. Throws InvalidInput, with the file, when it names none, or is another now.
BuiltTopology topology_of(const Schedule& schedule, const std::string& file);

}  // namespace weft::cli
