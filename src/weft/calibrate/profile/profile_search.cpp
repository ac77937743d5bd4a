// Least squares by simulations alone. Values are searched as logarithms, in which limits are
// intervals and steps are relative. A round of Levenberg and Marquardt's method takes the effect of
// each value from one more simulation of each point; the sum of squares never rises.
#include "weft/calibrate/profile/profile_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/calibrate/profile/damped_squares.hpp"

namespace weft::calibrate {

namespace {

constexpr double kStep = 0.02;         // by which a value is changed to see its effect
constexpr double kChange = 0.2;        // what has no effect at this change
constexpr double kNoEffect = 0.01;     // on any prediction
constexpr double kInseparable = 0.04;  // share of an effect that no other value has

using Column = std::vector<double>;

double length(const Column& column) {
  return std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
}

class Search {
 public:
  Search(const PointTimes& times, std::span<const std::size_t> fitted, const ProfileState& base)
      : times_(times), fitted_(fitted), base_(base), state_(base), values_(profile_values(base)) {
    WEFT_ASSERT(std::ranges::all_of(
        fitted, [&](std::size_t point) { return point < times.points().size(); }));
    for (std::size_t v = 0; v < values().size(); ++v) {
      kept_.push_back(Determined::no_effect);
      instead_.emplace_back();
    }
  }

  // Twice, because what a seed hides may count once the others fit.
  SearchResult run() {
    for (int pass = 0; pass < 2; ++pass) {
      choose();
      improve(active(), pass == 0 ? 6 : 8);
      if (pass == 0) move_eager();
    }
    settle();
    SearchResult result{.state = state_, .determined = kept_, .instead = instead_};
    const Column own = residuals(state_);
    for (std::size_t v = 0; v < values().size(); ++v) {
      const bool fitted = kept_[v] == Determined::fitted || kept_[v] == Determined::at_limit;
      result.effects.push_back(fitted ? effect_of(v, kChange, own) : Column());
    }
    if (Column effect = eager_effect(); std::ranges::max(effect) > kNoEffect)
      result.eager_effect = std::move(effect);
    result.simulations = simulations_;
    return result;
  }

 private:
  Column times(const ProfileState& state) const {
    Column all;
    for (const std::size_t point : fitted_) all.push_back(times_.predicted_s(point, state));
    simulations_ += std::ssize(all);
    return all;
  }

  const std::vector<ProfileValue>& values() const { return values_; }

  std::vector<std::size_t> active() const {
    std::vector<std::size_t> all;
    for (std::size_t v = 0; v < values().size(); ++v)
      if (kept_[v] == Determined::fitted) all.push_back(v);
    return all;
  }

  Column residuals(const ProfileState& state) const { return residuals_of(times(state)); }
  Column residuals_of(Column times_s) const {
    for (std::size_t i = 0; i < times_s.size(); ++i)
      times_s[i] = std::log(times_s[i] / times_.points()[fitted_[i]].time_s);
    return times_s;
  }

  // A value that is at its upper limit is changed downwards.
  Column effect_of(std::size_t v, double step, const Column& own) const {
    const ProfileValue& value = values()[v];
    const double before = value.get(state_);
    WEFT_ASSERT(before > 0 && own.size() == fitted_.size());
    double after = before * (1 + step);
    if (after > value.high) after = before / (1 + step);
    ProfileState moved = state_;
    value.set(moved, after);
    Column effect = residuals(moved);
    for (std::size_t i = 0; i < effect.size(); ++i)
      effect[i] = (effect[i] - own[i]) / std::log(after / before);
    return effect;
  }

  static bool has_effect(const Column& effect) {
    const double limit = kNoEffect / std::log(1 + kChange);
    return std::ranges::any_of(effect, [&](double each) { return std::abs(each) > limit; });
  }

  // Which values the points determine: those with an effect, of which each has one of its own.
  void choose() {
    std::vector<Column> effects(values().size());
    Column own = residuals(state_);
    for (std::size_t v = 0; v < values().size(); ++v) {
      const ProfileValue& value = values()[v];
      if (!value.is_there(base_)) continue;
      if (value.get(state_) == 0) put(value, value.seed, own);
      effects[v] = effect_of(v, kChange, own);
      const bool fell = kept_[v] == Determined::fitted && !has_effect(effects[v]);
      kept_[v] = has_effect(effects[v])       ? Determined::fitted
                 : fell && changes_without(v) ? Determined::at_limit
                                              : Determined::no_effect;
      if (kept_[v] == Determined::no_effect) put(value, value.get(base_), own);
      if (kept_[v] == Determined::at_limit) put(value, nearer_limit(value), own);
    }
    separate(effects);
  }

