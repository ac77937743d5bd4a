#include "cli/machine/speeds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

struct Range {
  std::int64_t least = 0, most = 0;

  void add(std::int64_t value, bool first) {
    least = first ? value : std::min(least, value);
    most = first ? value : std::max(most, value);
  }
};

struct ClassSpeed {
  std::string name;
  Range bandwidth_Bps = {}, latency_ps = {};
  std::vector<std::string> from = {};
};

std::string machine_name(const Said& said) {
  return said.machine ? said.machine->path : std::string(fields::kIdeal);
}

std::vector<ClassSpeed> classes_of(const Network& network, const Said& said) {
  const Topology& topology = network.topology();
  std::vector<ClassSpeed> classes;
  for (const topology::ClassId id :
       weft::ids<topology::ClassId>(std::ssize(topology.class_names()))) {
    ClassSpeed speed{.name = topology.class_names()[id]};
    bool first = true;
    for (const LinkId link : topology.links()) {
      if (topology.link_class(link) != id) continue;
      speed.bandwidth_Bps.add(network.fabric().bandwidth_Bps(link), first);
      speed.latency_ps.add(network.fabric().latency_ps(link), first);
      first = false;
    }
    if (first) continue;
    const topology::SpeedOrigins origins = network.fabric().origins(id);
    if (origins.option)
      speed.from.emplace_back(said.by_user("link") ? "--link" : machine_name(said));
    if (origins.file) speed.from.emplace_back("the network");
    if (origins.by_default)
      speed.from.push_back(said.machine && !said.machine->has_speed_of(speed.name)
                               ? std::string(fields::kGeneric)
                               : machine_name(said));
    classes.push_back(std::move(speed));
  }
  return classes;
}

Json seconds_of(Range range) {
  const auto s = [](std::int64_t ps) { return static_cast<double>(ps) * kSecondsPerPicosecond; };
  if (range.least == range.most) return s(range.least);
  return Json::array({s(range.least), s(range.most)});
}

Json rates_of(Range range) {
  if (range.least == range.most) return range.least;
  return Json::array({range.least, range.most});
}

std::string time_text(std::int64_t time_ps) {
  return format_seconds(static_cast<double>(time_ps) * kSecondsPerPicosecond);
}

std::string rate_text(std::int64_t rate_Bps) {
  return format_rate(static_cast<double>(rate_Bps));
}

template <class Show>
std::string text_of(Range range, Show show) {
  return range.least == range.most ? show(range.least)
                                   : fmt::format("{} to {}", show(range.least), show(range.most));
}

// What hosts pay: the field, its key and its words; text is of values above 0 alone.
struct HostCost {
  std::string_view field;
  const char* key;
  const char* words;
  std::int64_t (*value)(const HostParameters& host);
  bool is_time;
};
constexpr std::array kCosts{
    HostCost{"alpha", "startup", "{} per message",
             [](const HostParameters& h) { return h.startup_ps; }, true},
    HostCost{"alpha-receive", "startup_receive", "{} per received message",
             [](const HostParameters& h) { return h.startup_receive_ps; }, true},
    HostCost{"host-latency", "host_latency", "{} in network cards",
             [](const HostParameters& h) { return h.latency_ps; }, true},
    HostCost{"rendezvous", "rendezvous", "{} per rendezvous",
             [](const HostParameters& h) { return h.rendezvous.time_ps; }, true},
    HostCost{"eager-copy", "eager_copy", "eager copies {}",
             [](const HostParameters& h) { return h.eager_copies.bandwidth_Bps; }, false},
    HostCost{"launch", "launch", "{} per call", [](const HostParameters& h) { return h.launch_ps; },
             true},
    HostCost{"barrier-skew", "barrier_skew", "{} barrier skew",
             [](const HostParameters& h) { return h.skew_ps; }, true},
    HostCost{"reduce-bandwidth", "reduce_bandwidth", "reductions {}",
             [](const HostParameters& h) { return h.reduce_bandwidth_Bps; }, false},
    HostCost{"reduce-large", "reduce_large", "large reductions {}",
             [](const HostParameters& h) { return h.large_reductions.bandwidth_Bps; }, false},
    HostCost{"first-touch", "first_touch", "new buffers {}",
             [](const HostParameters& h) { return h.first_touch.bandwidth_Bps; }, false},
    HostCost{"copy-bandwidth", "copy_bandwidth", "copies {}",
             [](const HostParameters& h) { return h.copy_bandwidth_Bps; }, false},
    HostCost{"copy-large", "copy_large", "large copies {}",
             [](const HostParameters& h) { return h.large_copies.bandwidth_Bps; }, false}};

}  // namespace

Json json_of_speeds(const Network& network, const Said& said) {
  Json json{{"machine", machine_name(said)},
            {"origin", said.machine ? std::string(name_of(said.machine->origin)) : "--machine"},
            {"links", Json::array()}};
  for (const ClassSpeed& speed : classes_of(network, said))
    json["links"].push_back({{"class", speed.name},
                             {"bandwidth", rates_of(speed.bandwidth_Bps)},
                             {"latency", seconds_of(speed.latency_ps)},
                             {"from", speed.from}});
  for (const HostCost& cost : kCosts) {
    const std::int64_t value = cost.value(network.host());
    const std::string from = !said.of(cost.field)       ? "default"
                             : said.by_user(cost.field) ? fmt::format("--{}", cost.field)
                                                        : machine_name(said);
    json[cost.key] = {
        {"value", cost.is_time ? Json(static_cast<double>(value) * kSecondsPerPicosecond)
                  : value == 0 ? Json()
                               : Json(value)},
        {"from", from}};
  }
  return json;
}

std::string speeds_text(const Network& network, const Said& said) {
  std::vector<std::string> parts;
  const auto classes = classes_of(network, said);
  constexpr std::size_t kMostShown = 3;
  for (const ClassSpeed& speed : classes) {
    if (parts.size() == kMostShown) {
      parts.push_back(
          counted(std::ssize(classes) - std::ssize(parts), "more link class", "more link classes"));
      break;
    }
    parts.push_back(fmt::format("{} {}, {}", classes.size() == 1 ? "links" : speed.name,
                                text_of(speed.bandwidth_Bps, rate_text),
                                text_of(speed.latency_ps, time_text)));
  }
  for (const HostCost& cost : kCosts)
    if (const std::int64_t value = cost.value(network.host()); value > 0)
      parts.push_back(fmt::format(fmt::runtime(cost.words),
                                  cost.is_time ? time_text(value) : rate_text(value)));
  return fmt::format("{} machine: {}", machine_name(said), fmt::join(parts, "; "));
}

}  // namespace weft::cli
