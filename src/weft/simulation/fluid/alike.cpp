#include "weft/simulation/fluid/alike.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/fluid/flow_clock.hpp"
#include "weft/simulation/reading/step_window.hpp"
#include "weft/simulation/uncontended.hpp"

namespace weft::simulation {

namespace {

using Colour = std::uint64_t;
using Class = std::int32_t;

constexpr std::int64_t kFewClasses = 4;  // messages of a class in the mean, at least

Colour both(Colour a, Colour b) {
  return Rng(a * 0xd6e8feb86659fd93 + b).next();
}

/// Numbers colours in the order in which they come.
class Numbering {
 public:
  Class of(Colour colour) {
    return numbers_.emplace(colour, static_cast<Class>(numbers_.size())).first->second;
  }
  Class size() const { return static_cast<Class>(numbers_.size()); }

 private:
  std::unordered_map<Colour, Class> numbers_;
};

/// A step's messages on the links of the network, parted into classes.
class AlikeMessages {
 public:
  AlikeMessages(const Network& network, std::span<const NodeId> nodes)
      : network_(network), nodes_(nodes), walk_(network) {}

  /// Finds the classes; false where they are many.
  bool load(const program::StepProgram& step);

  struct Times {
    double released_s = 0, delivered_s = 0;
  };
  /// By class, of a step that all agents begin at `begun_s`.
  std::vector<Times> run(double begun_s, Release release) const;
  Class class_of(std::size_t message) const { return class_of_[message]; }

 private:
  /// A part of a route: links of a class, and the shares on them.
  struct Crossing {
    Class link = 0;
    double share = 1;
    friend auto operator<=>(const Crossing&, const Crossing&) = default;
  };

  double share(std::size_t message, std::size_t link) const {
    const auto shares = walk_.shares(static_cast<std::int64_t>(message));
    return shares.empty() ? 1 : shares[link].to_double();
  }
  /// Calls visit(link, share) for each link of the message.
  template <class Visit>
  void each_link(std::size_t message, Visit&& visit) const {
    const auto links = walk_.links(static_cast<std::int64_t>(message));
    for (std::size_t j = 0; j < links.size(); ++j) visit(links[j].index(), share(message, j));
  }

  bool refine();
  void number();
  bool is_equitable();
  bool add_loads(std::span<const std::size_t> of_class);

