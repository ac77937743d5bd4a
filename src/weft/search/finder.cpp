// The closure of the catalogue under expansions.
//
// Every expansion but bidirectional(X) makes the network larger, and that one doubles the degree.
// So the cells (N, degree) are worked off in order of N, then of degree: when a cell's turn comes,
// all that leads to it is there. Of a cell's candidates those are kept that no other one covers: as
// few steps, as low a bandwidth factor, and fit for all expansions that it is fit for. Each
// expansion's cost grows with that of its base, so nothing of the front is lost (the tests compare
// with the closure of everything). For one N alone only its divisors matter.
//
// Where the algebra has only an upper bound, for line graphs of networks that are not `tight`, the
// candidate is left out.
//
// A network of fewer ports serves nodes of more, which leave some idle. What would be made of such
// a network is what idle ports make of the expansions of the network itself, so that they come
// last, at the front, and are no candidates of the cells. With them neither the steps nor the
// bandwidth of the best network get worse where nodes have more ports.
#include "weft/search/finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/search/finder/candidates.hpp"
#include "weft/search/finder/entry_check.hpp"

namespace weft::search {

namespace {

using algorithm::Prediction;

class Closure {
 public:
  Closure(const Catalogue& catalogue, const FinderOptions& options)
      : catalogue_(catalogue), options_(options), cells_(options.last_nodes + 1) {
    for (int n = options.first_nodes; n <= options.last_nodes; ++n) mark_divisors(n);
    for (std::size_t n = 2; n < cells_.size(); ++n)
      if (cells_[n].needed) cells_[n].degrees.resize(options.degree + 1);
  }

  std::vector<FoundFront> run() {
    std::vector<FoundFront> result;
    for (int n = 2; n <= options_.last_nodes; ++n) {
      if (!is_needed(n)) continue;
      for (int degree = 1; degree <= options_.degree; ++degree) work_off(n, degree);
      if (n >= options_.first_nodes) result.push_back(front_of(n));
    }
    return result;
  }

 private:
  struct Cell {
    std::vector<std::int32_t> kept;     // indices in pool_
    std::vector<std::int32_t> factors;  // those of them that theorem 13 takes
  };
  struct Size {
    bool needed = false;
    std::vector<Cell> degrees;
  };

  void mark_divisors(int nodes) {
    for (int low = 1; low * low <= nodes; ++low)
      if (nodes % low == 0) cells_[low].needed = cells_[nodes / low].needed = true;
  }

  bool is_needed(std::int64_t nodes) const {
    return nodes >= 2 && nodes <= options_.last_nodes && cells_[nodes].needed;
  }

  Cell& cell(std::int64_t nodes, std::int64_t degree) { return cells_[nodes].degrees[degree]; }

  void work_off(int nodes, int degree) {
    for (CatalogueEntry& base : catalogue_.bases(nodes, degree))
      offer(Candidate::of_base(std::move(base)));
    offer_products(nodes, degree);
    Cell& here = cell(nodes, degree);
    for (const std::int32_t index : here.kept) {
      const Prediction& facts = pool_[index].facts;
      if (facts.optimal_bfb && facts.simple() && pool_[index].is_base_of_expansions())
        here.factors.push_back(index);
    }
    const std::vector<std::int32_t> kept = here.kept;  // bidirectional(X) touches other cells only
    for (const std::int32_t index : kept)
      if (pool_[index].is_base_of_expansions()) expand(index);
  }

  void expand(std::int32_t index) {
    const Candidate base = pool_[index];
    const std::int64_t n = base.facts.nodes, d = base.facts.degree;
    if (d >= 2 && base.facts.tight && is_needed(n * d))
      offer({algorithm::line(base.facts), false, Step::line, 1, index});
    for (int k = 2; k * d <= options_.degree; ++k) {
      if (!base.facts.loops && is_needed(k * n))
        offer({algorithm::degree(k, base.facts), base.cabled, Step::degree, k, index});
      if (const auto size = power_within(n, k); size && is_needed(*size))
        offer({algorithm::power(k, base.facts), base.cabled, Step::power, k, index});
    }
    if (2 * d <= options_.degree)
      if (const auto both_ways = algorithm::bidirectional(base.facts))
        offer({*both_ways, true, Step::bidirectional, 1, index});
  }

  std::optional<std::int64_t> power_within(std::int64_t nodes, int exponent) const {
    std::int64_t result = 1;
    for (int i = 0; i < exponent; ++i) {
      result *= nodes;
      if (result > options_.last_nodes) return std::nullopt;
    }
    return result;
  }

