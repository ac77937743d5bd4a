// From LogGP to a profile. A message takes
//
//     half of PRTT(1,0,s) = o_s + latency of hosts, cables and one switch + o_r + s G
//
// and the next message of a stream follows g + s G later. In a profile a sender's messages follow
// each other by the start-up, so that the start-up is the larger of o_s and g.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/profile/loggp.hpp"
#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/network/host_costs.hpp"

namespace weft::calibrate {

namespace {

constexpr std::int64_t kSmallMessage_B = 1024;  // larger ones show their bytes
constexpr std::int64_t kLargeMessage_B = 65'536;
constexpr std::int64_t kLargestShare =
    16;  // sizes of a sixteenth of the largest and more are large
constexpr double kSecond_ps = 1e12;

std::int64_t whole_ps(double time_s) {
  return std::llround(time_s * kSecond_ps);
}
double in_seconds(std::int64_t time_ps) {
  return static_cast<double>(time_ps) / kSecond_ps;
}

std::string time_or_none(std::int64_t time_ps) {
  return time_ps > 0 ? format_seconds(in_seconds(time_ps)) : "none";
}

// Of two cables and the switch between them.
std::int64_t wires_ps(const ProfileState& state) {
  return 2 * state.links.all.line.latency_ps + state.links.all.switch_latency_ps;
}

double rate_Bps(const ProfileState& state) {
  return static_cast<double>(state.links.all.line.bandwidth_Bps) * state.links.all.payload;
}

// Slope of the gap over the size: the line of least squared relative errors.
double seconds_a_byte(const std::vector<LogGPRow>& rows) {
  WEFT_ASSERT(rows.size() >= 2);
  double weights = 0, sizes = 0, gaps = 0, squares = 0, products = 0;
  for (const LogGPRow& row : rows) {
    const double weight = 1 / (row.gap_s * row.gap_s), size = static_cast<double>(row.size_B);
    weights += weight;
    sizes += weight * size;
    gaps += weight * row.gap_s;
    squares += weight * size * size;
    products += weight * size * row.gap_s;
  }
  return (weights * products - sizes * gaps) / (weights * squares - sizes * sizes);
}

class LogGPSolver {
 public:
  LogGPSolver(const std::vector<LogGPRow>& rows, const MachineModel& base)
      : rows_(rows), base_(profile_state(base)), state_(base_) {}

  void solve(LogGPFit& fit) {
    const LogGPRow& least = rows_.front();
    if (least.size_B <= kSmallMessage_B)
      set_overheads(least, fit);
    else
      leave_overheads(least, fit);
    set_payload(fit);
    if (least.size_B <= kSmallMessage_B && base_.host.rendezvous.time_ps > 0) set_rendezvous(fit);
    keep_hosts(fit);
    for (const LogGPRow& row : rows_) fit.predicted_s.push_back(one_way_s(row.size_B));
  }

  const ProfileState& state() const { return state_; }

 private:
  static std::string source(std::string_view what, const LogGPRow& row) {
    return fmt::format("{} of {}, line {}", what, format_size(row.size_B), row.line);
  }

  void set_overheads(const LogGPRow& row, LogGPFit& fit) {
    const bool by_gap = row.gap_s > row.send_s;
    state_.host.startup_ps = whole_ps(std::max(row.gap_s, row.send_s));
    state_.host.startup_receive_ps = whole_ps(row.receive_s);
    const std::int64_t rest_ps =
        whole_ps(row.one_way_s) - network::startups_ps(state_.host) - wires_ps(state_);
    state_.host.latency_ps = std::max<std::int64_t>(rest_ps, 0);
    add(fit, "host.startup", &HostParameters::startup_ps, source(by_gap ? "gap g" : "o_s", row));
    add(fit, "host.startup_receive", &HostParameters::startup_receive_ps, source("o_r", row));
    add(fit, "host.latency", &HostParameters::latency_ps,
        source("L less overheads, cables and a switch", row));
    fit.values.back().at_limit = rest_ps <= 0;
  }

  void leave_overheads(const LogGPRow& row, LogGPFit& fit) const {
    for (const auto& [name, member] :
         {std::pair{"host.startup", &HostParameters::startup_ps},
          std::pair{"host.startup_receive", &HostParameters::startup_receive_ps},
          std::pair{"host.latency", &HostParameters::latency_ps}}) {
      add(fit, name, member,
          fmt::format("the smallest size is {}; measure from 1B on", format_size(row.size_B)));
      fit.values.back().determined = false;
    }
  }

  void add(LogGPFit& fit, std::string_view name, std::int64_t HostParameters::*member,
           std::string from) const {
    fit.values.push_back({.name = std::string(name),
                          .text = time_or_none(state_.host.*member),
                          .base_text = time_or_none(base_.host.*member),
                          .from = std::move(from)});
  }

  void set_payload(LogGPFit& fit) {
    const std::int64_t from_B = std::max(kLargeMessage_B, rows_.back().size_B / kLargestShare);
    std::vector<LogGPRow> large;
    std::ranges::copy_if(rows_, std::back_inserter(large),
                         [&](const LogGPRow& row) { return row.size_B >= from_B; });
    LogGPValue value{.name = "links.payload", .text = {}, .base_text = {}};
    const double per_byte_s = large.size() < 2 ? 0 : seconds_a_byte(large);
    if (per_byte_s > 0) {
      const double payload =
          1 / (per_byte_s * static_cast<double>(state_.links.all.line.bandwidth_Bps));
      value.at_limit = payload >= 1;
      const std::vector<ProfileValue> values = profile_values(base_);
      state_.links.all.payload =
          rounded_value(*std::ranges::find(values, kOnePayload, &ProfileValue::name), payload);
      value.from = fmt::format("G of {} to {}, {:.4g} ps a byte, lines {} to {}",
                               format_size(large.front().size_B), format_size(large.back().size_B),
                               per_byte_s * kSecond_ps, large.front().line, large.back().line);
    } else {
      value.determined = false;
      value.from = fmt::format("fewer than two sizes of {} and more", format_size(from_B));
    }
    value.text = fmt::format("{:.3g}", state_.links.all.payload);
    value.base_text = fmt::format("{:.3g}", base_.links.all.payload);
    if (value.determined && !state_.links.by_class.empty()) value.link_classes = {"all"};
    fit.values.push_back(std::move(value));
    keep_classes(fit);
    if (state_.host.eager_copies.bandwidth_Bps > 0) set_eager_copies(fit);
  }

