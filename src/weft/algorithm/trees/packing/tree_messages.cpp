// What crosses an arc at depth t is sent t steps after the root's first, or before its last. Ranks
// that share a node share its trees: one of them receives, sends on, and passes to the others in
// the next step.
//
// Where ways share links, networks divide these evenly between messages, whatever their size: long
// ones would come late while links that others have left are idle. So messages are of one size: the
// fullest link then gives each of its own as much as any link does, and all are through when it is.
#include "tree_messages.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm::trees {

namespace {

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

class Messages {
 public:
  Messages(const Network& network, const Collective& collective, const flow::PlacedTrees& trees,
           std::int64_t parts)
      : collective_(collective),
        units_(parts / std::gcd(parts, collective.blocks())),
        of_part_(collective.blocks() * units_ / parts),
        places_(trees.places),
        ranks_at_(trees.places.size()),
        explicit_(network.topology().has_switches() || joins_twice(network.topology())) {
    const std::vector<NodeId>& nodes = network.placement().nodes;
    for (std::int32_t rank = 0; rank < collective.ranks; ++rank)
      ranks_at_[place_of(nodes[rank])].push_back(Agent(rank));
  }

  enum class Then : std::uint8_t { end, another };

  void add(const TreePhase& phase, Then then) {
    first_way_.clear();
    for (const flow::TreeArc& arc : phase.trees.arcs) {
      first_way_.push_back(static_cast<std::int32_t>(ways_.size()));
      for (const flow::LinkWay& way : arc.ways) {
        left_.push_back(way.trees);
        ways_.push_back(way.links);
        shares_links_ = shares_links_ || way.links.size() > 1;
      }
    }
    phase_ = &phase;
    sent_of_phase_ = sent_.size();
    steps_.resize(phase.roots.size(), 0);
    std::int64_t next = 0;
    std::int32_t last = -1;
    for (const graph::PackedTree& tree : phase.trees.trees) {
      if (tree.root != last) next = phase.first[tree.root];
      last = tree.root;
      send(tree, {next * of_part_, tree.multiplicity * of_part_});
      next += tree.multiplicity;
    }
    place_in_time(then);
  }

  Schedule build() {
    const auto key = [](const Sent& sent) {
      return std::tuple(sent.step, sent.way, sent.from, sent.to, sent.arrival, sent.piece.first);
    };
    const auto message = [](const Sent& sent) {
      return std::tuple(sent.step, sent.way, sent.from, sent.to, sent.arrival);
    };
    std::ranges::sort(sent_, {}, key);
    explicit_ = explicit_ || shares_links_;
    ScheduleBuilder builder(collective_, {.algorithm = "packing", .units_per_block = units_});
    if (explicit_)
      for (const auto& links : ways_) builder.add_route(links);
    const std::int64_t size = message_size();
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < sent_.size();) {
      const Sent& first = sent_[i];
      pieces.clear();
      const auto send_pieces = [&] {
        builder.at(first.step)
            .send(first.from, first.to, pieces, first.arrival,
                  explicit_ && first.way != kLocal ? RouteId(first.way) : kRouted);
        pieces.clear();
      };
      std::int64_t room = size;
      for (; i < sent_.size() && message(sent_[i]) == message(first); ++i)
        for (Piece rest = sent_[i].piece; rest.count > 0;) {
          const std::int64_t some = std::min(rest.count, room);
          pieces.push_back({rest.first, some});
          rest = {rest.first + some, rest.count - some};
          room -= some;
          if (room > 0) continue;
          send_pieces();
          room = size;
        }
      if (!pieces.empty()) send_pieces();
    }
    return std::move(builder).build();
  }

 private:
  // Units; of one part, or of several where there would be too many messages.
  std::int64_t message_size() const {
    constexpr std::int64_t kMost = 200'000;  // messages, or twice as many as ways and trees make
    if (!shares_links_) return INT64_MAX;
    const std::int64_t most = std::max(kMost, 2 * std::ssize(sent_));
    std::int64_t size = of_part_, messages = 0;
    for (;; size *= 2) {
      messages = 0;
      for (const Sent& sent : sent_) messages += (sent.piece.count + size - 1) / size;
      if (messages <= most) return size;
    }
  }

  static constexpr std::int32_t kLocal = -1;  // within a node

  struct Sent {
    std::int32_t step = 0;  // until its phase is placed in time: the depth
    std::int32_t root = 0;  // its place among the phase's
    Agent from, to;         // until then: away from the root
    std::int32_t way = kLocal;
    Arrival arrival = Arrival::copy;
    Piece piece;
  };

