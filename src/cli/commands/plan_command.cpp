// weft plan: which schedule runs at which size, in a file that MPI processes run; weft plan show
// and weft plan check read it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/link_origins.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/options.hpp"
#include "cli/options/packet_options.hpp"
#include "cli/options/release_note.hpp"
#include "cli/plan/left_out.hpp"
#include "cli/plan/plan_answer.hpp"
#include "cli/plan/plan_counts.hpp"
#include "weft/advise/plan/plan_choice.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/physical_limit.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

struct PlanCommand {
  std::vector<std::string> what;  // nothing | show FILE | check FILE
  GivenFields said;
  std::string collectives = "all", algorithms, sizes = "64B:64MiB", roots = "0", measured, output;
  PlanCounts counts;
  bool allow_different_bits = false, any_hosts = false;
  OutputOptions common;
};

void check(const Given& given, const PlanCommand& options) {
  if (options.what.empty()) {
    require(options.said.of("topology"),
            "--topology is required; see weft plan --help, or weft plan show FILE to read a plan");
    require(!options.output.empty(), "the plan needs a file; give -o FILE");
    require(options.output != "-", "a plan cannot be written to standard output; give -o FILE");
    require(options.roots == "0" || options.roots == "all",
            "invalid --roots value {} (expected 0 or all)", options.roots);
    check_counts(options.counts, advise::planned_names(options.collectives));
    check_job(given, options.said);
    return refuse_unused(given, options.said);
  }
  require(options.what.size() == 2 && (options.what[0] == "show" || options.what[0] == "check"),
          "unknown 'weft plan {}'; write weft plan show FILE or weft plan check FILE, or -t "
          "TOPOLOGY -o FILE to make a plan",
          fmt::join(options.what, " "));
  given.refuse(
      all_of({{"--topology", "--collectives", "--algorithms", "--sizes", "--roots", "--counts",
               "--measured", "--output", "--allow-different-bits", "--any-hosts"},
              job_options(),
              {"--link", "--routing"},
              placing_options(),
              {"--names", "--machine"},
              host_options(),
              {"--model"}}),
      "on an existing plan; leave it out");
}

// Of the files of --measured, separated by commas.
advise::NativeTimes measured_in(const std::string& files, std::int32_t ranks,
                                const std::vector<CollectiveKind>& planned) {
  if (files.empty()) return {};
  std::vector<advise::MeasuredFile> read;
  for (const std::string_view name : split(files, ',')) {
    const std::string file(name);
    read.push_back({file, calibrate::read_measured_tables(read_file(file), file)});
  }
  return advise::native_times(std::move(read), ranks, planned);
}

// Refuses times that the stated speeds of the network rule out. Those of a machine file are fits,
// and ranks of one host meet in its memory; both bound nothing.
void refuse_faster(const PlanCommand& options, const Network& network,
                   const advise::NativeTimes& native) {
  if (native.tables.empty() || has_several_ranks(options.said) || options.said.names_machine())
    return;
  const fields::NetworkSpec spec = fields::network_in(options.said.values);
  const Fabric fabric(calibrate::with_open_speeds(build_topology(spec.topology)), spec.links);
  const Network limits(fabric, network.placement(), network.host(),
                       make_routing(network.routing().name(), fabric));
  std::vector<calibrate::PlacedTable> tables;
  for (const calibrate::MeasuredTable& table : native.tables)
    tables.push_back({table, network.placement().nodes});
  if (const auto wrong = calibrate::faster_than_network(tables, limits)) reject("{}", *wrong);
}

// What else was said of the network and its hosts, as it can be typed again.
std::string other_options(const PlanCommand& options) {
  std::vector<std::string> words;
  for (const auto& [field, value] : options.said.values)
    if (options.said.by_user(field) && !is_of_job(field) &&
        !std::ranges::count(std::array{"topology", "link", "alpha", "routing", "model", "hosts"},
                            field))
      words.push_back(fmt::format("--{} {}", field, options.said.own_text(field)));
  words.push_back("--machine " + machine_name(options.said));
  for (const std::string& word : job_words(options.said)) words.push_back(word);
  return fmt::format("{}", fmt::join(words, " "));
}

