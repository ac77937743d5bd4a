// Voltage lifts: graphs in a few orbits of a group. Links r of all nodes form a permutation: a
// permutation of the orbits, and a voltage for each, so that in-degrees are even; bidirectional
// ones are put together from permutations with their inverses and from involutions.
//
// Half of the candidates are drawn afresh, half change one voltage of the source's own best.
#include "weft/topology/families/lift.hpp"

#include <algorithm>
#include <numeric>

#include "groups.hpp"
#include "source.hpp"

namespace weft::search {

namespace {

using topology::LiftArc;
using Arcs = std::vector<LiftArc>;  // sorted by tail when written; [link][orbit] while searched

class LiftSource : public Source {
 public:
  LiftSource(Group group, int orbits, const Finds& finds)
      : group_(std::move(group)),
        orbits_(orbits),
        degree_(finds.degree()),
        bidirectional_(finds.direction() == Direction::bidirectional),
        kernel_(finds.nodes(), finds.degree()),
        graph_{finds.nodes(), {}},
        own_(finds.no_targets()) {
    kernel_.set_growth(finds.growth());
    graph_.rows.assign(static_cast<std::size_t>(degree_),
                       std::vector<Node>(static_cast<std::size_t>(finds.nodes())));
    for (int orbit = 0; orbit < orbits_; ++orbit)
      roots_.push_back(static_cast<Node>(orbit * group_.order()));
  }

  void run(Rng rng, Finds& finds) override {
    const int candidates = std::max(16, slice_size(finds.nodes(), degree_) / (orbits_ + 1));
    for (int i = 0; i < candidates; ++i) {
      const bool change = i % 2 == 1 && !best_.empty();
      const Arcs arcs = change ? mutate(pick(rng).arcs, rng) : draw(rng);
      if (arcs.empty() || !simple(arcs)) continue;
      finds.count(1);
      fill(arcs);
      const auto cost = kernel_.rooted(graph_, roots_, own_);
      if (!cost) continue;
      finds.offer(*cost, "lift", [&] { return text(arcs); });
      remember(*cost, arcs);
    }
  }

 private:
  struct Best {
    CandidateCost cost;
    Arcs arcs;
  };

  LiftArc& at(Arcs& arcs, int link, int orbit) const {
    return arcs[static_cast<std::size_t>(link * orbits_ + orbit)];
  }

  Group::Element element(Rng& rng) const {
    return static_cast<Group::Element>(rng.below(group_.order()));
  }

  Arcs draw(Rng& rng) const {
    Arcs arcs(static_cast<std::size_t>(degree_ * orbits_));
    for (int link = 0; link < degree_;) {
      const bool pair = bidirectional_ && degree_ - link >= 2 && rng.below(4) != 0;
      draw_permutation(arcs, link, rng);
      if (pair) {
        invert(arcs, link, link + 1);
        link += 2;
      } else {
        if (bidirectional_ && !draw_involution(arcs, link, rng)) return {};
        ++link;
      }
    }
    return arcs;
  }

  void draw_permutation(Arcs& arcs, int link, Rng& rng) const {
    std::vector<int> heads(static_cast<std::size_t>(orbits_));
    std::iota(heads.begin(), heads.end(), 0);
    rng.shuffle(heads);
    for (int o = 0; o < orbits_; ++o)
      at(arcs, link, o) = {o, heads[static_cast<std::size_t>(o)], element(rng)};
  }

  // Row `to` leads back what row `from` leads forth.
  void invert(Arcs& arcs, int from, int to) const {
    for (int o = 0; o < orbits_; ++o) {
      const LiftArc arc = at(arcs, from, o);
      at(arcs, to, arc.head) = {arc.head, o, group_.inverse(arc.voltage)};
    }
  }

