#include "cli/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "cli/answers/routing_text.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/machine/link_origins.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/options/algorithm_list.hpp"
#include "weft/algorithm/libraries.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/rank_names.hpp"
#include "weft/network/routings.hpp"
#include "weft/program/file.hpp"
#include "weft/rows/kind.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/simulation/routers.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/import/import_notes.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

std::string GivenFields::text(std::string_view field) const {
  if (of(field)) return fields::text_in(values, field);
  const fields::Field* known = rows::find_field(field);
  WEFT_ASSERT(known != nullptr);
  return std::string(known->fallback);
}

bool GivenFields::by_user(std::string_view field) const {
  return of(field) &&
         (machine == nullptr || !machine->values.contains(field) || own.contains(field));
}

std::string GivenFields::own_text(std::string_view field) const {
  return fields::text_in(machine == nullptr ? values : own, field);
}

fields::Field field_of_every_link(std::string_view help) {
  fields::Field field = *rows::find_field("link");
  field.repeated = false;
  field.help = help;
  return field;
}

Option OptionAdder::field(GivenFields& said, const fields::Field& field, std::string names) const {
  if (names.empty()) names = fmt::format("--{}", field.name);
  const std::string help(field.help);
  const auto keep = [&said, &field](const std::vector<std::string>& parts) {
    said.values[std::string(field.name)] = fmt::format("{}", fmt::join(parts, ";"));
  };
  if (field.flag)
    return placed(command_.add_flag_call(
        names, [keep] { keep({"true"}); }, help));
  const auto keep_one = [keep](const std::string& text) { keep({text}); };
  const Option option =
      placed(field.repeated ? command_.add_list_call(names, keep, help).one_value_each()
                            : command_.add_option_call(names, keep_one, help));
  if (field.number) option.type_name("N");
  if (field.advanced) option.group(headings::kAdvanced);
  const bool none = field.number && field.fallback == "0";  // its help says what 0 means
  const bool is_said = none || field.help.ends_with("]");
  if (!is_said && fields::is_set_by_machines(field)) return option.default_text("the machine's");
  if (!is_said) option.default_text(std::string(field.fallback));
  return option;
}

void leave_out(Command command, const std::vector<std::string>& names) {
  for (const std::string& name : names) command.remove(name);
}

std::vector<std::string> placing_options() {
  return options_of(fields::placing_members());
}

// Whether a message may name its whole way is of the network.
std::vector<std::string> host_options() {
  return but(options_of(fields::host_members()), {"--source-routed"});
}

std::vector<std::string> but(std::vector<std::string> names,
                             std::initializer_list<std::string_view> used) {
  std::erase_if(
      names, [&](const std::string& name) { return std::ranges::find(used, name) != used.end(); });
  return names;
}

std::vector<std::string> all_of(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& names : lists)
    all.insert(all.end(), names.begin(), names.end());
  return all;
}

std::int64_t one_size(const std::string& text) {
  require(text.find_first_of(",:") == std::string::npos,
          "--size takes one size here, not '{}'; weft compare accepts several", text);
  return parse_size(text);
}

std::vector<std::int64_t> sizes_above_0(const std::string& text) {
  std::vector<std::int64_t> sizes_B = parse_sizes(text);
  require(std::ranges::find(sizes_B, 0) == sizes_B.end(),
          "--sizes {} has a size of 0, which moves no data (expected sizes above 0, such as 1B)",
          text);
  return sizes_B;
}

std::optional<double> time_limit_in(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_seconds(text);
}

double time_for_network_s(const std::optional<double>& time_limit_s) {
  constexpr double kLeast_s = 0.5;
  return std::max(kLeast_s, time_limit_s.value_or(std::numeric_limits<double>::infinity()));
}

void require_one_algorithm(const std::string& name) {
  require(name.find(',') == std::string::npos && lower(name) != "all",
          "--algorithm takes one algorithm here, such as ring, not '{}'; weft compare accepts "
          "several, and runs all that fit by default",
          name);
}

