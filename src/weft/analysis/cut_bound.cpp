// The cut bound over structural parts, beginnings of the node order, and minimum cuts.
//
// Every candidate is a set of nodes whose cut is scored exactly, so that a poor candidate costs
// tightness and never truth. Parts that cover all nodes are scored together in one pass over the
// links, each part as S and as what S leaves out.
#include "weft/analysis/cut_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "weft/analysis/cut_bound/oriented.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

// Data flows out of S where it flows into S in the network with all links turned.
Oriented oriented(const Topology& topology, std::span<const NodeId> places,
                  std::span<const std::int64_t> capacity, const CutQuestion& question) {
  Oriented network{.topology = &topology,
                   .ranks_at = std::vector<std::int64_t>(topology.node_count(), 0),
                   .ranks = std::ssize(places),
                   .demand = question.demand};
  for (const NodeId node : places) ++network.ranks_at[node.index()];
  if (question.root) network.root = question.root->value();
  if (question.peer) network.peer = question.peer->value();
  for (const LinkId link : topology.links()) {
    std::int32_t tail = topology.tail(link).value(), head = topology.head(link).value();
    if (tail == head) continue;
    if (question.direction == CutDirection::out_of) std::swap(tail, head);
    network.links.push_back({tail, head, capacity[link.index()]});
  }
  return network;
}

bool may_be_s(const Oriented& network, const auto& inside) {
  return (!network.root || inside(*network.root)) && (!network.peer || !inside(*network.peer));
}

// The tightest cut so far.
class Tightest {
 public:
  explicit Tightest(const Oriented& network) : network_(network) {}

  /// Of a cut between two sides, or of the cuts around so many parts; whether it is tighter.
  bool offer(const std::optional<ScoredCut>& cut, const std::function<std::string()>& text,
             std::int64_t parts = 2) {
    if (!cut) return false;
    require(cut->capacity > 0, "{} is disconnected: no link leads to some ranks from others",
            network_.topology->name());
    if (cut->ratio() <= best_.ratio()) return false;
    best_ = *cut;
    text_ = text();
    parts_ = parts;
    return true;
  }
  bool any() const { return best_.demand > 0; }
  const ScoredCut& best() const { return best_; }
  std::int64_t parts() const { return parts_; }
  const std::string& text() const { return text_; }
  void rename(std::string text) { text_ = std::move(text); }

 private:
  const Oriented& network_;
  ScoredCut best_{.demand = 0, .capacity = 1};
  std::string text_;
  std::int64_t parts_ = 2;
};

// What flows in and out of each part.
struct PartCuts {
  std::vector<std::int64_t> ranks, in, out, links_in, links_out;

  PartCuts(const Oriented& network, const Parts& parts)
      : ranks(static_cast<std::size_t>(parts.count), 0),
        in(ranks),
        out(ranks),
        links_in(ranks),
        links_out(ranks) {
    for (std::size_t v = 0; v < network.nodes(); ++v)
      if (parts.part[v] >= 0) ranks[parts.part[v]] += network.ranks_at[v];
    for (const OrientedLink& link : network.links) {
      const std::int32_t from = parts.part[link.tail];
      const std::int32_t to = parts.part[link.head];
      if (from == to) continue;
      if (from >= 0) add(static_cast<std::size_t>(from), link.capacity, out, links_out);
      if (to >= 0) add(static_cast<std::size_t>(to), link.capacity, in, links_in);
    }
  }

  std::optional<ScoredCut> into(const Oriented& network, std::size_t part) const {
    return scored(network, ranks[part], in[part], links_in[part], ranks[part]);
  }
  std::optional<ScoredCut> into_the_rest(const Oriented& network, std::size_t part) const {
    return scored(network, network.ranks - ranks[part], out[part], links_out[part], ranks[part]);
  }

 private:
  static void add(std::size_t part, std::int64_t capacity, std::vector<std::int64_t>& sum,
                  std::vector<std::int64_t>& links) {
    sum[part] = checked_add(sum[part], capacity);
    ++links[part];
  }
  static std::optional<ScoredCut> scored(const Oriented& network, std::int64_t inside,
                                         std::int64_t capacity, std::int64_t links,
                                         std::int64_t named) {
    const std::int64_t demand = demand_of(network, inside);
    if (demand == 0) return std::nullopt;
    return ScoredCut{.demand = demand, .capacity = capacity, .links = links, .ranks = named};
  }
};

