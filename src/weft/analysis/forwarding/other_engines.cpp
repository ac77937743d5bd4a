#include "weft/analysis/forwarding/other_engines.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/analysis/forwarding/engine_tables.hpp"
#include "weft/analysis/forwarding/table_traffic.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

EngineResult result_of(std::string name, TableTraffic traffic, std::string note = {}) {
  EngineResult result{.name = std::move(name), .note = std::move(note)};
  if (traffic.lost > 0)
    result.why_not =
        fmt::format("{} of {} pairs of hosts have no path", traffic.lost, traffic.pairs);
  result.traffic = std::move(traffic);
  return result;
}

// Whether a port has several addresses (an LMC above 0).
bool has_several_a_port(const Destinations& to) {
  std::set<std::pair<std::int32_t, std::int32_t>> ports;  // host and group
  for (std::int32_t address = 0; address < to.count(); ++address)
    if (to.group[address] >= 0 &&
        !ports.emplace(to.host[address].value(), to.group[address]).second)
      return true;
  return false;
}

std::string ftree_refusal(const SwitchNet& net, const Destinations& to,
                          const std::vector<std::int32_t>& levels) {
  if (has_several_a_port(to)) return "it takes one LID a port (an LMC of 0)";
  return why_no_ftree(net, levels);
}

}  // namespace

std::vector<EngineResult> other_engines(const SwitchNet& net, const Destinations& to,
                                        const Columns& now, std::int64_t most_walks) {
  const auto traffic = [&](const Columns& columns) {
    return traffic_of(net, to, columns, most_walks);
  };
  std::vector<EngineResult> results;
  results.push_back(result_of("minhop", traffic(minhop_columns(net, to, now))));
  std::vector<std::int32_t> roots = roots_of(net, to);
  std::string note;
  if (roots.empty()) {
    roots.push_back(centre_of(net, to));
    note = fmt::format("with root {} (give OpenSM this root)",
                       topology::node_text(net.topology, net.topology.switches()[roots[0]]));
  }
  results.push_back(result_of("updn", traffic(updn_columns(net, to, now, roots)), note));
  const std::vector<std::int32_t> levels = levels_of(net);
  if (std::string why = ftree_refusal(net, to, levels); !why.empty())
    results.push_back({.name = "ftree", .why_not = std::move(why)});
  else
    results.push_back(result_of("ftree", traffic(ftree_columns(net, to, now, levels))));
  results.push_back(result_of("dor", traffic(dor_columns(net, to, now))));
  results.push_back(result_of("dfsssp", traffic(dfsssp_columns(net, to, now))));
  return results;
}

}  // namespace weft::analysis
