// Cuts scored in bytes. As in cut_bound.cpp each candidate is a set of nodes that is scored
// exactly, in both directions, so that a poor candidate costs tightness and never truth.
#include "weft/analysis/byte_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "weft/analysis/cut_bound/oriented.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::analysis {

namespace {

// What is in a set of nodes, and what its links carry per second.
struct SideOfCut {
  std::int64_t ranks = 0, blocks_B = 0;          // of its ranks
  std::int64_t pairs_in_B = 0, pairs_out_B = 0;  // between its ranks and the others
  std::int64_t in_Bps = 0, out_Bps = 0;
};

// The ranks and what they exchange.
class Exchanged {
 public:
  Exchanged(const Topology& topology, std::span<const NodeId> places, const ByteDemands& demands)
      : demands_(demands), ranks_(std::ssize(places)), ranks_on_(topology.node_count()) {
    for (std::int64_t r = 0; r < ranks_; ++r) ranks_on_[places[r].index()].push_back(r);
    WEFT_ASSERT(std::ssize(demands.bytes) == (is_pairs() ? ranks_ * ranks_ : ranks_));
    for (const std::int64_t bytes : demands.bytes) total_B_ = checked_add(total_B_, bytes);
  }

  bool is_pairs() const { return demands_.rule == CrossingRule::pairs; }
  std::int64_t ranks() const { return ranks_; }
  std::int64_t total_B() const { return total_B_; }
  std::span<const std::int64_t> on(std::size_t node) const { return ranks_on_[node]; }
  std::int64_t block_B(std::int64_t rank) const { return demands_.bytes[rank]; }
  std::int64_t pair_B(std::int64_t from, std::int64_t to) const {
    return demands_.bytes[from * ranks_ + to];
  }

  std::int64_t into_B(const SideOfCut& side) const {
    if (is_pairs()) return side.pairs_in_B;
    const std::int64_t others_B = total_B_ - side.blocks_B;
    if (demands_.rule == CrossingRule::to_all) return side.ranks > 0 ? others_B : 0;
    return side.ranks < ranks_ ? side.blocks_B : 0;  // sums for the blocks inside
  }
  std::int64_t out_of_B(const SideOfCut& side) const {
    if (is_pairs()) return side.pairs_out_B;
    const std::int64_t others_B = total_B_ - side.blocks_B;
    if (demands_.rule == CrossingRule::from_all) return side.ranks > 0 ? others_B : 0;
    return side.ranks < ranks_ ? side.blocks_B : 0;
  }

 private:
  const ByteDemands& demands_;
  std::int64_t ranks_, total_B_ = 0;
  std::vector<std::vector<std::int64_t>> ranks_on_;  // by node
};

class SlowestCut {
 public:
  SlowestCut(const Topology& topology, const Exchanged& exchanged)
      : topology_(topology), exchanged_(exchanged) {}

  void offer(const SideOfCut& side, const std::function<std::string()>& text) {
    offer(exchanged_.into_B(side), side.in_Bps, text);
    offer(exchanged_.out_of_B(side), side.out_Bps, text);
  }
  std::optional<ByteCut> best() && {
    return best_.bytes > 0 ? std::optional(std::move(best_)) : std::nullopt;
  }

 private:
  void offer(std::int64_t bytes, std::int64_t bandwidth_Bps,
             const std::function<std::string()>& text) {
    if (bytes == 0) return;
    require(bandwidth_Bps > 0, "{} is disconnected: no link leads to some ranks from others",
            topology_.name());
    const double time_s = static_cast<double>(bytes) / static_cast<double>(bandwidth_Bps);
    if (time_s > best_.time_s) best_ = {time_s, text(), bytes, bandwidth_Bps};
  }

