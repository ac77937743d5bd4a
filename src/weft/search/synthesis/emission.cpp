#include "emission.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::search {

namespace {

using schedule::Arrival;
using schedule::Piece;
using schedule::RouteId;
using schedule::ScheduleBuilder;

/// The chunks that cross each arc in each step, as pieces.
std::vector<std::vector<Piece>> pieces_by_slot(const Instance& instance, const Plan& plan) {
  std::vector<std::vector<Piece>> slots(
      static_cast<std::size_t>(instance.arc_count() * plan.steps()));
  for (std::size_t item = 0; item < plan.landings.size(); ++item) {
    const Landing& landing = plan.landings[item];
    if (landing.arc < 0) continue;
    WEFT_ASSERT(landing.arc < instance.arc_count() && landing.step >= 1 &&
                landing.step <= plan.steps());
    const std::size_t unit = item / static_cast<std::size_t>(instance.nodes);
    slots[landing.arc * plan.steps() + landing.step - 1].push_back(
        {static_cast<std::int64_t>(unit), 1});
  }
  return slots;
}

class Emitter {
 public:
  Emitter(const Instance& instance, const Plan& plan, graph::Sense sense, const Network& network)
      : instance_(instance),
        plan_(plan),
        back_(sense == graph::Sense::against),
        builder_(
            {back_ ? CollectiveKind::reduce_scatter : CollectiveKind::allgather, network.ranks()},
            {.algorithm = fmt::format("synthesize(steps={}, rounds={}, chunks={})", plan.steps(),
                                      plan.total_rounds(), plan.chunks),
             .units_per_block = plan.chunks,
             .binding = schedule::binding_to(network)}) {}

  schedule::Schedule run() {
    const auto slots = pieces_by_slot(instance_, plan_);
    add_routes();
    for (int step = 0; step < plan_.steps(); ++step)
      for (int a = 0; a < instance_.arc_count(); ++a)
        send(a, step, slots[a * plan_.steps() + step]);
    return std::move(builder_).build();
  }

 private:
  /// An explicit route over each link that has a parallel one.
  void add_routes() {
    for (const Arc& arc : instance_.arcs) {
      routes_.emplace_back();
      if (arc.links.size() == 1) {
        routes_.back().push_back(schedule::kRouted);
        continue;
      }
      for (LinkId link : arc.links) routes_.back().push_back(builder_.add_route({&link, 1}));
    }
  }

  /// What crosses an arc in a step, shared out over its links as their bandwidths allow.
  void send(int a, int step, std::span<const Piece> pieces) {
    const Arc& arc = instance_.arc(a);
    const Agent from(back_ ? arc.head : arc.tail), to(back_ ? arc.tail : arc.head);
    const int rounds = plan_.rounds[step];
    std::size_t sent = 0;
    for (std::size_t i = 0; i < arc.links.size() && sent < pieces.size(); ++i) {
      const auto room = static_cast<std::size_t>(arc.link_weights[i] * rounds);
      const auto share = pieces.subspan(sent, std::min(room, pieces.size() - sent));
      builder_.at(back_ ? plan_.steps() - 1 - step : step)
          .send(from, to, share, back_ ? Arrival::reduce : Arrival::copy, routes_[a][i]);
      sent += share.size();
    }
    WEFT_ASSERT(sent == pieces.size());
  }

  const Instance& instance_;
  const Plan& plan_;
  bool back_;
  ScheduleBuilder builder_;
  std::vector<std::vector<RouteId>> routes_;  // by arc and link
};

}  // namespace

schedule::Schedule emit(const Instance& instance, const Plan& plan, graph::Sense sense,
                        const Network& network) {
  return Emitter(instance, plan, sense, network).run();
}

}  // namespace weft::search
