#include "weft/order/order_study.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/network/host_buffer.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/foresight.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"
#include "weft/topology/names.hpp"

namespace weft::order {

namespace {

using search::Order;
using search::OrderNetwork;

constexpr std::string_view kFile = "file:";
constexpr Names<OrderObjectiveKind, 3> kObjectives{"objective", {"hops", "makespan", "time"}};

// The hosts of an order, each once.
std::vector<std::int32_t> distinct(const Order& order) {
  std::vector<std::int32_t> hosts(order);
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

// Fills in the question's hosts and ranks.
Order order_from_file(OrderQuestion& question, const OrderNetwork& hosts,
                      const Topology& topology) {
  read_start(question, topology);
  const Order& order = question.listed;
  if (question.ranks == 0) question.ranks = std::ssize(order);
  require(std::ssize(order) >= question.ranks,
          "{} names {} hosts for {} ranks, but an order places every rank; add the others, or "
          "give --ranks {}",
          question.start.policy, order.size(), question.ranks, order.size());
  if (question.start.hosts.empty()) {
    auto named = distinct(order);
    if (std::ssize(named) < hosts.hosts()) question.start.hosts = std::move(named);
  }
  return search::order_from_hosts(hosts, order, question.start.cores, question.start.hosts);
}

Order make_start(OrderQuestion& question, const OrderNetwork& hosts, const Topology& topology) {
  return question.start.policy.starts_with(kFile) ? order_from_file(question, hosts, topology)
                                                  : search::start_order(hosts, question.start);
}

std::int32_t ranks_of(const OrderQuestion& question, const Order& start) {
  const auto places = static_cast<std::int64_t>(start.size());
  require(question.ranks >= 0, "invalid number of ranks: {} (expected at least 1)", question.ranks);
  require(question.ranks <= places, "{} ranks do not fit on {} hosts of {} cores; use at most {}",
          question.ranks, places / question.start.cores, question.start.cores, places);
  return static_cast<std::int32_t>(question.ranks > 0 ? question.ranks : places);
}

// The schedule and the segments that compare takes where the ranks are `there`. Built without a
// network: one that follows a network's structure has no ranks to permute.
schedule::Verified make_schedule(const OrderQuestion& question, std::int32_t ranks,
                                 const Network& there) {
  const auto& algorithm = algorithm::find_algorithm(question.algorithm);
  const Collective collective{question.collective, ranks};
  require(!schedule::traits_of(collective.kind).between_two(),
          "point-to-point has two ranks and needs no order; use weft simulate point-to-point");
  auto options = algorithm::taken_by(algorithm, question.options);
  if (algorithm.sized) options.size_B = question.size_B;
  require(algorithm.supports(collective.kind),
          "{} cannot run {}; name an algorithm that can (weft list algorithms)", algorithm.name,
          name_of(collective.kind));
  if (const auto reason = algorithm::misfit(algorithm, {collective, nullptr, options}))
    reject("{} places its ranks itself ({}); use an algorithm that runs on any network",
           algorithm.name, *reason);
  if (algorithm.sized)
    return schedule::verify_own(
        algorithm::build_schedule(algorithm.name, collective, nullptr, options));
  Candidate candidate = make_candidate(algorithm, collective, there, options);
  evaluate::settle_alone(candidate, {question.size_B}, there, question.simulation);
  const Candidate::Choice choice = candidate.choose(question.size_B);
  const std::vector<schedule::Schedule> built =
      algorithm::build_variants(algorithm.name, collective, nullptr, options);
  return schedule::verify_own(built.at(choice.variant)).with_segments(choice.segments);
}

search::OrderPattern pattern_of(const Program& program, std::int64_t most_messages) {
  require(program.message_count() <= most_messages,
          "{} messages are too many to search for an order (at most {}); use fewer ranks or "
          "another algorithm",
          program.message_count(), most_messages);
  std::vector<search::OrderMessage> messages;
  std::vector<std::size_t> first{0};
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const program::Transfer& transfer : step.transfers)
      messages.push_back({transfer.from.value(), transfer.to.value(), transfer.bytes});
    first.push_back(messages.size());
  }
  return {program.ranks(), messages, first};
}

/// Whether there is one step, of one message from each rank to each other one, all of one size.
bool is_all_to_all_at_once(const search::OrderPattern& pattern) {
  const std::int64_t ranks = pattern.ranks();
  const auto messages = pattern.messages();
  if (pattern.steps() != 1 || std::ssize(messages) != ranks * (ranks - 1)) return false;
  std::vector<bool> seen(ranks * ranks, false);
  return std::ranges::all_of(messages, [&](const search::OrderMessage& message) {
    const auto pair = static_cast<std::size_t>(message.from * ranks + message.to);
    const bool is_new = !seen[pair];
    seen[pair] = true;
    return is_new && message.bytes == messages.front().bytes;
  });
}

Placement placement_of(const Topology& topology, std::span<const std::int32_t> order) {
  const auto hosts = topology.hosts();
  Placement placement;
  placement.nodes.reserve(order.size());
  for (const std::int32_t host : order) placement.nodes.push_back(hosts[host]);
  return placement;
}

// The same network with its ranks elsewhere.
Network placed(const Network& network, std::span<const std::int32_t> order) {
  const std::shared_ptr<const network::Routing> routing(std::shared_ptr<const void>(),
                                                        &network.routing());
  return {network.fabric(), placement_of(network.topology(), order), network.host(), routing};
}

}  // namespace

