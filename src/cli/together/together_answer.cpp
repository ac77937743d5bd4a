#include "cli/together/together_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/options/several_ranks.hpp"
#include "weft/advise/together/together.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

using advise::CallTimes;
using advise::PreparedCall;
using advise::Together;
using advise::TogetherCall;

struct TogetherAnswer {
  const SimulationAsked& options;
  const Network& network;
  const std::vector<TogetherCall>& calls;
  const std::vector<PreparedCall>& prepared;
  const Together& together;
  const std::vector<LinkId>& links;  // to show

  /// The link that sends longest; none where nothing is sent.
  std::optional<LinkId> busiest() const {
    const auto& bytes = together.all.link_bytes;
    std::optional<LinkId> busiest;
    for (std::size_t l = 0; l < bytes.size(); ++l)
      if (bytes[l] > 0 && (!busiest || together.all.busy_s(LinkId(l), network) >
                                           together.all.busy_s(*busiest, network)))
        busiest = LinkId(l);
    return busiest;
  }
};

std::string busiest_text(const TogetherAnswer& a) {
  const auto link = a.busiest();
  if (!link) return "none (nothing is sent)";
  const Topology& topology = a.network.topology();
  return fmt::format("{} -> {} ({}), {:.1f}% busy",
                     topology::exported_name(topology, topology.tail(*link)),
                     topology::exported_name(topology, topology.head(*link)),
                     topology.class_names()[topology.link_class(*link)],
                     100 * a.together.all.utilisation(*link, a.network));
}

Table call_table(const TogetherAnswer& a) {
  Table table({"call", "collective", "ranks", "algorithm", "size", "start", "end", "time", "alone",
               "slowdown"});
  for (std::size_t i = 0; i < a.calls.size(); ++i) {
    const TogetherCall& call = a.calls[i];
    const CallTimes& times = a.together.calls[i];
    table.add({call.name, std::string(name_of(call.collective.kind)),
               fmt::format("{}", call.collective.ranks),
               a.prepared[i].verified.schedule().algorithm(), format_size(call.size_B),
               format_seconds(times.start_s), format_seconds(times.end_s),
               format_seconds(times.time_s()), format_seconds(times.alone_s),
               fmt::format("{:.3f}", times.slowdown())});
  }
  return table;
}

Json json_of(const TogetherAnswer& a, std::size_t i) {
  const TogetherCall& call = a.calls[i];
  const CallTimes& times = a.together.calls[i];
  Json json{{"name", call.name},
            {"collective", std::string(name_of(call.collective.kind))},
            {"algorithm", a.prepared[i].verified.schedule().algorithm()},
            {"ranks", call.ranks},
            {"size", call.size_B},
            {"after", Json::array()},
            {"start", times.start_s},
            {"end", times.end_s},
            {"time", times.time_s()},
            {"time_alone", times.alone_s},
            {"slowdown", times.slowdown()}};
  if (call.collective.rooted() && call.collective.kind != CollectiveKind::point_to_point)
    json["root"] = call.ranks[call.collective.root.index()];
  for (const std::size_t other : call.after) json["after"].push_back(a.calls[other].name);
  return json;
}

Json json_of(const TogetherAnswer& a) {
  Json json = answer("simulate", a.options.common);
  json.update(json_of(a.network, a.options.said));
  add_per_host(a.options.per_host, json);
  json.update(json_of_readings(a.options.said));
  json["together"] = a.options.together;
  json["calls"] = Json::array();
  for (std::size_t i = 0; i < a.calls.size(); ++i) json["calls"].push_back(json_of(a, i));
  json["makespan"] = a.together.makespan_s;
  json["messages"] = a.together.messages;
  json["busiest_link"] = nullptr;
  if (const auto link = a.busiest())
    json["busiest_link"] = json_of_links(a.network, a.together.all, {*link}).front();
  if (!a.options.links.empty())
    json["link_loads"] = json_of_links(a.network, a.together.all, a.links);
  return json;
}

void print_text(const TogetherAnswer& a, Streams& streams) {
  Facts facts;
  facts.add("calls", fmt::format("{} of {}", a.calls.size(), a.options.together));
  facts.add("topology", a.network.topology().name());
  facts.add("routing", routing_text(a.network));
  facts.add("speeds", speeds_text(a.network, a.options.said));
  facts.add("makespan", format_seconds(a.together.makespan_s));
  facts.add("messages", fmt::format("{}", a.together.messages));
  facts.add("busiest link", busiest_text(a));
  const Screen screen = screen_of(streams);
  streams.out << facts.text() << '\n' << call_table(a).text(screen);
  if (!a.options.links.empty())
    streams.out << '\n' << link_table(a.network, a.together.all, a.links).text(screen);
}

// What was sent, for notes of the machine's file.
void add_notes(const SimulationAsked& asked, const Network& network,
               const std::vector<TogetherCall>& calls, const std::vector<PreparedCall>& prepared,
               Notes& notes) {
  std::vector<fields::SentAt> sent;
  for (std::size_t i = 0; i < calls.size(); ++i)
    sent.push_back({calls[i].size_B,
                    schedule::message_sizes(prepared[i].verified.schedule(), calls[i].size_B)});
  add_machine_notes(asked.said, network.topology(), sent, notes);
}

// --reduce-bandwidth needs a call that reduces.
void require_used_by_some(const Said& said, const std::vector<TogetherCall>& calls) {
  const auto reduces =
      std::ranges::find_if(calls, [](const TogetherCall& c) { return c.collective.reduces(); });
  require_used(said, reduces == calls.end() ? calls.front().collective : reduces->collective);
}

}  // namespace

void check_together(const Given& given) {
  std::vector<std::string> names = {"schedule", "--algorithm",  "--library", "--root",
                                    "--from",   "--to",         "--size",    "--beside",
                                    "--calls",  "--rank-times", "--seeds",   "--counts"};
  for (const algorithm::Option& option : algorithm::options())
    names.push_back(fmt::format("--{}", option.name));
  given.refuse(
      names,
      "with --together, whose file describes each call; leave it out (-t names the network)");
}

int simulate_calls(
    const SimulationAsked& asked, const simulation::SimulationOptions& simulation, Streams& streams,
    const std::function<std::vector<LinkId>(const simulation::SimulationResult& result)>& choose) {
  require(asked.said.of("topology"), "--together needs a network; give --topology");
  require(simulation.model == simulation::Model::fluid,
          "--together needs the fluid model; leave out --model {}", name_of(simulation.model));
  const Network network =
      with_several_ranks(make_network(asked.said, asked.common.seed), asked.per_host);
  const auto calls = advise::read_together(read_file(asked.together), asked.together, network);
  require_used_by_some(asked.said, calls);
  const auto prepared = advise::prepare(calls, network, simulation);
  add_notes(asked, network, calls, prepared, *streams.notes);
  const Together together = advise::run_together(calls, prepared, simulation);
  const auto links = asked.links.empty() ? std::vector<LinkId>() : choose(together.all);
  const TogetherAnswer a{asked, network, calls, prepared, together, links};
  if (asked.common.json)
    print(json_of(a), streams);
  else
    print_text(a, streams);
  return kFine;
}

}  // namespace weft::cli