  // Classes that the profile names are not those of the two hosts' cables.
  void keep_classes(LogGPFit& fit) const {
    for (const auto& [name, of_class] : base_.links.by_class) {
      const std::string text = fmt::format("{:.3g}", of_class.payload);
      fit.values.push_back({.name = payload_name(name),
                            .text = text,
                            .base_text = text,
                            .from = "netgauge measures two hosts on one switch, of class all",
                            .determined = false});
    }
  }

  void keep_hosts(LogGPFit& fit) const {
    std::vector<std::string> set;
    for (const LogGPValue& value : fit.values) set.push_back(value.name);
    for (const UnchangedValue& kept : kept_of_hosts(base_, set))
      fit.values.push_back({.name = kept.name,
                            .text = kept.text,
                            .base_text = kept.text,
                            .from = "netgauge does not measure it",
                            .determined = false});
  }

  // What the bytes of small messages take beyond the line: a line of least squared relative errors
  // through what the smallest takes.
  void set_eager_copies(LogGPFit& fit) {
    const std::vector<ProfileValue> values = profile_values(base_);
    const ProfileValue& value = *std::ranges::find(values, "host.eager_copy", &ProfileValue::name);
    state_.host.eager_copies = {};
    double products = 0, squares = 0;
    const LogGPRow* last = nullptr;
    for (const LogGPRow& row : rows_) {
      if (row.size_B >= state_.eager_B) continue;
      last = &row;
      const double size = static_cast<double>(row.size_B) / row.one_way_s;
      products += size * (row.one_way_s - one_way_s(row.size_B)) / row.one_way_s;
      squares += size * size;
    }
    const bool determined = last != nullptr && last->size_B > kSmallMessage_B &&
                            rows_.front().size_B <= kSmallMessage_B;
    if (!determined)
      state_.host.eager_copies = base_.host.eager_copies;
    else if (products > 0)
      value.set(state_, rounded_value(value, squares / products));
    fit.values.push_back(
        {.name = std::string(value.name),
         .text = profile_text(value, value.get(state_)),
         .base_text = profile_text(value, value.get(base_)),
         .from = determined
                     ? source("L up to " + format_size(last->size_B) + ", less that", rows_.front())
                     : fmt::format("too few sizes below {}", format_size(state_.eager_B)),
         .determined = determined});
  }

  // What messages of the limit and more take beyond all else: the median.
  void set_rendezvous(LogGPFit& fit) {
    state_.host.rendezvous.time_ps = 0;
    std::vector<double> rest_s;
    for (const LogGPRow& row : rows_)
      if (row.size_B >= base_.host.rendezvous.from_B)
        rest_s.push_back(row.one_way_s - one_way_s(row.size_B));
    const bool determined = !rest_s.empty();
    if (determined) {
      const auto middle = rest_s.begin() + std::ssize(rest_s) / 2;
      std::ranges::nth_element(rest_s, middle);
      state_.host.rendezvous.time_ps = std::max<std::int64_t>(whole_ps(*middle), 0);
    } else {
      state_.host.rendezvous = base_.host.rendezvous;
    }
    fit.values.push_back({.name = "host.rendezvous",
                          .text = time_or_none(state_.host.rendezvous.time_ps),
                          .base_text = time_or_none(base_.host.rendezvous.time_ps),
                          .from = fmt::format("{} of {} and more", determined ? "L" : "no size",
                                              format_size(base_.host.rendezvous.from_B)),
                          .determined = determined});
  }

  double one_way_s(std::int64_t size_B) const {
    const HostParameters& host = state_.host;
    return in_seconds(network::startups_ps(host) + wires_ps(state_) + host.message_ps(size_B)) +
           static_cast<double>(size_B) / rate_Bps(state_);
  }

  const std::vector<LogGPRow>& rows_;
  const ProfileState base_;
  ProfileState state_;
};

}  // namespace

LogGPFit fit_loggp(const std::vector<LogGPRow>& rows, const MachineModel& base,
                   const std::string& path) {
  WEFT_ASSERT(!rows.empty() && std::ranges::is_sorted(rows, {}, &LogGPRow::size_B));
  LogGPFit fit{.base = base.path};
  LogGPSolver solver(rows, base);
  solver.solve(fit);
  WEFT_ASSERT(fit.predicted_s.size() == rows.size());
  std::vector<std::string> sources,
      assumptions = {"one switch lies between the two hosts that were measured"};
  for (const LogGPValue& value : fit.values)
    if (value.determined)
      sources.push_back(fmt::format("{}: netgauge, {}: {}", value.name, path, value.from));
    else
      assumptions.push_back(fmt::format("{}: not determined, from {} ({}): {}", value.name,
                                        fit.base, value.base_text, value.from));
  fit.profile = profile_file(solver.state(), "LogGP of netgauge, else profile " + fit.base, sources,
                             assumptions);
  return fit;
}

}  // namespace weft::calibrate