void read_start(OrderQuestion& question, const Topology& topology) {
  if (!question.start.policy.starts_with(kFile) || !question.listed.empty()) return;
  const auto placed = topology::place(topology, {.policy = question.start.policy});
  const auto all = topology.hosts();
  for (const NodeId node : placed.nodes)
    question.listed.push_back(
        static_cast<std::int32_t>(std::lower_bound(all.begin(), all.end(), node) - all.begin()));
}

OrderObjectiveKind parse_order_objective(std::string_view name) {
  return kObjectives.value(name);
}

std::string_view name_of(OrderObjectiveKind kind) {
  return kObjectives[kind];
}

Network switched_network(const Network& network, std::int64_t switch_delay_ps,
                         std::string_view routing, std::uint64_t seed) {
  const Fabric fabric = search::with_switch_delay(network.fabric(), switch_delay_ps);
  return {fabric, network.placement(), network.host(), make_routing(routing, fabric, seed)};
}

OrderStudy::OrderStudy(const Network& network, const OrderQuestion& question,
                       std::shared_ptr<const search::OrderNetwork> hosts)
    : network_(network),
      question_(question),
      hosts_(hosts ? std::move(hosts) : std::make_shared<const OrderNetwork>(network.fabric())),
      start_(make_start(question_, *hosts_, network.topology())) {
  hosts_->require_connected(start_, network.topology().name());
  require(!simulation::by_packets(question.simulation.model),
          "orders are timed with the model fluid or alpha-beta, not {}; simulate the order "
          "that was found with weft simulate --placement file:ORDER",
          name_of(question.simulation.model));
  const std::int32_t ranks = ranks_of(question_, start_);
  const Network there = placed(network, std::span(start_).first(static_cast<std::size_t>(ranks)));
  const schedule::Verified verified = make_schedule(question, ranks, there);
  messages_ = schedule::message_sizes(verified.schedule(), question.size_B);
  const Program call = lower(verified, {.size_B = question.size_B,
                                        .copies = program::plan_copies(verified, network.host())});
  pattern_ = std::make_unique<const search::OrderPattern>(pattern_of(call, question.most_messages));
  program_ = std::make_unique<const Program>(repeat(call, question.calls));
  if (std::ssize(start_) == ranks && is_all_to_all_at_once(*pattern_) &&
      covers(simulation::Shortcut::alike_orders, question.simulation, network))
    alike_ = std::make_unique<Alike>();
  send_.startup_s = static_cast<double>(network.host().send_ps()) * kSecondsPerPicosecond;
  send_.receive_s = static_cast<double>(network.host().receive_ps()) * kSecondsPerPicosecond;
  send_.per = network.host().startup_per;
  const std::int64_t copy_Bps = network.host().copy_Bps(network::host_buffer_B(
      call.collective()->buffer_bytes(question.size_B), there.placement().most_on_a_host()));
  if (copy_Bps > 0) send_.copy_seconds_per_byte = 1 / static_cast<double>(copy_Bps);
}

