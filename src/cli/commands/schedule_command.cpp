// weft schedule COLLECTIVE: builds a schedule, proves it, prices it, and writes it to a file.
#include "weft/advise/schedule/schedule_question.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/options/options.hpp"
#include "cli/schedule/pricing.hpp"
#include "cli/schedule/schedule_text.hpp"
#include "cli/schedule/shares.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/file.hpp"

namespace weft::cli {

namespace {

struct ScheduleCommand {
  GivenFields said;
  std::string algorithm;
  std::string library;  // whose name of it that is; empty: ours
  std::string output;
  std::string size;        // empty: large
  std::string time_limit;  // empty: none
  bool cost_only = false;
  std::string from_text;  // file of a schedule to read; empty: none
  TextOptions text;
  std::vector<std::string> of_building;  // options that a schedule to read has no use for
  OutputOptions common;
};

// The price that the algorithm estimates, without building the schedule.
int run_cost_only(const ScheduleCommand& options, const Collective& collective,
                  const Network& network, Streams& streams) {
  require(options.output.empty(),
          "--cost-only builds no schedule, so it cannot write {}; leave one out", options.output);
  const auto forecast = algorithm::forecast(options.algorithm, collective, network,
                                            fields::algorithm_options_in(options.said.values));
  require(forecast.has_value(),
          "{} cannot price {} without its schedule (bfb can for allgather, reduce-scatter and "
          "allreduce in one segment); leave --cost-only out",
          options.algorithm, name_of(collective.kind));
  const Pricing pricing =
      price(*forecast, algorithm::find_algorithm(options.algorithm).name, collective, network);
  if (options.common.json)
    print_json("schedule", pricing, pricing_parts(), options.common, streams);
  else
    streams.out << facts_from(pricing, pricing_parts()).text(screen_of(streams));
  return kFine;
}

advise::ScheduleQuestion asked_in(const ScheduleCommand& options) {
  advise::ScheduleQuestion asked{.algorithm = options.algorithm,
                                 .options = fields::algorithm_options_in(options.said.values),
                                 .time_limit_s = time_limit_in(options.time_limit)};
  if (!options.size.empty()) asked.size_B = one_size(options.size);
  return asked;
}

// Takes a size back that changes nothing. Returns a note on it.
std::string without_idle_size(advise::ScheduleQuestion& asked) {
  if (!asked.size_B || advise::depends_on_size(asked)) return "";
  asked.size_B.reset();
  return fmt::format("--size has no effect: the schedule of {} is the same for every size",
                     algorithm::find_algorithm(asked.algorithm).name);
}

void check_text(const Given& given, const ScheduleCommand& options) {
  require(!options.text.keep_symmetry || options.text.wanted(),
          "--keep-symmetry needs --text; give both");
  require(!options.text.keep_symmetry || !options.text.trees,
          "--keep-symmetry has no effect on --as-trees, which writes all ranks; leave it out");
  if (options.text.wanted() && options.output.empty())
    given.refuse({"--json"}, "with text on standard output; write the text with -o FILE");
}

void require_question(const ScheduleCommand& options) {
  constexpr std::string_view kHelp = "see weft schedule --help";
  require(options.said.of("collective"), "COLLECTIVE is required; {}", kHelp);
  require(options.said.of("topology"), "--topology is required; {}", kHelp);
  require(!options.algorithm.empty(), "--algorithm is required; {}", kHelp);
}

void check(const Given& given, const ScheduleCommand& options) {
  check_text(given, options);
  if (options.output == "-")
    given.refuse({"--json"},
                 "with -o - (the schedule is the answer); name a file, or leave one of them out");
  if (!options.from_text.empty())
    return given.refuse(options.of_building,
                        "with --from-text (the file defines the schedule); leave it out");
  require_question(options);
  if (options.cost_only)
    given.refuse({"--text", "--as-trees"},
                 "with --cost-only, which builds no schedule; leave it out");
  require_one_algorithm(options.algorithm);
  if (options.cost_only)
    given.refuse({"--size"}, "with --cost-only (its price holds for any size); leave it out");
  if (options.cost_only)
    given.refuse({"--time-limit"}, "with --cost-only, which is quick; leave it out");
  if (!options.library.empty() ||
      !algorithm::find_algorithm(options.algorithm,
                                 schedule::parse_collective(options.said.text("collective")))
           .by_ports)
    given.refuse(
        {"--ports"},
        fmt::format(
            "on the schedule of {} (only multipath depends on the number of ports); leave it "
            "out, or give it to weft simulate",
            options.algorithm));
}

// A pipeline that runs in one segment, where nobody said in how many.
std::string text_of(const advise::PipelineAdvice& advice, const std::string& algorithm) {
  return fmt::format(
      "{} is a pipeline, in one segment here; --segments {} lowers T_B to {:.5g} (T_L {}); "
      "{}weft compare chooses the number of segments for each size",
      algorithm::find_algorithm(algorithm).name, advice.segments,
      advice.cost.bandwidth_factor.to_double(), advice.cost.steps,
      advice.depth ? fmt::format("--depth {} searches for trees that are good in one segment; ",
                                 *advice.depth)
                   : "");
}

/// What weft schedule answers of a schedule that it built.
struct BuiltSchedule {
  Pricing pricing;
  std::optional<advise::ShareReport> shares;
  advise::TreeFacts trees;
  std::string output;  // empty: not written

