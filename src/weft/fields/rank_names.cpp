#include "weft/fields/rank_names.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/cables.hpp"
#include "weft/topology/facets.hpp"

namespace weft::fields {

std::int64_t rank_called(std::string_view text, const Topology& topology,
                         std::span<const NodeId> places, std::string_view option) {
  WEFT_ASSERT(!places.empty());
  if (const auto number = number_in<std::int64_t>(text)) return *number;
  require(topology.facets().names != nullptr,
          "invalid {} {}: the hosts of {} have no names; give a number from 0 to {}", option, text,
          topology.name(), places.size() - 1);
  const NodeId node = topology::NodesByText(topology).find(text);
  const auto place = std::ranges::find(places, node);
  require(place != places.end(), "{} {} is a {} without a rank; name a host with a rank", option,
          text, topology.is_host(node) ? "host" : "switch");
  return place - places.begin();
}

}  // namespace weft::fields
