#include "cli/answers/routing_text.hpp"

#include <fmt/format.h>

#include "weft/base/text.hpp"
#include "weft/network/default_routing.hpp"
#include "weft/network/relay_search.hpp"

namespace weft::cli {

namespace {

// Empty where the routing is not that of `auto`, or as one expects.
std::string reason_of(const Network& network) {
  return network.routing().name() == default_routing(network.topology())
             ? network::default_routing_reason(network.topology())
             : "";
}

}  // namespace

std::string routing_text(const Network& network) {
  const std::string reason = reason_of(network);
  const std::int64_t pairs = relayed_pairs(network);
  return fmt::format(
      "{}{}{}", network.routing().name(), reason.empty() ? "" : " (" + reason + ")",
      pairs == 0 ? "" : fmt::format(", relayed by hosts for {} of ranks", counted(pairs, "pair")));
}

std::int64_t relayed_pairs(const Network& network) {
  return network::relayed_pairs(network.fabric(), network.placement().nodes);
}

Json routing_reason(const Network& network) {
  const std::string reason = reason_of(network);
  return reason.empty() ? Json() : Json(reason);
}

Json json_of(const std::vector<NodeId>& hosts) {
  Json json = Json::array();
  for (const NodeId host : hosts) json.push_back(host.value());
  return json;
}

Json json_of(const std::optional<advise::RoutingAdvice>& advice) {
  if (!advice) return nullptr;
  const schedule::RoutingNote& note = advice->note;
  return {{"step", note.step},
          {"factor", note.factor},
          {"routing", note.routing},
          {"helps", note.helps},
          {"speedup", advice->speedup}};
}

}  // namespace weft::cli
