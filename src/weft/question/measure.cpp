// What a row gives. Networks and proved schedules are kept for the rows that share them: a grid's
// sizes and models need one schedule.
#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "weft/analysis/dragonfly_links.hpp"
#include "weft/analysis/report.hpp"
#include "weft/base/parallel.hpp"
#include "weft/question/comparison/candidate.hpp"
#include "weft/question/packet_rows.hpp"
#include "weft/question/row.hpp"
#include "weft/question/row_key.hpp"
#include "weft/question/row_measures.hpp"
#include "weft/question/setup.hpp"
#include "weft/question/shared_cache.hpp"
#include "weft/schedule/crossings.hpp"
#include "weft/schedule/phase_loads.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::question {

namespace {

// The exact price for one number of segments, as values.
class Prepared {
 public:
  Prepared(std::shared_ptr<const Network> network, const Values& parameters)
      : network_(std::move(network)),
        candidate_(make_candidate(algorithm::find_algorithm(text_in(parameters, "algorithm")),
                                  make_collective(parameters, network_->ranks()), *network_,
                                  make_algorithm_options(parameters))),
        bounds_(lower_bounds(candidate_.verified.schedule().collective(), *network_)) {}

  const Network& network() const { return *network_; }
  const Candidate& candidate() const { return candidate_; }
  const LowerBounds& bounds() const { return bounds_; }

  /// Steps, factors and bounds; made once for each number of segments, unless sizes differ in more.
  Values price(const schedule::Verified& verified) const {
    if (candidate_.sized) return new_price(verified);
    const std::int64_t segments = verified.schedule().segments().count;
    {
      const std::lock_guard lock(*mutex_);
      if (const auto found = prices_.find(segments); found != prices_.end()) return found->second;
    }
    Values values = new_price(verified);
    const std::lock_guard lock(*mutex_);
    return prices_.emplace(segments, std::move(values)).first->second;
  }

 private:
  Values new_price(const schedule::Verified& verified) const {
    const Cost cost = schedule::cost(verified, *network_);
    return {{"steps", cost.steps},
            {"messages", cost.messages},
            {"bandwidth_factor", to_string(cost.bandwidth_factor)},
            {"bandwidth_factor_bound", to_string(bounds_.bandwidth_factor)},
            {"steps_bound", bounds_.steps},
            {"max_link_load", to_string(cost.max_link_load)},
            {"verified", true}};
  }

