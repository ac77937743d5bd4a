#include "weft/question/canonical_row.hpp"

#include <fmt/format.h>

#include <array>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/question/comparison/candidate.hpp"
#include "weft/question/packet_rows.hpp"
#include "weft/question/parameters.hpp"
#include "weft/question/row_key.hpp"
#include "weft/question/row_measures.hpp"
#include "weft/question/setup.hpp"
#include "weft/topology/placement.hpp"

namespace weft::question {

namespace {

using algorithm::Option;

// The radix that an algorithm takes where none is given; nothing where it is not known here.
std::optional<std::int64_t> default_radix(const std::string& algorithm) {
  if (algorithm == "bruck") return 2;
  if (algorithm == "knomial") return 4;
  return std::nullopt;
}

void resolve_algorithm(Values& parameters, RowKind kind) {
  const auto& algorithm = algorithm::find_algorithm(text_in(parameters, "algorithm"));
  for (const Option option : algorithm::kOptions)
    if (!algorithm.takes(option)) parameters.erase(std::string(name_of(option)));
  const auto is_auto = [&](const char* name) { return text_in(parameters, name) == "auto"; };
  if (const auto radix = default_radix(algorithm.name); radix && is_auto("radix"))
    parameters["radix"] = *radix;
  // A price is that of one segment; only a size tells how many are best.
  const bool priced =
      kind == RowKind::cost || kind == RowKind::crossings || kind == RowKind::phases;
  if (priced && is_auto("segments")) parameters["segments"] = std::int64_t{1};
}

void resolve_collective(Values& parameters, RowKind rows) {
  const auto kind = schedule::parse_collective(text_in(parameters, "collective"));
  const bool between_two = kind == CollectiveKind::point_to_point;
  if (rows == RowKind::pairs) {
    require(between_two, "rows of kind pairs are point-to-point, not {}", name_of(kind));
    parameters.try_emplace("from", std::int64_t{0});
    return;
  }
  if (between_two || !Collective{kind, 1}.rooted()) parameters.erase("root");
  if (!between_two) {
    parameters.erase("from");
    parameters.erase("to");
    return;
  }
  require(parameters.contains("from") && parameters.contains("to"),
          "point-to-point needs both ends; give from and to");
}

// Who pays says nothing where nothing is paid; alpha-beta has one start-up a step, but an order's
// makespan beside it has not.
void resolve_startups(Values& parameters, RowKind kind) {
  const bool paid = text_in(parameters, "alpha") != format_time(0) ||
                    text_in(parameters, "alpha-receive") != format_time(0);
  const bool by_step = kind != RowKind::order && text_in(parameters, "model") == "alpha-beta";
  if (!paid || by_step) parameters.erase("alpha-per");
}

void resolve_readings(Values& parameters, RowKind kind) {
  resolve_startups(parameters, kind);
  if (text_in(parameters, "copy-bandwidth") == "free") parameters.erase("layout");
  resolve_packets(parameters);
  if (text_in(parameters, "model") != "alpha-beta") return;
  for (const char* reading : {"sync", "release", "sharing"}) parameters.erase(reading);
}

constexpr std::int64_t kAttempts = 1000, kAnnealedAttempts = 1'000'000;

void resolve_order(Values& parameters, std::int64_t hosts) {
  const std::string search = text_in(parameters, "search"), start = text_in(parameters, "start");
  const std::int64_t asked = count_in(parameters, "ranks", 0);
  parameters["ranks"] = asked > 0 ? asked : hosts * count_in(parameters, "cores", 1);
  if (search == "none")
    for (const char* name : {"objective", "attempts", "restarts"}) parameters.erase(name);
  else if (text_in(parameters, "attempts") == "auto")
    parameters["attempts"] = search == "anneal" ? kAnnealedAttempts : kAttempts;
  if (search != "two-opt") parameters.erase("moves");
  const bool drawn = search != "none" || start == "random" || start == "metis" ||
                     text_in(parameters, "routing") == "shortest-random";
  if (!drawn) parameters.erase("seed");
}

const std::string kDefaultLink = "100Gbps,1us";

// Whether "BW,LAT" stands in it, which is before all "CLASS=BW,LAT".
bool gives_all_links(const std::string& link) {
  return link.find(',') < link.find('=');
}

// Parameters by name and value, as a key within one run.
template <std::size_t size>
std::string key_of(const Values& parameters, const std::array<const char*, size>& names) {
  std::string key;
  for (const char* name : names) key += text_in(parameters, name) + '\n';
  return key;
}

constexpr std::array kOfNetwork = {"topology",  "link",  "model", "routing",
                                   "placement", "ranks", "hosts", "seed"};
constexpr std::array kOfFit = {"collective", "algorithm", "root",  "from",   "to",
                               "radix",      "segments",  "group", "chunks", "shift",
                               "levels",     "sigma",     "paths", "hops"};

}  // namespace

const Value& CanonicalRows::canonical(const std::string& name, const std::string& text) {
  auto& values = canonical_[name];
  const auto found = values.find(text);
  if (found != values.end()) return found->second;
  return values.emplace(text, canonical_value(name, text)).first->second;
}

void CanonicalRows::resolve_link(Values& parameters, const TopologyFacts& topology) {
  const std::string link = text_in(parameters, "link");
  if (topology.speeds && link.empty())
    parameters["link"] = std::string(kSpeedsOfFile);
  else if (!topology.speeds && !gives_all_links(link))
    parameters["link"] = canonical("link", kDefaultLink + (link.empty() ? "" : ";" + link));
}

PlacementFacts CanonicalRows::resolve_network(Values& parameters, const TopologyFacts& topology) {
  resolve_link(parameters, topology);
  const std::string placement = text_in(parameters, "placement");
  const PlacementFacts& placed = facts_.placement(
      topology.name, placement, count_in(parameters, "ranks", 0), text_in(parameters, "hosts"));
  parameters["ranks"] = placed.ranks;
  parameters["hosts"] = placed.hosts;  // of a file: its numbers
  if (placed.hosts.empty()) parameters.erase("hosts");
  const bool drawn = topology::draws(placement) || draws_packets(parameters) ||
                     text_in(parameters, "routing") == "shortest-random";
  if (!drawn) parameters.erase("seed");
  return placed;
}

Row CanonicalRows::row(const Texts& texts) {
  Row row{.kind = kind_, .parameters = {}, .variables = {}, .key = {}, .nodes = 0, .written = {}};
  for (const Parameter& parameter : parameters()) {
    if (!belongs_to(parameter, kind_)) continue;
    const auto given = texts.find(parameter.name);
    const std::string& text = given == texts.end() ? parameter.fallback : given->second;
    if (!text.empty()) row.parameters[parameter.name] = canonical(parameter.name, text);
  }
  if (kind_ == RowKind::find) {
    TopologyFacts catalogue;
    catalogue.hash = catalogue_hash();
    row.nodes = count_in(row.parameters, "nodes", 0);
    row.key = key_of(row, catalogue, {});
    return row;
  }
  if (!has_topology(kind_)) {  // economics, price
    require(kind_ == RowKind::price ||
                row.parameters.contains("endpoints") != row.parameters.contains("routers"),
            "a row of kind economics needs endpoints or routers, and not both");
    TopologyFacts prices;
    prices.hash = price_list_hash(text_in(row.parameters, "prices"));
    row.key = key_of(row, prices, {});
    return row;
  }
  const TopologyFacts& topology = facts_.topology(text_in(row.parameters, "topology"));
  row.parameters["topology"] = topology.name;
  if (text_in(row.parameters, "routing") == "auto") row.parameters["routing"] = topology.routing;
  row.nodes = topology.nodes;
  row.hosts = topology.hosts;
  PlacementFacts placement;
  if (runs_schedule(kind_)) {
    if (kind_ == RowKind::order) {
      resolve_link(row.parameters, topology);
      resolve_order(row.parameters, topology.hosts);
      placement.content = content_of_placement(text_in(row.parameters, "start"));
    } else {
      placement = resolve_network(row.parameters, topology);
      resolve_collective(row.parameters, kind_);
    }
    resolve_algorithm(row.parameters, kind_);
    resolve_readings(row.parameters, kind_);
  }
  if (by_packets(row.parameters)) row.mean_links = facts_.mean_links(topology.name);
  row.key = key_of(row, topology, placement);
  return row;
}

const Network& CanonicalRows::network(const Values& parameters) {
  std::string key = key_of(parameters, kOfNetwork);
  if (!network_ || key != network_key_) {
    network_.emplace(make_network(parameters));
    network_key_ = std::move(key);
  }
  return *network_;
}

std::optional<std::string> CanonicalRows::misfit(const Row& row) {
  const Values& parameters = row.parameters;
  std::string key = key_of(parameters, kOfNetwork) + key_of(parameters, kOfFit);
  const auto found = misfits_.find(key);
  if (found != misfits_.end()) return found->second;
  const auto& algorithm = algorithm::find_algorithm(text_in(parameters, "algorithm"));
  std::optional<std::string> problem;
  // Orders are searched for what follows no network.
  const Network* network = row.kind == RowKind::order ? nullptr : &this->network(parameters);
  Collective collective = make_collective(
      parameters,
      network ? network->ranks() : static_cast<std::int32_t>(count_in(parameters, "ranks", 1)));
  if (row.kind == RowKind::pairs)  // one of the destinations
    collective.peer = Rank((collective.root.value() + 1) % collective.ranks);
  const auto options = algorithm::taken_by(algorithm, make_algorithm_options(parameters));
  if (const auto reason = algorithm::misfit(algorithm, {collective, network, options}))
    problem = fmt::format(
        "{} does not fit {} on {} ({}); leave it out with [[exclude]], or write "
        "algorithm = \"all\"",
        algorithm.name, name_of(collective.kind),
        network ? network->topology().name() : "any network", *reason);
  return misfits_.emplace(std::move(key), std::move(problem)).first->second;
}

bool CanonicalRows::repeats_another(const Row& row) {
  const auto& algorithm = algorithm::find_algorithm(text_in(row.parameters, "algorithm"));
  if (algorithm.same_as == nullptr || row.kind == RowKind::order) return false;
  const Network& network = this->network(row.parameters);
  return algorithm.same_as({make_collective(row.parameters, network.ranks()), &network})
      .has_value();
}

}  // namespace weft::question
