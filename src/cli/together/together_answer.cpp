#include "cli/together/together_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

using advise::CallTimes;
using advise::PreparedCall;
using advise::Together;
using advise::TogetherCall;

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

// What was sent, for notes of the machine's file.
void add_notes(const SimulationQuestion& asked, const Network& network,
               const std::vector<TogetherCall>& calls, const std::vector<PreparedCall>& prepared,
               Notes& notes) {
  WEFT_ASSERT(prepared.size() == calls.size());
  std::vector<fields::SentAt> sent;
  for (std::size_t i = 0; i < calls.size(); ++i)
    sent.push_back({calls[i].size_B,
                    schedule::message_sizes(prepared[i].verified.schedule(), calls[i].size_B)});
  add_machine_notes(asked.said, network.topology(), sent, notes);
}

// --reduce-bandwidth needs a call that reduces.
void require_used_by_some(const GivenFields& said, const std::vector<TogetherCall>& calls) {
  WEFT_ASSERT(!calls.empty());
  const auto reduces =
      std::ranges::find_if(calls, [](const TogetherCall& c) { return c.collective.reduces(); });
  require_used(said, reduces == calls.end() ? calls.front().collective : reduces->collective);
}

/// A call of the answer.
struct AnsweredCall {
  const TogetherAnswer& of;
  std::size_t i;

  const TogetherCall& call() const { return of.calls[i]; }
  const CallTimes& times() const { return of.together.calls[i]; }
};

std::vector<AnsweredCall> calls_of(const TogetherAnswer& a) {
  std::vector<AnsweredCall> calls;
  for (std::size_t i = 0; i < a.calls.size(); ++i) calls.push_back({a, i});
  return calls;
}

// What is said of the call, and when it ran.
template <class Get>
auto of_call(Get get) {
  return [get](const AnsweredCall& call) { return std::invoke(get, call.call()); };
}
template <class Get>
auto of_times(Get get) {
  return [get](const AnsweredCall& call) { return std::invoke(get, call.times()); };
}

std::vector<std::string> names_before(const AnsweredCall& call) {
  std::vector<std::string> names;
  for (const std::size_t other : call.call().after) names.push_back(call.of.calls[other].name);
  return names;
}

answer::Parts<AnsweredCall> call_parts() {
  using answer::Unit;
  constexpr answer::PartOf<AnsweredCall> part;
  return {
      part("name", "call", Unit::none, "name of the call", of_call(&TogetherCall::name)),
      part(keys::kCollective, "collective",
           of_call([](const TogetherCall& call) { return name_of(call.collective.kind); })),
      part(keys::kAlgorithm, "algorithm",
           [](const AnsweredCall& call) {
             return call.of.prepared[call.i].verified.schedule().algorithm();
           }),
      part("ranks", "ranks", Unit::none, "its ranks", of_call(&TogetherCall::ranks))
          .shown_as([](const AnsweredCall& call) {
            return fmt::format("{}", call.call().collective.ranks);
          }),
      part("size", "size", Unit::bytes, "its size", of_call(&TogetherCall::size_B))
          .shown_as([](const AnsweredCall& call) { return format_size(call.call().size_B); }),
      part("after", "", Unit::none, "calls that it waits for", names_before),
      part("start", "start", Unit::seconds, "when it begins", of_times(&CallTimes::start_s)),
      part("end", "end", Unit::seconds, "when it ends", of_times(&CallTimes::end_s)),
      part("time", "time", Unit::seconds, "time from its start to its end",
           of_times(&CallTimes::time_s)),
      part("time_alone", "alone", Unit::seconds, "time without the other calls",
           of_times(&CallTimes::alone_s)),
      part("slowdown", "slowdown", Unit::none, "time / time alone", of_times(&CallTimes::slowdown))
          .decimals(3),
      part(keys::kRoot, of_call([](const TogetherCall& call) {
             return call.ranks[call.collective.root.index()];
           }))
          .when(of_call([](const TogetherCall& call) {
            return call.collective.rooted() &&
                   !schedule::traits_of(call.collective.kind).between_two();
          }))};
}

Table call_table(const TogetherAnswer& a) {
  constexpr auto kColumns = std::to_array<answer::Column>({{"name"},
                                                           {"collective"},
                                                           {"ranks"},
                                                           {"algorithm"},
                                                           {"size"},
                                                           {"start"},
                                                           {"end"},
                                                           {"time"},
                                                           {"time_alone"},
                                                           {"slowdown"}});
  return table_of(
      answer::cells_of<AnsweredCall>(calls_of(a), call_parts(), kColumns, answer::Reader::person));
}

void print_text(const TogetherAnswer& a, Streams& streams) {
  Facts facts;
  facts.add("calls", fmt::format("{} of {}", a.calls.size(), a.options.together));
  facts.add("topology", a.network.topology().name());
  facts.add("routing", routing_text(a.network));
  facts.add("speeds", speeds_text(a.network, a.options.said));
  facts.add("makespan", format_seconds(a.together.makespan_s));
  if (a.spread) cli::add_facts(*a.spread, false, facts);
  facts.add("messages", fmt::format("{}", a.together.messages));
  facts.add("busiest link", busiest_text(a));
  const Screen screen = screen_of(streams);
  streams.out << facts.text() << '\n' << call_table(a).text(screen);
  if (!a.options.links.empty())
    streams.out << '\n' << link_table(a.network, a.together.all, a.links).text(screen);
}

