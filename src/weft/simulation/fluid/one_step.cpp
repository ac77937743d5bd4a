#include "weft/simulation/fluid/one_step.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/simulation/fluid/max_min.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/recall.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::simulation {

namespace {

constexpr std::size_t kMostLengths = 8;
constexpr std::size_t kAtOnce = 1 << 16;   // messages that are routed together
constexpr std::int64_t kLoadsNumber = -2;  // of a Recall::Key
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Finds the loads of a step.
class Loading {
 public:
  Loading(const Program& program, const Network& network)
      : network_(network),
        nodes_(program.nodes_on(network)),
        walk_(network),
        started_(nodes_.size(), 0) {
    program.step(0, step_, program::Copies::left_out);
    WEFT_ASSERT(program.steps() == 1 && program.route_count() == 0);
    loads_->first_s.assign(network.topology().link_count(), kNever);
  }

  std::int64_t work() const { return work_; }

  /// Null where messages have over kMostLengths lengths. Throws OutOfWork beyond `most_work`.
  std::shared_ptr<const OneStepLoads> find(std::int64_t most_work) {
    const std::span<const program::Transfer> transfers = step_.transfers;
    for (const program::Transfer& transfer : transfers) {
      const auto [of_length, is_new] = loads_->weights.try_emplace(transfer.bytes);
      if (is_new) of_length->second.assign(loads_->first_s.size(), 0);
      if (loads_->weights.size() > kMostLengths) return nullptr;
    }
    const std::size_t at_once = network_.routing().sees_whole_step() ? transfers.size() : kAtOnce;
    for (std::size_t i = 0; i < transfers.size(); i += at_once) {
      TimeLimit::check();
      add(transfers.subspan(i, std::min(at_once, transfers.size() - i)));
      if (work_ > most_work) throw OutOfWork();
    }
    return loads_;
  }

 private:
  void add(std::span<const program::Transfer> transfers) {
    walk_.clear();
    for (const program::Transfer& transfer : transfers)
      walk_.add(nodes_[transfer.from], nodes_[transfer.to], transfer.route, 0);
    walk_.route();
    work_ += walk_.work();
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const auto message = static_cast<std::int64_t>(i);
      const double begins_s = seconds(startup_ps(transfers[i]) + walk_.latency_ps(message) +
                                      network_.host().message_ps(transfers[i].bytes));
      loads_->last_s = std::max(loads_->last_s, begins_s);
      std::vector<double>& weights = loads_->weights.find(transfers[i].bytes)->second;
      const auto links = walk_.links(message);
      const auto shares = walk_.shares(message);
      for (std::size_t j = 0; j < links.size(); ++j) {
        weights[links[j].index()] += shares.empty() ? 1 : shares[j].to_double();
        double& first_s = loads_->first_s[links[j].index()];
        first_s = std::min(first_s, begins_s);
      }
    }
  }

  /// Those of an agent's messages come one after the other.
  std::int64_t startup_ps(const program::Transfer& transfer) {
    const HostParameters& host = network_.host();
    if (host.send_ps() == 0 || transfer.from == transfer.to) return 0;
    if (!network_.topology().is_host(nodes_[transfer.from])) return 0;
    std::int64_t& started = started_[transfer.from.index()];
    started = host.startup_per == StartupPer::step ? 1 : started + 1;
    return started * host.send_ps();
  }

  const Network& network_;
  IdVector<Agent, NodeId> nodes_;
  schedule::RouteWalk walk_;
  program::StepProgram step_;
  std::vector<std::int64_t> started_;  // start-ups, by agent
  std::shared_ptr<OneStepLoads> loads_ = std::make_shared<OneStepLoads>();
  std::int64_t work_ = 0;
};

