#include "cli/machine/speeds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "weft/base/error.hpp"
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

struct ClassRanges {
  std::string name;
  Range bandwidth_Bps = {}, latency_ps = {};
  LinkOrigins from = {};
};

std::vector<ClassRanges> classes_of(const Network& network, const GivenFields& said) {
  const Topology& topology = network.topology();
  std::vector<ClassRanges> classes;
  for (const topology::ClassId id :
       weft::ids<topology::ClassId>(std::ssize(topology.class_names()))) {
    ClassRanges speed{.name = topology.class_names()[id]};
    bool first = true;
    for (const LinkId link : topology.links()) {
      if (topology.link_class(link) != id) continue;
      speed.bandwidth_Bps.add(network.fabric().bandwidth_Bps(link), first);
      speed.latency_ps.add(network.fabric().latency_ps(link), first);
      first = false;
    }
    if (first) continue;
    speed.from = link_origins(network, id, said);
    classes.push_back(std::move(speed));
  }
  return classes;
}

double seconds(std::int64_t time_ps) {
  return static_cast<double>(time_ps) * kSecondsPerPicosecond;
}

// The ends of the range, once where they are the same.
template <class T, class Convert>
answer::OneOrList<T> ends_of(Range range, Convert convert) {
  if (range.least == range.most) return {{convert(range.least)}};
  return {{convert(range.least), convert(range.most)}};
}

std::string time_text(std::int64_t time_ps) {
  return format_seconds(seconds(time_ps));
}

std::string rate_text(std::int64_t rate_Bps) {
  return format_rate(static_cast<double>(rate_Bps));
}

template <class Show>
std::string text_of(Range range, Show show) {
  return range.least == range.most ? show(range.least)
                                   : fmt::format("{} to {}", show(range.least), show(range.most));
}

// " (--link)", and nothing for what is from the machine, which the line names.
std::string text_of(const std::vector<std::string>& origins, const GivenFields& said) {
  if (origins == std::vector{machine_name(said)}) return "";
  return fmt::format(" ({})", fmt::join(origins, ", "));
}

// Whether a cost counts from a size on, or below it: the key of the size and its words.
struct Side {
  std::string_view key;
  const char* words;
};
constexpr Side kFrom{"from_size", " from {}"}, kBelow{"below_size", " below {}"};

// Sizes for which a cost counts.
struct CountedSizes {
  const char* meaning;
  Side side;
  std::int64_t (*bound_B)(const HostParameters& host);
};

// What hosts pay: the field, its key, its meaning and its words; people read values above 0 alone.
struct HostCost {
  std::string_view field, key, meaning;
  const char* words;
  std::int64_t (*value)(const HostParameters& host);
  bool is_time;
  std::optional<CountedSizes> sizes = {};  // nothing: all

