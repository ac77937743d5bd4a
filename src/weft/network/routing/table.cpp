// Table: each switch passes on what is for an address as the fabric's own tables say.
//
// A message leaves its host by one of the host's ports and is for one of the addresses of the other
// host, as the adapters of a cluster do it: the pairs of a port and an address are taken in turn by
// the hosts' numbers, so that all rails of a network with several are used. A pair whose tables
// lead nowhere, such as a port of one plane and an address in another, is passed over.
#include <fmt/format.h>

#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"

namespace weft::network {

namespace {

using topology::node_text;

class Table final : public Routing {
 public:
  explicit Table(const Fabric& fabric)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        latencies_(fabric),
        forwarding_(topology_, topology_.facets().tables) {}

  std::string_view name() const override { return "table"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    std::vector<LinkId> path;
    for (const Flow& flow : step) {
      if (flow.from != flow.to) {
        find(flow, path);
        for (const LinkId link : path) routes.push(link);
      }
      routes.finish(latencies_.sum(routes.unfinished()));
    }
  }

 private:
  void find(const Flow& flow, std::vector<LinkId>& path) const {
    const auto addresses = forwarding_.addresses(flow.to);
    const IdRange<LinkId> ports = topology_.out_links(flow.from);
    const auto pairs = static_cast<std::int64_t>(addresses.size()) * ports.size();
    std::string why = addresses.empty() ? "it has no address there" : "no cable leads from there";
    for (std::int64_t i = 0; i < pairs; ++i) {
      const std::int64_t pair = (i + flow.from.value() + std::int64_t{flow.to.value()}) % pairs;
      const LinkId first((*ports.begin()).value() + pair % ports.size());
      if (walk(first, flow.to, addresses[pair / ports.size()], path, why)) return;
    }
    reject(
        "the forwarding tables have no path from {} to {}: {}; import complete tables, or "
        "choose another --routing",
        node_text(topology_, flow.from), node_text(topology_, flow.to), why);
  }

  // Whether it arrives; `why` not, otherwise.
  bool walk(LinkId link, NodeId to, std::int32_t address, std::vector<LinkId>& path,
            std::string& why) const {
    path.assign(1, link);
    NodeId node = topology_.head(link);
    while (!topology_.is_host(node)) {
      if (path.size() > topology_.switches().size()) {
        why = fmt::format("it goes round in a loop through {}", node_text(topology_, node));
        return false;
      }
      const auto next = forwarding_.next(node, address);
      if (!next) {
        why = fmt::format("switch {} has no entry for it", node_text(topology_, node));
        return false;
      }
      path.push_back(*next);
      node = topology_.head(*next);
    }
    if (node != to) why = fmt::format("it ends at {}", node_text(topology_, node));
    return node == to;
  }

  Topology topology_;
  Latencies latencies_;
  topology::Forwarding forwarding_;
};

std::shared_ptr<const Routing> make_table(const Fabric& fabric, std::uint64_t /*seed*/) {
  require(fabric.topology().facets().tables != nullptr,
          "{} has no forwarding tables; add them with weft import --routes, or choose another "
          "--routing",
          fabric.topology().name());
  return std::make_shared<Table>(fabric);
}

}  // namespace

RoutingEntry table_entry() {
  return {.info = {.name = "table",
                   .summary = "The forwarding tables that the fabric was imported with",
                   .fits = "fabrics with --routes"},
          .paths = make_table};
}

}  // namespace weft::network
