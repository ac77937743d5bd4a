// d-mod-k and s-mod-k: one fixed path per pair on extended generalised fat trees.
//
// A path climbs from the source to the lowest level above both hosts, then descends the only way.
// At level l the climb takes parent floor(x / (w_1 ... w_l)) mod w_(l+1), with x the number of the
// destination (d-mod-k: all paths to a host meet in one tree, and shifts of the ranks are free of
// contention on trees of full bandwidth) or of the source (s-mod-k: all paths from a host leave by
// one tree).
// Where something failed, see mod_k_damaged.cpp.
// Source: Ohring, Ibel, Das, Kumar, "On Generalized Fat Trees", IPPS 1995 (the trees); Zahavi,
// "Fat-Trees Routing and Node Ordering Providing Contention Free Traffic for MPI Global
// Collectives", IPDPS Workshops 2011 (D-Mod-K); Rodriguez et al., "Oblivious Routing Schemes in
// Extended Generalized Fat Tree Networks", CLUSTER 2009 (S-mod-k).
#include <cstdint>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/makers.hpp"
#include "weft/network/routing/tree/up_down.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

class ModK final : public Routing {
 public:
  ModK(const Fabric& fabric, topology::XgftView tree, ModKey key)
      : Routing(fabric.topology()),
        latencies_(fabric),
        paths_(fabric.topology(), std::move(tree)),
        key_(key) {}

  std::string_view name() const override { return name_of(key_); }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    for (const Flow& flow : step) {
      require(paths_.is_host(flow.from) && paths_.is_host(flow.to),
              "{} routes between hosts only, not from node {} to node {}; use shortest", name(),
              flow.from.value(), flow.to.value());
      const std::int64_t key = key_ == ModKey::destination ? flow.to.value() : flow.from.value();
      const auto digit = [&](std::size_t level) {
        return key / paths_.copies(level) % paths_.tree().parents[level];
      };
      paths_.push_path(flow, digit, routes);
      routes.finish(latencies_.sum(routes.unfinished()));
    }
  }

 private:
  Latencies latencies_;
  UpDownPaths paths_;
  ModKey key_;
};

std::shared_ptr<const Routing> make_whole_or_damaged(const Fabric& fabric, ModKey key) {
  if (const auto damaged = as_damaged_xgft(fabric.topology()))
    return make_mod_k(fabric, *damaged, key);
  auto tree = as_xgft(fabric.topology());
  require(tree.has_value(), "{} does not fit {} (needs an xgft or fat-tree network); use shortest",
          name_of(key), fabric.topology().name());
  return std::make_shared<ModK>(fabric, std::move(*tree), key);
}

}  // namespace

std::string_view name_of(ModKey key) {
  return key == ModKey::destination ? "d-mod-k" : "s-mod-k";
}

RoutingEntry d_mod_k_entry() {
  return {.info = {.name = std::string(name_of(ModKey::destination)),
                   .summary = "Up by the digits of the destination, then down",
                   .fits = "xgft, fat-tree"},
          .paths = [](const Fabric& fabric, std::uint64_t) {
            return make_whole_or_damaged(fabric, ModKey::destination);
          }};
}

RoutingEntry s_mod_k_entry() {
  return {.info = {.name = std::string(name_of(ModKey::source)),
                   .summary = "Up by the digits of the source, then down",
                   .fits = "xgft, fat-tree"},
          .paths = [](const Fabric& fabric, std::uint64_t) {
            return make_whole_or_damaged(fabric, ModKey::source);
          }};
}

}  // namespace weft::network
