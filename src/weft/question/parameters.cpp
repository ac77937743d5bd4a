#include "weft/question/parameters.hpp"

#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::question {

namespace {

constexpr std::array<std::string_view, 13> kKindNames = {
    "simulate", "cost",  "topology",  "forecast", "throughput", "find",  "crossings",
    "order",    "pairs", "economics", "price",    "embedding",  "phases"};

std::vector<Parameter> make_parameters() {
  const std::vector<RowKind> simulated{RowKind::simulate, RowKind::order, RowKind::pairs};
  const std::vector<RowKind> sized{RowKind::simulate, RowKind::forecast, RowKind::order,
                                   RowKind::pairs};
  const std::vector<RowKind> started{RowKind::simulate, RowKind::forecast, RowKind::find,
                                     RowKind::order, RowKind::pairs};
  const std::vector<RowKind> placed{RowKind::simulate, RowKind::cost, RowKind::forecast,
                                    RowKind::crossings, RowKind::phases};
  const std::vector<RowKind> located{RowKind::simulate,  RowKind::cost,  RowKind::forecast,
                                     RowKind::crossings, RowKind::pairs, RowKind::phases};
  const std::vector<RowKind> priced{RowKind::simulate,  RowKind::cost,  RowKind::forecast,
                                    RowKind::crossings, RowKind::order, RowKind::pairs,
                                    RowKind::phases};
  const std::vector<RowKind> ordered{RowKind::order};
  const std::vector<RowKind> any{RowKind::simulate, RowKind::cost,       RowKind::topology,
                                 RowKind::forecast, RowKind::throughput, RowKind::crossings,
                                 RowKind::order,    RowKind::pairs,      RowKind::embedding,
                                 RowKind::phases};
  const std::vector<RowKind> flowing{RowKind::throughput}, finding{RowKind::find};
  const std::vector<RowKind> buffered{RowKind::throughput, RowKind::find};
  const std::vector<RowKind> designed{RowKind::economics}, parted{RowKind::price};
  const std::vector<RowKind> listed{RowKind::economics, RowKind::price};
  return {{"collective", priced, ""},
          {"topology", any, ""},
          {"algorithm", priced, ""},
          {"size", sized, "1MiB"},
          {"model", simulated, "fluid"},
          {"sync", simulated, "per-rank"},
          {"release", simulated, "delivered"},
          {"sharing", simulated, "max-min"},
          {"link", priced, ""},
          {"switching", simulated, "auto"},
          {"flit-size", simulated, "64"},
          {"arbitration", simulated, "first-come"},
          {"self-messages", simulated, "local"},
          {"packet-size", simulated, "512"},
          {"vcs", simulated, "0"},
          {"vc-buffer", simulated, "auto"},
          {"router-delay", simulated, "0s"},
          {"adapter-delay", simulated, "0s"},
          {"credit-delay", simulated, "link"},
          {"background", simulated, "none"},
          {"background-size", simulated, "1KiB"},
          {"background-interval", simulated, "750ns"},
          {"alpha", started, "0s"},
          {"alpha-receive", simulated, "0s"},
          {"alpha-per", simulated, "message"},
          {"ports", simulated, "0"},
          {"copy-bandwidth", simulated, "free"},
          {"layout", simulated, "best"},
          {"reduce-bandwidth", simulated, "free"},
          {"routing", priced, "auto"},
          {"placement", located, "linear"},
          {"ranks", priced, "0"},
          {"hosts", located, "all"},
          {"seed", priced, "1"},
          {"root", placed, "0"},
          {"from", located, ""},
          {"to", placed, ""},
          {"radix", priced, "auto"},
          {"segments", priced, "auto"},
          {"group", priced, "auto"},
          {"chunks", priced, "auto"},
          {"shift", priced, "auto"},
          {"levels", priced, "auto"},
          {"sigma", priced, "auto"},
          {"paths", priced, "auto"},
          {"hops", priced, "auto"},
          {"gap", flowing, "0.01"},
          {"method", flowing, "auto"},
          {"bandwidth", buffered, "25Gbps"},
          {"buffer", buffered, "1MiB"},
          {"nodes", finding, ""},
          {"degree", finding, "4"},
          {"wiring", finding, "two-way"},
          {"most-steps", finding, "0"},
          {"cores", ordered, "1"},
          {"switch-delay", ordered, "0s"},
          {"start", ordered, "linear"},
          {"search", ordered, "two-opt"},
          {"objective", ordered, "hops"},
          {"attempts", ordered, "auto"},
          {"restarts", ordered, "1"},
          {"moves", ordered, "reversal"},
          {"design", designed, ""},
          {"endpoints", designed, ""},
          {"routers", designed, ""},
          {"prices", listed, "shipped"},
          {"part", parted, ""},
          {"units", parted, ""},
          {"quote", parted, "line"},
          {"guest", {RowKind::embedding}, ""},
          {"phase", {RowKind::phases}, "0"}};
}

}  // namespace

std::span<const Parameter> parameters() {
  static const std::vector<Parameter> all = make_parameters();
  return all;
}

const Parameter* find_parameter(std::string_view name) {
  const auto all = parameters();
  const auto found = std::ranges::find(all, name, &Parameter::name);
  return found == all.end() ? nullptr : &*found;
}

bool belongs_to(const Parameter& parameter, RowKind kind) {
  return std::ranges::find(parameter.kinds, kind) != parameter.kinds.end();
}

std::vector<std::string> parameter_names(RowKind kind) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters())
    if (belongs_to(parameter, kind)) names.push_back(parameter.name);
  return names;
}