/// Where all messages have this length, or the lengths that the loads were found for.
TimeRange range_of(const OneStepLoads& loads, std::optional<std::int64_t> length_B,
                   const Network& network) {
  const std::size_t links = loads.first_s.size();
  WEFT_ASSERT(std::ssize(loads.first_s) == network.topology().link_count());
  WEFT_ASSERT(!length_B || (*length_B > 0 && loads.weights.size() == 1));
  std::vector<double> above(links, 0);  // weights of messages of this length or more
  std::vector<double> loads_B(links, 0);
  TimeRange range{0, loads.last_s};
  const auto bandwidth_Bps = [&](std::size_t link) {
    return static_cast<double>(
        network.fabric().bandwidth_Bps(LinkId(static_cast<std::int32_t>(link))));
  };
  for (auto it = loads.weights.rbegin(); it != loads.weights.rend(); ++it) {
    const auto shorter = std::next(it);
    const std::int64_t own_B = length_B.value_or(it->first);
    const std::int64_t shorter_B = shorter == loads.weights.rend() ? 0 : shorter->first;
    double most_s_per_B = 0;
    for (std::size_t link = 0; link < links; ++link) {
      above[link] += it->second[link];
      loads_B[link] += it->second[link] * static_cast<double>(own_B);
      most_s_per_B = std::max(most_s_per_B, above[link] / bandwidth_Bps(link));
    }
    range.most_s += static_cast<double>(own_B - shorter_B) * most_s_per_B;
  }
  for (std::size_t link = 0; link < links; ++link)
    if (loads_B[link] > 0)
      range.least_s =
          std::max(range.least_s, loads.first_s[link] + loads_B[link] / bandwidth_Bps(link));
  return range;
}

/// Of programs with whole units they are found once for all sizes; until Recall::settle() each run
/// counts them as its own.
class RecalledLoads {
 public:
  RecalledLoads(const Program& program, const Network& network, const SimulationOptions& options,
                SunkWork& sunk)
      : program_(program), network_(network), options_(options), sunk_(sunk) {}

  std::optional<TimeRange> range() {
    const std::int64_t length_B = first_length_B();
    if (length_B == 0) return std::nullopt;
    if (!options_.recall || !options_.recall->is_of(network_) || !program_.has_whole_units()) {
      std::int64_t work = 0;
      const auto loads = find(work);
      sunk_.counted += work;
      if (loads == nullptr) return std::nullopt;
      return range_of(*loads, std::nullopt, network_);
    }
    Recall::Entry& entry =
        options_.recall->entry(options_.recall->key_with_delays(kLoadsNumber, program_));
    const std::scoped_lock lock(entry.mutex);
    if (!entry.is_known) {
      entry.loads = find(entry.work);
      entry.is_known = entry.work <= left();
    }
    if (!entry.is_settled) sunk_.counted += entry.work;
    if (entry.loads == nullptr || entry.loads->weights.size() != 1) return std::nullopt;
    return range_of(*entry.loads, length_B, network_);
  }

 private:
  std::int64_t left() const { return options_.most_work - sunk_.counted; }

  std::shared_ptr<const OneStepLoads> find(std::int64_t& work) {
    Loading loading(program_, network_);
    std::shared_ptr<const OneStepLoads> loads;
    try {
      loads = loading.find(left());
    } catch (const OutOfWork&) {
      loads = nullptr;
    }
    work = loading.work();
    sunk_.spent += work;
    return loads;
  }

  /// 0 where nothing is sent. Messages of whole units have one length at each size, or at none.
  std::int64_t first_length_B() const {
    program::StepProgram step;
    program_.step(0, step, program::Copies::left_out);
    return step.transfers.empty() ? 0 : step.transfers.front().bytes;
  }

  const Program& program_;
  const Network& network_;
  const SimulationOptions& options_;
  SunkWork& sunk_;
};

}  // namespace

std::optional<TimeRange> one_step_range(const Program& program, const Network& network,
                                        const SimulationOptions& options, SunkWork& sunk) {
  if (program.steps() != 1 || program.message_count() < options.many_messages ||
      !covers(Shortcut::one_step, program, network, options))
    return std::nullopt;
  return RecalledLoads(program, network, options, sunk).range();
}

}  // namespace weft::simulation
