// The same program on the same network in SimGrid: same links, same routes, same messages.
//
// One actor per rank; in each step it sends, receives and waits for all of it, as Sync::per_rank
// reads the steps. Model CM02 without cross-traffic, or SMPI with it and with its factors; both
// without a cap by the TCP window.
#pragma once

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <set>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::test {

struct SimgridResult {
  double time_s = 0;
  double cpu_s = 0;  // of the simulation, without building the platform
};

/// How SimGrid updates flows. Its lazy way, the default, is inexact: on torus:4x4 a shift
/// all-to-all, which is symmetric along y, ends at other times along y, and 5 % late; the full way
/// does not.
enum class Updates { full, lazy };

/// When receives are posted: at the start, so that a message leaves when its sender sends it, as in
/// the fluid model; or in their step, as an MPI program would.
enum class Receives { posted_early, posted_in_step };

enum class SimgridModel { cm02, smpi };

struct SimgridOptions {
  Receives receives = Receives::posted_early;
  Updates updates = Updates::full;
  SimgridModel model = SimgridModel::cm02;
  Cables cables = Cables::duplex;
};

namespace simgrid_detail {

namespace s4u = simgrid::s4u;

struct Operation {
  std::int32_t peer;
  double bytes;
};
/// Sends and receives of one rank, by step.
struct RankScript {
  std::vector<std::vector<Operation>> sends, receives;
};

inline std::vector<RankScript> scripts(const Program& program) {
  const auto steps = static_cast<std::size_t>(program.steps());
  std::vector<RankScript> result(static_cast<std::size_t>(program.agents()));
  for (RankScript& script : result) {
    script.sends.resize(steps);
    script.receives.resize(steps);
  }
  program::StepProgram step;
  for (std::size_t t = 0; t < steps; ++t) {
    program.step(static_cast<std::int64_t>(t), step);
    for (const program::Transfer& transfer : step.transfers) {
      const auto bytes = static_cast<double>(transfer.bytes);
      result[transfer.from.index()].sends[t].push_back({transfer.to.value(), bytes});
      result[transfer.to.index()].receives[t].push_back({transfer.from.value(), bytes});
    }
  }
  return result;
}

inline s4u::Mailbox* mailbox(std::int32_t from, std::int32_t to) {
  return s4u::Mailbox::by_name(fmt::format("{}>{}", from, to));
}

inline void play(std::int32_t rank, const RankScript& script, Receives receives) {
  static int payload = 0;
  const std::size_t steps = script.sends.size();
  std::vector<std::vector<s4u::CommPtr>> posted(steps);
  std::vector<int*> landings;
  std::size_t count = 0;
  for (const auto& step : script.receives) count += step.size();
  landings.resize(count);
  std::size_t next = 0;
  const auto post = [&](std::size_t t) {
    for (const Operation& receive : script.receives[t])
      posted[t].push_back(mailbox(receive.peer, rank)->get_async<int>(&landings[next++]));
  };
  for (std::size_t t = 0; receives == Receives::posted_early && t < steps; ++t) post(t);
  for (std::size_t t = 0; t < steps; ++t) {
    if (receives == Receives::posted_in_step) post(t);
    for (const Operation& send : script.sends[t])
      posted[t].push_back(
          mailbox(rank, send.peer)->put_async(&payload, static_cast<std::uint64_t>(send.bytes)));
    for (const s4u::CommPtr& comm : posted[t]) comm->wait();
    posted[t].clear();
  }
}

inline std::set<std::int32_t> peers_of(const RankScript& script) {
  std::set<std::int32_t> peers;
  for (const auto& step : script.sends)
    for (const Operation& send : step) peers.insert(send.peer);
  return peers;
}

/// Routes between the ranks that send to each other. What comes back of a message needs a way back:
/// the same cables or, where links are one-way, the network's own route.
inline void add_routes(s4u::NetZone& zone, const Network& network,
                       const std::vector<RankScript>& scripts, const std::vector<s4u::Host*>& hosts,
                       const std::vector<s4u::Link*>& links) {
  for (std::size_t from = 0; from < scripts.size(); ++from) {
    for (const std::int32_t to : peers_of(scripts[from])) {
      const auto& nodes = network.placement().nodes;
      const network::Flow flows[] = {{nodes[from], nodes[to]}, {nodes[to], nodes[from]}};
      network::RouteTable route;
      network.routing().route(flows, route);
      std::vector<s4u::LinkInRoute> path, back;
      for (const LinkId link : route.links(0)) path.emplace_back(links[link.index()]);
      const auto other_way = [&](LinkId link) { return network.topology().reverse(link); };
      const auto has_other_way = [&](LinkId link) { return other_way(link).has_value(); };
      if (std::ranges::all_of(route.links(0), has_other_way)) {
        for (const LinkId link : route.links(0)) back.emplace_back(links[other_way(link)->index()]);
        std::ranges::reverse(back);
      } else {
        for (const LinkId link : route.links(1)) back.emplace_back(links[link.index()]);
      }
      const auto add = [&](std::size_t source, std::size_t sink, const auto& way) {
        zone.add_route(hosts[source]->get_netpoint(), hosts[sink]->get_netpoint(), nullptr, nullptr,
                       way, false);
      };
      const auto target = static_cast<std::size_t>(to);
      add(from, target, path);
      if (!peers_of(scripts[target]).contains(static_cast<std::int32_t>(from)))
        add(target, from, back);
    }
  }
}

inline std::vector<s4u::Host*> build_platform(const Network& network,
                                              const std::vector<RankScript>& scripts,
                                              Cables cables) {
  const auto ranks = static_cast<std::int32_t>(scripts.size());
  s4u::NetZone* zone = s4u::create_full_zone("zone");
  std::vector<s4u::Host*> hosts;
  for (std::int32_t rank = 0; rank < ranks; ++rank)
    hosts.push_back(zone->create_host(fmt::format("rank{}", rank), 1e9));
  std::vector<s4u::Link*> links;
  for (const LinkId link : network.topology().links()) {
    const LinkId back = network.topology().reverse(link).value_or(link);
    if (cables == Cables::shared && back < link) {
      links.push_back(links[back.index()]);
      continue;
    }
    links.push_back(
        zone->create_link(fmt::format("link{}", link.value()),
                          static_cast<double>(network.fabric().bandwidth_Bps(link)))
            ->set_latency(static_cast<double>(network.fabric().latency_ps(link)) * 1e-12)
            ->seal());
  }
  add_routes(*zone, network, scripts, hosts, links);
  zone->seal();
  return hosts;
}

inline double cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline SimgridResult simulate_here(const Program& program, const Network& network,
                                   const SimgridOptions& options) {
  const bool smpi = options.model == SimgridModel::smpi;
  std::vector<std::string> words = {
      "weft",
      "--log=root.thresh:error",
      smpi ? "--cfg=network/model:SMPI" : "--cfg=network/model:CM02",
      smpi ? "--cfg=network/crosstraffic:1" : "--cfg=network/crosstraffic:0",
      "--cfg=network/TCP-gamma:1e20",
      "--cfg=surf/precision:1e-12",
      options.updates == Updates::full ? "--cfg=network/optim:Full" : "--cfg=network/optim:Lazy",
      "--cfg=contexts/stack-size:128"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  s4u::Engine engine(&count, arguments.data());
  const std::vector<RankScript> all = scripts(program);
  const std::vector<s4u::Host*> hosts = build_platform(network, all, options.cables);
  for (std::int32_t rank = 0; rank < program.agents(); ++rank)
    s4u::Actor::create(fmt::format("rank{}", rank), hosts[rank],
                       [&all, rank, &options] { play(rank, all[rank], options.receives); });
  const double start = cpu_s();
  engine.run();
  return {s4u::Engine::get_clock(), cpu_s() - start};
}

/// Simulates and writes the result; no exception may leave the child process.
inline bool report(const Program& program, const Network& network, const SimgridOptions& options,
                   int to) try {
  const SimgridResult result = simulate_here(program, network, options);
  return write(to, &result, sizeof result) == sizeof result;
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return false;
}

}  // namespace simgrid_detail

/// Runs SimGrid in a process of its own, since it lives once per process. Every message goes
/// between nodes, along routes that are not split.
inline SimgridResult simulate_in_simgrid(const Program& program, const Network& network,
                                         const SimgridOptions& options = {}) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) _exit(simgrid_detail::report(program, network, options, ends[1]) ? 0 : 1);
  close(ends[1]);
  SimgridResult result;
  const bool complete = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!complete) throw std::runtime_error("SimGrid did not finish");
  return result;
}

}  // namespace weft::test