  // Whether the base profile's value moves a prediction: a start-up that fell to nothing has no
  // effect any more, though the larger one had.
  bool changes_without(std::size_t v) const {
    ProfileState as_base = state_;
    values()[v].set(as_base, values()[v].get(base_));
    const Column here = times(state_), there = times(as_base);
    double largest = 0;
    for (std::size_t i = 0; i < here.size(); ++i)
      largest = std::max(largest, std::abs(there[i] / here[i] - 1));
    return largest > kNoEffect;
  }

  double nearer_limit(const ProfileValue& value) const {
    const double number = value.get(state_);
    return number * number < value.low * value.high ? value.low : value.high;
  }

  void put(const ProfileValue& value, double number, Column& own) {
    if (value.get(state_) == number) return;
    value.set(state_, number);
    own = residuals(state_);
  }

  // Takes the values of the base profile first, each time the one with the largest effect that
  // those before it do not have.
  void separate(const std::vector<Column>& effects) {
    std::vector<Column> left = effects;
    std::vector<std::size_t> open = active(), taken;
    const auto rank = [&](std::size_t v) {
      return length(left[v]) / length(effects[v]) < kInseparable
                 ? 0.0
                 : length(left[v]) * (values()[v].get(base_) > 0 ? 1e6 : 1);
    };
    while (!open.empty()) {
      const auto best = std::ranges::max_element(open, {}, rank);
      const std::size_t v = *best;
      open.erase(best);
      if (rank(v) == 0) {
        give_up(v, effects, taken);
        continue;
      }
      taken.push_back(v);
      Column unit = left[v];
      const double norm = length(unit);
      for (double& each : unit) each /= norm;
      for (const std::size_t other : open) {
        const double along = std::inner_product(unit.begin(), unit.end(), left[other].begin(), 0.0);
        for (std::size_t i = 0; i < unit.size(); ++i) left[other][i] -= along * unit[i];
      }
    }
  }

  void give_up(std::size_t v, const std::vector<Column>& effects,
               const std::vector<std::size_t>& taken) {
    const auto likeness = [&](std::size_t other) {
      return std::abs(std::inner_product(effects[v].begin(), effects[v].end(),
                                         effects[other].begin(), 0.0)) /
             length(effects[other]);
    };
    WEFT_ASSERT(!taken.empty());
    kept_[v] = Determined::inseparable;
    instead_[v] = values()[*std::ranges::max_element(taken, {}, likeness)].name;
    values()[v].set(state_, values()[v].get(base_));
  }

  // Damped least squares over these values; returns the sum of squares.
  double improve(const std::vector<std::size_t>& which, int rounds) {
    Column own = residuals(state_);
    double sum = std::pow(length(own), 2), damping = 1e-3;
    for (int round = 0; round < rounds && !which.empty(); ++round) {
      std::vector<Column> effects;
      for (const std::size_t v : which) effects.push_back(effect_of(v, kStep, own));
      const double before = sum;
      for (int attempt = 0; attempt < 5; ++attempt) {
        const Column step = damped_step(effects, own, damping);
        if (!std::ranges::all_of(step, [](double each) { return std::isfinite(each); })) {
          damping *= 10;  // effects that are almost the same
          continue;
        }
        const ProfileState next = moved(which, step);
        Column there = residuals(next);
        const double squares = std::pow(length(there), 2);
        if (squares < sum) {
          state_ = next;
          own = std::move(there);
          sum = squares;
          damping = std::max(damping / 10, 1e-6);
          break;
        }
        damping *= 10;
      }
      if (sum > before * (1 - 1e-3) || sum < 1e-8) break;
    }
    return sum;
  }

  ProfileState moved(const std::vector<std::size_t>& which, const Column& step) const {
    WEFT_ASSERT(step.size() == which.size());
    ProfileState next = state_;
    for (std::size_t k = 0; k < which.size(); ++k) {
      const ProfileValue& value = values()[which[k]];
      const double factor = std::exp(std::clamp(step[k], -1.5, 1.5));
      value.set(next, std::clamp(value.get(state_) * factor, value.low, value.high));
    }
    return next;
  }

