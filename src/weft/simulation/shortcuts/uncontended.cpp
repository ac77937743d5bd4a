#include "weft/simulation/shortcuts/uncontended.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/recall.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::simulation {

namespace {

constexpr std::int32_t kNobody = -1;

class Uncontended {
 public:
  Uncontended(const Program& program, const Network& network, const SimulationOptions& options)
      : program_(program),
        network_(network),
        options_(options),
        stored_tells_all_(program.symmetry().is_trivial() || program.translates_alike()),
        nodes_(program.nodes_on(network)),
        host_buffer_B_(host_buffer_of(program, network)),
        owners_(network.topology().link_count(), kNobody),
        links_used_in_(owners_.size(), -1),
        first_on_(owners_.size(), 0),
        last_sends_(nodes_.size(), -1),
        last_reduces_(nodes_.size(), -1),
        started_s_(nodes_.size(), 0),
        walk_(network),
        entered_(nodes_.size(), 0) {
    if (options.factors != nullptr) factors_.emplace(*options.factors, network.topology());
    result_.agent_times_s.resize(nodes_.size());
  }

  std::int64_t work() const { return work_; }

  std::optional<SimulationResult> run() {
    for (std::int64_t t = 0; t < program_.steps(); ++t) {
      if (!load(t)) return std::nullopt;
      if (options_.sync == Sync::lockstep)
        pass_together();
      else
        pass_each();
    }
    if (options_.sync != Sync::lockstep) result_.agent_times_s = entered_;
    WEFT_ASSERT(std::ssize(result_.agent_times_s) == program_.agents());
    for (const double time : result_.agent_times_s) result_.time_s = std::max(result_.time_s, time);
    return std::move(result_);
  }

 private:
  /// What decides the times of a message.
  struct Sent {
    schedule::Agent from, to;
    std::int64_t bytes = 0;
    schedule::Arrival arrival = schedule::Arrival::copy;
    friend bool operator==(const Sent&, const Sent&) = default;
  };
  /// Times after the sender entered the step.
  struct Sending {
    std::int32_t from = 0, to = 0;
    double started_s = 0;
    double sent_s = 0;  // its bytes, alone
    double released_s = 0, delivered_s = 0;
    double reduced_s = 0;  // what its receiver works on it
  };
  /// A message that goes the way of an earlier one of its sender.
  struct Follower {
    std::int32_t first = 0, own = 0;  // transfers of the step
    friend auto operator<=>(const Follower&, const Follower&) = default;
  };

  bool load(std::int64_t t);
  bool route(std::int64_t t);
  bool add(const program::Transfer& transfer, std::int32_t flow, std::int64_t t);
  std::optional<std::int32_t> take_links(std::int32_t flow, std::int32_t sender, std::int64_t t);
  bool same_way(std::int32_t one, std::int32_t other) const;
  bool same_factors(std::int64_t one_B, std::int64_t other_B) const;
  double bandwidth_Bps(std::int32_t flow, std::int64_t bytes) const;
  std::int64_t latency_ps(std::int32_t flow, std::int64_t bytes) const;
  void share_ways();
  bool add_reductions(std::int64_t t);
  double reduced_s(const Sending& s, double entered, double delivered) const;
  void pass_each();
  void pass_together();

