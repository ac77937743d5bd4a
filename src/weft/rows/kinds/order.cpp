// Rows that search a rank order.
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/network/routings.hpp"
#include "weft/order/order_advice.hpp"
#include "weft/order/order_fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

order::OrderSearch asked_in(const Values& parameters) {
  order::OrderSearch asked;
  fields::set_members(asked, order::order_members(), parameters);
  return asked;
}

Network ranked_network(const Row& row, std::int64_t switch_delay_ps) {
  Values parameters = row.parameters;
  for (const auto& [field, set] : fields::placing_members())  // the study places them
    parameters.erase(std::string(field->name));
  parameters["placement"] = std::string("linear");
  const Network network = fields::make_network(parameters);
  contents_of_files(row);
  return order::switched_network(network, switch_delay_ps, fields::text_in(parameters, "routing"),
                                 fields::seed_in(parameters));
}

order::OrderQuestion question_of(const Values& parameters, const order::OrderSearch& asked) {
  return {.collective = schedule::parse_collective(fields::text_in(parameters, "collective")),
          .algorithm = fields::text_in(parameters, "algorithm"),
          .options = fields::algorithm_options_in(parameters),
          .size_B = fields::count_in(parameters, "size", 0),
          .ranks = fields::count_in(parameters, "ranks", 0),
          .start = asked.first_order(fields::seed_in(parameters)),
          .simulation = fields::simulation_options_in(parameters),
          .calls = fields::calls_in(parameters)};
}

// How much of `before` is saved; nothing where there was nothing.
Value gain(double before, double after) {
  return before > 0 ? Value(1 - after / before) : Value();
}

Values answer(const Row& row, Workspace&) {
  const order::OrderSearch asked = asked_in(row.parameters);
  const order::OrderStudy study(ranked_network(row, asked.switch_delay_ps),
                                question_of(row.parameters, asked));
  const auto [start, found, result] =
      study.search(asked.objective.value_or(order::OrderObjectiveKind::hops),
                   asked.options(fields::seed_in(row.parameters)));
  return {{"time", found.time_s},
          {"makespan", found.makespan_s},
          {"hops", found.hops},
          {"start_time", start.time_s},
          {"start_makespan", start.makespan_s},
          {"start_hops", start.hops},
          {"time_gain", gain(start.time_s, found.time_s)},
          {"makespan_gain", gain(start.makespan_s, found.makespan_s)},
          {"hops_gain", gain(static_cast<double>(start.hops), static_cast<double>(found.hops))},
          {"hops_bound", study.least_hops()},
          {"attempts_made", result.attempts},
          {"accepted", result.accepted}};
}

void resolve_order(Values& parameters, std::int64_t hosts) {
  WEFT_ASSERT(hosts >= 1);
  const std::string search = fields::text_in(parameters, "search"),
                    start = fields::text_in(parameters, "start");
  const std::int64_t asked = fields::count_in(parameters, "ranks", 0);
  parameters["ranks"] = asked > 0 ? asked : hosts * fields::count_in(parameters, "cores", 1);
  if (search == "none")
    for (const char* name : {"objective", "attempts", "restarts"}) parameters.erase(name);
  else if (fields::text_in(parameters, "attempts") == "auto")
    parameters["attempts"] = asked_in(parameters).options(0).attempts;
  if (search != "two-opt") parameters.erase("moves");
  const bool drawn = search != "none" || start == "random" || start == "metis" ||
                     network::draws_paths(fields::text_in(parameters, "routing"));
  if (!drawn) parameters.erase("seed");
}

// A proposal is judged by a simulation, by all messages, or by those of two ranks; the makespan of
// a tree by those and their ancestors', which are in memory far apart in large trees.
constexpr double kTreeProposal_s = 5e-8;  // times the root of the ranks: 256 to 4096

double proposal_s(const Values& parameters, double messages, double ranks) {
  const std::string objective = fields::text_in(parameters, "objective");
  if (objective == "time") return messages * fields::calls_in(parameters) * kMessage_s / 4;
  if (objective == "hops") return kMessage_s;
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(parameters, "algorithm"));
  const bool tree = algorithm.outline.spread == algorithm::Outline::Spread::tree;
  return tree ? kTreeProposal_s * std::sqrt(ranks) : messages * kMessage_s / 100;
}

Estimate estimate_of(const Row& row) {
  const auto ranks = static_cast<double>(fields::count_in(row.parameters, "ranks", 1));
  const auto attempts = static_cast<double>(fields::count_in(row.parameters, "attempts", 1)) *
                        static_cast<double>(fields::count_in(row.parameters, "restarts", 1));
  const double messages = messages_of(row.parameters, ranks);
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + 4 * messages * fields::calls_in(row.parameters) * kMessage_s +
                    attempts * proposal_s(row.parameters, messages, ranks),
          .memory_B = kRow_B + messages * kMessage_B + nodes * nodes * 18};
}

void resolve(Row& row, FactsOfNetworks& facts) {
  resolve_topology(row, facts);
  resolve_link(row.parameters, facts.topology(fields::text_in(row.parameters, "topology")));
  resolve_order(row.parameters, row.hosts);
  resolve_algorithm(row.parameters);
  resolve_readings(row, facts, Startups::always);  // the makespan beside alpha-beta has them too
  resolve_calls(row.parameters);
}

// The readings of calls, then what is an order's own.
std::vector<const Field*> own_fields() {
  std::vector<const Field*> fields{fields::call_fields().begin(), fields::call_fields().end()};
  fields.insert(fields.end(),
                {&order::kCores, &order::kSwitchDelay, &order::kStart, &order::kSearch,
                 &order::kObjective, &order::kTries, &order::kRestarts, &order::kMoves});
  return fields;
}

}  // namespace

RowKind order_kind() {
  return {.name = "order",
          .subject = Subject::hosts,
          .fields = fields::schedule_fields({.sized = true,
                                             .started = true,
                                             .simulated = true,
                                             .placed = false,
                                             .ends = fields::Ends::none},
                                            own_fields()),
          .measures = {"time", "makespan", "hops", "start_time", "start_makespan", "start_hops",
                       "time_gain", "makespan_gain", "hops_gain", "hops_bound", "attempts_made",
                       "accepted"},
          .chart = {.x = "size", .y = "time", .series = "algorithm", .timed = true},
          .resolve = resolve,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
