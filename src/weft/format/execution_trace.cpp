#include "weft/format/execution_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

#include "weft/base/error.hpp"

namespace weft::format {

namespace {

// A circle among nodes that wait for each other, as people read it; `left` has those that can never
// start, each of which waits for another of them.
std::string circle_of(const RankTrace& trace, const std::vector<std::int32_t>& left) {
  const auto stuck = [&](std::int32_t node) { return left[static_cast<std::size_t>(node)] > 0; };
  std::int32_t at = 0;
  while (!stuck(at)) ++at;
  std::vector<bool> seen(trace.nodes.size(), false);
  std::vector<std::int32_t> path;
  while (!seen[static_cast<std::size_t>(at)]) {
    seen[static_cast<std::size_t>(at)] = true;
    path.push_back(at);
    at = *std::ranges::find_if(trace.waits_of(trace.nodes[static_cast<std::size_t>(at)]), stuck);
  }
  const auto first = std::ranges::find(path, at);
  constexpr std::ptrdiff_t kMost = 8;
  const std::ptrdiff_t length = path.end() - first;
  std::string text;
  for (std::ptrdiff_t i = 0; i < std::min(length, kMost); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " waits for ",
                        trace.nodes[static_cast<std::size_t>(first[i])].id);
  if (length > kMost) text += fmt::format(" waits for ... ({} nodes)", length);
  return text + fmt::format(" waits for {}", trace.nodes[static_cast<std::size_t>(*first)].id);
}

bool stands_in_order(const RankTrace& trace) {
  std::int32_t number = 0;
  for (const TraceNode& node : trace.nodes) {
    for (const std::int32_t before : trace.waits_of(node))
      if (before >= number) return false;
    ++number;
  }
  return true;
}

}  // namespace

std::string_view name_of(TraceKind kind) {
  constexpr std::array<std::string_view, 7> kNames = {"METADATA",  "MEM_LOAD",  "MEM_STORE", "COMP",
                                                      "COMM_SEND", "COMM_RECV", "COMM_COLL"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::int32_t RankTrace::add(TraceNode node, std::string_view name,
                            std::span<const std::int32_t> after) {
  node.first_wait = std::ssize(waits);
  node.waits = static_cast<std::int32_t>(after.size());
  waits.insert(waits.end(), after.begin(), after.end());
  node.first_letter = std::ssize(names);
  node.letters = static_cast<std::int32_t>(name.size());
  names += name;
  nodes.push_back(node);
  return static_cast<std::int32_t>(nodes.size()) - 1;
}

std::string trace_file(const std::string& prefix, std::int32_t rank) {
  return fmt::format("{}.{}.et", prefix, rank);
}

std::vector<std::int32_t> order_of(const RankTrace& trace, std::string_view file) {
  const std::size_t count = trace.nodes.size();
  std::vector<std::int32_t> order;
  order.reserve(count);
  if (stands_in_order(trace)) {
    for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<std::int32_t>(i));
    return order;
  }
  std::vector<std::int32_t> left(count, 0), waiting(trace.waits.size());
  std::vector<std::size_t> first(count + 1, 0);
  for (const std::int32_t before : trace.waits) ++first[static_cast<std::size_t>(before) + 1];
  for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    left[i] = trace.nodes[i].waits;
    for (const std::int32_t before : trace.waits_of(trace.nodes[i]))
      waiting[next[static_cast<std::size_t>(before)]++] = static_cast<std::int32_t>(i);
  }
  std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < count; ++i)
    if (left[i] == 0) ready.push(static_cast<std::int32_t>(i));
  while (!ready.empty()) {
    const std::int32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    const auto at = static_cast<std::size_t>(node);
    for (std::size_t w = first[at]; w < first[at + 1]; ++w)
      if (--left[static_cast<std::size_t>(waiting[w])] == 0) ready.push(waiting[w]);
  }
  if (order.size() < count)
    reject("'{}': nodes wait for each other in a circle: {}", file, circle_of(trace, left));
  return order;
}

}  // namespace weft::format
