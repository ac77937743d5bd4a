// Which cards of a machine take part: those for storage and for its management seldom do.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

BuiltTopology with_cards(const BuiltTopology& machine, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  topology::Failures left_out;
  for (const NodeId card : topology::card_nodes(machine.topology)) {
    known.push_back(topology::node_text(machine.topology, card));
    if (std::ranges::find(names, known.back()) == names.end())
      left_out.nodes.push_back(card.value());
  }
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      reject_unknown({"card of the machine", name}, known);
  return left_out.nodes.empty() ? machine : topology::remove_failed(left_out, machine);
}

}  // namespace weft::format