  const Program& program_;
  const Network& network_;
  const SimulationOptions& options_;
  std::optional<LinkFactors> factors_;  // of latency and bandwidth, by the size of messages
  bool stored_tells_all_;               // a step's stored messages decide all of it
  IdVector<Agent, NodeId> nodes_;
  std::int64_t host_buffer_B_;
  std::vector<std::int32_t> owners_;         // by link: the agent whose messages it serves
  std::vector<std::int64_t> links_used_in_;  // by link: the last step that was routed
  std::vector<std::int32_t> first_on_;       // by link: the first transfer on it in that step
  std::vector<std::int64_t> last_sends_;     // by agent: likewise
  std::vector<std::int64_t> last_reduces_;   // by agent: the last step in which it reduced
  std::vector<double> started_s_;            // by agent: its start-up in the step that was loaded
  std::vector<Sent> sent_, last_sent_;
  program::StepProgram step_;
  schedule::RouteWalk walk_;         // no route is explicit
  std::vector<Sending> sendings_;    // of the step that was loaded, by transfer
  std::vector<Follower> followers_;  // likewise
  std::vector<std::int32_t> group_;  // scratch of share_ways
  std::vector<double> entered_, next_;
  double barrier_s_ = 0;
  std::int64_t work_ = 0;  // of the messages that were routed
  SimulationResult result_;
};

/// Finds the messages of step t; false where they share links.
bool Uncontended::load(std::int64_t t) {
  sent_.clear();
  if (stored_tells_all_)
    program_.representatives(t, step_);
  else
    program_.step(t, step_, program::Copies::left_out);
  for (const program::Transfer& transfer : step_.transfers)
    sent_.push_back({transfer.from, transfer.to, transfer.bytes, transfer.arrival});
  if (t > 0 && sent_ == last_sent_) return true;
  last_sent_.swap(sent_);
  if (stored_tells_all_) program_.step(t, step_, program::Copies::left_out);
  return route(t);
}

bool Uncontended::route(std::int64_t t) {
  walk_.clear();
  sendings_.clear();
  followers_.clear();
  for (const program::Transfer& transfer : step_.transfers)
    walk_.add(nodes_[transfer.from], nodes_[transfer.to], transfer.route, 0);
  walk_.route();
  work_ += walk_.work();
  TimeLimit::check();
  if (options_.sync == Sync::lockstep) std::ranges::fill(owners_, kNobody);
  for (std::size_t i = 0; i < step_.transfers.size(); ++i)
    if (!add(step_.transfers[i], static_cast<std::int32_t>(i), t)) return false;
  WEFT_ASSERT(sendings_.size() == step_.transfers.size());
  share_ways();
  return add_reductions(t);
}

/// False where an agent reduces two messages, one after the other.
bool Uncontended::add_reductions(std::int64_t t) {
  if (network_.host().reductions_are_free()) return true;
  for (const program::LocalWork& work : step_.work) {
    if (work.kind != program::WorkKind::reduce || !network_.topology().is_host(nodes_[work.at]))
      continue;
    if (std::exchange(last_reduces_[work.at.index()], t) == t) return false;
    sendings_[work.transfer].reduced_s =
        work_s(work.kind, work.bytes, network_.host(), host_buffer_B_);
  }
  std::ranges::fill(started_s_, 0.0);
  if (network_.host().startup_per == StartupPer::message)
    for (const Sending& s : sendings_) started_s_[s.from] = s.started_s;
  return true;
}

/// When the receiver has worked on the message, after it `entered` the step.
double Uncontended::reduced_s(const Sending& s, double entered, double delivered) const {
  if (s.reduced_s == 0) return delivered;
  return std::max(entered + started_s_[s.to], delivered) + s.reduced_s;
}

bool Uncontended::add(const program::Transfer& transfer, std::int32_t flow, std::int64_t t) {
  const bool starts = network_.host().send_ps() > 0 && transfer.from != transfer.to &&
                      network_.topology().is_host(nodes_[transfer.from]);
  const bool in_turn = starts && network_.host().startup_per == StartupPer::message;
  if (in_turn && std::exchange(last_sends_[transfer.from.index()], t) == t) return false;
  const auto first = take_links(flow, transfer.from.value(), t);
  if (!first) return false;
  if (*first != flow) {
    const std::int64_t first_B = step_.transfers[*first].bytes;
    // Their bytes must begin together and share links evenly.
    if (latency_ps(*first, first_B) != latency_ps(flow, transfer.bytes)) return false;
    if (factors_ && !same_factors(first_B, transfer.bytes)) return false;
    followers_.push_back({*first, flow});
  }
  Sending sending{transfer.from.value(), transfer.to.value()};
  const bool travels = !walk_.links(flow).empty();
  const double started_s = starts ? seconds(network_.host().send_ps()) : 0;
  const double latency_s = travels ? seconds(latency_ps(flow, transfer.bytes)) : 0;
  sending.started_s = started_s;
  sending.sent_s =
      travels ? static_cast<double>(transfer.bytes) / bandwidth_Bps(flow, transfer.bytes) : 0;
  sending.delivered_s = started_s + latency_s + sending.sent_s;
  sending.released_s = sending.delivered_s;
  if (options_.release == Release::injected) sending.released_s = started_s + sending.sent_s;
  if (options_.release == Release::acknowledged) sending.released_s += latency_s;
  sendings_.push_back(sending);
  return true;
}

/// The first transfer of the step that goes this way, or nothing where another shares a part of it.
std::optional<std::int32_t> Uncontended::take_links(std::int32_t flow, std::int32_t sender,
                                                    std::int64_t t) {
  const auto links = walk_.links(flow);
  std::int32_t first = flow;
  for (std::size_t j = 0; j < links.size(); ++j) {
    const std::size_t link = links[j].index();
    if (owners_[link] != kNobody && owners_[link] != sender) return std::nullopt;
    owners_[link] = sender;
    const bool used = std::exchange(links_used_in_[link], t) == t;
    if (used && j == 0) first = first_on_[link];
    if (used ? first_on_[link] != first || first == flow : first != flow) return std::nullopt;
    first_on_[link] = first;
  }
  if (first != flow && !same_way(first, flow)) return std::nullopt;
  return first;
}

bool Uncontended::same_way(std::int32_t one, std::int32_t other) const {
  return std::ranges::equal(walk_.links(one), walk_.links(other)) &&
         std::ranges::equal(walk_.shares(one), walk_.shares(other));
}

/// Whether messages of both sizes share links evenly, as those without factors do.
bool Uncontended::same_factors(std::int64_t one_B, std::int64_t other_B) const {
  for (const topology::ClassId id :
       ids<topology::ClassId>(std::ssize(network_.topology().class_names())))
    if (factors_->of(id, one_B).bandwidth != factors_->of(id, other_B).bandwidth) return false;
  return true;
}

std::int64_t Uncontended::latency_ps(std::int32_t flow, std::int64_t bytes) const {
  const std::int64_t of_host_ps = network_.host().message_ps(bytes);
  if (!factors_) return walk_.latency_ps(flow) + of_host_ps;
  return factors_->latency_ps(network_.fabric(), walk_.links(flow), walk_.shares(flow), bytes,
                              walk_.latency_ps(flow)) +
         of_host_ps;
}

/// Of a message that is alone on its way.
double Uncontended::bandwidth_Bps(std::int32_t flow, std::int64_t bytes) const {
  const auto links = walk_.links(flow);
  const auto shares = walk_.shares(flow);
  double least_Bps = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < links.size(); ++j) {
    auto capacity = static_cast<double>(network_.fabric().bandwidth_Bps(links[j]));
    if (factors_)
      capacity *= factors_->of(network_.topology().link_class(links[j]), bytes).bandwidth;
    least_Bps = std::min(least_Bps, capacity / (shares.empty() ? 1 : shares[j].to_double()));
  }
  return least_Bps;
}

