#include "single_ranks.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/evaluate/bounds/processor_work.hpp"
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
  double least_work_s = kNever;  // of the agent on one of these messages after it came
};

// A message that its receiver works on.
struct Arrival {
  std::size_t place = 0;
  double time_s = 0, work_s = 0;
};

// Whose messages are followed.
enum class Seen : std::uint8_t {
  all,              // every agent's
  representatives,  // of a symmetry that moves the network too: an agent stands for its orbit
  own_sends,        // what representatives send, not what they receive
};

Seen seen_of(const program::Program& program, const Network& network, SingleRankWays ways) {
  if (program.symmetry().is_trivial() || !program.translates_alike()) return Seen::all;
  if (ways == SingleRankWays::one_link) return Seen::own_sends;
  return program.moves_on(network) ? Seen::representatives : Seen::own_sends;
}

class SingleRanks {
 public:
  SingleRanks(const program::Program& program, const Network& network, SingleRankWays ways)
      : ways_(ways),
        seen_(seen_of(program, network, ways)),
        program_(program),
        network_(network),
        nodes_(program.nodes_on(network)),
        walk_(network, schedule::explicit_routes(
                           program.route_count(),
                           [&program](schedule::RouteId route) { return program.route(route); },
                           program.symmetry(), nodes_, network)),
        processors_(program, network),
        entered_(place(schedule::Agent(static_cast<std::int32_t>(nodes_.size()) - 1)) + 1, 0),
        sending_s_(entered_.size(), 0),
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

  SingleRanksTime run() && {
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
    const bool copies =
        seen_ == Seen::all && !network_.host().copies_are_free() && ways_ == SingleRankWays::routed;
    if (seen_ == Seen::all)
      program_.step(step_, messages_,
                    copies ? program::Copies::counted : program::Copies::left_out);
    else
      program_.representatives(step_, messages_);
    next_ = entered_;
    if (processors_.work()) {
      processors_.measure(messages_, nodes_);
      std::ranges::fill(sending_s_, 0.0);
    }
    if (ways_ == SingleRankWays::one_link) {
      for (std::size_t i = 0; i < messages_.transfers.size(); ++i)
        send_over_one_link(messages_.transfers[i], i);
      work_ += std::ssize(messages_.transfers);
    } else {
      send_routed();
    }
    work_off();
    entered_.swap(next_);
  }

  void send_routed() {
    walk_.clear();
    for (const program::Transfer& each : messages_.transfers)
      walk_.add(nodes_[each.from], nodes_[each.to], each.route, each.element);
    walk_.route();
    work_ += walk_.work();
    for (std::size_t i = 0; i < messages_.transfers.size(); ++i)
      send(messages_.transfers[i], static_cast<std::int64_t>(i));
  }

  // When the message leaves its sender: it packs and starts one after the other, in this order.
  double leaves_s(const program::Transfer& message, std::size_t index) {
    const std::size_t from = place(message.from);
    if (!processors_.work()) return entered_[from];
    sending_s_[from] += processors_.sending_s(index);
    return entered_[from] + sending_s_[from] + processors_.delay_s(index);
  }

  void send_over_one_link(const program::Transfer& message, std::size_t index) {
    const double leaves = leaves_s(message, index);
    if (nodes_[message.from] == nodes_[message.to]) return deliver(message, index, leaves);
    deliver(message, index,
            leaves + least_latency_s_ + seconds(network_.host().latency_ps) +
                static_cast<double>(message.bytes) / most_Bps_);
  }

  void send(const program::Transfer& message, std::int64_t index) {
    const auto links = walk_.links(index);
    const auto shares = walk_.shares(index);
    const double leaves = leaves_s(message, static_cast<std::size_t>(index));
    if (links.empty()) return deliver(message, static_cast<std::size_t>(index), leaves);
    const double first_s = leaves + seconds(walk_.latency_ps(index) + network_.host().latency_ps +
                                            network_.host().rendezvous.of(message.bytes));
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
    deliver(message, static_cast<std::size_t>(index), first_s + sent_s);
    if (!shares.empty()) return;
    raise(message.from, through(out_, links.front(), message.from, bytes, first_s, 0));
    if (seen_ == Seen::all)
      raise(message.to, through(in_, links.back(), message.to, bytes, first_s,
                                processors_.receiving_s(static_cast<std::size_t>(index))));
  }

  void raise(schedule::Agent agent, double time_s) {
    next_[place(agent)] = std::max(next_[place(agent)], time_s);
  }
  void deliver(const program::Transfer& message, std::size_t index, double delivered_s) {
    raise(message.from, delivered_s);
    if (seen_ == Seen::own_sends) return;
    raise(message.to, delivered_s);
    if (processors_.work())
      arrivals_.push_back({place(message.to), delivered_s, processors_.receiving_s(index)});
  }

  // Receivers work on what came, one message after the other; first come, first served ends first.
  // Before that they pack all that they send in the step.
  void work_off() {
    if (arrivals_.empty()) return;
    std::ranges::sort(arrivals_, {},
                      [](const Arrival& each) { return std::pair(each.place, each.time_s); });
    for (std::size_t i = 0; i < arrivals_.size();) {
      const std::size_t place = arrivals_[i].place;
      double free_s = entered_[place] + (processors_.sends_first() ? sending_s_[place] : 0);
      for (; i < arrivals_.size() && arrivals_[i].place == place; ++i)
        free_s = std::max(free_s, arrivals_[i].time_s) + arrivals_[i].work_s;
      next_[place] = std::max(next_[place], free_s);
    }
    arrivals_.clear();
  }

  // When the agent's messages of the step, as many as are known, are through this link at least.
  // Of agents on one node the first one counts alone.
  double through(std::vector<PortLoad>& ports, LinkId link, schedule::Agent agent, double bytes,
                 double first_s, double work_s) {
    PortLoad& port = ports[link.index()];
    if (port.step != step_) port = {step_, agent};
    if (port.agent != agent) return 0;
    port.bytes += bytes;
    port.first_s = std::min(port.first_s, first_s);
    port.least_work_s = std::min(port.least_work_s, work_s);
    return port.first_s + port.bytes / bandwidth_Bps(link) + port.least_work_s;
  }

  SingleRankWays ways_;
  Seen seen_;
  double least_latency_s_ = kNever;
  double most_Bps_ = 0;  // of all links that leave a node, over which a message may be split
  const program::Program& program_;
  const Network& network_;
  IdVector<schedule::Agent, NodeId> nodes_;
  schedule::RouteWalk walk_;
  ProcessorWork processors_;
  std::vector<double> entered_, next_;  // by place()
  std::vector<double> sending_s_;       // by place(): work on what was sent so far in the step
  std::vector<Arrival> arrivals_;       // of the step, where receivers work
  std::vector<LinkLoad> links_;
  std::vector<PortLoad> out_, in_;  // by first or last link
  std::int64_t step_ = 0, work_ = 0;
  program::StepProgram messages_;
};

}  // namespace

SingleRanksTime single_ranks_time(const program::Program& program, const Network& network,
                                  SingleRankWays ways) {
  // Of more a simulation takes longer still.
  if (program.symmetry().is_trivial() && program.message_count() > kMostMessagesOneByOne) return {};
  return SingleRanks(program, network, ways).run();
}

}  // namespace weft::evaluate
