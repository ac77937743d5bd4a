// The table [host] of machine files: which keys it may have, and its text for given costs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/field.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::fields {

/// What [host] sets.
struct HostCosts {
  HostParameters host = {};
  std::optional<LinkSpeed> loopback = {};
  simulation::Release release = simulation::Release::delivered;
};

struct HostEntry {
  std::string key;  // in [host]
  const Field* field;
  std::function<Value(const HostCosts&)> show;
};

/// Those of host_fields() that machines have, then loopback and release.
const std::vector<HostEntry>& host_entries();

/// The text of a value of hosts with its rates in GBps, as machine files write them:
/// "4MiB,27GBps" of "4MiB,216Gbps".
std::string host_text(std::string_view value);

/// "[host]" and a line for each entry that differs from its default, and for release. Read as a
/// machine file it gives the same costs, but for those that machine files do not have: --alpha-per,
/// --layout and --source-routed.
std::string host_table(const HostCosts& costs);

}  // namespace weft::fields
