// Where the bandwidth and the latency of each class of links are from, and options that set
// neither.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.hpp"

namespace weft::cli {

/// The classes with speeds in the network's file.
SpeedsInFile speeds_in_file(const BuiltTopology& built);

/// "--link", "--latency", "--link-default", the name of the machine, "the network", or "default"
/// where neither the user nor the machine's file sets the value. Several where links differ.
struct LinkOrigins {
  std::vector<std::string> bandwidth, latency;

  /// Those of the bandwidth and of the latency, each once.
  std::vector<std::string> both() const;
};
LinkOrigins link_origins(const Network& network, topology::ClassId link_class,
                         const GivenFields& said);

/// The name of the machine, or "ideal".
std::string machine_name(const GivenFields& said);

/// Whether links of this class would have the speed of generic, as the user's machine and options
/// set none for them.
bool has_default_of_generic(std::string_view link_class, const GivenFields& said);

/// A note on the speeds in the network's file that --link replaces; empty if there are none.
std::string overridden_speeds_note(const GivenFields& said);

/// Refuses --latency and --link-default where other options or measured speeds leave them without
/// any effect. Throws InvalidInput.
void require_effect_of_speeds(const GivenFields& said, const Topology& topology);

}  // namespace weft::cli
