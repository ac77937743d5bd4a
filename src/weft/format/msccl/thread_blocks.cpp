#include "thread_blocks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "block_steps.hpp"
#include "edge_colouring.hpp"
#include "weft/base/error.hpp"

namespace weft::format::msccl {

namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;  // from, to

bool is_reception(const Transfer& transfer) {
  return receives(transfer.type);
}

// Groups of the pairs that send to each other: each GPU has at most as many peers of either
// direction in a group as a channel takes.
class Groups {
 public:
  Groups(const std::vector<GpuTransfers>& gpus, std::int32_t peers_per_channel) {
    WEFT_ASSERT(peers_per_channel >= 1);
    std::set<Pair> pairs;
    for (std::size_t rank = 0; rank < gpus.size(); ++rank)
      for (const Transfer& transfer : gpus[rank].all())
        if (transfer.type == StepType::send)
          pairs.emplace(static_cast<std::int32_t>(rank), transfer.peer);
    const std::vector<Pair> edges(pairs.begin(), pairs.end());
    const auto colours = colour_edges(edges, static_cast<std::int32_t>(gpus.size()));
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const std::int32_t group = colours[e] / peers_per_channel;
      group_[edges[e]] = group;
      count_ = std::max(count_, group + 1);
    }
  }

  std::int32_t count() const { return count_; }
  std::int32_t of(std::int32_t from, std::int32_t to) const { return group_.at({from, to}); }

 private:
  std::map<Pair, std::int32_t> group_;
  std::int32_t count_ = 1;
};

/// What goes one way between a GPU and a peer on a channel, as indices of its transfers.
struct Connection {
  std::int32_t peer = -1, channel = 0;
  bool is_reception = false;
  std::vector<std::int32_t> transfers;
};

// Pairs of connections that share a thread block.
class Matching {
 public:
  Matching(const GpuTransfers& gpu, const std::vector<Connection>& connections)
      : gpu_(gpu), connections_(connections), partner_(connections.size(), -1) {
    for (std::size_t c = 0; c < connections.size(); ++c)
      by_channel_[connections[c].channel][connections[c].is_reception ? 1 : 0].push_back(
          static_cast<std::int32_t>(c));
    count_forwards();
  }

  /// By connection: the other one of its thread block; -1: none.
  std::vector<std::int32_t> run() && {
    for (auto& [channel, sides] : by_channel_) {
      for (const auto& [receive, send] : forwards_of(channel))
        if (is_free(receive) && is_free(send) && fit(send, receive)) join(send, receive);
      for (const std::int32_t send : sides[0])
        if (is_free(send)) {
          tried_.assign(connections_.size(), false);
          augment(send, sides[1]);
        }
    }
    return std::move(partner_);
  }

 private:
  bool is_free(std::int32_t connection) const {
    return partner_[static_cast<std::size_t>(connection)] < 0;
  }
  void join(std::int32_t send, std::int32_t receive) {
    WEFT_ASSERT(!connections_[static_cast<std::size_t>(send)].is_reception);
    WEFT_ASSERT(connections_[static_cast<std::size_t>(receive)].is_reception);
    partner_[static_cast<std::size_t>(send)] = receive;
    partner_[static_cast<std::size_t>(receive)] = send;
  }

  bool augment(std::int32_t send, const std::vector<std::int32_t>& receptions) {
    for (const std::int32_t receive : receptions) {
      const auto r = static_cast<std::size_t>(receive);
      if (tried_[r] || !fit(send, receive)) continue;
      tried_[r] = true;
      if (partner_[r] >= 0 && !augment(partner_[r], receptions)) continue;
      join(send, receive);
      return true;
    }
    return false;
  }

  // How often a connection sends on what another one received.
  void count_forwards() {
    std::vector<std::int32_t> connection_of(gpu_.all().size(), -1);
    for (std::size_t c = 0; c < connections_.size(); ++c)
      for (const std::int32_t t : connections_[c].transfers)
        connection_of[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(c);
    for (std::size_t c = 0; c < connections_.size(); ++c) {
      if (connections_[c].is_reception) continue;
      for (const std::int32_t t : connections_[c].transfers)
        for (const Before& before : gpu_.before(static_cast<std::size_t>(t)))
          if (before.is_source)
            ++forwards_[{connection_of[static_cast<std::size_t>(before.transfer)],
                         static_cast<std::int32_t>(c)}];
    }
  }

  std::vector<Pair> forwards_of(std::int32_t channel) const {
    std::vector<std::pair<std::int32_t, Pair>> counts;
    for (const auto& [pair, count] : forwards_)
      if (pair.first >= 0 && channel_of(pair.first) == channel &&
          channel_of(pair.second) == channel)
        counts.push_back({-count, pair});
    std::ranges::sort(counts);
    std::vector<Pair> pairs;
    for (const auto& [count, pair] : counts) pairs.push_back(pair);
    return pairs;
  }
  std::int32_t channel_of(std::int32_t connection) const {
    return connections_[static_cast<std::size_t>(connection)].channel;
  }

  // No step sends more chunks than always fit while it receives.
  bool fit(std::int32_t send, std::int32_t receive) const {
    const auto& sends = connections_[static_cast<std::size_t>(send)].transfers;
    const auto& receptions = connections_[static_cast<std::size_t>(receive)].transfers;
    const auto all = gpu_.all();
    const auto step = [&](std::int32_t t) { return all[static_cast<std::size_t>(t)].step; };
    for (std::size_t s = 0, r = 0; s < sends.size() && r < receptions.size();) {
      if (step(receptions[r]) < step(sends[s])) {
        ++r;
        continue;
      }
      const std::int64_t now = step(sends[s]);
      std::int64_t chunks = 0;
      for (; s < sends.size() && step(sends[s]) == now; ++s)
        chunks += all[static_cast<std::size_t>(sends[s])].count;
      if (step(receptions[r]) == now && chunks > kAlwaysFit) return false;
    }
    return true;
  }

  const GpuTransfers& gpu_;
  const std::vector<Connection>& connections_;
  std::vector<std::int32_t> partner_;
  std::map<std::int32_t, std::array<std::vector<std::int32_t>, 2>> by_channel_;
  std::map<Pair, std::int32_t> forwards_;
  std::vector<bool> tried_;
};

// With connections that go on on a further channel after `per_lane` messages.
class Placement {
 public:
  Placement(const std::vector<GpuTransfers>& gpus, const BlockOptions& options,
            const Groups& groups, std::int32_t per_lane)
      : gpus_(gpus), options_(options), groups_(groups), per_lane_(per_lane) {
    for (const GpuTransfers& gpu : gpus)
      for (const Transfer& transfer : gpu.all())
        if (transfer.peer >= 0) lanes_ = std::max(lanes_, transfer.in_pair / per_lane + 1);
  }

