#include "weft/schedule/pipeline_price.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/numbers/fraction_sum.hpp"

namespace weft::schedule {

namespace {

using Steps = std::vector<std::vector<LinkLoad>>;

/// One that all loads have, where their sums fit in 64 bits.
std::optional<std::int64_t> common_denominator(const Steps& steps) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  std::int64_t common = 1;
  double largest = 0;  // of what one link can carry
  for (const auto& step : steps) {
    double largest_of_step = 0;
    for (const LinkLoad& load : step) {
      if (load.units.is_long()) return std::nullopt;
      const Rational::Wide denominator = load.units.wide_denominator();
      if (denominator > kMost) return std::nullopt;
      const auto narrow = static_cast<std::int64_t>(denominator);
      if (common % narrow != 0) {
        const std::int64_t factor = narrow / std::gcd(common, narrow);
        if (common > kMost / factor) return std::nullopt;
        common *= factor;
      }
      largest_of_step = std::max(largest_of_step, load.units.to_double());
    }
    largest += largest_of_step;
  }
  if (largest * static_cast<double>(common) >= static_cast<double>(kMost)) return std::nullopt;
  return common;
}

template <typename Number, typename Convert>
PipelineLoads<Number> converted(const Steps& steps, const Rational& unit, const Convert& convert) {
  PipelineLoads<Number> loads{.steps = {}, .unit = unit};
  for (const auto& step : steps) {
    auto& made = loads.steps.emplace_back();
    made.reserve(step.size());
    for (const LinkLoad& load : step) made.push_back({load.link, convert(load.units)});
  }
  return loads;
}

std::variant<PipelineLoads<std::int64_t>, PipelineLoads<Rational>> loads_of(const Steps& steps) {
  if (const auto common = common_denominator(steps))
    return converted<std::int64_t>(steps, Rational(1, *common), [&](const Rational& units) {
      return units.numerator() * (*common / units.denominator());
    });
  return converted<Rational>(steps, 1, [](const Rational& units) { return units; });
}

}  // namespace

// The largest loads of links, of each speed apart: there the loads alone compare.
template <typename Number>
class PipelinePrice::Peaks {
 public:
  Peaks(const PipelinePrice& price, const Rational& unit)
      : price_(price), unit_(unit), largest_(price.weights_.size()) {}

  void see(LinkId link, const Number& units) {
    Number& largest = largest_[static_cast<std::size_t>(price_.speed_[link])];
    if (largest < units) largest = units;
  }
  /// In units of a node's egress.
  Rational factor() const {
    Rational factor;
    for (std::size_t i = 0; i < largest_.size(); ++i)
      factor = std::max(factor, Rational(largest_[i]) * unit_ * price_.weights_[i]);
    return factor;
  }

 private:
  const PipelinePrice& price_;
  const Rational& unit_;
  std::vector<Number> largest_;  // by speed
};

// What the entries of a window put on the links together.
template <typename Number>
class PipelinePrice::Window {
 public:
  using Entry = std::vector<typename PipelineLoads<Number>::Load>;

  explicit Window(std::int32_t links) : units_(links), active_(links, 0) {}

  void add(const Entry& entry) {
    for (const auto& [link, units] : entry) {
      units_[link] += units;
      if (active_[link] == 0) links_.push_back(link);
      active_[link] = 1;
    }
  }
  /// Likewise, and shows what the links carry then.
  void add(const Entry& entry, Peaks<Number>& peaks) {
    for (const auto& [link, units] : entry) peaks.see(link, units_[link] += units);
  }
  void remove(const Entry& entry) {
    for (const auto& [link, units] : entry) units_[link] -= units;
  }
  void show(Peaks<Number>& peaks) const {
    for (const LinkId link : links_) peaks.see(link, units_[link]);
  }

 private:
  IdVector<LinkId, Number> units_;
  IdVector<LinkId, std::uint8_t> active_;
  std::vector<LinkId> links_;
};

