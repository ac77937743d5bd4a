#include "layout.hpp"

#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::report {

namespace {

constexpr std::array<std::string_view, 6> kLayouts{"auto", "groups", "rows",
                                                   "grid", "circle", "force"};
}  // namespace

std::string_view name_of(PictureLayout layout) {
  return kLayouts[static_cast<std::size_t>(layout)];
}

std::vector<std::string> picture_layouts() {
  return {kLayouts.begin(), kLayouts.end()};
}

PictureLayout parse_picture_layout(std::string_view name) {
  const std::string wanted = lower(name);
  const auto found = std::find(kLayouts.begin(), kLayouts.end(), wanted);
  require(found != kLayouts.end(), "unknown layout '{}'; {}", name,
          suggest(wanted, picture_layouts()));
  return static_cast<PictureLayout>(found - kLayouts.begin());
}

PlacedNodes place_nodes(const Topology& topology, PictureLayout asked, PictureLayout& taken) {
  const auto attempt = [&](PictureLayout layout) -> std::optional<PlacedNodes> {
    switch (layout) {
      case PictureLayout::groups:
        return place_in_groups(topology);
      case PictureLayout::rows:
        return place_in_rows(topology);
      case PictureLayout::grid:
        return place_on_grid(topology);
      case PictureLayout::circle:
        return place_on_circle(topology, asked == PictureLayout::circle);
      case PictureLayout::automatic:
      case PictureLayout::force:
        break;
    }
    return place_by_force(topology);
  };
  if (asked != PictureLayout::automatic) {
    taken = asked;
    auto placed = attempt(asked);
    require(placed.has_value(), "{} does not fit layout {}; use auto or force", topology.name(),
            name_of(asked));
    return *std::move(placed);
  }
  for (const PictureLayout layout :
       {PictureLayout::groups, PictureLayout::grid, PictureLayout::rows, PictureLayout::circle}) {
    // A ring is a grid of one row; a circle says more.
    const bool grid = layout == PictureLayout::grid;
    auto placed = grid && place_on_circle(topology, false) && !place_in_rows(topology)
                      ? place_on_circle(topology, false)
                      : attempt(layout);
    if (!placed) continue;
    taken = grid && placed->bow.empty() ? PictureLayout::circle : layout;
    return *std::move(placed);
  }
  taken = PictureLayout::force;
  return place_by_force(topology);
}

}  // namespace weft::report
