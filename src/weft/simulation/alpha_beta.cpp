// The alpha-beta model: the formulas, with the exact loads of the links.
//
// Steps follow each other with a barrier between them (whatever the reading of the steps that was
// asked for), and a step costs
//
//     s * alpha + r * alpha_receive + L + max(load, injection, copies) + packing + unpacking
//
//   s          start-ups: 1, or with k ports ceil(messages / k) for the host that sends most; 0
//              when all messages are to oneself, or all senders are switches
//   r          start-ups of receivers: 1, or 0 when all messages are to oneself or to switches
//   L          latency of the step's longest route
//   load       the largest bytes / bandwidth of a link
//   injection  with k ports: the largest bytes / (k * bandwidth of the fastest link) of a sender
//   copies     the longest time of a message within a node: bytes / copy bandwidth, or that of the
//              loopback
//   packing    the longest time that an agent packs what it sends
//   unpacking  the longest time that an agent unpacks and reduces what it received
//
// with work of an agent's own in one of the two. The rendezvous and the eager copies of a
// message count as its latency.
//
// Factors by message size scale the latency of a route and what a message loads its links with.
// Without start-ups and latency this is T_B * M / B of the exact cost.
//
// Loads add up message by message, so that a step need not have all its routes in memory: where
// none depends on the others they are made for some thousands of messages at a time. Split over the
// ways of a fat tree those of an all-to-all among 1,000 ranks take 2 GB. Many messages to one node
// have no routes at all where the routing knows ways (network/ways_to.hpp): they are split
// together. Of a program that moves with a symmetry of the network one agent of each orbit sends
// (orbits.hpp).
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/network/ways_to.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"
#include "weft/simulation/within_host.hpp"

namespace weft::simulation {

namespace {

class AlphaBeta {
 public:
  AlphaBeta(const Program& program, const Network& network, const SimulationOptions& options)
      : network_(network),
        options_(options),
        startups_(startups_of(network.host())),
        orbits_(orbits_of(program, network, options)),
        in_parts_(orbits_ == nullptr && options.factors == nullptr && program.route_count() == 0 &&
                  !network.routing().sees_whole_step()),
        window_(program, network,
                {.routes = in_parts_ ? Routes::only_explicit : Routes::all,
                 .call = options.call,
                 .factors = options.factors.get()}),
        pouring_(network.fabric()),
        statistics_(options.link_statistics),
        scaled_(options.factors != nullptr) {
    window_.follow(orbits_.get());
    capacities_ = window_.capacities();
    loads_.resize(capacities_.size());
    parts_.resize(static_cast<std::size_t>(window_.places().count));
    result_.agent_times_s.resize(parts_.size());
    if (statistics_) result_.link_bytes.resize(loads_.size());
    const auto order = static_cast<std::size_t>(window_.places().agents_of_one);
    for (std::size_t place = 0; place < parts_.size(); ++place)
      fastest_Bps_.push_back(fastest_link(node(Agent(place * order))));
  }

  SimulationResult run() && {
    for (std::int64_t t = 0; t < window_.steps(); ++t) {
      TimeLimit::check();
      LoadedStep& step = window_.at(window_.slot(t));
      result_.time_s += step_time_s(step);
      for (std::size_t a = 0; a < parts_.size(); ++a)
        if (step.agents[a].sends_left > 0 || step.agents[a].receives_left > 0)
          result_.agent_times_s[a] = result_.time_s;
      for (const program::OwnWork& own : step.program.own)
        result_.agent_times_s[step.place(own.at)] = result_.time_s;
      step.agents_left = 0;
      window_.drop_left();
    }
    if (orbits_) orbits_->expand(network_, result_);
    return std::move(result_);
  }

 private:
  // Of programs that have as many messages as all representatives' routes may take memory for.
  static std::unique_ptr<const Orbits> orbits_of(const Program& program, const Network& network,
                                                 const SimulationOptions& options) {
    constexpr std::int64_t kMost = 1 << 20;  // messages, and some hundred bytes each
    if (program.message_count() / program.symmetry().order() > kMost ||
        !covers(Shortcut::formula_orbits, program, network, options))
      return nullptr;
    return Orbits::of(program, network);
  }

