// Switch-tree: reductions and copies in the network.
//
// Switches that combine what comes in and copy what goes out (SHARP on InfiniBand, NVLS in
// NVSwitch) take part as helpers. An allreduce goes up a tree of them, each switch sending on the
// sum of what came from below, and down again from the top. A host then sends M and receives M,
// once, where an allreduce among hosts needs 2 (N - 1) / N of it: T_B is 1 if no cable is slower
// than a host's, with s segments (2 H + s - 1) / s of that, H being the tree's height, and T_L is
// 2 H + s - 1. A reduction ends at the root's host and a broadcast begins there: the same trees
// seen from it.
//
// Where cables between switches are slower than the hosts', or hosts have several, the data is
// striped over several trees (switch_trees.cpp says which).
//
// Ranks that share a host pass their data within it to one of them first, and get the result from
// it: a step more at either end, and nothing over the network that others have not to send.
//
// Source: Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP): A Hardware
// Architecture for Efficient Data Reduction", COMHPC 2016; NVLS: Klenk et al., "An In-Network
// Architecture for Accelerating Shared-Memory Multiprocessor Collectives", ISCA 2020.
#include "weft/algorithm/switch_tree.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/in_network/switch_trees.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::algorithm {

namespace {

using trees::SwitchBranch;
using trees::SwitchTree;

// The hosts of the ranks, each once.
std::vector<NodeId> hosts_of(const Network& network) {
  std::vector<NodeId> hosts = network.placement().nodes;
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

// Trees as messages.
class TreeMessages {
 public:
  TreeMessages(const Network& network, const Collective& collective,
               const std::vector<SwitchTree>& all)
      : collective_(collective), all_(all), binding_(schedule::binding_to(network)) {
    for (const Rank rank : ids<Rank>(collective.ranks)) {
      const auto [head, is_new] = agent_at_.try_emplace(binding_.nodes[rank.index()], rank);
      if (rank == collective.root && collective.rooted()) head->second = rank;
      lowest_at_.try_emplace(head->first, rank.value());
    }
    share_host_ = std::ssize(agent_at_) < collective.ranks;
    for (const SwitchTree& tree : all)
      for (const SwitchBranch& branch : tree.branches) {
        const Agent next(collective.ranks + helpers_);
        if (!agent_at_.try_emplace(branch.parent, next).second) continue;
        binding_.nodes.push_back(branch.parent);
        ++helpers_;
      }
  }

  Schedule schedule() && {
    const bool up = collective_.kind != CollectiveKind::broadcast;
    const bool down = collective_.kind != CollectiveKind::reduce;
    const std::int64_t count = std::ssize(all_);
    const std::int64_t units = count / std::gcd(count, collective_.blocks());
    const std::int64_t part = collective_.blocks() * units / count;
    const std::int32_t first = up && share_host_ ? 1 : 0;
    std::int32_t last = first;
    for (std::int64_t i = 0; i < count; ++i) {
      SwitchTree tree = all_[i];
      if (collective_.rooted()) tree = with_top(tree, binding_.nodes[collective_.root.index()]);
      const Piece piece{i * part, part};
      std::int32_t step = first;
      if (up) send_up(tree, step, piece);
      if (up) step += tree.height;
      if (down) send_down(tree, step, piece);
      if (down) step += tree.height;
      last = std::max(last, step);
    }
    if (share_host_) send_within_hosts(up, down, last, {0, collective_.blocks() * units});
    return build(units);
  }

 private:
  static constexpr LinkId kWithin{-1};

  struct Sent {
    std::int32_t step = 0;
    std::int32_t lowest = 0;  // rank whose data it has: sums stay in the order of ranks
    Agent from, to;
    LinkId link = kWithin;
    schedule::Arrival arrival = schedule::Arrival::copy;
    Piece piece;
  };

  Agent agent_at(NodeId node) const { return agent_at_.at(node); }

  void send_up(const SwitchTree& tree, std::int32_t first, Piece piece) {
    std::map<NodeId, std::int32_t> lowest = lowest_at_;
    for (auto at = tree.branches.rbegin(); at != tree.branches.rend(); ++at) {
      const SwitchBranch& branch = *at;
      const std::int32_t own = lowest.at(branch.node);
      const auto [above, is_new] = lowest.try_emplace(branch.parent, own);
      above->second = std::min(above->second, own);
      sent_.push_back({first + tree.height - branch.depth, own, agent_at(branch.node),
                       agent_at(branch.parent), branch.up, schedule::Arrival::reduce, piece});
    }
  }

  void send_down(const SwitchTree& tree, std::int32_t first, Piece piece) {
    for (const SwitchBranch& branch : tree.branches)
      sent_.push_back({first + branch.depth - 1, 0, agent_at(branch.parent), agent_at(branch.node),
                       branch.down, schedule::Arrival::copy, piece});
  }

  void send_within_hosts(bool up, bool down, std::int32_t last, Piece all) {
    for (const Rank rank : ids<Rank>(collective_.ranks)) {
      const Agent head = agent_at(binding_.nodes[rank.index()]);
      if (head == Agent(rank)) continue;
      if (up)
        sent_.push_back({0, rank.value(), rank, head, kWithin, schedule::Arrival::reduce, all});
      if (down) sent_.push_back({last, 0, head, rank, kWithin, schedule::Arrival::copy, all});
    }
  }

  // Pieces that cross a link in one step, going the same way, are one message.
  Schedule build(std::int64_t units) {
    const auto message = [](const Sent& s) {
      return std::tuple(s.step, s.lowest, s.from, s.to, s.link, s.arrival);
    };
    std::ranges::stable_sort(sent_, {}, message);
    ScheduleBuilder builder(collective_, {.algorithm = "switch-tree",
                                          .units_per_block = units,
                                          .helpers = helpers_,
                                          .binding = std::move(binding_)});
    std::map<LinkId, schedule::RouteId> routes;
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < sent_.size();) {
      const Sent first = sent_[i];
      pieces.clear();
      for (; i < sent_.size() && message(sent_[i]) == message(first); ++i)
        pieces.push_back(sent_[i].piece);
      const auto [route, is_new] = routes.try_emplace(first.link, schedule::kRouted);
      if (is_new && first.link != kWithin)
        route->second = builder.add_route(std::span(&first.link, 1));
      builder.at(first.step).send(first.from, first.to, pieces, first.arrival, route->second);
    }
    return std::move(builder).build();
  }

  const Collective& collective_;
  const std::vector<SwitchTree>& all_;
  schedule::Binding binding_;
  std::map<NodeId, Agent> agent_at_;          // of a host the rank that sends for it
  std::map<NodeId, std::int32_t> lowest_at_;  // of a host its lowest rank
  std::int32_t helpers_ = 0;
  bool share_host_ = false;
  std::vector<Sent> sent_;
};

std::optional<std::string> switch_tree_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const auto hosts = hosts_of(*context.network);
  if (hosts.size() < 2) return "it needs ranks on two hosts or more, with switches between them";
  return trees::misfit_of_switches(context.network->topology(), hosts);
}

}  // namespace

