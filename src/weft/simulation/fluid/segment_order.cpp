#include "weft/simulation/fluid/segment_order.hpp"

#include <utility>

#include "weft/base/error.hpp"

namespace weft::simulation {

SegmentOrder::Key SegmentOrder::key_of(const LoadedStep& step, std::int32_t index) {
  const program::Transfer& transfer = step.transfer(index);
  const auto links = step.links(index);
  return {transfer.from.value(), transfer.to.value(), links.empty() ? -1 : links.front().value()};
}

bool SegmentOrder::starts(const LoadedStep& step, Message message) {
  Connection& connection = connections_[key_of(step, message.index)];
  const SegmentStep own{step.transfer(message.index).segment, step.step};
  if (connection.flows > 0 && connection.current != own) {
    connection.waiting[own].push_back(message);
    return false;
  }
  connection.current = own;
  ++connection.flows;
  return true;
}

std::vector<SegmentOrder::Message> SegmentOrder::ended(const LoadedStep& step, std::int32_t index) {
  const auto found = connections_.find(key_of(step, index));
  WEFT_ASSERT(found != connections_.end() && found->second.flows > 0);
  Connection& connection = found->second;
  if (--connection.flows > 0) return {};
  if (connection.waiting.empty()) {
    connections_.erase(found);
    return {};
  }
  const auto oldest = connection.waiting.begin();
  connection.current = oldest->first;
  std::vector<Message> next = std::move(oldest->second);
  connection.waiting.erase(oldest);
  connection.flows = static_cast<std::int32_t>(next.size());
  return next;
}

}  // namespace weft::simulation
