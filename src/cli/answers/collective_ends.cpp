#include "cli/answers/collective_ends.hpp"

#include <fmt/format.h>

#include "weft/answer/keys.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::cli {

std::string ends_text(const schedule::Collective& collective) {
  if (schedule::traits_of(collective.kind).between_two())
    return fmt::format(", from {} to {}", collective.root.value(), collective.peer.value());
  return collective.rooted() ? fmt::format(", root {}", collective.root.value()) : "";
}

answer::Parts<schedule::Collective> ends_parts() {
  constexpr answer::PartOf<schedule::Collective> part;
  const auto two = [](const schedule::Collective& collective) {
    return schedule::traits_of(collective.kind).between_two();
  };
  return {part("from", "", answer::Unit::none, "rank that sends, of point-to-point",
               &schedule::Collective::root)
              .when(two),
          part("to", "", answer::Unit::none, "rank that receives, of point-to-point",
               &schedule::Collective::peer)
              .when(two),
          part(keys::kRoot, &schedule::Collective::root)
              .when([two](const schedule::Collective& collective) {
                return !two(collective) && collective.rooted();
              })};
}

}  // namespace weft::cli