  void offer_products(int nodes, int degree) {
    for (int low = 2; low * low <= nodes; ++low) {
      if (nodes % low != 0) continue;
      for (int d = 1; d < degree; ++d)
        for (const std::int32_t first : cell(low, d).factors)
          for (const std::int32_t second : cell(nodes / low, degree - d).factors)
            offer_product(first, second);
    }
  }

  void offer_product(std::int32_t first, std::int32_t second) {
    const Candidate &a = pool_[first], &b = pool_[second];
    const Prediction factors[] = {a.facts, b.facts};
    const auto both = algorithm::product(factors);
    WEFT_ASSERT(both.has_value());
    offer({*both, a.cabled && b.cabled, Step::product, 1, first, second});
  }

  // One-way networks of more than half the ports are of no use where links need reverses.
  bool is_useful(const Candidate& candidate) const {
    return options_.direction == Direction::one_way || candidate.cabled ||
           2 * candidate.facts.degree <= options_.degree;
  }

  void offer(Candidate candidate) {
    if (!candidate.facts.exact || !is_useful(candidate)) return;
    Cell& target = cell(candidate.facts.nodes, candidate.facts.degree);
    candidate.weigh(pool_, options_.direction);
    for (const std::int32_t index : target.kept)
      if (pool_[index].covers(candidate)) return;
    std::erase_if(target.kept, [&](std::int32_t index) { return candidate.covers(pool_[index]); });
    target.kept.push_back(pool_.add(std::move(candidate)));
  }

  FoundFront front_of(int nodes) {
    FoundFront result{nodes, {}};
    std::vector<std::int32_t> all;
    for (int degree = options_.degree; degree >= 1; --degree)
      for (const std::int32_t index : cell(nodes, degree).kept)
        if (options_.direction == Direction::one_way || pool_[index].cabled)
          all.push_back(with_idle_ports(index, options_.degree - degree));
    std::sort(all.begin(), all.end(),
              [&](std::int32_t i, std::int32_t j) { return pool_[i].is_before(pool_[j]); });
    for (const std::int32_t index : all) {
      const Prediction& facts = pool_[index].facts;
      if (result.front.empty() ||
          facts.bandwidth_factor < result.front.back().facts.bandwidth_factor) {
        for (const CatalogueEntry* base : pool_.bases(index)) check(*base);
        result.front.push_back({pool_.expression(index), facts,
                                is_expanded(index) ? ReachedBy::expand : ReachedBy::bfb,
                                pool_.source(index),
                                pool_[index].step == Step::idle ? pool_[index].count : 0});
      }
    }
    return result;
  }

  // Lines of a file may lie; those that an answer rests on are held against their networks. The
  // cost, which takes long, only where one size is asked for.
  void check(const CatalogueEntry& entry) {
    if (!checked_.insert(&entry).second) return;
    require_true(entry,
                 options_.first_nodes == options_.last_nodes ? CheckOf::cost : CheckOf::size);
  }

  std::int32_t with_idle_ports(std::int32_t index, int ports) {
    if (ports == 0) return index;
    Candidate idle{algorithm::idle(ports, pool_[index].facts), pool_[index].cabled, Step::idle,
                   ports, index};
    idle.weigh(pool_, options_.direction);
    return pool_.add(std::move(idle));
  }

  bool is_expanded(std::int32_t index) const {
    const Candidate& candidate = pool_[index];
    return pool_[candidate.step == Step::idle ? candidate.first : index].is_base_of_expansions();
  }

  const Catalogue& catalogue_;
  const FinderOptions& options_;
  std::vector<Size> cells_;
  CandidatePool pool_;
  std::set<const CatalogueEntry*> checked_;
};

}  // namespace

std::vector<FoundFront> find_topologies(const Catalogue& catalogue, const FinderOptions& options) {
  require(options.first_nodes >= 2 && options.last_nodes >= options.first_nodes,
          "{}..{} is not a range of sizes (needs at least 2 nodes, the smaller number first)",
          options.first_nodes, options.last_nodes);
  require(options.last_nodes <= kMostFinderNodes,
          "{} nodes are too many for the finder (at most {})", options.last_nodes,
          kMostFinderNodes);
  require(options.degree >= 1 && options.degree <= kMostFinderDegree,
          "degree {} is out of range for the finder (needs 1 to {})", options.degree,
          kMostFinderDegree);
  return Closure(catalogue, options).run();
}

}  // namespace weft::search
