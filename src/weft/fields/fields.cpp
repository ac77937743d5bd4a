#include "weft/fields/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::fields {

namespace {

using topology::PlacementOptions;

template <class Named>
std::vector<std::string> names(const Named& named) {
  std::vector<std::string> all;
  for (const auto& entry : named) all.push_back(entry.name);
  return all;
}

// That its families and functions exist; parameters are checked when it is built.
void check_names(const Expression& expression) {
  const auto& registry = topology::standard_registry();
  const auto known = expression.is_family() ? names(registry.families) : names(registry.functions);
  // Suggestions take longer than all else that is read of an experiment.
  if (expression.name != "*" && std::ranges::find(known, lower(expression.name)) == known.end())
    reject_unknown(
        {expression.is_family() ? "topology family" : "topology function", expression.name}, known);
  for (const Expression& child : expression.children) check_names(child);
}

// An option's, or "auto": the algorithm chooses.
Value option_value(std::string_view name, std::string_view text) {
  WEFT_ASSERT(algorithm::find_option(name) != nullptr);
  const algorithm::Option& option = *algorithm::find_option(name);
  if (lower(text) == "auto") return std::string("auto");
  const bool several =
      option.type == algorithm::Option::Type::divisors && text.find(',') != text.npos;
  if (option.is_integer() && !several) return read_count(name, text, option.least, kMany);
  return to_text(option.read(text));
}

std::uint64_t read_seed(std::string_view, std::string_view text) {
  const auto seed = number_in<std::uint64_t>(text);
  require(seed.has_value(), "invalid seed '{}' (expected an integer from 0 to 2^64 - 1)", text);
  return *seed;
}

Value show_seed(const std::uint64_t& seed) {
  if (seed > INT64_MAX) return fmt::format("{}", seed);
  return static_cast<std::int64_t>(seed);
}

std::string algorithm_name(std::string_view, std::string_view text) {
  for (const std::string_view stands_for_some : {std::string_view("all"), kBest})
    if (lower(text) == stands_for_some) return std::string(stands_for_some);
  return algorithm::find_algorithm(text).name;
}

std::string speed_text(const LinkSpeed& speed) {
  return format_bandwidth(speed.bandwidth_Bps) + ',' + format_time(speed.latency_ps);
}

Value show_links(const LinkOptions& links) {
  std::string canonical = links.all ? speed_text(*links.all) : "";
  for (const auto& [name, speed] : links.by_class)
    canonical += fmt::format("{}{}={}", canonical.empty() ? "" : ";", name, speed_text(speed));
  return canonical;
}

std::string placement_text(std::string_view name, std::string_view text) {
  if (text.starts_with("file:") || text.starts_with("hosts:")) return std::string(text);
  const auto policies = topology::placement_policies();
  const std::string policy =
      listed_name(name, text, std::vector<std::string>(policies.begin(), policies.end()));
  return policy == "contiguous" ? "linear" : policy;
}

std::string hosts_text(std::string_view, std::string_view text) {
  return lower(text) == "all" ? "all" : topology::canonical_hosts(std::string(text));
}

// "8", "7,8"; as several options, "7;8".
std::vector<std::int32_t> read_per_host(std::string_view name, std::string_view text) {
  std::vector<std::int32_t> numbers;
  for (const std::string_view option : split(text, ';'))
    for (const std::string_view part : split(option, ',')) {
      const auto number = number_in<std::int32_t>(part);
      require(number.has_value(),
              "invalid {} '{}' (expected a whole number of ranks, or one for each host, such as "
              "7,8)",
              name, text);
      numbers.push_back(*number);
    }
  return numbers;
}

Value show_per_host(const std::vector<std::int32_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

std::string routing_name(std::string_view name, std::string_view text) {
  std::string known = network::canonical_routing(text);  // also by another name
  return !known.empty() ? known : listed_name(name, text, names(network::routings()));
}

constexpr auto kCollective =
    choice<schedule::parse_collective>("collective", "", Part::schedule)
        .helped("Collective, such as allreduce; see weft list collectives");
constexpr auto kAlgorithm = text<algorithm_name>("algorithm", "", Part::schedule);
constexpr auto kSize = field<read_size, as_is<std::int64_t>>("size", "1MiB");
constexpr auto kLink =
    field<read_links, show_links>("link", "", Part::network)
        .helped("Bandwidth,latency of links, or CLASS=BW,LAT; repeatable [the machine's]")
        .repeatable();
std::optional<std::int64_t> read_latency(std::string_view, std::string_view text) {
  return parse_time(text);
}
Value show_latency(const std::optional<std::int64_t>& latency_ps) {
  return format_time(latency_ps.value_or(0));
}
constexpr auto kLatency =
    field<read_latency, show_latency>("latency", "", Part::network)
        .helped("Latency of links whose speed --link does not set [the network's or machine's]")
        .as_advanced();
// The network's part of it is known by network_routing().
constexpr auto kRouting = text<routing_name>("routing", "auto")
                              .helped("Routing, such as shortest or ecmp; see weft list routings");
constexpr auto kPlacement =
    text<placement_text>("placement", "linear", Part::network)
        .helped(
            "Placement of ranks on hosts: linear, random, round-robin, round-robin-router, "
            "round-robin-group, lone-root, deepest, file:PATH (numbers) or hosts:PATH (names)")
        .as_advanced();
constexpr auto kRanks = count<0>("ranks", "0", Part::network, Ranges::counts)
                            .helped("Number of ranks [one for each host]");
constexpr auto kHosts =
    text<hosts_text>("hosts", "all", Part::network)
        .helped("Hosts for ranks: 1-40,52 (from 0), node[01-40], or a file of them");
constexpr auto kPerHost =
    field<read_per_host, show_per_host>("per-host", "1", Part::network)
        .helped(
            "Number of consecutive ranks on each host: one number for all hosts, or one for each "
            "host, such as 7,8 [1]")
        .numbered()
        .repeatable()
        .as_advanced();
constexpr auto kSeed = field<read_seed, show_seed>("seed", "1", Part::network);

// A rank, or the name of its host, which is one once the network is known.
Value rank_or_name(std::string_view name, std::string_view text) {
  if (!number_in<std::int64_t>(text)) return std::string(text);
  return read_count(name, text, 0, INT32_MAX);
}
constexpr auto rank(std::string_view name, std::string_view fallback) {
  auto field = count<0, INT32_MAX>(name, fallback, Part::schedule);
  field.canonical = rank_or_name;
  return field;
}

constexpr auto kRoot =
    rank("root", "0").helped("Root of a rooted collective: a rank, or the name of its host [0]");
constexpr auto kFrom =
    rank("from", "").helped("Sender of point-to-point: a rank, or the name of its host [none]");
constexpr auto kTo =
    rank("to", "").helped("Receiver of point-to-point: a rank, or the name of its host [none]");

}  // namespace

bool read_truth(std::string_view name, std::string_view text) {
  const std::string word = lower(text);
  require(word == "true" || word == "false", "{} is '{}' (expected true or false)", name, text);
  return word == "true";
}

topology::LinkDefaults read_link_defaults(std::string_view, std::string_view text) {
  topology::LinkDefaults defaults;
  for (const std::string_view option : split(text, ';'))
    topology::parse_link_default(option, defaults);
  return defaults;
}

Value show_link_defaults(const topology::LinkDefaults& defaults) {
  return topology::to_text(defaults);
}

std::span<const Member<NetworkSpec>> network_members() {
  static const std::vector<Member<NetworkSpec>> members = [] {
    std::vector<Member<NetworkSpec>> made = {
        kAsSaid<kTopology, &NetworkSpec::topology>, kMember<kLink, &NetworkSpec::links>,
        kMember<kLinkDefault, &NetworkSpec::links, &LinkOptions::defaults>,
        kMember<kLatency, &NetworkSpec::links, &LinkOptions::latency_ps>,
        kAsSaid<kRouting, &NetworkSpec::routing>};
    made.insert(made.end(), placing_members().begin(), placing_members().end());
    return made;
  }();
  return members;
}

std::span<const Member<NetworkSpec>> placing_members() {
  static constexpr std::array kMembers = {
      kAsSaid<kPlacement, &NetworkSpec::placing, &PlacementOptions::policy>,
      kMember<kRanks, &NetworkSpec::placing, &PlacementOptions::ranks>,
      kAsSaid<kHosts, &NetworkSpec::hosts>};
  return kMembers;
}

std::vector<const Field*> further_placing_fields() {
  std::vector<const Field*> further;
  for (const auto& [field, set] : placing_members())
    if (field != &kPlacement && field != &kRanks) further.push_back(field);
  return further;
}

std::span<const Member<NetworkSpec>> job_members() {
  static constexpr std::array kMembers = {
      kMember<kPerHost, &NetworkSpec::placing, &PlacementOptions::per_host>};
  return kMembers;
}

std::span<const Member<CollectiveSpec>> collective_members() {
  static constexpr std::array kMembers = {
      kMember<kCollective, &CollectiveSpec::kind>, kMember<kRoot, &CollectiveSpec::root>,
      kMember<kFrom, &CollectiveSpec::from>, kMember<kTo, &CollectiveSpec::to>};
  return kMembers;
}

std::span<const Field> option_fields() {
  static const std::vector<std::string> help = [] {
    std::vector<std::string> made;
    for (const algorithm::Option& option : algorithm::options()) made.push_back(help_of(option));
    return made;
  }();
  static const std::vector<Field> fields = [] {
    std::vector<Field> made;
    for (const algorithm::Option& option : algorithm::options())
      made.push_back({.name = option.name,
                      .fallback = "auto",
                      .part = Part::schedule,
                      .canonical = option_value,
                      .ranges = option.is_integer() ? Ranges::counts : Ranges::none,
                      .help = help[made.size()],
                      .number = option.is_integer()});
    return made;
  }();
  return fields;
}

std::int64_t read_count(std::string_view name, std::string_view text, std::int64_t least,
                        std::int64_t most) {
  WEFT_ASSERT(least <= most);
  const auto number = number_in<std::int64_t>(text);
  require(number && *number >= least && *number <= most,
          "invalid {1} '{0}' (expected an integer from {2} to {3})", text, name, least, most);
  return *number;
}

std::string any_text(std::string_view, std::string_view text) {
  return std::string(text);
}

std::string listed_name(std::string_view name, std::string_view text,
                        const std::vector<std::string>& known) {
  std::string listed = lower_name(text);
  if (std::ranges::find(known, listed) == known.end()) reject_unknown({name, text}, known);
  return listed;
}

LinkOptions read_links(std::string_view, std::string_view text) {
  LinkOptions links;
  for (const std::string_view option : split(text, ';')) topology::parse_link_option(option, links);
  return links;
}

std::int64_t read_time(std::string_view, std::string_view text) {
  return parse_time(text);
}

Value show_time(const std::int64_t& time_ps) {
  return format_time(time_ps);
}

std::int64_t read_rate(std::string_view, std::string_view text) {
  return parse_bandwidth(text);
}

Value show_rate(const std::int64_t& rate_Bps) {
  return format_bandwidth(rate_Bps);
}

std::int64_t read_size(std::string_view, std::string_view text) {
  return parse_size(text);
}

Value show_size(const std::int64_t& size_B) {
  return format_size(size_B);
}

std::string topology_text(std::string_view, std::string_view text) {
  const Expression expression = topology::parse_expression(text);
  check_names(expression);
  return expression.to_string();
}

bool is_size(const Field& field) {
  return field.canonical == bytes("", "").canonical;
}

bool is_time(const Field& field) {
  return field.canonical == time("", "").canonical;
}

std::vector<const Field*> schedule_fields(const ScheduleFields& which,
                                          std::vector<const Field*> own) {
  std::vector<const Field*> fields{&kCollective, &kTopology, &kAlgorithm};
  const auto add = [&](bool has, std::initializer_list<const Field*> more) {
    if (has) fields.insert(fields.end(), more);
  };
  add(which.sized, {&kSize});
  if (which.simulated)
    for (const auto& [field, set] : reading_members()) fields.push_back(field);
  add(true, {&kMachine, &kLink, &kLinkDefault, &kLatency});
  if (which.simulated) fields.insert(fields.end(), packet_fields().begin(), packet_fields().end());
  add(which.started, {&kAlpha});
  if (which.simulated)
    for (const auto& [field, set] : host_members())
      if (field != &kAlpha && field != &kSourceRouted) fields.push_back(field);
  add(true, {&kRouting, &kSourceRouted});
  for (const auto& [field, set] : placing_members()) add(which.placed || field == &kRanks, {field});
  add(true, {&kSeed});
  add(which.ends == Ends::all, {&kRoot});
  add(which.ends != Ends::none, {&kFrom});
  add(which.ends == Ends::all, {&kTo});
  for (const Field& option : option_fields()) fields.push_back(&option);
  fields.insert(fields.end(), own.begin(), own.end());
  return fields;
}

bool is_default(const Field& field, const Values& parameters) {
  return text_in(parameters, field.name) == to_text(field.canonical(field.name, field.fallback));
}

const Field* find_run_field(std::string_view name) {
  static const std::vector<const Field*> all =
      schedule_fields({.sized = true, .started = true, .simulated = true},
                      {call_fields().begin(), call_fields().end()});
  const auto found = std::ranges::find(all, name, &Field::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace weft::fields
