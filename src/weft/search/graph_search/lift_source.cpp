// Voltage lifts: graphs in a few orbits of a group. Links r of all nodes form a permutation: a
// permutation of the orbits, and a voltage for each, so that in-degrees are even; bidirectional
// ones are put together from permutations with their inverses and from involutions.
//
// Of three candidates one is drawn afresh, one changes one voltage of the source's own best, and
// one is a step of a climb: from a random lift towards one of a diameter not reached yet, one
// voltage at a time, down the number of pairs that are further apart.
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
    graph_.rows.assign(degree_, std::vector<Node>(finds.nodes()));
    for (int orbit = 0; orbit < orbits_; ++orbit)
      roots_.push_back(static_cast<Node>(orbit * group_.order()));
  }

  void run(Rng rng, Finds& finds) override {
    const int candidates = std::max(16, slice_size(finds.nodes(), degree_) / (orbits_ + 1));
    for (int i = 0; i < candidates; ++i) {
      if (i % 3 == 2) {
        climb(rng, finds);
        continue;
      }
      const bool change = i % 3 == 1 && !best_.empty();
      const Arcs arcs = change ? mutate(pick(rng).arcs, rng) : draw(rng);
      if (arcs.empty() || !simple(arcs)) continue;
      finds.count(1);
      fill(arcs);
      attempt(arcs, finds);
    }
  }

 private:
  static constexpr std::int64_t kUnknown = INT64_MAX / 2;
  static constexpr int kPatience = 1000;

  struct Best {
    CandidateCost cost;
    Arcs arcs;
  };

  struct Climb {
    Arcs arcs;
    int steps = 0;
    std::int64_t far = kUnknown;
    int idle = 0;  // steps since it went down
  };

  LiftArc& at(Arcs& arcs, int link, int orbit) const { return arcs[link * orbits_ + orbit]; }

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
    std::vector<int> heads(orbits_);
    std::iota(heads.begin(), heads.end(), 0);
    rng.shuffle(heads);
    for (int o = 0; o < orbits_; ++o) at(arcs, link, o) = {o, heads[o], element(rng)};
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
    std::vector<int> order(orbits_);
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

  // Costs what fill() has filled in.
  void attempt(const Arcs& arcs, Finds& finds) {
    const auto cost = kernel_.rooted(graph_, roots_, own_);
    if (!cost) return;
    finds.offer(*cost, "lift", [&] { return text(arcs); });
    remember(*cost, arcs);
  }

  // One step above the Moore bound until the front is within 2% of the bandwidth bound there, then
  // the Moore bound itself.
  static int wanted_steps(const Finds& finds) {
    const int moore = moore_steps(finds.nodes(), finds.degree(), finds.direction());
    const std::int64_t bound =
        units_per_shard(finds.degree()) / finds.degree() * std::int64_t{finds.nodes() - 1};
    return finds.targets().open(moore + 1, bound + bound / 50) ? moore + 1 : moore;
  }

  void climb(Rng& rng, Finds& finds) {
    const int steps = wanted_steps(finds);
    if (climb_.arcs.empty() || climb_.steps != steps || climb_.idle > kPatience)
      climb_ = {.arcs = draw(rng), .steps = steps};
    const Arcs arcs = climb_.far == kUnknown ? climb_.arcs : mutate(climb_.arcs, rng);
    if (arcs.empty() || !simple(arcs)) {
      if (climb_.far == kUnknown) climb_.arcs.clear();
      return;
    }
    finds.count(1);
    fill(arcs);
    const std::int64_t slack = rng.below(64) == 0 ? 2 : 0;  // now and then a step uphill
    const std::int64_t far = kernel_.far_pairs(graph_, roots_, steps, climb_.far + slack);
    ++climb_.idle;
    if (far > climb_.far + slack) return;
    if (far < climb_.far) climb_.idle = 0;
    climb_.far = far;
    climb_.arcs = arcs;
    if (far > 0) return;
    attempt(arcs, finds);
    climb_.arcs.clear();
  }

  const Best& pick(Rng& rng) const {
    return best_[rng.below(static_cast<std::int64_t>(best_.size()))];
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
  Climb climb_;
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