  std::optional<std::int64_t> bound_B(const HostParameters& host) const {
    WEFT_ASSERT(sizes.has_value());
    return value(host) > 0 ? std::optional(sizes->bound_B(host)) : std::nullopt;
  }
};
constexpr std::array kCosts{
    HostCost{"alpha", "startup", "start-up of a message at its sender", "{} per message",
             [](const HostParameters& h) { return h.startup_ps; }, true},
    HostCost{"alpha-receive", "startup_receive", "start-up of a message at its receiver",
             "{} per received message",
             [](const HostParameters& h) { return h.startup_receive_ps; }, true},
    HostCost{"host-latency", "host_latency", "latency of the network cards", "{} in network cards",
             [](const HostParameters& h) { return h.latency_ps; }, true},
    HostCost{"rendezvous", "rendezvous", "time of a rendezvous", "{} per rendezvous",
             [](const HostParameters& h) { return h.rendezvous.time_ps; }, true,
             CountedSizes{"smallest message with a rendezvous", kFrom,
                          [](const HostParameters& h) { return h.rendezvous.from_B; }}},
    HostCost{"eager-copy", "eager_copy", "bandwidth of copies of eager messages", "eager copies {}",
             [](const HostParameters& h) { return h.eager_copies.bandwidth_Bps; }, false,
             CountedSizes{"messages below this size are eager", kBelow,
                          [](const HostParameters& h) { return h.eager_copies.below_B; }}},
    HostCost{"launch", "launch", "launch of a call", "{} per call",
             [](const HostParameters& h) { return h.launch_ps; }, true},
    HostCost{"barrier-skew", "barrier_skew", "skew of ranks after a barrier", "{} barrier skew",
             [](const HostParameters& h) { return h.skew_ps; }, true},
    HostCost{"reduce-bandwidth", "reduce_bandwidth", "bandwidth of reductions", "reductions {}",
             [](const HostParameters& h) { return h.reduce_bandwidth_Bps; }, false},
    HostCost{"reduce-large", "reduce_large", "bandwidth of large reductions", "large reductions {}",
             [](const HostParameters& h) { return h.large_reductions.bandwidth_Bps; }, false,
             CountedSizes{"buffers of a host from which reductions are large", kFrom,
                          [](const HostParameters& h) { return h.large_reductions.from_B; }}},
    HostCost{"first-touch", "first_touch", "bandwidth of the first use of new buffers",
             "new buffers {}", [](const HostParameters& h) { return h.first_touch.bandwidth_Bps; },
             false,
             CountedSizes{"smallest buffer whose first use counts", kFrom,
                          [](const HostParameters& h) { return h.first_touch.from_B; }}},
    HostCost{"exchange", "exchange", "bandwidth of the extra time of exchanges", "exchanges {}",
             [](const HostParameters& h) { return h.exchanges.bandwidth_Bps; }, false,
             CountedSizes{"smallest message of an exchange", kFrom,
                          [](const HostParameters& h) { return h.exchanges.from_B; }}},
    HostCost{"copy-bandwidth", "copy_bandwidth", "bandwidth of copies", "copies {}",
             [](const HostParameters& h) { return h.copy_bandwidth_Bps; }, false},
    HostCost{"copy-large", "copy_large", "bandwidth of large copies", "large copies {}",
             [](const HostParameters& h) { return h.large_copies.bandwidth_Bps; }, false,
             CountedSizes{"buffers of a host from which copies are large", kFrom,
                          [](const HostParameters& h) { return h.large_copies.from_B; }}}};

std::string origin_of(const HostCost& cost, const GivenFields& said) {
  if (!said.sums_from.empty() && fields::is_cost_of_sums(cost.field) && !said.by_user(cost.field))
    return said.sums_from;
  if (!said.of(cost.field)) return "default";
  return said.by_user(cost.field) ? fmt::format("--{}", cost.field) : machine_name(said);
}

std::string sizes_text(const HostCost& cost, const HostParameters& host) {
  if (!cost.sizes) return "";
  return fmt::format(fmt::runtime(cost.sizes->side.words), format_size(cost.sizes->bound_B(host)));
}

/// A cost as JSON has it.
template <class T>
struct Paid {
  T value;
  std::optional<std::int64_t> bound_B;
  std::string from;
};
template <class T>
answer::Parts<Paid<T>> paid_parts(const HostCost& cost, answer::Unit unit,
                                  std::string_view meaning) {
  constexpr answer::PartOf<Paid<T>> part;
  answer::Parts<Paid<T>> parts{part("value", "", unit, meaning, &Paid<T>::value)};
  if (cost.sizes)
    parts.push_back(part(cost.sizes->side.key, "", answer::Unit::bytes, cost.sizes->meaning,
                         &Paid<T>::bound_B));
  parts.push_back(part("from", "", answer::Unit::none,
                       "origin: an option, the name of the machine, or default", &Paid<T>::from));
  return parts;
}
template <class T>
Paid<T> paid(const HostCost& cost, const Speeds& speeds, T value) {
  const auto bound_B = cost.sizes ? cost.bound_B(speeds.network.host()) : std::nullopt;
  return {value, bound_B, origin_of(cost, speeds.said)};
}
answer::Part<Speeds> part_of(const HostCost& cost) {
  constexpr answer::PartOf<Speeds> part;
  if (cost.is_time)
    return part.object(
        cost.key, cost.meaning,
        [&cost](const Speeds& speeds) {
          return paid(cost, speeds, seconds(cost.value(speeds.network.host())));
        },
        paid_parts<double>(cost, answer::Unit::seconds, "the time"));
  return part.object(
      cost.key, cost.meaning,
      [&cost](const Speeds& speeds) {
        const std::int64_t value = cost.value(speeds.network.host());
        return paid(cost, speeds, value == 0 ? std::nullopt : std::optional(value));
      },
      paid_parts<std::optional<std::int64_t>>(cost, answer::Unit::bytes_per_second,
                                              "the bandwidth; null where nothing is paid"));
}

