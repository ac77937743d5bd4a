// Divisions of the hosts into parts that say most of an allreduce.
//
// Among k parts 2 (k - 1) M leave parts (docs/explanation/proofs.md), so that the bound is the
// greatest
// 2 (k - 1) / sum of g(A) over divisions of the hosts into sets A, where g(A) is the least capacity
// out of a set of nodes with no other hosts than A: a minimum cut, which leaves switches on either
// side. On two-way networks of hosts alone it is the reciprocal of the graph's strength
// (Cunningham, "Optimal Attack and Reinforcement of a Network", JACM 32(3), 1985), and is found as
// there.
//
// After Dinkelbach a division above the best so far, 2 / lambda, exists just when sum of (g(A) -
// lambda) < -lambda for one. g is submodular, so that the least such sum is the greatest x(hosts)
// with x(A) <= g(A) - lambda for every set A (Dilworth's truncation), which is reached host by
// host: x_j = min of g(A) - lambda - x(A - j) over the sets A with j and hosts before it, a minimum
// cut again. Sets that reach their bound stay so when those that share a host are joined, and the
// sets joined last are the division. The next lambda is its own sum / (k - 1).
//
// A host that hangs on one switch with capacities `up` and `down` is best in its switch's part
// where that has one and up + down >= lambda (joining it saves up + down and costs a part), else
// alone: such hosts are one element with their switch, which may also be a part each. That leaves
// a flow for each switch with hosts.
//
// Sets may share switches: a link then counts in the sum once for each set that it leaves, and the
// proof holds. Hosts without ranks go where the cuts leave them, or are parts of their own.
// Cost: a flow for each element, for each lambda (a few).
#include <algorithm>
#include <limits>
#include <numeric>

#include "oriented.hpp"
#include "weft/analysis/leaves.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/union_find.hpp"
#include "weft/graph/max_flow.hpp"

namespace weft::analysis {

namespace {

constexpr std::int32_t kNone = -1;

std::size_t at(std::int32_t v) {
  return static_cast<std::size_t>(v);
}

struct Division {
  std::vector<std::vector<std::int32_t>> sets;  // nodes
};

class Search {
 public:
  Search(const Oriented& network, std::span<const std::int32_t> leaf_of, const Rational& lambda)
      : network_(network), leaf_of_(leaf_of.begin(), leaf_of.end()), up_(network.nodes(), 0) {
    for (const OrientedLink& link : network.links) unit_ = std::gcd(unit_, link.capacity);
    set_lambda(lambda);
    hang_on_switches(lambda);
    for (const OrientedLink& link : network.links)
      if (!hangs(link.tail) && !hangs(link.head)) arcs_.push_back(link);
    leaves_.resize(network.nodes());
    std::vector<char> is_element(network.nodes(), 0);
    for (std::size_t v = 0; v < network.nodes(); ++v) {
      if (leaf_of_[v] != kNone) leaves_[at(leaf_of_[v])].push_back(static_cast<std::int32_t>(v));
      if (network.ranks_at[v] > 0) is_element[leaf_of_[v] == kNone ? v : at(leaf_of_[v])] = 1;
    }
    for (std::size_t v = 0; v < network.nodes(); ++v)
      if (is_element[v] != 0) elements_.push_back(static_cast<std::int32_t>(v));
  }

  std::int64_t elements() const { return std::ssize(elements_); }
  std::int64_t arcs() const { return std::ssize(arcs_); }
  /// Whether ranks times capacities stay far from 63 bits.
  bool fits() const {
    std::int64_t left = std::numeric_limits<std::int64_t>::max() / (8 * network_.ranks);
    for (const OrientedLink& link : network_.links)
      if ((left -= link.capacity / unit_) < 0) return false;
    return true;
  }

  void set_lambda(const Rational& lambda) {
    const Rational in_units = lambda / Rational(unit_);
    p_ = in_units.numerator();
    q_ = in_units.denominator();
  }

