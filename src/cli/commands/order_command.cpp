// weft order COLLECTIVE: on which host each rank should run.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "cli/answers/parts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "cli/order/order_answer.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/format/host_order.hpp"
#include "weft/order/order_advice.hpp"
#include "weft/order/order_mix.hpp"
#include "weft/search/order.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

using order::MixEntry;
using order::OrderChoice;
using order::OrderQuestion;
using order::OrderSearch;
using order::OrderStudy;

// What was asked for and would do nothing. Throws InvalidInput.
void require_effect(const GivenFields& said, const OrderSearch& asked) {
  const auto method = asked.options(0).method;
  for (const char* name :
       {"objective", "judge", "attempts", "time-limit", "restarts", "moves", "root"})
    require(!said.of(name) || method != search::OrderMethod::none,
            "--{} has no effect with --search none; leave one of them out", name);
  require(!said.of("moves") || method == search::OrderMethod::two_opt,
          "--moves has no effect with --search {}, which chooses its own moves; add --search "
          "two-opt, or leave it out",
          name_of(method));
  require(asked.judge == order::OrderJudge::time || asked.objective,
          "--judge objective has no effect without one objective; add --objective hops, "
          "makespan or time, or leave it out");
}

OrderSearch search_of(const OrderOptions& options) {
  GivenFields said = options.said;
  if (lower(said.text("objective")) == "auto") said.values.erase("objective");
  OrderSearch asked;
  set_members(asked, order::order_members(), said.values);
  require(!said.of("time-limit") || asked.time_limit_ps > 0,
          "invalid --time-limit 0 (expected 1s or more)");
  require_effect(said, asked);
  return asked;
}

/// All hosts, switch delays in the latencies of links.
Network make_switched(const OrderOptions& options, const OrderSearch& asked) {
  GivenFields all = options.said;
  for (const auto& [field, set] : fields::placing_members())
    all.values.erase(std::string(field->name));
  all.values.try_emplace("alpha-per", std::string("message"));  // under every model
  return order::switched_network(make_network(all, options.common.seed), asked.switch_delay_ps,
                                 options.said.text("routing"), options.common.seed);
}

OrderQuestion question_of(const OrderOptions& options, const OrderSearch& asked,
                          const MixEntry& entry, const Topology& topology) {
  OrderQuestion question{.collective = entry.collective,
                         .options = fields::algorithm_options_in(options.said.values),
                         .size_B = entry.size_B,
                         .ranks = fields::placing_in(options.said.values).ranks,
                         .start = asked.first_order(options.common.seed),
                         .simulation = fields::simulation_options_in(options.said.values)};
  question.start.hosts = hosts_of(options.said, topology);
  order::read_start(question, topology);
  return question;
}

/// The collectives that one order is wanted for: those of the mix, or the one that was named.
std::vector<MixEntry> entries_of(const OrderOptions& options) {
  const auto collective = schedule::parse_collective(options.said.text("collective"));
  if (options.mix.empty()) return {{collective, one_size(options.size), 1, options.size}};
  std::vector<MixEntry> entries = order::parse_mix(options.mix);
  require(std::ranges::find(entries, collective, &MixEntry::collective) != entries.end(),
          "{} is not in the mix {}; name a collective of the mix, or add it there",
          name_of(collective), options.mix);
  return entries;
}

using OrderHosts = std::shared_ptr<const search::OrderNetwork>;

// What is timed beside the order that is asked for has a third of the time that is left.
TimeLimit::End part_of_limit() {
  const TimeLimit::End end = TimeLimit::current();
  if (!end) return end;
  const TimeLimit::Clock::time_point now = TimeLimit::Clock::now();
  return now + std::max(*end - now, TimeLimit::Clock::duration::zero()) / 3;
}

OrderChoice others_timed(OrderChoice choice, const Network& network, const OrderQuestion& question,
                         const OrderHosts& hosts, search::RootHost root) {
  try {
    const OrderChoice others = order::choose_algorithm(network, question, hosts, root);
    choice.timed = others.timed;
    choice.out_of_time = others.out_of_time;
  } catch (const OutOfTime&) {
    choice.out_of_time = true;
  }
  return choice;
}

