// weft order COLLECTIVE: on which host each rank should run.
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/order_time.hpp"
#include "weft/search/order.hpp"
#include "weft/search/order_network.hpp"
#include "weft/search/order_objectives.hpp"

namespace weft::cli {

namespace {

using search::Order;
using search::OrderNetwork;

constexpr std::int64_t kAttempts = 1000, kAnnealedAttempts = 10'000'000;
constexpr std::int64_t kUntilTimeIsUp = std::int64_t{1} << 60;

struct Options {
  std::string collective;
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

OrderSearchOptions search_options(const Options& options) {
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
  wanted.attempts = options.attempts.value_or(wanted.time_limit_s > 0 ? kUntilTimeIsUp
                                              : anneals               ? kAnnealedAttempts
                                                                      : kAttempts);
  require(wanted.attempts >= 1, "{} attempts find no order; use 1 or more", wanted.attempts);
  require(wanted.restarts >= 1, "{} restarts are too few; use 1 or more", wanted.restarts);
  return wanted;
}

void check_names(const Options& options) {
  require(lower(options.collective) == "broadcast",
          "rank orders are searched for the binomial broadcast, not for '{}'; use weft order "
          "broadcast",
          options.collective);
  const std::vector<std::string> known{"hops", "makespan", "time"};
  require(std::find(known.begin(), known.end(), lower(options.objective)) != known.end(),
          "unknown objective '{}'; {}", options.objective, suggest(options.objective, known));
  require(options.network.placement.empty(),
          "weft order places the ranks itself; name its first order with --start, not --placement");
}

/// All hosts, switch delays in the latencies of links.
Network make_switched(const Options& options) {
  NetworkOptions all = options.network;
  all.ranks = 0;
  const Network network = make_network(all, options.common.seed);
  const Fabric fabric =
      search::with_switch_delay(network.fabric(), parse_time(options.switch_delay));
  return {fabric, network.placement(), network.host(),
          make_routing(options.network.routing, fabric, options.common.seed)};
}

Order start_of(const Options& options, const OrderNetwork& hosts, const Topology& topology) {
  if (!options.start.starts_with("file:"))
    return search::start_order(
        hosts, {.policy = options.start, .cores = options.cores, .seed = options.common.seed});
  const Placement placement = topology::place(topology, {.policy = options.start});
  const auto all = topology.hosts();
  Order order;
  for (const NodeId node : placement.nodes)
    order.push_back(
        static_cast<std::int32_t>(std::lower_bound(all.begin(), all.end(), node) - all.begin()));
  return search::order_from_hosts(hosts, order, options.cores);
}

/// What an order costs by each objective.
struct Cost {
  std::int64_t hops = 0;
  double makespan_s = 0, time_s = 0;
};

class Judge {
 public:
  Judge(const Options& options, const Network& network, const OrderNetwork& hosts,
        std::int32_t ranks)
      : hosts_(hosts),
        ranks_(ranks),
        send_{.size_B = parse_size(options.size),
              .startup_s = static_cast<double>(network.host().startup_ps) * kSecondsPerPicosecond},
        timer_(network, ranks, send_.size_B, make_simulation(options.simulation)) {
    if (network.host().copy_bandwidth_Bps > 0)
      send_.copy_seconds_per_byte = 1 / static_cast<double>(network.host().copy_bandwidth_Bps);
  }

  double makespan_s(std::span<const std::int32_t> order) const {
    return search::makespan_s(hosts_, order, ranks_, send_);
  }
  double time_s(std::span<const std::int32_t> order) const { return timer_.time_s(order); }
  Cost cost(const Order& order) const {
    return {search::total_hops(hosts_, order, ranks_), makespan_s(order), time_s(order)};
  }

