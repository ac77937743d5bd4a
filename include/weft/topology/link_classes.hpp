// Names of link classes, so that a misspelt class is found before a network is at hand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::topology {

/// The classes that weft's topologies, machines and importers give to links, for suggestions. Of
/// numbered ones, such as level1 and d4, the list has the first few. Files of users may name
/// others.
std::vector<std::string> usual_link_classes();

/// Returns true for a name of usual_link_classes(), with any number: level7, d12, nvlink-x18; and
/// for one of them behind "box-", as boxes() names links.
bool is_usual_link_class(std::string_view name);

/// A class of cables that bundle several equal links: "nvlink-x4" is four links of class "nvlink".
struct LinkBundle {
  std::string_view link_class;  // of one link
  std::int64_t links = 1;
};
/// Returns the bundle that the name of a class says; one link of this class if it says none. The
/// bundle refers to the name.
LinkBundle bundle_in(std::string_view link_class);

}  // namespace weft::topology
