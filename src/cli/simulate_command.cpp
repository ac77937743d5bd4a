// weft simulate: how long a schedule takes on a network, from a file or built on the spot.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <numeric>

#include "cli/bounds.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/packet_options.hpp"
#include "cli/paths.hpp"
#include "cli/percent_bar.hpp"
#include "cli/routing_text.hpp"
#include "cli/time_series.hpp"
#include "cli/traffic_options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/experiment/evaluation.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::cli {

namespace {

struct Options {
  CollectiveOptions collective;  // kind is a collective or a schedule file
  NetworkOptions network;
  AlgorithmChoice algorithm;
  SimulationChoice simulation;
  PacketChoice packet;
  TrafficChoice traffic;
  SeriesChoice series;
  std::string size = "1MiB";
  std::string links;  // all or top:N
  bool ranks = false;
  OutputOptions common;
};

struct Case {
  Verified verified;
  Network network;
};

Case from_file(const Options& options) {
  const Verified verified = load_verified(options.collective.kind);
  Network network = make_network(for_model(options.simulation, options.network),
                                 options.common.seed, &verified.schedule());
  require_used(options.network, verified.schedule().collective());
  return {
      options.algorithm.segments ? verified.with_segments(*options.algorithm.segments) : verified,
      std::move(network)};
}

// The collective's schedule by the algorithm, pipelined as suits the size.
Verified build(const std::string& name, const AlgorithmChoice& parameters,
               const Collective& collective, const Network& network, std::int64_t size_B) {
  algorithm::AlgorithmOptions chosen = parameters.options();
  chosen.size_B = size_B;
  const Schedule schedule = algorithm::build_schedule(name, collective, &network, chosen);
  Verified verified = schedule::verify_own(schedule, &network.topology());
  if (!algorithm::find_algorithm(name).segments_by_size(collective.kind) || parameters.segments)
    return verified;
  return verified.with_segments(experiment::SegmentChooser(verified, network).best(size_B));
}

Case from_collective(const Options& options, std::int64_t size_B) {
  require(!options.network.topology.empty(), "a collective needs a network; give --topology");
  require(!options.algorithm.name.empty(),
          "a collective needs an algorithm; give --algorithm, or use weft compare");
  Network network =
      make_network(for_model(options.simulation, options.network), options.common.seed);
  const Collective collective = make_collective(options.collective, network);
  require_used(options.network, collective);
  Verified verified = build(options.algorithm.name, options.algorithm, collective, network, size_B);
  return {std::move(verified), std::move(network)};
}

// A name of a collective builds one; anything else is a file.
bool is_file(const Options& options) {
  const std::string& what = options.collective.kind;
  return what == "-" || what.find('/') != std::string::npos || what.ends_with(".weft") ||
         (options.network.topology.empty() && std::filesystem::exists(what));
}

Case make_case(const Options& options, std::int64_t size_B) {
  return is_file(options) ? from_file(options) : from_collective(options, size_B);
}

// The links to show, busiest first.
std::vector<LinkId> shown_links(const std::string& which,
                                const simulation::SimulationResult& result) {
  std::vector<LinkId> links;
  for (std::size_t l = 0; l < result.link_bytes.size(); ++l) links.emplace_back(l);
  if (which == "all") return links;
  require(which.starts_with("top:"), "'{}' chooses no links; write all or top:N", which);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(which.data() + 4, which.data() + which.size(), count);
  require(error == std::errc() && end == which.data() + which.size() && count > 0,
          "'{}' chooses no links; write all or top:N with N of 1 or more", which);
  std::stable_sort(links.begin(), links.end(), [&](LinkId a, LinkId b) {
    return result.link_bytes[a.index()] > result.link_bytes[b.index()];
  });
  if (links.size() > static_cast<std::size_t>(count)) links.resize(static_cast<std::size_t>(count));
  return links;
}

// A second job on the same network, and how long it takes without the first.
struct Neighbour {
  simulation::SimulationResult result;
  double time_alone_s;
  double first_time_alone_s;  // of the first without this one
};

struct Simulated {
  simulation::SimulationResult result;
  std::optional<Neighbour> neighbour;
};

struct Answer {
  const Options& options;
  const Case& setup;
  std::int64_t size_B;
  BlockLayout layout;
  const simulation::SimulationResult& result;
  const std::vector<LinkId>& links;
  const PacketOptions& packet;
  const std::optional<Neighbour>& neighbour;
  const std::optional<experiment::RoutingAdvice>& advice;
};

// Packets that find their own way are not those of the network's routing.
bool finds_own_ways(const Answer& a) {
  return !a.packet.routing.empty() && a.packet.routing != a.setup.network.routing().name();
}

// Of the job alone.
std::optional<experiment::RoutingAdvice> advice_on(
    const Case& setup, std::int64_t size_B, const std::shared_ptr<const program::CopyPlan>& copies,
    const simulation::SimulationOptions& simulation, const Simulated& simulated) {
  const auto note = schedule::routing_note(setup.verified.schedule(), setup.network);
  if (!note) return std::nullopt;
  return experiment::advise(*note,
                            {.verified = setup.verified,
                             .copies = copies,
                             .size_B = size_B,
                             .time_s = simulated.result.time_s},
                            setup.network, simulation);
}

// What is drawn where other models split; nothing of the other models.
std::string drawn(const Answer& a) {
  return a.result.packet ? draw_note(a.packet, a.setup.network.topology()) : "";
}

std::string class_of(const Topology& topology, LinkId link) {
  return topology.class_names()[topology.link_class(link).index()];
}

Json json_of(const Answer& a) {
  const Schedule& schedule = a.setup.verified.schedule();
  const Topology& topology = a.setup.network.topology();
  Json json = answer("simulate", a.options.common);
  json.update(json_of(a.setup.network, a.options.network));
  json["collective"] = std::string(name_of(schedule.collective().kind));
  json["algorithm"] = schedule.algorithm();
  add_ends(schedule.collective(), json);
  json["size"] = a.size_B;
  json.update(json_of(a.options.simulation));
  if (a.result.packet) {
    if (!a.packet.routing.empty()) json["routing"] = a.packet.routing;
    json["routing_draws"] = drawn(a).empty() ? Json() : Json(drawn(a));
    json.update(cli::json_of(*a.result.packet));
    if (const auto& background = a.result.packet->background)
      json["background"] = cli::json_of(a.options.traffic, *background);
  }
  json["segments"] = schedule.segments().count;
  json["steps"] = schedule.steps();
  if (a.setup.network.host().copy_bandwidth_Bps > 0)
    json["layout"] = std::string(name_of(a.layout));
  json["time"] = a.result.time_s;
  json["messages"] = a.result.messages;
  json["routing_note"] = cli::json_of(a.advice);
  json["routing_judged"] = finds_own_ways(a) || schedule::judges_routing(schedule, a.setup.network);
  json["algorithm_bandwidth"] = a.result.algorithm_bandwidth_Bps;
  json["bus_bandwidth"] = a.result.bus_bandwidth_Bps;
  add_cut_bound(experiment::cut_bound(schedule.collective(), a.setup.network), json);
  if (has_paths(schedule)) json["paths"] = json_of_paths(schedule, topology);
  if (a.neighbour) json["time_alone"] = a.neighbour->first_time_alone_s;
  if (a.neighbour)
    json["beside"] = {{"algorithm", lower_name(a.options.traffic.beside)},
                      {"time", a.neighbour->result.time_s},
                      {"time_alone", a.neighbour->time_alone_s}};
  if (!a.options.series.interval.empty()) json["series"] = series_json(*a.result.packet);
  if (a.options.ranks) json["rank_times"] = a.result.agent_times_s;
  if (!a.options.links.empty()) {
    json["link_loads"] = Json::array();
    for (const LinkId link : a.links) {
      json["link_loads"].push_back({{"link", link.value()},
                                    {"from", topology.tail(link).value()},
                                    {"to", topology.head(link).value()},
                                    {"class", class_of(topology, link)},
                                    {"bytes", a.result.link_bytes[link.index()]},
                                    {"busy", a.result.busy_s(link, a.setup.network)},
                                    {"utilisation", a.result.utilisation(link, a.setup.network)}});
      if (!a.result.link_peaks_B.empty())
        json["link_loads"].back()["max_buffered"] = a.result.link_peaks_B[link.index()];
    }
  }
  return json;
}

// The packets' where they have their own.
std::string routing_of(const Answer& a) {
  const Network& network = a.setup.network;
  return finds_own_ways(a) ? a.packet.routing : routing_text(network);
}

// What ran, and where.
void add_setting(const Answer& a, Facts& facts) {
  const Schedule& schedule = a.setup.verified.schedule();
  facts.add("schedule",
            fmt::format("{} of {} ranks{}, by {}, {} steps", name_of(schedule.collective().kind),
                        schedule.collective().ranks, ends_text(schedule.collective()),
                        schedule.algorithm(), schedule.steps()));
  facts.add("topology", a.setup.network.topology().name());
  facts.add("routing", routing_of(a));
  facts.add("size", format_size(a.size_B));
  if (schedule.segments().count > 1)
    facts.add("segments", fmt::format("{}", schedule.segments().count));
  if (a.setup.network.host().copy_bandwidth_Bps > 0)
    facts.add("layout of blocks", std::string(name_of(a.layout)));
}

// What it took, beside the least that it can take.
void add_times(const Answer& a, Facts& facts) {
  const Collective& collective = a.setup.verified.schedule().collective();
  facts.add("time",
            format_seconds(a.result.time_s) +
                (a.neighbour ? ", alone " + format_seconds(a.neighbour->first_time_alone_s) : ""));
  if (const auto& times_s = a.result.agent_times_s; !times_s.empty()) {
    const auto [first, last] = std::ranges::minmax_element(times_s);
    facts.add("ranks are done",
              fmt::format("{} to {}", format_seconds(*first), format_seconds(*last)));
  }
  facts.add("messages", fmt::format("{}", a.result.messages));
  facts.add("algorithm bandwidth", format_rate(a.result.algorithm_bandwidth_Bps));
  facts.add("bus bandwidth", format_rate(a.result.bus_bandwidth_Bps));
  experiment::LowerBounds least;
  least.cut = experiment::cut_bound(collective, a.setup.network);
  if (!least.cut) return;
  const double least_s = experiment::least_time_s(least, collective, a.setup.network, a.size_B);
  facts.add("at least",
            fmt::format("{} by bandwidth ({})", format_seconds(least_s), least.cut->text));
}

// Packets, and what else was on the network.
void add_traffic(const Answer& a, Facts& facts) {
  if (a.result.packet) add_facts(*a.result.packet, facts);
  if (a.result.packet && a.result.packet->background)
    facts.add("background",
              fmt::format("{} messages, packets take {} on average",
                          a.result.packet->background->messages,
                          format_seconds(a.result.packet->background->packet_latency.mean_s)));
  if (a.neighbour)
    facts.add("second job",
              fmt::format("{} by {}, alone {}", format_seconds(a.neighbour->result.time_s),
                          lower_name(a.options.traffic.beside),
                          format_seconds(a.neighbour->time_alone_s)));
}

Table links_of(const Answer& a) {
  const Topology& topology = a.setup.network.topology();
  Table table({"link", "from", "to", "class", "bytes", "busy", "utilisation"});
  for (const LinkId link : a.links)
    table.add({fmt::format("{}", link.value()), fmt::format("{}", topology.tail(link).value()),
               fmt::format("{}", topology.head(link).value()), class_of(topology, link),
               fmt::format("{:.0f}", a.result.link_bytes[link.index()]),
               format_seconds(a.result.busy_s(link, a.setup.network)),
               fmt::format("{:.1f}%", 100 * a.result.utilisation(link, a.setup.network))});
  return table;
}

Table ranks_of(const Answer& a) {
  const auto ranks = static_cast<std::size_t>(a.setup.verified.schedule().collective().ranks);
  Table table({"rank", "node", "time"});
  for (std::size_t r = 0; r < ranks; ++r)
    table.add({fmt::format("{}", r),
               fmt::format("{}", a.setup.network.placement().nodes[r].value()),
               format_seconds(a.result.agent_times_s[r])});
  return table;
}

void print_text(const Answer& a, Streams& streams) {
  Facts facts;
  add_setting(a, facts);
  add_times(a, facts);
  add_traffic(a, facts);
  if (a.advice) facts.add("note", text_of(*a.advice));
  if (const std::string note = drawn(a); !note.empty()) facts.add("note", note);
  streams.out << facts.text();
  const Schedule& schedule = a.setup.verified.schedule();
  if (has_paths(schedule)) print_paths(schedule, a.setup.network.topology(), streams);
  const Screen screen = screen_of(streams);
  if (!a.options.links.empty()) streams.out << '\n' << links_of(a).text(screen);
  if (!a.options.series.interval.empty()) streams.out << '\n' << series_table(*a.result.packet);
  if (a.options.ranks) streams.out << '\n' << ranks_of(a).text(screen);
}

Simulated simulate_all(const Options& options, const Case& setup, std::int64_t size_B,
                       simulation::SimulationOptions simulation,
                       const std::shared_ptr<const program::CopyPlan>& copies) {
  PercentBar bar("simulate");
  const double runs = options.traffic.beside.empty() ? 1 : 3;
  double done = 0;
  simulation.progress = [&](double share) { bar.set((done + share) / runs); };
  const Program program = lower(setup.verified, {.size_B = size_B, .copies = copies});
  if (options.traffic.beside.empty())
    return {simulation::simulate(program, setup.network, simulation), std::nullopt};
  const Network network = beside(setup.network, options.common.seed);
  const Verified verified = build(options.traffic.beside, options.algorithm,
                                  setup.verified.schedule().collective(), network, size_B);
  const Program other =
      lower(verified, {.size_B = size_B, .copies = program::plan_copies(verified, network.host())});
  const std::array jobs{simulation::Job{program, setup.network}, simulation::Job{other, network}};
  auto results = simulation::simulate_together(jobs, simulation);
  simulation::SimulationOptions alone = simulation;
  alone.link_statistics = false;
  alone.packet.sample_interval_ps = 0;
  done = 1;
  const double other_s = simulation::simulate(other, network, alone).time_s;
  done = 2;
  const double first_s = simulation::simulate(program, setup.network, alone).time_s;
  return {std::move(results[0]), Neighbour{std::move(results[1]), other_s, first_s}};
}

// What a file says already; segments can be made of any schedule.
void check_from_file(const Given& given, const std::string& file) {
  const auto refuse = [&](const std::string& option) {
    if (given(option.c_str())) reject("'{}' holds a schedule already; leave out {}", file, option);
  };
  for (const char* option : {"--algorithm", "--root"}) refuse(option);
  if (given("--from") || given("--to"))
    reject("'{}' holds a schedule already; leave out --from and --to", file);
  for (const algorithm::Option option : algorithm::kOptions)
    if (option != algorithm::Option::segments) refuse(fmt::format("--{}", name_of(option)));
}

void check(const Given& given, const Options& options) {
  refuse_unused(given, options.simulation, options.network);
  refuse_unused_packets(given, options.simulation);
  if (!given("--alpha") && !given("--alpha-receive"))
    given.refuse({"--alpha-per"}, "where there is no start-up; give one too, such as --alpha 1us");
  if (is_file(options)) check_from_file(given, options.collective.kind);
}

int run(const Options& asked, Streams& streams) {
  Options options = asked;
  require_one_algorithm(options.algorithm.name);
  const std::int64_t size_B = one_size(options.size);
  simulation::SimulationOptions simulation = make_simulation(options.simulation);
  require(options.traffic.beside.empty() || simulation::by_packets(simulation.model),
          "the {} model runs one job at a time; choose packet for a second one",
          name_of(simulation.model));
  if (simulation::by_packets(simulation.model)) {
    simulation.packet = make_packet_options(options.packet, simulation.model,
                                            options.network.routing, options.common.seed);
    options.network = without_packet_routing(options.network);
  }
  simulation.background = make_background(options.traffic);
  apply(options.series, simulation);
  simulation.link_statistics = !options.links.empty();
  const Case setup = make_case(options, size_B);
  fit_routing(simulation.packet, options.network.routing, setup.network);
  const auto copies = program::plan_copies(setup.verified, setup.network.host());
  const Simulated simulated = simulate_all(options, setup, size_B, simulation, copies);
  const auto& [result, neighbour] = simulated;
  const auto links =
      options.links.empty() ? std::vector<LinkId>() : shown_links(options.links, result);
  const bool own_ways = !simulation.packet.routing.empty() &&
                        simulation.packet.routing != setup.network.routing().name();
  const auto advice =
      own_ways ? std::nullopt : advice_on(setup, size_B, copies, simulation, simulated);
  const Answer a{options,           setup,     size_B, program::layout_of(copies), result, links,
                 simulation.packet, neighbour, advice};
  if (!options.series.chart.empty())
    draw_series(*result.packet,
                fmt::format("{} by {}, {}", name_of(setup.verified.schedule().collective().kind),
                            setup.verified.schedule().algorithm(), format_size(size_B)),
                options.series.chart);
  if (options.common.json)
    print(json_of(a), streams);
  else
    print_text(a, streams);
  return kFine;
}

}  // namespace

void add_simulate_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("simulate", "Time a schedule on a network, with contention");
  add_collective_options(*command, options->collective, "schedule");
  command->get_option("schedule")
      ->description("Schedule file (.weft), or a collective with --topology and --algorithm");
  command->add_option("-a,--algorithm,--algorithms", options->algorithm.name,
                      "Algorithm, for a collective");
  command
      ->add_option("--size,--sizes", options->size,
                   "What one call is given; see weft list collectives")
      ->capture_default_str();
  command->add_option("--links", options->links,
                      "Show bytes and utilisation of links: all or top:N");
  command->add_flag("--rank-times", options->ranks, "Show when each rank is done");
  add_simulation_options(*command, options->simulation);
  add_packet_options(*command, options->packet);
  add_series_options(*command, options->series);
  add_traffic_options(*command, options->traffic);
  add_algorithm_parameters(*command, options->algorithm);
  add_network_options(*command, options->network, Need::optional);
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft simulate bruck.weft --size 1MiB --links top:10\n"
      "  weft simulate allreduce -t 2dfc:8x8 -a ring --size 64MiB --sync lockstep");
  on_chosen(*command, options, run, action, check);
}

}  // namespace weft::cli