  const Network& network_;
  std::span<const NodeId> nodes_;
  schedule::RouteWalk walk_;
  const program::StepProgram* step_ = nullptr;
  std::vector<Colour> colours_, link_colours_, sums_;  // by message, link, link
  std::vector<Class> class_of_, link_class_of_;        // likewise
  std::vector<std::size_t> representatives_;           // by class, a message
  std::vector<std::int64_t> links_in_;                 // by class of links
  std::vector<double> capacities_;                     // likewise
  std::vector<std::vector<Crossing>>
      loads_;                    // by class, what all of it put on each link of a class
  std::vector<double> on_link_;  // scratch of add_loads
};

bool AlikeMessages::load(const program::StepProgram& step) {
  step_ = &step;
  walk_.clear();
  for (const program::Transfer& transfer : step.transfers)
    walk_.add(nodes_[transfer.from.index()], nodes_[transfer.to.index()], transfer.route, 0);
  walk_.route();
  if (!refine()) return false;
  number();
  return is_equitable();
}

bool AlikeMessages::refine() {
  const std::size_t messages = step_->transfers.size();
  const auto links = static_cast<std::size_t>(network_.topology().link_count());
  colours_.resize(messages);
  link_colours_.assign(links, 0);
  for (std::size_t i = 0; i < messages; ++i) {
    const auto latency_ps = walk_.latency_ps(static_cast<std::int64_t>(i));
    colours_[i] =
        both(static_cast<Colour>(step_->transfers[i].bytes), static_cast<Colour>(latency_ps));
  }
  for (const LinkId link : network_.topology().links())
    link_colours_[link.index()] = static_cast<Colour>(network_.fabric().bandwidth_Bps(link));
  for (std::int64_t classes = 0;;) {
    sums_.assign(links, 0);
    for (std::size_t i = 0; i < messages; ++i)
      each_link(i, [&](std::size_t link, double share) {
        sums_[link] += both(colours_[i], std::bit_cast<Colour>(share));
      });
    for (std::size_t link = 0; link < links; ++link)
      link_colours_[link] = both(link_colours_[link], sums_[link]);
    Numbering numbers, of_links;
    for (std::size_t i = 0; i < messages; ++i) {
      Colour sum = 0;
      each_link(i, [&](std::size_t link, double share) {
        sum += both(link_colours_[link], std::bit_cast<Colour>(share));
      });
      colours_[i] = both(colours_[i], sum);
      if (numbers.of(colours_[i]) * kFewClasses > static_cast<std::int64_t>(messages)) return false;
    }
    for (const Colour colour : link_colours_) of_links.of(colour);
    const std::int64_t now = std::int64_t{numbers.size()} + of_links.size();
    if (std::exchange(classes, now) == now) return true;
  }
}

void AlikeMessages::number() {
  Numbering numbers, of_links;
  class_of_.clear();
  link_class_of_.clear();
  representatives_.clear();
  links_in_.clear();
  capacities_.clear();
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    class_of_.push_back(numbers.of(colours_[i]));
    if (static_cast<std::size_t>(numbers.size()) > representatives_.size())
      representatives_.push_back(i);
  }
  for (const LinkId link : network_.topology().links()) {
    const Class number = of_links.of(link_colours_[link.index()]);
    link_class_of_.push_back(number);
    if (static_cast<std::size_t>(of_links.size()) > links_in_.size()) {
      links_in_.push_back(0);
      capacities_.push_back(static_cast<double>(network_.fabric().bandwidth_Bps(link)));
    }
    ++links_in_[number];
  }
}

/// Whether the classes are what the essay asks for; finds the loads on the way.
bool AlikeMessages::is_equitable() {
  std::vector<std::vector<std::size_t>> members(representatives_.size());
  for (std::size_t i = 0; i < class_of_.size(); ++i) members[class_of_[i]].push_back(i);
  const auto way_of = [&](std::size_t message, std::vector<Crossing>& way) {
    way.clear();
    each_link(message, [&](std::size_t link, double share) {
      way.push_back({link_class_of_[link], share});
    });
    std::ranges::sort(way);
  };
  std::vector<Crossing> first, other;
  on_link_.assign(link_class_of_.size(), 0);
  loads_.clear();
  for (std::size_t v = 0; v < members.size(); ++v) {
    const std::size_t representative = representatives_[v];
    way_of(representative, first);
    for (const std::size_t i : members[v]) {
      way_of(i, other);
      if (other != first || step_->transfers[i].bytes != step_->transfers[representative].bytes ||
          walk_.latency_ps(static_cast<std::int64_t>(i)) !=
              walk_.latency_ps(static_cast<std::int64_t>(representative)))
        return false;
    }
    if (!add_loads(members[v])) return false;
  }
  return true;
}

/// What the messages of a class put on links; false where links of a class carry unlike loads.
bool AlikeMessages::add_loads(std::span<const std::size_t> of_class) {
  constexpr double kSame = 1e-12;  // sums of shares, in several orders
  std::vector<std::size_t> touched;
  for (const std::size_t i : of_class)
    each_link(i, [&](std::size_t link, double share) {
      if (on_link_[link] == 0) touched.push_back(link);
      on_link_[link] += share;
    });
  std::unordered_map<Class, std::pair<double, std::int64_t>> found;  // load of each, links
  bool alike = true;
  for (const std::size_t link : touched) {
    const double load = std::exchange(on_link_[link], 0);
    auto& [of_each, links] = found.try_emplace(link_class_of_[link], load, 0).first->second;
    alike = alike && std::abs(load - of_each) <= kSame * of_each;
    ++links;
  }
  auto& loads = loads_.emplace_back();
  for (const auto& [link_class, load] : found) {
    alike = alike && load.second == links_in_[link_class];
    loads.push_back({link_class, load.first});
  }
  std::ranges::sort(loads);
  return alike;
}

std::vector<AlikeMessages::Times> AlikeMessages::run(double begun_s, Release release) const {
  std::vector<Times> times(representatives_.size(), {begun_s, begun_s});  // of those within a node
  std::vector<double> latencies_s;
  std::vector<std::pair<double, Class>> starts;
  for (std::size_t v = 0; v < representatives_.size(); ++v) {
    latencies_s.push_back(
        seconds(walk_.latency_ps(static_cast<std::int64_t>(representatives_[v]))));
    if (!loads_[v].empty())
      starts.emplace_back(begun_s + (release == Release::injected ? 0 : latencies_s[v]),
                          static_cast<Class>(v));
  }
  std::ranges::sort(starts);
  FlowClock flows(capacities_);
  std::vector<LinkId> links;
  std::vector<double> takes;
  std::vector<std::int64_t> ended;
  std::size_t next = 0;
  while (true) {
    const double starts_s = next < starts.size() ? starts[next].first : FlowClock::kNever;
    const double now = std::min(starts_s, flows.next_finish());
    if (now == FlowClock::kNever) return times;
    const double until = now * (1 + FlowClock::kSameTime);
    ended.clear();
    flows.finish(until, ended);
    for (const std::int64_t v : ended)
      times[v] = {now + (release == Release::acknowledged ? latencies_s[v] : 0),
                  now + (release == Release::injected ? latencies_s[v] : 0)};
    for (; next < starts.size() && starts[next].first <= until; ++next) {
      const Class v = starts[next].second;
      links.clear();
      takes.clear();
      for (const auto& [link_class, load] : loads_[v]) {
        links.emplace_back(link_class);
        takes.push_back(load);
      }
      flows.start(links, takes, 1, static_cast<double>(step_->transfers[representatives_[v]].bytes),
                  v);
    }
    if (flows.unsettled()) flows.settle(now);
  }
}

}  // namespace

std::optional<SimulationResult> simulate_alike(const Program& program, const Network& network,
                                               const SimulationOptions& options) {
  if (!only_sends(program, network, options) || network.host().startup_ps > 0 ||
      program.message_count() < kFewClasses * program.agents() * program.steps())
    return std::nullopt;
  const auto nodes = program.nodes_on(network);
  AlikeMessages messages(network, nodes);
  SimulationResult result;
  result.agent_times_s.resize(nodes.size());
  program::StepProgram step;
  double begun_s = 0;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    if (!messages.load(step)) return std::nullopt;
    const auto times = messages.run(begun_s, options.release);
    for (std::size_t i = 0; i < step.transfers.size(); ++i) {
      const auto& [released_s, delivered_s] = times[messages.class_of(i)];
      double& sender = result.agent_times_s[step.transfers[i].from.index()];
      sender = std::max(sender, released_s);
      double& receiver = result.agent_times_s[step.transfers[i].to.index()];
      receiver = std::max(receiver, delivered_s);
    }
    result.messages += std::ssize(step.transfers);
    const auto [first, last] = std::ranges::minmax(result.agent_times_s);
    const bool together = options.sync == Sync::lockstep || first == last;
    if (!together && t + 1 < program.steps()) return std::nullopt;
    result.time_s = begun_s = last;
  }
  return result;
}

}  // namespace weft::simulation