  /// A division above 2 / lambda, if there is one.
  std::optional<Division> better() {
    x_.assign(network_.nodes(), 0);
    done_.assign(network_.nodes(), 0);
    members_.assign(network_.nodes(), {});
    UnionFind joined(network_.nodes());
    std::int64_t sum = p_;
    for (const std::int32_t element : elements_) sum += add(element, joined);
    if (sum >= 0) return std::nullopt;
    return division(joined);
  }

 private:
  bool hangs(std::int32_t v) const { return leaf_of_[at(v)] != kNone; }

  // Leaves whose links are too narrow for lambda are nodes like any other.
  void hang_on_switches(const Rational& lambda) {
    std::vector<std::int64_t> both(network_.nodes(), 0);
    for (const OrientedLink& link : network_.links) {
      up_[at(link.tail)] = checked_add(up_[at(link.tail)], link.capacity / unit_);
      both[at(link.tail)] = checked_add(both[at(link.tail)], link.capacity);
      both[at(link.head)] = checked_add(both[at(link.head)], link.capacity);
    }
    for (std::size_t v = 0; v < network_.nodes(); ++v)
      if (network_.ranks_at[v] > 0 && Rational(both[v]) < lambda) leaf_of_[v] = kNone;
  }

  // What the element's leaves cost as parts of their own; nothing for a host.
  std::optional<std::int64_t> apart(std::int32_t element) const {
    if (leaves_[at(element)].empty() || network_.ranks_at[at(element)] > 0) return std::nullopt;
    std::int64_t sum = 0;
    for (const std::int32_t leaf : leaves_[at(element)])
      sum += q_ * up_[at(leaf)] - (network_.ranks_at[at(leaf)] > 0 ? p_ : 0);
    return sum;
  }

  // x of the next element; joins the sets that reach their bound.
  std::int64_t add(std::int32_t element, UnionFind& joined) {
    const auto sink = static_cast<std::int32_t>(network_.nodes());
    graph::MaxFlow graph(sink + 1);
    std::int64_t offset = p_, alone = 0;
    for (const OrientedLink& arc : arcs_) {
      graph.add_arc(arc.tail, arc.head, q_ * (arc.capacity / unit_));
      if (arc.tail == element) alone += q_ * (arc.capacity / unit_);
    }
    for (const std::int32_t before : elements_)
      if (done_[at(before)] != 0 && x_[at(before)] > 0) {
        graph.add_arc(element, before, x_[at(before)]);
        offset += x_[at(before)];
        alone += x_[at(before)];
      }
    const auto split = apart(element);
    const std::int64_t enough = split ? std::min(alone, *split + offset) : alone;
    for (const std::int32_t other : elements_)
      if (other != element && (done_[at(other)] == 0 || x_[at(other)] < 0))
        graph.add_arc(other, sink, done_[at(other)] == 0 ? alone : -x_[at(other)]);
    done_[at(element)] = 1;
    const std::int64_t cut = graph.max_flow(element, sink, enough);
    x_[at(element)] = std::min(cut, enough) - offset;
    if (cut < enough)
      join(element, graph, joined);
    else if (enough == alone)
      members_[at(element)] = {element};  // else its leaves are parts of their own
    return x_[at(element)];
  }

  void join(std::int32_t element, const graph::MaxFlow& graph, UnionFind& joined) {
    auto& members = members_[at(element)];
    for (std::size_t v = 0; v < network_.nodes(); ++v) {
      const auto node = static_cast<std::int32_t>(v);
      if (hangs(node) || !graph.on_source_side(node)) continue;
      members.push_back(node);
      if (done_[v] != 0) joined.join(element, node);
    }
  }

