// weft order COLLECTIVE: on which host each rank should run.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "cli/answers/order_answer.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/question/order_advice.hpp"
#include "weft/search/order.hpp"

namespace weft::cli {

namespace {

using question::OrderAdviceOptions;
using question::OrderChoice;
using question::OrderObjectiveKind;
using question::OrderQuestion;
using question::OrderStudy;

constexpr std::int64_t kAttempts = 1000;
constexpr std::array<std::int64_t, 3> kAnnealedAttempts = {10'000'000, 100'000, 10'000};
constexpr std::int64_t kUntilTimeIsUp = std::int64_t{1} << 60;

// What was asked for and would do nothing. Throws InvalidInput.
void require_effect(const OrderOptions& options) {
  const auto method = search::parse_order_method(options.search());
  const std::array<std::pair<const char*, bool>, 7> of_searches = {{
      {"--objective", !options.tries_all()},
      {"--judge", options.judge.has_value()},
      {"--attempts", options.attempts.has_value()},
      {"--time-limit", !options.time_limit.empty()},
      {"--restarts", options.restarts.has_value()},
      {"--moves", options.moves.has_value()},
      {"--root", options.root.has_value()},
  }};
  for (const auto& [name, is_given] : of_searches)
    require(!is_given || method != search::OrderMethod::none,
            "{} does nothing with --search none (nothing is searched); leave one of them out",
            name);
  require(!options.moves || method == search::OrderMethod::two_opt,
          "--moves does nothing with --search {} (it chooses among its own); add --search two-opt, "
          "or leave it out",
          options.search());
  require(options.judged_by() == "time" || !options.tries_all(),
          "--judge objective does nothing without one objective (what all searches find is judged "
          "by time); add --objective hops, makespan or time, or leave it out");
}

OrderAdviceOptions advice_options(const OrderOptions& options) {
  OrderAdviceOptions advice{.judge = question::parse_order_judge(options.judged_by()),
                            .attempts = options.attempts};
  if (!options.tries_all()) advice.objective = question::parse_order_objective(options.objective);
  auto& wanted = advice.search;
  wanted = {.method = search::parse_order_method(options.search()),
            .moves = search::parse_order_moves(options.moves_made()),
            .root = search::parse_root_host(options.root_host()),
            .restarts = options.restarts.value_or(1),
            .seed = options.common.seed};
  if (!options.time_limit.empty()) {
    wanted.time_limit_s =
        static_cast<double>(parse_time(options.time_limit)) * kSecondsPerPicosecond;
    require(wanted.time_limit_s > 0, "a time limit of 0 finds no order; give 1s or more");
  }
  const bool anneals = wanted.method == search::OrderMethod::anneal;
  const auto kind = advice.objective.value_or(OrderObjectiveKind::hops);
  wanted.attempts =
      options.attempts.value_or(wanted.time_limit_s > 0 ? kUntilTimeIsUp
                                : anneals ? kAnnealedAttempts[static_cast<std::size_t>(kind)]
                                          : kAttempts);
  require(wanted.attempts >= 1, "{} attempts find no order; use 1 or more", wanted.attempts);
  require(wanted.restarts >= 1, "{} restarts are too few; use 1 or more", wanted.restarts);
  require_effect(options);
  return advice;
}

/// All hosts, switch delays in the latencies of links.
Network make_switched(const OrderOptions& options) {
  NetworkOptions all = options.network;
  all.ranks = 0;
  all.hosts.clear();
  return question::switched_network(make_network(all, options.common.seed),
                                    parse_time(options.switch_delay), options.network.routing,
                                    options.common.seed);
}

OrderQuestion question_of(const OrderOptions& options, const Topology& topology) {
  OrderQuestion question{
      .collective = schedule::parse_collective(options.collective),
      .options = options.algorithm.options(),
      .size_B = one_size(options.size),
      .ranks = options.network.ranks,
      .start = {.policy = options.start, .cores = options.cores, .seed = options.common.seed},
      .simulation = make_simulation(options.simulation)};
  question.start.hosts = hosts_of(options.network, topology);
  question::read_start(question, topology);
  return question;
}

using OrderHosts = std::shared_ptr<const search::OrderNetwork>;

/// With the algorithm that was asked for, else with the fastest.
OrderChoice choice_of(const OrderOptions& options, const Network& network,
                      const OrderHosts& hosts) {
  OrderQuestion question = question_of(options, network.topology());
  if (lower(options.algorithm.name) == "auto")
    return question::choose_algorithm(network, question, hosts,
                                      search::parse_root_host(options.root_host()));
  question.algorithm = algorithm::find_algorithm(options.algorithm.name).name;
  return {question, {}};
}

std::string placement_text(const OrderAnswer& a) {
  std::string text = fmt::format("# weft order: line r is the host of rank r; {} hops on {}\n",
                                 a.advice.found().cost.hops, a.network.topology().name());
  for (const std::int32_t host : a.advice.found().order) text += fmt::format("{}\n", host);
  return text;
}

// Refuses --radix and its kind where no algorithm of the run takes them.
void require_options_taken(const OrderAnswer& a) {
  std::vector<const algorithm::Algorithm*> run{&algorithm::find_algorithm(a.algorithm())};
  const auto add = [&](const auto& other) {
    run.push_back(&algorithm::find_algorithm(other.algorithm));
  };
  std::ranges::for_each(a.choice.timed, add);
  std::ranges::for_each(a.baselines, add);
  std::ranges::for_each(a.alternatives, add);
  const Network there = a.study.network_at(a.study.start());
  algorithm::require_taken(
      run, {{a.choice.question.collective, a.study.ranks()}, &there, a.choice.question.options});
}

int run(const OrderOptions& options, Streams& streams) {
  require_one_algorithm(options.algorithm.name);
  const OrderAdviceOptions wanted = advice_options(options);
  if (!options.output.empty()) require_writable(options.output);
  const Network network = make_switched(options);
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  const OrderChoice choice = choice_of(options, network, hosts);
  const OrderStudy study(network, choice.question, hosts);
  require_used(options.network, {choice.question.collective, study.ranks()});
  OrderAnswer found{options, network, choice, study, {}, {}, {}};
  for (const std::string& name : options.baselines) {
    OrderQuestion question = choice.question;
    question.algorithm = algorithm::find_algorithm(name).name;
    const OrderStudy other(network, question, hosts);
    found.baselines.push_back({question.algorithm, other.cost(other.start())});
  }
  found.alternatives = question::following_algorithms(study);
  require_options_taken(found);
  found.advice = question::advise_order(study, wanted);
  if (!options.output.empty()) write_file(options.output, placement_text(found));
  if (options.output == "-") {  // the placement is the answer
    if (!options.common.quiet) streams.err << headline(found) << verdict(found);
    return kFine;
  }
  if (options.common.json)
    print(json_of(found), streams);
  else
    print_table(found, streams);
  return kFine;
}

void add_search_options(CLI::App& command, OrderOptions& options) {
  command
      .add_option(
          "-a,--algorithm,--algorithms", options.algorithm.name,
          "Algorithm that needs no network, and those made for the network beside it; auto: the "
          "fastest in the first order")
      ->capture_default_str();
  command
      .add_option("--baseline", options.baselines,
                  "Another algorithm, to be shown in the first order; repeat it")
      ->allow_extra_args(false);
  command
      .add_option("--size,--sizes", options.size,
                  "What one call is given; see weft list collectives")
      ->capture_default_str();
  command.add_option("--search", options.method,
                     "two-opt, anneal, or none: the first order alone [anneal; with an objective "
                     "two-opt]");
  command
      .add_option(
          "--objective", options.objective,
          "auto: the fastest of what all searches and simple orders give; hops, makespan or "
          "time: what that search gives")
      ->capture_default_str();
  command.add_option("--judge", options.judge,
                     "Of one objective's search; time: keep the first order where the one found is "
                     "no faster; objective: do not [time]");
  command.add_option("--attempts", options.attempts,
                     "Moves to propose in each run [auto: by the size of the schedule; two-opt "
                     "1000; anneal 10000000, on makespan 100000, on time 10000]");
  command.add_option("--time-limit", options.time_limit,
                     "Time for all runs; without --attempts the only limit [none]");
  command.add_option("--restarts", options.restarts, "Runs, of which the best counts [1]");
  command.add_option("--moves", options.moves,
                     "Of two-opt: reversal, swap (of its ends) or both [reversal]");
  command.add_option("--root", options.root, "Host of rank 0: free, or fixed as it starts [free]");
  command
      .add_option("--start", options.start,
                  "First order: linear, random, bfs, blocks, metis, file:PATH (and keeps to the "
                  "hosts that the file names)")
      ->capture_default_str();
  command.add_option("--cores", options.cores, "Ranks that a host may hold")->capture_default_str();
  command.add_option("--switch-delay", options.switch_delay, "Added to links that leave a switch")
      ->capture_default_str();
  command.add_option("-o,--output", options.output,
                     "File for the order, for --placement file:FILE; - is standard output");
}

}  // namespace

void add_order_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<OrderOptions>();
  CLI::App* command = program.add_subcommand("order", "Search which host each rank should run on");
  const OptionAdder add(*command);
  add("collective", options->collective, "Collective; see weft list collectives")->required();
  add_search_options(*command, *options);
  add_algorithm_parameters(*command, options->algorithm);
  add_network_options(*command, options->network);
  leave_out(*command, {"--placement"});  // it places the ranks itself
  add_simulation_options(*command, options->simulation);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft order broadcast --topology \"hosts(1, random-regular:512,8,seed=1)\" --attempts "
      "1000\n"
      "  weft order allreduce --topology \"xgft:2;16,8;1,8\" --size 1MiB --hosts 1-40,52 -o "
      "order.txt\n"
      "  weft order allgather --algorithm ring --topology \"hosts(4, torus:4x4)\" --start metis");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