/// Messages of one way begin together and go at equal rates: the shortest is through after its
/// time alone as often as there are messages, and so on with what is left of the others.
void Uncontended::share_ways() {
  std::ranges::sort(followers_);
  const auto alone_s = [&](std::int32_t i) { return sendings_[i].sent_s; };
  for (auto at = followers_.begin(); at != followers_.end();) {
    const std::int32_t first = at->first;
    group_.assign(1, first);
    for (; at != followers_.end() && at->first == first; ++at) group_.push_back(at->own);
    std::ranges::sort(group_, {}, alone_s);
    double through_s = 0, before_s = 0;
    for (std::size_t i = 0; i < group_.size(); ++i) {
      const double own_s = alone_s(group_[i]);
      through_s +=
          (own_s - std::exchange(before_s, own_s)) * static_cast<double>(group_.size() - i);
      Sending& sending = sendings_[group_[i]];
      sending.released_s += through_s - own_s;
      sending.delivered_s += through_s - own_s;
    }
  }
}

void Uncontended::pass_each() {
  next_ = entered_;
  for (const Sending& s : sendings_) {
    const double entered = entered_[s.from];
    double& sender = next_[s.from];
    sender = std::max(sender, entered + s.released_s);
    double& receiver = next_[s.to];
    receiver = std::max(receiver, reduced_s(s, entered_[s.to], entered + s.delivered_s));
  }
  entered_.swap(next_);
}

void Uncontended::pass_together() {
  next_.assign(entered_.size(), -1);
  for (const Sending& s : sendings_) {
    double& sender = next_[s.from];
    sender = std::max(sender, barrier_s_ + s.released_s);
    double& receiver = next_[s.to];
    receiver = std::max(receiver, reduced_s(s, barrier_s_, barrier_s_ + s.delivered_s));
  }
  for (std::size_t a = 0; a < next_.size(); ++a) {
    if (next_[a] < 0) continue;
    result_.agent_times_s[a] = next_[a];
    barrier_s_ = std::max(barrier_s_, next_[a]);
  }
}

}  // namespace

std::optional<SimulationResult> simulate_uncontended(const Program& program, const Network& network,
                                                     const SimulationOptions& options,
                                                     SunkWork& sunk) {
  if (!covers(Shortcut::uncontended, program, network, options)) return std::nullopt;
  Recall* const recall =
      options.recall && options.recall->is_of(network) && program.has_whole_units()
          ? options.recall.get()
          : nullptr;
  // Links shared at one size are at the others, too, unless delays or factors depend on the size.
  std::optional<Recall::Key> key;
  if (recall != nullptr) {
    key = recall->key_with_delays(0, program);
    if (options.factors != nullptr) key->size_B = program.size_B();
  }
  std::optional<std::int64_t> in_vain;
  if (key) in_vain = recall->in_vain(*key);
  std::optional<SimulationResult> result;
  if (!in_vain) {
    Uncontended attempt(program, network, options);
    result = attempt.run();
    in_vain = attempt.work();
    if (!result && key) recall->note_in_vain(*key, *in_vain);
  }
  WEFT_ASSERT(in_vain.has_value());
  sunk.counted += *in_vain;
  sunk.spent += *in_vain;
  return result;
}

}  // namespace weft::simulation
