// A class's sources, cut into units, stand in a row; its arcs take consecutive runs of the row, as
// long as the flow says. So a source is cut only where a run ends, and an arc's whole sources stay
// whole pieces.
#include "deal.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/graph/delayed_balance.hpp"

namespace weft::algorithm::bfb {

namespace {

using graph::classify;
using graph::LayerClasses;
using graph::split_delayed;
using graph::split_layer;

constexpr std::size_t kMostSolved = 20'000;  // flows remembered for each step

// Appends units [begin, end) of the row of sources.
void append_run(std::span<const std::int32_t> sources, std::int64_t units, std::int64_t begin,
                std::int64_t end, std::vector<schedule::Piece>& pieces) {
  WEFT_ASSERT(begin >= 0 && begin <= end && end <= std::ssize(sources) * units);
  while (begin < end) {
    const std::int64_t source = sources[begin / units];
    const std::int64_t count = std::min(end - begin, units - begin % units);
    pieces.push_back({source * units + begin % units, count});
    begin += count;
  }
}

}  // namespace

void Dealer::deal(std::int32_t receiver, Parcels& out) {
  search_.run(receiver);
  solved_.resize(std::max(solved_.size(), static_cast<std::size_t>(search_.depth())));
  for (int distance = 1; distance <= search_.depth(); ++distance)
    deal_layer(receiver, distance, out);
}

void Dealer::deal_layer(std::int32_t receiver, int distance, Parcels& out) {
  classify(search_, receiver, distance, groups_);
  const LayerClasses& classes = groups_.classes;
  const std::vector<std::int64_t>& flow = flow_of(distance);
  const auto arcs = pass_.arcs.into(receiver);
  by_arc_.resize(std::max(by_arc_.size(), arcs.size()));
  for (std::size_t k = 0; k < arcs.size(); ++k) by_arc_[k].clear();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto first = static_cast<std::size_t>(groups_.first_node[i]);
    const auto sources =
        std::span(groups_.nodes).subspan(first, static_cast<std::size_t>(classes.counts[i]));
    std::int64_t begin = 0;
    for (auto e = static_cast<std::size_t>(classes.first_arc[i]);
         e < static_cast<std::size_t>(classes.first_arc[i + 1]); ++e) {
      append_run(sources, units_, begin, begin + flow[e], by_arc_[classes.arcs[e]]);
      begin += flow[e];
    }
  }
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    if (by_arc_[k].empty()) continue;
    out.parcels.push_back({distance - 1, receiver, arcs[k], out.pieces.size()});
    out.pieces.insert(out.pieces.end(), by_arc_[k].begin(), by_arc_[k].end());
  }
}

const std::vector<std::int64_t>& Dealer::flow_of(int distance) {
  WEFT_ASSERT(distance >= 1 && distance <= std::ssize(pass_.times));
  const auto t = static_cast<std::size_t>(distance) - 1;
  const auto known = solved_[t].find(groups_.classes);
  if (known != solved_[t].end()) return known->second;
  std::vector<std::int64_t> flow =
      pass_.block_ps ? split_delayed(groups_.classes, units_, *pass_.block_ps, pass_.times[t])
                     : split_layer(groups_.classes, units_, pass_.times[t]);
  if (solved_[t].size() < kMostSolved)
    return solved_[t].emplace(groups_.classes, std::move(flow)).first->second;
  unsaved_ = std::move(flow);
  return unsaved_;
}

}  // namespace weft::algorithm::bfb
