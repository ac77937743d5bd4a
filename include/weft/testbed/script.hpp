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

/// How a link's rate is kept, the arguments of tc for one end of a wire: a token bucket. Beside
/// one-way cables acknowledgements have to go on along other links; there packets below 128 bytes
/// are not held up.
std::string rate_commands(const Layout& layout, const Wire& wire);

}  // namespace weft::testbed
