#include "weft/training/trace/trace_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::training {

namespace {

using format::TraceKind;
using format::TraceNode;

// One end of a message.
struct MessageEnd {
  std::int32_t from, to, tag, node;

  auto way() const { return std::tuple(from, to, tag); }
  auto key() const { return std::tuple(from, to, tag, node); }
};

std::string name_of(const format::TraceGroup& group) {
  return fmt::format("group '{}'", group.name);
}

std::string call_text(const TraceNode& node) {
  return fmt::format("{} of {}", name_of(node.collective), format_size(node.bytes));
}

}  // namespace

TraceItems::TraceItems(const format::Trace& trace) : trace_(trace) {
  number();
  join_collectives();
  match_messages();
  find_order();
}

std::string TraceItems::place(std::int32_t rank, std::int32_t node) const {
  return fmt::format("node {} of rank {}", trace_.ranks[rank].nodes[node].id, rank);
}

// All but collectives are items of their own.
void TraceItems::number() {
  std::size_t nodes = 0;
  for (const format::RankTrace& rank : trace_.ranks) nodes += rank.nodes.size();
  require(nodes < std::size_t{1} << 30, "a trace of {} nodes is too large (at most 2^30 nodes)",
          nodes);
  items_.reserve(nodes);
  for (std::size_t r = 0; r < trace_.ranks.size(); ++r) {
    const auto& of_rank = trace_.ranks[r].nodes;
    item_of_.emplace_back(of_rank.size(), -1);
    for (std::size_t i = 0; i < of_rank.size(); ++i) {
      if (of_rank[i].kind == TraceKind::collective) continue;
      item_of_[r][i] = count();
      items_.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(i)});
    }
  }
}

// The k-th collective of each member of a group is one.
void TraceItems::join_collectives() {
  const std::size_t groups = trace_.groups.size() + 1;  // the last: of nodes that name none
  std::vector<NodesByRank> nodes(groups);               // by group
  for (std::size_t r = 0; r < trace_.ranks.size(); ++r) {
    const auto& of_rank = trace_.ranks[r].nodes;
    for (std::size_t i = 0; i < of_rank.size(); ++i) {
      if (of_rank[i].kind != TraceKind::collective) continue;
      const auto group = of_rank[i].group.value_or(static_cast<std::int32_t>(groups) - 1);
      nodes[static_cast<std::size_t>(group)][static_cast<std::int32_t>(r)].push_back(
          static_cast<std::int32_t>(i));
    }
  }
  std::vector<std::int32_t> all(trace_.ranks.size());
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t g = 0; g < groups; ++g) {
    if (nodes[g].empty()) continue;
    const bool named = g < trace_.groups.size();
    std::vector<std::int32_t> ranks = named ? trace_.groups[g].ranks : all;
    if (ranks.empty()) {
      undefined_groups_.push_back(trace_.groups[g].name);
      for (const auto& [rank, of_rank] : nodes[g]) ranks.push_back(rank);
    }
    join(named ? name_of(trace_.groups[g]) : "all ranks", ranks, nodes[g]);
  }
}

std::int64_t TraceItems::names_alike(const std::string& group) const {
  return std::ranges::count_if(
      trace_.groups, [&](const format::TraceGroup& other) { return name_of(other) == group; });
}

void TraceItems::join(const std::string& group, const std::vector<std::int32_t>& members,
                      const NodesByRank& nodes) {
  WEFT_ASSERT(!nodes.empty() && !members.empty());
  const auto& [one, first] = *nodes.begin();
  for (const std::int32_t rank : members) {
    const auto found = nodes.find(rank);
    const std::size_t own = found == nodes.end() ? 0 : found->second.size();
    require(own == first.size(), "rank {} calls {} of {}, but rank {} calls {}{}", rank,
            counted(static_cast<std::int64_t>(own), "collective"), group, one, first.size(),
            names_alike(group) > 1 ? fmt::format("; the files give {} other ranks, or none", group)
                                   : "");
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    const TraceNode& says = trace_.ranks[one].nodes[first[k]];
    TraceCollective collective{.members = members, .nodes = {}};
    for (const std::int32_t rank : members) {
      const std::int32_t number = nodes.at(rank)[k];
      const TraceNode& node = trace_.ranks[rank].nodes[number];
      if (node.collective != says.collective || node.bytes != says.bytes || node.root != says.root)
        reject("{}: {} is {}, but {} is {}{}", group, place(rank, number), call_text(node),
               place(one, first[k]), call_text(says),
               node.root == says.root ? "" : ", with another root");
      collective.nodes.push_back(number);
      item_of_[rank][number] = count();
    }
    if (says.root) {
      const auto root = std::ranges::find(members, *says.root);
      if (root == members.end())
        reject("{}: the root of {} is rank {}, which is not in the group", group,
               place(one, first[k]), *says.root);
      std::swap(collective.members[0],
                collective.members[static_cast<std::size_t>(root - members.begin())]);
      std::swap(collective.nodes[0],
                collective.nodes[static_cast<std::size_t>(root - members.begin())]);
    }
    items_.push_back({collective.members[0], collective.nodes[0],
                      static_cast<std::int32_t>(collectives_.size())});
    collectives_.push_back(std::move(collective));
  }
}