// Of all schedules, in increasing order.
std::vector<NodeId> forwarding_hosts(const advise::ChosenPlan& chosen) {
  std::vector<NodeId> hosts;
  for (const std::vector<NodeId>& each : chosen.forwarding_hosts)
    hosts.insert(hosts.end(), each.begin(), each.end());
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

std::string note_of_forwarding(const advise::ChosenPlan& chosen, const Network& network) {
  std::vector<evaluate::Forwarded> all;
  for (std::size_t i = 0; i < chosen.plan.schedules.size(); ++i) {
    const plan::PlannedSchedule& planned = chosen.plan.schedules[i];
    all.push_back({fmt::format("{} of {}", planned.algorithm, name_of(planned.collective.kind)),
                   chosen.forwarding_hosts[i]});
  }
  return evaluate::note_of_forwarding(all, network);
}

// What the file says to people of the network, ahead of ranks and ranges.
std::vector<std::pair<std::string, std::string>> facts_of(
    const PlanCommand& options, const Network& network, const advise::ChosenPlan& chosen,
    const std::vector<advise::UnequalCalls>& unequal) {
  std::vector<std::pair<std::string, std::string>> facts{
      {"topology", network.topology().name()},
      {"topology-hash", fmt::format("{:016x}", network.topology().hash())},
      {"alpha", options.said.text("alpha")},
      {"routing", std::string(network.routing().name())},
      {"model", options.said.text("model")}};
  if (const auto links = link_texts(options.said); !links.empty())
    facts.emplace(facts.begin() + 2, "link", fmt::format("{}", fmt::join(links, ";")));
  if (options.counts.is_given()) {
    facts.emplace_back("counts", fmt::format("{}", fmt::join(options.counts.texts, ";")));
    if (std::ranges::any_of(unequal, [](const auto& calls) { return calls.counts.is_drawn; }))
      facts.emplace_back("seed", fmt::format("{}", options.common.seed));
  }
  if (const std::string others = other_options(options); !others.empty())
    facts.emplace_back("options", others);
  if (!chosen.left_out.empty()) facts.emplace_back("left-out", left_out_text(chosen.left_out));
  if (const auto hosts = forwarding_hosts(chosen); !hosts.empty())
    facts.emplace_back("forwarding-hosts",
                       topology::hosts_text(topology::host_numbers(network.topology(), hosts)));
  return facts;
}

int make(const PlanCommand& options, Streams& streams) {
  std::vector<std::int64_t> sizes_B = sizes_above_0(options.sizes);
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  const Network network = make_network(options.said, options.common.seed);
  simulation::SimulationOptions simulation = make_simulation(options.said, options.common.seed);
  fit_routing(simulation.packet, options.said, network);
  add_machine_notes(options.said, network.topology(), {}, *streams.notes);
  streams.notes->add(NoteWeight::assumption, release_note(options.said, network));
  const advise::PlannedNames names = advise::planned_names(options.collectives);
  const std::vector<advise::UnequalCalls> unequal =
      unequal_calls(options.counts, names, network.ranks(), sizes_B, options.common.seed);
  advise::NativeTimes native = measured_in(options.measured, network.ranks(), names.equal);
  refuse_faster(options, network, native);
  advise::ChosenPlan chosen =
      advise::choose_plan(network, {.collectives = names.equal,
                                    .unequal = unequal,
                                    .sizes_B = std::move(sizes_B),
                                    .algorithms = evaluate::algorithms_in(options.algorithms),
                                    .algorithm = fields::algorithm_options_in(options.said.values),
                                    .simulation = std::move(simulation),
                                    .native = std::move(native.tables),
                                    .all_roots = options.roots == "all",
                                    .allows_different_bits = options.allow_different_bits});
  std::vector<std::string> remarks = std::move(native.remarks);
  std::ranges::move(chosen.remarks, std::back_inserter(remarks));
  if (network::startups_ps(network.host()) == 0)
    remarks.push_back(
        "the start-up of a message is 0s here, but about 1us under an MPI; give --alpha, or "
        "--machine "
        "with a file that weft calibrate wrote");
  const auto of_counts = notes_of_counts(options.counts, unequal, options.common.seed);
  remarks.insert(remarks.begin(), of_counts.begin(), of_counts.end());
  if (options.any_hosts) chosen.plan.hosts.clear();
  chosen.plan.facts = facts_of(options, network, chosen, unequal);
  streams.notes->add(NoteWeight::incomplete, notes_of(chosen.left_out));
  streams.notes->add(NoteWeight::doubt, note_of_forwarding(chosen, network));
  streams.notes->add(NoteWeight::assumption, remarks);
  const std::string bytes = plan::encode(chosen.plan);
  write_file(options.output, bytes);
  if (options.common.json) {
    const MadePlan made{network,
                        options.said,
                        chosen,
                        options.output,
                        bytes.size(),
                        remarks,
                        forwarding_hosts(chosen)};
    print_json("plan", made, made_plan_parts(), options.common, streams);
    return kFine;
  }
  streams.out << table_of(chosen.plan).text(screen_of(streams));
  if (options.common.quiet) return kFine;
  streams.err << fmt::format("wrote {}: {}, {}\n", options.output,
                             counted(std::ssize(chosen.plan.schedules), "schedule"),
                             format_size(static_cast<std::int64_t>(bytes.size())));
  return kFine;
}

int run(const PlanCommand& options, Streams& streams) {
  if (options.what.empty()) return make(options, streams);
  const plan::Plan plan = plan::read_plan(options.what[1]);
  const ReadPlan read{plan, options.what[1]};
  return options.what[0] == "show" ? show_plan(read, options.common, streams)
                                   : check_plan(read, options.common, streams);
}

}  // namespace