  Division division(UnionFind& joined) const {
    std::vector<std::vector<std::int32_t>> sets(network_.nodes());
    for (const std::int32_t element : elements_) {
      auto& set = sets[at(joined.find(element))];
      set.insert(set.end(), members_[at(element)].begin(), members_[at(element)].end());
    }
    Division division;
    std::vector<char> placed(network_.nodes(), 0);
    for (auto& set : sets) {
      std::ranges::sort(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
      std::erase_if(set, [&](std::int32_t v) { return is_host(v) && placed[at(v)]++ != 0; });
      const std::size_t core = set.size();
      for (std::size_t i = 0; i < core; ++i)
        for (const std::int32_t leaf : leaves_[at(set[i])])
          if (placed[at(leaf)]++ == 0) set.push_back(leaf);
      if (!set.empty()) division.sets.push_back(std::move(set));
    }
    for (std::size_t v = 0; v < network_.nodes(); ++v)
      if (is_host(static_cast<std::int32_t>(v)) && placed[v] == 0)
        division.sets.push_back({static_cast<std::int32_t>(v)});
    return division;
  }

  bool is_host(std::int32_t v) const { return network_.topology->is_host(NodeId(v)); }

  const Oriented& network_;
  std::vector<std::int32_t> leaf_of_;  // by node: the switch with which it is an element
  std::vector<std::int64_t> up_;       // by node: capacity out of it, in units
  std::int64_t unit_ = 0;              // the capacities' common divisor
  std::vector<OrientedLink> arcs_;
  std::vector<std::vector<std::int32_t>> leaves_;   // by node
  std::vector<std::int32_t> elements_;              // nodes
  std::int64_t p_ = 0, q_ = 1;                      // lambda, in units
  std::vector<std::int64_t> x_;                     // by node, q times it
  std::vector<char> done_;                          // by node
  std::vector<std::vector<std::int32_t>> members_;  // by element: its set when it was added
};

// What leaves the sets, each on its own.
DividedCut scored(const Oriented& network, const Division& division) {
  std::vector<std::vector<const OrientedLink*>> out(network.nodes());
  for (const OrientedLink& link : network.links) out[at(link.tail)].push_back(&link);
  std::vector<std::int32_t> in_set(network.nodes(), kNone);
  DividedCut result{.cut = {.ranks = network.ranks}};
  for (std::size_t set = 0; set < division.sets.size(); ++set) {
    std::int64_t ranks = 0;
    for (const std::int32_t v : division.sets[set]) {
      in_set[at(v)] = static_cast<std::int32_t>(set);
      ranks += network.ranks_at[at(v)];
    }
    for (const std::int32_t v : division.sets[set])
      for (const OrientedLink* link : out[at(v)]) {
        if (in_set[at(link->head)] == static_cast<std::int32_t>(set)) continue;
        result.cut.capacity = checked_add(result.cut.capacity, link->capacity);
        ++result.cut.links;
      }
    if (ranks == 0) continue;
    ++result.parts;
    result.least_ranks = result.parts == 1 ? ranks : std::min(result.least_ranks, ranks);
    result.most_ranks = std::max(result.most_ranks, ranks);
  }
  result.cut.demand = 2 * (result.parts - 1) * network.ranks;
  return result;
}

}  // namespace

SearchedDivisions search_divisions(const Oriented& network, const Rational& best,
                                   std::int64_t most_work) {
  const auto lambda = [&](const Rational& ratio) { return Rational(2 * network.ranks) / ratio; };
  Search search(network, leaf_switches(*network.topology), lambda(best));
  if (!search.fits() || search.elements() > most_work / std::max<std::int64_t>(search.arcs(), 1))
    return {};
  SearchedDivisions found{.complete = true};
  Rational ratio = best;
  while (const auto division = search.better()) {
    const DividedCut cut = scored(network, *division);
    if (cut.parts < 2 || cut.cut.capacity == 0 || cut.cut.ratio() <= ratio) break;
    ratio = cut.cut.ratio();
    search.set_lambda(lambda(ratio));
    found.tightest = cut;
  }
  return found;
}

}  // namespace weft::analysis