  struct Part {
    std::int64_t messages = 0;  // over the network
    double bytes = 0, packing_s = 0, unpacking_s = 0;
  };
  struct Way {
    std::span<const LinkId> links;
    MessageLoads loads;
    std::int64_t latency_ps = 0;
  };
  struct Times {
    bool started = false, received = false;  // some message costs a host a start-up
    double latency_s = 0, busy_s = 0;
  };

  double fastest_link(NodeId node) const {
    std::int64_t fastest = 0;
    for (const LinkId link : network_.topology().out_links(node))
      fastest = std::max(fastest, network_.fabric().bandwidth_Bps(link));
    return static_cast<double>(fastest);
  }

  double step_time_s(const LoadedStep& step) {
    std::ranges::fill(parts_, Part{});
    std::ranges::fill(loads_, 0.0);
    Times times;
    const auto transfers = static_cast<std::int32_t>(step.program.transfers.size());
    pour_many(step, times);
    for (std::int32_t i = 0; i < transfers; ++i) {
      if (in_parts_ && i % kPart == 0) route_part(step, i, std::min(i + kPart, transfers));
      add_message(step, i, times);
    }
    for (const program::OwnWork& own : step.program.own)
      (own.phase == program::WorkPhase::before_sending ? part_of(step, own.at).packing_s
                                                       : part_of(step, own.at).unpacking_s) +=
          own_work_s(own, network_.host());
    for (std::size_t link = 0; link < loads_.size(); ++link) add_link(link, times);
    const int ports = network_.host().ports;
    std::int64_t startups = times.started ? 1 : 0;
    double packing_s = 0, unpacking_s = 0;
    for (std::size_t place = 0; place < parts_.size(); ++place) {
      const Part& part = parts_[place];
      packing_s = std::max(packing_s, part.packing_s);
      unpacking_s = std::max(unpacking_s, part.unpacking_s);
      if (ports == 0 || part.messages == 0) continue;
      startups = std::max(startups, (part.messages + ports - 1) / ports);
      times.busy_s = std::max(times.busy_s, part.bytes / (ports * fastest_Bps_[place]));
    }
    const double receive_s = times.received ? startups_.received_s() : 0;
    return static_cast<double>(startups) * startups_.send_s() + receive_s + times.latency_s +
           times.busy_s + packing_s + unpacking_s;
  }

  NodeId node(Agent agent) const { return window_.nodes()[agent]; }
  Part& part_of(const LoadedStep& step, Agent agent) { return parts_[step.place(agent)]; }

  // Splits messages to nodes that receive many from others. The rest is routed one by one.
  void pour_many(const LoadedStep& step, Times& times) {
    poured_.clear();
    const std::int64_t fewest = network::fewest_to_pour(network_.topology());
    const auto& transfers = step.program.transfers;
    if (!in_parts_ || !network_.routing().knows_ways() || std::ssize(transfers) < fewest) return;
    IdVector<NodeId, std::vector<std::int32_t>> to(network_.topology().node_count());
    for (std::size_t i = 0; i < transfers.size(); ++i)
      if (step.on_network(static_cast<std::int32_t>(i)))
        to[node(transfers[i].to)].push_back(static_cast<std::int32_t>(i));
    poured_.assign(transfers.size(), 0);
    for (const NodeId target : to.ids()) {
      if (std::ssize(to[target]) < fewest) continue;
      TimeLimit::check();
      std::int64_t message_ps = 0;
      for (const std::int32_t i : to[target]) {
        pouring_.add(node(transfers[i].from), static_cast<double>(transfers[i].bytes));
        message_ps = std::max(message_ps, network_.host().message_ps(transfers[i].bytes));
      }
      network_.routing().ways_to(target, ways_);
      const auto poured = pouring_.pour(ways_, target);
      if (!poured.complete) continue;  // route_part() says what cannot be reached
      for (const auto& [link, bytes] : poured.loads) loads_[link.index()] += bytes;
      for (const std::int32_t i : to[target]) poured_[i] = 1;
      times.latency_s = std::max(times.latency_s, seconds(poured.latency_ps + message_ps));
    }
  }
  bool is_poured(std::int32_t index) const { return !poured_.empty() && poured_[index] != 0; }