  // A row that is its own inverse: orbits in pairs, the others by an involution of the group.
  bool draw_involution(Arcs& arcs, int link, Rng& rng) const {
    std::vector<int> order(static_cast<std::size_t>(orbits_));
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
    std::size_t i = 0;
    for (; i + 1 < order.size() && (rng.below(4) != 0 || orbits_ % 2 == 0); i += 2) {
      const Group::Element g = element(rng);
      at(arcs, link, order[i]) = {order[i], order[i + 1], g};
      at(arcs, link, order[i + 1]) = {order[i + 1], order[i], group_.inverse(g)};
    }
    for (; i < order.size(); ++i) {
      Group::Element g = 0;
      for (int tries = 20; tries > 0 && (g == 0 || group_.inverse(g) != g); --tries)
        g = element(rng);
      if (g == 0 || group_.inverse(g) != g) return false;
      at(arcs, link, order[i]) = {order[i], order[i], g};
    }
    return true;
  }

  // One voltage changed; bidirectional, that of its reverse too.
  Arcs mutate(Arcs arcs, Rng& rng) const {
    const auto index = static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(arcs.size())));
    const LiftArc old = arcs[index];
    if (!bidirectional_) {
      arcs[index].voltage = element(rng);
      return arcs;
    }
    const LiftArc back{old.head, old.tail, group_.inverse(old.voltage)};
    const auto reverse = std::find(arcs.begin(), arcs.end(), back);
    if (reverse == arcs.end() || reverse == arcs.begin() + static_cast<std::ptrdiff_t>(index))
      return {};
    arcs[index].voltage = element(rng);
    reverse->voltage = group_.inverse(arcs[index].voltage);
    return arcs;
  }

  // Neither self-loops nor parallel links.
  bool simple(const Arcs& arcs) const {
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      if (arcs[i].tail == arcs[i].head && arcs[i].voltage == 0) return false;
      const auto step = static_cast<std::size_t>(orbits_);
      for (std::size_t j = i + step; j < arcs.size(); j += step)
        if (arcs[i] == arcs[j]) return false;
    }
    return true;
  }

  void fill(const Arcs& arcs) {
    const Group::Element order = group_.order();
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      Node* const row = graph_.rows[i / static_cast<std::size_t>(orbits_)].data() +
                        std::ptrdiff_t{arcs[i].head} * order;
      // The in-link of (head, x) comes from (tail, x g^-1).
      const Group::Element back = group_.inverse(arcs[i].voltage);
      const int base = arcs[i].tail * order;
      for (Group::Element x = 0; x < order; ++x)
        row[x] = static_cast<Node>(base + group_.multiply(x, back));
    }
  }

  const Best& pick(Rng& rng) const {
    return best_[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(best_.size())))];
  }

  void remember(CandidateCost cost, const Arcs& arcs) {
    if (!own_.improve(cost)) return;
    std::erase_if(best_, [&](const Best& best) {
      return best.cost.steps >= cost.steps && best.cost.load >= cost.load;
    });
    best_.push_back({cost, arcs});
  }

  std::string text(Arcs arcs) const {
    std::stable_sort(arcs.begin(), arcs.end(),
                     [](const LiftArc& a, const LiftArc& b) { return a.tail < b.tail; });
    return topology::lift(group_, arcs).name();
  }

  Group group_;
  int orbits_, degree_;
  bool bidirectional_;
  CandidateKernel kernel_;
  InNeighbours graph_;
  std::vector<Node> roots_;
  ParetoTargets own_;
  std::vector<Best> best_;
};

}  // namespace

void append_lift_sources(Sources& sources, const Finds& finds) {
  constexpr int kMostOrbits = 12;
  constexpr std::size_t kGroups = 4;
  for (int orbits = 2; orbits <= kMostOrbits; ++orbits) {
    if (finds.nodes() % orbits != 0 || finds.nodes() / orbits < 2) continue;
    auto groups = groups_of_order(finds.nodes() / orbits);
    if (groups.size() > kGroups) groups.resize(kGroups);
    for (Group& group : groups)
      sources.push_back(std::make_unique<LazySource>([&finds, group = std::move(group), orbits] {
        return std::make_unique<LiftSource>(group, orbits, finds);
      }));
  }
}

}  // namespace weft::search
