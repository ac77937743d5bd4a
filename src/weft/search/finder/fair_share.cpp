#include "fair_share.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace weft::search {

namespace {

constexpr int kNone = -1;

bool has_link(std::uint32_t links, int link) {
  return (links >> link & 1U) != 0;
}

}  // namespace

Rational FairShare::raise(const Rational& least, std::span<const Demand> demands) {
  // Even over all links, and singles over their own: no load is below these.
  std::int64_t total = 0, largest = 0;
  for (const Demand& demand : demands) {
    total += demand.count;
    if (std::has_single_bit(demand.links)) largest = std::max<std::int64_t>(largest, demand.count);
  }
  Rational load = std::max({least, Rational(total, links_), Rational(largest)});
  while (!deal(load, demands)) {
    const std::uint32_t full = complete(demands);
    if (full == 0) break;
    std::int64_t inside = 0;
    for (const Demand& demand : demands)
      if ((demand.links & ~full) == 0) inside += demand.count;
    load = Rational(inside, std::popcount(full));
  }
  return load;
}

// First fit, those with the fewest links first. Says whether all fits under the load; `rest_` and
// `given_` stay as a start for the flow. Amounts are in units of 1 / denominator of the load.
bool FairShare::deal(const Rational& load, std::span<const Demand> demands) {
  room_.assign(static_cast<std::size_t>(links_), load.numerator());
  rest_.resize(demands.size());
  if (given_.size() < demands.size()) given_.resize(demands.size());
  order_.resize(demands.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t k) {
    return std::popcount(demands[i].links) < std::popcount(demands[k].links);
  });
  bool fits = true;
  for (const std::size_t i : order_) {
    std::int64_t rest = demands[i].count * load.denominator();
    given_[i].assign(static_cast<std::size_t>(links_), 0);
    for (int link = 0; link < links_ && rest > 0; ++link) {
      if (!has_link(demands[i].links, link)) continue;
      const auto at = static_cast<std::size_t>(link);
      const std::int64_t part = std::min(rest, room_[at]);
      given_[i][at] = part;
      room_[at] -= part;
      rest -= part;
    }
    rest_[i] = rest;
    fits = fits && rest == 0;
  }
  return fits;
}

// Completes the deal to a maximum flow: 0 where all is placed, else the links of a minimum cut, all
// of them full with what only they can bring.
std::uint32_t FairShare::complete(std::span<const Demand> demands) {
  for (std::size_t start = 0; start < demands.size(); ++start)
    while (rest_[start] > 0) {
      const int end = find_room(start, demands);
      if (end == kNone) return reached_;
      push(start, end);
    }
  return 0;
}

// Breadth first over links; a full link leads on to the links of all demands that it serves.
int FairShare::find_room(std::size_t start, std::span<const Demand> demands) {
  reached_ = 0;
  queue_.clear();
  const auto visit = [&](std::size_t demand, int previous) {
    for (int link = 0; link < links_; ++link)
      if (has_link(demands[demand].links & ~reached_, link)) {
        reached_ |= 1U << link;
        demand_to_[static_cast<std::size_t>(link)] = demand;
        link_to_[static_cast<std::size_t>(link)] = previous;
        queue_.push_back(link);
      }
  };
  visit(start, kNone);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const int link = queue_[next];
    if (room_[static_cast<std::size_t>(link)] > 0) return link;
    for (std::size_t demand = 0; demand < demands.size(); ++demand)
      if (given_[demand][static_cast<std::size_t>(link)] > 0) visit(demand, link);
  }
  return kNone;
}

// Moves as much as can be along the way that was found.
void FairShare::push(std::size_t start, int end) {
  const auto at = [](int link) { return static_cast<std::size_t>(link); };
  std::int64_t amount = std::min(rest_[start], room_[at(end)]);
  for (int link = end; link_to_[at(link)] != kNone; link = link_to_[at(link)])
    amount = std::min(amount, given_[demand_to_[at(link)]][at(link_to_[at(link)])]);
  rest_[start] -= amount;
  room_[at(end)] -= amount;
  for (int link = end; link != kNone; link = link_to_[at(link)]) {
    auto& given = given_[demand_to_[at(link)]];
    given[at(link)] += amount;
    if (link_to_[at(link)] != kNone) given[at(link_to_[at(link)])] -= amount;
  }
}

}  // namespace weft::search
