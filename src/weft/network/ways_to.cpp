#include "weft/network/ways_to.hpp"

#include "weft/base/error.hpp"

namespace weft::network {

void WaysTo::clear() {
  nodes.clear();
  first_link.assign(1, 0);
  links.clear();
}

void WaysTo::finish(NodeId node) {
  WEFT_ASSERT(std::ssize(links) >= first_link.back());
  nodes.push_back(node);
  first_link.push_back(static_cast<std::int32_t>(links.size()));
}

std::span<const LinkId> WaysTo::links_of(std::size_t position) const {
  WEFT_ASSERT(position + 1 < first_link.size());
  const auto first = static_cast<std::size_t>(first_link[position]);
  const auto end = static_cast<std::size_t>(first_link[position + 1]);
  return std::span(links).subspan(first, end - first);
}

}  // namespace weft::network
