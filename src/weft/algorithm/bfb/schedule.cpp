// The plan's passes written out as messages.
//
// In an allgather, what a parcel says is sent: over the arc to the receiver, in its step. A
// reduce-scatter is the allgather of the transpose graph with time and links reversed: the receiver
// sends its partial sums back over the arc, the last step first (Corollary 1.1 of the paper). Under
// a symmetry a parcel moves with its sender to the representative of the sender's orbit.
#include "schedule.hpp"

#include <algorithm>
#include <optional>

#include "deal.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"

namespace weft::algorithm::bfb {

namespace {

constexpr std::int64_t kParts = 64;                          // of the receivers
constexpr std::int64_t kMostPieces = std::int64_t{1} << 27;  // some 4 GB while it is built

bool in_order(std::span<const NodeId> nodes) {
  return std::is_sorted(nodes.begin(), nodes.end());
}

class Writer {
 public:
  Writer(ScheduleBuilder& builder, std::vector<Rank> ranks, LinkRoutes routes)
      : builder_(builder), ranks_(std::move(ranks)), routes_(std::move(routes)) {}

  void write(const Pass& pass, std::int64_t first_step) {
    const auto count = static_cast<std::int64_t>(pass.receivers.size());
    const std::int64_t parts = std::min(count, kParts);
    std::vector<Parcels> dealt(static_cast<std::size_t>(parts));
    parallel_for(parts, [&](std::int64_t i) {
      Dealer dealer(pass, builder_.units_per_block());
      for (std::int64_t r = count * i / parts; r < count * (i + 1) / parts; ++r)
        dealer.deal(pass.receivers[static_cast<std::size_t>(r)],
                    dealt[static_cast<std::size_t>(i)]);
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
    const bool along = pass.arcs.flow() == Flow::along;
    const std::int32_t last = static_cast<std::int32_t>(pass.times.size()) - 1;
    const std::int32_t sender = along ? parcel.arc.from : parcel.receiver;
    const std::int32_t taker = along ? parcel.receiver : parcel.arc.from;
    const std::int32_t back = pass.symmetry.inverse(pass.symmetry.element(Agent(sender)));
    const auto agent = [&](std::int64_t node) -> Agent {
      return ranks_[pass.symmetry.apply(back, Agent(node)).index()];
    };
    const std::int64_t units = builder_.units_per_block();
    moved_.clear();
    for (const Piece& piece : pieces)
      moved_.push_back(
          {agent(piece.first / units).value() * units + piece.first % units, piece.count});
    builder_.at(first_step + (along ? parcel.step : last - parcel.step))
        .send(agent(sender), agent(taker), moved_, along ? Arrival::copy : Arrival::reduce,
              routes_.of(parcel.arc.link, builder_));
  }

  ScheduleBuilder& builder_;
  std::vector<Rank> ranks_;
  LinkRoutes routes_;
  std::vector<Piece> moved_;
};

void require_size(const Plan& plan, const Topology& topology) {
  std::int64_t pieces = 0;
  for (const Pass& pass : plan.passes)
    pieces += static_cast<std::int64_t>(pass.receivers.size()) * pass.arcs.nodes();
  require(pieces <= kMostPieces,
          "the bfb schedule on {} would have at least {} pieces, too many to hold (up to {}); ask "
          "for its cost alone (--cost-only)",
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
  const NodeId head = topology_.head(link);
  int links = 0;
  for (const LinkId other : topology_.out_links(topology_.tail(link)))
    links += topology_.head(other) == head ? 1 : 0;
  if (links == 1) return kRouted;
  RouteId& route = routes_[link.index()];
  if (route == kRouted) route = builder.add_route(std::span(&link, 1));
  return route;
}

Schedule placed_schedule(const Fabric& fabric, CollectiveKind kind,
                         std::span<const NodeId> node_of_rank, BfbOptions options) {
  const Topology& topology = fabric.topology();
  WEFT_ASSERT(one_on_each_node(node_of_rank, topology));
  // Explicit routes, for parallel links, have no translates.
  if (!in_order(node_of_rank) || Arcs(fabric, Flow::along).has_parallel())
    options.symmetries = Symmetries::expand;
  const Plan plan = make_plan(fabric, kind, options);
  require_size(plan, topology);
  ScheduleBuilder builder({.kind = kind, .ranks = topology.node_count()},
                          {.algorithm = "bfb",
                           .units_per_block = plan.units,
                           .symmetry = plan.passes.front().symmetry,
                           .binding = {.topology = topology.name(),
                                       .hash = topology.hash(),
                                       .nodes = {node_of_rank.begin(), node_of_rank.end()}}});
  Writer writer(builder, ranks_of_nodes(node_of_rank),
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
