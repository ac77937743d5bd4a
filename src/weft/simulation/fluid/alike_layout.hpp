// Messages, links and agents of some steps of a program, parted into classes of alike ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/route_walk.hpp"

namespace weft::simulation {

using ClassIndex = std::int32_t;

/// How agents begin steps.
enum class Beginning : std::uint8_t {
  together,  // all agents are of one class
  apart,     // those of a class together: its agents send and receive as many of each class
};

/// The coarsest equitable partition; alike.hpp says which, and what it is good for.
struct AlikeLayout {
  /// A part of a route: links of a class, and the shares on them.
  struct Crossing {
    ClassIndex link = 0;
    double share = 1;
    friend auto operator<=>(const Crossing&, const Crossing&) = default;
  };
  /// What the messages of a class have in common.
  struct Message {
    ClassIndex from = 0, to = 0;       // of agents
    std::int32_t step = 0;             // after the first
    std::int32_t startups = 0;         // of its sender, until it can leave
    std::int32_t received = 1;         // by each agent of its class, where these begin apart
    bool is_summed = false;            // by the processor of its receiver, which takes time
    std::int64_t latency_ps = 0;       // of its way; what its hosts add depends on its length
    std::vector<Crossing> loads = {};  // what all of the class put on each link of another
  };
  struct Sent {
    schedule::Agent from, to;
    ClassIndex message = 0;
  };
  /// What is in a message: all that is sent, and what the processor of its receiver sums.
  struct Content {
    std::int64_t bytes = 0, reduced_B = 0;
    friend bool operator==(const Content&, const Content&) = default;
  };

  std::vector<Message> messages;        // by class
  std::vector<Sent> sent;               // of all steps, in the program's order; of one segment
  std::vector<std::size_t> first_sent;  // into `sent`, by step and one more
  std::vector<double> capacities;       // of links, by class
  ClassIndex agent_classes = 1;

  std::int64_t steps() const { return std::ssize(first_sent) - 1; }
  /// The messages of each class in the steps from `first` on of a program, on the network and for
  /// the hosts that the layout was found for, segment after segment; nothing where it sends other
  /// messages, or some of a class are longer than others. O(messages).
  std::optional<std::vector<Content>> contents_in(const Program& program, std::int64_t first,
                                                  program::Pipeline pipeline) const;
};

class AlikeFinder {
 public:
  /// The program has no explicit routes; both stay.
  AlikeFinder(const Program& program, const Network& network);

  /// The layout of the steps from `first` up to `end`, of agents that part of the first segment
  /// alone, as which all others go; null where classes are many. O(rounds * (sum of route lengths +
  /// links)). Throws OutOfWork where that is beyond limit_work(), and OutOfTime.
  std::shared_ptr<const AlikeLayout> find(std::int64_t first, std::int64_t end,
                                          Beginning beginning);
  /// How often find() looked at a link of a message.
  std::int64_t work() const { return work_; }
  void limit_work(std::int64_t most) { most_work_ = most; }

 private:
  using Colour = std::uint64_t;
  using Crossing = AlikeLayout::Crossing;
  struct Facts {
    AlikeLayout::Content content;
    std::int64_t latency_ps = 0;
    std::int32_t step = 0, startups = 0;
    bool is_summed = false;
    friend bool operator==(const Facts&, const Facts&) = default;
  };

  bool has_few_classes(std::int64_t first, std::int64_t end, Beginning beginning);
  void load(std::int64_t first, std::int64_t end, Beginning beginning);
  void count(std::int64_t looks);
  void add_routes(std::size_t messages);
  std::int32_t startups_before(const program::Transfer& transfer);
  bool is_summed(const program::Transfer& transfer) const;
  void begin_colours(Beginning beginning);
  bool refine(Beginning beginning);
  void pass_to_links_and_agents(Beginning beginning);
  std::optional<ClassIndex> pass_to_messages(Beginning beginning);
  void number();
  bool is_equitable(Beginning beginning);
  bool has_one_way(std::span<const std::size_t> members);
  bool add_loads(std::span<const std::size_t> members, std::vector<Crossing>& loads);
  bool has_same_ends(std::span<const std::size_t> members, AlikeLayout::Message& message);

  double share(std::size_t crossing) const { return shares_.empty() ? 1 : shares_[crossing]; }
  /// Calls visit(link, share) for each link of the message.
  template <class Visit>
  void each_link(std::size_t message, Visit&& visit) const {
    for (std::size_t j = first_[message]; j < first_[message + 1]; ++j) visit(links_[j], share(j));
  }
  schedule::Agent sender(std::size_t message) const { return layout_->sent[message].from; }
  schedule::Agent receiver(std::size_t message) const { return layout_->sent[message].to; }

  const Program& program_;
  const Network& network_;
  IdVector<Agent, NodeId> nodes_;
  schedule::RouteWalk walk_;
  program::StepProgram step_;
  std::vector<std::int32_t> started_;  // by agent, in the step being loaded
  std::shared_ptr<AlikeLayout> layout_;
  std::vector<Facts> facts_;         // by message
  std::vector<std::size_t> first_;   // into links_, by message and one more
  std::vector<std::int32_t> links_;  // of all messages
  std::vector<double> shares_;       // likewise, or none where no message is split
  std::vector<Colour> colours_;      // by message
  std::vector<Colour> link_colours_, agent_colours_, link_sums_, agent_sums_;
  std::vector<ClassIndex> link_class_of_, agent_class_of_;
  bool links_alike_ = true;                         // those of a class have one capacity
  std::vector<std::int64_t> links_in_, agents_in_;  // by class of these
  std::vector<Crossing> way_, other_way_;           // scratch of has_one_way
  std::int64_t work_ = 0, most_work_ = std::numeric_limits<std::int64_t>::max();
  std::vector<double> on_link_;          // scratch of add_loads
  std::vector<std::int64_t> of_agent_;   // scratch of has_same_ends
  std::vector<std::int64_t> reduced_B_;  // scratch of load
};

}  // namespace weft::simulation
