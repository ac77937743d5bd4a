// weft simulate: how long a schedule takes on a network, from a file or built on the spot.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/answers/program_simulation.hpp"
#include "cli/answers/simulation_answer.hpp"
#include "cli/commands/commands.hpp"
#include "cli/foreign/collective_file.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/machine/sum_note.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/release_note.hpp"
#include "cli/options/smpi_note.hpp"
#include "cli/screen/percent_bar.hpp"
#include "cli/together/together_answer.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/fields/members.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::cli {

namespace {

SimulationCase from_file(const SimulationQuestion& options, std::int64_t size_B) {
  const std::string file = options.said.text("collective");
  const Verified verified =
      *options.foreign ? schedule_of(**options.foreign, file) : load_verified(file);
  Network network =
      make_network(options.said, options.common.seed, &verified.schedule(), name_of_file(file));
  const Collective& collective = verified.schedule().collective();
  require_used(options.said, collective);
  auto counts = counts_of(options.counts, collective, options.common.seed);
  size_B = size_with_counts(options.counts, counts, collective, size_B);
  const auto segments =
      algorithm::kSegments.given(fields::algorithm_options_in(options.said.values));
  return {segments ? verified.with_segments(*segments) : verified, std::move(network), size_B,
          std::move(counts)};
}

Verified build(const std::string& name, const GivenFields& said, const Collective& collective,
               const Network& network, std::int64_t size_B,
               const std::optional<advise::Counts>& counts) {
  return evaluate::schedule_for_size(
      name, collective, network, fields::algorithm_options_in(said.values), size_B,
      fields::simulation_options_in(said.values), counts ? counts->blocks : nullptr);
}

// A library's name becomes ours.
SimulationCase from_collective(SimulationQuestion& options, std::int64_t size_B, Streams& streams) {
  require(options.said.of("topology"), "a collective needs a network; give --topology");
  require(!options.algorithm.empty(),
          "a collective needs an algorithm; give --algorithm, or use weft compare");
  Network network = make_network(options.said, options.common.seed);
  (void)advise::kind_scheduled_for(options.said.text("collective"));  // its refusal has all names
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  streams.notes->add(NoteWeight::detail, take_from_library(options.library, collective,
                                                           options.algorithm, options.said));
  auto counts = counts_of(options.counts, collective, options.common.seed);
  size_B = size_with_counts(options.counts, counts, collective, size_B);
  Verified verified = build(options.algorithm, options.said, collective, network, size_B, counts);
  return {std::move(verified), std::move(network), size_B, std::move(counts)};
}

// A name of a collective builds one; anything else is a file.
bool is_file(const SimulationQuestion& options) {
  const std::string what = options.said.text("collective");
  return std::string_view(what) == "-" || what.find('/') != std::string::npos ||
         what.ends_with(".weft") || what.ends_with(".xml") || what.ends_with(".json") ||
         (!options.said.of("topology") && is_there(what));
}

SimulationCase make_case(SimulationQuestion& options, std::int64_t size_B, Streams& streams) {
  return is_file(options) ? from_file(options, size_B) : from_collective(options, size_B, streams);
}

// The links to show, busiest first.
std::vector<LinkId> shown_links(const std::string& which,
                                const simulation::SimulationResult& result) {
  std::vector<LinkId> links;
  for (std::size_t l = 0; l < result.link_bytes.size(); ++l) links.emplace_back(l);
  if (which == "all") return links;
  require(which.starts_with("top:"), "invalid --links value '{}' (expected 'all' or 'top:N')",
          which);
  const auto count = number_in<std::int64_t>(std::string_view(which).substr(4)).value_or(0);
  require(count > 0, "invalid --links value '{}' (expected 'all' or 'top:N' with N of at least 1)",
          which);
  std::stable_sort(links.begin(), links.end(), [&](LinkId a, LinkId b) {
    return result.link_bytes[a.index()] > result.link_bytes[b.index()];
  });
  if (links.size() > static_cast<std::size_t>(count)) links.resize(count);
  return links;
}

bool share_hosts(const Network& network) {
  std::vector<NodeId> hosts = network.placement().nodes;
  std::ranges::sort(hosts);
  return std::ranges::adjacent_find(hosts) != hosts.end();
}

struct Simulated {
  simulation::SimulationResult result;
  std::optional<Neighbour> neighbour;
};

// By what links carried where that was counted: packets may find their own ways.
std::vector<NodeId> hosts_that_forward(const SimulationCase& setup,
                                       const simulation::SimulationResult& result) {
  if (result.link_bytes.empty()) return evaluate::forwarding_hosts(setup.verified, setup.network);
  return evaluate::forwarding_hosts(
      setup.network, [&](LinkId link) { return result.link_bytes[link.index()] > 0; });
}

// Of the job alone.
std::optional<advise::RoutingAdvice> advice_on(
    const GivenFields& said, const SimulationCase& setup,
    const std::shared_ptr<const program::CopyPlan>& copies,
    const simulation::SimulationOptions& simulation, const Simulated& simulated) {
  if (setup.counts) return std::nullopt;  // it judges by blocks of one size
  const auto note = schedule::routing_note(setup.verified.schedule(), setup.network);
  if (!note) return std::nullopt;
  std::optional<double> time_s = simulated.result.time_s;
  if (fields::calls_in(said.values) > 1) time_s.reset();  // it judges one call
  return advise::advise(
      *note,
      {.verified = setup.verified, .copies = copies, .size_B = setup.size_B, .time_s = time_s},
      setup.network, simulation);
}

Simulated simulate_all(const SimulationQuestion& options, const SimulationCase& setup,
                       simulation::SimulationOptions simulation,
                       const std::shared_ptr<const program::CopyPlan>& copies) {
  PercentBar bar("simulate");
  const double runs = options.beside.empty() ? 1 : 3;
  double done = 0;
  simulation.progress = [&](double share) { bar.set((done + share) / runs); };
  const std::int32_t calls = fields::calls_in(options.said.values);
  const Program program = repeat(setup.program_of(setup.verified, copies), calls);
  if (options.beside.empty())
    return {simulation::simulate(program, setup.network, simulation), std::nullopt};
  const Network network = beside(setup.network, options.common.seed);
  const Verified verified =
      build(options.beside, options.said, setup.verified.schedule().collective(), network,
            setup.size_B, setup.counts);
  const Program other =
      repeat(setup.program_of(verified, program::plan_copies(verified, network.host())), calls);
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

std::optional<SeedSpread> spread_of(const SimulationQuestion& options, const SimulationCase& setup,
                                    const simulation::SimulationOptions& simulation,
                                    const std::shared_ptr<const program::CopyPlan>& copies) {
  if (options.seeds == 1) return std::nullopt;
  const Program program =
      repeat(setup.program_of(setup.verified, copies), fields::calls_in(options.said.values));
  return spread_over_seeds(program, setup.network, simulation, options.common.seed, options.seeds);
}

// What a file says already; segments can be made of any schedule.
void check_from_file(const Given& given, const std::string& file) {
  const auto refuse = [&](const std::string& option) {
    if (given(option)) reject("'{}' already is a schedule; leave out {}", file, option);
  };
  for (const std::string& option : all_of({{"--algorithm", "--library", "--root"}, job_options()}))
    refuse(option);
  if (given("--from") || given("--to"))
    reject("'{}' already is a schedule; leave out --from and --to", file);
  for (const algorithm::Option& option : algorithm::options())
    if (option.name != algorithm::kSegments.name) refuse(fmt::format("--{}", option.name));
}

// The program that a file holds; a file of another system was read before, by check().
std::optional<Program> program_of(const SimulationQuestion& options) {
  if (!is_file(options)) return std::nullopt;
  if (!*options.foreign) return program_in(options.said.text("collective"));
  const auto* const program = std::get_if<Program>(&(*options.foreign)->outcome);
  return program == nullptr ? std::nullopt : std::optional(*program);
}

void check(const Given& given, const SimulationQuestion& options) {
  const GivenFields said = with_model_of_router(options.said);
  refuse_unused(given, said);
  refuse_unused_packets(given, said);
  HostParameters host;
  fields::set_members(host, fields::host_members(), options.said.values);
  if (network::startups_ps(host) == 0)
    given.refuse({"--alpha-per"}, "without a start-up; give one too, such as --alpha 1us");
  check_job(given, options.said);
  if (!options.together.empty()) return check_together(given);
  require(options.said.of("collective"),
          "SCHEDULE is required; see weft simulate --help, or give --together FILE");
  if (!is_file(options)) return;
  const std::string file = options.said.text("collective");
  if (program_in(file)) return check_program(given, file);
  if (file != "-" && is_regular_file(file))
    *options.foreign = collective_in(read_file(file), file, one_size(options.size));
  if (program_of(options)) return check_program(given, file, SizeOf::option);
  check_from_file(given, file);
}

int run(const SimulationQuestion& asked, Streams& streams) {
  SimulationQuestion options = asked;
  options.said = with_model_of_router(asked.said);
  require_one_algorithm(options.algorithm);
  const std::int64_t asked_B = one_size(options.size);
  simulation::SimulationOptions simulation = make_simulation(options.said, options.common.seed);
  require(options.beside.empty() || simulation::by_packets(simulation.model),
          "the {} model supports one job; use --model packet for a second one",
          name_of(simulation.model));
  if (simulation::by_packets(simulation.model)) options.said = without_packet_routing(options.said);
  require(options.beside.empty() || options.seeds == 1,
          "--seeds {} needs a single job; leave out --beside", options.seeds);
  apply(options.series, simulation);
  simulation.link_statistics = !options.links.empty();
  const auto choose = [&](const auto& result) { return shown_links(options.links, result); };
  if (!options.together.empty()) return simulate_calls(options, simulation, streams, choose);
  if (*options.foreign) streams.notes->add(NoteWeight::doubt, (*options.foreign)->size_note);
  if (const auto program = program_of(options)) {
    if (*options.foreign)
      streams.notes->add(NoteWeight::detail,
                         fmt::format("the file is simulated as a program, not as a schedule: {}",
                                     (*options.foreign)->note));
    return simulate_program(options, *program, simulation, streams, choose);
  }
  const SimulationCase setup = make_case(options, asked_B, streams);
  const std::int64_t size_B = setup.size_B;
  streams.notes->add(NoteWeight::assumption, idle_seed_note(options.counts, setup.counts));
  require(
      !options.said.by_user("loopback") || !simulation.call.loopback || share_hosts(setup.network),
      "--loopback has no effect unless two ranks share a host; leave it out, or place "
      "ranks with --placement file:PATH");
  fit_routing(simulation.packet, options.said, setup.network);
  const auto copies = program::plan_copies(setup.verified, setup.network.host());
  const std::array sent{
      fields::SentAt{size_B, setup.counts ? message_sizes(setup.program_of(setup.verified, copies))
                                          : message_sizes(setup.verified.schedule(), size_B)}};
  add_machine_notes(options.said, setup.network.topology(), sent, *streams.notes);
  streams.notes->add(NoteWeight::assumption, release_note(options.said, setup.network));
  streams.notes->add(NoteWeight::doubt, smpi_note(options.said));
  const bool own_ways = !simulation.packet.routing.empty() &&
                        simulation.packet.routing != setup.network.routing().name();
  if (own_ways && !evaluate::idle_relays(setup.network).empty()) simulation.link_statistics = true;
  const Simulated simulated = simulate_all(options, setup, simulation, copies);
  const auto& [result, neighbour] = simulated;
  const auto links =
      options.links.empty() ? std::vector<LinkId>() : shown_links(options.links, result);
  const std::vector<NodeId> forwarding = hosts_that_forward(setup, result);
  streams.notes->add(NoteWeight::doubt,
                     evaluate::note_of_forwarding(setup.verified.schedule().algorithm(), forwarding,
                                                  setup.network));
  const auto advice =
      own_ways ? std::nullopt : advice_on(options.said, setup, copies, simulation, simulated);
  const auto spread = spread_of(options, setup, simulation, copies);
  const SimulationAnswer a{options,
                           setup,
                           size_B,
                           program::layout_of(copies),
                           result,
                           links,
                           simulation.packet,
                           neighbour,
                           advice,
                           forwarding,
                           spread};
  add_routing_notes(a, *streams.notes);
  streams.notes->add(NoteWeight::assumption, sum_note(a));
  if (!options.series.chart.empty())
    draw_series(*result.packet,
                fmt::format("{} by {}, {}",
                            collective_name(setup.verified.schedule().collective(), setup.counts),
                            setup.verified.schedule().algorithm(), format_size(size_B)),
                options.series.chart);
  if (options.common.json)
    print_json("simulate", a, simulation_parts(), options.common, streams);
  else
    print_text(a, streams);
  return kFine;
}

}  // namespace

void add_simulate_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<SimulationQuestion>();
  const Command command = program.add_command(
      "simulate", "Predict the time of one schedule or algorithm on a network, with contention");
  const OptionAdder add(command);
  // Not required: --together takes none.
  add_collective_options(command, options->said, "schedule", Need::optional);
  command.option("schedule")
      .description("Schedule file (.weft, MSCCL XML), or a collective with -t and -a");
  add("-a,--algorithm,--algorithms", options->algorithm,
      "Algorithm of a collective, such as ring; see weft list algorithms");
  add_library_option(command, options->library);
  add("--size,--sizes", options->size,
      "Size of one call, such as 64MiB; see weft list collectives");
  add_counts_option(command, options->said, options->counts, "--size");
  add_job_options(add, options->said);
  add("--together", options->together,
      "TOML file of collectives that share the network; each [[call]] has ranks, collective, size, "
      "and optionally algorithm, start and after [none]");
  add("--links", options->links, "Links to print with bytes and utilisation: all or top:N [none]");
  add.flag("--rank-times", options->ranks, "Print the time at which each rank is done");
  add("--seeds", options->seeds,
      "Number of seeds for random paths, such as those of ecmp; prints median and 95th percentile, "
      "next to even and adaptive routing")
      .range(1, 1 << 20);
  add_simulation_options(command, options->said);
  add_call_options(command, options->said);
  add_packet_options(command, options->said);
  add_series_options(command, options->series);
  add_traffic_options(command, options->said, options->beside);
  add_algorithm_parameters(command, options->said, &options->algorithm);
  options->said.has_default_machine = true;
  add_network_options(command, options->said, Need::optional);
  add_output_options(command, options->common);
  command.most_used({"--algorithm", "--size", "--model", "--link", "--machine"});
  command.advanced({"--root", "--from", "--to", "--library", "--counts", "--calls", "--seeds"});
  command.footer(
      "Examples:\n"
      "  # How long does an allreduce of 64 MiB take, and which links are busiest?\n"
      "  weft simulate allreduce -t 2dfc:8x8 -a ring --size 64MiB --links top:10\n"
      "  # How long does a saved schedule take, packet by packet?\n"
      "  weft schedule alltoall -t kautz:4,2 -a bruck -o bruck.weft\n"
      "  weft simulate bruck.weft --size 64KiB --model packet\n"
      "  # How much do collectives that share a network slow each other down?\n"
      "  weft simulate --together examples/together.toml -t \"boxes(2, network:dgx-1)\"");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