PipelinePrice::PipelinePrice(const Steps& steps, std::int64_t stride, const Fabric& fabric)
    : stored_(std::ssize(steps)),
      stride_(stride),
      speed_(fabric.topology().link_count()),
      loads_(loads_of(steps)),
      ramps_(static_cast<std::size_t>(std::min(stride, stored_))) {
  WEFT_ASSERT(stride >= 1);
  std::map<std::int64_t, std::int32_t> speeds;  // by bandwidth
  for (const LinkId link : ids<LinkId>(fabric.topology().link_count())) {
    const std::int64_t bandwidth_Bps = fabric.bandwidth_Bps(link);
    const auto [speed, is_new] =
        speeds.emplace(bandwidth_Bps, static_cast<std::int32_t>(weights_.size()));
    if (is_new) weights_.emplace_back(fabric.node_egress_Bps(), bandwidth_Bps);
    speed_[link] = speed->second;
  }
}

template <typename Number>
Ramp PipelinePrice::ramp_of(const PipelineLoads<Number>& loads, std::int64_t residue) {
  const std::int64_t entries = entries_of(residue);
  WEFT_ASSERT(entries >= 1);
  // An entry after the other, from either end, with the largest loads after each.
  const auto grow = [&](std::int64_t count, const auto& entry_at) {
    std::vector<Rational> factors;
    Window<Number> window(speed_.size());
    Peaks<Number> peaks(*this, loads.unit);
    for (std::int64_t i = 0; i < count; ++i) {
      window.add(loads.steps[static_cast<std::size_t>(residue + entry_at(i) * stride_)], peaks);
      factors.push_back(peaks.factor());
    }
    return factors;
  };
  Ramp ramp;
  ramp.growing = grow(entries, [](std::int64_t i) { return i; });
  ramp.shrinking = grow(entries - 1, [&](std::int64_t i) { return entries - 1 - i; });
  std::ranges::reverse(ramp.shrinking);
  return ramp;
}

template <typename Number>
std::vector<Rational> PipelinePrice::sliding(const PipelineLoads<Number>& loads,
                                             std::int64_t residue, std::int64_t segments) {
  const std::int64_t entries = entries_of(residue);
  WEFT_ASSERT(segments >= 1 && segments < entries);
  const auto entry = [&](std::int64_t i) -> const auto& {
    return loads.steps[static_cast<std::size_t>(residue + i * stride_)];
  };
  std::vector<Rational> factors;
  Window<Number> window(speed_.size());
  for (std::int64_t at = 0; at < entries + segments - 1;
       ++at) {  // the window is (at - segments, at]
    if (at < entries) window.add(entry(at));
    if (at >= segments) window.remove(entry(at - segments));
    Peaks<Number> peaks(*this, loads.unit);
    window.show(peaks);
    factors.push_back(peaks.factor());
  }
  return factors;
}

void PipelinePrice::price(std::int64_t segments, const Rational& share, Cost& cost) {
  WEFT_ASSERT(segments >= 1);
  FractionSum sum;
  cost.step_factors.assign(
      cost.steps <= kMostStepFactors ? static_cast<std::size_t>(cost.steps) : 0, {});
  for (std::int64_t residue = 0; residue < std::ssize(ramps_); ++residue) {
    std::int64_t at = 0;
    const auto add = [&](const Rational& unscaled, std::int64_t repeats) {
      const Rational factor = unscaled * share;
      sum.add(factor * repeats);
      if (!cost.step_factors.empty())
        for (std::int64_t i = at; i < at + repeats; ++i)
          cost.step_factors[static_cast<std::size_t>(residue + i * stride_)] = factor;
      at += repeats;
    };
    const std::int64_t entries = entries_of(residue);
    std::visit(
        [&](const auto& loads) {
          if (segments < entries) {
            for (const Rational& factor : sliding(loads, residue, segments)) add(factor, 1);
            return;
          }
          std::optional<Ramp>& ramp = ramps_[static_cast<std::size_t>(residue)];
          if (!ramp) ramp = ramp_of(loads, residue);
          for (std::size_t i = 0; i + 1 < ramp->growing.size(); ++i) add(ramp->growing[i], 1);
          add(ramp->growing.back(), segments - entries + 1);
          for (const Rational& factor : ramp->shrinking) add(factor, 1);
        },
        loads_);
    WEFT_ASSERT(at == entries + segments - 1);  // every position of the window was priced once
  }
  cost.bandwidth_factor = sum.total();
}

}  // namespace weft::schedule