// The k-th send from a to b under a tag is the k-th receive of b from a under it.
void TraceItems::match_messages() {
  std::vector<MessageEnd> sends, receives;
  for (std::size_t r = 0; r < trace_.ranks.size(); ++r) {
    const auto rank = static_cast<std::int32_t>(r);
    const auto& of_rank = trace_.ranks[r].nodes;
    for (std::size_t i = 0; i < of_rank.size(); ++i) {
      const auto number = static_cast<std::int32_t>(i);
      if (of_rank[i].kind == TraceKind::send)
        sends.push_back({rank, of_rank[i].peer, of_rank[i].tag, number});
      if (of_rank[i].kind == TraceKind::receive)
        receives.push_back({of_rank[i].peer, rank, of_rank[i].tag, number});
    }
  }
  std::ranges::sort(sends, {}, &MessageEnd::key);
  std::ranges::sort(receives, {}, &MessageEnd::key);
  for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
    const bool sent = i < sends.size(), received = i < receives.size();
    if (!sent || !received || sends[i].way() != receives[i].way()) {
      const bool is_send = sent && (!received || sends[i].way() < receives[i].way());
      const MessageEnd& end = is_send ? sends[i] : receives[i];
      reject("{} {} {} with tag {}, but nothing there {} it",
             place(is_send ? end.from : end.to, end.node),
             is_send ? "sends to rank" : "receives from rank", is_send ? end.to : end.from, end.tag,
             is_send ? "receives" : "sends");
    }
    const MessageEnd& send = sends[i];
    const MessageEnd& receive = receives[i];
    const std::int64_t sent_B = trace_.ranks[send.from].nodes[send.node].bytes;
    const std::int64_t received_B = trace_.ranks[receive.to].nodes[receive.node].bytes;
    if (sent_B != received_B)
      reject("{} sends {} B, but {} receives {} of them", place(send.from, send.node), sent_B,
             place(receive.to, receive.node), received_B);
    items_[item_of_[receive.to][receive.node]].send = item_of_[send.from][send.node];
  }
}

// As nodes stand in their files, where what they wait for allows it.
void TraceItems::find_order() {
  std::vector<std::int32_t> left(items_.size(), 0);
  std::vector<std::size_t> first(items_.size() + 1, 0);
  for (std::int32_t i = 0; i < count(); ++i)
    each_wait(items_[i], [&](std::int32_t before) {
      ++left[i];
      ++first[before + 1];
    });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> waiting(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::int32_t i = 0; i < count(); ++i)
    each_wait(items_[i], [&](std::int32_t before) { waiting[next[before]++] = i; });
  using Ready = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // place in its file, rank
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto push = [&](std::int32_t i) { ready.emplace(items_[i].node, items_[i].rank, i); };
  for (std::int32_t i = 0; i < count(); ++i)
    if (left[i] == 0) push(i);
  order_.reserve(items_.size());
  while (!ready.empty()) {
    const std::int32_t item = std::get<2>(ready.top());
    ready.pop();
    order_.push_back(item);
    for (std::size_t w = first[item]; w < first[item + 1]; ++w)
      if (--left[waiting[w]] == 0) push(waiting[w]);
  }
  if (order_.size() < items_.size())
    reject("nodes of several ranks wait for each other in a circle: {}", circle(left));
}

std::string TraceItems::circle(const std::vector<std::int32_t>& left) const {
  WEFT_ASSERT(left.size() == items_.size());
  std::int32_t at = 0;
  while (left[at] == 0) ++at;
  std::vector<std::int32_t> path;
  std::vector<bool> seen(items_.size(), false);
  while (!seen[at]) {
    seen[at] = true;
    path.push_back(at);
    std::int32_t next = at;
    each_wait(items_[at], [&](std::int32_t before) {
      if (left[before] > 0) next = before;
    });
    at = next;
  }
  path.erase(path.begin(), std::ranges::find(path, at));
  // Of a collective one member may be waited for, and another wait.
  constexpr std::size_t kMost = 6;
  std::string entered = link(path.back(), path.front()).before;
  std::string text = entered;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Link next = link(path[i], path[(i + 1) % path.size()]);
    if (i >= kMost && i + 1 < path.size()) continue;
    if (i + 1 == path.size() && path.size() > kMost)
      text += fmt::format(" waits for ... ({} nodes)", path.size());
    else if (next.waits != entered)
      text +=
          fmt::format(" (one {} with {})", name_of(node(items_[path[i]]).collective), next.waits);
    text += " waits for " + next.before;
    entered = next.before;
  }
  return text;
}

TraceItems::Link TraceItems::link(std::int32_t item, std::int32_t before) const {
  const TraceItem& from = items_[item];
  const auto found = [&](std::int32_t rank, std::int32_t number) -> std::optional<Link> {
    const format::RankTrace& of_rank = trace_.ranks[rank];
    for (const std::int32_t waited : of_rank.waits_of(of_rank.nodes[number]))
      if (item_of_[rank][waited] == before) return Link{place(rank, number), place(rank, waited)};
    return std::nullopt;
  };
  if (from.collective >= 0) {
    const TraceCollective& all = collective(from);
    for (std::size_t i = 0; i < all.members.size(); ++i)
      if (auto link = found(all.members[i], all.nodes[i])) return *std::move(link);
  } else if (auto link = found(from.rank, from.node)) {
    return *std::move(link);
  }
  return {place(from.rank, from.node), place(items_[before].rank, items_[before].node)};  // a send
}

}  // namespace weft::training