  // What half or twice the limit or the base profile's changes, the largest; by point.
  Column eager_effect() const {
    const Column here = times(state_);
    Column effect(here.size());
    for (const std::int64_t size_B : {state_.eager_B / 2, state_.eager_B * 2, base_.eager_B}) {
      ProfileState other = state_;
      other.set_eager(size_B);
      const Column there = times(other);
      for (std::size_t i = 0; i < here.size(); ++i)
        effect[i] = std::max(effect[i], std::abs(there[i] / here[i] - 1));
    }
    return effect;
  }

  // Sizes by factors of four, then the neighbours of the best: a jump has no slope to follow.
  void move_eager() {
    std::vector<std::size_t> own;
    for (const std::size_t v : active())
      if (values()[v].changes_at_eager) own.push_back(v);
    if (own.empty()) return;
    double least = std::pow(length(residuals(state_)), 2);
    const ProfileState start = state_;
    const auto attempt = [&](std::int64_t size_B) {
      const ProfileState before = state_;
      state_ = start;
      state_.set_eager(size_B);
      const double sum = improve(own, 3);
      if (sum < 0.999 * least)
        least = sum;
      else
        state_ = before;
    };
    for (std::int64_t size_B = 1024; size_B <= 1 << 20; size_B *= 4)
      if (size_B != start.eager_B) attempt(size_B);
    for (const std::int64_t size_B : {state_.eager_B / 2, state_.eager_B * 2}) attempt(size_B);
  }

  // What has no effect at the end has the base profile's value again if no prediction moves by it.
  void settle() {
    if (std::ranges::max(eager_effect()) <= kNoEffect) state_.set_eager(base_.eager_B);
    for (const std::size_t v : active()) {
      const ProfileValue& value = values()[v];
      value.set(state_, rounded_value(value, value.get(state_)));
      if (!has_effect(effect_of(v, kChange, residuals(state_))) && !changes_without(v)) {
        value.set(state_, value.get(base_));
        kept_[v] = Determined::no_effect;
      } else if (const double now = value.get(state_); now >= value.high || now <= value.low) {
        kept_[v] = Determined::at_limit;
      }
    }
    release_classes();
  }

  // Classes that share a payload keep the base profile's where no prediction depends on theirs.
  // "all" comes last, because a class that the profile names explains its own links.
  void release_classes() {
    const auto shared = std::ranges::find(values(), kOnePayload, &ProfileValue::name);
    const auto v = static_cast<std::size_t>(shared - values().begin());
    if (kept_[v] != Determined::fitted && kept_[v] != Determined::at_limit) return;
    std::vector<std::string> classes(state_.one_payload.begin(), state_.one_payload.end());
    std::stable_partition(classes.begin(), classes.end(),
                          [](const auto& name) { return name != "all"; });
    for (const std::string& name : classes)
      if (state_.one_payload.size() > 1 && !depends_on(name)) {
        state_.set_payload(name, base_.payload(name));
        state_.one_payload.erase(name);
      }
  }

  // Whether a prediction moves if a class is slower or is as in the base profile.
  bool depends_on(const std::string& link_class) const {
    const Column here = times(state_);
    for (const double payload :
         {state_.payload(link_class) / (1 + kChange), base_.payload(link_class)}) {
      ProfileState other = state_;
      other.set_payload(link_class, payload);
      const Column there = times(other);
      for (std::size_t i = 0; i < here.size(); ++i)
        if (std::abs(there[i] / here[i] - 1) > kNoEffect) return true;
    }
    return false;
  }

  const PointTimes& times_;
  std::span<const std::size_t> fitted_;
  const ProfileState base_;
  ProfileState state_;
  const std::vector<ProfileValue> values_;
  std::vector<Determined> kept_;
  std::vector<std::string> instead_;
  mutable std::int64_t simulations_ = 0;
};

}  // namespace

SearchResult search_profile(const PointTimes& times, std::span<const std::size_t> fitted,
                            const ProfileState& base) {
  return Search(times, fitted, base).run();
}

}  // namespace weft::calibrate
