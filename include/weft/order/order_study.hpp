// A study of rank orders: a schedule, the hosts that its ranks may stand on, and what an order
// costs.
//
//   const OrderStudy study(network, {.algorithm = "binomial", .size_B = 65536});
//   OrderAnswer answer = study.search(OrderObjectiveKind::hops, {.attempts = 1000});
//
// The schedule is built, proved and lowered once; an order moves its ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/message_sizes.hpp"
#include "weft/search/order_objectives.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::order {

/// The most messages of a schedule whose order is searched.
inline constexpr std::int64_t kMostOrderMessages = std::int64_t{1} << 25;

struct OrderQuestion {
  schedule::CollectiveKind collective = schedule::CollectiveKind::broadcast;  // from or to rank 0
  std::string algorithm = "binomial";  // one that needs no network
  algorithm::AlgorithmOptions options = {};
  std::int64_t size_B = 65536;
  std::int64_t ranks = 0;         // 0: hosts * cores, or as many as a file places
  search::OrderStart start = {};  // its policy may be file:PATH, and says the hosts to keep to
  search::Order listed = {};      // what that file names, once read_start() has read it
  SimulationOptions simulation = {};
  std::int32_t calls = 1;  // in a row, which simulated times are of; hops and makespan are of one
  std::int64_t most_messages = kMostOrderMessages;
};

/// Reads the hosts that a start from a file names, unless that was done: studies of one question
/// need not read it again, which a pipe does not allow. Throws InvalidInput as topology::place().
void read_start(OrderQuestion& question, const Topology& topology);

enum class OrderObjectiveKind : std::uint8_t { hops, makespan, time };
/// "hops", "makespan", "time"; any case. Throws InvalidInput.
OrderObjectiveKind parse_order_objective(std::string_view name);
std::string_view name_of(OrderObjectiveKind kind);

/// What an order costs by each objective.
struct OrderCost {
  std::int64_t hops = 0;  // links between switches, summed over the messages
  double makespan_s = 0;  // messages never meet
  double time_s = 0;      // simulated
  std::int64_t work = 0;  // of that simulation, see simulation::SimulationOptions::most_work
};

struct OrderAnswer {
  OrderCost start, found;
  search::OrderResult result;  // its order holds the ranks alone, without spare places
};

class OrderStudy {
 public:
  /// `network` gives fabric, host parameters and routing; its placement does not count. A start
  /// from a file that names fewer hosts than there are keeps to those, unless the question names
  /// others. `hosts`: the same network, where it is known already. Throws InvalidInput for an
  /// algorithm that follows a network, more ranks than hosts * cores, more than
  /// question.most_messages messages, and what OrderNetwork refuses. O(switches^2 + messages log
  /// messages).
  OrderStudy(const Network& network, const OrderQuestion& question,
             std::shared_ptr<const search::OrderNetwork> hosts = nullptr);

  std::int32_t ranks() const { return pattern_->ranks(); }
  const OrderQuestion& question() const { return question_; }
  const schedule::MessageSizes& messages() const { return messages_; }
  const search::OrderPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const search::OrderNetwork>& hosts() const { return hosts_; }
  /// All places: the ranks' first, then spare ones.
  const search::Order& start() const { return start_; }
  /// The hosts that orders keep to, ascending; empty where that is all of them.
  std::vector<std::int32_t> allocation() const;
  /// Another first order of the same places, by a policy of start_order().
  search::Order start_by(const std::string& policy) const;
  /// Hosts in the order of their names, numbers in them by value, as launchers and batch systems
  /// hand them out; nothing where not all have names.
  std::optional<search::Order> start_by_name() const;
  std::int64_t least_hops() const;

  /// The network with rank r on host order[r]; refers to the study's.
  Network network_at(std::span<const std::int32_t> order) const;
  OrderCost cost(std::span<const std::int32_t> order) const;
  /// Whether every order of the places takes as long: where each rank sends as much to every other
  /// one at once, as in an all-to-all by spread, no place stays empty, and no start-up, port or
  /// copy puts the messages of a rank in a row.
  bool is_alike_in_all_orders() const { return alike_ != nullptr; }
  /// Seconds by simulation, rank r on host order[r] (an index into the hosts), and its work.
  struct Timed {
    double time_s = 0;
    std::int64_t work = 0;
  };
  Timed timed(std::span<const std::int32_t> order) const;
  double time_s(std::span<const std::int32_t> order) const { return timed(order).time_s; }
  double makespan_s(std::span<const std::int32_t> order) const;

  /// Searches from an order of all places; the result's has them all.
  search::OrderResult search_from(search::Order order, OrderObjectiveKind kind,
                                  search::OrderSearchOptions options) const;
  OrderAnswer search(OrderObjectiveKind kind, search::OrderSearchOptions options) const;

 private:
  search::CostRange foreseen_s(std::span<const std::int32_t> order, double limit_s) const;
  std::unique_ptr<search::OrderObjective> objective(OrderObjectiveKind kind,
                                                    search::Order order) const;

  Network network_;
  OrderQuestion question_;
  std::shared_ptr<const search::OrderNetwork> hosts_;
  search::Order start_;
  schedule::MessageSizes messages_;
  std::unique_ptr<const Program> program_;
  std::unique_ptr<const search::OrderPattern> pattern_;
  search::SendCost send_;

  struct Alike {
    std::once_flag simulated;
    Timed timed;
  };
  std::unique_ptr<Alike> alike_;  // where all orders are
};

/// The fabric with a delay for each switch that a message passes, its routing remade: what orders
/// are judged on. The name is that of `weft list routings`.
Network switched_network(const Network& network, std::int64_t switch_delay_ps,
                         std::string_view routing, std::uint64_t seed);

}  // namespace weft::order
