// Flow: an all-to-all over the paths of an optimal flow.
//
// The throughput of a network is what every pair of hosts can ship at once, over any paths and in
// any shares; the flow that proves it says how. Taken apart into paths and cut to units
// (flow/all_to_all_paths.hpp) it is an all-to-all that no schedule betters but by the rounding.
//
// The network forwards: each path is an explicit route, all messages go at once, T_L = 1. Ranks
// forward: a path with h links is h sends in h of the D steps that the longest path takes. If all
// paths started at once, first links would be full early and last links late, and only many
// segments would fill the pipeline; so paths wait where it evens out what each step puts on links
// (hop_times.cpp), and one segment is often enough.
//
// Ranks of one host have the same paths: what its ranks send to those of another is one row of
// blocks, which the paths divide, and among themselves they send at once, over no link.
//
// On a Cayley network the paths of one rank are stored; their translates are the others'.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// appendix A.5, LP (3); Ford, Fulkerson, "Flows in Networks", 1962 (decomposition into paths).

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "hop_times.hpp"
#include "weft/algorithm/element_ranks.hpp"
#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/flow_alltoall.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/flow/all_to_all_paths.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::algorithm {

namespace {

using flow::AllToAllPaths;
using flow::SharedPath;
using topology::CayleyView;

AllToAllPaths paths_on(const Network& network, const std::optional<Chunks>& chunks) {
  flow::AllToAllQuestion question;
  question.places = network.placement().nodes;
  for (const LinkId link : network.topology().links())
    question.capacity.push_back(network.fabric().bandwidth_Bps(link));
  if (chunks) {
    question.most_units = chunks->count;
    question.exactly_so_many = !chunks->best_up_to;
  }
  return flow::all_to_all_paths(network.topology(), question);
}

// A part of a path from a rank to the next: what one message's data crosses.
struct Hop {
  Agent from, to;
  std::vector<LinkId> links;
};

// One path's data, before it has times.
struct Parcel {
  Piece piece;
  std::vector<Hop> hops;
};

// The schedule's parcels: those that start at representatives of the symmetry, or all.
class Parcels {
 public:
  Parcels(const Network& network, const AllToAllPaths& split, const FlowOptions& options)
      : topology_(network.topology()),
        nodes_(network.placement().nodes),
        units_(split.units_per_pair),
        forwarding_(options.forwarding),
        ranks_at_(topology_.node_count()) {
    for (std::size_t r = 0; r < nodes_.size(); ++r) ranks_at_[nodes_[r]].emplace_back(r);
    if (split.of_one_source) view_ = topology::as_cayley(topology_);
    const bool stored =
        view_ && std::ssize(nodes_) == topology_.node_count() && ranks_are_elements(*view_, nodes_);
    if (stored) symmetry_ = Symmetry(view_->group());
    for (const SharedPath& path : split.paths)
      if (!view_)
        add(path.from, path.to, path.units, path.links);
      else if (stored)
        add_translate(nodes_[0], path);
    if (view_ && !stored)
      for (const NodeId node : topology_.hosts())
        for (const SharedPath& path : split.paths) add_translate(node, path);
    for (const std::vector<Agent>& ranks : ranks_at_) add_within(ranks);
  }

  std::vector<Parcel>& all() { return parcels_; }
  std::int64_t units_per_block() const { return units_; }

  /// Makes parcels of each, which may then go at different times.
  void split(std::int64_t parts) {
    std::vector<Parcel> smaller;
    for (const Parcel& parcel : parcels_)
      for (std::int64_t i = 0; i < parts; ++i) {
        smaller.push_back(parcel);
        const std::int64_t units = parcel.piece.count;  // parts times as many, as small
        smaller.back().piece = {parcel.piece.first * parts + i * units, units};
      }
    parcels_ = std::move(smaller);
    units_ *= parts;
  }
  const Symmetry& symmetry() const { return symmetry_; }
  /// The class of a link whose load it shares by symmetry.
  std::int32_t load_class(LinkId link) const {
    return symmetry_.is_trivial() ? link.value() : view_->generator(link);
  }

  /// A hop as it leaves a representative, the piece with it.
  void to_representative(Hop& hop, Piece& piece) const {
    if (symmetry_.is_trivial()) return;
    const std::int32_t back = symmetry_.inverse(symmetry_.element(hop.from));
    const auto ranks = static_cast<std::int64_t>(nodes_.size());
    const std::int64_t block = piece.first / units_;
    const Agent from = symmetry_.apply(back, Agent(block / ranks)),
                to = symmetry_.apply(back, Agent(block % ranks));
    piece.first = (from.value() * ranks + to.value()) * units_ + piece.first % units_;
    hop.from = symmetry_.apply(back, hop.from);
    hop.to = symmetry_.apply(back, hop.to);
    for (LinkId& link : hop.links) link = view_->translate(back, link);
  }