// The tightest cut around a part, and how many parts have one as tight.
void offer_parts(const Oriented& network, const Parts& parts, Tightest& tightest) {
  const PartCuts cuts(network, parts);
  std::int64_t with_ranks = 0, as_tight = 0;
  bool is_one_of_these = false;
  for (std::size_t part = 0; part < cuts.ranks.size(); ++part) {
    if (cuts.ranks[part] == 0) continue;
    ++with_ranks;
    const bool root_inside =
        network.root && parts.part[*network.root] == static_cast<std::int32_t>(part);
    const bool peer_inside =
        network.peer && parts.part[*network.peer] == static_cast<std::int32_t>(part);
    std::optional<ScoredCut> tighter;
    const auto consider = [&](const std::optional<ScoredCut>& cut) {
      if (cut && (!tighter || cut->capacity == 0 || cut->ratio() > tighter->ratio())) tighter = cut;
      return !cut || cut->capacity > 0;
    };
    bool sound = true;
    if (!peer_inside && (!network.root || root_inside)) sound = consider(cuts.into(network, part));
    if (sound && !root_inside && (!network.peer || peer_inside))
      consider(cuts.into_the_rest(network, part));
    if (!tighter) continue;
    if (tightest.offer(tighter,
                       [&] { return "cut around " + part_text(parts, part, cuts.ranks[part]); })) {
      is_one_of_these = true;
      as_tight = 0;
    }
    if (tightest.best().ratio() == tighter->ratio()) ++as_tight;
  }
  if (is_one_of_these && as_tight > 1 && as_tight == with_ranks)
    tightest.rename("cut around each " + parts.word);
}

// Parts that all hosts are in: each message between two of them leaves one, so that together they
// send 2 (k - 1) M.
std::optional<ScoredCut> between_parts(const Oriented& network, Parts parts) {
  for (const NodeId host : network.topology->hosts())
    if (parts.part[host.index()] < 0) parts.part[host.index()] = parts.count++;
  const PartCuts cuts(network, parts);
  std::vector<char> with_hosts(parts.count, 0);
  for (const NodeId host : network.topology->hosts()) with_hosts[parts.part[host.index()]] = 1;
  std::int64_t with_ranks = 0;
  ScoredCut together{.ranks = network.ranks};
  for (std::size_t part = 0; part < with_hosts.size(); ++part) {
    if (with_hosts[part] == 0) continue;
    if (cuts.ranks[part] > 0) ++with_ranks;
    together.capacity = checked_add(together.capacity, cuts.out[part]);
    together.links += cuts.links_out[part];
  }
  if (with_ranks < 3) return std::nullopt;  // of two parts each side's own cut says as much
  together.demand = 2 * (with_ranks - 1) * network.ranks;
  return together;
}

std::string plural(const std::string& word) {
  if (word.ends_with("links")) return "parts" + word.substr(4);  // "part without x links"
  return word + (word.ends_with("x") || word.ends_with("ch") ? "es" : "s");
}

// "3 parts of 4 ranks", "5 parts of 1 to 4 ranks".
std::string text_of(const DividedCut& divided) {
  const std::string most =
      fmt::format("{} {}", divided.most_ranks, divided.most_ranks == 1 ? "rank" : "ranks");
  return fmt::format("cuts around {} parts of {}", divided.parts,
                     divided.least_ranks == divided.most_ranks
                         ? most
                         : fmt::format("{} to {}", divided.least_ranks, most));
}

std::int64_t ranked_parts(const Oriented& network, const Parts& parts) {
  std::vector<char> ranked(parts.count, 0);
  for (std::size_t v = 0; v < network.nodes(); ++v)
    if (parts.part[v] >= 0 && network.ranks_at[v] > 0) ranked[parts.part[v]] = 1;
  return std::count(ranked.begin(), ranked.end(), 1);
}

// Sets that grow node by node in an order; the cut follows each step.
void offer_beginnings(const Oriented& network, Tightest& tightest) {
  const auto order = nodes_in_order(*network.topology);
  std::vector<std::size_t> place(network.nodes());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  // change[i]: what joining the i-th node adds to the capacities and links both ways.
  struct Change {
    std::int64_t in = 0, out = 0, links_in = 0, links_out = 0;
  };
  std::vector<Change> change(network.nodes() + 1);
  for (const OrientedLink& link : network.links) {
    const std::size_t tail = place[link.tail];
    const std::size_t head = place[link.head];
    Change& begins = change[std::min(tail, head)];
    Change& ends = change[std::max(tail, head)];
    auto [amount, count] =
        head < tail ? std::tie(begins.in, begins.links_in) : std::tie(begins.out, begins.links_out);
    amount = checked_add(amount, link.capacity);
    ++count;
    (head < tail ? ends.in : ends.out) -= link.capacity;
    --(head < tail ? ends.links_in : ends.links_out);
  }
  Change now;
  std::int64_t ranks = 0;
  const auto within = [&](std::size_t count, std::optional<std::int32_t> node) {
    return node && place[*node] < count;
  };
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    now.in += change[i].in, now.out += change[i].out;
    now.links_in += change[i].links_in, now.links_out += change[i].links_out;
    ranks += network.ranks_at[order[i]];
    const bool root = within(i + 1, network.root), peer = within(i + 1, network.peer);
    const auto offer = [&](std::int64_t inside, std::int64_t capacity, std::int64_t links) {
      const std::int64_t demand = demand_of(network, inside);
      if (demand == 0) return;
      tightest.offer(ScoredCut{demand, capacity, links, ranks}, [&] {
        return fmt::format("cut between {} ranks and the other {}, in the order of their nodes",
                           ranks, network.ranks - ranks);
      });
    };
    if ((!network.root || root) && !peer) offer(ranks, now.in, now.links_in);
    if (!root && (!network.peer || peer)) offer(network.ranks - ranks, now.out, now.links_out);
  }
}