Network OrderStudy::network_at(std::span<const std::int32_t> order) const {
  return placed(network_, order.first(static_cast<std::size_t>(ranks())));
}

std::vector<std::int32_t> OrderStudy::allocation() const {
  return distinct(question_.start.hosts);
}

Order OrderStudy::start_by(const std::string& policy) const {
  search::OrderStart start = question_.start;
  start.policy = policy;
  return search::start_order(*hosts_, start);
}

std::optional<Order> OrderStudy::start_by_name() const {
  const Topology& topology = network_.topology();
  const auto name = [&](std::int32_t host) -> const std::string& {
    return topology::name_of(topology, topology.hosts()[host]);
  };
  Order order = start_;
  if (std::ranges::any_of(order, [&](std::int32_t host) { return name(host).empty(); })) return {};
  std::ranges::stable_sort(order, topology::counts_before, name);
  return order;
}

std::int64_t OrderStudy::least_hops() const {
  return search::least_hops(*hosts_, *pattern_, start_);
}

OrderStudy::Timed OrderStudy::timed(std::span<const std::int32_t> order) const {
  const auto run = [&](std::span<const std::int32_t> hosts) -> Timed {
    const auto result = simulate(*program_, network_at(hosts), question_.simulation);
    return {result.time_s, std::max(result.work, result.messages)};
  };
  if (!alike_) return run(order);
  std::call_once(alike_->simulated, [&] { alike_->timed = run(start_); });
  return alike_->timed;
}

/// time_s(), as far as it is to be known.
search::CostRange OrderStudy::foreseen_s(std::span<const std::int32_t> order,
                                         double limit_s) const {
  if (alike_) return {time_s(order), time_s(order)};
  const auto [least_s, most_s] =
      simulation::foresee_time(*program_, network_at(order), question_.simulation, limit_s);
  return {least_s, most_s};
}

double OrderStudy::makespan_s(std::span<const std::int32_t> order) const {
  return search::makespan_s(*hosts_, order, *pattern_, send_);
}

OrderCost OrderStudy::cost(std::span<const std::int32_t> order) const {
  const auto [time_s, work] = timed(order);
  return {search::total_hops(*hosts_, order, *pattern_), makespan_s(order), time_s, work};
}

std::unique_ptr<search::OrderObjective> OrderStudy::objective(OrderObjectiveKind kind,
                                                              Order order) const {
  if (kind == OrderObjectiveKind::hops)
    return std::make_unique<search::HopObjective>(*hosts_, std::move(order), *pattern_);
  if (kind == OrderObjectiveKind::makespan)
    if (auto tree = search::find_tree(*pattern_))
      return std::make_unique<search::TreeMakespan>(*hosts_, std::move(order), std::move(*tree),
                                                    send_);
  if (kind == OrderObjectiveKind::makespan)
    return std::make_unique<search::EvaluatedObjective>(
        [this](std::span<const std::int32_t> hosts) { return makespan_s(hosts); },
        std::move(order));
  return std::make_unique<search::EvaluatedObjective>(
      [this](std::span<const std::int32_t> hosts) { return time_s(hosts); }, std::move(order),
      [this](std::span<const std::int32_t> hosts, double limit_s) {
        return foreseen_s(hosts, limit_s);
      });
}

search::OrderResult OrderStudy::search_from(Order order, OrderObjectiveKind kind,
                                            search::OrderSearchOptions options) const {
  if (kind == OrderObjectiveKind::hops) options.floor = static_cast<double>(least_hops());
  const auto objective = this->objective(kind, std::move(order));
  return search::search_order(*objective, options);
}

OrderAnswer OrderStudy::search(OrderObjectiveKind kind, search::OrderSearchOptions options) const {
  OrderAnswer answer{cost(start_), {}, search_from(start_, kind, std::move(options))};
  answer.found = answer.result.order == start_ ? answer.start : cost(answer.result.order);
  answer.result.order.resize(ranks());
  return answer;
}

}  // namespace weft::order
