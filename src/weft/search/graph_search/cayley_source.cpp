// Cayley graphs: generator sets of one group.
//
// Where the group has few sets, all are tried. Else a slice draws a pool of elements, whose rows
// x -> x s are computed once, and half of its candidates are random sets from the pool; the other
// half are the source's own best sets with one generator exchanged, a local search that the front
// of all sources, harder to improve on, would starve. A two-way graph of odd degree takes an
// involution, and a large group may have a single one: such pools have a share of them.
#include <algorithm>

#include "generator_sets.hpp"
#include "groups.hpp"
#include "source.hpp"

namespace weft::search {

namespace {

constexpr double kFewSets = 60000;
constexpr int kPool = 96;

using Elements = std::vector<Group::Element>;

class CayleySource : public Source {
 public:
  CayleySource(Group group, const Finds& finds)
      : group_(std::move(group)),
        kernel_(finds.nodes(), finds.degree()),
        items_(generator_items(group_, finds.direction())),
        enumerator_(group_, items_, finds.degree()),
        enumerated_(enumerator_.size() <= kFewSets),
        rows_(group_.order()),
        own_(finds.no_targets()) {
    kernel_.set_growth(finds.growth());
    if (finds.direction() == Direction::one_way || finds.degree() % 2 == 0) return;
    for (const GeneratorItem& item : items_)
      if (item.weight() == 1) involutions_.push_back(item);
  }

  void run(Rng rng, Finds& finds) override {
    if (enumerated_)
      enumerate(finds);
    else
      sample(rng, finds);
  }

  bool exhausted() const override { return exhausted_; }

 private:
  struct Best {
    CandidateCost cost;
    Elements elements;
  };

  void enumerate(Finds& finds) {
    for (int i = slice_size(finds.nodes(), finds.degree()); i > 0 && !exhausted_; --i) {
      const ItemSet set = enumerator_.next();
      if (set.empty()) {
        exhausted_ = true;
        clear_rows();
      } else {
        attempt(elements_of(items_, set), finds.targets(), finds);
      }
    }
  }

  void sample(Rng& rng, Finds& finds) {
    const std::vector<GeneratorItem> pool = draw_pool(rng);
    const SetSampler sampler(pool, finds.degree());
    for (int i = slice_size(finds.nodes(), finds.degree()); i > 0; --i) {
      const bool change = i % 2 == 0 && !base_.empty();
      const ItemSet set = change ? sampler.mutate(draw_base(rng), rng) : sampler.draw(rng);
      if (set.empty()) continue;
      const Elements elements = elements_of(pool, set);
      if (const auto cost = attempt(elements, own_, finds)) remember(*cost, elements);
    }
    if (group_.order() > kKeepRows) clear_rows();
  }

  // Random items, behind those of the source's own best sets, whose indices go to base_.
  std::vector<GeneratorItem> draw_pool(Rng& rng) {
    std::vector<GeneratorItem> pool;
    base_.clear();
    for (const Best& best : best_) {
      ItemSet set;
      for (const Group::Element g : best.elements) {
        const auto item = std::find_if(items_.begin(), items_.end(),
                                       [&](const GeneratorItem& i) { return i.element == g; });
        if (item == items_.end()) continue;  // the inverse of one that comes itself
        set.push_back(static_cast<int>(pool.size()));
        pool.push_back(*item);
      }
      base_.push_back(std::move(set));
    }
    if (items_.size() <= std::size_t{2} * kPool) {
      pool.insert(pool.end(), items_.begin(), items_.end());
    } else {
      for (int i = 0; i < kPool / 4 && !involutions_.empty(); ++i)
        pool.push_back(involutions_[rng.below(static_cast<std::int64_t>(involutions_.size()))]);
      for (int i = 0; i < kPool; ++i)
        pool.push_back(items_[rng.below(static_cast<std::int64_t>(items_.size()))]);
    }
    return pool;
  }

  const ItemSet& draw_base(Rng& rng) const {
    return base_[rng.below(static_cast<std::int64_t>(base_.size()))];
  }

  // Ascending; empty when the pool named an element twice.
  static Elements elements_of(const std::vector<GeneratorItem>& pool, const ItemSet& set) {
    Elements elements;
    for (const int index : set) {
      const GeneratorItem& item = pool[index];
      elements.push_back(item.element);
      if (item.weight() == 2) elements.push_back(item.inverse);
    }
    std::sort(elements.begin(), elements.end());
    if (std::adjacent_find(elements.begin(), elements.end()) != elements.end()) return {};
    return elements;
  }

  std::optional<CandidateCost> attempt(const Elements& elements, const ParetoTargets& targets,
                                       Finds& finds) {
    if (elements.empty()) return std::nullopt;
    finds.count(1);
    next_.clear();
    for (const Group::Element g : elements) next_.push_back(row(g));
    const auto cost = kernel_.cayley(next_, targets);
    if (cost) finds.offer(*cost, "cayley", [&] { return text(elements); });
    return cost;
  }

  const Node* row(Group::Element g) {
    std::vector<Node>& row = rows_[g];
    if (row.empty()) {
      const auto translation = group_.right_translation(g);
      row.assign(translation.begin(), translation.end());
    }
    return row.data();
  }

  void clear_rows() {
    for (std::vector<Node>& row : rows_) std::vector<Node>().swap(row);
  }

  void remember(CandidateCost cost, const Elements& elements) {
    if (!own_.improve(cost)) return;
    std::erase_if(best_, [&](const Best& best) {
      return best.cost.steps >= cost.steps && best.cost.load >= cost.load;
    });
    best_.push_back({cost, elements});
  }

  std::string text(const Elements& elements) const {
    std::string text = "cayley:" + group_.text() + ";";
    for (std::size_t i = 0; i < elements.size(); ++i)
      text += (i == 0 ? "" : ",") + group_.to_text(elements[i]);
    return text;
  }

  static constexpr int kKeepRows = 256;  // larger groups forget their rows between slices

  Group group_;
  CandidateKernel kernel_;
  std::vector<GeneratorItem> items_, involutions_;
  SetEnumerator enumerator_;
  bool enumerated_, exhausted_ = false;
  std::vector<std::vector<Node>> rows_;
  std::vector<const Node*> next_;
  ParetoTargets own_;
  std::vector<Best> best_;
  std::vector<ItemSet> base_;  // the best sets, as indices into the slice's pool
};

}  // namespace

void append_cayley_sources(Sources& sources, const Finds& finds) {
  for (Group& group : groups_of_order(finds.nodes()))
    sources.push_back(std::make_unique<LazySource>([&finds, group = std::move(group)] {
      return std::make_unique<CayleySource>(group, finds);
    }));
}

}  // namespace weft::search
