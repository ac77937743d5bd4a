#include "ways.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/graph/rows.hpp"

namespace weft::flow {

namespace {

using graph::Rows;

// The shortest ways from one place to others, over nodes that have no rank.
class WaysFrom {
 public:
  WaysFrom(const Carrier& carrier, const Rows<std::int32_t>& into)
      : carrier_(carrier), into_(into), distance_(carrier.nodes, -1) {}

  void start(std::int32_t source, const Rows<std::int32_t>& out) {
    std::ranges::fill(distance_, -1);
    distance_[source] = 0;
    std::vector<std::int32_t> reached{source};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::int32_t at = reached[i];
      if (at != source && carrier_.kept[at] != 0) continue;
      for (const std::int32_t arc : out[at]) {
        const std::int32_t head = carrier_.arcs[arc].head;
        if (distance_[head] >= 0) continue;
        distance_[head] = distance_[at] + 1;
        reached.push_back(head);
      }
    }
  }

  // Each begins its choices elsewhere, so that few ways of many spread over all links.
  std::vector<std::vector<std::int32_t>> to(std::int32_t goal, std::int32_t most,
                                            std::size_t turn) const {
    std::vector<std::vector<std::int32_t>> found;
    if (distance_[goal] <= 0) return found;
    std::vector<std::int32_t> way;
    for (std::int32_t each = 0; each < most; ++each) {
      std::size_t choice = turn + static_cast<std::size_t>(each);
      way.clear();
      for (std::int32_t at = goal; distance_[at] > 0;) {
        const std::vector<std::int32_t> nearer = nearer_arcs(at);
        way.push_back(nearer[choice % nearer.size()]);
        choice /= nearer.size();
        choice += turn;
        at = carrier_.arcs[way.back()].tail;
      }
      std::ranges::reverse(way);
      if (std::ranges::find(found, way) == found.end()) found.push_back(way);
    }
    return found;
  }

  // Ways that are longer, the shorter first, over no node twice, until there are `most` in all.
  void add_longer(std::int32_t goal, std::size_t most,
                  std::vector<std::vector<std::int32_t>>& found) const {
    if (found.empty()) return;
    Longer longer{.most = most, .found = found};
    longer.met.assign(distance_.size(), 0);
    const auto shortest = static_cast<std::int32_t>(found.front().size());
    for (std::int32_t more = 1; more <= kMostMore && found.size() < most && longer.tries > 0;
         ++more)
      follow_back(goal, shortest + more, longer);
  }

 private:
  static constexpr std::int32_t kMostMore = 4;

  struct Longer {
    std::size_t most = 0;
    std::vector<std::vector<std::int32_t>>& found;
    std::vector<char> met = {};  // by node
    std::vector<std::int32_t> way = {};
    std::int32_t tries = 20'000;
  };
  // All ways of just so many arcs more, from the source to where it is.
  void follow_back(std::int32_t at, std::int32_t arcs, Longer& longer) const {
    if (arcs == 0) {
      longer.found.emplace_back(longer.way.rbegin(), longer.way.rend());
      return;
    }
    longer.met[at] = 1;
    for (const std::int32_t arc : into_[at]) {
      const std::int32_t tail = carrier_.arcs[arc].tail;
      const bool is_source = distance_[tail] == 0;
      if (longer.met[tail] != 0 || is_source != (arcs == 1) || distance_[tail] < 0 ||
          distance_[tail] >= arcs || (!is_source && carrier_.kept[tail] != 0))
        continue;
      if (longer.found.size() >= longer.most || --longer.tries < 0) break;
      longer.way.push_back(arc);
      follow_back(tail, arcs - 1, longer);
      longer.way.pop_back();
    }
    longer.met[at] = 0;
  }

  std::vector<std::int32_t> nearer_arcs(std::int32_t at) const {
    std::vector<std::int32_t> arcs;
    for (const std::int32_t arc : into_[at]) {
      const std::int32_t tail = carrier_.arcs[arc].tail;
      if (distance_[tail] == distance_[at] - 1 &&
          (distance_[tail] == 0 || carrier_.kept[tail] == 0))
        arcs.push_back(arc);
    }
    return arcs;
  }

  const Carrier& carrier_;
  const Rows<std::int32_t>& into_;
  std::vector<std::int32_t> distance_;  // by node; -1: out of reach
};

}  // namespace

PlaceWays place_ways(const Carrier& carrier, const WaysWanted& wanted) {
  const auto arcs = static_cast<std::int32_t>(carrier.arcs.size());
  const auto number = [](std::int32_t arc) { return arc; };
  const auto out = graph::rows_by<std::int32_t>(
      carrier.nodes, arcs, [&](std::int32_t arc) { return carrier.arcs[arc].tail; }, number);
  const auto into = graph::rows_by<std::int32_t>(
      carrier.nodes, arcs, [&](std::int32_t arc) { return carrier.arcs[arc].head; }, number);
  PlaceWays result;
  result.places = static_cast<std::int32_t>(carrier.places.size());
  result.links = carrier.links;
  std::int64_t widest = 1;
  for (const auto& arc : carrier.arcs) widest = std::max(widest, arc.capacity);
  for (const auto& arc : carrier.arcs) {
    result.capacities.push_back(arc.capacity);
    result.weights.push_back(static_cast<double>(widest) / static_cast<double>(arc.capacity));
  }
  WaysFrom from(carrier, into);
  for (std::int32_t tail = 0; tail < result.places; ++tail) {
    from.start(carrier.places[tail], out);
    for (std::int32_t head = 0; head < result.places; ++head) {
      if (head == tail) continue;
      auto found =
          from.to(carrier.places[head], wanted.shortest, static_cast<std::size_t>(tail + head));
      from.add_longer(carrier.places[head], static_cast<std::size_t>(wanted.with_longer), found);
      for (auto& links : found) result.ways.push_back({tail, head, std::move(links)});
    }
  }
  std::ranges::stable_sort(result.ways, {}, &PlaceWay::to);
  result.first.assign(static_cast<std::size_t>(result.places) + 1, 0);
  for (const PlaceWay& way : result.ways) ++result.first[way.to + 1];
  for (std::int32_t place = 0; place < result.places; ++place)
    result.first[place + 1] += result.first[place];
  return result;
}

std::vector<std::int32_t> distances_from(const PlaceWays& ways, std::int32_t root) {
  WEFT_ASSERT(root >= 0 && root < ways.places);
  std::vector<std::int32_t> distance(ways.places, -1);
  distance[root] = 0;
  for (bool grows = true; grows;) {
    grows = false;
    for (const PlaceWay& way : ways.ways) {
      if (distance[way.from] < 0) continue;
      std::int32_t& there = distance[way.to];
      if (there >= 0 && there <= distance[way.from] + 1) continue;
      there = distance[way.from] + 1;
      grows = true;
    }
  }
  return distance;
}

}  // namespace weft::flow
