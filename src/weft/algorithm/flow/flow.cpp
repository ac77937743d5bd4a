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
// On a Cayley network the paths of one rank are stored; their translates are the others'.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// appendix A.5, LP (3); Ford, Fulkerson, "Flows in Networks", 1962 (decomposition into paths).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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
  question.hosts = network.placement().nodes;
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
        rank_at_(topology_.node_count()) {
    for (std::size_t r = 0; r < nodes_.size(); ++r) rank_at_[nodes_[r]] = Agent(Rank(r));
    if (split.of_one_source) view_ = topology::as_cayley(topology_);
    const bool stored = view_ && ranks_are_elements(*view_, nodes_);
    if (stored) symmetry_ = Symmetry(view_->group());
    if (!view_) {
      for (const SharedPath& path : split.paths) add(path.from, path.to, path.units, path.links);
      return;
    }
    for (const NodeId node : stored ? std::vector{nodes_[0]} : nodes_)
      for (const SharedPath& path : split.paths) add_translate(node, path);
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

  // Paths of a pair come one after the other.
  void add(NodeId source, NodeId target, std::int64_t units, const std::vector<LinkId>& links) {
    const Agent from = *rank_at_[source], to = *rank_at_[target];
    const std::int64_t block = std::int64_t{from.value()} * std::ssize(nodes_) + to.value();
    if (block != last_block_) next_ = block * units_;
    last_block_ = block;
    parcels_.push_back({{next_, units}, hops_of(from, links)});
    next_ += units;
  }

  std::vector<Hop> hops_of(Agent from, const std::vector<LinkId>& links) const {
    std::vector<Hop> hops{{from, from, {}}};
    for (const LinkId link : links) {
      Hop& hop = hops.back();
      hop.links.push_back(link);
      const auto rank = rank_at_[topology_.head(link)];
      if (rank) hop.to = *rank;
      if (link != links.back() && rank && forwarding_ == Forwarding::ranks)
        hops.push_back({*rank, *rank, {}});
    }
    return hops;
  }

  const Topology& topology_;
  const std::vector<NodeId>& nodes_;
  std::int64_t units_;
  Forwarding forwarding_;
  IdVector<NodeId, std::optional<Agent>> rank_at_;
  std::optional<CayleyView> view_;
  Symmetry symmetry_;
  std::vector<Parcel> parcels_;
  std::int64_t last_block_ = -1, next_ = 0;
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
  // None for the only link between two nodes, which every routing takes.
  RouteId route_of(const std::vector<LinkId>& links) {
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

// T_B = B / (N f), f in units of the fastest link; to nine digits where f is none of few.
Rational factor_of(const flow::Throughput& throughput, const Fabric& fabric) {
  std::int64_t fastest = 0;
  for (const LinkId link : fabric.topology().links())
    fastest = std::max(fastest, fabric.bandwidth_Bps(link));
  const Rational at_one = Rational(fabric.node_egress_Bps(), fastest) / Rational(throughput.hosts);
  if (throughput.exact) return at_one / *throughput.exact;
  constexpr std::int64_t kDigits = 1'000'000'000;
  return Rational(std::llround(at_one.to_double() / throughput.throughput * kDigits), kDigits);
}

std::optional<std::string> misfit_on(const Network& network, const FlowOptions& options) {
  if (options.segments > 1 && options.forwarding == Forwarding::network)
    return "segments are a pipeline of what ranks pass on; give --forwarding ranks";
  std::vector<NodeId> nodes = network.placement().nodes;
  if (nodes.size() == 1) return std::nullopt;
  std::ranges::sort(nodes);
  const auto shared = std::ranges::adjacent_find(nodes);
  if (shared != nodes.end())
    return fmt::format("several ranks share node {}; it needs one on each", shared->value());
  const Topology& topology = network.topology();
  if (options.forwarding == Forwarding::ranks && !topology.has_switches() &&
      nodes.size() < topology.hosts().size())
    return "it needs a rank on every node, to forward; leave it to the network";
  return flow::rank_trees_misfit(network.fabric(), {.places = network.placement().nodes});
}

}  // namespace

FlowAllToAll flow_alltoall(const Network& network, const FlowOptions& options) {
  require(options.segments >= 1, "{} segments bring nothing; give 1 or more", options.segments);
  const auto reason = misfit_on(network, options);
  require(!reason, "an all-to-all by flows does not fit ({})", reason.value_or(""));
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
                                    .what = "Who passes on what is on its way",
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
      .summary = "the paths of an optimal flow, near the least T_B that any schedule has",
      .source = "Zhao et al., Efficient Direct-Connect Topologies, appendix A.5, 2022",
      .collectives = {CollectiveKind::alltoall},
      .options = {kSegments, kChunks, kForwarding},
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
  };
}

}  // namespace weft::algorithm
