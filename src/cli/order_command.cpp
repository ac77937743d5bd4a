// weft order COLLECTIVE: on which host each rank should run.
#include <array>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/order_study.hpp"
#include "weft/search/order.hpp"

namespace weft::cli {

namespace {

using experiment::OrderAnswer;
using experiment::OrderCost;
using experiment::OrderObjectiveKind;
using experiment::OrderQuestion;
using experiment::OrderStudy;

constexpr std::int64_t kAttempts = 1000;
constexpr std::array<std::int64_t, 3> kAnnealedAttempts = {10'000'000, 100'000, 10'000};
constexpr std::int64_t kUntilTimeIsUp = std::int64_t{1} << 60;

struct Options {
  std::string collective;
  AlgorithmChoice algorithm{.name = "binomial"};
  std::vector<std::string> baselines;
  NetworkOptions network;
  SimulationChoice simulation;
  std::string size = "64KiB";
  std::string method = "two-opt", objective = "hops", moves = "reversal", root = "free";
  std::string start = "linear";
  std::optional<std::int64_t> attempts;
  std::int64_t restarts = 1;
  std::string time_limit;
  std::string switch_delay = "0s";
  std::int32_t cores = 1;
  std::string output;
  OutputOptions common;
};

OrderSearchOptions search_options(const Options& options, OrderObjectiveKind objective) {
  OrderSearchOptions wanted{.method = search::parse_order_method(options.method),
                            .moves = search::parse_order_moves(options.moves),
                            .root = search::parse_root_host(options.root),
                            .restarts = options.restarts,
                            .seed = options.common.seed};
  if (!options.time_limit.empty()) {
    wanted.time_limit_s =
        static_cast<double>(parse_time(options.time_limit)) * kSecondsPerPicosecond;
    require(wanted.time_limit_s > 0, "a time limit of 0 finds no order; give 1s or more");
  }
  const bool anneals = wanted.method == search::OrderMethod::anneal;
  const std::int64_t annealed = kAnnealedAttempts[static_cast<std::size_t>(objective)];
  wanted.attempts = options.attempts.value_or(wanted.time_limit_s > 0 ? kUntilTimeIsUp
                                              : anneals               ? annealed
                                                                      : kAttempts);
  require(wanted.attempts >= 1, "{} attempts find no order; use 1 or more", wanted.attempts);
  require(wanted.restarts >= 1, "{} restarts are too few; use 1 or more", wanted.restarts);
  return wanted;
}

/// All hosts, switch delays in the latencies of links.
Network make_switched(const Options& options) {
  require(options.network.placement.empty(),
          "weft order places the ranks itself; name its first order with --start, not --placement");
  NetworkOptions all = options.network;
  all.ranks = 0;
  return experiment::switched_network(make_network(all, options.common.seed),
                                      parse_time(options.switch_delay), options.network.routing,
                                      options.common.seed);
}

OrderQuestion question_of(const Options& options, const std::string& algorithm) {
  return {.collective = schedule::parse_collective(options.collective),
          .algorithm = algorithm,
          .options = options.algorithm.options(),
          .size_B = parse_size(options.size),
          .ranks = options.network.ranks,
          .start = {.policy = options.start, .cores = options.cores, .seed = options.common.seed},
          .simulation = make_simulation(options.simulation)};
}

/// Another algorithm in the order that the search began with.
struct Baseline {
  std::string algorithm;
  OrderCost cost;
};

struct Answer {
  const Options& options;
  const Network& network;
  const OrderStudy& study;
  std::string algorithm;
  std::int64_t size_B;
  OrderAnswer answer;
  std::vector<Baseline> baselines;
};

Json json_of(const OrderCost& cost) {
  return {{"hops", cost.hops}, {"makespan", cost.makespan_s}, {"time", cost.time_s}};
}

Json json_of(const Answer& a) {
  Json json = answer("order", a.options.common);
  json["collective"] = std::string(name_of(schedule::parse_collective(a.options.collective)));
  json["algorithm"] = a.algorithm;
  json["topology"] = a.network.topology().name();
  json["ranks"] = a.study.ranks();
  json["cores"] = a.options.cores;
  json["size"] = a.size_B;
  json["search"] = lower(a.options.method);
  json["objective"] = lower(a.options.objective);
  json["moves"] = lower(a.options.moves);
  json["root"] = lower(a.options.root);
  json["from"] = a.options.start;
  json["attempts"] = a.answer.result.attempts;
  json["accepted"] = a.answer.result.accepted;
  json["restarts"] = a.options.restarts;
  json["start"] = json_of(a.answer.start);
  json.update(json_of(a.answer.found));
  json["hops_bound"] = a.study.least_hops();
  json["baselines"] = Json::array();
  for (const auto& [algorithm, cost] : a.baselines) {
    json["baselines"].push_back({{"algorithm", algorithm}});
    json["baselines"].back().update(json_of(cost));
  }
  json["order"] = a.answer.result.order;
  return json;
}

void print_table(const Answer& a, Streams& streams) {
  Table table({"order", "hops", "makespan", "time"});
  const auto row = [&](const std::string& name, const OrderCost& cost) {
    table.add({name, std::to_string(cost.hops), format_seconds(cost.makespan_s),
               format_seconds(cost.time_s)});
  };
  row(a.options.start, a.answer.start);
  row(lower(a.options.method), a.answer.found);
  table.add({"bound", std::to_string(a.study.least_hops()), "", ""});
  for (const auto& [algorithm, cost] : a.baselines)
    row(fmt::format("{}, {}", algorithm, a.options.start), cost);
  streams.out << table.text();
}

std::string placement_text(const Answer& a) {
  std::string text = fmt::format("# weft order: line r is the host of rank r; {} hops on {}\n",
                                 a.answer.found.hops, a.network.topology().name());
  for (const std::int32_t host : a.answer.result.order) text += fmt::format("{}\n", host);
  return text;
}

int run(const Options& options, Streams& streams) {
  const auto objective = experiment::parse_order_objective(options.objective);
  const OrderSearchOptions wanted = search_options(options, objective);
  if (!options.output.empty()) require_writable(options.output);
  const std::string algorithm = algorithm::find_algorithm(options.algorithm.name).name;
  const Network network = make_switched(options);
  const OrderStudy study(network, question_of(options, algorithm));
  Answer found{options, network, study, algorithm, parse_size(options.size), {}, {}};
  for (const std::string& name : options.baselines) {
    const OrderStudy other(network, question_of(options, name));
    found.baselines.push_back({algorithm::find_algorithm(name).name, other.cost(other.start())});
  }
  found.answer = study.search(objective, wanted);
  if (!options.output.empty()) write_file(options.output, placement_text(found));
  if (options.output == "-") return kFine;  // the placement is the answer
  if (options.common.json)
    print(json_of(found), streams);
  else
    print_table(found, streams);
  return kFine;
}

void add_search_options(CLI::App& command, Options& options) {
  command.add_option("-a,--algorithm", options.algorithm.name, "Algorithm that needs no network")
      ->capture_default_str();
  command
      .add_option("--baseline", options.baselines,
                  "Another algorithm, to be shown in the first order; repeat it")
      ->allow_extra_args(false);
  command.add_option("--size", options.size, "What one call is given; see weft list collectives")
      ->capture_default_str();
  command.add_option("--search", options.method, "two-opt, anneal, or none: the first order alone")
      ->capture_default_str();
  command.add_option("--objective", options.objective, "hops, makespan or time")
      ->capture_default_str();
  command.add_option(
      "--attempts", options.attempts,
      "Moves to propose in each run [1000; of anneal 10000000, on makespan 100000, on time 10000]");
  command.add_option("--time-limit", options.time_limit,
                     "Time for all runs; without --attempts the only limit [none]");
  command.add_option("--restarts", options.restarts, "Runs, of which the best counts")
      ->capture_default_str();
  command.add_option("--moves", options.moves, "Of two-opt: reversal, swap (of its ends) or both")
      ->capture_default_str();
  command.add_option("--root", options.root, "Host of rank 0: free, or fixed as it starts")
      ->capture_default_str();
  command
      .add_option("--start", options.start,
                  "First order: linear, random, bfs, blocks, metis, file:PATH")
      ->capture_default_str();
  command.add_option("--cores", options.cores, "Ranks that a host may hold")->capture_default_str();
  command.add_option("--switch-delay", options.switch_delay, "Added to links that leave a switch")
      ->capture_default_str();
  command.add_option("-o,--output", options.output,
                     "File for the order, for --placement file:FILE; - is standard output");
}

}  // namespace

void add_order_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("order", "Search which host each rank should run on");
  command->add_option("collective", options->collective, "Collective; see weft list collectives")
      ->required();
  add_search_options(*command, *options);
  add_algorithm_parameters(*command, options->algorithm);
  add_network_options(*command, options->network);
  add_simulation_options(*command, options->simulation);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft order broadcast --topology \"hosts(1, random-regular:512,8,seed=1)\" --attempts "
      "1000\n"
      "  weft order broadcast --topology \"hosts(4, torus:4x4)\" --search anneal -o order.txt\n"
      "  weft order allgather --algorithm ring --topology \"hosts(4, torus:4x4)\" --start metis");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
