// pattern-aware: the messages of a step are given paths together, on extended generalised fat
// trees.
//
// tree_phase.cpp chooses them. What one message is given depends on the others of its step, as a
// subnet manager or an application that knows its phases would set it up.
// Source: Prisacari, Rodriguez, Minkenberg, Hoefler, "Bandwidth-optimal All-to-all Exchanges in Fat
// Tree Networks", ICS 2013, section 4.1, which finds them by an integer program.
#include <utility>

#include "weft/base/error.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/tree/tree_phase.hpp"
#include "weft/network/routing/tree/up_down.hpp"

namespace weft::network {

namespace {

class PatternAware final : public Routing {
 public:
  PatternAware(const Fabric& fabric, topology::XgftView tree)
      : Routing(fabric.topology()),
        latencies_(fabric),
        paths_(fabric.topology(), std::move(tree)) {}

  std::string_view name() const override { return "pattern-aware"; }
  bool sees_whole_step() const override { return true; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    for (const Flow& flow : step)
      require(paths_.is_host(flow.from) && paths_.is_host(flow.to),
              "{} routes between hosts only, not from node {} to node {}; use shortest", name(),
              flow.from.value(), flow.to.value());
    const TreePhase phase = choose_paths(paths_, step);
    for (std::size_t i = 0; i < step.size(); ++i) {
      const auto digit = [&](std::size_t level) {
        return phase.digits[i * paths_.height() + level];
      };
      paths_.push_path(step[i], digit, routes);
      routes.finish(latencies_.sum(routes.unfinished()));
    }
  }

 private:
  Latencies latencies_;
  UpDownPaths paths_;
};

std::shared_ptr<const Routing> make_pattern_aware(const Fabric& fabric, std::uint64_t /*seed*/) {
  require(!as_damaged_xgft(fabric.topology()),
          "pattern-aware needs a complete tree, but {} has failures; use d-mod-k, which avoids "
          "failures",
          fabric.topology().name());
  auto tree = as_xgft(fabric.topology());
  require(tree.has_value(),
          "pattern-aware does not fit {} (needs an xgft or fat-tree network); use shortest",
          fabric.topology().name());
  return std::make_shared<PatternAware>(fabric, std::move(*tree));
}

}  // namespace

RoutingEntry pattern_aware_entry() {
  return {.info = {.name = "pattern-aware",
                   .summary = "Paths for all messages of a step together, without conflicts",
                   .fits = "xgft, fat-tree"},
          .paths = make_pattern_aware};
}

}  // namespace weft::network
