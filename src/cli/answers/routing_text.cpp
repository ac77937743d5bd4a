#include "cli/answers/routing_text.hpp"

#include <fmt/format.h>

#include "weft/answer/keys.hpp"
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

std::optional<std::string> routing_reason(const Network& network) {
  const std::string reason = reason_of(network);
  return reason.empty() ? std::nullopt : std::optional(reason);
}

answer::Parts<schedule::RoutingNote> routing_note_parts() {
  using schedule::RoutingNote;
  constexpr answer::PartOf<RoutingNote> part;
  return {
      part("step", "", answer::Unit::none, "step with the most uneven load", &RoutingNote::step),
      part("factor", "", answer::Unit::none,
           "load of its busiest link, relative to an equal split over shortest paths",
           &RoutingNote::factor),
      part(keys::kRouting, &RoutingNote::routing),
      part("helps", "", answer::Unit::none, "routing to use instead", &RoutingNote::helps)};
}

answer::Parts<advise::RoutingAdvice> routing_advice_parts() {
  using advise::RoutingAdvice;
  constexpr answer::PartOf<RoutingAdvice> part;
  return join(part.within(&RoutingAdvice::note, routing_note_parts()),
              {part("speedup", "", answer::Unit::none, "time now, relative to that routing",
                    &RoutingAdvice::speedup)});
}

}  // namespace weft::cli
