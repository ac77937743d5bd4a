#include "support/judges/naive_max_min.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace weft::test {

namespace {

/// Calls visit(link, take) for each entry of the flow's path.
template <class Visit>
void visit_path(const NaiveFlow& flow, Visit&& visit) {
  for (std::size_t i = 0; i < flow.links.size(); ++i)
    visit(static_cast<std::size_t>(flow.links[i]), flow.shares[i] * flow.weight);
}

}  // namespace

std::vector<double> naive_max_min(std::span<const double> capacities,
                                  std::span<const NaiveFlow> flows) {
  std::vector<double> levels(flows.size(), -1);  // negative: still rising
  std::size_t left = flows.size();
  while (left > 0) {
    std::vector<double> rest(capacities.begin(), capacities.end());
    std::vector<double> weight(capacities.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f)
      visit_path(flows[f], [&](std::size_t link, double take) {
        if (levels[f] >= 0)
          rest[link] -= take * levels[f];
        else
          weight[link] += take;
      });
    std::size_t first = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < capacities.size(); ++link)
      if (weight[link] > 0 && rest[link] / weight[link] < lowest)
        lowest = rest[link] / weight[first = link];
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (levels[f] < 0 &&
          std::ranges::count(flows[f].links, static_cast<std::int32_t>(first)) > 0) {
        levels[f] = std::max(lowest, 0.0);
        --left;
      }
  }
  return levels;
}

std::string unfairness(std::span<const double> capacities, std::span<const NaiveFlow> flows,
                       std::span<const double> levels, double tolerance) {
  std::vector<double> load(capacities.size(), 0), highest(capacities.size(), 0);
  for (std::size_t f = 0; f < flows.size(); ++f)
    visit_path(flows[f], [&](std::size_t link, double take) {
      load[link] += take * levels[f];
      highest[link] = std::max(highest[link], levels[f]);
    });
  for (std::size_t link = 0; link < capacities.size(); ++link)
    if (load[link] > capacities[link] * (1 + tolerance))
      return fmt::format("link {} carries {} of {}", link, load[link], capacities[link]);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const bool held = std::ranges::any_of(flows[f].links, [&](std::int32_t id) {
      const auto link = static_cast<std::size_t>(id);
      return load[link] >= capacities[link] * (1 - tolerance) &&
             levels[f] >= highest[link] * (1 - tolerance);
    });
    if (!held) return fmt::format("flow {} at level {} has no bottleneck", f, levels[f]);
  }
  return {};
}

}  // namespace weft::test