// The calls keep their schedules; paths alone are drawn anew.
std::optional<SeedSpread> spread_of(const SimulationQuestion& asked, const Network& network,
                                    const std::vector<TogetherCall>& calls,
                                    const std::vector<PreparedCall>& prepared,
                                    const simulation::SimulationOptions& simulation) {
  if (asked.seeds == 1) return std::nullopt;
  simulation::SimulationOptions plain = simulation;
  plain.progress = nullptr;
  return spread_over_seeds(
      network, asked.common.seed, asked.seeds, [&](std::string_view routing, std::uint64_t seed) {
        std::vector<PreparedCall> routed = prepared;
        for (PreparedCall& call : routed)
          call.network =
              Network(call.network.fabric(), call.network.placement(), call.network.host(),
                      make_routing(routing, call.network.fabric(), seed));
        return advise::makespan_s(calls, routed, plain);
      });
}

std::optional<LoadedLink> busiest_of(const TogetherAnswer& a) {
  const auto link = a.busiest();
  return link ? std::optional<LoadedLink>({a.network, a.together.all, *link}) : std::nullopt;
}

}  // namespace

std::optional<LinkId> TogetherAnswer::busiest() const {
  const auto& bytes = together.all.link_bytes;
  std::optional<LinkId> busiest;
  for (std::size_t l = 0; l < bytes.size(); ++l)
    if (bytes[l] > 0 && (!busiest || together.all.busy_s(LinkId(l), network) >
                                         together.all.busy_s(*busiest, network)))
      busiest = LinkId(l);
  return busiest;
}

answer::Parts<TogetherAnswer> together_parts() {
  using answer::Unit;
  constexpr answer::PartOf<TogetherAnswer> part;
  return join(join(part.within(
                       [](const TogetherAnswer& a) {
                         return UsedNetwork{a.network, a.options.said};
                       },
                       network_parts_of_jobs()),
                   part.within([](const TogetherAnswer& a) { return UsedReadings{a.options.said}; },
                               without_keys(readings_parts_of_calls(), {"calls"}))),
              {part("together", "", Unit::none, "file of the calls",
                    [](const TogetherAnswer& a) { return a.options.together; }),
               part.list("calls", "the calls, in the order of the file", calls_of, call_parts()),
               part("makespan", "", Unit::seconds, "time until all calls are done",
                    [](const TogetherAnswer& a) { return a.together.makespan_s; }),
               seeds_part<TogetherAnswer>(),
               part(keys::kMessages, [](const TogetherAnswer& a) { return a.together.messages; }),
               part.object("busiest_link", "the link that sends longest, or null", busiest_of,
                           loaded_link_parts()),
               part.list(
                       keys::kLinkLoads,
                       [](const TogetherAnswer& a) {
                         return loaded_links(a.network, a.together.all, a.links);
                       },
                       loaded_link_parts())
                   .when([](const TogetherAnswer& a) { return !a.options.links.empty(); })});
}

void check_together(const Given& given) {
  std::vector<std::string> names = {"schedule", "--algorithm",  "--library", "--root",
                                    "--from",   "--to",         "--size",    "--beside",
                                    "--calls",  "--rank-times", "--counts"};
  for (const algorithm::Option& option : algorithm::options())
    names.push_back(fmt::format("--{}", option.name));
  given.refuse(
      names,
      "with --together, whose file describes each call; leave it out (-t names the network)");
}

int simulate_calls(
    const SimulationQuestion& asked, const simulation::SimulationOptions& simulation,
    Streams& streams,
    const std::function<std::vector<LinkId>(const simulation::SimulationResult& result)>& choose) {
  require(asked.said.of("topology"), "--together needs a network; give --topology");
  require(simulation.model == simulation::Model::fluid,
          "--together needs the fluid model; leave out --model {}", name_of(simulation.model));
  const Network network = make_network(asked.said, asked.common.seed);
  const auto calls = advise::read_together(read_file(asked.together), asked.together, network);
  require_used_by_some(asked.said, calls);
  const auto prepared = advise::prepare(calls, network, simulation);
  add_notes(asked, network, calls, prepared, *streams.notes);
  const Together together = advise::run_together(calls, prepared, simulation);
  const auto links = asked.links.empty() ? std::vector<LinkId>() : choose(together.all);
  const auto spread = spread_of(asked, network, calls, prepared, simulation);
  const TogetherAnswer a{asked, network, calls, prepared, together, links, spread};
  if (asked.common.json)
    print_json("simulate", a, together_parts(), asked.common, streams);
  else
    print_text(a, streams);
  return kFine;
}

}  // namespace weft::cli