 private:
  void add_translate(NodeId source, const SharedPath& path) {
    const Group& group = view_->group();
    const Group::Element by =
        group.multiply(view_->element(source), group.inverse(view_->element(path.from)));
    std::vector<LinkId> links;
    for (const LinkId link : path.links) links.push_back(view_->translate(by, link));
    add(source, view_->translate(by, path.to), path.units, links);
  }

  // Paths of two hosts come one after the other, and take the blocks of their ranks, by source, by
  // destination, in this order.
  void add(NodeId source, NodeId target, std::int64_t units, const std::vector<LinkId>& links) {
    if (source != source_ || target != target_) next_ = 0;
    source_ = source;
    target_ = target;
    const std::vector<Agent>&froms = ranks_at_[source], &tos = ranks_at_[target];
    while (units > 0) {
      const std::int64_t pair = next_ / units_, first = next_ % units_;
      const std::int64_t count = std::min(units, units_ - first);
      const Agent from = froms[pair / std::ssize(tos)], to = tos[pair % std::ssize(tos)];
      parcels_.push_back({{first_unit(from, to) + first, count}, hops_of(from, to, links)});
      next_ += count;
      units -= count;
    }
  }
  std::int64_t first_unit(Agent from, Agent to) const {
    return (std::int64_t{from.value()} * std::ssize(nodes_) + to.value()) * units_;
  }

  void add_within(const std::vector<Agent>& ranks) {
    for (const Agent from : ranks)
      for (const Agent to : ranks)
        if (from != to) parcels_.push_back({{first_unit(from, to), units_}, {{from, to, {}}}});
  }

  // Of several ranks on the way the destination's counterpart passes on, so that all have a part.
  std::vector<Hop> hops_of(Agent from, Agent to, const std::vector<LinkId>& links) const {
    std::vector<Hop> hops{{from, to, {}}};
    for (const LinkId link : links) {
      hops.back().links.push_back(link);
      const std::vector<Agent>& ranks = ranks_at_[topology_.head(link)];
      if (link == links.back() || ranks.empty() || forwarding_ == Forwarding::network) continue;
      const Agent between = ranks[static_cast<std::size_t>(to.value()) % ranks.size()];
      hops.back().to = between;
      hops.push_back({between, to, {}});
    }
    return hops;
  }

  const Topology& topology_;
  const std::vector<NodeId>& nodes_;
  std::int64_t units_;
  Forwarding forwarding_;
  IdVector<NodeId, std::vector<Agent>> ranks_at_;
  std::optional<CayleyView> view_;
  Symmetry symmetry_;
  std::vector<Parcel> parcels_;
  NodeId source_{}, target_{};  // of the last path
  std::int64_t next_ = 0;       // unit of the blocks between them
};

std::vector<std::vector<std::int32_t>> times_of(const Parcels& parcels, std::span<const Parcel> all,
                                                const Network& network) {
  std::vector<double> capacity(network.topology().link_count(), 1);
  for (const LinkId link : network.topology().links())
    capacity[parcels.load_class(link)] = static_cast<double>(network.fabric().bandwidth_Bps(link));
  std::vector<flow_steps::Travel> travels;
  std::size_t steps = 1;
  for (const Parcel& parcel : all) {
    auto& travel = travels.emplace_back(flow_steps::Travel{parcel.piece.count, {}});
    for (const Hop& hop : parcel.hops) {
      auto& classes = travel.hops.emplace_back();
      for (const LinkId link : hop.links) classes.push_back(parcels.load_class(link));
    }
    steps = std::max(steps, parcel.hops.size());
  }
  return flow_steps::hop_times(travels, capacity, static_cast<std::int32_t>(steps));
}

// As many parts of each parcel as bring the work of hop_times() to a moment.
std::int64_t parts_of(Parcels& parcels, const FlowOptions& options) {
  constexpr std::size_t kMostParcels = 20'000;
  if (options.forwarding == Forwarding::network || options.chunks) return 1;
  std::int64_t parts = 1;
  while (parts < 16 && parcels.all().size() * parts * 2 <= kMostParcels &&
         parcels.units_per_block() * parts * 2 <= schedule::kMaxUnitsPerBlock)
    parts *= 2;
  return parts;
}

// Messages: all that takes the same way in a step is one.
class Writer {
 public:
  Writer(ScheduleBuilder& builder, const Topology& topology)
      : builder_(builder), topology_(topology) {}

  void send(std::int32_t step, const Hop& hop, Piece piece) {
    const RouteId route = route_of(hop.links);
    auto& pieces = sent_[{step, hop.from.value(), hop.to.value(), route.value()}];
    pieces.push_back(piece);
  }
  void write() {
    for (const auto& [way, pieces] : sent_) {
      const auto [step, from, to, route] = way;
      builder_.at(step).send(Agent(from), Agent(to), pieces, Arrival::copy, RouteId(route));
    }
  }

