// Loads that are no whole numbers come at least two at a node that copies nothing, and so do they
// at all ranks' nodes taken as one. So a walk over such links, in whatever direction they lead,
// comes back to where it was. Round that circle loads are moved, up on links that it follows and
// down on those that it goes against, until one is whole; each circle leaves fewer that are not.
#include "weft/flow/allreduce/whole_loads.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/error.hpp"

namespace weft::flow {

namespace {

using graph::Fraction;

std::int64_t floor_of(const Fraction& value) {  // not negative
  WEFT_ASSERT(value >= 0);
  return static_cast<std::int64_t>(numerator(value) / denominator(value));
}

bool is_whole(const Fraction& value) {
  return denominator(value) == 1;
}

class Rounding {
 public:
  Rounding(const Carrier& carrier, std::vector<Fraction> loads)
      : carrier_(carrier), loads_(std::move(loads)), arcs_at_(carrier.kept.size() + 1) {
    for (std::size_t i = 0; i < carrier.arcs.size(); ++i) {
      const std::size_t tail = node(carrier.arcs[i].tail), head = node(carrier.arcs[i].head);
      if (tail == head) {
        if (Fraction& load = loads_[i]; !is_whole(load)) load = Fraction(floor_of(load) + 1);
        continue;
      }
      arcs_at_[tail].push_back(i);
      arcs_at_[head].push_back(i);
    }
  }

  std::vector<Fraction> rounded() && {
    for (std::size_t i = 0; i < loads_.size(); ++i)
      while (!is_whole(loads_[i])) move_round(circle_from(i));
    return std::move(loads_);
  }

 private:
  struct Step {
    std::size_t arc;
    bool follows;
  };

  // Ranks' nodes are one.
  std::size_t node(std::int32_t of) const {
    return carrier_.kept[of] != 0 ? carrier_.kept.size() : static_cast<std::size_t>(of);
  }

  std::optional<std::size_t> other_arc(std::size_t at, std::size_t arc) {
    std::vector<std::size_t>& arcs = arcs_at_[at];
    std::erase_if(arcs, [&](std::size_t i) { return is_whole(loads_[i]); });
    const auto other = std::ranges::find_if(arcs, [&](std::size_t i) { return i != arc; });
    return other == arcs.end() ? std::nullopt : std::optional(*other);
  }

  std::vector<Step> circle_from(std::size_t arc) {
    std::vector<std::size_t> nodes{node(carrier_.arcs[arc].tail)};
    std::vector<Step> steps;
    while (true) {
      const bool follows = node(carrier_.arcs[arc].tail) == nodes.back();
      const std::size_t next = node(follows ? carrier_.arcs[arc].head : carrier_.arcs[arc].tail);
      steps.push_back({arc, follows});
      if (const auto met = std::ranges::find(nodes, next); met != nodes.end())
        return {steps.begin() + (met - nodes.begin()), steps.end()};
      nodes.push_back(next);
      const auto other = other_arc(next, arc);
      WEFT_ASSERT(other.has_value());
      arc = *other;
    }
  }

  void move_round(const std::vector<Step>& circle) {
    std::optional<Fraction> least;
    for (const Step& step : circle) {
      const Fraction above = loads_[step.arc] - floor_of(loads_[step.arc]);
      const Fraction room = step.follows ? Fraction(1 - above) : above;
      if (!least || room < *least) least = room;
    }
    for (const Step& step : circle) loads_[step.arc] += step.follows ? *least : Fraction(-*least);
  }

  const Carrier& carrier_;
  std::vector<Fraction> loads_;                    // by arc
  std::vector<std::vector<std::size_t>> arcs_at_;  // by node
};

}  // namespace

std::vector<std::int64_t> whole_loads(const Carrier& carrier, const std::vector<Fraction>& loads) {
  std::vector<Fraction> of_arcs;
  for (const LinkId link : carrier.links) of_arcs.push_back(loads[link.index()]);
  of_arcs = Rounding(carrier, std::move(of_arcs)).rounded();
  std::vector<std::int64_t> whole(loads.size(), 0);
  for (std::size_t i = 0; i < of_arcs.size(); ++i)
    whole[carrier.links[i].index()] = floor_of(of_arcs[i]);
  return whole;
}

}  // namespace weft::flow
