#include "cli/options/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/answers/routing_text.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/network/routing.hpp"
#include "weft/program/file.hpp"
#include "weft/question/members.hpp"
#include "weft/schedule/file.hpp"
#include "weft/simulation/routings.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

// strtoull, which CLI11 uses, takes "-1" and what is too large.
std::string check_seed(const std::string& text) {
  return number_in<std::uint64_t>(text) ? "" : "'" + text + "' is no seed (0 to 2^64 - 1)";
}

}  // namespace

CLI::Option* OptionAdder::field(question::Texts& texts, const question::Field& field) const {
  CLI::Option* option = placed(app_.add_option_function<std::string>(
      fmt::format("--{}", field.name),
      [&texts, name = std::string(field.name)](const std::string& text) { texts[name] = text; },
      std::string(field.help)));
  if (field.number) option->type_name("N");
  const bool none = field.number && field.fallback == "0";  // its help says what 0 means
  if (!none && !field.help.ends_with("]")) option->default_str(std::string(field.fallback));
  return option;
}

std::string text_of(const question::Texts& texts, const char* name) {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string(question::find_field(name)->fallback) : found->second;
}

void leave_out(CLI::App& app, std::initializer_list<const char*> names) {
  for (const char* name : names) app.remove_option(app.get_option(name));
}

std::int64_t one_size(const std::string& text) {
  require(text.find_first_of(",:") == std::string::npos,
          "--size {} is several sizes, and one is taken here; weft compare takes several", text);
  return parse_size(text);
}

void require_one_algorithm(const std::string& name) {
  require(name.find(',') == std::string::npos,
          "--algorithm {} is several, and one is taken here; weft compare takes several", name);
}

void add_output_options(CLI::App& app, OutputOptions& options) {
  const OptionAdder add(app, "Answer");
  add.flag("--json", options.json, "Answer in JSON");
  add.flag("-q,--quiet", options.quiet, "No progress, no prose");
  app.add_option("--threads", options.threads,
                 "Threads to use (0: all cores); results do not depend on it")
      ->group("Answer")
      ->check(CLI::Range(0, 4096));
  add("--seed", options.seed, "Seed of everything random")->check(check_seed, "");
}

void add_network_options(CLI::App& app, NetworkOptions& options, Need topology) {
  const OptionAdder add(app, "Network");
  auto* expression = add("-t,--topology,topology", options.topology,
                         "Topology, such as torus:4x4 or \"hosts(4, kautz:4,2)\"");
  if (topology == Need::required) expression->required();
  // One value each, or it would swallow the collective behind it.
  add.repeated("--link", options.links,
               "BW,LAT of every link, or CLASS=BW,LAT of a class; repeat it [100Gbps,1us]");
  add.members(options.host, question::host_members());
  add("--routing", options.routing, "Routing; see weft list routings");
  add("--placement", options.placement,
      "linear, random, round-robin, round-robin-router, round-robin-group, lone-root, deepest or "
      "file:PATH [linear]");
  add("--ranks", options.ranks, "Number of ranks [one on each host]")
      ->check(CLI::Range(1, 1 << 30));
  add("--hosts", options.hosts,
      "Hosts to place ranks on: numbers from 0, as 1-40,52, or a file of them [all]");
}

namespace {

Placement placement_for(const NetworkOptions& options, std::uint64_t seed, const Topology& topology,
                        const Schedule* schedule) {
  const bool asked = !options.placement.empty() || options.ranks > 0 || !options.hosts.empty();
  if (schedule != nullptr && !asked) {
    const auto ranks = static_cast<std::size_t>(schedule->collective().ranks);
    const Binding& binding = schedule->binding();
    if (binding.hash == topology.hash() && binding.nodes.size() >= ranks)
      return {{binding.nodes.begin(), binding.nodes.begin() + static_cast<std::ptrdiff_t>(ranks)}};
  }
  topology::PlacementOptions placement{.ranks = options.ranks, .seed = seed};
  if (!options.placement.empty()) placement.policy = options.placement;
  if (placement.ranks == 0 && schedule != nullptr) placement.ranks = schedule->collective().ranks;
  return topology::place(topology, placement, hosts_of(options, topology));
}

}  // namespace

std::vector<std::int32_t> hosts_of(const NetworkOptions& options, const Topology& topology) {
  if (options.hosts.empty()) return {};
  if (!*options.hosts_read) *options.hosts_read = topology::parse_hosts(options.hosts, topology);
  return **options.hosts_read;
}

BuiltTopology topology_of(const Schedule& schedule) {
  const Binding& binding = schedule.binding();
  require(!binding.topology.empty(), "the schedule names no topology; name one with --topology");
  BuiltTopology built = build_topology(binding.topology);
  require(built.topology.hash() == binding.hash,
          "{} is another graph than the one the schedule was made for; name it with --topology",
          binding.topology);
  return built;
}

Network make_network(const NetworkOptions& options, std::uint64_t seed, const Schedule* schedule) {
  require(
      !simulation::is_of_packets_only(options.routing),
      "routing {} is of the packet and flit models only; choose another, see weft list routings",
      lower_name(options.routing));
  LinkOptions links;
  for (const std::string& link : options.links) topology::parse_link_option(link, links);
  HostParameters host;
  question::set_members(host, question::host_members(), options.host);
  const BuiltTopology built = options.topology.empty() && schedule != nullptr
                                  ? topology_of(*schedule)
                                  : build_topology(options.topology);
  const Fabric fabric(built, links);
  const Placement placement = placement_for(options, seed, fabric.topology(), schedule);
  return {fabric, placement, host, make_routing(options.routing, fabric, seed)};
}