  const advise::TreeDepth& depth() const { return *trees.depth; }
  const advise::TreeLimit& limit() const { return *trees.limit; }
};

std::string depth_text(const BuiltSchedule& built) {
  const advise::TreeDepth& depth = built.depth();
  const std::string_view whose =
      built.pricing.collective.kind == CollectiveKind::allreduce ? ", of both halves" : "";
  if (!depth.optimum) return fmt::format("{}{}", depth.links, whose);
  const double factor = built.pricing.cost.bandwidth_factor.to_double();
  return fmt::format("{}{}; T_B {:.2f}% above the optimum", depth.links, whose,
                     100 * (factor / depth.optimum->to_double() - 1));
}

std::string limit_text(const BuiltSchedule& built) {
  const advise::TreeLimit& limit = built.limit();
  return fmt::format(
      "{}, {:.2f}% above the optimum in any number of segments{}", show(limit.bandwidth_factor),
      100 * (limit.bandwidth_factor / limit.optimum - Rational(1)).to_double(),
      limit.least_of ? fmt::format("; the least of {} a rank, or fewer", *limit.least_of) : "");
}

answer::Parts<BuiltSchedule> built_parts() {
  using answer::Unit;
  constexpr answer::PartOf<BuiltSchedule> part;
  return join(
      part.within(&BuiltSchedule::pricing, pricing_parts()),
      {part.object("shares", "shares of a multi-dimensional schedule", &BuiltSchedule::shares,
                   share_parts())
           .left_out(),
       part("halves", "trees", Unit::none,
            "how an allreduce by trees reduces and broadcasts: together or apart",
            [](const BuiltSchedule& built) {
              return *built.trees.halves_joined ? "together" : "apart";
            })
           .shown_as([](const BuiltSchedule& built) -> std::string {
             return *built.trees.halves_joined
                        ? "in and out at once, with shares of their own for each rank"
                        : "in, then out: a reduce-scatter and an allgather";
           })
           .when([](const BuiltSchedule& built) { return built.trees.halves_joined.has_value(); }),
       part("depth", "depth of trees", Unit::none, "largest depth of a tree, in links",
            [](const BuiltSchedule& built) { return built.depth().links; })
           .shown_as(depth_text)
           .when([](const BuiltSchedule& built) { return built.trees.depth.has_value(); }),
       part("bandwidth_factor_limit", "T_B of the trees", Unit::none,
            "T_B of the trees in any number of segments, in units of M/B",
            [](const BuiltSchedule& built) { return built.limit().bandwidth_factor; })
           .shown_as(limit_text)
           .when([](const BuiltSchedule& built) { return built.trees.limit.has_value(); }),
       part(keys::kWrittenFile, &BuiltSchedule::output).when([](const BuiltSchedule& built) {
         return !built.output.empty();
       })});
}

void print_text(const BuiltSchedule& built, Streams& streams) {
  const Screen screen = screen_of(streams);
  streams.out << facts_from(built, built_parts()).text(screen) << paths_text(built.pricing, screen);
  if (built.shares) streams.out << '\n' << facts_of(*built.shares).text(screen);
}

// Of a schedule that did not come in time: what no schedule would be faster than.
int say_too_late(const ScheduleCommand& options, const Collective& collective,
                 const Network& network, Streams& streams) {
  const auto bounds = evaluate::lower_bounds(collective, network, evaluate::Cuts::taken);
  streams.err << fmt::format(
      "weft: the time limit ended before {} had a schedule; proven so far: T_B of every schedule "
      "is at least {}; give a longer --time-limit\n",
      algorithm::find_algorithm(options.algorithm).name, show(bounds.greatest()));
  return kNo;
}

// Writes the schedule where the user wants it. Returns whether it is the answer itself.
bool write(const Schedule& schedule, const Network& network, const ScheduleCommand& options,
           Streams& streams) {
  if (!options.text.wanted()) {
    if (!options.output.empty()) schedule::save(schedule, options.output);
    return options.output == "-";
  }
  const std::string text = text_of(schedule, &network.topology(), options.text, streams);
  const bool is_answer = options.output.empty() || options.output == "-";
  if (is_answer)
    streams.out << text;
  else
    write_file(options.output, text);
  return is_answer;
}

void add_notes(const ScheduleCommand& options, const advise::ScheduleQuestion& asked,
               const Verified& verified, const Network& network, Notes& notes) {
  notes.add(NoteWeight::doubt,
            evaluate::note_of_forwarding(verified.schedule().algorithm(),
                                         evaluate::forwarding_hosts(verified, network), network));
  if (const auto advice = advise::pipeline_advice(asked, verified, network))
    notes.add(NoteWeight::detail, text_of(*advice, options.algorithm));
}

int run(const ScheduleCommand& said, Streams& streams) {
  if (!said.from_text.empty())
    return run_from_text(said.from_text, said.output, said.text, said.common, streams);
  ScheduleCommand options = said;
  const Network network = make_network(options.said, options.common.seed);
  add_network_notes(options.said, network.topology(), *streams.notes);
  const Collective collective = make_collective(options.said, network);
  streams.notes->add(NoteWeight::detail, take_from_library(options.library, collective,
                                                           options.algorithm, options.said));
  if (options.cost_only) return run_cost_only(options, collective, network, streams);
  advise::ScheduleQuestion asked = asked_in(options);
  streams.notes->add(NoteWeight::doubt, without_idle_size(asked));
  const auto found = advise::answer(asked, collective, network);
  if (!found) return say_too_late(options, collective, network, streams);
  const Verified& verified = found->verified;
  if (write(verified.schedule(), network, options, streams)) return kFine;
  const bool shares = algorithm::find_algorithm(options.algorithm).shows_shares;
  const BuiltSchedule built{
      .pricing = price(verified, network, *streams.notes, found->exact_bandwidth_factor),
      .shares = shares ? advise::report_shares(collective, network) : std::nullopt,
      .trees = advise::tree_facts(asked, verified, network),
      .output = options.output};
  add_notes(options, asked, verified, network, *streams.notes);
  if (options.common.json)
    print_json("schedule", built, built_parts(), options.common, streams);
  else
    print_text(built, streams);
  if (!options.common.json && !options.output.empty() && !options.common.quiet)
    streams.err << "wrote " << options.output << '\n';
  return kFine;
}

void add_text_options(Command command, ScheduleCommand& options) {
  for (const Option& option : command.options())
    if (!option.is_hidden() && option.name() != "--output" && option.name() != "--help")
      options.of_building.push_back(option.name());
  const OptionAdder add(command, "Text");
  add("--from-text", options.from_text,
      "Text of a schedule, or .weft file, to read and prove; -o writes it [none]");
  add.flag("--text", options.text.text,
           "Write the schedule as text to edit, to the file of -o or to standard output");
  add.flag("--as-trees", options.text.trees,
           "Write the schedule as text with one tree for each share of the data (root, parents, "
           "share), as packing builds them");
  add.flag("--keep-symmetry", options.text.keep_symmetry,
           "Write the messages of one rank for each symmetry orbit, and the group, with --text");
}

}  // namespace

std::vector<answer::Shape> schedule_shapes() {
  return {{"a schedule", texts_of(built_parts())},
          {"a price alone, of --cost-only", texts_of(pricing_parts())},
          {"a schedule that was read, of --from-text", text_answer_parts()}};
}

void add_schedule_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ScheduleCommand>();
  const Command command = program.add_command(
      "schedule", "Build a schedule, prove that it is correct, and compute its price");
  const OptionAdder add(command);
  // Not required(): --from-text takes neither collective, algorithm nor topology.
  for (const auto& [field, set] : fields::collective_members())
    add.field(options->said, *field, field->name == "collective" ? "collective" : "");
  add("-a,--algorithm,--algorithms", options->algorithm,
      "Algorithm, such as ring; see weft list algorithms");
  add_library_option(command, options->library);
  add.output("-o,--output", options->output,
             "File for the schedule (.weft); - is standard output [none]");
  add("--size,--sizes", options->size,
      "Size of a call, which decides segments and trees [large, one segment]");
  add("--time-limit", options->time_limit,
      "Time limit for building and proving the schedule; exit code 1 if it is exceeded [none]");
  add.flag("--cost-only", options->cost_only,
           "Print the exact price without building the schedule, for any size (bfb only)");
  add_algorithm_parameters(command, options->said, &options->algorithm);
  add_network_options(command, options->said, Need::optional);
  leave_out(command, but(host_options(), {"--ports"}));
  add_text_options(command, *options);
  add_output_options(command, options->common);
  command.most_used({"--algorithm", "--output", "--size", "--cost-only", "--from-text"});
  command.advanced(
      {"--root", "--from", "--to", "--library", "--time-limit", "--as-trees", "--keep-symmetry"});
  command.footer(
      "Examples:\n"
      "  # How many steps does Bruck's all-to-all take, and how much bandwidth?\n"
      "  weft schedule alltoall -t kautz:4,2 -a bruck --radix 3 -o bruck.weft\n"
      "  # Does an all-gather along shortest paths reach the optimum?\n"
      "  weft schedule allgather -t torus:3x3x2 -a bfb --chunks 4\n"
      "  # Edit a schedule as text, then read it back\n"
      "  weft schedule allreduce -t ring:4 -a ring --text -o ring.txt\n"
      "  weft schedule --from-text ring.txt -o back.weft\n"
      "  # How fast is an all-gather on 10,000 nodes?\n"
      "  weft schedule allgather -t genkautz:4,10000 -a bfb --cost-only");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
