// A source at distance t may arrive over in-arc (w, u) when w is at distance t - 1 from it, that is
// when a shortest way to u passes w last. So masks flow along shortest ways: the mask of a source
// is the union of the masks of its neighbours that are one nearer to u, and the direct arcs at
// distance
// 1. One search per receiver finds distances and masks together, in O(N) memory; no table of all
// distances is held.
#include "weft/graph/layers.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

constexpr std::size_t kBits = 64;

}  // namespace

LayerSearch::LayerSearch(const InArcs& arcs)
    : arcs_(arcs),
      words_(std::max<std::size_t>(
          1, (static_cast<std::size_t>(arcs.largest_degree()) + kBits - 1) / kBits)),
      states_(arcs.nodes()),
      masks_(states_.size() * words_),
      order_(states_.size()) {}

void LayerSearch::run(std::int32_t receiver) {
  const std::optional<std::string> why = unreached(receiver);
  require(!why, "{}", why.value_or(""));
}

std::optional<std::string> LayerSearch::unreached(std::int32_t receiver) {
  start(receiver);
  while (first_.back() < found_) {
    for (std::size_t i = first_.back(); i < found_; ++i) states_[order_[i]] = State::older;
    first_.push_back(found_);
    words_ == 1 ? reach_next_layer<1>() : reach_next_layer<0>();
  }
  if (found_ == states_.size()) return std::nullopt;
  const auto lost = static_cast<std::int32_t>(
      std::find(states_.begin(), states_.end(), State::unseen) - states_.begin());
  const bool along = arcs_.sense() == Sense::along;
  return fmt::format(
      "no way leads from node {} to node {}, and bfb needs a strongly connected topology",
      along ? lost : receiver, along ? receiver : lost);
}

void LayerSearch::start(std::int32_t receiver) {
  WEFT_ASSERT(receiver >= 0 && receiver < std::ssize(states_));
  std::fill(states_.begin(), states_.end(), State::unseen);
  order_[0] = receiver;
  found_ = 1;
  first_.assign({0, 1});
  states_[receiver] = State::older;
  const auto sources = arcs_.sources(receiver);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const auto source = static_cast<std::size_t>(sources[k]);
    MaskWord* mask = &masks_[source * words_];
    if (states_[source] == State::unseen) {
      states_[source] = State::current;
      order_[found_++] = sources[k];
      std::fill(mask, mask + words_, MaskWord{0});
    }
    mask[k / kBits] |= MaskWord{1} << k % kBits;
  }
}

// Of small networks this is most of what a cost takes: the members stay in registers.
template <std::size_t Words>
void LayerSearch::reach_next_layer() {
  const std::size_t words = Words > 0 ? Words : words_;
  State* const states = states_.data();
  MaskWord* const masks = masks_.data();
  std::int32_t* const order = order_.data();
  std::size_t found = found_;
  const std::size_t begin = first_[first_.size() - 2], end = first_.back();
  for (std::size_t i = begin; i < end; ++i) {
    const MaskWord* const from = masks + static_cast<std::size_t>(order[i]) * words;
    for (const std::int32_t source : arcs_.sources(order[i])) {
      if (states[source] == State::older) continue;
      MaskWord* const to = masks + static_cast<std::size_t>(source) * words;
      if (states[source] == State::unseen) {
        states[source] = State::current;
        order[found++] = source;
        std::copy_n(from, words, to);
      } else {
        for (std::size_t w = 0; w < words; ++w) to[w] |= from[w];
      }
    }
  }
  found_ = found;
}

std::optional<std::string> unreached(const InArcs& along, const InArcs& against) {
  for (const InArcs* arcs : {&along, &against}) {
    LayerSearch search(*arcs);
    if (auto why = search.unreached(0)) return why;
  }
  return std::nullopt;
}

}  // namespace weft::graph