void add_plan_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<PlanCommand>();
  const Command command = program.add_command(
      "plan", "Choose the schedules that MPI programs run on a network, and write them to a plan");
  const OptionAdder add(command);
  add("what", options->what, "Action on an existing plan: show FILE or check FILE [make a plan]");
  add("--collectives", options->collectives, "Collectives, comma-separated");
  add("-a,--algorithms", options->algorithms,
      "Candidate algorithms, comma-separated [all that apply]");
  add("--sizes", options->sizes,
      "Sizes at which algorithms are compared; crossovers between them are searched");
  add("--roots", options->roots, "Roots for which rooted collectives get schedules: 0 or all");
  add_plan_counts(command, options->said, options->counts);
  add_job_options(add, options->said);
  add("--measured", options->measured,
      "Files of the MPI's own times from weft-bench, comma-separated; the MPI keeps the sizes at "
      "which it is faster [none]");
  add.flag("--allow-different-bits", options->allow_different_bits,
           "Allow floating-point allreduces whose results differ in rounding from rank to rank");
  add.flag("--any-hosts", options->any_hosts,
           "Leave host names out of the plan; rank i then is on node i of the network");
  add.output("-o,--output", options->output,
             "File for the plan [required, except with show and check]");
  add_simulation_options(command, options->said);
  add_algorithm_parameters(command, options->said, &options->algorithms);
  options->said.has_default_machine = true;
  add_network_options(command, options->said, Need::optional);
  add_output_options(command, options->common);
  command.most_used({"--collectives", "--sizes", "--link", "--machine", "--output"});
  command.advanced({"--roots", "--counts", "--allow-different-bits", "--any-hosts"});
  command.footer(
      "Examples:\n"
      "  # Choose the schedules for a cluster\n"
      "  weft plan --topology 2dfc:4x4 --link 100Gbps,1us --collectives all -o cluster.plan\n"
      "  # Which schedule runs at which size?\n"
      "  weft plan show cluster.plan\n"
      "  # Choose allreduces for a job on eight hosts\n"
      "  weft plan -t torus:4x4 --hosts 0-7 --collectives allreduce --sizes 1KiB:1MiB -o job.plan\n"
      "  # Choose the schedule of an allgatherv whose blocks have the bytes in counts.txt\n"
      "  weft plan -t ring:4 --collectives allgatherv --counts counts.txt -o job.plan\n"
      "  # The same with an alltoallv, whose blocks have other sizes\n"
      "  weft plan -t ring:4 --collectives alltoallv,allgatherv --counts alltoallv=zipf:1.2 \\\n"
      "    --counts allgatherv=counts.txt --sizes 64KiB -o job.plan\n"
      "  # Is a plan intact?\n"
      "  weft plan check job.plan");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
