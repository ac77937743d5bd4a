// Which options the user wrote, and those among them that would change nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/command_line.hpp"

namespace weft::cli {

/// The options that stand on the command line, whatever their values.
class Given {
 public:
  explicit Given(Command command) : command_(command) {}

  bool operator()(const std::string& name) const { return command_.option(name).given(); }

  /// Throws InvalidInput where one of them was given: "--vcs has no effect" and then `why`: in what
  /// combination, the reason in brackets, what would be right.
  void refuse(const std::vector<std::string>& names, std::string_view why) const;

 private:
  Command command_;
};

/// Whether the user names a form of text for standard output, so that --quiet does not silence it:
/// --json, --csv, --dump, --text, --as-trees, or an option whose value is -.
bool asks_for_text(Command command);

struct GivenFields;

/// Readings that the model has not: --sync, --release, --sharing and --alpha-per of alpha-beta
/// (values that say what it does anyway stay), --sharing of packets; and --layout where copies are
/// free. Throws InvalidInput, also for values that do not exist.
void refuse_unused(const Given& given, const GivenFields& said);
/// --packet-size and the others of the packet and flit models, under a model without packets or
/// flits.
void refuse_unused_packets(const Given& given, const GivenFields& said);

/// Takes --seed out of the help of a command that draws nothing; given all the same, it is refused.
void draws_nothing(Command command);
/// Throws InvalidInput for a --seed of such a command.
void refuse_unused_seed(Command command);

/// Says that an option names a file which the command writes anew.
Option mark_output(Option option);
/// Says that it names what the names of several files begin with, or a file: that there is a folder
/// of this name is no obstacle.
Option mark_output_prefix(Option option);
/// Claims the files of such options (weft/base/files/outputs.hpp). Throws InvalidInput for two of
/// one name, and for a file that was read.
void claim_outputs(Command command);

}  // namespace weft::cli
