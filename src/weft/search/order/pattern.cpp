#include "index.hpp"
#include "weft/search/order_pattern.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/error.hpp"

namespace weft::search {

namespace {

struct Meeting {  // of two ranks, seen by one of them
  std::int32_t rank, peer, sent, received;
};

}  // namespace

OrderPattern::OrderPattern(std::int32_t ranks, std::span<const OrderMessage> messages,
                           std::span<const std::size_t> first)
    : ranks_(ranks) {
  WEFT_ASSERT(!first.empty() && first.back() <= messages.size());
  require(ranks >= 1, "invalid number of ranks: {} (expected at least 1)", ranks);
  for (std::size_t t = 0; t + 1 < first.size(); ++t) {
    for (const OrderMessage& message : messages.subspan(first[t], first[t + 1] - first[t])) {
      require(std::min(message.from, message.to) >= 0 && std::max(message.from, message.to) < ranks,
              "a message from {} to {} names a rank that does not exist ({} ranks)", message.from,
              message.to, ranks);
      if (message.from != message.to) messages_.push_back(message);
    }
    first_.push_back(messages_.size());
  }
  add_peers();
}

void OrderPattern::add_peers() {
  std::vector<Meeting> meetings;
  meetings.reserve(2 * messages_.size());
  for (const OrderMessage& message : messages_) {
    meetings.push_back({message.from, message.to, 1, 0});
    meetings.push_back({message.to, message.from, 0, 1});
  }
  std::sort(meetings.begin(), meetings.end(), [](const Meeting& a, const Meeting& b) {
    return std::tie(a.rank, a.peer) < std::tie(b.rank, b.peer);
  });
  first_peer_.assign(index(ranks_) + 1, 0);
  std::int32_t last_rank = -1;
  for (const Meeting& meeting : meetings) {
    const bool known = meeting.rank == last_rank && peers_.back().rank == meeting.peer;
    if (!known) {
      peers_.push_back({meeting.peer, 0, 0});
      ++first_peer_[index(meeting.rank) + 1];
    }
    peers_.back().sent += meeting.sent;
    peers_.back().received += meeting.received;
    last_rank = meeting.rank;
  }
  for (std::size_t r = 0; r < index(ranks_); ++r) first_peer_[r + 1] += first_peer_[r];
}

namespace {

// Away from the root: each rank but one receives once, and before it sends.
bool runs_outwards(const OrderPattern& pattern, OrderTree& tree) {
  const std::size_t ranks = index(pattern.ranks());
  std::vector<std::size_t> received(ranks, 0);  // step + 1
  std::vector<std::size_t> first_sent(ranks, pattern.steps() + 1);
  tree.parent.assign(ranks, -1);
  for (std::size_t t = 0; t < pattern.steps(); ++t)
    for (const OrderMessage& message : pattern.step(t)) {
      if (received[index(message.to)] > 0) return false;
      received[index(message.to)] = t + 1;
      tree.parent[index(message.to)] = message.from;
      std::size_t& sent = first_sent[index(message.from)];
      sent = std::min(sent, t + 1);
    }
  std::int32_t roots = 0;
  for (std::int32_t r = 0; r < pattern.ranks(); ++r) {
    if (received[index(r)] >= first_sent[index(r)]) return false;
    if (received[index(r)] > 0) continue;
    tree.root = r;
    tree.parent[index(r)] = r;
    ++roots;
  }
  return roots == 1;
}

// The same messages, each the other way, in reversed steps.
OrderPattern mirrored(const OrderPattern& pattern) {
  std::vector<OrderMessage> messages;
  std::vector<std::size_t> first{0};
  for (std::size_t t = pattern.steps(); t > 0; --t) {
    for (const OrderMessage& message : pattern.step(t - 1))
      messages.push_back({message.to, message.from, message.bytes});
    first.push_back(messages.size());
  }
  return {pattern.ranks(), messages, first};
}

void add_children(const OrderPattern& pattern, OrderTree& tree) {
  tree.first_child.assign(index(pattern.ranks()) + 1, 0);
  const auto parent_of = [&](const OrderMessage& m) { return tree.outwards ? m.from : m.to; };
  for (const OrderMessage& message : pattern.messages())
    ++tree.first_child[index(parent_of(message)) + 1];
  for (std::size_t r = 0; r < index(pattern.ranks()); ++r)
    tree.first_child[r + 1] += tree.first_child[r];
  std::vector<std::size_t> next(tree.first_child.begin(), tree.first_child.end() - 1);
  tree.children.resize(pattern.messages().size());
  for (std::size_t t = 0; t < pattern.steps(); ++t)
    for (const OrderMessage& message : pattern.step(t))
      tree.children[next[index(parent_of(message))]++] = {tree.outwards ? message.to : message.from,
                                                          t, message.bytes};
}

}  // namespace

std::optional<OrderTree> find_tree(const OrderPattern& pattern) {
  OrderTree tree;
  tree.outwards = runs_outwards(pattern, tree);
  if (!tree.outwards && !runs_outwards(mirrored(pattern), tree)) return std::nullopt;
  add_children(pattern, tree);
  WEFT_ASSERT(std::ssize(tree.children) ==
              pattern.ranks() - 1);  // each rank but the root is a child
  return tree;
}

}  // namespace weft::search
