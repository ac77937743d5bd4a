// The canonical form of each parameter.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "weft/algorithm/algorithm.hpp"
#include "weft/analysis/economics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/network/routing.hpp"
#include "weft/question/packet_rows.hpp"
#include "weft/question/parameters.hpp"
#include "weft/question/read_number.hpp"
#include "weft/question/setup.hpp"
#include "weft/question/topology_facts.hpp"
#include "weft/search/finder.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

Value count_in(std::string_view name, std::string_view text, std::int64_t least,
               std::int64_t most) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  require(error == std::errc() && stop == end && number >= least && number <= most,
          "\"{}\" is no {} (an integer from {} to {})", text, name, least, most);
  return number;
}

Value count_or_auto(std::string_view name, std::string_view text, std::int64_t least) {
  return lower(text) == "auto" ? Value(std::string("auto")) : count_in(name, text, least, 1 << 30);
}

Value seed_in(std::string_view text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  require(error == std::errc() && stop == end, "\"{}\" is no seed (0 to 2^64 - 1)", text);
  if (seed > INT64_MAX) return std::string(text);
  return static_cast<std::int64_t>(seed);
}

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
  require(expression.name == "*" || std::ranges::find(known, lower(expression.name)) != known.end(),
          "unknown topology {} \"{}\"; {}", expression.is_family() ? "family" : "function",
          expression.name, suggest(expression.name, known));
  for (const Expression& child : expression.children) check_names(child);
}

std::string topology_text(std::string_view text) {
  const Expression expression = topology::parse_expression(text);
  check_names(expression);
  return expression.to_string();
}

std::string algorithm_name(std::string_view text) {
  return lower(text) == "all" ? "all" : algorithm::find_algorithm(text).name;
}

std::string speed_text(const LinkSpeed& speed) {
  return format_bandwidth(speed.bandwidth_Bps) + ',' + format_time(speed.latency_ps);
}

// "BW,LAT" and "CLASS=BW,LAT" separated by ';', as values of several --link are kept.
std::string link_text(std::string_view text) {
  LinkOptions links;
  for (const std::string_view option : split(text, ';')) topology::parse_link_option(option, links);
  std::string canonical = links.all ? speed_text(*links.all) : "";
  for (const auto& [name, speed] : links.by_class)
    canonical += fmt::format("{}{}={}", canonical.empty() ? "" : ";", name, speed_text(speed));
  return canonical;
}

std::string bandwidth_text(std::string_view text) {
  return lower(text) == "free" ? "free" : format_bandwidth(parse_bandwidth(text));
}

std::string listed_name(std::string_view what, std::string_view text,
                        const std::vector<std::string>& known) {
  std::string name = lower(text);
  require(std::ranges::find(known, name) != known.end(), "unknown {} \"{}\"; {}", what, text,
          suggest(name, known));
  return name;
}

std::string placement_text(std::string_view text) {
  if (text.starts_with("file:")) return std::string(text);
  const auto policies = topology::placement_policies();
  const std::string name =
      listed_name("placement", text, std::vector<std::string>(policies.begin(), policies.end()));
  return name == "contiguous" ? "linear" : name;
}

std::string start_text(std::string_view text) {
  if (text.starts_with("file:")) return std::string(text);
  return listed_name("start", text, {"linear", "random", "bfs", "blocks", "metis", "file:PATH"});
}

std::string routing_name(std::string_view text) {
  std::vector<std::string> known = names(network::routings());
  std::ranges::copy(names(simulation::packet_routings()), std::back_inserter(known));
  return simulation::is_packet_routing(text) ? lower(text) : listed_name("routing", text, known);
}

Value gap_in(std::string_view text) {
  const std::optional<double> gap = read_number(text);
  require(gap && *gap >= 1e-6 && *gap <= 1,
          "\"{}\" is no gap (from 1e-6 to 1, relative); write 0.01 for 1 %", text);
  return *gap;
}

Value units_in(std::string_view text) {
  const std::optional<double> units = read_number(text);
  require(units && *units > 0 && *units <= 1e6,
          "\"{}\" is no number of metres or ports (above 0, at most 1e6)", text);
  return *units;
}

// A file's content would not be part of the row's key.
std::string guest_text(std::string_view text) {
  std::string canonical = topology_text(text);
  require(!names_file(canonical), "guest \"{}\" names a file; write it as a family", text);
  return canonical;
}

