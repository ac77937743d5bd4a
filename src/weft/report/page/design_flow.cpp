// What a design says of all-to-alls over the paths of a flow: what they ask of the network, and
// where they were not tried.
#include <fmt/format.h>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/report/design_page.hpp"

namespace weft::report {

using design::DesignQuestion;
using design::DesignRow;
using design::NetworkDesign;

std::optional<std::string> flow_command(const DesignQuestion& asked, const NetworkDesign& found,
                                        const DesignSpeeds& speeds) {
  const auto call = design::call_without_flow(asked, found);
  if (!call) return std::nullopt;
  WEFT_ASSERT(*call < asked.calls.size() && found.chosen < found.rows.size());
  std::string command =
      fmt::format("weft compare alltoall -t \"{}\" --algorithms all,flow --sizes {}",
                  found.rows[found.chosen].candidate.topology, asked.calls[*call].size_text);
  return speeds.options.empty() ? command : command + ' ' + speeds.options;
}

std::string flow_paths_text(const DesignQuestion& asked, const DesignRow& chosen) {
  WEFT_ASSERT(chosen.calls.size() <= asked.calls.size());
  std::string text;
  for (std::size_t i = 0; i < chosen.calls.size(); ++i) {
    const design::DesignedCall& call = chosen.calls[i];
    if (!call.routed_s) continue;
    text += fmt::format(
        "{}{} {} by {} takes {} if the network forwards along the paths of the schedule; along the "
        "network's own routes, which a plan uses, the fastest algorithm takes {}",
        text.empty() ? "" : "; ", name_of(asked.calls[i].collective), asked.calls[i].size_text,
        call.algorithm, format_seconds(call.fluid_s.value_or(call.time_s)),
        format_seconds(*call.routed_s));
  }
  return text;
}

}  // namespace weft::report
