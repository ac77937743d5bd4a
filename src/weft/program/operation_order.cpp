#include "operation_order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "weft/base/error.hpp"
#include "weft/program/circle_fault.hpp"

namespace weft::program {

namespace {

constexpr std::int64_t kNone = -1;

// Kahn's walk: an operation is reached once all that it waits for have been. What the walk never
// reaches waits for itself.
class Walk {
 public:
  explicit Walk(const Operations& operations)
      : operations_(operations),
        left_(operations.count()),
        receive_of_(left_.size(), kNone),
        first_(left_.size() + 1) {
    found_.half_steps.resize(left_.size());
    number();
    connect();
  }

  OperationOrder find() && {
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (left_[i] == 0) found_.order.push_back(static_cast<std::int64_t>(i));
    for (std::size_t reached = 0; reached < found_.order.size(); ++reached)
      pass(static_cast<std::size_t>(found_.order[reached]));
    const std::size_t reached = found_.order.size();
    if (reached < left_.size()) refuse_circle(left_.size() - reached);
    return std::move(found_);
  }

 private:
  // The first number of each agent, the kinds, and the half-steps that operations came from.
  void number() {
    for (std::int32_t a = 0; a < operations_.agents(); ++a) {
      of_agent_.push_back(kinds_.size());
      for (const Operation& operation : operations_.of(Agent(a))) {
        const std::int64_t step = operation.origin.step;
        require(step < std::int64_t{1} << 29, "step {} is too late", step);
        found_.half_steps[kinds_.size()] =
            static_cast<std::int32_t>(2 * step + (operation.receives() ? 1 : 0));
        kinds_.push_back(operation.kind);
      }
    }
  }

  template <class Visit>
  void each_wait(Visit&& visit) const {
    for (std::int32_t a = 0; a < operations_.agents(); ++a) {
      const std::size_t first = of_agent_[a];
      std::size_t waiting = first;
      for (const Operation& operation : operations_.of(Agent(a))) {
        for (const std::int32_t before : operations_.waits(operation))
          visit(first + static_cast<std::size_t>(before), waiting);
        ++waiting;
      }
    }
  }

  void connect() {
    const auto number = [&](Agent agent, std::int32_t operation) {
      return of_agent_[agent.index()] + static_cast<std::size_t>(operation);
    };
    for (const Operations::MessageEnds& ends : operations_.messages()) {
      const std::size_t receive = number(ends.to, ends.receive);
      receive_of_[number(ends.from, ends.send)] = static_cast<std::int64_t>(receive);
      ++left_[receive];
    }
    each_wait([&](std::size_t before, std::size_t waiting) {
      ++first_[before + 1];
      ++left_[waiting];
    });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    waiting_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    each_wait([&](std::size_t before, std::size_t waiting) { waiting_[next[before]++] = waiting; });
  }

  void pass(std::size_t done) {
    const std::int32_t half_step = found_.half_steps[done];
    if (receive_of_[done] != kNone)
      reach(static_cast<std::size_t>(receive_of_[done]), half_step + 1);
    for (std::size_t w = first_[done]; w < first_[done + 1]; ++w) reach(waiting_[w], half_step);
  }

  // A send goes at the start of a step, a receive comes at its end; other work may be at either.
  void reach(std::size_t operation, std::int32_t half_step) {
    const bool sends = kinds_[operation] == OperationKind::send;
    const bool receives = kinds_[operation] == OperationKind::receive ||
                          kinds_[operation] == OperationKind::receive_reduce;
    if (sends) half_step += half_step % 2;
    if (receives) half_step |= 1;
    std::int32_t& own = found_.half_steps[operation];
    own = std::max(own, half_step);
    if (--left_[operation] == 0) found_.order.push_back(static_cast<std::int64_t>(operation));
  }

  template <class Visit>
  void each_after(std::size_t operation, Visit&& visit) const {
    if (receive_of_[operation] != kNone) visit(static_cast<std::size_t>(receive_of_[operation]));
    for (std::size_t w = first_[operation]; w < first_[operation + 1]; ++w) visit(waiting_[w]);
  }

  // What was not reached waits for something that was not either: to go back along these leads into
  // a circle.
  std::vector<std::size_t> circle() const {
    std::vector<std::int64_t> before(left_.size(), kNone), place(left_.size(), kNone);
    std::size_t at = 0;
    for (std::size_t o = 0; o < left_.size(); ++o) {
      if (left_[o] == 0) continue;
      at = o;
      each_after(o, [&](std::size_t after) { before[after] = static_cast<std::int64_t>(o); });
    }
    std::vector<std::size_t> path;
    for (; place[at] == kNone; at = static_cast<std::size_t>(before[at])) {
      place[at] = std::ssize(path);
      path.push_back(at);
    }
    path.erase(path.begin(), path.begin() + place[at]);
    return path;
  }

  Agent agent_of(std::size_t operation) const {
    const auto after = std::ranges::upper_bound(of_agent_, operation);
    return Agent(after - of_agent_.begin() - 1);
  }

  // The ranks around the circle, each waiting for the next: "0 <- 2 <- 1 <- 0".
  std::string ranks_around(const std::vector<std::size_t>& circle) const {
    constexpr std::size_t kMostNamed = 10;
    std::vector<std::int32_t> ranks;
    for (const std::size_t o : circle)
      if (const auto rank = agent_of(o).value(); ranks.empty() || ranks.back() != rank)
        ranks.push_back(rank);
    if (ranks.size() > 1 && ranks.front() == ranks.back()) ranks.pop_back();
    if (ranks.size() == 1) return fmt::format("rank {} waits for itself", ranks.front());
    std::rotate(ranks.begin(), std::ranges::min_element(ranks), ranks.end());
    ranks.push_back(ranks.front());
    std::string names = fmt::format(
        "{}", fmt::join(std::span(ranks).first(std::min(ranks.size(), kMostNamed)), " <- "));
    if (ranks.size() > kMostNamed) names += fmt::format(" <- {} more", ranks.size() - kMostNamed);
    return fmt::format("ranks {}, each waiting for the next", names);
  }

  [[noreturn]] void refuse_circle(std::size_t stuck) const {
    const std::vector<std::size_t> around = circle();
    const std::size_t first = *std::ranges::min_element(around);
    const Agent agent = agent_of(first);
    throw CircleFault(
        fmt::format(
            "messages wait for each other in a circle: {} of {} operations can never start; {}: "
            "let one of them send before it waits",
            stuck, left_.size(), ranks_around(around)),
        agent, static_cast<std::int32_t>(first - of_agent_[agent.index()]));
  }

  const Operations& operations_;
  OperationOrder found_;
  std::vector<std::size_t> of_agent_;  // its first operation's number
  std::vector<OperationKind> kinds_;
  std::vector<std::int32_t> left_;            // what it still waits for
  std::vector<std::int64_t> receive_of_;      // of a send
  std::vector<std::size_t> first_, waiting_;  // what waits for each
};

}  // namespace

OperationOrder find_order(const Operations& operations) {
  return Walk(operations).find();
}

}  // namespace weft::program