 private:
  const OrderNetwork& hosts_;
  std::int32_t ranks_;
  search::SendCost send_;
  experiment::OrderTimer timer_;
};

std::unique_ptr<search::OrderObjective> make_objective(const std::string& name, const Judge& judge,
                                                       const OrderNetwork& hosts,
                                                       const Order& start, std::int32_t ranks) {
  if (name == "hops") return std::make_unique<search::HopObjective>(hosts, start, ranks);
  const auto cost = [&judge, timed = name == "time"](std::span<const std::int32_t> order) {
    return timed ? judge.time_s(order) : judge.makespan_s(order);
  };
  return std::make_unique<search::EvaluatedObjective>(cost, start);
}

struct Answer {
  const Options& options;
  const Network& network;
  std::int32_t ranks;
  std::int64_t least_hops;
  Cost start, found;
  search::OrderResult result;
};

Json json_of(const Cost& cost) {
  return {{"hops", cost.hops}, {"makespan", cost.makespan_s}, {"time", cost.time_s}};
}

Json json_of(const Answer& a) {
  Json json = answer("order", a.options.common);
  json["collective"] = "broadcast";
  json["topology"] = a.network.topology().name();
  json["ranks"] = a.ranks;
  json["cores"] = a.options.cores;
  json["size"] = parse_size(a.options.size);
  json["search"] = lower(a.options.method);
  json["objective"] = lower(a.options.objective);
  json["moves"] = lower(a.options.moves);
  json["root"] = lower(a.options.root);
  json["from"] = a.options.start;
  json["attempts"] = a.result.attempts;
  json["accepted"] = a.result.accepted;
  json["restarts"] = a.options.restarts;
  json["start"] = json_of(a.start);
  json.update(json_of(a.found));
  json["hops_bound"] = a.least_hops;
  json["order"] = a.result.order;
  return json;
}

void print_table(const Answer& a, Streams& streams) {
  Table table({"order", "hops", "makespan", "time"});
  const auto row = [&](const std::string& name, const Cost& cost) {
    table.add({name, std::to_string(cost.hops), format_seconds(cost.makespan_s),
               format_seconds(cost.time_s)});
  };
  row(a.options.start, a.start);
  row(lower(a.options.method), a.found);
  table.add({"bound", std::to_string(a.least_hops), "", ""});
  streams.out << table.text();
}

std::string placement_text(const Answer& a) {
  std::string text = fmt::format("# weft order: line r is the host of rank r; {} hops on {}\n",
                                 a.found.hops, a.network.topology().name());
  for (const std::int32_t host : a.result.order) text += fmt::format("{}\n", host);
  return text;
}

int run(const Options& options, Streams& streams) {
  check_names(options);
  OrderSearchOptions wanted = search_options(options);
  if (!options.output.empty()) require_writable(options.output);
  const Network network = make_switched(options);
  const OrderNetwork hosts(network.fabric());
  Order order = start_of(options, hosts, network.topology());
  const std::int64_t places = static_cast<std::int64_t>(order.size());
  require(options.network.ranks <= places,
          "{} ranks are more than {} hosts of {} cores hold; use at most {}", options.network.ranks,
          hosts.hosts(), options.cores, places);
  const auto ranks =
      static_cast<std::int32_t>(options.network.ranks > 0 ? options.network.ranks : places);
  const Judge judge(options, network, hosts, ranks);
  const std::string name = lower(options.objective);
  const std::int64_t least_hops = search::least_hops(hosts, ranks, options.cores);
  if (name == "hops") wanted.floor = static_cast<double>(least_hops);

  const auto objective = make_objective(name, judge, hosts, order, ranks);
  Answer found{options, network, ranks, least_hops, judge.cost(order), {}, {}};
  found.result = search_order(*objective, wanted);
  found.found = judge.cost(found.result.order);
  found.result.order.resize(static_cast<std::size_t>(ranks));
  if (!options.output.empty()) write_file(options.output, placement_text(found));
  if (options.output == "-") return kFine;  // the placement is the answer
  if (options.common.json)
    print(json_of(found), streams);
  else
    print_table(found, streams);
  return kFine;
}

void add_search_options(CLI::App& command, Options& options) {
  command.add_option("--size", options.size, "Size of the broadcast")->capture_default_str();
  command.add_option("--search", options.method, "two-opt or anneal")->capture_default_str();
  command.add_option("--objective", options.objective, "hops, makespan or time")
      ->capture_default_str();
  command.add_option("--attempts", options.attempts,
                     "Moves to propose in each run [1000; 10000000 of anneal]");
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
  CLI::App* command =
      program.add_subcommand("order", "Search which host each rank of a tree should run on");
  command->add_option("collective", options->collective, "broadcast, by the binomial tree")
      ->required();
  add_search_options(*command, *options);
  add_network_options(*command, options->network);
  add_simulation_options(*command, options->simulation);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft order broadcast --topology \"hosts(1, random-regular:512,8,seed=1)\" --attempts "
      "1000\n"
      "  weft order broadcast --topology \"hosts(4, torus:4x4)\" --search anneal -o order.txt");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
