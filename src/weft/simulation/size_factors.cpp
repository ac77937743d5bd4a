#include "weft/simulation/size_factors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::simulation {

namespace {

// What a class has where nothing is said: one piece from 0 on.
constexpr SizeFactor kNoFactor;

double factor_in(std::string_view part, std::string_view text) {
  const auto factor = number_in<double>(part);
  require(factor && std::isfinite(*factor) && *factor >= 1e-6 && *factor <= 1e6,
          "invalid factor '{}' in '{}' (expected a number from 1e-6 to 1e6)", part, text);
  return *factor;
}

}  // namespace

void parse_factor_option(std::string_view text, SizeFactors& factors) {
  std::string_view rest = trim(text);
  FactorsBySize* target = &factors.all;
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    const std::string_view name = trim(rest.substr(0, equals));
    require(!name.empty(),
            "factors '{}' have no class name before '='; for example global=64KiB:2.5,0.9", text);
    target = &factors.by_class[std::string(name)];
    rest = rest.substr(equals + 1);
  }
  const std::size_t colon = rest.find(':');
  const auto parts = split(colon == std::string_view::npos ? rest : rest.substr(colon + 1), ',');
  require(colon != std::string_view::npos && parts.size() == 2,
          "invalid factors '{}' (expected FROM:LATENCY,BANDWIDTH, such as 64KiB:2.5,0.9)", text);
  const SizeFactor made{parse_size(rest.substr(0, colon)), factor_in(parts[0], text),
                        factor_in(parts[1], text)};
  const auto place = std::ranges::lower_bound(*target, made.from_B, {}, &SizeFactor::from_B);
  require(place == target->end() || place->from_B != made.from_B,
          "factors '{}' start at a size that already has factors; give each size once", text);
  target->insert(place, made);
  WEFT_ASSERT(std::ranges::is_sorted(*target, {}, &SizeFactor::from_B));
}

std::span<const std::string_view> published_factor_names() {
  static constexpr std::array<std::string_view, 3> kNames{"smpi-3.12", "smpi-3.28", "smpi-3.32"};
  return kNames;
}

const FactorsBySize* published_factors(std::string_view name) {
  static const FactorsBySize smpi = {
      {0, 2.01467, 0.812084},    {258, 1.95341, 0.338112},   {733, 1.9503, 0.341987},
      {1427, 1.61075, 0.608902}, {3485, 1.88101, 0.77493},   {5777, 2.18796, 1.08739},
      {9377, 2.59299, 0.58729},  {15425, 3.48845, 0.697866}, {65473, 11.6436, 0.940694}};
  const auto names = published_factor_names();
  return std::ranges::find(names, name) == names.end() ? nullptr : &smpi;
}

std::vector<std::string> factor_options(const SizeFactors& factors) {
  std::vector<std::string> options;
  const auto add = [&](const std::string& name, const FactorsBySize& of_class) {
    for (const SizeFactor& f : of_class)
      options.push_back(
          fmt::format("{}{}:{},{}", name, format_size(f.from_B), f.latency, f.bandwidth));
  };
  add("", factors.all);
  for (const auto& [name, of_class] : factors.by_class) add(name + '=', of_class);
  return options;
}

const SizeFactor& factor_of(const FactorsBySize& factors, std::int64_t bytes) {
  const auto after = std::ranges::upper_bound(factors, bytes, {}, &SizeFactor::from_B);
  return after == factors.begin() ? kNoFactor : *(after - 1);
}

SizeFactor best_factor(const SizeFactors* factors) {
  SizeFactor best;
  const auto take = [&best](const FactorsBySize& of_class) {
    for (const SizeFactor& factor : of_class) {
      best.latency = std::min(best.latency, factor.latency);
      best.bandwidth = std::max(best.bandwidth, factor.bandwidth);
    }
  };
  if (factors == nullptr) return best;
  take(factors->all);
  for (const auto& [name, of_class] : factors->by_class)
    if (name != kLoopbackClass) take(of_class);  // no bound counts messages within a host
  return best;
}

LinkFactors::LinkFactors(const SizeFactors& factors, const Topology& topology) {
  const auto known = topology.class_names();
  for (const auto& [name, of_class] : factors.by_class) {
    if (name == kLoopbackClass) continue;
    const auto place = factors.places.find(name);
    require(std::ranges::find(known, name) != known.end(),
            "{}factors are given for links of class '{}', which {} does not have; its classes "
            "are {}",
            place == factors.places.end() ? "" : place->second + ": ", name, topology.name(),
            fmt::join(known, ", "));
  }
  for (const std::string& name : known) {
    const auto own = factors.by_class.find(name);
    by_class_.push_back(own == factors.by_class.end() ? factors.all : own->second);
    WEFT_ASSERT(std::ranges::is_sorted(by_class_.back(), {}, &SizeFactor::from_B));
    alike_ = alike_ && by_class_.back() == by_class_.front();
  }
}

std::int64_t LinkFactors::latency_ps(const Fabric& fabric, std::span<const LinkId> links,
                                     std::span<const Rational> shares, std::int64_t bytes,
                                     std::int64_t latency_ps) const {
  WEFT_ASSERT(shares.empty() || shares.size() == links.size());
  double plain = 0, scaled = 0;
  for (std::size_t j = 0; j < links.size(); ++j) {
    const double own = static_cast<double>(fabric.latency_ps(links[j])) *
                       (shares.empty() ? 1 : shares[j].to_double());
    plain += own;
    scaled += own * of(fabric.topology().link_class(links[j]), bytes).latency;
  }
  if (plain <= 0) return latency_ps;
  return std::llround(static_cast<double>(latency_ps) * (scaled / plain));
}

void LinkFactors::add_loads(const Topology& topology, std::span<const LinkId> links,
                            std::span<const Rational> shares, std::int64_t bytes,
                            std::vector<double>& loads) const {
  WEFT_ASSERT(shares.empty() || shares.size() == links.size());
  for (std::size_t j = 0; j < links.size(); ++j)
    loads.push_back((shares.empty() ? 1 : shares[j].to_double()) /
                    of(topology.link_class(links[j]), bytes).bandwidth);
}

}  // namespace weft::simulation
