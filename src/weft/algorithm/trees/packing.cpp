// Packing: trees of all ranks at once, as many as fill the cut that bounds the collective.
//
// Each block is cut into as many units as its rank has trees, a unit for each. A tree whose
// multiplicity is m carries m of them. What crosses an arc at depth t is sent in step t, all that
// goes one way through the network in a step as one message, and segments run one step apart: every
// arc then has each tree's data once a segment, which in full flow is what the cut lets through.
// Ranks that share a node share its trees: one of them receives, sends on, and passes to the others
// in the next step.
//
// Source: Edmonds, "Edge-disjoint branchings", 1973; Bang-Jensen, Frank, Jackson, 1995 (switches);
// Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", 2024 (T_B).
#include "weft/algorithm/packing.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/translated_packing.hpp"
#include "weft/algorithm/trees/tree_graph.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

using flow::RankTrees;
using graph::Sense;

// Whether several links lead from some node to another, so that messages do not say which they
// take.
bool joins_twice(const Topology& topology) {
  std::vector<std::int32_t> heads;
  for (const NodeId node : topology.nodes()) {
    heads.clear();
    for (const LinkId link : topology.out_links(node))
      if (topology.head(link) != node) heads.push_back(topology.head(link).value());
    std::ranges::sort(heads);
    if (std::ranges::adjacent_find(heads) != heads.end()) return true;
  }
  return false;
}

// Trees as messages.
class TreeMessages {
 public:
  TreeMessages(const Network& network, const Collective& collective, const RankTrees& trees,
               Sense sense)
      : collective_(collective), trees_(trees), sense_(sense), ranks_at_(trees.places.size()) {
    const std::vector<NodeId>& nodes = network.placement().nodes;
    for (std::int32_t rank = 0; rank < collective.ranks; ++rank)
      ranks_at_[place_of(nodes[rank])].push_back(Agent(rank));
    for (const flow::TreeArc& arc : trees.arcs) {
      first_way_.push_back(static_cast<std::int32_t>(left_.size()));
      for (const flow::LinkWay& way : arc.ways) {
        left_.push_back(way.trees);
        ways_.push_back(way.links);
      }
    }
    explicit_ = network.topology().has_switches() || joins_twice(network.topology()) ||
                std::ranges::any_of(ways_, [](const auto& links) { return links.size() > 1; });
  }

  Schedule schedule() && {
    units_ = collective_.rooted() ? trees_.count / std::gcd(trees_.count, collective_.blocks())
                                  : trees_.count;
    const std::int64_t of_tree =
        collective_.rooted() ? collective_.blocks() * units_ / trees_.count : 1;
    std::int64_t next = 0;
    std::int32_t last = -1;
    for (const graph::PackedTree& tree : trees_.trees) {
      if (tree.root != last) next = std::int64_t{tree.root} * trees_.count;
      last = tree.root;
      const Agent root(collective_.rooted() ? collective_.root.value() : tree.root);
      send(tree, root, {next * of_tree, tree.multiplicity * of_tree}, of_tree);
      next += tree.multiplicity;
    }
    return build();
  }

 private:
  static constexpr std::int32_t kLocal = -1;  // within a node

  struct Sent {
    std::int32_t step = 0;
    Agent from, to;  // away from the root
    std::int32_t way = kLocal;
    Piece piece;
  };

  std::size_t place_of(NodeId node) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(trees_.places, node) -
                                    trees_.places.begin());
  }

  void send(const graph::PackedTree& tree, Agent root, Piece piece, std::int64_t of_tree) {
    const auto head_of = [&](std::size_t place) {
      const auto& ranks = ranks_at_[place];
      return std::ranges::count(ranks, root) > 0 ? root : ranks.front();
    };
    for (std::size_t place = 0; place < ranks_at_.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      const Agent head = head_of(place);
      if (branch.depth >= 0)
        send_over(branch, head_of(static_cast<std::size_t>(branch.parent)), head, piece, of_tree);
      for (const Agent rank : ranks_at_[place])
        if (rank != head) put({branch.depth + 1, head, rank, kLocal, piece});
    }
  }

  // Over the arc's ways, one where it has room.
  void send_over(const graph::Branch& branch, Agent from, Agent to, Piece piece,
                 std::int64_t of_tree) {
    const auto first = static_cast<std::size_t>(first_way_[branch.arc]);
    const std::size_t end = first + trees_.arcs[branch.arc].ways.size();
    const std::int64_t wanted = piece.count / of_tree;
    for (std::size_t way = first; way < end && piece.count > 0; ++way)
      if (left_[way] >= wanted) take(way, wanted, branch.depth, from, to, piece, of_tree);
    for (std::size_t way = first; way < end && piece.count > 0; ++way)
      take(way, std::min(left_[way], piece.count / of_tree), branch.depth, from, to, piece,
           of_tree);
    WEFT_ASSERT(piece.count == 0);
  }
  void take(std::size_t way, std::int64_t trees, std::int32_t step, Agent from, Agent to,
            Piece& piece, std::int64_t of_tree) {
    if (trees == 0) return;
    left_[way] -= trees;
    put({step, from, to, static_cast<std::int32_t>(way), {piece.first, trees * of_tree}});
    piece = {piece.first + trees * of_tree, piece.count - trees * of_tree};
  }
  void put(const Sent& sent) {
    steps_ = std::max(steps_, sent.step + 1);
    sent_.push_back(sent);
  }

  Schedule build() {
    const auto key = [](const Sent& sent) {
      return std::tuple(sent.step, sent.way, sent.from, sent.to, sent.piece.first);
    };
    std::ranges::sort(sent_, {}, key);
    ScheduleBuilder builder(collective_, {.algorithm = "packing", .units_per_block = units_});
    if (explicit_)
      for (const auto& links : ways_) builder.add_route(links);
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < sent_.size();) {
      const Sent& first = sent_[i];
      pieces.clear();
      for (;
           i < sent_.size() && std::tie(sent_[i].step, sent_[i].way, sent_[i].from, sent_[i].to) ==
                                   std::tie(first.step, first.way, first.from, first.to);
           ++i)
        pieces.push_back(sent_[i].piece);
      const bool away = sense_ == Sense::along;
      builder.at(away ? first.step : steps_ - 1 - first.step)
          .send(away ? first.from : first.to, away ? first.to : first.from, pieces,
                away ? Arrival::copy : Arrival::reduce,
                explicit_ && first.way != kLocal ? RouteId(first.way) : kRouted);
    }
    return std::move(builder).build();
  }

  const Collective& collective_;
  const RankTrees& trees_;
  Sense sense_;
  std::vector<std::vector<Agent>> ranks_at_;  // by place
  std::vector<std::int32_t> first_way_;       // by arc
  std::vector<std::int64_t> left_;            // by way: the trees that it can still take
  std::vector<std::vector<LinkId>> ways_;
  bool explicit_ = false;
  std::int64_t units_ = 1;
  std::int32_t steps_ = 0;
  std::vector<Sent> sent_;
};

