// The shell scripts that make a testbed and take it away, as text.
#pragma once

#include <string>

#include "weft/testbed/layout.hpp"

namespace weft::testbed {

/// Makes namespaces, cables, addresses, routes and rates, in about a second for 32 nodes; ends at
/// the first command that fails.
std::string up_script(const Layout& layout);

/// Ends what runs in the namespaces of a testbed and removes them; what is not there is passed
/// over.
std::string down_script(const std::string& id);

/// How a link's rate is kept, the arguments of tc for one end of a wire: a token bucket that
/// packets below 128 bytes pass. Acknowledgements, which these are, would else wait behind what the
/// link carries the other way, up to 1.25 MB (long messages both ways took 1.7 times as long), and
/// beside one-way cables behind what other links carry.
std::string rate_commands(const Layout& layout, const Wire& wire);

}  // namespace weft::testbed
