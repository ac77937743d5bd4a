#include "layout.hpp"

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"

namespace weft::report {

namespace {

constexpr Names<PictureLayout, 6> kLayouts{"layout",
                                           {"auto", "groups", "rows", "grid", "circle", "force"}};

}  // namespace

std::string_view name_of(PictureLayout layout) {
  return kLayouts[layout];
}

std::vector<std::string> picture_layouts() {
  return {kLayouts.names.begin(), kLayouts.names.end()};
}

PictureLayout parse_picture_layout(std::string_view name) {
  return kLayouts.value(name);
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
    require(placed.has_value(), "layout {1} does not fit {0}; use auto or force", topology.name(),
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