void require_used(const NetworkOptions& options, const Collective& collective) {
  require(collective.ranks > 1 || options.hosts.empty(),
          "--hosts {} leaves one rank, which has nobody to exchange data with; name two hosts or "
          "more, such as 0-3",
          options.hosts);
  require(!options.host.contains("reduce-bandwidth") || collective.reduces(),
          "--reduce-bandwidth has no effect on {}, which reduces nothing; leave it out",
          name_of(collective.kind));
}

namespace {

// Where no placement was asked for: linear, unless the schedule in a file brought its own.
std::string placement_name(const Network& network, const NetworkOptions& options) {
  if (!options.placement.empty()) return options.placement;
  const auto& nodes = network.placement().nodes;
  const auto hosts = network.topology().hosts();
  if (!options.hosts.empty()) return "linear";
  const bool linear =
      nodes.size() <= hosts.size() && std::equal(nodes.begin(), nodes.end(), hosts.begin());
  return linear ? "linear" : "schedule";
}

}  // namespace

Json json_of(const Network& network, const NetworkOptions& options) {
  Json json = {{"topology", network.topology().name()},
               {"ranks", network.ranks()},
               {"routing", std::string(network.routing().name())},
               {"routing_reason", routing_reason(network)},
               {"relayed_pairs", relayed_pairs(network)},
               {"placement", placement_name(network, options)},
               {"link", options.links.empty() ? Json::array({"100Gbps,1us"}) : Json(options.links)},
               {"alpha", static_cast<double>(network.host().startup_ps) * kSecondsPerPicosecond},
               {"alpha_receive",
                static_cast<double>(network.host().startup_receive_ps) * kSecondsPerPicosecond},
               {"alpha_per", std::string(name_of(network.host().startup_per))},
               {"ports", network.host().ports}};
  if (network.host().copy_bandwidth_Bps > 0)
    json["copy_bandwidth"] = network.host().copy_bandwidth_Bps;
  if (!options.hosts.empty()) json["allocation"] = hosts_of(options, network.topology());
  return json;
}

void add_collective_options(CLI::App& app, CollectiveOptions& options, const char* positional) {
  const OptionAdder add(app);
  add(positional, options.kind, "Collective; see weft list collectives")->required();
  add("--root", options.root, "Root of a rooted collective");
  add("--from", options.from, "Source of point-to-point");
  add("--to", options.to, "Destination of point-to-point");
}

Collective make_collective(const CollectiveOptions& options, const Network& network) {
  Collective collective{schedule::parse_collective(options.kind), network.ranks(),
                        Rank(options.root)};
  const bool ends = options.from.has_value() || options.to.has_value();
  if (collective.kind == CollectiveKind::point_to_point) {
    require(options.from && options.to, "point-to-point needs both ends; give --from and --to");
    collective.root = Rank(*options.from);
    collective.peer = Rank(*options.to);
  } else {
    require(!ends, "--from and --to belong to point-to-point; leave them out for {}",
            name_of(collective.kind));
    require(options.root == 0 || collective.rooted(), "{} has no root; leave out --root",
            name_of(collective.kind));
  }
  schedule::check(collective);
  return collective;
}

void add_algorithm_parameters(CLI::App& app, AlgorithmChoice& choice) {
  for (const algorithm::Option& option : algorithm::options()) {
    const auto add = [&]<class T>(auto& chosen) {
      app.add_option_function<T>(
             "--" + std::string(option.name),
             [&chosen, name = option.name](const T& value) { chosen.emplace(name, value); },
             help_of(option))
          ->group("Parameters of algorithms");
    };
    if (!option.is_integer())
      add.operator()<std::string>(choice.texts);
    else if (option.most > std::numeric_limits<int>::max())
      add.operator()<std::int64_t>(choice.counts);
    else
      add.operator()<int>(choice.counts);
  }
}

algorithm::AlgorithmOptions AlgorithmChoice::options() const {
  algorithm::AlgorithmOptions options{.values = counts};
  for (const algorithm::Option& option : algorithm::options())
    if (const auto text = texts.find(option.name); text != texts.end())
      options.values.emplace(option.name, option.read(text->second));
  return options;
}

void add_simulation_options(CLI::App& app, SimulationChoice& choice) {
  OptionAdder(app, "Simulation").members(choice.said, question::reading_members());
}

simulation::SimulationOptions make_simulation(const SimulationChoice& choice) {
  simulation::SimulationOptions options;
  question::set_members(options, question::reading_members(), choice.said);
  return options;
}

Json json_of(const SimulationChoice& choice) {
  Json json;
  for (const char* name : {"model", "sync", "release", "sharing"})
    json[name] = lower_name(text_of(choice.said, name));
  return json;
}

NetworkOptions for_model(const SimulationChoice& choice, NetworkOptions options) {
  // Or a wrong one would pass.
  static_cast<void>(network::parse_startup_per(text_of(options.host, "alpha-per")));
  if (make_simulation(choice).model == simulation::Model::alpha_beta)
    options.host["alpha-per"] = name_of(StartupPer::step);
  return options;
}

Schedule load_schedule(const std::string& path) {
  const std::string bytes = read_file(path);
  const std::string name = path == "-" ? "standard input" : path;
  require(!program::is_program_file(bytes),
          "'{}' is a program, not a schedule; weft simulate FILE runs it", name);
  return schedule::decode(bytes, name);
}

Verified load_verified(const std::string& path) {
  const Schedule schedule = load_schedule(path);
  std::optional<BuiltTopology> built;
  if (schedule.route_count() > 0) built = topology_of(schedule);
  const auto result = verify(schedule, built ? &built->topology : nullptr);
  require(static_cast<bool>(result), "'{}' holds a wrong schedule: {}",
          path == "-" ? "standard input" : path, result ? "" : result.fault().text);
  return *result;
}

}  // namespace weft::cli
