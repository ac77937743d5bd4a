// Rows that search a rank order.
#include <array>
#include <cmath>

#include "weft/base/suggest.hpp"
#include "weft/network/routings.hpp"
#include "weft/question/kinds/entries.hpp"
#include "weft/question/kinds/foretell.hpp"
#include "weft/question/kinds/resolve.hpp"
#include "weft/question/order/order_advice.hpp"
#include "weft/question/row_key.hpp"
#include "weft/question/run_fields.hpp"
#include "weft/question/setup.hpp"

namespace weft::question {

namespace {

std::string start_text(std::string_view name, std::string_view text) {
  if (text.starts_with("file:")) return std::string(text);
  return listed_name(name, text, {"linear", "random", "bfs", "blocks", "metis", "file:PATH"});
}

std::optional<std::int64_t> read_attempts(std::string_view name, std::string_view text) {
  return lower(text) == "auto" ? std::nullopt
                               : std::optional(count_from<1, kUntilTimeIsUp>(name, text));
}

Value show_attempts(const std::optional<std::int64_t>& attempts) {
  return attempts ? Value(*attempts) : Value(std::string("auto"));
}

constexpr auto kSearch = choice<search::parse_order_method>("search", "two-opt")
                             .helped(
                                 "Search method: anneal, two-opt, or none (only the first order) "
                                 "[anneal; two-opt if --objective names one]");
constexpr auto kObjective = choice<parse_order_objective>("objective", "hops")
                                .helped(
                                    "Quantity to minimise: hops, makespan or time; auto takes the "
                                    "fastest result of all searches and simple orders [auto]");
constexpr auto kJudge =
    choice<parse_order_judge>("judge", "time")
        .helped(
            "Rule for the result of a search for one objective: time (take it only if it is faster "
            "than the first order) or objective (always) [time]");
constexpr auto kTries =
    field<read_attempts, show_attempts>("attempts", "auto")
        .helped(
            "Number of moves to try in each run [auto: by the size of the schedule; two-opt 1000; "
            "anneal 10000000, makespan 100000, time 10000]")
        .numbered();
constexpr auto kTimeLimit = time("time-limit", "").helped("Time limit of the whole answer [none]");
constexpr auto kRestarts =
    count<1>("restarts", "1").helped("Number of runs; the best one counts [1]");
constexpr auto kMoves = choice<search::parse_order_moves>("moves", "reversal")
                            .helped(
                                "Moves of two-opt: reversal, swap (of two hosts), both, or cycle "
                                "(swaps, and three hosts at once) [reversal]");
constexpr auto kRootHost =
    choice<search::parse_root_host>("root", "free")
        .helped("Host of rank 0: free, or fixed (its host in the first order) [free]");
constexpr auto kStart = text<start_text>("start", "linear")
                            .helped(
                                "First order: linear, random, bfs, blocks, metis, or file:PATH, "
                                "which also restricts the hosts");
constexpr auto kCores = count<1, 1024>("cores", "1").helped("Maximum number of ranks on a host");
constexpr auto kSwitchDelay =
    time("switch-delay", "0s").helped("Latency added to each link that leaves a switch");

OrderSearch asked_in(const Values& parameters) {
  OrderSearch asked;
  set_members(asked, order_members(), parameters);
  return asked;
}

Network ranked_network(const Row& row, std::int64_t switch_delay_ps) {
  Values parameters = row.parameters;
  parameters.erase("ranks");  // the study places them
  parameters["placement"] = std::string("linear");
  const Network network = make_network(parameters);
  contents_of_files(row);
  return switched_network(network, switch_delay_ps, text_in(parameters, "routing"),
                          seed_in(parameters));
}

OrderQuestion question_of(const Values& parameters, const OrderSearch& asked) {
  return {.collective = schedule::parse_collective(text_in(parameters, "collective")),
          .algorithm = text_in(parameters, "algorithm"),
          .options = algorithm_options_in(parameters),
          .size_B = count_in(parameters, "size", 0),
          .ranks = count_in(parameters, "ranks", 0),
          .start = asked.first_order(seed_in(parameters)),
          .simulation = simulation_options_in(parameters),
          .calls = calls_in(parameters)};
}

// How much of `before` is saved; nothing where there was nothing.
Value gain(double before, double after) {
  return before > 0 ? Value(1 - after / before) : Value();
}

Values answer(const Row& row, Workspace&) {
  const OrderSearch asked = asked_in(row.parameters);
  const OrderStudy study(ranked_network(row, asked.switch_delay_ps),
                         question_of(row.parameters, asked));
  const auto [start, found, result] = study.search(
      asked.objective.value_or(OrderObjectiveKind::hops), asked.options(seed_in(row.parameters)));
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
  const std::string search = text_in(parameters, "search"), start = text_in(parameters, "start");
  const std::int64_t asked = count_in(parameters, "ranks", 0);
  parameters["ranks"] = asked > 0 ? asked : hosts * count_in(parameters, "cores", 1);
  if (search == "none")
    for (const char* name : {"objective", "attempts", "restarts"}) parameters.erase(name);
  else if (text_in(parameters, "attempts") == "auto")
    parameters["attempts"] = asked_in(parameters).options(0).attempts;
  if (search != "two-opt") parameters.erase("moves");
  const bool drawn = search != "none" || start == "random" || start == "metis" ||
                     network::draws_paths(text_in(parameters, "routing"));
  if (!drawn) parameters.erase("seed");
}

// A proposal is judged by a simulation, by all messages, or by those of two ranks; the makespan of
// a tree by those and their ancestors', which are in memory far apart in large trees.
constexpr double kTreeProposal_s = 5e-8;  // times the root of the ranks: 256 to 4096

double proposal_s(const Values& parameters, double messages, double ranks) {
  const std::string objective = text_in(parameters, "objective");
  if (objective == "time") return messages * calls_in(parameters) * kMessage_s / 4;
  if (objective == "hops") return kMessage_s;
  const auto& algorithm = algorithm::find_algorithm(text_in(parameters, "algorithm"));
  const bool tree = algorithm.outline.spread == algorithm::Outline::Spread::tree;
  return tree ? kTreeProposal_s * std::sqrt(ranks) : messages * kMessage_s / 100;
}

Estimate foretell(const Row& row) {
  const auto ranks = static_cast<double>(count_in(row.parameters, "ranks", 1));
  const auto attempts = static_cast<double>(count_in(row.parameters, "attempts", 1)) *
                        static_cast<double>(count_in(row.parameters, "restarts", 1));
  const double messages = messages_of(row.parameters, ranks);
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + 4 * messages * calls_in(row.parameters) * kMessage_s +
                    attempts * proposal_s(row.parameters, messages, ranks),
          .memory_B = kRow_B + messages * kMessage_B + nodes * nodes * 18};
}

void resolve(Row& row, FactsOfNetworks& facts) {
  resolve_topology(row, facts);
  resolve_link(row.parameters, facts.topology(text_in(row.parameters, "topology")));
  resolve_order(row.parameters, row.hosts);
  resolve_algorithm(row.parameters);
  resolve_readings(row, facts, Startups::always);  // the makespan beside alpha-beta has them too
  resolve_calls(row.parameters);
}

// The readings of calls, then what is an order's own.
std::vector<const Field*> own_fields() {
  std::vector<const Field*> fields{call_fields().begin(), call_fields().end()};
  fields.insert(fields.end(), {&kCores, &kSwitchDelay, &kStart, &kSearch, &kObjective, &kTries,
                               &kRestarts, &kMoves});
  return fields;
}

}  // namespace

