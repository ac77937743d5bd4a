// Messages, links and agents of some steps of a program, parted into classes of alike ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/program/program.hpp"
#include "weft/schedule/route_walk.hpp"

namespace weft::simulation {

using Colour = std::uint64_t;
using ClassIndex = std::int32_t;

/// How agents begin steps.
enum class Beginning : std::uint8_t {
  together,  // all agents are of one class
  apart,     // those of a class together: its agents send and receive as many of each class
};

/// The coarsest equitable partition; alike.hpp says which, and what it is good for.
class AlikeClasses {
 public:
  /// The program has no explicit routes and stays.
  AlikeClasses(const Program& program, const Network& network);

  /// Finds the classes of the steps from `first` up to `end`; false where they are many.
  /// O(rounds * (sum of route lengths + links)).
  bool find(std::int64_t first, std::int64_t end, Beginning beginning);

  /// A part of a route: links of a class, and the shares on them.
  struct Crossing {
    ClassIndex link = 0;
    double share = 1;
    friend auto operator<=>(const Crossing&, const Crossing&) = default;
  };
  struct Message {
    ClassIndex from = 0, to = 0;  // of agents
    std::int32_t step = 0;        // after `first`
    std::int64_t bytes = 0, latency_ps = 0;
    std::int32_t startups = 0;         // of its sender, until it can leave
    std::vector<Crossing> loads = {};  // what all of the class put on each link of another
  };
  /// By class of messages, in the order of steps.
  const std::vector<Message>& messages() const { return classes_; }
  /// Of links, by class.
  std::span<const double> capacities() const { return capacities_; }
  /// Classes of agents.
  ClassIndex agent_classes() const { return agent_classes_; }

  /// Calls visit(from, to, class) for each message.
  template <class Visit>
  void each_message(Visit&& visit) const {
    for (std::size_t i = 0; i < sent_.size(); ++i) visit(sent_[i].from, sent_[i].to, class_of_[i]);
  }
  std::int64_t message_count() const { return std::ssize(sent_); }

 private:
  struct Sent {
    schedule::Agent from, to;
    std::int32_t step = 0, startups = 0;
    std::int64_t bytes = 0, latency_ps = 0;
  };

  void load(std::int64_t first, std::int64_t end);
  void add_routes(std::size_t messages);
  std::int32_t startups_before(const program::Transfer& transfer);
  void begin_colours(Beginning beginning);
  bool refine(Beginning beginning);
  void pass_to_links_and_agents(Beginning beginning);
  ClassIndex pass_to_messages(Beginning beginning);
  void number();
  bool is_equitable(Beginning beginning);
  bool add_loads(std::span<const std::size_t> members, std::vector<Crossing>& loads);
  bool same_ends(std::span<const std::size_t> members);

  double share(std::size_t crossing) const { return shares_.empty() ? 1 : shares_[crossing]; }
  /// Calls visit(link, share) for each link of the message.
  template <class Visit>
  void each_link(std::size_t message, Visit&& visit) const {
    for (std::size_t j = first_[message]; j < first_[message + 1]; ++j) visit(links_[j], share(j));
  }

  const Program& program_;
  const Network& network_;
  std::vector<NodeId> nodes_;
  schedule::RouteWalk walk_;
  program::StepProgram step_;
  std::vector<std::int32_t> started_;  // by agent, in the step being loaded
  std::vector<Sent> sent_;
  std::vector<std::size_t> first_;   // into links_, by message and one more
  std::vector<std::int32_t> links_;  // of all messages
  std::vector<double> shares_;       // likewise, or none where no message is split
  std::vector<Colour> colours_;      // by message
  std::vector<Colour> link_colours_, agent_colours_, link_sums_, agent_sums_;
  std::vector<ClassIndex> class_of_, link_class_of_, agent_class_of_;
  std::vector<std::size_t> representatives_;        // by class, a message
  std::vector<std::int64_t> links_in_, agents_in_;  // by class of these
  std::vector<double> capacities_;
  ClassIndex agent_classes_ = 0;
  std::vector<Message> classes_;
  std::vector<double> on_link_;         // scratch of add_loads
  std::vector<std::int64_t> of_agent_;  // scratch of same_ends
};

}  // namespace weft::simulation