  std::size_t place_of(NodeId node) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(places_, node) - places_.begin());
  }

  void send(const graph::PackedTree& tree, Piece piece) {
    const Agent root = phase_->roots[tree.root];
    const auto head_of = [&](std::size_t place) {
      const auto& ranks = ranks_at_[place];
      return std::ranges::count(ranks, root) > 0 ? root : ranks.front();
    };
    for (std::size_t place = 0; place < ranks_at_.size(); ++place) {
      const graph::Branch& branch = tree.branches[place];
      const Agent head = head_of(place);
      if (branch.depth >= 0) {
        const Agent from = head_of(static_cast<std::size_t>(branch.parent));
        send_over(
            branch.arc,
            {.step = branch.depth, .root = tree.root, .from = from, .to = head, .piece = piece});
      }
      for (const Agent rank : ranks_at_[place])
        if (rank != head)
          sent_.push_back({.step = branch.depth + 1,
                           .root = tree.root,
                           .from = head,
                           .to = rank,
                           .piece = piece});
    }
  }

  // Over the arc's ways, one where it has room.
  void send_over(std::int32_t arc, Sent sent) {
    const auto first = static_cast<std::size_t>(first_way_[arc]);
    const std::size_t end = first + phase_->trees.arcs[arc].ways.size();
    const std::int64_t wanted = sent.piece.count / of_part_;
    for (std::size_t way = first; way < end && sent.piece.count > 0; ++way)
      if (left_[way] >= wanted) take(way, wanted, sent);
    for (std::size_t way = first; way < end && sent.piece.count > 0; ++way)
      take(way, std::min(left_[way], sent.piece.count / of_part_), sent);
    WEFT_ASSERT(sent.piece.count == 0);
  }
  void take(std::size_t way, std::int64_t parts, Sent& sent) {
    if (parts == 0) return;
    left_[way] -= parts;
    sent_.push_back(sent);
    sent_.back().way = static_cast<std::int32_t>(way);
    sent_.back().piece.count = parts * of_part_;
    sent.piece = {sent.piece.first + parts * of_part_, sent.piece.count - parts * of_part_};
  }

  // Roots that the phase before led to send at once; trees that lead to roots wait at their leaves
  // for the deepest of the root, or of all where the schedule ends with them.
  void place_in_time(Then then) {
    const std::span<Sent> sent = std::span(sent_).subspan(sent_of_phase_);
    if (phase_->sense == Sense::along) {
      for (Sent& each : sent) each.step += steps_[each.root];
      return;
    }
    for (const Sent& each : sent) steps_[each.root] = std::max(steps_[each.root], each.step + 1);
    if (then == Then::end) std::ranges::fill(steps_, *std::ranges::max_element(steps_));
    for (Sent& each : sent) {
      each.step = steps_[each.root] - 1 - each.step;
      std::swap(each.from, each.to);
      each.arrival = Arrival::reduce;
    }
  }

  const Collective& collective_;
  std::int64_t units_, of_part_;  // a block's, and a part's
  std::vector<NodeId> places_;
  std::vector<std::vector<Agent>> ranks_at_;  // by place
  bool explicit_ = false;
  bool shares_links_ = false;       // some way has several
  std::vector<std::int64_t> left_;  // by way: the trees that it can still take
  std::vector<std::vector<LinkId>> ways_;
  std::vector<Sent> sent_;
  std::vector<std::int32_t> steps_;  // by root: until its trees of earlier phases are done
  // Of the present phase.
  const TreePhase* phase_ = nullptr;
  std::vector<std::int32_t> first_way_;  // by arc
  std::size_t sent_of_phase_ = 0;
};

}  // namespace

Schedule along_phases(const Network& network, const Collective& collective,
                      std::span<const TreePhase> phases, std::int64_t parts) {
  WEFT_ASSERT(!phases.empty() && parts >= 1);
  Messages messages(network, collective, phases.front().trees, parts);
  for (const TreePhase& phase : phases)
    messages.add(phase, &phase == &phases.back() ? Messages::Then::end : Messages::Then::another);
  return messages.build();
}

Schedule along_trees(const Network& network, const Collective& collective,
                     const flow::PlacedTrees& packed, std::int64_t count) {
  WEFT_ASSERT(count >= 1);
  TreePhase phase{packed, trees_of(collective, network).sense, {}, {}};
  if (collective.rooted()) {
    phase.roots = {Agent(collective.root)};
    phase.first = {0};
  } else {
    for (std::int32_t rank = 0; rank < collective.ranks; ++rank) {
      phase.roots.emplace_back(rank);
      phase.first.push_back(rank * count);
    }
  }
  const std::int64_t roots = std::ssize(phase.roots);
  return along_phases(network, collective, std::span(&phase, 1), roots * count);
}

}  // namespace weft::algorithm::trees