  const Topology& topology_;
  const Exchanged& exchanged_;
  ByteCut best_;
};

// A side for each part.
std::vector<SideOfCut> sides_of(const Topology& topology, const Parts& parts,
                                std::span<const std::int64_t> bandwidth_Bps,
                                const Exchanged& exchanged) {
  WEFT_ASSERT(std::ssize(parts.part) == topology.node_count());
  std::vector<SideOfCut> sides(parts.count);
  std::vector<std::int32_t> part_of(exchanged.ranks(), -1);
  for (std::size_t v = 0; v < parts.part.size(); ++v)
    for (const std::int64_t rank : exchanged.on(v)) part_of[rank] = parts.part[v];
  for (std::int64_t r = 0; r < exchanged.ranks(); ++r) {
    if (part_of[r] < 0) continue;
    SideOfCut& side = sides[part_of[r]];
    ++side.ranks;
    if (!exchanged.is_pairs()) side.blocks_B += exchanged.block_B(r);
  }
  for (std::int64_t r = 0; exchanged.is_pairs() && r < exchanged.ranks(); ++r)
    for (std::int64_t q = 0; q < exchanged.ranks(); ++q) {
      if (part_of[r] == part_of[q]) continue;
      if (part_of[r] >= 0) sides[part_of[r]].pairs_out_B += exchanged.pair_B(r, q);
      if (part_of[q] >= 0) sides[part_of[q]].pairs_in_B += exchanged.pair_B(r, q);
    }
  for (const LinkId link : topology.links()) {
    const std::int32_t from = parts.part[topology.tail(link).index()];
    const std::int32_t to = parts.part[topology.head(link).index()];
    if (from == to) continue;
    if (from >= 0) sides[from].out_Bps += bandwidth_Bps[link.index()];
    if (to >= 0) sides[to].in_Bps += bandwidth_Bps[link.index()];
  }
  return sides;
}

void offer_byte_parts(const Topology& topology, const Parts& parts,
                      std::span<const std::int64_t> bandwidth_Bps, const Exchanged& exchanged,
                      SlowestCut& slowest) {
  const std::vector<SideOfCut> sides = sides_of(topology, parts, bandwidth_Bps, exchanged);
  for (std::size_t part = 0; part < sides.size(); ++part)
    slowest.offer(sides[part],
                  [&] { return "cut around " + part_text(parts, part, sides[part].ranks); });
}

// The set grows node by node.
void offer_byte_beginnings(const Topology& topology, std::span<const std::int64_t> bandwidth_Bps,
                           const Exchanged& exchanged, SlowestCut& slowest) {
  std::vector<char> is_inside(topology.node_count(), 0), has_rank(exchanged.ranks(), 0);
  SideOfCut side;
  const auto pass_rank = [&](std::int64_t r) {
    ++side.ranks;
    if (!exchanged.is_pairs()) side.blocks_B += exchanged.block_B(r);
    for (std::int64_t q = 0; exchanged.is_pairs() && q < exchanged.ranks(); ++q) {
      if (q == r) continue;
      const std::int64_t out_B = exchanged.pair_B(r, q), in_B = exchanged.pair_B(q, r);
      side.pairs_out_B += has_rank[q] != 0 ? -in_B : out_B;
      side.pairs_in_B += has_rank[q] != 0 ? -out_B : in_B;
    }
    has_rank[r] = 1;
  };
  for (const std::int32_t v : nodes_in_order(topology)) {
    const NodeId node(v);
    for (const LinkId link : topology.out_links(node)) {
      if (topology.head(link) == node) continue;
      const bool inside = is_inside[topology.head(link).index()] != 0;
      (inside ? side.in_Bps : side.out_Bps) += (inside ? -1 : 1) * bandwidth_Bps[link.index()];
    }
    for (const LinkId link : topology.in_links(node)) {
      if (topology.tail(link) == node) continue;
      const bool inside = is_inside[topology.tail(link).index()] != 0;
      (inside ? side.out_Bps : side.in_Bps) += (inside ? -1 : 1) * bandwidth_Bps[link.index()];
    }
    is_inside[node.index()] = 1;
    for (const std::int64_t rank : exchanged.on(node.index())) pass_rank(rank);
    slowest.offer(side, [&] {
      return fmt::format("cut between {} ranks and the other {}, in the order of their nodes",
                         side.ranks, exchanged.ranks() - side.ranks);
    });
  }
}

// Ranks weigh as much as their blocks, in so many parts of the whole that flows stay far from 63
// bits; those of pairs weigh 1 each.
Oriented weighted(const Topology& topology, std::span<const std::int64_t> bandwidth_Bps,
                  const Exchanged& exchanged, CrossingRule rule) {
  constexpr std::int64_t kParts = 1 << 16;
  Oriented network{.topology = &topology,
                   .ranks_at = std::vector<std::int64_t>(topology.node_count(), 0),
                   .demand = CutDemand::lacking};
  for (std::size_t v = 0; v < network.nodes(); ++v) {
    for (const std::int64_t rank : exchanged.on(v))
      network.ranks_at[v] +=
          exchanged.is_pairs() ? 1
                               : 1 + mul_div(kParts, exchanged.block_B(rank), exchanged.total_B());
    network.ranks += network.ranks_at[v];
  }
  for (const LinkId link : topology.links()) {
    std::int32_t tail = topology.tail(link).value(), head = topology.head(link).value();
    if (tail == head) continue;
    if (rule == CrossingRule::from_all) std::swap(tail, head);
    network.links.push_back({tail, head, bandwidth_Bps[link.index()]});
  }
  return network;
}

void offer_byte_searched(const Topology& topology, std::span<const std::int64_t> bandwidth_Bps,
                         const Exchanged& exchanged, CrossingRule rule, SlowestCut& slowest) {
  const SearchedCuts found =
      search_cuts(weighted(topology, bandwidth_Bps, exchanged, rule), CutQuestion{}.most_work / 10);
  for (const std::vector<char>& set : found.sets) {
    Parts parts;
    parts.part.assign(set.size(), -1);
    parts.count = 1;
    for (std::size_t v = 0; v < set.size(); ++v) parts.part[v] = set[v] != 0 ? 0 : -1;
    const SideOfCut side = sides_of(topology, parts, bandwidth_Bps, exchanged).front();
    slowest.offer(side, [&] {
      return fmt::format("cut around {} ranks on {} nodes, node {} among them", side.ranks,
                         std::count(set.begin(), set.end(), 1),
                         std::find(set.begin(), set.end(), 1) - set.begin());
    });
  }
}

}  // namespace

std::optional<ByteCut> byte_cut_bound(const Topology& topology, std::span<const NodeId> places,
                                      std::span<const std::int64_t> bandwidth_Bps,
                                      const ByteDemands& demands) {
  WEFT_ASSERT(bandwidth_Bps.size() == static_cast<std::size_t>(topology.link_count()));
  const Exchanged exchanged(topology, places, demands);
  SlowestCut slowest(topology, exchanged);
  for (const Parts& parts : structural_parts(topology, bandwidth_Bps))
    offer_byte_parts(topology, parts, bandwidth_Bps, exchanged, slowest);
  offer_byte_beginnings(topology, bandwidth_Bps, exchanged, slowest);
  offer_byte_searched(topology, bandwidth_Bps, exchanged, demands.rule, slowest);
  return std::move(slowest).best();
}

}  // namespace weft::analysis
