#include "values.hpp"

namespace weft::format::mscclpp::checking {

namespace {

constexpr std::int64_t kMostContributions = 200'000;

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x7FB5D329728EA185ULL;
  x ^= x >> 27;
  x *= 0x81DADEF4BC2DD44DULL;
  return x ^ (x >> 33);
}

}  // namespace

std::uint64_t Values::given(std::int32_t rank, std::int64_t unit) {
  return mix(mix(static_cast<std::uint64_t>(rank) + 0x51ED2701) + static_cast<std::uint64_t>(unit));
}

Values::Values(const Plan& plan, const Memory& memory)
    : held_(static_cast<std::size_t>(memory.slots()), 0) {
  nodes_.push_back({.hash = mix(0xDEAD)});  // what nobody wrote
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) {
    const std::int64_t units =
        std::int64_t{plan.gpus[static_cast<std::size_t>(rank)].input_chunks} *
        memory.units_per_chunk();
    for (std::int64_t unit = 0; unit < units; ++unit) {
      held_[static_cast<std::size_t>(memory.plain(rank, Buffer::input, unit).first)] =
          static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back({.hash = given(rank, unit), .rank = rank, .unit = unit});
    }
  }
}

std::int32_t Values::sum(std::int32_t a, std::int32_t b) {
  nodes_.push_back(
      {.hash = nodes_[static_cast<std::size_t>(a)].hash + nodes_[static_cast<std::size_t>(b)].hash,
       .left = a,
       .right = b});
  return static_cast<std::int32_t>(nodes_.size()) - 1;
}

void Values::move(const Move& move) {
  std::int32_t value = held_[static_cast<std::size_t>(move.reads.front().first)];
  for (std::size_t i = 1; i < move.reads.size(); ++i)
    value = sum(value, held_[static_cast<std::size_t>(move.reads[i].first)]);
  for (const Slot& slot : move.writes)
    for (std::int32_t i = 0; i < slot.count(); ++i)
      held_[static_cast<std::size_t>(slot.first + i)] = value;
}

std::optional<Values::Contributions> Values::contributions(std::int64_t slot) const {
  Contributions result;
  std::vector<std::int32_t> open{held_[static_cast<std::size_t>(slot)]};
  for (std::int64_t visited = 0; !open.empty(); ++visited) {
    if (visited > kMostContributions) return std::nullopt;
    const Node& node = nodes_[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (node.left < 0)
      ++result[{node.rank, node.unit}];
    else
      open.insert(open.end(), {node.left, node.right});
  }
  return result;
}

}  // namespace weft::format::mscclpp::checking
