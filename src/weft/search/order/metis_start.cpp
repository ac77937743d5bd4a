// Halves by METIS, again and again.
//
// The graph of a part has the switches that hold its places, weighted by how many, and the links
// between them. METIS halves it with few links cut, its halves about as large as the tree's; where
// they are not exactly so, the places that go over are those of the switches with the most links
// to the other side.
// Source: Karypis, Kumar, "A Fast and High Quality Multilevel Scheme for Partitioning Irregular
// Graphs", SIAM J. Sci. Comput. 20(1), 1998.
#include "weft/search/order/metis_start.hpp"
#include "index.hpp"

#include <metis.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "weft/analysis/metis_turn.hpp"
#include "weft/base/error.hpp"

namespace weft::search {

namespace {

// The switches of a part of the order, numbered from 0.
struct Part {
  std::vector<std::int32_t> switches;
  std::vector<idx_t> places, first{0}, ends;
};

class Halver {
 public:
  Halver(const OrderNetwork& network, Order& order, std::uint64_t seed)
      : network_(network),
        order_(order),
        seed_(static_cast<idx_t>(seed % (1U << 30))),
        number_of_(index(network.switches()), -1) {}

  // Halves of a power of two, as the tree has them.
  void halve(std::size_t first, std::size_t last) {
    if (last - first < 2) return;
    const std::size_t middle = first + std::bit_floor(last - first - 1);
    arrange(first, middle, last);
    halve(first, middle);
    halve(middle, last);
  }

 private:
  std::int32_t switch_at(std::size_t position) const {
    return network_.switch_of(order_[position]);
  }

  Part part_of(std::size_t first, std::size_t last) {
    Part part;
    for (std::size_t p = first; p < last; ++p) {
      std::int32_t& number = number_of_[index(switch_at(p))];
      if (number < 0) {
        number = static_cast<std::int32_t>(part.switches.size());
        part.switches.push_back(switch_at(p));
        part.places.push_back(0);
      }
      ++part.places[index(number)];
    }
    add_links(part);
    for (const std::int32_t s : part.switches) number_of_[index(s)] = -1;
    return part;
  }

  // METIS wants each link both ways and once.
  void add_links(Part& part) const {
    std::vector<std::vector<idx_t>> near(part.switches.size());
    for (std::size_t s = 0; s < part.switches.size(); ++s)
      for (const std::int32_t other : network_.neighbors(part.switches[s])) {
        const std::int32_t number = number_of_[index(other)];
        if (number < 0 || index(number) == s) continue;
        near[s].push_back(number);
        near[index(number)].push_back(static_cast<idx_t>(s));
      }
    for (auto& row : near) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      part.ends.insert(part.ends.end(), row.begin(), row.end());
      part.first.push_back(static_cast<idx_t>(part.ends.size()));
    }
  }

  // By switch: 0 for the lower ranks, 1 for the upper ones.
  std::vector<idx_t> sides_of(Part& part, double lower) const {
    auto switches = static_cast<idx_t>(part.switches.size());
    idx_t constraints = 1, halves = 2, cut = 0;
    std::vector<idx_t> side(part.switches.size(), 0);
    std::vector<real_t> share{static_cast<real_t>(lower), static_cast<real_t>(1 - lower)};
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed_;
    const std::scoped_lock turn(analysis::metis_turn());
    [[maybe_unused]] const int status = METIS_PartGraphRecursive(
        &switches, &constraints, part.first.data(), part.ends.data(), part.places.data(), nullptr,
        nullptr, &halves, share.data(), nullptr, options, &cut, side.data());
    WEFT_ASSERT(status == METIS_OK);
    return side;
  }

  // How many links more a switch has to the upper half than to the lower.
  static idx_t pull(const Part& part, const std::vector<idx_t>& side, std::size_t s) {
    idx_t sum = 0;
    for (idx_t e = part.first[s]; e < part.first[s + 1]; ++e)
      sum += side[index(part.ends[index(e)])] == 1 ? 1 : -1;
    return sum;
  }

  void arrange(std::size_t first, std::size_t middle, std::size_t last) {
    Part part = part_of(first, last);
    if (part.switches.size() == 1) return;
    const auto side =
        sides_of(part, static_cast<double>(middle - first) / static_cast<double>(last - first));
    std::vector<std::size_t> by_side(part.switches.size());
    std::iota(by_side.begin(), by_side.end(), std::size_t{0});
    const auto key = [&](std::size_t s) { return std::pair(side[s], pull(part, side, s)); };
    std::stable_sort(by_side.begin(), by_side.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < by_side.size(); ++i)
      number_of_[index(part.switches[by_side[i]])] = static_cast<std::int32_t>(i);
    std::stable_sort(order_.begin() + static_cast<std::ptrdiff_t>(first),
                     order_.begin() + static_cast<std::ptrdiff_t>(last),
                     [&](std::int32_t a, std::int32_t b) {
                       return number_of_[index(network_.switch_of(a))] <
                              number_of_[index(network_.switch_of(b))];
                     });
    for (const std::int32_t s : part.switches) number_of_[index(s)] = -1;
  }

  const OrderNetwork& network_;
  Order& order_;
  idx_t seed_;
  std::vector<std::int32_t> number_of_;  // of a switch in the part at hand; -1 outside
};

}  // namespace

void halve_by_metis(const OrderNetwork& network, Order& order, std::uint64_t seed) {
  Halver(network, order, seed).halve(0, order.size());
}

}  // namespace weft::search
