#include "weft/rows/row_collective.hpp"

#include <string>

#include "weft/advise/schedule/counts.hpp"
#include "weft/fields/setup.hpp"

namespace weft::rows {

CollectiveKind kind_in(const Values& parameters) {
  return advise::kind_scheduled_for(fields::text_in(parameters, "collective"));
}

Collective collective_in(const Values& parameters, std::int32_t ranks) {
  Values scheduled = parameters;
  scheduled["collective"] = std::string(name_of(kind_in(parameters)));
  return fields::make_collective(scheduled, ranks);
}

}  // namespace weft::rows