Value canonical_count(std::string_view name, std::string_view text) {
  if (name == "endpoints" || name == "routers") return count_in(name, text, 1, 10'000'000);
  if (name == "ports") return count_in(name, text, 0, 1 << 20);
  if (name == "chunks")
    return lower(text) == "auto" ? Value(std::string("auto"))
                                 : Value(to_string(algorithm::parse_chunks(text)));
  if (name == "sigma")
    return lower(text) == "auto"
               ? Value(std::string("auto"))
               : Value(fmt::format("{}", fmt::join(algorithm::parse_sigma(text), ",")));
  if (name == "nodes") return count_in(name, text, 2, search::kMostFinderNodes);
  if (name == "degree") return count_in(name, text, 1, search::kMostFinderDegree);
  if (name == "cores") return count_in(name, text, 1, 1024);
  if (name == "restarts") return count_in(name, text, 1, 1 << 30);
  if (name == "phase") return count_in(name, text, 0, 1 << 30);
  if (name == "most-steps") return count_in(name, text, 0, 1 << 30);
  if (name == "ranks") return count_in(name, text, 0, 1 << 30);
  if (name == "root" || name == "from" || name == "to") return count_in(name, text, 0, INT32_MAX);
  return count_or_auto(name, text,
                       name == "radix"                       ? 2
                       : name == "shift" || name == "levels" ? 0
                                                             : 1);
}

}  // namespace

Value canonical_value(std::string_view parameter, std::string_view text) {
  if (parameter == "hosts")
    return lower(text) == "all" ? std::string("all") : topology::canonical_hosts(std::string(text));
  if (parameter == "collective")
    return std::string(schedule::name_of(schedule::parse_collective(text)));
  if (parameter == "topology") return topology_text(text);
  if (parameter == "algorithm") return algorithm_name(text);
  if (parameter == "size") return parse_size(text);
  if (parameter == "model") return std::string(name_of(simulation::parse_model(text)));
  if (parameter == "sync") return std::string(name_of(simulation::parse_sync(text)));
  if (parameter == "release") return std::string(name_of(simulation::parse_release(text)));
  if (parameter == "sharing") return std::string(name_of(simulation::parse_sharing(text)));
  if (parameter == "link") return link_text(text);
  if (parameter == "alpha" || parameter == "alpha-receive") return format_time(parse_time(text));
  if (parameter == "alpha-per") return std::string(name_of(network::parse_startup_per(text)));
  if (parameter == "copy-bandwidth" || parameter == "reduce-bandwidth") return bandwidth_text(text);
  if (parameter == "layout") return std::string(name_of(network::parse_layout(text)));
  if (const auto value = canonical_packet_value(parameter, text)) return *value;
  if (parameter == "routing") return routing_name(text);
  if (parameter == "wiring") return listed_name(parameter, text, {"one-way", "two-way"});
  if (parameter == "gap") return gap_in(text);
  if (parameter == "method")
    return std::string(flow::to_string(flow::parse_throughput_method(text)));
  if (parameter == "bandwidth") return format_bandwidth(parse_bandwidth(text));
  if (parameter == "buffer") return format_size(parse_size(text));
  if (parameter == "placement") return placement_text(text);
  if (parameter == "switch-delay") return format_time(parse_time(text));
  if (parameter == "start") return start_text(text);
  if (parameter == "search") return listed_name(parameter, text, {"none", "two-opt", "anneal"});
  if (parameter == "moves") return listed_name(parameter, text, {"reversal", "swap", "both"});
  if (parameter == "objective") return listed_name(parameter, text, {"hops", "makespan", "time"});
  if (parameter == "seed") return seed_in(text);
  if (parameter == "design")
    return std::string(analysis::to_string(analysis::parse_network_kind(text)));
  if (parameter == "prices") return std::string(text);
  if (parameter == "part") return listed_name(parameter, text, {"electrical", "optical", "switch"});
  if (parameter == "quote") return listed_name(parameter, text, {"line", "least", "greatest"});
  if (parameter == "units") return units_in(text);
  if (parameter == "guest") return guest_text(text);
  return canonical_count(parameter, text);
}

}  // namespace weft::question
