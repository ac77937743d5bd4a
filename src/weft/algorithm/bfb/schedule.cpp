// The plan's passes written out as messages.
//
// In an allgather, what a parcel says is sent: over the arc to the receiver, in its step. A
// reduce-scatter is the allgather of the transpose graph with time and links reversed: the receiver
// sends its partial sums back over the arc, the last step first (Corollary 1.1 of the paper). Under
// a symmetry a parcel moves with its sender to the representative of the sender's orbit.
#include "schedule.hpp"

#include <algorithm>
#include <numeric>

#include "deal.hpp"
#include "weft/algorithm/element_ranks.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"

namespace weft::algorithm::bfb {

namespace {

constexpr std::int64_t kParts = 64;                          // of the receivers
constexpr std::int64_t kMostPieces = std::int64_t{1} << 27;  // some 4 GB while it is built

/// Who receives, and the symmetry that makes the others' messages from theirs.
struct Stored {
  Symmetry symmetry;
  std::vector<std::int32_t> receivers;
};

Stored stored_part(const Plan& plan, std::span<const NodeId> node_of_rank) {
  WEFT_ASSERT(!node_of_rank.empty());
  if (plan.view && ranks_are_elements(*plan.view, node_of_rank))
    return {Symmetry(plan.view->group()), {node_of_rank[0].value()}};
  Stored all{.symmetry = {}, .receivers = std::vector<std::int32_t>(node_of_rank.size())};
  std::iota(all.receivers.begin(), all.receivers.end(), 0);
  return all;
}

class Writer {
 public:
  Writer(ScheduleBuilder& builder, const Plan& plan, const Stored& stored, std::vector<Rank> ranks,
         LinkRoutes routes)
      : builder_(builder),
        plan_(plan),
        stored_(stored),
        ranks_(std::move(ranks)),
        routes_(std::move(routes)) {}

  void write(const Pass& pass, std::int64_t first_step) {
    const auto count = static_cast<std::int64_t>(stored_.receivers.size());
    const std::int64_t parts = std::min(count, kParts);
    std::vector<Parcels> dealt(parts);
    parallel_for(parts, [&](std::int64_t i) {
      Dealer dealer(pass, builder_.units_per_block());
      for (std::int64_t r = count * i / parts; r < count * (i + 1) / parts; ++r)
        dealer.deal(stored_.receivers[r], dealt[i]);
    });
    for (Parcels& parcels : dealt) {
      for (std::size_t p = 0; p < parcels.parcels.size(); ++p)
        send(pass, first_step, parcels.parcels[p], parcels.pieces_of(p));
      parcels = {};
    }
  }

 private:
  void send(const Pass& pass, std::int64_t first_step, const Parcel& parcel,
            std::span<const Piece> pieces) {
    const bool along = pass.arcs.sense() == Sense::along;
    const std::int32_t last = static_cast<std::int32_t>(pass.times.size()) - 1;
    const std::int32_t sender = along ? parcel.arc.from : parcel.receiver;
    const std::int32_t taker = along ? parcel.receiver : parcel.arc.from;
    const Symmetry& symmetry = stored_.symmetry;
    const std::int32_t back = symmetry.inverse(symmetry.element(rank(sender)));
    const auto agent = [&](std::int64_t node) { return symmetry.apply(back, rank(node)); };
    const LinkId link =
        back == 0 ? LinkId(parcel.arc.link) : plan_.view->translate(back, LinkId(parcel.arc.link));
    const std::int64_t units = builder_.units_per_block();
    moved_.clear();
    for (const Piece& piece : pieces)
      moved_.push_back(
          {agent(piece.first / units).value() * units + piece.first % units, piece.count});
    builder_.at(first_step + (along ? parcel.step : last - parcel.step))
        .send(agent(sender), agent(taker), moved_, along ? Arrival::copy : Arrival::reduce,
              routes_.of(link, builder_));
  }
  Rank rank(std::int64_t node) const { return ranks_[node]; }

  ScheduleBuilder& builder_;
  const Plan& plan_;
  const Stored& stored_;
  std::vector<Rank> ranks_;  // by node
  LinkRoutes routes_;
  std::vector<Piece> moved_;
};

void require_size(const Plan& plan, const Stored& stored, const Topology& topology) {
  const std::int64_t pieces =
      std::ssize(plan.passes) * std::ssize(stored.receivers) * std::int64_t{topology.node_count()};
  require(pieces <= kMostPieces,
          "the bfb schedule on {} would have at least {} pieces, too many to store (at most "
          "{}); use --cost-only to get its cost",
          topology.name(), pieces, kMostPieces);
}

}  // namespace

bool one_on_each_node(std::span<const NodeId> node_of_rank, const Topology& topology) {
  if (node_of_rank.size() != static_cast<std::size_t>(topology.node_count())) return false;
  std::vector<NodeId> sorted(node_of_rank.begin(), node_of_rank.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

std::vector<Rank> ranks_of_nodes(std::span<const NodeId> node_of_rank) {
  std::vector<Rank> ranks(node_of_rank.size());
  for (std::size_t r = 0; r < node_of_rank.size(); ++r) ranks[node_of_rank[r].index()] = Rank(r);
  return ranks;
}

RouteId LinkRoutes::of(LinkId link, ScheduleBuilder& builder) {
  if (routes_.empty()) return kRouted;
  WEFT_ASSERT(link.value() >= 0 && link.index() < routes_.size());
  RouteId& route = routes_[link.index()];
  if (route == kRouted) route = builder.add_route(std::span(&link, 1));
  return route;
}

Schedule placed_schedule(const Fabric& fabric, CollectiveKind kind,
                         std::span<const NodeId> node_of_rank, const BfbOptions& options) {
  const Topology& topology = fabric.topology();
  WEFT_ASSERT(one_on_each_node(node_of_rank, topology));
  const Plan plan = make_plan(fabric, kind, options);
  const Stored stored = stored_part(plan, node_of_rank);
  require_size(plan, stored, topology);
  ScheduleBuilder builder({.kind = kind, .ranks = topology.node_count()},
                          {.algorithm = "bfb",
                           .units_per_block = plan.units,
                           .symmetry = stored.symmetry,
                           .binding = {.topology = topology.name(),
                                       .hash = topology.hash(),
                                       .nodes = {node_of_rank.begin(), node_of_rank.end()}}});
  Writer writer(builder, plan, stored, ranks_of_nodes(node_of_rank),
                LinkRoutes(topology, plan.passes.front().arcs.has_parallel()));
  std::int64_t first_step = 0;
  for (const Pass& pass : plan.passes) {
    writer.write(pass, first_step);
    first_step += static_cast<std::int64_t>(pass.times.size());
  }
  return std::move(builder).build();
}

}  // namespace weft::algorithm::bfb

namespace weft::algorithm {

Schedule bfb_schedule(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options) {
  std::vector<NodeId> node_of_rank;
  for (const NodeId node : fabric.topology().nodes()) node_of_rank.push_back(node);
  return bfb::placed_schedule(fabric, kind, node_of_rank, options);
}

}  // namespace weft::algorithm
