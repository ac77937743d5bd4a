// The bandwidths of classes of links, from what each table says of the slowest link on its way.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/calibrate/link_fit.hpp"

namespace weft::calibrate {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Bandwidths that differ by less are one, measured several times.
constexpr double kAlike = 0.1;

}  // namespace

/// Of a class that messages cross whose bytes take no time to speak of: the network's own, or the
/// slowest that keeps them so.
void LinkFit::take_own_per_byte(std::size_t link_class) {
  const std::size_t last = starts_B_.size() - 1;
  double most_s = kNever;  // per byte
  for (std::size_t p = 0; p < latencies_.size(); ++p) {
    const double bytes = latencies_[p].ways.load[link_class] * longest_B(p, last);
    if (lines_[last][p].points > 0 && bytes > 0)
      most_s = std::min(most_s, kSeen * lines_[last][p].start_s / bytes);
  }
  class_per_byte_s_[last][link_class] = std::min(1 / own_Bps(link_class), most_s);
  least_Bps_[link_class] = 1 / most_s;
}

/// The speed of the slowest link of a class, as the network says.
double LinkFit::own_Bps(std::size_t link_class) const {
  WEFT_ASSERT(link_class < classes_);
  double own_Bps = kNever;
  for (const LinkId link : network_.topology().links())
    if (network_.topology().link_class(link).index() == link_class)
      own_Bps = std::min(own_Bps, static_cast<double>(network_.fabric().bandwidth_Bps(link)));
  return own_Bps;
}

/// Lets a class be as fast as the network says.
void LinkFit::raise(std::size_t link_class) {
  is_raised_[link_class] = 1;
  for (std::size_t r = starts_B_.size(); r-- > 0;) {
    double& per_byte = class_per_byte_s_[r][link_class];
    if (rates_[r].empty() && r + 1 < starts_B_.size())
      per_byte = class_per_byte_s_[r + 1][link_class];
    else if (!decides({link_class}, r))
      per_byte = std::min(per_byte, 1 / own_Bps(link_class));
  }
}

/// Of classes that no table decides, raises those to the network's own speed that need not be what
/// slows a table down. Those are left that have to lose the least share of their own speed for it,
/// all that have to lose about as much.
void LinkFit::raise_to_own() {
  const std::size_t last = starts_B_.size() - 1;
  lower_Bps_.assign(classes_, std::nullopt);
  is_raised_.assign(classes_, 0);
  std::vector<std::pair<double, std::size_t>> open;  // measured over own speed, and the class
  for (std::size_t c = 0; c < classes_; ++c) {
    const double per_byte = class_per_byte_s_[last][c];
    if (per_byte <= 0 || least_Bps_[c] || decides({c}, last)) continue;
    lower_Bps_[c] = 1 / per_byte;
    if (const double share = 1 / (own_Bps(c) * per_byte); share < 1) open.emplace_back(share, c);
  }
  std::ranges::sort(open);
  std::vector<std::size_t> likeliest;
  for (const auto& [share, c] : open)
    if (share * (1 + kAlike) >= open.back().first)
      likeliest.push_back(c);
    else if (!decides({c}, last))
      raise(c);
  if (!decides(likeliest, last)) std::ranges::for_each(likeliest, [&](auto c) { raise(c); });
}

/// The least that a table allows, and the mean of those that allow as much; in a range whose bytes
/// take no time to speak of, that of the next.
void LinkFit::take_per_byte(std::size_t link_class, std::size_t range) {
  const bool by_single = std::ranges::any_of(rates_[range], [&](const Rate& rate) {
    return !rate.stream && rate.ways->load[link_class] > 0;
  });
  const auto counts = [&](const Rate& rate) {
    return rate.ways->load[link_class] > (rate.stream && by_single ? 1.0 + 1e-9 : 0.0);
  };
  double least = kNever;
  for (const Rate& rate : rates_[range])
    if (counts(rate)) least = std::min(least, rate.per_byte_s / rate.ways->load[link_class]);
  if (least == kNever) {
    if (range + 1 < starts_B_.size())
      class_per_byte_s_[range][link_class] = class_per_byte_s_[range + 1][link_class];
    else if (crossed(link_class))
      take_own_per_byte(link_class);
    return;
  }
  double sum = 0, points = 0;
  for (const Rate& rate : rates_[range]) {
    const double own = rate.per_byte_s / std::max(rate.ways->load[link_class], 1e-30);
    if (!counts(rate) || own > least * (1 + kAlike)) continue;
    sum += own * rate.points;
    points += rate.points;
  }
  WEFT_ASSERT(points > 0);  // the least allows as much as itself
  class_per_byte_s_[range][link_class] = sum / points;
}

/// Whether a table of the range is slowed down by some of these classes, and by no other.
bool LinkFit::decides(const std::vector<std::size_t>& link_classes, std::size_t range) const {
  WEFT_ASSERT(range < rates_.size());
  const auto& own = class_per_byte_s_[range];
  return std::ranges::any_of(rates_[range], [&](const Rate& rate) {
    bool by_these = false, by_others = false;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (rate.ways->load[c] * own[c] < rate.per_byte_s * (1 - kAlike)) continue;
      const bool is_one = std::ranges::find(link_classes, c) != link_classes.end();
      (is_one ? by_these : by_others) = true;
    }
    return by_these && !by_others;
  });
}

Fitted LinkFit::bandwidth_of(std::size_t link_class) const {
  const std::size_t last = starts_B_.size() - 1;
  const double per_byte = class_per_byte_s_[last][link_class];
  Fitted fitted{per_byte > 0 ? 1 / per_byte : 0};
  if (least_Bps_[link_class])
    fitted.interval = Interval{*least_Bps_[link_class], kNever};
  else if (lower_Bps_[link_class])
    fitted.interval = Interval{*lower_Bps_[link_class], kNever};
  return fitted;
}

}  // namespace weft::calibrate
