#include "support/judges/executor.hpp"

#include <fmt/core.h>

#include <numeric>
#include <utility>
#include <vector>

#include "weft/base/random.hpp"

namespace weft::test {

namespace {

using schedule::Arrival;
using schedule::CollectiveKind;
using schedule::Message;
using schedule::Piece;
using schedule::Schedule;

struct Broken {
  std::string rule;
};

struct Cell {
  bool held = false;
  std::uint64_t value = 0;
};

/// One unit of one message on its way, with what the sender had before the step.
struct Landing {
  std::int64_t sender, receiver, unit;
  Arrival arrival;
  std::uint64_t value;
  std::vector<std::uint8_t> counts;
};

// Digits of two elements in the mixed radix of the moduli, added without carry.
std::int64_t shifted(std::int64_t x, std::int64_t element, const std::vector<int>& moduli) {
  std::int64_t result = 0, weight = 1;
  for (const int modulus : moduli) {
    result += (x % modulus + element % modulus) % modulus * weight;
    x /= modulus;
    element /= modulus;
    weight *= modulus;
  }
  return result;
}

// A group element moves the agent within its orbit, by the group's law.
std::int64_t moved(std::int64_t agent, std::int64_t element, const topology::Group& group) {
  const std::int64_t x = agent % group.order();
  if (!group.moduli().empty()) return agent - x + shifted(x, element, group.moduli());
  return agent - x +
         group.multiply(static_cast<std::int32_t>(element), static_cast<std::int32_t>(x));
}

class Executor {
 public:
  Executor(const Schedule& schedule, std::uint64_t seed)
      : schedule_(schedule),
        kind_(schedule.collective().kind),
        n_(schedule.collective().ranks),
        reduces_(kind_ == CollectiveKind::reduce || kind_ == CollectiveKind::reduce_scatter ||
                 kind_ == CollectiveKind::allreduce),
        blocks_(kind_ == CollectiveKind::alltoall         ? n_ * n_
                : kind_ == CollectiveKind::point_to_point ? 1
                                                          : n_),
        units_(blocks_ * schedule.units_per_block()),
        contributors_(reduces_ ? n_ : 1),
        segments_(schedule.segments().count),
        rng_(seed) {
    const std::int64_t cells = segments_ * schedule.agents() * units_;
    cells_.resize(static_cast<std::size_t>(cells));
    counts_.resize(static_cast<std::size_t>(cells * contributors_));
    expected_.resize(static_cast<std::size_t>(segments_ * units_));
    landed_.resize(static_cast<std::size_t>(cells), {-1, Arrival::copy});
    fill();
  }

  void run() {
    const std::int64_t stored = schedule_.stored_steps(), stride = schedule_.segments().stride;
    const std::int64_t steps = stored == 0 ? 0 : stored + (segments_ - 1) * stride;
    for (step = 0; step < steps; ++step) {
      std::vector<Landing> landings;
      for (std::int64_t segment = 0; segment < segments_; ++segment) {
        const std::int64_t t = step - segment * stride;
        if (t >= 0 && t < stored) send(t, segment, landings);
      }
      for (const Landing& landing : landings) land(landing);
    }
    step = stored;
    check_end();
  }

  std::int64_t step = 0;
  bool keeps_order = true, overwrites = false;

 private:
  bool starts_with(std::int64_t rank, std::int64_t block) const {
    const std::int64_t root = schedule_.collective().root.value();
    switch (kind_) {
      case CollectiveKind::broadcast:
      case CollectiveKind::scatter:
      case CollectiveKind::point_to_point:
        return rank == root;
      case CollectiveKind::gather:
      case CollectiveKind::allgather:
        return block == rank;
      case CollectiveKind::alltoall:
        return block / n_ == rank;
      default:
        return true;
    }
  }

  bool wants(std::int64_t rank, std::int64_t block) const {
    const std::int64_t root = schedule_.collective().root.value();
    switch (kind_) {
      case CollectiveKind::reduce:
      case CollectiveKind::gather:
        return rank == root;
      case CollectiveKind::point_to_point:
        return rank == schedule_.collective().peer.value();
      case CollectiveKind::scatter:
      case CollectiveKind::reduce_scatter:
        return block == rank;
      case CollectiveKind::alltoall:
        return block % n_ == rank;
      default:
        return true;
    }
  }

  // The agents of segment s are numbered s * agents ... in the arrays.
  std::size_t cell(std::int64_t holder, std::int64_t unit) const {
    return static_cast<std::size_t>(holder * units_ + unit);
  }
  std::uint8_t* counts(std::size_t cell) {
    return counts_.data() + cell * static_cast<std::size_t>(contributors_);
  }

  void fill() {
    for (std::int64_t segment = 0; segment < segments_; ++segment)
      for (std::int64_t unit = 0; unit < units_; ++unit) {
        std::uint64_t sum = 0;
        const std::uint64_t shared = rng_.next();
        for (std::int64_t rank = 0; rank < n_; ++rank) {
          if (!starts_with(rank, unit / schedule_.units_per_block())) continue;
          const std::size_t c = cell(segment * schedule_.agents() + rank, unit);
          cells_[c] = {true, reduces_ ? rng_.next() : shared};
          counts(c)[reduces_ ? rank : 0] = 1;
          sum += cells_[c].value;
        }
        expected_[segment * units_ + unit] = reduces_ ? sum : shared;
      }
  }