// Whether no set of nodes is left that gives more.
bool offer_minimum_cuts(const Oriented& network, std::int64_t most_work, Tightest& tightest) {
  const SearchedCuts found = search_cuts(network, most_work);
  for (const auto& set : found.sets) {
    const auto cut = score(network, set);
    tightest.offer(cut, [&] {
      return fmt::format("cut around {} ranks on {} nodes, node {} among them", cut->ranks,
                         std::count(set.begin(), set.end(), 1),
                         std::find(set.begin(), set.end(), 1) - set.begin());
    });
  }
  return found.complete;
}

// A flow of a division takes as long as so many of a cut, about.
constexpr std::int64_t kLongFlows = 100;

// Likewise of divisions. Where links differ by direction, what enters parts is as good a measure as
// what leaves them.
bool offer_divisions(Oriented network, std::int64_t most_work, Tightest& tightest) {
  const bool two_ways = !is_balanced(network);
  bool complete = true;
  for (int way = 0; way < (two_ways ? 2 : 1); ++way) {
    const SearchedDivisions found = search_divisions(network, tightest.best().ratio(), most_work);
    complete = complete && found.complete;
    if (const auto& divided = found.tightest)
      tightest.offer(
          divided->cut, [&] { return text_of(*divided); }, divided->parts);
    for (OrientedLink& link : network.links) std::swap(link.tail, link.head);
  }
  return complete;
}

}  // namespace

std::string part_text(const Parts& parts, std::size_t part, std::int64_t ranks) {
  if (parts.named_by_node) return fmt::format("{} {}", parts.word, parts.names[part]);
  const auto first = std::find(parts.part.begin(), parts.part.end(), static_cast<int>(part));
  return fmt::format("{} {} ({} ranks from node {} on)", parts.word, part, ranks,
                     first - parts.part.begin());
}

std::int64_t demand_of(const Oriented& network, std::int64_t inside) {
  if (inside <= 0 || inside >= network.ranks) return 0;
  switch (network.demand) {
    case CutDemand::whole:
      return network.ranks;
    case CutDemand::lacking:
      return network.ranks - inside;
    case CutDemand::pairs:
      break;
  }
  return checked_mul(inside, network.ranks - inside);
}

std::optional<ScoredCut> score(const Oriented& network, std::span<const char> inside) {
  WEFT_ASSERT(inside.size() == network.nodes());
  const auto is_inside = [&](std::int32_t v) { return inside[v] != 0; };
  if (!may_be_s(network, is_inside)) return std::nullopt;
  ScoredCut cut;
  for (std::size_t v = 0; v < network.nodes(); ++v)
    if (inside[v] != 0) cut.ranks += network.ranks_at[v];
  cut.demand = demand_of(network, cut.ranks);
  if (cut.demand == 0) return std::nullopt;
  for (const OrientedLink& link : network.links)
    if (!is_inside(link.tail) && is_inside(link.head)) {
      cut.capacity = checked_add(cut.capacity, link.capacity);
      ++cut.links;
    }
  return cut;
}

std::optional<CutBound> cut_bound(const Topology& topology, std::span<const NodeId> places,
                                  std::span<const std::int64_t> capacity, std::int64_t egress,
                                  const CutQuestion& question) {
  WEFT_ASSERT(capacity.size() == static_cast<std::size_t>(topology.link_count()));
  const Oriented network = oriented(topology, places, capacity, question);
  Tightest tightest(network);
  const bool known = single_nodes_are_tightest(network);
  const auto families =
      known ? std::vector{single_hosts(topology)} : structural_parts(topology, capacity);
  for (const Parts& parts : families) {
    offer_parts(network, parts, tightest);
    if (!question.reduces_to_all) continue;
    const std::int64_t count = ranked_parts(network, parts);
    tightest.offer(
        between_parts(network, parts),
        [&] { return fmt::format("cuts around all {} {}", count, plural(parts.word)); }, count);
  }
  if (!known) offer_beginnings(network, tightest);
  if (!tightest.any()) return std::nullopt;
  bool searched = known || offer_minimum_cuts(network, question.most_work, tightest);
  if (question.reduces_to_all && !known)
    searched = offer_divisions(network, question.most_work / kLongFlows, tightest) && searched;
  const ScoredCut& best = tightest.best();
  return CutBound{
      .bandwidth_factor = Rational(egress, best.capacity) * Rational(best.demand, network.ranks),
      .text = tightest.text(),
      .ranks = best.ranks,
      .links = best.links,
      .bandwidth_Bps = best.capacity,
      .parts = tightest.parts(),
      .searched = searched};
}

}  // namespace weft::analysis
