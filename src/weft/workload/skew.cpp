#include "weft/workload/skew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::workload {

Skew parse_skew(std::string_view text) {
  constexpr std::string_view kLaw = "zipf:";
  constexpr double kMost = 10;
  const std::string said = lower(trim(text));
  const auto exponent = said.starts_with(kLaw)
                            ? number_in<double>(std::string_view(said).substr(kLaw.size()))
                            : std::nullopt;
  require(exponent && *exponent >= 0 && *exponent <= kMost,
          "invalid skew '{}' (expected zipf:S with S from 0 (even) to {:g})", text, kMost);
  return {*exponent};
}

std::string text_of(const Skew& skew) {
  return fmt::format("zipf:{:g}", skew.exponent);
}

double ExpertLoad::most() const {
  WEFT_ASSERT(!of_ranks.empty());
  return *std::ranges::max_element(of_ranks);
}

ExpertLoad expert_load(const Experts& experts, std::int32_t ranks, const Skew& skew) {
  WEFT_ASSERT(ranks >= 1 && ranks <= experts.count);
  std::vector<double> popularity;
  double all = 0;
  for (std::int32_t k = 0; k < experts.count; ++k) {
    popularity.push_back(std::pow(k + 1, -skew.exponent));
    all += popularity.back();
  }
  const double room = experts.capacity / experts.count;
  ExpertLoad load{.of_ranks = std::vector<double>(static_cast<std::size_t>(ranks), 0),
                  .dropped = 1};
  for (std::int32_t k = 0; k < experts.count; ++k) {
    const double taken = std::min(popularity[static_cast<std::size_t>(k)] / all, room);
    load.of_ranks[static_cast<std::size_t>(k % ranks)] += taken;
    load.dropped -= taken;
  }
  load.dropped = std::max(0.0, load.dropped);
  WEFT_ASSERT(std::ssize(load.of_ranks) == ranks && load.dropped <= 1);
  return load;
}

double dropped_share(const Experts& experts, const std::optional<Skew>& skew) {
  if (!skew) return std::max(0.0, 1 - experts.capacity);
  return expert_load(experts, 1, *skew).dropped;
}

}  // namespace weft::workload
