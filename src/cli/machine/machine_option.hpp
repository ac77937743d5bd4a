// --machine NAME|FILE: the values of a machine's file beneath those that were said.
#pragma once

#include <memory>
#include <string>

#include "cli/options/options.hpp"

namespace weft::cli {

/// Adds the option, which refers to the text: keep it as long as the command, in the callback that
/// hands what it names to take_machine() once all is read. The help shows the default.
std::shared_ptr<const std::string> add_machine_option(Command command,
                                                      const char* heading = nullptr,
                                                      const char* otherwise = "ideal");
/// Reads the machine of this name into what was said; where it is empty, the network's own if the
/// command has a default. Throws InvalidInput.
void take_machine(const std::string& name, GivenFields& said);

/// Adds notes on options that override the machine's file, and on the import of the network.
void add_network_notes(const GivenFields& said, const Topology& topology, Notes& notes);

}  // namespace weft::cli
