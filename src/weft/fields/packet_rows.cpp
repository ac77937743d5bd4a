#include "weft/fields/packet_rows.hpp"

#include <array>
#include <utility>
#include <vector>

#include "weft/fields/models.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/routers.hpp"
#include "weft/simulation/traffic.hpp"

namespace weft::fields {

namespace {

bool has_background(const Values& parameters) {
  const std::string traffic = text_in(parameters, "background");
  return !traffic.empty() && traffic != "none";
}

// Empty where packets follow paths.
std::string hop_routing(const Values& parameters, const TopologyFacts& topology) {
  const auto found = topology.hops.find(text_in(parameters, "routing"));
  return found == topology.hops.end() ? "" : found->second;
}

// Whether packets choose their links by the row's routing on some networks.
bool may_choose(const Values& parameters) {
  const auto* routing = network::find_routing(text_in(parameters, "routing"));
  return routing != nullptr && routing->hops.has_value();
}

}  // namespace

bool by_packets(const Values& parameters) {
  const std::string model = text_in(parameters, "model");
  return model == "packet" || model == "flit";
}

void resolve_hops(Values& parameters, const TopologyFacts& topology) {
  if (!by_packets(parameters)) return;
  if (std::string routing = hop_routing(parameters, topology); !routing.empty())
    parameters["routing"] = std::move(routing);
}

void resolve_packets(Values& parameters) {
  Setting setting{.model = simulation::parse_model(text_in(parameters, "model"))};
  if (const std::string router = text_in(parameters, "router"); !router.empty())
    setting.router = simulation::parse_router_kind(router);
  std::vector<const Field*> fields(packet_fields().begin(), packet_fields().end());
  if (by_packets(parameters)) fields.insert(fields.end(), {&kSharing, &kCables});
  for (const Field* field : fields)
    if (has_no_effect(field->name, setting)) parameters.erase(std::string(field->name));
  for (const Field* field : std::array<const Field*, 3>{&kAdapter, &kInjection, &kVcReuse})
    if (text_in(parameters, field->name) == field->fallback)
      parameters.erase(std::string(field->name));
  // Rows of flits have always had it in their keys.
  if (setting.model != simulation::Model::flit && text_in(parameters, "router") == kRouter.fallback)
    parameters.erase("router");
  if (has_background(parameters)) return;
  for (const char* name : {"background", "background-size", "background-interval"})
    parameters.erase(name);
}

bool draws_packets(const Values& parameters, const TopologyFacts& topology) {
  if (!by_packets(parameters)) return false;
  const std::string router = text_in(parameters, "router");
  return has_background(parameters) || !hop_routing(parameters, topology).empty() ||
         (!router.empty() && simulation::find_router(router).draws);
}

std::string network_routing(const Values& parameters, const Topology& topology) {
  const std::string routing = text_in(parameters, "routing");
  return by_packets(parameters) && !network::hop_routing(routing, topology).empty() ? "shortest"
                                                                                    : routing;
}

std::string routing_key(const Values& parameters) {
  const bool chooses = by_packets(parameters) && may_choose(parameters);
  return text_in(parameters, "routing") + (chooses ? " of packets" : "");
}

}  // namespace weft::fields