  // Routes of the messages in [first, last) that are not poured; of those that are, none.
  void route_part(const LoadedStep& step, std::int32_t first, std::int32_t last) {
    TimeLimit::check();
    flows_.clear();
    for (std::int32_t i = first; i < last; ++i) {
      const NodeId from = node(step.transfer(i).from);
      flows_.push_back({from, is_poured(i) ? from : node(step.transfer(i).to)});
    }
    part_.clear();
    network_.routing().route(flows_, part_);
  }

  Way way_of(const LoadedStep& step, std::int32_t index) const {
    if (!in_parts_) return {step.links(index), step.loads(index), step.latency_ps(index)};
    const std::int32_t at = index % kPart;
    return {part_.links(at),
            {part_.shares(at), {}},
            part_.latency_ps(at) + network_.host().message_ps(step.transfer(index).bytes)};
  }

  void add_message(const LoadedStep& step, std::int32_t index, Times& times) {
    const program::Transfer& transfer = step.transfer(index);
    const auto bytes = static_cast<double>(transfer.bytes);
    const Way way = way_of(step, index);
    times.started |= step.has_startup(index);
    times.received |= step.has_receive_startup(index);
    if (step.has_work()) {
      part_of(step, transfer.from).packing_s += step.packing_s[index];
      part_of(step, transfer.to).unpacking_s += step.unpacking_s[index];
    }
    if (way.links.empty() && !is_poured(index)) {
      times.busy_s = std::max(times.busy_s, within_host_s(transfer, window_.copy_Bps(), options_));
      return;
    }
    times.latency_s = std::max(times.latency_s, seconds(way.latency_ps));
    for (std::size_t j = 0; j < way.links.size(); ++j)
      loads_[way.links[j].index()] += bytes * way.loads[j];
    if (step.takes_port(index)) {
      ++part_of(step, transfer.from).messages;
      part_of(step, transfer.from).bytes += scaled_ ? bytes * slowness(step, index) : bytes;
    }
    if (statistics_ && scaled_) count_bytes(step, index);
  }

  /// Bytes that the sender's first link is busy with for each byte of the message.
  static double slowness(const LoadedStep& step, std::int32_t index) {
    const auto shares = step.shares(index);
    return step.loads(index)[0] / (shares.empty() ? 1 : shares[0].to_double());
  }

  /// Those that are sent, where factors make loads of another size.
  void count_bytes(const LoadedStep& step, std::int32_t index) {
    const auto links = step.links(index);
    const auto shares = step.shares(index);
    for (std::size_t j = 0; j < links.size(); ++j)
      result_.link_bytes[links[j].index()] += static_cast<double>(step.transfer(index).bytes) *
                                              (shares.empty() ? 1 : shares[j].to_double());
  }

  void add_link(std::size_t link, Times& times) {
    const double load = loads_[link];
    times.busy_s = std::max(times.busy_s, load / capacities_[link]);
    if (statistics_ && !scaled_) result_.link_bytes[link] += load;
  }

  static constexpr std::int32_t kPart = 1 << 14;

  const Network& network_;
  const SimulationOptions& options_;
  Startups startups_;
  std::unique_ptr<const Orbits> orbits_;  // null: all agents are followed
  bool in_parts_;                         // before the window, which then leaves routes out
  StepWindow window_;
  std::vector<network::Flow> flows_;  // of the part under way
  network::RouteTable part_;
  network::Pouring<double> pouring_;
  network::WaysTo ways_;
  std::vector<char> poured_;        // of this step, by message; empty where none is
  std::vector<double> loads_;       // of this step, bytes by link, or by orbit of links
  std::vector<double> capacities_;  // likewise
  std::vector<Part> parts_;         // by agent, or by orbit of agents
  std::vector<double> fastest_Bps_;
  bool statistics_;
  bool scaled_;  // loads and latencies, by the size of messages
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate_alpha_beta(const Program& program, const Network& network,
                                     const SimulationOptions& options) {
  return AlphaBeta(program, network, options).run();
}

}  // namespace weft::simulation