 private:
  // None within a host, and for the only link between two nodes, which every routing takes.
  RouteId route_of(const std::vector<LinkId>& links) {
    if (links.empty()) return kRouted;
    if (links.size() == 1 && alone(links.front())) return kRouted;
    const auto [at, added] = routes_.try_emplace(links, kRouted);
    if (added) at->second = builder_.add_route(links);
    return at->second;
  }
  bool alone(LinkId link) const {
    for (const LinkId other : topology_.out_links(topology_.tail(link)))
      if (other != link && topology_.head(other) == topology_.head(link)) return false;
    return true;
  }

  ScheduleBuilder& builder_;
  const Topology& topology_;
  std::map<std::vector<LinkId>, RouteId> routes_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>, std::vector<Piece>>
      sent_;
};

// To nine digits, and not below it, where the throughput is none of few.
Rational factor_of(const flow::Throughput& throughput, const Fabric& fabric) {
  const Rational at_one = flow::factor_at_one(fabric, throughput.ranks);
  if (throughput.exact) return at_one / *throughput.exact;
  constexpr std::int64_t kDigits = 1'000'000'000;
  return Rational(std::llround(std::ceil(at_one.to_double() / throughput.throughput * kDigits)),
                  kDigits);
}

std::optional<std::string> misfit_on(const Network& network, const FlowOptions& options) {
  if (options.segments > 1 && options.forwarding == Forwarding::network)
    return "segments need ranks that forward; give --forwarding ranks";
  const std::vector<NodeId>& places = network.placement().nodes;
  if (places.size() == 1) return std::nullopt;
  const std::set<NodeId> nodes(places.begin(), places.end());
  const Topology& topology = network.topology();
  if (options.forwarding == Forwarding::ranks && !topology.has_switches() &&
      nodes.size() < topology.hosts().size())
    return "it needs a rank on every node, to forward; use --forwarding network";
  return flow::rank_trees_misfit(network.fabric(), {.places = places});
}

}  // namespace

FlowAllToAll flow_alltoall(const Network& network, const FlowOptions& options) {
  require(options.segments >= 1, "invalid number of segments: {} (expected at least 1)",
          options.segments);
  const auto reason = misfit_on(network, options);
  require(!reason, "flow cannot run this all-to-all ({})", reason.value_or(""));
  const Collective collective = schedule::alltoall(network.ranks());
  if (network.ranks() == 1) return {ScheduleBuilder(collective, {.algorithm = "flow"}).build(), 0};
  const AllToAllPaths split = paths_on(network, options.chunks);
  Parcels parcels(network, split, options);
  parcels.split(parts_of(parcels, options));
  const auto times = times_of(parcels, parcels.all(), network);
  ScheduleBuilder builder(collective, {.algorithm = "flow",
                                       .units_per_block = parcels.units_per_block(),
                                       .symmetry = parcels.symmetry(),
                                       .segments = {.count = options.segments, .stride = 1},
                                       .binding = schedule::binding_to(network)});
  Writer writer(builder, network.topology());
  for (std::size_t i = 0; i < parcels.all().size(); ++i) {
    Parcel& parcel = parcels.all()[i];
    for (std::size_t h = 0; h < parcel.hops.size(); ++h) {
      Piece piece = parcel.piece;
      parcels.to_representative(parcel.hops[h], piece);
      writer.send(times[i][h], parcel.hops[h], piece);
    }
  }
  writer.write();
  return {std::move(builder).build(), factor_of(split.throughput, network.fabric())};
}

namespace {

constexpr std::string_view kForwardings[] = {"network", "ranks"};
constexpr ChoiceOption kForwarding{{.name = "forwarding",
                                    .what = "Agents that forward data in transit",
                                    .type = Option::Type::choice,
                                    .choices = kForwardings,
                                    .fallback = "network"}};

FlowOptions options_of(const Context& context) {
  return {.forwarding =
              kForwarding.in(context.options) == "ranks" ? Forwarding::ranks : Forwarding::network,
          .segments = segments_in(context.options),
          .chunks = kChunks.given(context.options)};
}

}  // namespace

Algorithm flow_entry() {
  return {
      .name = "flow",
      .aliases = {},
      .summary = "The paths of an optimal flow, near the minimum T_B of any schedule",
      .source = "Zhao et al., Efficient Direct-Connect Topologies, appendix A.5, 2022",
      .collectives = {CollectiveKind::alltoall},
      .options = {kSegments, kChunks, kForwarding, kRoutes},
      .misfit = [](const Context& context) -> std::optional<std::string> {
        if (context.network == nullptr) return "it needs a topology";
        return misfit_on(*context.network, options_of(context));
      },
      .build_and_tell =
          [](const Context& context) {
            FlowAllToAll flow = flow_alltoall(*context.network, options_of(context));
            const Rational exact = flow.exact_bandwidth_factor;
            return Built{std::move(flow.schedule), exact};
          },
      .named_only = true,
      .too_long = [](const Context&) -> std::optional<std::string> {
        return "it needs a network that forwards along its paths";
      },
      .making = Making::optimal_paths,
  };
}

}  // namespace weft::algorithm