/// With the algorithm that was asked for, else with the fastest. What else there is is timed too,
/// if ranks are not too many, so that a better one is named.
OrderCall call_of(const OrderOptions& options, const OrderSearch& asked, const MixEntry& entry,
                  const Network& network, const OrderHosts& hosts) {
  OrderQuestion question = question_of(options, asked, entry, network.topology());
  const bool chosen = lower(options.algorithm) == "auto";
  OrderChoice choice{question, {}};
  if (chosen)
    choice = order::choose_algorithm(network, question, hosts, asked.root);
  else
    choice.question.algorithm = algorithm::find_algorithm(options.algorithm, entry.collective).name;
  auto study = std::make_unique<const OrderStudy>(network, choice.question, hosts);
  require_used(options.said, {entry.collective, study->ranks()});
  if (!chosen && study->ranks() <= evaluate::kMostRanksOfAll)
    choice = others_timed(std::move(choice), network, question, hosts, asked.root);
  OrderCall call{std::move(choice), chosen, std::move(study), entry.size_text, entry.calls};
  const TimeLimit limit(part_of_limit());
  call.alternatives = order::following_algorithms(*call.study);
  call.out_of_time = call.choice.out_of_time || TimeLimit::has_passed();
  return call;
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
  std::vector<const algorithm::Algorithm*> run;
  const auto add = [&](const auto& other) {
    run.push_back(&algorithm::find_algorithm(other.algorithm));
  };
  std::ranges::for_each(a.baselines, add);
  for (const OrderCall& call : a.calls) {
    run.push_back(&algorithm::find_algorithm(call.algorithm()));
    if (call.chosen) std::ranges::for_each(call.choice.timed, add);
    std::ranges::for_each(call.alternatives, add);
  }
  const Network there = a.study().network_at(a.study().start());
  const OrderQuestion& question = a.calls.front().choice.question;
  algorithm::require_taken(run,
                           {{question.collective, a.study().ranks()}, &there, question.options});
}

// What a mix, a launcher's file and an order on standard output go with.
void require_together(const Given& given, const OrderOptions& options) {
  if (!options.mix.empty())
    for (const char* name : {"--size", "--algorithm", "--baseline", "--objective"})
      require(!given(name),
              "{} sets one collective, but --mix {} has its own; leave one of them out", name,
              options.mix);
  require(options.launcher.empty() || !options.output.empty(),
          "--write {} needs a file; add -o FILE (- for standard output)", options.launcher);
  if (options.output == "-")
    given.refuse({"--json"},
                 "with -o - (the order is the answer); name a file, or leave one of them out");
}

// Before a search that may take minutes.
void require_names(const Topology& topology, const GivenFields& said) {
  for (const NodeId host : topology.hosts())
    require(!name_of(topology, host).empty(),
            "host {} of {} has no name for a launcher; name the hosts with --names FILE or "
            "--names node[001-016]",
            host.value(), topology.name());
  std::vector<std::int32_t> taken = hosts_of(said, topology);
  if (taken.empty()) {
    taken.resize(topology.hosts().size());
    std::iota(taken.begin(), taken.end(), 0);
  }
  for (const std::int32_t host : taken)
    format::require_host_name(fmt::format("host {} of {}", host, topology.name()),
                              name_of(topology, topology.hosts()[host]));
}

std::string order_text(const OrderAnswer& a) {
  if (a.options.launcher.empty()) return placement_text(a);
  return format::host_order_text(format::parse_launcher(a.options.launcher), a.host_names());
}

// How to run with the file. torchrun orders the GPUs of a host by their numbers, and binds nobody
// to cores, which names do not tell from GPUs.
std::string launch_text(const OrderAnswer& a, const std::string& written) {
  std::string text = fmt::format(
      "run it with: {}\n", format::launch_command(format::parse_launcher(a.options.launcher),
                                                  a.options.output, a.advice.found().order.size()));
  if (written.find("CUDA_VISIBLE_DEVICES") != std::string::npos)
    text +=
        "the numbers of hosts' slots are taken for those of GPUs; where they are cores, use "
        "--write openmpi-rankfile\n";
  return text;
}

std::string time_note(const OrderAnswer& a) {
  const bool some_algorithms = std::ranges::any_of(a.calls, &OrderCall::out_of_time);
  if (!some_algorithms && !a.advice.out_of_time) return "";
  return fmt::format("the time limit ended before all {} were timed; give a longer --time-limit",
                     !a.advice.out_of_time ? "algorithms"
                     : some_algorithms     ? "algorithms and orders"
                                           : "orders");
}

