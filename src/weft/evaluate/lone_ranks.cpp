#include "lone_ranks.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/schedule/route_walk.hpp"

namespace weft::evaluate {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double seconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * 1e-12;
}

// A link, and what is known of it.
struct LinkLoad {
  double bytes = 0, first_s = kNever;  // over the whole program, from which on
};

// What one agent sends or receives over one link in one step.
struct PortLoad {
  std::int64_t step = -1;
  schedule::Agent agent;
  double bytes = 0, first_s = kNever;
};

// Whose messages are followed.
enum class Seen : std::uint8_t {
  all,              // every agent's
  representatives,  // of a symmetry that moves the network too: an agent stands for its orbit
  own_sends,        // what representatives send, not what they receive
};

Seen seen_of(const program::Program& program, const Network& network, LoneWays ways) {
  if (program.symmetry().is_trivial() || !program.translates_alike()) return Seen::all;
  if (ways == LoneWays::one_link) return Seen::own_sends;
  return program.moves_on(network) ? Seen::representatives : Seen::own_sends;
}

class LoneRanks {
 public:
  LoneRanks(const program::Program& program, const Network& network, LoneWays ways)
      : ways_(ways),
        seen_(seen_of(program, network, ways)),
        program_(program),
        network_(network),
        nodes_(program.nodes_on(network)),
        walk_(network, schedule::explicit_routes(
                           program.route_count(),
                           [&program](schedule::RouteId route) { return program.route(route); },
                           program.symmetry(), nodes_, network)),
        entered_(place(schedule::Agent(static_cast<std::int32_t>(nodes_.size()) - 1)) + 1, 0),
        links_(network.topology().link_count()),
        out_(links_.size()),
        in_(links_.size()) {
    WEFT_ASSERT(!nodes_.empty());
    std::vector<double> egress_Bps(network.topology().node_count(), 0);
    for (const LinkId link : network.topology().links()) {
      least_latency_s_ = std::min(least_latency_s_, seconds(network.fabric().latency_ps(link)));
      double& egress = egress_Bps[network.topology().tail(link).index()];
      egress += bandwidth_Bps(link);
      most_Bps_ = std::max(most_Bps_, egress);
    }
  }

  LoneRanksTime run() && {
    for (step_ = 0; step_ < program_.steps(); ++step_) pass();
    double least_s = *std::ranges::max_element(entered_);
    for (std::size_t link = 0; link < links_.size(); ++link)
      if (links_[link].bytes > 0)
        least_s = std::max(least_s,
                           links_[link].first_s + links_[link].bytes / bandwidth_Bps(LinkId(link)));
    WEFT_ASSERT(least_s >= 0);
    return {least_s, work_};
  }

 private:
  std::size_t place(schedule::Agent agent) const {
    return seen_ == Seen::all ? agent.index()
                              : static_cast<std::size_t>(program_.symmetry().orbit(agent));
  }
  double bandwidth_Bps(LinkId link) const {
    return static_cast<double>(network_.fabric().bandwidth_Bps(link));
  }

  void pass() {
    if (seen_ == Seen::all)
      program_.step(step_, messages_, program::Copies::left_out);
    else
      program_.representatives(step_, messages_);
    next_ = entered_;
    if (ways_ == LoneWays::one_link) {
      for (const program::Transfer& each : messages_.transfers) send_over_one_link(each);
      work_ += std::ssize(messages_.transfers);
      entered_.swap(next_);
      return;
    }
    walk_.clear();
    for (const program::Transfer& each : messages_.transfers)
      walk_.add(nodes_[each.from], nodes_[each.to], each.route, each.element);
    walk_.route();
    work_ += walk_.work();
    for (std::size_t i = 0; i < messages_.transfers.size(); ++i)
      send(messages_.transfers[i], static_cast<std::int64_t>(i));
    entered_.swap(next_);
  }

  void send_over_one_link(const program::Transfer& message) {
    const double entered_s = entered_[place(message.from)];
    if (nodes_[message.from] == nodes_[message.to]) return delay(message, entered_s);
    delay(message, entered_s + least_latency_s_ + static_cast<double>(message.bytes) / most_Bps_);
  }

  void send(const program::Transfer& message, std::int64_t index) {
    const auto links = walk_.links(index);
    const auto shares = walk_.shares(index);
    const double entered_s = entered_[place(message.from)];
    if (links.empty()) return delay(message, entered_s);
    const double first_s = entered_s + seconds(walk_.latency_ps(index));
    const auto bytes = static_cast<double>(message.bytes);
    double sent_s = 0;
    for (std::size_t j = 0; j < links.size(); ++j) {
      const double part = shares.empty() ? bytes : bytes * shares[j].to_double();
      if (seen_ == Seen::all) {
        LinkLoad& load = links_[links[j].index()];
        load.bytes += part;
        load.first_s = std::min(load.first_s, first_s);
      }
      sent_s = std::max(sent_s, part / bandwidth_Bps(links[j]));
    }
    delay(message, first_s + sent_s);
    if (!shares.empty()) return;
    raise(message.from, through(out_, links.front(), message.from, bytes, first_s));
    if (seen_ == Seen::all)
      raise(message.to, through(in_, links.back(), message.to, bytes, first_s));
  }

  void raise(schedule::Agent agent, double time_s) {
    next_[place(agent)] = std::max(next_[place(agent)], time_s);
  }
  void delay(const program::Transfer& message, double delivered_s) {
    raise(message.from, delivered_s);
    if (seen_ != Seen::own_sends) raise(message.to, delivered_s);
  }

  // When the agent's messages of the step, as many as are known, are through this link at least.
  // Of agents on one node the first one counts alone.
  double through(std::vector<PortLoad>& ports, LinkId link, schedule::Agent agent, double bytes,
                 double first_s) {
    PortLoad& port = ports[link.index()];
    if (port.step != step_) port = {step_, agent};
    if (port.agent != agent) return 0;
    port.bytes += bytes;
    port.first_s = std::min(port.first_s, first_s);
    return port.first_s + port.bytes / bandwidth_Bps(link);
  }

  LoneWays ways_;
  Seen seen_;
  double least_latency_s_ = kNever;
  double most_Bps_ = 0;  // of all links that leave a node, over which a message may be split
  const program::Program& program_;
  const Network& network_;
  IdVector<schedule::Agent, NodeId> nodes_;
  schedule::RouteWalk walk_;
  std::vector<double> entered_, next_;  // by place()
  std::vector<LinkLoad> links_;
  std::vector<PortLoad> out_, in_;  // by first or last link
  std::int64_t step_ = 0, work_ = 0;
  program::StepProgram messages_;
};

}  // namespace

bool bounded_by_lone_ranks(const simulation::SimulationOptions& options) {
  return options.model == simulation::Model::fluid && options.sync == simulation::Sync::per_rank &&
         options.release != simulation::Release::injected && options.factors == nullptr &&
         options.call.eager_B == 0;
}

LoneRanksTime lone_ranks_time(const program::Program& program, const Network& network,
                              LoneWays ways) {
  // Of more a simulation takes longer still.
  if (program.symmetry().is_trivial() && program.message_count() > kMostMessagesOneByOne) return {};
  return LoneRanks(program, network, ways).run();
}

}  // namespace weft::evaluate