Schedule switch_tree(const Network& network, const Collective& collective,
                     const SwitchTreeOptions& options) {
  schedule::check(collective);
  require(options.most_trees >= 1, "invalid number of trees: {} (expected at least 1)",
          options.most_trees);
  require(collective.kind == CollectiveKind::broadcast ||
              collective.kind == CollectiveKind::reduce ||
              collective.kind == CollectiveKind::allreduce,
          "switch-tree does not support {} (it supports broadcast, reduce and allreduce)",
          schedule::name_of(collective.kind));
  if (const auto reason = switch_tree_misfit({collective, &network}))
    reject("switch-tree cannot run on {} ({})", network.topology().name(), *reason);
  const auto hosts = hosts_of(network);
  const auto all = trees::switch_trees(network.fabric(), hosts, options.most_trees);
  return TreeMessages(network, collective, all)
      .schedule()
      .with_segments({.count = options.segments, .stride = 1});
}

Algorithm switch_tree_entry() {
  return {
      .name = "switch-tree",
      .aliases = {"sharp", "nvls"},
      .summary =
          "Trees of switches that combine data upwards and copy it downwards, as SHARP and NVLS do",
      .source = "Graham et al., Scalable Hierarchical Aggregation Protocol, COMHPC 2016",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::allreduce},
      .options = {kSegments, kTrees},
      .misfit = switch_tree_misfit,
      .build =
          [](const Context& context) {
            SwitchTreeOptions options{.segments = segments_in(context.options)};
            if (const auto most = kTrees.given(context.options)) options.most_trees = *most;
            return switch_tree(*context.network, context.collective, options);
          },
      .named_only = true,
      .too_long = [](const Context&) -> std::optional<std::string> {
        return "switches have to combine and copy";
      },
      .sums_in_switches = true,
  };
}

}  // namespace weft::algorithm
