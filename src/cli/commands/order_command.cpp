// weft order COLLECTIVE: on which host each rank should run.
#include <algorithm>
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
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

using question::OrderChoice;
using question::OrderQuestion;
using question::OrderSearch;
using question::OrderStudy;

// What was asked for and would do nothing. Throws InvalidInput.
void require_effect(const Said& said, const OrderSearch& asked) {
  const auto method = asked.options(0).method;
  for (const char* name :
       {"objective", "judge", "attempts", "time-limit", "restarts", "moves", "root"})
    require(!said.of(name) || method != search::OrderMethod::none,
            "--{} does nothing with --search none (nothing is searched); leave one of them out",
            name);
  require(!said.of("moves") || method == search::OrderMethod::two_opt,
          "--moves does nothing with --search {} (it chooses among its own); add --search two-opt, "
          "or leave it out",
          name_of(method));
  require(asked.judge == question::OrderJudge::time || asked.objective,
          "--judge objective does nothing without one objective (what all searches find is judged "
          "by time); add --objective hops, makespan or time, or leave it out");
}

OrderSearch search_of(const OrderOptions& options) {
  Said said = options.said;
  if (lower(said.text("objective")) == "auto") said.values.erase("objective");
  OrderSearch asked;
  set_members(asked, question::order_members(), said.values);
  require(!said.of("time-limit") || asked.time_limit_ps > 0,
          "a time limit of 0 finds no order; give 1s or more");
  require_effect(said, asked);
  return asked;
}

/// All hosts, switch delays in the latencies of links.
Network make_switched(const OrderOptions& options, const OrderSearch& asked) {
  Said all = options.said;
  for (const char* name : {"ranks", "hosts"}) all.values.erase(name);
  all.values.try_emplace("alpha-per", std::string("message"));  // under every model
  return question::switched_network(make_network(all, options.common.seed), asked.switch_delay_ps,
                                    options.said.text("routing"), options.common.seed);
}

OrderQuestion question_of(const OrderOptions& options, const OrderSearch& asked,
                          const Topology& topology) {
  OrderQuestion question{.collective = schedule::parse_collective(options.said.text("collective")),
                         .options = question::algorithm_options_in(options.said.values),
                         .size_B = one_size(options.size),
                         .ranks = question::network_in(options.said.values).ranks,
                         .start = asked.first_order(options.common.seed),
                         .simulation = question::simulation_options_in(options.said.values)};
  question.start.hosts = hosts_of(options.said, topology);
  question::read_start(question, topology);
  return question;
}

using OrderHosts = std::shared_ptr<const search::OrderNetwork>;

/// With the algorithm that was asked for, else with the fastest.
OrderChoice choice_of(const OrderOptions& options, const OrderSearch& asked, const Network& network,
                      const OrderHosts& hosts) {
  OrderQuestion question = question_of(options, asked, network.topology());
  if (lower(options.algorithm) == "auto")
    return question::choose_algorithm(network, question, hosts, asked.root);
  question.algorithm = algorithm::find_algorithm(options.algorithm).name;
  return {question, {}};
}

std::string placement_text(const OrderAnswer& a) {
  const Topology& topology = a.network.topology();
  std::string text = fmt::format("# weft order: line r is the host of rank r; {} hops on {}\n",
                                 a.advice.found().cost.hops, topology.name());
  for (const std::int32_t host : a.advice.found().order) {
    const std::string& name = name_of(topology, topology.hosts()[host]);
    text += fmt::format("{}{}{}\n", host, name.empty() ? "" : "  # ", name);
  }
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
  require_one_algorithm(options.algorithm);
  const OrderSearch asked = search_of(options);
  if (!options.output.empty()) require_writable(options.output);
  const Network network = make_switched(options, asked);
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  if (!options.common.quiet)
    streams.err << machine_note(options.said, one_size(options.size), one_size(options.size));
  const OrderChoice choice = choice_of(options, asked, network, hosts);
  const OrderStudy study(network, choice.question, hosts);
  require_used(options.said, {choice.question.collective, study.ranks()});
  OrderAnswer found{options, asked, network, choice, study, {}, {}, {}};
  for (const std::string& name : options.baselines) {
    OrderQuestion question = choice.question;
    question.algorithm = algorithm::find_algorithm(name).name;
    const OrderStudy other(network, question, hosts);
    found.baselines.push_back({question.algorithm, other.cost(other.start())});
  }
  found.alternatives = question::following_algorithms(study);
  require_options_taken(found);
  found.advice = question::advise_order(study, {.objective = asked.objective,
                                                .judge = asked.judge,
                                                .search = asked.options(options.common.seed),
                                                .attempts = asked.attempts});
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

}  // namespace

void add_order_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<OrderOptions>();
  CLI::App* command = program.add_subcommand("order", "Search which host each rank should run on");
  const OptionAdder add(*command);
  add.field(options->said, *question::collective_members().front().field, "collective")->required();
  add("-a,--algorithm,--algorithms", options->algorithm,
      "Algorithm that needs no network, and those made for the network beside it; auto: the "
      "fastest "
      "in the first order");
  add.repeated("--baseline", options->baselines,
               "Another algorithm, to be shown in the first order; repeat it");
  add("--size,--sizes", options->size, "What one call is given; see weft list collectives");
  add.members(options->said, question::order_members());
  add("-o,--output", options->output,
      "File for the order, for --placement file:FILE; - is standard output");
  add_algorithm_parameters(*command, options->said);
  add_network_options(*command, options->said);
  leave_out(*command, {"--placement"});  // it places the ranks itself
  add_simulation_options(*command, options->said);
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