Schedule over_trees(const Network& network, const Collective& collective, std::int64_t most_trees) {
  flow::RankTreesQuestion question = trees_of(collective, network);
  question.most_trees = most_trees;
  const RankTrees trees = flow::rank_trees(network.fabric(), question);
  return TreeMessages(network, collective, trees, question.sense).schedule();
}

// Blocks are cut for both: into fewer units where those of the halves have no small multiple. They
// are of one symmetry, or of none.
Schedule both_halves(const Network& network, std::int32_t ranks, std::int64_t most_trees) {
  const auto translated = [&](const Collective& half) {
    return trees::translated_packing(network, half, most_trees);
  };
  if (const auto first = translated(schedule::reduce_scatter(ranks)))
    if (const auto second = translated(schedule::allgather(ranks)))
      return schedule::concatenate(*first, *second);
  constexpr std::int64_t kFew = 1'024;  // any two such numbers have one
  for (std::int64_t most = most_trees;; most = kFew) {
    const Schedule first = over_trees(network, schedule::reduce_scatter(ranks), most);
    const Schedule second = over_trees(network, schedule::allgather(ranks), most);
    const std::int64_t a = first.units_per_block(), b = second.units_per_block();
    if (a / std::gcd(a, b) <= schedule::kMaxUnitsPerBlock / b || most <= kFew)
      return schedule::concatenate(first, second);
  }
}

constexpr CountOption kTrees{{.name = "trees",
                              .what = "Trees of each rank at most",
                              .least = 1,
                              .most = schedule::kMaxUnitsPerBlock,
                              .otherwise = "as many as reach the optimum"}};

std::optional<std::string> packing_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const bool halves = context.collective.kind == CollectiveKind::allreduce;
  const Collective& part =
      halves ? schedule::allgather(context.collective.ranks) : context.collective;
  return flow::rank_trees_misfit(context.network->fabric(), trees_of(part, *context.network));
}

}  // namespace

bool packs(CollectiveKind kind) {
  return kind == CollectiveKind::allgather || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
}

flow::RankTreesQuestion trees_of(const Collective& collective, const Network& network) {
  const bool outgoing = trees::growth_of(collective.kind) == trees::Growth::outgoing;
  flow::RankTreesQuestion question{.places = network.placement().nodes,
                                   .roots = {},
                                   .sense = outgoing ? Sense::along : Sense::against};
  if (collective.rooted()) question.roots = {collective.root.value()};
  return question;
}

Schedule packing(const Network& network, const Collective& collective,
                 const PackingOptions& options) {
  schedule::check(collective);
  require(options.most_trees >= 1, "{} trees of each rank bring nothing; give 1 or more",
          options.most_trees);
  const bool halves = collective.kind == CollectiveKind::allreduce;
  require(halves || packs(collective.kind),
          "packing serves no {} (it serves allgather, reduce-scatter, allreduce, broadcast and "
          "reduce)",
          schedule::name_of(collective.kind));
  const auto of_trees = [&] {
    if (halves) return both_halves(network, collective.ranks, options.most_trees);
    if (!collective.rooted())
      if (auto translated = trees::translated_packing(network, collective, options.most_trees))
        return *std::move(translated);
    return over_trees(network, collective, options.most_trees);
  };
  return of_trees().with_segments({.count = options.segments, .stride = 1});
}

Algorithm packing_entry() {
  return {
      .name = "packing",
      .aliases = {"tree-packing"},
      .summary = "trees of all ranks at once, through switches too, near the least T_B there is",
      .source = "Edmonds, Edge-disjoint branchings, 1973; Bang-Jensen, Frank, Jackson, 1995",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce, CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = {kSegments, kTrees},
      .misfit = packing_misfit,
      .build =
          [](const Context& context) {
            PackingOptions options{.segments = segments_in(context.options)};
            if (const auto most = kTrees.given(context.options)) options.most_trees = *most;
            return packing(*context.network, context.collective, options);
          },
      .named_only = true,
  };
}

}  // namespace weft::algorithm