  void send(std::int64_t t, std::int64_t segment, std::vector<Landing>& landings) {
    const std::int64_t order = schedule_.symmetry().order();
    for (std::int64_t m = schedule_.first_message(t); m < schedule_.first_message(t + 1); ++m)
      for (std::int64_t element = 0; element < order; ++element)
        for (const Piece& piece : schedule_.pieces(m))
          for (std::int64_t unit = piece.first; unit < piece.first + piece.count; ++unit)
            send_unit(schedule_.message(m), element, unit, segment, landings);
  }

  std::int64_t unit_image(std::int64_t unit, std::int64_t element) const {
    const topology::Group& group = schedule_.symmetry().group();
    const std::int64_t per_block = schedule_.units_per_block();
    const std::int64_t block = unit / per_block;
    std::int64_t image = block;
    if (kind_ == CollectiveKind::alltoall) {
      image = moved(block / n_, element, group) * n_ + moved(block % n_, element, group);
    } else if (kind_ != CollectiveKind::point_to_point) {
      image = moved(block, element, group);
    }
    return image * per_block + unit % per_block;
  }

  void send_unit(const Message& message, std::int64_t element, std::int64_t stored_unit,
                 std::int64_t segment, std::vector<Landing>& landings) {
    const topology::Group& group = schedule_.symmetry().group();
    const std::int64_t agents = schedule_.agents();
    if (stored_unit < 0 || stored_unit >= units_) throw Broken{"no such unit"};
    if (message.from.value() < 0 || message.from.value() >= agents || message.to.value() < 0 ||
        message.to.value() >= agents)
      throw Broken{"no such agent"};
    const std::int64_t unit = unit_image(stored_unit, element);
    const std::int64_t from = segment * agents + moved(message.from.value(), element, group);
    const std::int64_t to = segment * agents + moved(message.to.value(), element, group);
    const std::size_t source = cell(from, unit);
    if (!cells_[source].held)
      throw Broken{fmt::format("agent {} sends unit {} before it holds it", from % agents, unit)};
    const std::uint8_t* first = counts(source);
    landings.push_back(
        {from, to, unit, message.arrival, cells_[source].value, {first, first + contributors_}});
  }

  void land(const Landing& landing) {
    const std::size_t c = cell(landing.receiver, landing.unit);
    auto& [last_step, last_arrival] = landed_[c];
    if (last_step == step && (last_arrival == Arrival::copy || landing.arrival == Arrival::copy))
      throw Broken{fmt::format("a copy and another landing on unit {}", landing.unit)};
    landed_[c] = {step, landing.arrival};
    if (landing.arrival == Arrival::copy) {
      overwrites = overwrites || (cells_[c].held && landing.sender != landing.receiver);
      cells_[c] = {true, landing.value};
      for (std::int64_t i = 0; i < contributors_; ++i) counts(c)[i] = landing.counts[i];
    } else {
      reduce(c, landing);
    }
  }

  void reduce(std::size_t c, const Landing& landing) {
    if (!cells_[c].held && reduces_ && landing.receiver % schedule_.agents() >= n_) {
      cells_[c] = {true, landing.value};  // a helper keeps what comes first
      for (std::int64_t i = 0; i < contributors_; ++i) counts(c)[i] = landing.counts[i];
      return;
    }
    if (!cells_[c].held) throw Broken{fmt::format("unit {} is reduced into nothing", landing.unit)};
    keeps_order = keeps_order && is_interval(counts(c)) && is_interval(landing.counts.data());
    cells_[c].value += landing.value;
    for (std::int64_t i = 0; i < contributors_; ++i) {
      counts(c)[i] = static_cast<std::uint8_t>(counts(c)[i] + landing.counts[i]);
      if (counts(c)[i] > 1)
        throw Broken{fmt::format("contribution {} to unit {} is counted twice", i, landing.unit)};
    }
  }

  bool is_interval(const std::uint8_t* operand) const {
    std::int64_t runs = 0;
    for (std::int64_t i = 0; i < contributors_; ++i)
      if (operand[i] > 0 && (i == 0 || operand[i - 1] == 0)) ++runs;
    return runs == 1;
  }

  void check_end() {
    for (std::int64_t segment = 0; segment < segments_; ++segment)
      for (std::int64_t rank = 0; rank < n_; ++rank)
        for (std::int64_t unit = 0; unit < units_; ++unit) {
          if (!wants(rank, unit / schedule_.units_per_block())) continue;
          const std::size_t c = cell(segment * schedule_.agents() + rank, unit);
          if (!cells_[c].held) throw Broken{fmt::format("rank {} lacks unit {}", rank, unit)};
          for (std::int64_t i = 0; i < contributors_; ++i)
            if (counts(c)[i] != 1)
              throw Broken{fmt::format("rank {} lacks contribution {} to unit {}", rank, i, unit)};
          if (cells_[c].value != expected_[segment * units_ + unit])
            throw Broken{fmt::format("rank {} has a wrong value of unit {}", rank, unit)};
        }
  }

  const Schedule& schedule_;
  CollectiveKind kind_;
  std::int64_t n_;
  bool reduces_;
  std::int64_t blocks_, units_, contributors_, segments_;
  Rng rng_;
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> counts_;
  std::vector<std::uint64_t> expected_;
  std::vector<std::pair<std::int64_t, Arrival>> landed_;  // step and arrival of the last landing
};

}  // namespace

Execution execute(const Schedule& schedule, std::uint64_t seed) {
  Executor executor(schedule, seed);
  Execution result;
  try {
    executor.run();
    result.ok = true;
  } catch (const Broken& broken) {
    result.violation = broken.rule;
  }
  result.step = executor.step;
  result.keeps_order = executor.keeps_order;
  result.overwrites = executor.overwrites;
  return result;
}

}  // namespace weft::test