std::span<const std::string> measures_of(RowKind kind) {
  static const std::vector<std::string> kCost{"steps",
                                              "messages",
                                              "bandwidth_factor",
                                              "bandwidth_factor_bound",
                                              "steps_bound",
                                              "moore_steps",
                                              "max_link_load",
                                              "verified",
                                              "node_bandwidth_Bps",
                                              "units_per_block",
                                              "symmetry_order",
                                              "keeps_order",
                                              "overwrites",
                                              "combined_messages"};
  static const std::vector<std::string> kSimulate{
      "time",         "algorithm_bandwidth", "bus_bandwidth",    "steps",
      "messages",     "segments_used",       "bandwidth_factor", "bandwidth_factor_bound",
      "steps_bound",  "max_link_load",       "verified",         "packets",
      "mean_latency", "p99_latency",         "max_latency",      "mean_hops",
      "packet_hops",  "global_packets",      "local_packets"};
  static const std::vector<std::string> kTopology{"nodes",
                                                  "hosts",
                                                  "switches",
                                                  "links",
                                                  "cables",
                                                  "degree",
                                                  "diameter",
                                                  "average_distance",
                                                  "bidirectional",
                                                  "connected",
                                                  "radius",
                                                  "min_degree",
                                                  "max_degree",
                                                  "moore_diameter",
                                                  "edge_connectivity",
                                                  "girth",
                                                  "bisection_lower",
                                                  "bisection_upper",
                                                  "vertex_transitive",
                                                  "reverse_symmetric"};
  static const std::vector<std::string> kForecast{"steps",
                                                  "bandwidth_factor",
                                                  "bandwidth_factor_bound",
                                                  "bound_ratio",
                                                  "steps_bound",
                                                  "moore_steps",
                                                  "moore_steps_two_way",
                                                  "steps_above_moore",
                                                  "time",
                                                  "least_time",
                                                  "excess",
                                                  "nodes",
                                                  "units_per_block",
                                                  "segments_used",
                                                  "exact_bandwidth_factor",
                                                  "verified"};
  static const std::vector<std::string> kThroughput{
      "throughput",     "upper_bound", "gap_reached",    "exact_throughput", "method_used",
      "distance_bound", "moore_bound", "excess",         "least_excess",     "hosts",
      "degree",         "diameter",    "moore_diameter", "bandwidth_factor", "time",
      "least_time",     "moore_time"};
  static const std::vector<std::string> kFind{"best",
                                              "family",
                                              "steps",
                                              "bandwidth_factor",
                                              "bound_ratio",
                                              "steps_above_moore",
                                              "time",
                                              "allreduce_time",
                                              "least_allreduce_time",
                                              "lines"};
  static const std::vector<std::string> kCrossings{
      "makespan",        "messages",         "steps",         "crossings",   "terminal_crossings",
      "local_crossings", "global_crossings", "terminal_data", "local_data",  "global_data",
      "expected_local",  "expected_global",  "most_local",    "most_global", "verified"};
  static const std::vector<std::string> kPhases{"messages",           "crossings", "busiest_link",
                                                "least_busiest_link", "top_level", "steps"};
  static const std::vector<std::string> kOrder{
      "time",      "makespan",      "hops",      "start_time", "start_makespan", "start_hops",
      "time_gain", "makespan_gain", "hops_gain", "hops_bound", "attempts_made",  "accepted"};
  static const std::vector<std::string> kPairs{"time", "least_time", "greatest_time",
                                               "destinations", "kinds"};
  static const std::vector<std::string> kEconomics{
      "configuration",     "switches",           "ports",           "hosts",
      "formula_hosts",     "bisection",          "bisection_lower", "bisection_upper",
      "electrical_cables", "optical_cables",     "electrical_m",    "optical_m",
      "switch_dollars",    "electrical_dollars", "optical_dollars", "dollars",
      "dollars_per_host"};
  static const std::vector<std::string> kPrice{"dollars", "slope", "constant", "offers"};
  static const std::vector<std::string> kEmbedding{"contained", "isomorphic", "guest_nodes",
                                                   "spare_cables"};
  switch (kind) {
    case RowKind::economics:
      return kEconomics;
    case RowKind::price:
      return kPrice;
    case RowKind::embedding:
      return kEmbedding;
    case RowKind::order:
      return kOrder;
    case RowKind::simulate:
      return kSimulate;
    case RowKind::pairs:
      return kPairs;
    case RowKind::cost:
      return kCost;
    case RowKind::forecast:
      return kForecast;
    case RowKind::throughput:
      return kThroughput;
    case RowKind::find:
      return kFind;
    case RowKind::crossings:
      return kCrossings;
    case RowKind::phases:
      return kPhases;
    case RowKind::topology:
      break;
  }
  return kTopology;
}

bool is_truth(std::string_view measure) {
  constexpr std::array kTruths = {"verified",          "keeps_order", "overwrites",
                                  "bidirectional",     "connected",   "vertex_transitive",
                                  "reverse_symmetric", "contained",   "isomorphic"};
  return std::ranges::find(kTruths, measure) != kTruths.end();
}

std::string_view name_of(RowKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view first_parameter(RowKind kind) {
  if (kind == RowKind::find) return "nodes";
  if (kind == RowKind::economics) return "design";
  return kind == RowKind::price ? "part" : "topology";
}

std::optional<RowKind> find_row_kind(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i)
    if (kKindNames[i] == lower(name)) return static_cast<RowKind>(i);
  return std::nullopt;
}

RowKind parse_row_kind(std::string_view name) {
  if (const auto kind = find_row_kind(name)) return *kind;
  const std::vector<std::string> known(kKindNames.begin(), kKindNames.end());
  reject("unknown kind \"{}\"; {}", name, suggest(name, known));
}

}  // namespace weft::question