namespace {

// --routing table:FILE gives the network the tables of the file, by which it routes.
void take_tables(GivenFields& said) {
  constexpr std::string_view kTables = "table:";
  if (!said.of("routing") || !said.text("routing").starts_with(kTables)) return;
  require(said.of("topology"), "--routing table:FILE needs a network; give --topology");
  said.values["topology"] = fmt::format(
      "tables(file={}, {})", said.text("routing").substr(kTables.size()), said.text("topology"));
  said.values["routing"] = std::string("table");
}

// --connections K makes ecmp:K of the routing ecmp, so that the number goes wherever the routing
// goes.
void take_connections(std::int32_t connections, GivenFields& said) {
  if (connections == 0) return;
  const std::string routing = lower_name(said.text("routing"));
  require(network::takes_connections(routing),
          "--connections {} has no effect with routing {}; give --routing ecmp", connections,
          routing);
  require(routing.find(':') == std::string::npos,
          "--connections {} and --routing {} both set the number of connections; leave one out",
          connections, routing);
  said.values["routing"] = network::with_connections(routing, connections);
}

// --names and --machine become part of what was said once all is read: names a part of the
// expression, so that they go wherever the network goes.
void add_completing_options(Command command, GivenFields& said) {
  const auto names = std::make_shared<std::string>();
  const auto machine =
      add_machine_option(command, headings::kNetwork,
                         said.has_default_machine ? "the network's own, else generic" : "ideal");
  OptionAdder(command, headings::kAdvanced)(
      "--names", *names, "Names of the hosts in order: node[001-512], or a file of names [none]");
  const auto connections = std::make_shared<std::int32_t>(0);
  OptionAdder(command, headings::kAdvanced)("--connections", *connections,
                                            "Number of connections (queue pairs) between two "
                                            "hosts; --routing ecmp hashes each to its own path [1]")
      .range(1, network::kMostConnections);
  command.after_reading([names, machine, connections, &said] {
    for (const auto& step : said.once_read) step();
    take_machine(*machine, said);
    if (!names->empty()) {
      require(said.of("topology"), "--names needs a network; give --topology");
      said.values["topology"] = named_topology(*names, said.text("topology"));
    }
    take_tables(said);
    take_connections(*connections, said);
  });
}

}  // namespace

namespace {

bool is_placing(const fields::Field& field) {
  return std::ranges::count(fields::placing_members(), &field,
                            &fields::Member<fields::NetworkSpec>::field) > 0;
}

}  // namespace

std::string named_topology(const std::string& names, const std::string& expression) {
  if (is_there(names) || names.find('/') != std::string::npos)
    return fmt::format("names(file={}, {})", names, expression);
  std::string lists;  // what commas outside brackets part has a key of its own
  bool inside = false;
  for (const char c : names) {
    if (c == '[' || c == ']') inside = c == '[';
    lists += c == ',' && !inside ? ", hosts=" : std::string(1, c);
  }
  require(!inside, "--names {}: a bracket [ is not closed; write names such as node[001-512]",
          names);
  return fmt::format("names(hosts={}, {})", lists, expression);
}

void add_network_options(Command command, GivenFields& said, Need topology) {
  const OptionAdder add(command, headings::kNetwork);
  for (const auto& [field, set] : fields::network_members()) {
    const bool names_it = field->name == "topology";
    if (is_placing(*field)) continue;
    const Option option = add.field(said, *field, names_it ? "-t,--topology,topology" : "");
    if (names_it && topology == Need::required) option.required();
    if (field->name == "link")
      OptionAdder(command, headings::kHosts).members(said, fields::host_members());
  }
  add_placing_options(add, said);
  add_completing_options(command, said);
}

void add_placing_options(const OptionAdder& add, GivenFields& said) {
  for (const auto& [field, set] : fields::placing_members()) {
    const Option option = add.field(said, *field);
    if (field->name == "ranks") option.range(1, 1 << 30);
  }
}

std::vector<std::int32_t> hosts_of(const GivenFields& said, const Topology& topology) {
  if (!said.of("hosts")) return {};
  if (!*said.hosts_read) *said.hosts_read = topology::parse_hosts(said.text("hosts"), topology);
  return **said.hosts_read;
}

BuiltTopology topology_of(const Schedule& schedule, const std::string& file) {
  return told_with(file, [&] {
    const Binding& binding = schedule.binding();
    require(!binding.topology.empty(), "the schedule has no topology; name one with --topology");
    BuiltTopology built = build_topology_for(binding.topology, schedule.agents());
    require(built.topology.hash() == binding.hash,
            "{} differs from the network of the schedule; name that network with --topology",
            binding.topology);
    const auto fault = schedule::binding_fault(schedule, built.topology);
    require(!fault, "{}; make the schedule again", fault.value_or(""));
    return built;
  });
}

Network make_network(const GivenFields& said, std::uint64_t seed, const Schedule* schedule,
                     const std::string& file) {
  fields::NetworkSpec spec = fields::network_in(said.values);
  spec.seed = seed;
  if (network::is_of_packets_only(spec.routing))
    reject(
        "routing {} {}; choose another, see weft list routings", lower_name(spec.routing),
        simulation::by_packets(simulation::parse_model(said.text("model")))
            ? std::string("gives no paths, which the cost of schedules needs (weft simulate runs "
                          "packets with it)")
            : fmt::format("works only with the packet and flit models of weft simulate (--model "
                          "packet, or --router {})",
                          simulation::routers_of(simulation::Granularity::packet)));
  const BuiltTopology built = spec.topology.empty() && schedule != nullptr
                                  ? topology_of(*schedule, file)
                                  : build_topology(spec.topology);
  if (said.machine) fields::require_classes(*said.machine, built.topology);
  *said.file_speeds = speeds_in_file(built);
  Network network = fields::make_network(spec, built, hosts_of(said, built.topology), schedule);
  require_effect_of_speeds(said, network.topology());
  return network;
}

