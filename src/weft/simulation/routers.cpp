#include "weft/simulation/routers.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/alternatives.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/packet/codes/codes_routers.hpp"
#include "weft/simulation/packet/input_queued/input_queued.hpp"
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation {

namespace {

std::unique_ptr<PacketEngine> output_buffered(const Fabric& fabric, const PacketOptions& options) {
  packet::LinkWiring wiring(fabric, options);
  std::unique_ptr<network::HopRouting> routing;
  if (!options.routing.empty())
    routing =
        network::make_hop_routing(options.routing, {wiring, fabric, options.seed, options.vcs});
  return packet::make_output_buffered(std::move(wiring), options, std::move(routing));
}

std::unique_ptr<PacketEngine> of_codes(const Fabric& fabric, const PacketOptions& options) {
  return codes::make_engine(fabric, options);
}

constexpr std::array kRouters{
    Router{.kind = RouterKind::output_buffered,
           .name = "output-buffered",
           .only = {},
           .why_only = {},
           .reuses_empty = true,
           .make_engine = output_buffered},
    Router{.kind = RouterKind::input_queued,
           .name = "input-queued",
           .only = Granularity::flit,
           .why_only = "they pass flits on",
           .summary = "flit model, with a crossbar",
           .fewest_vcs = 8,
           .make_engine = input_queued::make_engine},
    Router{.kind = RouterKind::codes,
           .name = "codes",
           .only = Granularity::packet,
           .why_only = "they pass chunks on, not flits",
           .summary = "packet model, as in CODES of 2016",
           .no_switching = "chunks are passed on whole, those of the highest channel first",
           .draws = true,
           .make_engine = of_codes}};

std::string names_where(const auto& holds) {
  std::vector<std::string> names;
  for (const Router& router : kRouters)
    if (holds(router)) names.emplace_back(router.name);
  return alternatives(names);
}

}  // namespace

std::span<const Router> routers() {
  return kRouters;
}

const Router& router_of(RouterKind kind) {
  const Router& router = kRouters.at(static_cast<std::size_t>(kind));
  WEFT_ASSERT(router.kind == kind);
  return router;
}

std::string reusing_routers() {
  return names_where([](const Router& router) { return router.reuses_empty; });
}

std::string routers_of(Granularity only) {
  return names_where([only](const Router& router) { return router.only == only; });
}

std::string_view model_of(Granularity granularity) {
  return granularity == Granularity::flit ? "flit" : "packet";
}

const Router& find_router(std::string_view name) {
  std::array<std::string_view, kRouters.size()> names;
  std::ranges::transform(kRouters, names.begin(), &Router::name);
  return kRouters.at(place_of("kind of router", name, names));
}

RouterKind parse_router_kind(std::string_view name) {
  return find_router(name).kind;
}

std::string_view name_of(RouterKind router) {
  return router_of(router).name;
}

}  // namespace weft::simulation