std::span<const Member<OrderSearch>> order_members() {
  using Search = OrderSearch;
  static constexpr std::array kMembers = {kMember<kSearch, &Search::method>,
                                          kMember<kObjective, &Search::objective>,
                                          kMember<kJudge, &Search::judge>,
                                          kMember<kTries, &Search::attempts>,
                                          kMember<kTimeLimit, &Search::time_limit_ps>,
                                          kMember<kRestarts, &Search::restarts>,
                                          kMember<kMoves, &Search::moves>,
                                          kMember<kRootHost, &Search::root>,
                                          kMember<kStart, &Search::start>,
                                          kMember<kCores, &Search::cores>,
                                          kMember<kSwitchDelay, &Search::switch_delay_ps>};
  return kMembers;
}

Kind order_kind() {
  return {
      .name = "order",
      .subject = Subject::hosts,
      .fields = schedule_fields(
          {.sized = true, .started = true, .simulated = true, .placed = false, .ends = Ends::none},
          own_fields()),
      .measures = {"time", "makespan", "hops", "start_time", "start_makespan", "start_hops",
                   "time_gain", "makespan_gain", "hops_gain", "hops_bound", "attempts_made",
                   "accepted"},
      .chart = {.x = "size", .y = "time", .series = "algorithm", .timed = true},
      .resolve = resolve,
      .foretell = foretell,
      .answer = answer};
}

}  // namespace weft::question
