// Kahn's walk over starts and ends of operations. Those that the walk does not reach have a
// predecessor that it does not reach either, so going back along these ends in a circle.
#include "weft/program/blocked_sends.hpp"

#include <algorithm>
#include <vector>

namespace weft::program {

namespace {

class Walk {
 public:
  Walk(const Operations& operations, std::int64_t eager_B) {
    for (std::int32_t a = 0; a < operations.agents(); ++a) {
      of_agent_.push_back(agents_.size());
      agents_.insert(agents_.end(), operations.of(Agent(a)).size(), Agent(a));
    }
    after_.resize(2 * agents_.size());
    left_.resize(2 * agents_.size());
    bytes_.resize(agents_.size());
    for (std::size_t o = 0; o < agents_.size(); ++o) order(start(o), end(o));
    for (std::int32_t a = 0; a < operations.agents(); ++a) {
      std::size_t o = of_agent_[static_cast<std::size_t>(a)];
      for (const Operation& operation : operations.of(Agent(a))) {
        for (const std::int32_t before : operations.waits(operation))
          order(end(number(Agent(a), before)), start(o));
        if (operation.kind == OperationKind::send) bytes_[o] = operation.bytes;
        ++o;
      }
    }
    for (const Operations::MessageEnds& ends : operations.messages()) {
      const std::size_t send = number(ends.from, ends.send),
                        receive = number(ends.to, ends.receive);
      order(start(send), end(receive));
      if (bytes_[send] >= eager_B) order(start(receive), end(send));
    }
  }

  BlockedSends find() && {
    std::vector<std::size_t> reached;
    for (std::size_t event = 0; event < left_.size(); ++event)
      if (left_[event] == 0) reached.push_back(event);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const std::size_t next : after_[reached[i]])
        if (--left_[next] == 0) reached.push_back(next);
    if (reached.size() == left_.size()) return {};
    return circle();
  }

 private:
  static std::size_t start(std::size_t operation) { return 2 * operation; }
  static std::size_t end(std::size_t operation) { return 2 * operation + 1; }
  std::size_t number(Agent agent, std::int32_t operation) const {
    return of_agent_[agent.index()] + static_cast<std::size_t>(operation);
  }
  void order(std::size_t before, std::size_t event) {
    after_[before].push_back(event);
    ++left_[event];
  }

  BlockedSends circle() const {
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> before(left_.size(), kNone), seen(left_.size(), kNone);
    std::size_t at = kNone;
    for (std::size_t event = 0; event < left_.size(); ++event) {
      if (left_[event] == 0) continue;
      at = event;
      for (const std::size_t next : after_[event])
        if (left_[next] > 0) before[next] = event;
    }
    std::vector<std::size_t> path;
    for (; seen[at] == kNone; at = before[at]) {
      seen[at] = path.size();
      path.push_back(at);
    }
    BlockedSends blocked;
    for (std::size_t i = path.size(); i-- > seen[at];) {
      const std::size_t operation = path[i] / 2;
      const Agent agent = agents_[operation];
      if (blocked.agents.empty() || blocked.agents.back() != agent) blocked.agents.push_back(agent);
      if (path[i] == end(operation) && bytes_[operation] > 0)
        blocked.least_B =
            blocked.least_B == 0 ? bytes_[operation] : std::min(blocked.least_B, bytes_[operation]);
    }
    if (blocked.agents.size() > 1 && blocked.agents.front() == blocked.agents.back())
      blocked.agents.pop_back();
    return blocked;
  }

  std::vector<std::size_t> of_agent_;            // its first operation's number
  std::vector<Agent> agents_;                    // by operation
  std::vector<std::int64_t> bytes_;              // likewise, of sends
  std::vector<std::vector<std::size_t>> after_;  // by event
  std::vector<std::int32_t> left_;               // likewise, what it still waits for
};

}  // namespace

BlockedSends blocked_sends(const Operations& operations, std::int64_t eager_B) {
  return Walk(operations, eager_B).find();
}

}  // namespace weft::program