  Blocks run() const {
    Blocks blocks{.of_gpu = {}, .channels = options_.instances * lanes_ * groups_.count()};
    for (std::size_t rank = 0; rank < gpus_.size(); ++rank)
      blocks.of_gpu.push_back(gpu(static_cast<std::int32_t>(rank)));
    return blocks;
  }

 private:
  std::int32_t channel(std::int32_t rank, const Transfer& transfer) const {
    const std::int32_t lane = transfer.in_pair / per_lane_;
    const std::int32_t group =
        is_reception(transfer) ? groups_.of(transfer.peer, rank) : groups_.of(rank, transfer.peer);
    return (transfer.instance * lanes_ + lane) * groups_.count() + group;
  }

  std::vector<Connection> connections(std::int32_t rank) const {
    const auto all = gpus_[static_cast<std::size_t>(rank)].all();
    std::map<std::tuple<std::int32_t, bool, std::int32_t>, std::size_t> index;
    std::vector<Connection> found;
    for (std::size_t t = 0; t < all.size(); ++t) {
      const Transfer& one = all[t];
      if (one.peer < 0) continue;
      const std::int32_t on = channel(rank, one);
      WEFT_ASSERT(on >= 0 && on < options_.instances * lanes_ * groups_.count());
      const auto [entry, is_new] =
          index.try_emplace({on, is_reception(one), one.peer}, found.size());
      if (is_new) found.push_back({one.peer, on, is_reception(one), {}});
      found[entry->second].transfers.push_back(static_cast<std::int32_t>(t));
    }
    return found;
  }

  std::vector<ThreadBlock> gpu(std::int32_t rank) const {
    const GpuTransfers& gpu = gpus_[static_cast<std::size_t>(rank)];
    const std::vector<Connection> found = connections(rank);
    const std::vector<std::int32_t> partner = Matching(gpu, found).run();
    std::vector<ThreadBlock> blocks;
    std::vector<std::int32_t> block_of(gpu.all().size(), -1);
    for (std::size_t c = 0; c < found.size(); ++c) {
      if (partner[c] >= 0 && static_cast<std::size_t>(partner[c]) < c) continue;
      WEFT_ASSERT(partner[c] < 0 ||
                  partner[static_cast<std::size_t>(partner[c])] == static_cast<std::int32_t>(c));
      ThreadBlock& block = blocks.emplace_back();
      block.channel = found[c].channel;
      add(found[c], block, static_cast<std::int32_t>(blocks.size()) - 1, block_of);
      if (partner[c] >= 0)
        add(found[static_cast<std::size_t>(partner[c])], block,
            static_cast<std::int32_t>(blocks.size()) - 1, block_of);
    }
    write_steps(gpu, options_.fuse, block_of, blocks);
    return blocks;
  }

  static void add(const Connection& connection, ThreadBlock& block, std::int32_t index,
                  std::vector<std::int32_t>& block_of) {
    WEFT_ASSERT((connection.is_reception ? block.receive_peer : block.send_peer) < 0);
    (connection.is_reception ? block.receive_peer : block.send_peer) = connection.peer;
    for (const std::int32_t t : connection.transfers) block_of[static_cast<std::size_t>(t)] = index;
  }

  const std::vector<GpuTransfers>& gpus_;
  const BlockOptions& options_;
  const Groups& groups_;
  std::int32_t per_lane_, lanes_ = 1;
};

std::int32_t most_steps(const Blocks& blocks) {
  std::size_t most = 0;
  for (const auto& gpu : blocks.of_gpu)
    for (const ThreadBlock& block : gpu) most = std::max(most, block.steps.size());
  return static_cast<std::int32_t>(most);
}

}  // namespace

Blocks place_in_blocks(const std::vector<GpuTransfers>& gpus, const BlockOptions& options) {
  WEFT_ASSERT(options.instances >= 1 && options.steps >= 1);
  const Groups groups(gpus, options.peers_per_channel);
  for (std::int32_t per_lane = options.steps;;) {
    Blocks blocks = Placement(gpus, options, groups, per_lane).run();
    const std::int32_t most = most_steps(blocks);
    if (most <= options.steps) return blocks;
    require(per_lane > 1, "a thread block would have {} steps, but readers allow {}", most,
            options.steps);
    // Further steps are receptions or waits beside the messages: as many again per message.
    const auto next = std::int64_t{per_lane} * options.steps / most;
    per_lane = static_cast<std::int32_t>(std::clamp<std::int64_t>(next, 1, per_lane - 1));
  }
}

}  // namespace weft::format::msccl