void require_used(const GivenFields& said, const Collective& collective) {
  require(collective.ranks > 1 || !said.of("hosts"),
          "--hosts {} leaves one rank, which cannot exchange data; name two hosts or more, "
          "such as 0-3",
          said.text("hosts"));
  require(!said.by_user("reduce-bandwidth") || collective.reduces(),
          "--reduce-bandwidth has no effect on {}, which has no reduction; leave it out",
          name_of(collective.kind));
}

std::vector<std::string> link_texts(const GivenFields& said) {
  const std::string text = said.own_text("link");
  if (text.empty()) return {};
  const std::vector<std::string_view> links = split(text, ';');
  return {links.begin(), links.end()};
}

void add_machine_notes(const GivenFields& said, const Topology& topology,
                       std::span<const fields::SentAt> sent, Notes& notes) {
  add_network_notes(said, topology, notes);
  if (said.machine) notes.add(NoteWeight::doubt, fields::outside_text(*said.machine, sent));
}

void add_collective_options(Command command, GivenFields& said, const char* positional, Need need) {
  const OptionAdder add(command);
  for (const auto& [field, set] : fields::collective_members()) {
    const bool names_it = field->name == "collective";
    const Option option = add.field(said, *field, names_it ? positional : "");
    if (names_it && need == Need::required) option.required();
  }
}

Collective make_collective(const GivenFields& said, const Network& network) {
  fields::Values values = said.values;
  for (const char* end : {"root", "from", "to"})
    if (said.of(end))
      values[end] = fields::rank_called(said.text(end), network.topology(),
                                        network.placement().nodes, fmt::format("--{}", end));
  fields::CollectiveSpec spec;
  set_members(spec, fields::collective_members(), values);
  const bool between_two = schedule::traits_of(spec.kind).between_two();
  require(!between_two || (spec.from && spec.to),
          "point-to-point needs both ends; give --from and --to");
  require(between_two || (!spec.from && !spec.to),
          "--from and --to apply to point-to-point; leave them out for {}", name_of(spec.kind));
  require(between_two || spec.root == 0 || Collective{spec.kind, network.ranks()}.rooted(),
          "{} has no root; leave out --root", name_of(spec.kind));
  return fields::make_collective(spec, network.ranks());
}

void add_library_option(Command command, std::string& library) {
  const OptionAdder add(command);
  add("--library", library,
      "Library whose algorithm names --algorithm takes: smpi or mpich; see weft list libraries "
      "[none]");
}

std::string take_from_library(const std::string& library, const Collective& collective,
                              std::string& algorithm, GivenFields& said) {
  if (library.empty()) return "";
  const algorithm::Library& named = algorithm::find_library(library);
  const algorithm::Known known = algorithm::known_as(named, collective, algorithm);
  std::string note =
      fmt::format("{} of {} is the algorithm {} of weft", algorithm, named.name, known.algorithm);
  algorithm = known.algorithm;
  if (known.radix) {
    require(!said.of("radix"), "--radix has no effect with this name of {}; leave it out",
            named.name);
    said.values["radix"] = *known.radix;
  }
  return note;
}

void add_algorithm_parameters(Command command, GivenFields& said, std::string* algorithms) {
  const OptionAdder add(command, headings::kAlgorithms);
  if (algorithms != nullptr)
    said.once_read.push_back([algorithms, &said] { take_parameters(*algorithms, said); });
  for (const fields::Field& option : fields::option_fields())
    add.field(said, option).default_text("");
}

void add_simulation_options(Command command, GivenFields& said) {
  for (const auto& [field, set] : fields::reading_members()) {
    const bool is_detail = field->name != "model";
    const OptionAdder add(command, is_detail ? headings::kDetails : headings::kOptions);
    if (!command.find_option(fmt::format("--{}", field->name))) add.field(said, *field);
  }
}

void add_call_options(Command command, GivenFields& said) {
  OptionAdder(command, headings::kDetails).field(said, *rows::find_field("calls"));
  OptionAdder(command, headings::kDetails).members(said, fields::call_members());
}

Schedule schedule_in(const std::string& bytes, const std::string& name) {
  require(!program::is_program_file(bytes),
          "'{}' is a program, not a schedule; weft simulate FILE runs it", name);
  return schedule::decode(bytes, name);
}

Verified load_verified(const std::string& path) {
  return verified_in(read_file(path), name_of_file(path));
}

}  // namespace weft::cli