answer::Parts<ClassSpeed> class_speed_parts() {
  constexpr answer::PartOf<ClassSpeed> part;
  return {part("class", "", answer::Unit::none, "class of links", &ClassSpeed::name),
          part("bandwidth", "", answer::Unit::bytes_per_second,
               "bandwidth of a link, or the lowest and the highest", &ClassSpeed::bandwidth_Bps),
          part("latency", "", answer::Unit::seconds,
               "latency of a link, or the lowest and the highest", &ClassSpeed::latency_s),
          part("from", "", answer::Unit::none,
               "origins of both: options, the name of the machine, the network, or default",
               [](const ClassSpeed& speed) { return speed.from.both(); }),
          part("bandwidth_from", "", answer::Unit::none,
               "origins of the bandwidth; the share that carries data is the machine's",
               [](const ClassSpeed& speed) { return speed.from.bandwidth; }),
          part("latency_from", "", answer::Unit::none, "origins of the latency",
               [](const ClassSpeed& speed) { return speed.from.latency; })};
}

}  // namespace

Speeds speeds_of(const Network& network, const GivenFields& said) {
  Speeds speeds{network, said, {}};
  const auto as_it_is = [](std::int64_t value) { return value; };
  for (const ClassRanges& ranges : classes_of(network, said))
    speeds.links.push_back({ranges.name, ends_of<std::int64_t>(ranges.bandwidth_Bps, as_it_is),
                            ends_of<double>(ranges.latency_ps, seconds), ranges.from});
  return speeds;
}

answer::Parts<Speeds> speeds_parts() {
  constexpr answer::PartOf<Speeds> part;
  answer::Parts<Speeds> parts{
      part("machine", "", answer::Unit::none, "name of the machine, or its file",
           [](const Speeds& speeds) { return machine_name(speeds.said); }),
      part("origin", "", answer::Unit::none, "why this machine was used",
           [](const Speeds& speeds) {
             return speeds.said.machine ? std::string(name_of(speeds.said.machine->origin))
                                        : "--machine";
           }),
      part.list("links", "speed of each class of links", &Speeds::links, class_speed_parts())};
  for (const HostCost& cost : kCosts) parts.push_back(part_of(cost));
  return parts;
}

std::string speeds_text(const Network& network, const GivenFields& said) {
  std::vector<std::string> parts;
  const auto classes = classes_of(network, said);
  constexpr std::size_t kMostShown = 3;
  for (const ClassRanges& speed : classes) {
    if (parts.size() == kMostShown) {
      parts.push_back(
          counted(std::ssize(classes) - std::ssize(parts), "more link class", "more link classes"));
      break;
    }
    const std::string bandwidth_from = text_of(speed.from.bandwidth, said);
    const std::string latency_from = text_of(speed.from.latency, said);
    parts.push_back(fmt::format("{} {}{}, {}{}", classes.size() == 1 ? "links" : speed.name,
                                text_of(speed.bandwidth_Bps, rate_text),
                                bandwidth_from == latency_from ? "" : bandwidth_from,
                                text_of(speed.latency_ps, time_text), latency_from));
  }
  for (const HostCost& cost : kCosts)
    if (const std::int64_t value = cost.value(network.host()); value > 0)
      parts.push_back(fmt::format(fmt::runtime(cost.words),
                                  cost.is_time ? time_text(value) : rate_text(value)) +
                      sizes_text(cost, network.host()) + text_of({origin_of(cost, said)}, said));
  return fmt::format("{} machine: {}", machine_name(said), fmt::join(parts, "; "));
}

}  // namespace weft::cli