int run(const OrderOptions& options, Streams& streams) {
  require_one_algorithm(options.algorithm);
  if (!options.launcher.empty()) format::parse_launcher(options.launcher);
  const OrderSearch asked = search_of(options);
  const std::vector<MixEntry> entries = entries_of(options);
  std::optional<TimeLimit> limit;
  if (asked.time_limit_ps > 0)
    limit.emplace(static_cast<double>(asked.time_limit_ps) * kSecondsPerPicosecond);
  const Network network = make_switched(options, asked);
  if (!options.launcher.empty()) require_names(network.topology(), options.said);
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  OrderAnswer found{options, asked, network, {}};
  std::vector<order::OrderPart> mix;
  std::vector<fields::SentAt> sent;
  for (const MixEntry& entry : entries) {
    found.calls.push_back(call_of(options, asked, entry, network, hosts));
    mix.push_back({found.calls.back().study.get(), entry.calls});
    sent.push_back({entry.size_B, found.calls.back().study->messages()});
  }
  add_machine_notes(options.said, network.topology(), sent, *streams.notes);
  for (const std::string& name : options.baselines) {
    OrderQuestion question = found.calls.front().choice.question;
    question.algorithm = algorithm::find_algorithm(name).name;
    const OrderStudy other(network, question, hosts);
    found.baselines.push_back({question.algorithm, other.cost(other.start())});
  }
  require_options_taken(found);
  found.advice = order::advise_order(mix, {.objective = asked.objective,
                                           .judge = asked.judge,
                                           .search = asked.options(options.common.seed),
                                           .attempts = asked.attempts});
  if (const auto by_name = found.study().start_by_name()) try {
      found.launcher_s = order::cost_of(mix, *by_name).time_s;
    } catch (const OutOfTime&) {  // an aside
    }
  limit.reset();
  streams.notes->add(NoteWeight::incomplete, time_note(found));
  const std::string written = options.output.empty() ? "" : order_text(found);
  if (!options.output.empty()) write_file(options.output, written);
  if (options.output == "-") {  // the order is the answer
    if (!options.common.quiet) streams.err << headline(found) << verdict(found);
    return kFine;
  }
  if (options.common.json)
    print_json("order", found, found.is_mix() ? order_mix_parts() : order_parts(), options.common,
               streams);
  else
    print_table(found, streams);
  if (!options.launcher.empty() && !options.common.json && !options.common.quiet)
    streams.out << launch_text(found, written);
  return kFine;
}

}  // namespace

void add_order_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<OrderOptions>();
  const Command command =
      program.add_command("order", "Search the host for each rank that makes collectives fastest");
  const OptionAdder add(command);
  add.field(options->said, *fields::collective_members().front().field, "collective").required();
  add("-a,--algorithm,--algorithms", options->algorithm,
      "Algorithm to order ranks for, compared with those made for the network; auto: the fastest "
      "in the first order");
  add.repeated("--baseline", options->baselines,
               "Further algorithm to print in the first order; repeatable [none]");
  add("--size,--sizes", options->size,
      "Size of one call, such as 64MiB; see weft list collectives");
  add("--mix", options->mix,
      "Collectives that share one order: COLLECTIVE:SIZE[:CALLS],...; the time of all calls is "
      "minimised [none]");
  add.members(options->said, order::order_members());
  add.output("-o,--output", options->output,
             "File of the order, for --placement; - is standard output [none]");
  add("--write", options->launcher,
      fmt::format("Launcher whose format -o has, with host names: {} [none: rank numbers]",
                  format::launcher_names()));
  add_algorithm_parameters(command, options->said, &options->algorithm);
  options->said.has_default_machine = true;
  add_network_options(command, options->said);
  leave_out(command, but(placing_options(), {"--ranks", "--hosts"}));  // it places the ranks itself
  add_simulation_options(command, options->said);
  add_output_options(command, options->common);
  command.most_used({"--algorithm", "--size", "--hosts", "--output", "--write"});
  command.advanced({"--baseline", "--objective", "--judge", "--attempts", "--restarts", "--moves",
                    "--root", "--cores", "--switch-delay"});
  command.footer(
      "Examples:\n"
      "  # On which hosts of a random network should the ranks of a broadcast run?\n"
      "  weft order broadcast --topology \"hosts(1, random-regular:512,8,seed=1)\" --attempts "
      "1000\n"
      "  # How should the ranks of a job be placed on the hosts that it got?\n"
      "  weft order allreduce --topology \"xgft:2;16,8;1,8\" --size 1MiB --hosts 1-40,52 -o "
      "order.txt\n"
      "  # Write a host file for Open MPI that suits two collectives\n"
      "  weft order allreduce --topology file:fabric.json --mix allreduce:1MiB:10,broadcast:1KiB:1 "
      "\\\n"
      "    --write hostfile -o hosts");
  on_chosen(command, options, run, action, require_together);
}

}  // namespace weft::cli