  std::shared_ptr<const Network> network_;
  Candidate candidate_;
  LowerBounds bounds_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  mutable std::map<std::int64_t, Values> prices_;
};

// A file may be edited while a sweep runs: what is kept is kept by its content, and what is read
// must be what the key was made of, before and after.
std::shared_ptr<const Prepared> prepared(const Row& row) {
  const Values& parameters = row.parameters;
  const std::string files = contents_of_files(row);
  static SharedCache<Network> networks(static_cast<std::size_t>(threads()) + 2);
  static SharedCache<Prepared> schedules(static_cast<std::size_t>(threads()) + 8);
  const std::string key = files + setup_key(parameters);
  return schedules.get(key, [&] {
    const std::string network_key =
        files + setup_key(parameters, {"collective", "algorithm", "root", "from", "to", "radix",
                                       "segments", "group"});
    const auto make = [&] {
      Network network = make_network(parameters);
      contents_of_files(row);
      return network;
    };
    return Prepared(networks.get(network_key, make), parameters);
  });
}

Values simulated(const Row& row) {
  const Values& parameters = row.parameters;
  const auto setup = prepared(row);
  const std::int64_t size_B = count_in(parameters, "size", 0);
  const schedule::Verified verified = setup->candidate().for_size(size_B);
  const auto result = simulation::simulate(
      lower(verified, {.size_B = size_B, .copies = setup->candidate().copies_of(verified)}),
      setup->network(), make_simulation_options(parameters));
  Values values = setup->price(verified);
  values["time"] = result.time_s;
  values["algorithm_bandwidth"] = result.algorithm_bandwidth_Bps;
  values["bus_bandwidth"] = result.bus_bandwidth_Bps;
  values["messages"] = result.messages;
  values["segments_used"] = verified.schedule().segments().count;
  add_packet_measures(result, values);
  return values;
}

Values priced(const Row& row) {
  const auto setup = prepared(row);
  const schedule::Verified& verified = setup->candidate().verified;
  const auto& schedule = verified.schedule();
  Values values = setup->price(verified);
  const auto& moore = setup->bounds().moore_steps;
  values["moore_steps"] = moore ? Value(std::int64_t{*moore}) : Value();
  values["node_bandwidth_Bps"] = setup->network().fabric().node_egress_Bps();
  values["units_per_block"] = schedule.units_per_block();
  values["symmetry_order"] = std::int64_t{schedule.symmetry().order()};
  values["keeps_order"] = verified.facts().keeps_order;
  values["overwrites"] = verified.facts().overwrites;
  values["combined_messages"] = verified.facts().combined_messages;
  return values;
}

// What hosts at random and topology-aware broadcasts cross, where the formulas cover the network.
void add_link_formulas(Values& values, const Network& network) {
  const auto dragonfly = topology::as_dragonfly(network.topology());
  const bool covered = dragonfly && dragonfly->g == dragonfly->a * dragonfly->h + 1 &&
                       network.ranks() <= dragonfly->g * dragonfly->a * dragonfly->p;
  for (const char* name : {"expected_local", "expected_global", "most_local", "most_global"})
    values[name] = Value();
  if (!covered) return;
  const auto expected = analysis::expected_tree_crossings(*dragonfly, network.ranks());
  const auto most = analysis::most_crossings_of_aware(*dragonfly);
  values["expected_local"] = to_string(expected.local);
  values["expected_global"] = to_string(expected.global);
  values["most_local"] = to_string(most.local);
  values["most_global"] = to_string(most.global);
}

Values crossed(const Row& row) {
  const auto setup = prepared(row);
  const schedule::Verified& verified = setup->candidate().verified;
  const auto counted = schedule::crossings(verified, setup->network());
  Values values{{"makespan", counted.makespan},
                {"messages", verified.schedule().message_count()},
                {"steps", verified.schedule().steps()},
                {"crossings", counted.total()},
                {"verified", true}};
  for (const char* name : {"terminal", "local", "global"}) {
    values[std::string(name) + "_crossings"] = counted.of(name).messages;
    values[std::string(name) + "_data"] = to_string(counted.of(name).data);
  }
  add_link_formulas(values, setup->network());
  return values;
}

template <class T>
Value count_or_nothing(const std::optional<T>& value) {
  return value ? Value(std::int64_t{*value}) : Value();
}

Values phase(const Row& row) {
  const auto setup = prepared(row);
  const schedule::Verified& verified = setup->candidate().verified;
  const auto load =
      schedule::phase_load(verified, setup->network(), count_in(row.parameters, "phase", 0));
  return {
      {"messages", load.messages},
      {"crossings", std::accumulate(load.by_class.begin(), load.by_class.end(), std::int64_t{0})},
      {"busiest_link", load.busiest_link},
      {"least_busiest_link", count_or_nothing(load.least)},
      {"top_level", count_or_nothing(load.top_level)},
      {"steps", verified.schedule().steps()}};
}

Value truth_or_nothing(const std::optional<bool>& value) {
  return value ? Value(*value) : Value();
}

Values measured(const Row& row) {
  const Topology topology = make_topology(text_in(row.parameters, "topology"));
  contents_of_files(row);
  const auto report = analysis::report(topology);
  const auto& bisection = report.bisection;
  const auto count = [](std::int64_t value) { return Value(value); };
  return {{"nodes", count(report.nodes)},
          {"hosts", count(report.hosts)},
          {"switches", count(report.switches)},
          {"links", count(report.links)},
          {"cables", count(report.cables)},
          {"degree", count(report.degree)},
          {"diameter", count_or_nothing(report.diameter)},
          {"radius", count_or_nothing(report.radius)},
          {"average_distance",
           report.average_distance ? Value(to_string(*report.average_distance)) : Value()},
          {"bidirectional", report.bidirectional},
          {"connected", truth_or_nothing(report.connected)},
          {"min_degree", count(std::min(report.degrees.min_out, report.degrees.min_in))},
          {"max_degree", count(std::max(report.degrees.max_out, report.degrees.max_in))},
          {"moore_diameter", count_or_nothing(report.moore_diameter)},
          {"edge_connectivity", count_or_nothing(report.edge_connectivity)},
          {"girth", count_or_nothing(report.girth)},
          {"bisection_lower", bisection ? count(bisection->lower) : Value()},
          {"bisection_upper", bisection ? count(bisection->upper) : Value()},
          {"vertex_transitive", truth_or_nothing(report.vertex_transitive)},
          {"reverse_symmetric", truth_or_nothing(report.reverse_symmetric)}};
}

}  // namespace

Values measure(const Row& row) {
  switch (row.kind) {
    case RowKind::simulate:
      return simulated(row);
    case RowKind::cost:
      return priced(row);
    case RowKind::forecast:
      return forecast_row(row);
    case RowKind::throughput:
      return throughput_row(row);
    case RowKind::find:
      return find_row(row);
    case RowKind::crossings:
      return crossed(row);
    case RowKind::phases:
      return phase(row);
    case RowKind::order:
      return order_row(row);
    case RowKind::pairs:
      return pairs_row(row);
    case RowKind::economics:
      return economics_row(row);
    case RowKind::price:
      return price_row(row);
    case RowKind::embedding:
      return embedding_row(row);
    case RowKind::topology:
      break;
  }
  return measured(row);
}

}  // namespace weft::question
